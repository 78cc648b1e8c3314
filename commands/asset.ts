import type { Listing, Read } from '../src/api/client.ts'
import { baseToken } from '../src/api/figures.ts'
import type { Asset } from '../src/api/schema.ts'
import { looksLikeAddress, parseAddress } from '../src/chain/address.ts'
import type { Chain } from '../src/chain/chains.ts'
import { formatLine, optional } from '../src/core/command.ts'
import type { View } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageSize } from '../src/views/list.ts'
import { candidates, noAssetAt, nothingOn, onFirstChain, picturedCard } from './lookup.ts'
import { assetTerm, chain } from './params.ts'
import { command, type Services } from './services.ts'

export const asset = command({
  name: 'asset',
  about: 'Show one asset',
  params: {
    asset: assetTerm('Address, symbol or name', 'OTTER'),
    chain: optional(chain()),
  },
  run: async ({ asset, chain }, services) =>
    looksLikeAddress(asset)
      ? byAddress(parseAddress(asset), chain, services)
      : bySymbol(asset, chain, services),
})

/**
 * The card of the asset with this address, on the given chain or the first that has it.
 * @throws UserError if none has it
 */
export async function byAddress(
  address: string,
  chain: Chain | undefined,
  services: Services,
): Promise<View> {
  const { found, chain: where } = await onFirstChain(
    candidates(services, chain),
    ({ id }) => services.api.asset(address, id),
    (chains) => noAssetAt(address, chains, services),
  )
  return picturedCard(services, found, where)
}

/** The asset's card if one asset has this symbol or name, else a list of all that have it or resemble it. */
async function bySymbol(term: string, chain: Chain | undefined, services: Services): Promise<View> {
  const { read, where, exact } = await hits(term, candidates(services, chain), services)
  const [only] = exact
  if (only && exact.length === 1) return picturedCard(services, { ...read, value: only }, where)
  const choices = exact.length > 1 ? exact : read.value.items
  return listView({
    title: exact.length > 1 ? ['Which ', term, '?'] : ['Did you mean one of these?'],
    assets: choices.slice(0, pageSize),
    chain: where,
    units: services.units,
    freshness: freshness(read, services.now()),
    paging: {
      page: 1,
      hasNext: choices.length > pageSize,
      line: (page) => formatLine('search', term, { chain: where.id, page }),
    },
  })
}

/**
 * Search results of the first chain with an exact match, else of the first with any result.
 * @throws UserError if there are none
 */
export async function hits(term: string, chains: readonly Chain[], services: Services) {
  let similar: { read: Read<Listing>; where: Chain; exact: Asset[] } | undefined
  for (const where of chains) {
    const read = await services.api.search({ term, chain: where.id })
    const exact = exactly(term, read.value.items)
    if (exact.length > 0) return { read, where, exact }
    if (read.value.items.length > 0) similar ??= { read, where, exact }
  }
  if (similar) return similar
  throw new UserError(
    nothingOn(
      chains,
      services,
      (where) => `Nothing on ${where} is called "${term}". Try a part of its name or symbol.`,
    ),
  )
}

/** Assets with exactly this symbol or, if there are none, exactly this name. */
function exactly(term: string, assets: readonly Asset[]): Asset[] {
  const lowerTerm = term.toLowerCase()
  const bySymbol = assets.filter(
    (each) => baseToken(each)?.token_symbol?.replace(/^\$/u, '').toLowerCase() === lowerTerm,
  )
  if (bySymbol.length > 0) return bySymbol
  return assets.filter((each) => baseToken(each)?.token_name?.toLowerCase() === lowerTerm)
}
