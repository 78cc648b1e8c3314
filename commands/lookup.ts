import type { Read } from '../src/api/cache.ts'
import type { Listing } from '../src/api/client.ts'
import type { SearchFilter } from '../src/api/requests.ts'
import type { Asset } from '../src/api/schema.ts'
import { cardFacts } from '../src/cards/facts.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { View } from '../src/chat/view.ts'
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

/**
 * What `find` finds on the first chain that has it.
 * @throws UserError with what `missing` says where none has it; it gets the names of the chains.
 */
export async function onFirstChain<T>(
  chains: readonly Chain[],
  find: (chain: Chain) => Promise<T>,
  missing: (where: string) => string,
): Promise<{ found: T; chain: Chain }> {
  for (const chain of chains) {
    try {
      return { found: await find(chain), chain }
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    }
  }
  throw new UserError(missing(chains.map(({ name }) => name).join(' or ')))
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
