import { unixTime } from '../api/asset.ts'
import { figuresOf } from '../api/figures.ts'
import { isListStatus, type ListStatus, maxLimit } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { chunks } from '../core/text.ts'
import type { AssetState } from './asset.ts'
import type { WatchedAssets } from './snapshot.ts'

/** The position in a list, stored between polls. */
export interface ListPosition {
  /** The offset from which the next pages are read. */
  next: number
  /** Whether nothing below that offset was ever read: then it is read before anything that is known. */
  unread: boolean
  /** First and last address of the page that was read last: if it comes again, the list has ended. */
  bounds: string
}

/** The position in round-robin reading, stored between polls. */
export interface PollPosition {
  lists: Record<ListStatus, ListPosition>
  /** The last asset that was fetched because its list lacks it. */
  lastMissing: string
  /** The last followed asset that was read. */
  lastFollowed: string
}

/** The position that starts at the top of a list. */
export const listStart: Readonly<ListPosition> = { next: 0, unread: false, bounds: '' }

/** The position before anything was read. */
export function startPosition(unread: boolean): PollPosition {
  const start = () => ({ ...listStart, unread })
  return {
    lists: { incoming: start(), live: start(), graduated: start() },
    lastMissing: '',
    lastFollowed: '',
  }
}

/** An asset as far as it decides when it is read next, without its row. */
export interface KnownAsset {
  /** The phase that is stored; undefined until it is. */
  phase?: ListStatus
  /** Number of rounds through its list when it was last seen. */
  rounds: number
  /** Unix seconds at which it was last seen; undefined before that. */
  seenAt?: number
  /** The number of the poll that last found it or asked for it. */
  lastPoll: number
  /** Where it stands in a list, counted from the first asset that was on top when the bot started. */
  place?: { list: ListStatus; index: number } | undefined
  /** Unix seconds; only of incoming assets. */
  startsAt?: number | undefined
  ending?: AssetState['ending']
}

/** How far reading a list has come in this process. */
interface ListProgress {
  /** Completed rounds. */
  rounds: number
  /** New assets that have appeared on top. */
  added: number
  /** Where the list ended when its end was last read. */
  length: number
}

/** The turn of reading a list that the API orders by a figure. */
interface OrderedTurn {
  next: number
  /** Unix seconds before which it is not read: the API ignores or refuses the order, or failed. */
  pausedUntil: number
}

/**
 * The watcher's memory of a chain between polls. It can be rebuilt at any time from the snapshot and the stored position:
 * then assets missing from all lists are noticed up to one round later.
 */
export class PollMemory {
  readonly position: PollPosition
  /** Lists that could not be read when they were last tried. */
  readonly failedLists = new Set<ListStatus>()
  #polls = 0
  #polledAt: number | undefined
  readonly #known = new Map<string, KnownAsset>()
  readonly #counts: Record<ListStatus, number> = { incoming: 0, live: 0, graduated: 0 }
  readonly #lists: Readonly<Record<ListStatus, ListProgress>>
  readonly #ordered = new Map<string, OrderedTurn>()

  private constructor(position: PollPosition) {
    this.position = structuredClone(position)
    const list = () => ({ rounds: 0, added: 0, length: 0 })
    this.#lists = { incoming: list(), live: list(), graduated: list() }
  }

  /** Reads which assets of the chain are stored. */
  static async load(
    assets: WatchedAssets,
    { chain, units, position }: { chain: number; units: Units; position: PollPosition },
  ): Promise<PollMemory> {
    const memory = new PollMemory(position)
    for (const phase of ['incoming', 'live'] as const) {
      const created: (readonly [address: string, at: number])[] = []
      for (const batch of chunks(await assets.ofChain(chain, phase), loadSize)) {
        for (const [address, { state }] of await assets.read(chain, batch)) {
          if (!state) continue
          memory.store(address, state, units)
          const at = unixTime(state.asset.asset_creation_timestamp)
          if (at !== undefined) created.push([address, at])
        }
      }
      // The API lists the newest first.
      created.sort(([, one], [, other]) => other - one)
      const found = new Map(created.map(([address], index) => [address, index]))
      memory.found(phase, { found, added: 0 })
    }
    for (const address of await assets.ofChain(chain, 'graduated'))
      memory.#store(address, 'graduated')
    return memory
  }

  /** Unix seconds at which the last poll began. */
  get polledAt(): number | undefined {
    return this.#polledAt
  }

  /** Begins a poll. An asset that the last one found but that was not stored, as there are too many, is forgotten. */
  begin(now: number): void {
    for (const [address, { phase }] of this.#known) {
      if (phase === undefined) this.#known.delete(address)
    }
    this.#polls += 1
    this.#polledAt = now
  }

  entries(): IterableIterator<[address: string, KnownAsset]> {
    return this.#known.entries()
  }

  get(address: string): Readonly<KnownAsset> | undefined {
    return this.#known.get(address)
  }

  /** The number of stored incoming and live assets. */
  get openCount(): number {
    return this.#counts.incoming + this.#counts.live
  }

  /** Pages of a list, as far as it is known. */
  pages(status: ListStatus): number {
    const count = Math.max(this.#counts[status], this.#lists[status].length)
    return Math.floor(count / maxLimit) + 1
  }

  /** Notes that an asset was found, in a list or by its address. */
  saw(address: string, list: ListStatus | 'fetch', now: number): void {
    const known = this.#entry(address)
    const seenIn = list === 'fetch' ? known.phase : list
    if (seenIn) known.rounds = this.#roundsOf(seenIn)
    known.seenAt = now
    known.lastPoll = this.#polls
  }

  /** Notes the offsets at which assets were found in a list, so many of them for the first time. */
  found(list: ListStatus, { found, added }: { found: ReadonlyMap<string, number>; added: number }) {
    this.#lists[list].added += added
    for (const [address, offset] of found) {
      this.#entry(address).place = { list, index: offset - this.#lists[list].added }
    }
  }

  /** Notes that an asset is not where it was found before. */
  misplaced(address: string): void {
    this.#entry(address).place = undefined
  }

  /** The offset at which an asset is expected in the list of its phase; undefined if nobody knows. */
  offsetOf(address: string): number | undefined {
    const { phase, place } = this.#known.get(address) ?? {}
    if (!phase || place?.list !== phase) return undefined
    return place.index + this.#lists[phase].added
  }

  /** Notes that an asset is asked for by itself. */
  asked(address: string): void {
    this.#entry(address).lastPoll = this.#polls
  }

  /** The assets, first those that have waited longest; of several those after `last` by address, then the others. */
  byWaiting(addresses: ReadonlySet<string>, last = ''): string[] {
    const sorted = [...addresses].sort()
    return this.#longestFirst([
      ...sorted.filter((each) => each > last),
      ...sorted.filter((each) => each <= last),
    ])
  }

  /**
   * As `byWaiting`, but of several in the order of their places: those that are on one page come together. Those without a
   * place come after the others.
   */
  byPlace(addresses: ReadonlySet<string>, last: string): string[] {
    const placed = [...new Set(addresses).add(last)]
      .map((address) => ({ address, place: this.offsetOf(address) ?? Number.MAX_SAFE_INTEGER }))
      .sort((one, other) => one.place - other.place || (one.address < other.address ? -1 : 1))
      .map(({ address }) => address)
    const next = placed.indexOf(last) + 1
    const turned = [...placed.slice(next), ...placed.slice(0, next)]
    return this.#longestFirst(turned.filter((each) => addresses.has(each)))
  }

  #longestFirst(addresses: readonly string[]): string[] {
    const lastPoll = (address: string) => this.#known.get(address)?.lastPoll ?? 0
    return addresses.toSorted((one, other) => lastPoll(one) - lastPoll(other))
  }

  /** Notes where a list ended. */
  ended(list: ListStatus, length: number): void {
    this.#lists[list].length = length
  }

  /** Notes that a round through a list is complete. */
  roundEnded(list: ListStatus): void {
    this.#lists[list].rounds += 1
  }

  /** Whether a whole round, and a little more for pages that shifted, has not shown an asset of this list. */
  isOverlooked({ phase, rounds }: Readonly<KnownAsset>): boolean {
    return phase !== undefined && this.#roundsOf(phase) - rounds > 1 + roundSlack
  }

  ordered(key: string): OrderedTurn {
    const turn = this.#ordered.get(key) ?? { next: 0, pausedUntil: 0 }
    this.#ordered.set(key, turn)
    return turn
  }

  /** Notes the state that is stored of an asset. */
  store(address: string, state: AssetState, units: Units): void {
    if (!isListStatus(state.phase)) {
      this.#forget(address)
      return
    }
    const known = this.#store(address, state.phase)
    known.ending = state.ending
    known.startsAt = state.phase === 'incoming' ? figuresOf(state.asset, units).startsAt : undefined
  }

  #store(address: string, phase: ListStatus): KnownAsset {
    const known = this.#entry(address)
    if (known.phase !== phase) {
      if (known.phase) this.#counts[known.phase] -= 1
      this.#counts[phase] += 1
      known.phase = phase
      known.rounds = this.#roundsOf(phase)
    }
    return known
  }

  #forget(address: string): void {
    const phase = this.#known.get(address)?.phase
    if (phase) this.#counts[phase] -= 1
    this.#known.delete(address)
  }

  #entry(address: string): KnownAsset {
    const known = this.#known.get(address) ?? { rounds: 0, lastPoll: 0 }
    this.#known.set(address, known)
    return known
  }

  /** Rounds through a list, with the part of the present one. */
  #roundsOf(list: ListStatus): number {
    const { next } = this.position.lists[list]
    const length = Math.max(this.pages(list) * maxLimit, next)
    return this.#lists[list].rounds + next / length
  }
}

/** Assets that are read from the snapshot at once. */
const loadSize = 500
/** The part of a round by which pages may shift meanwhile. */
const roundSlack = 0.05
