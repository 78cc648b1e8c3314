import type { Asset } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import { formatLine } from '../src/core/command.ts'
import { type Item, type Message, t, type View } from '../src/core/view.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageSize, tokenItem } from '../src/views/list.ts'
import { chainName, statusWord } from '../src/views/token.ts'
import { type AssetChoices, findAsset } from './lookup.ts'
import type { Services } from './services.ts'

/** Shows the assets that a term may mean, to choose from. */
export function choicesView(term: string, found: AssetChoices, services: Services): View {
  const { choices, match, read, chain } = found
  return listView({
    title: [titleOf(term, found)],
    assets: choices.slice(0, pageSize),
    chain,
    units: services.units,
    freshness: freshness(read, services.now()),
    // A search has no pages of names that are only similar.
    ...(match !== 'near' && {
      paging: {
        page: 1,
        hasNext: choices.length > pageSize,
        lineOf: (page) => formatLine('search', term, { chain: chain.id, page }),
      },
    }),
  })
}

function titleOf(term: string, { match, chain }: AssetChoices): Message {
  if (match === 'exact') return t('asset-which', { term })
  if (match === 'part') return t('asset-did-you-mean')
  return t('search-near', { term, chains: chainName(chain) })
}

/**
 * Finds an asset by address, symbol or name; returns a view that asks if several fit. `lineFor` writes the line that
 * repeats the command with one of them.
 * @throws UserError if there is none
 */
export async function resolveAsset(
  term: string,
  wanted: Chain | undefined,
  lineFor: (asset: string, chain: number) => string,
  services: Services,
): Promise<{ asset: Asset; chain: Chain } | View> {
  const found = await findAsset(term, wanted, services)
  if (!('choices' in found)) return { asset: found.read.value, chain: found.chain }
  const { choices, chain } = found
  const items = choices.slice(0, pageSize).map((asset): Item => {
    const address = asset.asset_address
    const status = statusWord(asset)
    const details = [...(status === undefined ? [] : [status]), { code: address }]
    const { spans, open } = tokenItem(asset, chain, details)
    return { spans, open: { ...open, line: lineFor(address, chain.id) } }
  })
  return { title: [titleOf(term, found)], blocks: [{ kind: 'list', first: 1, items }] }
}
