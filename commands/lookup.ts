import { baseToken } from '../src/api/asset.ts'
import type { Listing, Read } from '../src/api/client.ts'
import type { Asset, SearchFilter } from '../src/api/schema.ts'
import { looksLikeAddress, parseAddress } from '../src/chain/address.ts'
import type { Chain } from '../src/chain/chains.ts'
import { ApiError, UserError } from '../src/errors.ts'
import type { Services } from './services.ts'

// Finds on several chains: on the one that was named, else on all, in the configured order.

/** Assets of which a person has to choose one. */
interface AssetChoices {
  choices: readonly Asset[]
  /** All have exactly the name or symbol; otherwise they resemble it. */
  areExact: boolean
  read: Read<Listing>
  chain: Chain
}

/**
 * Finds an asset by address, symbol or name.
 * @throws UserError if there is none
 */
export async function findAsset(
  term: string,
  named: Chain | undefined,
  services: Services,
): Promise<{ read: Read<Asset>; chain: Chain } | AssetChoices> {
  if (looksLikeAddress(term)) return findByAddress(term, named, services)
  const hasExact = (items: readonly Asset[]) => exactMatches(term, items).length > 0
  const { read, chain } = await searchFirst({ term }, named, services, hasExact)
  const { items } = read.value
  if (items.length === 0) {
    throw new UserError(
      nothingOn(
        named,
        services,
        (where) => `Nothing on ${where} is called "${term}". Try a part of its name or symbol.`,
      ),
    )
  }
  const exact = exactMatches(term, items)
  const [only] = exact
  if (only && exact.length === 1) return { read: { ...read, value: only }, chain }
  const areExact = exact.length > 1
  return { choices: areExact ? exact : items, areExact, read, chain }
}

/** Finds an asset by address. @throws UserError if there is none, or the address is invalid */
export async function findByAddress(
  typed: string,
  named: Chain | undefined,
  services: Services,
): Promise<{ read: Read<Asset>; chain: Chain }> {
  const address = parseAddress(typed)
  return onFirstChain(
    named,
    services,
    ({ id }) => services.api.asset(address, id),
    (where) => `There is no asset with the address ${address} on ${where}.`,
  )
}

/** Assets with exactly this symbol or, if there are none, exactly this name. */
function exactMatches(term: string, assets: readonly Asset[]): Asset[] {
  const typed = term.toLowerCase()
  const tokens = assets.map((asset) => ({ asset, ...baseToken(asset) }))
  const bySymbol = tokens.filter(
    ({ token_symbol: symbol }) => symbol?.replace(/^\$/u, '').toLowerCase() === typed,
  )
  const byName = tokens.filter(({ token_name: name }) => name?.toLowerCase() === typed)
  return (bySymbol.length > 0 ? bySymbol : byName).map(({ asset }) => asset)
}

/**
 * The first result of `read` that is not 'not-found', chain by chain.
 * @throws UserError with the text of `missing` if every chain answers 'not-found', and any other error of `read`
 */
export async function onFirstChain<T>(
  named: Chain | undefined,
  services: Services,
  read: (chain: Chain) => Promise<T>,
  missing: (where: string) => string,
): Promise<{ read: T; chain: Chain }> {
  for (const chain of chainsToSearch(named, services)) {
    try {
      return { read: await read(chain), chain }
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    }
  }
  throw new UserError(nothingOn(named, services, missing))
}

/** The results of the first chain whose results suffice, else of the first that has any, else the empty ones of the first chain. */
export async function searchFirst(
  filter: Omit<SearchFilter, 'chain'>,
  named: Chain | undefined,
  services: Services,
  suffice = (items: readonly Asset[]) => items.length > 0,
): Promise<{ read: Read<Listing>; chain: Chain }> {
  const [first, ...others] = chainsToSearch(named, services)
  const search = async (chain: Chain) => ({
    read: await services.api.search({ ...filter, chain: chain.id }),
    chain,
  })
  let best = await search(first)
  for (const chain of others) {
    if (suffice(best.read.value.items)) return best
    const next = await search(chain)
    const [items, nextItems] = [best.read.value.items, next.read.value.items]
    if (suffice(nextItems) || (items.length === 0 && nextItems.length > 0)) best = next
  }
  return best
}

function chainsToSearch(
  named: Chain | undefined,
  { chains }: Services,
): readonly [Chain, ...Chain[]] {
  return named ? [named] : chains
}

/** The text if nothing was found: `text` for the chains that could be searched, and `ignoredChainText` for the others. */
export function nothingOn(
  named: Chain | undefined,
  services: Services,
  text: (where: string) => string,
): string {
  const chains = chainsToSearch(named, services)
  const searched = chains.filter((chain) => !isIgnored(chain, services)).map(({ name }) => name)
  const nothing = searched.length > 0 ? text(searched.join(' or ')) : undefined
  const parts = [nothing, ignoredChainText(chains, services)]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** Says for which chains nothing can be shown, because the API returns assets of another; undefined if there are none. */
export function ignoredChainText(chains: readonly Chain[], services: Services): string | undefined {
  const ignored = chains.filter((chain) => isIgnored(chain, services))
  if (ignored.length === 0) return undefined
  const [home] = services.chains
  const names = ignored.map(({ name }) => name)
  return `The data source gives assets of ${home.name} when asked for ${names.join(' or ')}, so nothing of ${names.join(' and ')} can be shown.`
}

function isIgnored({ id }: Chain, { api }: Services): boolean {
  return api.state().chainsIgnored.includes(id)
}
