import type { Listing, Read } from '../src/api/client.ts'
import type { Asset, SearchFilter } from '../src/api/schema.ts'
import { cardFacts } from '../src/cards/facts.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { View } from '../src/core/view.ts'
import { ApiError, UserError } from '../src/errors.ts'
import { assetView } from '../src/views/asset.ts'
import { freshness } from '../src/views/facts.ts'
import type { Services } from './services.ts'

/** Milliseconds a card waits for its picture; after that it is sent without, and the next card has it. */
const pictureTimeoutMs = 600

/** The chains to search: the given one, else all in the configured order. */
export function candidates(
  services: Services,
  chain: Chain | undefined,
): readonly [Chain, ...Chain[]] {
  return chain ? [chain] : services.chains
}

/**
 * Says for which chains nothing can be shown, because the API returns assets of another; undefined if there are none.
 */
export function mixedUp(chains: readonly Chain[], services: Services): string | undefined {
  const ignored = chains.filter((chain) => isMixedUp(chain, services))
  if (ignored.length === 0) return undefined
  const [home] = services.chains
  const names = ignored.map(({ name }) => name)
  return `The data source gives assets of ${home.name} when asked for ${names.join(' or ')}, so nothing of ${names.join(' and ')} can be shown.`
}

/** `text` for the chains that could be searched, and `mixedUp` for the others. */
export function nothingOn(
  chains: readonly Chain[],
  services: Services,
  text: (where: string) => string,
): string {
  const searched = chains.filter((chain) => !isMixedUp(chain, services)).map(({ name }) => name)
  const nothing = searched.length > 0 ? text(searched.join(' or ')) : undefined
  return [nothing, mixedUp(chains, services)].filter((part) => part !== undefined).join(' ')
}

/** The message if no chain has an asset with this address. */
export function noAssetAt(address: string, chains: readonly Chain[], services: Services): string {
  const text = (where: string) => `There is no asset with the address ${address} on ${where}.`
  return nothingOn(chains, services, text)
}

function isMixedUp({ id }: Chain, { api }: Services): boolean {
  return api.state().chainsIgnored.includes(id)
}

/**
 * The first result of `find` that is not 'not-found', chain by chain.
 * @throws UserError with the text of `missing` if every chain answers 'not-found', and any other error of `find`
 */
export async function onFirstChain<T>(
  chains: readonly Chain[],
  find: (chain: Chain) => Promise<T>,
  missing: (chains: readonly Chain[]) => string,
): Promise<{ found: T; chain: Chain }> {
  for (const chain of chains) {
    try {
      return { found: await find(chain), chain }
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    }
  }
  throw new UserError(missing(chains))
}

/** The results of the first chain that has any, else the empty ones of the first chain. */
export async function searchFirst(
  chains: readonly [Chain, ...Chain[]],
  filter: Omit<SearchFilter, 'chain'>,
  { api }: Services,
): Promise<{ read: Read<Listing>; chain: Chain }> {
  const [first, ...others] = chains
  const found = { read: await api.search({ ...filter, chain: first.id }), chain: first }
  if (found.read.value.items.length > 0) return found
  for (const chain of others) {
    const read = await api.search({ ...filter, chain: chain.id })
    if (read.value.items.length > 0) return { read, chain }
  }
  return found
}

type CardServices = Pick<Services, 'cards' | 'units' | 'pictures' | 'history' | 'now'>

/** The card of an asset. Returns the same object for as long as the API's answer is cached, unless it is stale. */
export function card({ cards, units, now }: CardServices, read: Read<Asset>, chain: Chain): View {
  const fresh = freshness(read, now())
  const cached = cards.get(read.value)
  // Rounding may shift the second of one answer by one.
  const isOfAnswer = cached && Math.abs(cached.fetchedAt - fresh.fetchedAt) <= 1
  if (isOfAnswer && !read.stale) return cached.view
  const view = assetView({ asset: read.value, chain, units, freshness: fresh })
  // A stale card shows its age, so it can't be reused.
  if (!read.stale) cards.set(read.value, { view, fetchedAt: fresh.fetchedAt })
  return view
}

/** The card with its picture, if pictures are enabled and this one is ready within 600 ms. */
export async function picturedCard(
  services: CardServices,
  read: Read<Asset>,
  chain: Chain,
): Promise<View> {
  const view = card(services, read, chain)
  const { pictures, cards, units, now } = services
  if (!pictures || view.picture) return view
  const asset = read.value
  const history = (await services.history?.(chain.id, asset.asset_address)) ?? []
  const facts = cardFacts({ asset, chain, units, now: now(), history })
  const picture = await pictures.soon(facts, pictureTimeoutMs)
  if (!picture) return view
  const pictured = { ...view, picture }
  const { fetchedAt } = freshness(read, now())
  if (!read.stale) cards.set(asset, { view: pictured, fetchedAt })
  return pictured
}
