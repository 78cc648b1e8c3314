import { setImmediate as others } from 'node:timers/promises'
import { z } from 'zod'
import type { Api } from '../api/client.ts'
import { type Figures, figures } from '../api/figures.ts'
import type { Units } from '../api/units.ts'
import type { Store } from '../db/schema.ts'
import type { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type ChangeSet, commit } from './change-set.ts'
import { type Context, type Difference, detect } from './detect.ts'
import type { Event } from './event.ts'
import { type ChainPoll, type Place, pollChain } from './poll.ts'
import {
  type AssetState,
  assetRow,
  isSameState,
  type Kept,
  type Observation,
  type Point,
  storable,
  storableShare,
  storedJson,
  WatchedAssets,
  writtenAt,
} from './snapshot.ts'
import type { InUse, Subscriptions } from './subscriptions.ts'
import { followedValue, movement } from './thresholds.ts'

interface WatcherParts {
  /** One of its own, that keeps no answers: an old one is no news. */
  api: Pick<Api, 'assets' | 'asset'>
  follows: Pick<Subscriptions, 'inUse' | 'remember'>
  store: Store
  units: Units
  chains: readonly number[]
  /** Seconds from look to look. */
  interval: number
  /** Bytes of all lists in one look at a chain; 128 MiB without it. */
  maxBytes?: number
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Called when there is something to deliver. */
  onEvents: () => void
}

/** How long ago a chain was seen. */
export interface Lag {
  chain: number
  /** Since it was last seen whole; undefined where it was not since the start. */
  seconds: number | undefined
  /** The same, and since the start where it was not. */
  unseen: number
}

/** Looks at every chain's auctions again and again, and stores what is news together with what was seen. */
export class Watcher {
  readonly #watches: ReadonlyMap<number, ChainWatch>

  constructor(parts: WatcherParts) {
    const assets = new WatchedAssets(parts.store)
    const recorder = new Recorder(parts)
    this.#watches = new Map(
      parts.chains.map((chain) => [chain, new ChainWatch({ ...parts, assets, recorder, chain })]),
    )
  }

  start(): void {
    for (const watch of this.#watches.values()) watch.start()
  }

  /** Waits for looks under way; what they saw is stored. */
  async stop(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()))
  }

  lag(): Lag[] {
    return [...this.#watches].map(([chain, watch]) => ({ chain, ...watch.lag() }))
  }
}

interface ChainWatchParts {
  api: Pick<Api, 'assets' | 'asset'>
  assets: WatchedAssets
  recorder: Recorder
  units: Units
  chain: number
  /** Seconds from look to look. */
  interval: number
  /** Bytes of all lists in one look; 128 MiB without it. */
  maxBytes?: number
  log: Logger
  /** Unix seconds. */
  now: () => number
  onEvents: () => void
  /** Anything from 0 to 1; `Math.random` without it. */
  chance?: () => number
}

/** Seconds between two tries where the interface keeps failing. */
const maxPause = 300
/** Seconds for which the interface is left alone at most where it asks for that. */
const maxWish = 3600
/** Looks are spread by this share of the interval to either side, so that chains and bots don't ask in step. */
const jitter = 0.1

/** Looks at one chain again and again, less often while the interface fails. */
export class ChainWatch {
  readonly #parts: ChainWatchParts
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #stopped = new AbortController()
  #running = false
  #failures = 0
  #isFull = false
  #isHeldUp = false
  /** On a clock that never goes back. */
  #seenAt: number | undefined
  #begunAt = performance.now()

  constructor(parts: ChainWatchParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#stopped = new AbortController()
    this.#begunAt = performance.now()
    this.#wake()
  }

  /** Waits for the question that is under way, and stores what was seen by then. */
  async stop(): Promise<void> {
    this.#running = false
    this.#stopped.abort()
    clearTimeout(this.#timer)
    await this.#looking
  }

  /** Seconds since the chain was last seen whole, and since it could have been. */
  lag(): { seconds: number | undefined; unseen: number } {
    const unseen = (performance.now() - (this.#seenAt ?? this.#begunAt)) / 1000
    return { seconds: this.#seenAt === undefined ? undefined : unseen, unseen }
  }

  #wake(): void {
    this.#looking = this.#look().then((seconds) => {
      if (this.#running) this.#timer = setTimeout(() => this.#wake(), seconds * 1000)
    })
  }

  /** Returns the seconds to the next look. */
  async #look(): Promise<number> {
    const { recorder, chain, interval, log, now, onEvents, chance = Math.random } = this.#parts
    const usual = interval * (1 + jitter * (2 * chance() - 1))
    try {
      const from = now()
      const begun = await recorder.begun(chain)
      const { signal } = this.#stopped
      const look = await pollChain({ ...this.#parts, place: begun.place, signal })
      // What a first look did not see would be taken for new later.
      if (look.failure === undefined || begun.begunAt !== undefined) {
        this.#tell(await recorder.record(chain, begun, look, from))
        if (this.#isHeldUp) log.info({ chain }, 'what is seen of a chain is stored again')
        this.#isHeldUp = false
      }
      return look.failure ? this.#failed(look.failure, usual) : this.#succeeded(usual)
    } catch (error) {
      // The next look finds again what was not stored; what was is due.
      if (!this.#isHeldUp) {
        log.error({ err: error, chain }, 'what was seen of a chain could not be stored')
      }
      this.#isHeldUp = true
      onEvents()
      return usual
    }
  }

  #succeeded(usual: number): number {
    const { log, chain } = this.#parts
    if (this.#failures > 0) log.info({ chain, failures: this.#failures }, 'the chain is seen again')
    this.#failures = 0
    this.#seenAt = performance.now()
    return usual
  }

  #failed(failure: ApiError, usual: number): number {
    const { log, chain } = this.#parts
    if (!this.#running) return usual
    if (this.#failures === 0) log.warn({ err: failure, chain }, 'the chain can’t be seen whole')
    this.#failures += 1
    return pauseAfter(this.#failures, usual, failure.retryAfter)
  }

  #tell({ kinds, deliveries, late, beyond }: Recorded): void {
    const { log, chain, onEvents } = this.#parts
    if (beyond > 0 && !this.#isFull) {
      log.warn({ chain, beyond }, 'the chain has more open auctions than are watched')
    }
    this.#isFull = beyond > 0
    const isNews = Object.keys(kinds).length > 0 || late > 0
    log[isNews ? 'info' : 'debug']({ chain, ...kinds, deliveries, late }, 'looked at a chain')
    if (deliveries > 0) onEvents()
  }
}

/** Seconds to wait after so many failures in a row, and as long as the interface asks for. */
export function pauseAfter(failures: number, usual: number, wish = 0): number {
  const pause = Math.min(maxPause, usual * 2 ** Math.min(failures, 20))
  return Math.max(pause, Math.min(wish, maxWish))
}

interface RecorderParts {
  store: Store
  follows: Pick<Subscriptions, 'inUse' | 'remember'>
  units: Units
  /** Unix seconds. */
  now: () => number
  /** Incoming and live assets that are kept of one chain: a list may be endless. */
  maxOpen?: number
}

/** Where the watching of a chain stands. */
interface Begun {
  /** Unix seconds of the first whole look; undefined before it. */
  begunAt: number | undefined
  place: Place
}

/** What was stored: how much news of each kind, how many deliveries of it, and how much came too late to be told. */
export interface Recorded {
  kinds: Record<string, number>
  deliveries: number
  late: number
  /** New assets that were left out, as there are too many already. */
  beyond: number
}

const hour = 3_600
/** Assets that are compared before others of the process have their turn. */
const batchSize = 20
const placeSchema = z.object({
  page: z.int().min(0).default(0),
  turned: z.string().default(''),
  after: z.string().default(''),
  followed: z.string().default(''),
})

/** Stores what looks came to: of each asset the snapshot, and of each filter what it remembers, with the news of it. */
export class Recorder {
  readonly #parts: RecorderParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  async begun(chain: number): Promise<Begun> {
    const row = await this.#parts.store
      .selectFrom('watched_chains')
      .selectAll()
      .where('chain', '=', chain)
      .executeTakeFirst()
    return { begunAt: row?.begun_at, place: placeOf(row?.body) }
  }

  /**
   * Stores a look that began at `from` (unix seconds). Of chains that are seen at once one waits for the other, for one
   * filter may be about both.
   * @throws what the database throws: then the next look finds again what was not stored
   */
  record(chain: number, begun: Begun, look: ChainPoll, from: number): Promise<Recorded> {
    const context = this.#last.then(() => this.#record(chain, begun, look, from))
    this.#last = context.catch(() => undefined)
    return context
  }

  async #record(chain: number, begun: Begun, look: ChainPoll, from: number): Promise<Recorded> {
    const { store, follows, now: clock, units } = this.#parts
    const inUse = await follows.inUse()
    // Another may have had the first look meanwhile: what came since then is new, also to a look that began before.
    const begunAt = begun.begunAt ?? (await this.begun(chain)).begunAt
    const now = clock()
    const at = { chain, now, begunAt, units }
    const { pieces, beyond } = await this.#assetsIn(look, { ...at, ...inUse })
    pieces.push(...(await movementsIn(look, at, inUse)))
    const useful = pieces.map((piece) => ({
      ...piece,
      news: piece.news.filter(({ usefulUntil }) => usefulUntil > now),
    }))
    const deliveries = await commit({ store, follows, now }, useful)
    // Last: where the storing broke off, the same is asked again. Under a clock that was set back the beginning must not
    // lie ahead: nothing would be new until then.
    await keepPlace(store, chain, Math.min(begunAt ?? from, from), look.place)
    const told = useful.flatMap(({ news }) => news)
    const late = pieces.reduce((sum, { news }) => sum + news.length, 0) - told.length
    return { kinds: counted(told), deliveries, late, beyond }
  }

  /** What became of each asset; of the new ones, as many as there is room for. */
  async #assetsIn({ observations, known }: ChainPoll, context: Context) {
    const { maxOpen = 20_000 } = this.#parts
    const pieces: ChangeSet[] = []
    let room = maxOpen - [...known.values()].filter(({ state }) => isOpen(state)).length
    let beyond = 0
    let seen = 0
    for (const [address, observation] of observations) {
      seen += 1
      if (seen % batchSize === 0) await others()
      const kept = known.get(address)
      const found = detect(kept?.state, observation, context)
      if (!found) continue
      if (!kept?.state && isOpen(found.after)) {
        room -= 1
        if (room < 0) {
          beyond += 1
          continue
        }
      }
      const piece = changeSetOf(address, observation, kept, found, context)
      if (piece) pieces.push(piece)
    }
    return { pieces, beyond }
  }
}

/** Undefined where there is nothing to store. */
function changeSetOf(
  address: string,
  observation: Observation,
  kept: Kept | undefined,
  { after, news }: Difference,
  { chain, now, units }: Context,
): ChangeSet | undefined {
  const before = kept?.history ?? []
  const history =
    observation.by === 'absence' ? before : recorded(before, figures(observation.asset, units), now)
  const isSame = kept?.state && history === kept.history && isSameState(after, kept.state)
  if (isSame && news.length === 0) return undefined
  const updatedAt = writtenAt(now, kept?.updatedAt)
  const row = assetRow(chain, address, { state: after, history, updatedAt })
  return { asset: { row, before: kept?.updatedAt }, news }
}

function isOpen(state: AssetState | undefined): boolean {
  return state?.phase === 'incoming' || state?.phase === 'live'
}

/** What the movements in use make of a look: the memories that changed, and the news. */
async function movementsIn(
  { observations }: ChainPoll,
  { chain, now, units }: { chain: number; now: number; units: Units },
  { movements }: InUse,
): Promise<ChangeSet[]> {
  const pieces: ChangeSet[] = []
  let looked = 0
  for (const filter of movements) {
    const address = filter.asset
    const observation = observations.get(address)
    if (!observation || observation.by === 'absence' || ![0, chain].includes(filter.chain)) continue
    looked += 1
    if (looked % batchSize === 0) await others()
    const { asset } = observation
    const found = movement(filter, chain, followedValue(filter.kind, figures(asset, units)), now)
    const memory = { filter: filter.id, before: filter.memory, after: found.memory }
    if (!found.moved) {
      if (found.memory !== filter.memory) pieces.push({ memory, news: [] })
      continue
    }
    const { count, ...body } = found.moved
    const news: Event = {
      // With the time, as counting begins anew where nobody has followed it for a while.
      key: `${filter.kind}:${filter.id}:${chain}:${count}:${now}`,
      chain,
      asset: address,
      at: now,
      usefulUntil: now + hour,
      body: { kind: filter.kind, asset, filter: filter.id, ...body },
    }
    pieces.push({ memory, news: [news] })
  }
  return pieces
}

async function keepPlace(tx: Store, chain: number, begun_at: number, place: Place): Promise<void> {
  const body = JSON.stringify(place)
  await tx
    .insertInto('watched_chains')
    .values({ chain, begun_at, body })
    .onConflict((conflict) => conflict.column('chain').doUpdateSet({ begun_at, body }))
    .execute()
}

function placeOf(body: string | undefined): Place {
  return placeSchema.safeParse(storedJson(body ?? '')).data ?? placeSchema.parse({})
}

function counted(news: readonly Event[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { body } of news) counts[body.kind] = (counts[body.kind] ?? 0) + 1
  return counts
}

const apart = 60
/** More can't be told apart in the picture of a card. */
const maxPoints = 96

/**
 * The course of an asset with how it stands now: a point more at most once a minute and only where something changed.
 * When there are too many every second of the older half goes, so that the course stays whole and is finest at its end.
 */
export function recorded(
  history: readonly Point[],
  facts: Pick<Figures, 'price' | 'progress'>,
  now: number,
): readonly Point[] {
  const last = history.at(-1)
  const price = storable(facts.price)?.amount
  const progress = storableShare(facts.progress)
  if (price === undefined && progress === undefined) return history
  if (last?.price === price && last?.progress === progress) return history
  // A clock that was set back must not stop the record.
  if (last && Math.abs(now - last.at) < apart) return history
  const point = { at: now, price, progress }
  return thinned([...history.filter(({ at }) => at < now), point])
}

function thinned(points: Point[]): Point[] {
  if (points.length <= maxPoints) return points
  const middle = Math.floor(points.length / 2)
  return points.filter((_, index) => index >= middle || index % 2 === 0)
}
