import { formatLine } from '../src/core/command.ts'
import { type Message, t, type View } from '../src/core/view.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageSize } from '../src/views/list.ts'
import { chainName } from '../src/views/token.ts'
import type { AssetChoices } from './lookup.ts'
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
