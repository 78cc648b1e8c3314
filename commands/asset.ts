import type { Asset } from '../src/api/schema.ts'
import { looksLikeAddress, parseAddress } from '../src/chain/address.ts'
import type { Chain } from '../src/chain/chains.ts'
import { optional } from '../src/chat/params.ts'
import type { View } from '../src/chat/view.ts'
import { ApiError, UserError } from '../src/errors.ts'
import { freshness } from '../src/views/freshness.ts'
import { listView, pageSize } from '../src/views/list.ts'
import { baseToken } from '../src/views/token.ts'
import { card, onAnyChain } from './lookup.ts'
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

/** The card of the asset with this address, on the given chain or the first that has it. */
export async function byAddress(
  address: string,
  chain: Chain | undefined,
  services: Services,
): Promise<View> {
  try {
    const result = await onAnyChain(services, chain, ({ id }) => services.api.asset(address, id))
    return card(services, result.found, result.chain)
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    const where = (chain ? [chain] : services.chains).map(({ name }) => name).join(' or ')
    throw new UserError(`There is no asset with the address ${address} on ${where}.`)
  }
}

/** The card where one asset has this symbol or name; all that have it, or at least look like it, to choose from. */
async function bySymbol(term: string, chain: Chain | undefined, services: Services): Promise<View> {
  const { found, chain: where } = await onAnyChain(services, chain, async (candidate) => {
    const read = await services.api.search({ term, chain: candidate.id })
    if (read.value.items.length > 0) return read
    throw new ApiError('not-found', 'no hits')
  }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    throw new UserError(`Nothing is called "${term}" here. /search finds parts of names too.`)
  })
  const exact = exactly(term, found.value.items)
  const [only] = exact
  if (only && exact.length === 1) return card(services, { ...found, value: only }, where)
  const choices = exact.length > 1 ? exact : found.value.items
  return listView({
    title: exact.length > 1 ? ['Which ', term, '?'] : ['Did you mean one of these?'],
    assets: choices.slice(0, pageSize),
    chain: where,
    units: services.units,
    freshness: freshness(found, services.now()),
    page: 1,
    more: false,
    pageLine: () => '',
    empty: [],
  })
}

/** Those with just this symbol; where there are none, those with just this name. */
function exactly(term: string, assets: readonly Asset[]): Asset[] {
  const wanted = term.toLowerCase()
  const bySymbol = assets.filter(
    (each) => baseToken(each)?.token_symbol?.replace(/^\$/u, '').toLowerCase() === wanted,
  )
  if (bySymbol.length > 0) return bySymbol
  return assets.filter((each) => baseToken(each)?.token_name?.toLowerCase() === wanted)
}
