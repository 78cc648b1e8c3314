import type { Read } from '../src/api/cache.ts'
import type { Listing } from '../src/api/client.ts'
import type { SearchFilter } from '../src/api/requests.ts'
import type { Asset } from '../src/api/schema.ts'
import { cardFacts } from '../src/cards/facts.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { View } from '../src/core/view.ts'
import { ApiError, UserError } from '../src/errors.ts'
import { assetView } from '../src/views/asset.ts'
import { freshness } from '../src/views/freshness.ts'
import type { Services } from './services.ts'

/** A card that has to wait longer for its picture goes without; the next one has it. */
const millisecondsForPicture = 600

/** Where to look: on the given chain, else on all, in the configured order. */
export function candidates(
  services: Services,
  chain: Chain | undefined,
): readonly [Chain, ...Chain[]] {
  return chain ? [chain] : services.chains
}

/** Says of which chains nothing can be shown, because the interface answers with assets of another one. */
export function mixedUp(chains: readonly Chain[], services: Services): string | undefined {
  const ignored = chains.filter((chain) => isMixedUp(chain, services))
  if (ignored.length === 0) return undefined
  const [home] = services.chains
  const names = ignored.map(({ name }) => name)
  return `The data source gives assets of ${home.name} when asked for ${names.join(' or ')}, so nothing of ${names.join(' and ')} can be shown.`
}

/** `text` about the chains that could be looked at, and what is wrong with the others. */
export function nothingOn(
  chains: readonly Chain[],
  services: Services,
  text: (where: string) => string,
): string {
  const asked = chains.filter((chain) => !isMixedUp(chain, services)).map(({ name }) => name)
  const nothing = asked.length > 0 ? text(asked.join(' or ')) : undefined
  return [nothing, mixedUp(chains, services)].filter((part) => part !== undefined).join(' ')
}

/** What to say if no chain has an asset with this address. */
export function noAssetAt(address: string, chains: readonly Chain[], services: Services): string {
  const text = (where: string) => `There is no asset with the address ${address} on ${where}.`
  return nothingOn(chains, services, text)
}

function isMixedUp({ id }: Chain, { api }: Services): boolean {
  return api.state().chainsIgnored.includes(id)
}

/**
 * What `find` finds on the first chain that has it.
 * @throws UserError with what `missing` says of the chains where none has it.
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

/** The hits on the first chain that has any, else none on the first chain. */
export async function searchFirst(
  chains: readonly [Chain, ...Chain[]],
  filter: Omit<SearchFilter, 'chain'>,
  { api }: Services,
): Promise<{ read: Read<Listing>; where: Chain }> {
  const [first, ...others] = chains
  const found = { read: await api.search({ ...filter, chain: first.id }), where: first }
  if (found.read.value.items.length > 0) return found
  for (const where of others) {
    const read = await api.search({ ...filter, chain: where.id })
    if (read.value.items.length > 0) return { read, where }
  }
  return found
}

type CardServices = Pick<Services, 'cards' | 'units' | 'pictures' | 'history' | 'now'>

/** The card of an asset just read: one and the same for as long as the interface's answer is served from memory. */
export function card({ cards, units, now }: CardServices, read: Read<Asset>, chain: Chain): View {
  const known = cards.get(read.value)
  if (known && !read.stale) return known
  const view = assetView({ asset: read.value, chain, units, freshness: freshness(read, now()) })
  // A stale card tells its age.
  if (!read.stale) cards.set(read.value, view)
  return view
}

/** The same with its picture, where there are pictures and this one can be had soon. */
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
  const picture = await pictures.soon(facts, millisecondsForPicture)
  if (!picture) return view
  const pictured = { ...view, picture }
  if (!read.stale) cards.set(asset, pictured)
  return pictured
}
