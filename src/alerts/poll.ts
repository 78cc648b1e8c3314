import type { Api, Listing } from '../api/client.ts'
import { figures } from '../api/figures.ts'
import { isTooLong, defaultMostBytes as maxBytesOfOne } from '../api/http.ts'
import { maxLimit } from '../api/requests.ts'
import type { ListStatus } from '../api/status.ts'
import type { Units } from '../api/units.ts'
import { ApiError } from '../errors.ts'
import { briefAssetSchema } from './event.ts'
import type { Kept, Observation, Seen, WatchedAssets } from './snapshot.ts'

/** Where the next look goes on. */
export interface Place {
  /** The page of graduated assets whose turn it is. */
  page: number
  /** The page that the last turn read: if it comes again, the list has ended. */
  turned?: string
  /** The address after which the next are asked for by themselves. */
  after: string
  /** The same of those whose price is followed. */
  followed: string
}

/** What one look at a chain came to. */
export interface ChainPoll {
  /** By lower-case address. */
  observations: ReadonlyMap<string, Observation>
  /** What was known of them before; what was never seen is absent. */
  known: ReadonlyMap<string, Kept>
  place: Place
  /** Why the look broke off; undefined where it was whole. */
  failure: ApiError | undefined
}

interface PollParts {
  api: Pick<Api, 'assets' | 'asset'>
  assets: WatchedAssets
  units: Units
  /** Unix seconds. */
  now: () => number
  chain: number
  place: Place
  /** Ends the look before its next question. */
  signal: AbortSignal
  /** Bytes of all its lists together; 128 MiB without it. */
  maxBytes?: number | undefined
}

/** The state of reading a list: its pages, the first and last asset of the latest, and whether there is no more. */
interface ReadList {
  pages: number
  ends: string
  isWhole: boolean
}

/** Pages of one list in one look; what is live beyond them is asked for by itself, the rest comes with the turns. */
const maxPages = { incoming: 40, live: 400, graduated: 40 }
/** Open assets that are asked for by themselves in one look, and as many others whose price is followed. */
const maxAlone = 20
/** Nearly twice as much as there is on all these pages, where an asset takes the usual three kilobytes. */
const defaultMostBytes = 128 * 2 ** 20
/** Those of which these are chosen: more than stand on the pages that a look reads. */
const maxFollowed = 200

/**
 * Looks at a chain once: at all that is live, at what is new among the incoming and the graduated, at one more page of
 * the graduated in turn, at each asset that was open and is in no list now, and at graduated ones whose price somebody
 * follows. In the order of an auction's life, so that one that moves on meanwhile is seen twice rather than not at all.
 * How much is asked depends on the auctions, and up to a bound on which assets are followed, but never on how many follow.
 */
export async function pollChain(parts: PollParts): Promise<ChainPoll> {
  const pass = new Poll(parts)
  try {
    await pass.run()
    return pass.look(undefined)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return pass.look(error)
  }
}

class Poll {
  readonly #parts: PollParts
  readonly #observations = new Map<string, Observation>()
  readonly #known = new Map<string, Kept>()
  #place: Place
  /** Bytes of the lists that were read. */
  #bytes = 0

  constructor(parts: PollParts) {
    this.#parts = parts
    this.#place = parts.place
  }

  look(failure: ApiError | undefined): ChainPoll {
    return { observations: this.#observations, known: this.#known, place: this.#place, failure }
  }

  async run(): Promise<void> {
    const { assets, chain } = this.#parts
    const open = await assets.open(chain)
    for (const [address, kept] of open) this.#known.set(address, kept)
    const incoming = await this.#list('incoming')
    await this.#list('live')
    const graduated = await this.#list('graduated')
    if (!graduated.isWhole) await this.#context(graduated)
    await this.#alone(open, incoming.isWhole)
    await this.#followed()
  }

  /** Reads a list from its newest: the live ones to the end, others until a page brings nothing new. */
  async #list(status: ListStatus): Promise<ReadList> {
    const listed = new Set<string>()
    let ends = ''
    for (let page = 0; page < maxPages[status]; page += 1) {
      const { received, addresses, isNew } = await this.#page(status, page)
      ends = endsOf(addresses)
      if (received < maxLimit) return { pages: page + 1, ends, isWhole: true }
      const before = listed.size
      for (const address of addresses) listed.add(address)
      // Past the end some interfaces repeat their last page, and one that ignores the offset has no other.
      if (listed.size === before) return { pages: page + 1, ends, isWhole: true }
      if (status !== 'live' && !isNew) return { pages: page + 1, ends, isWhole: false }
    }
    return { pages: maxPages[status], ends, isWhole: false }
  }

  async #page(status: ListStatus, page: number) {
    const { chain, assets } = this.#parts
    const { items, received } = await this.#read(status, page * maxLimit, maxLimit)
    const addresses = items.map((asset) => asset.asset_address.toLowerCase())
    const unread = addresses.filter((address) => !this.#known.has(address))
    for (const [address, kept] of await assets.known(chain, unread)) this.#known.set(address, kept)
    for (const asset of items) this.#see({ by: status, asset: briefAssetSchema.parse(asset) })
    const isNew = addresses.some((each) => this.#known.get(each)?.state?.phase !== status)
    return { received, addresses, isNew }
  }

  /** In halves where it is too long for one answer: what strangers wrote of a few must not hide the others. */
  async #read(
    status: ListStatus,
    offset: number,
    limit: number,
  ): Promise<Pick<Listing, 'items' | 'received'>> {
    const { api, chain } = this.#parts
    this.#refuseOnceStopped()
    try {
      const { value, stale } = await api.assets({ chain, status, offset, limit })
      refuseUnsure(value, stale)
      this.#count(value.bytes)
      return value
    } catch (error) {
      if (!isTooLong(error) || limit === 1) throw error
      this.#count(maxBytesOfOne)
    }
    const half = Math.ceil(limit / 2)
    const first = await this.#read(status, offset, half)
    if (first.received < half) return first
    const second = await this.#read(status, offset + half, limit - half)
    return {
      items: [...first.items, ...second.items],
      received: first.received + second.received,
    }
  }

  /** One more page of the graduated, so that each has its turn. */
  async #context({ pages: first, ends }: ReadList): Promise<void> {
    const page = Math.max(first, this.#place.page)
    const before = page === first ? ends : this.#place.turned
    const { received, addresses } = await this.#page('graduated', page)
    const turned = endsOf(addresses)
    const isEnd = received < maxLimit || turned === before
    this.#place = { ...this.#place, page: isEnd ? 0 : page + 1, turned }
  }

  /** Asks for what was open and is in no list: some each time, in turn. */
  async #alone(open: ReadonlyMap<string, Kept>, isWhole: boolean): Promise<void> {
    const absent = [...open]
      .filter(
        ([address, kept]) => !this.#observations.has(address) && this.#isMissed(kept, isWhole),
      )
      .map(([address]) => address)
    await this.#ask('after', inTurn(absent, this.#place.after))
  }

  /** Asks for what is followed and is on no page that was read: its price moves meanwhile. */
  async #followed(): Promise<void> {
    const { assets, chain } = this.#parts
    const last = this.#place.followed
    const followed = await assets.followed(chain, { last, most: maxFollowed })
    const unread = followed.filter((each) => !this.#observations.has(each))
    const context = inTurn(unread, last)
    for (const [address, kept] of await assets.known(chain, context)) this.#known.set(address, kept)
    await this.#ask('followed', context)
  }

  async #ask(place: 'after' | 'followed', addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      // First: one that makes the look fail must not keep the others from their turn.
      this.#place = { ...this.#place, [place]: address }
      const observation = await this.#askFor(address)
      if (observation) this.#observations.set(address, observation)
    }
  }

  /** An incoming asset may stand on a page that was not read, but hardly past its start. */
  #isMissed({ state }: Kept, isWhole: boolean): boolean {
    if (!state) return false
    if (state.phase === 'live' || isWhole) return true
    const { startsAt } = figures(state.asset, this.#parts.units)
    return startsAt === undefined || startsAt <= this.#parts.now()
  }

  /** Undefined where the interface has no answer about this one alone. */
  async #askFor(address: string): Promise<Observation | undefined> {
    const { api, chain } = this.#parts
    this.#refuseOnceStopped()
    try {
      const { value: asset, stale } = await api.asset(address, chain)
      if (stale) throw new ApiError('unavailable', 'the interface gave an old asset')
      return { by: 'itself', asset: briefAssetSchema.parse(asset) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.kind === 'not-found') return { by: 'absence' }
      if (isOfOneAlone(error)) return undefined
      throw error
    }
  }

  #count(bytes: number): void {
    const { maxBytes = defaultMostBytes } = this.#parts
    this.#bytes += bytes
    if (this.#bytes <= maxBytes) return
    throw new ApiError('malformed', `the lists of one look are longer than ${maxBytes} bytes`)
  }

  #refuseOnceStopped(): void {
    if (this.#parts.signal.aborted) throw new ApiError('unavailable', 'the look was ended')
  }

  #see(seen: Seen): void {
    this.#observations.set(seen.asset.asset_address.toLowerCase(), seen)
  }
}

function endsOf(addresses: readonly string[]): string {
  return `${addresses[0] ?? ''} ${addresses.at(-1) ?? ''}`
}

/** As many of these as are asked for in one look, those after the last of the look before first. */
function inTurn(addresses: readonly string[], last: string): string[] {
  const sorted = addresses.toSorted()
  const context = [
    ...sorted.filter((each) => each > last),
    ...sorted.filter((each) => each <= last),
  ]
  return context.slice(0, maxAlone)
}

/** Whether others may be answered all the same: it is neither that nobody answers, nor that the bot is turned away. */
function isOfOneAlone({ kind, status }: ApiError): boolean {
  if (kind === 'unavailable') return status !== undefined
  return kind === 'invalid' || kind === 'malformed'
}

/** What is not known to be the chain's present listing is as good as none. */
function refuseUnsure({ chainIgnored }: Listing, stale: boolean): void {
  if (stale) throw new ApiError('unavailable', 'the interface gave an old listing')
  if (chainIgnored) throw new ApiError('invalid', 'the interface ignores the chain')
}
