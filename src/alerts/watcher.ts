import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { z } from 'zod'
import type { Api } from '../api/client.ts'
import { type Figures, figuresOf } from '../api/figures.ts'
import type { KeyBudget } from '../api/http.ts'
import type { Units } from '../api/units.ts'
import { backoff, sleep, type Task } from '../core/task.ts'
import type { Store } from '../db/schema.ts'
import type { ApiError } from '../errors.ts'
import { type Logger, OutageLog } from '../log.ts'
import {
  type AssetState,
  minPointGap,
  type Observation,
  storedJson,
  type TrimmedAsset,
  withPoint,
} from './asset.ts'
import { type ChainPoll, pollChain } from './chain-poll.ts'
import { type ChangeSet, commit } from './events.ts'
import type { AlertKind, Event, Scope } from './kinds/kind.ts'
import { kindIds, kinds } from './kinds/list.ts'
import { type DetectContext, detect, detectorsFor, type StateChange } from './poll.ts'
import { listStart, PollMemory, type PollPosition, startPosition } from './poll-memory.ts'
import { assetRow, isSameState, type StoredAsset, WatchedAssets } from './snapshot.ts'
import type { SubscribedRule, Subscriptions } from './subscriptions.ts'

interface WatcherParts {
  /** A client without a cache: a cached answer has no new events. */
  api: Pick<Api, 'assets' | 'asset'>
  /** Spaces the calls after a 429; default: they are not spaced. */
  budget?: Pick<KeyBudget, 'takeTurn'> | undefined
  subscriptions: Pick<Subscriptions, 'inUse'>
  store: Store
  units: Units
  /** The ids of all chains of the bot. */
  chains: readonly number[]
  /** Seconds between two polls. */
  interval: number
  /** Maximum bytes of all lists in one poll of a chain; 128 MiB by default. */
  maxBytes?: number
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Called when there may be deliveries to send. */
  onEvents: () => void
}

/** The time since a chain was polled. */
export interface Lag {
  chain: number
  /** Seconds since the last complete poll; undefined if there was none since the start. */
  seconds: number | undefined
  /** The same, but since the start if there was none. */
  unseen: number
}

/** Polls every chain from its creation until it is stopped, and stores observed states together with the events they produce. */
export class Watcher implements Task {
  readonly #watches: ReadonlyMap<number, ChainWatch>

  constructor(parts: WatcherParts) {
    const assets = new WatchedAssets(parts.store)
    const recorder = new Recorder(parts)
    this.#watches = new Map(
      parts.chains.map((chain) => [chain, new ChainWatch({ ...parts, assets, recorder, chain })]),
    )
  }

  /** Waits for polls in progress; what they observed is stored. */
  async stop(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()))
  }

  lag(): Lag[] {
    return [...this.#watches].map(([chain, watch]) => ({ chain, ...watch.lag() }))
  }
}

interface ChainWatchParts extends Omit<WatcherParts, 'chains' | 'store' | 'subscriptions'> {
  assets: WatchedAssets
  recorder: Recorder
  chain: number
}

/** Maximum seconds between two polls while the API fails. */
const maxPause = 300
/** Maximum seconds of a Retry-After that is honoured. */
const maxRetryAfter = 3600
/** Randomises the interval by this share, so that chains and bots don't poll at the same moments. */
const jitter = 0.1

/** Polls one chain from its creation until it is stopped, less often while the API fails. */
export class ChainWatch implements Task {
  readonly #parts: ChainWatchParts
  readonly #stopping = new AbortController()
  readonly #storing: OutageLog
  readonly #startedAt = performance.now()
  /** Monotonic milliseconds of the last complete poll. */
  #polledAt: number | undefined
  #failures = 0
  #isOverMax = false
  /** Undefined until the first poll, and after one that could not be stored. */
  #memory: PollMemory | undefined
  readonly #polls: Promise<void>

  constructor(parts: ChainWatchParts) {
    this.#parts = parts
    const { log, chain } = parts
    this.#storing = new OutageLog({
      begins: (err) => log.error({ err, chain }, 'a poll of a chain could not be stored'),
      ends: () => log.info({ chain }, 'polls of a chain are stored again'),
    })
    this.#polls = this.#run()
  }

  /** Waits for the request in progress, and stores what was observed by then. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#polls
  }

  /** Seconds since the last complete poll, and since there could have been one. */
  lag(): { seconds: number | undefined; unseen: number } {
    const unseen = (performance.now() - (this.#polledAt ?? this.#startedAt)) / 1000
    return { seconds: this.#polledAt === undefined ? undefined : unseen, unseen }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) await sleep((await this.#poll(signal)) * 1000, signal)
  }

  /** Polls once; returns the seconds until the next poll. */
  async #poll(signal: AbortSignal): Promise<number> {
    const { recorder, assets, units, chain, interval, now, onEvents } = this.#parts
    const normalPause = jittered(interval, Math.random())
    const begun = performance.now()
    try {
      const from = now()
      const { begunAt, position } = await recorder.state(chain)
      const memory = this.#memory ?? (await PollMemory.load(assets, { chain, units, position }))
      this.#memory = memory
      const { rules } = recorder
      const poll = await pollChain({ ...this.#parts, begunAt, memory, rules, signal })
      this.#report(await recorder.record(chain, { begunAt, position }, poll, from))
      this.#storing.worked()
      if (poll.failure) return this.#failed(poll.failure, normalPause)
      this.#succeeded()
      return pauseAfterPoll(normalPause, (performance.now() - begun) / 1000)
    } catch (error) {
      // The next poll reads and detects again what was not stored; what was stored is due.
      this.#memory = undefined
      this.#storing.failed(error)
      onEvents()
      return normalPause
    }
  }

  #succeeded(): void {
    const { log, chain } = this.#parts
    if (this.#failures > 0)
      log.info({ chain, failures: this.#failures }, 'polls of the chain succeed again')
    this.#failures = 0
    this.#polledAt = performance.now()
  }

  #failed(failure: ApiError, normalPause: number): number {
    const { log, chain } = this.#parts
    if (this.#stopping.signal.aborted) return normalPause
    if (this.#failures === 0) log.warn({ err: failure, chain }, 'polls of the chain fail')
    this.#failures += 1
    return pauseAfter(this.#failures, normalPause, failure.retryAfter)
  }

  #report({ events, deliveries, late, beyond }: PollSummary): void {
    const { log, chain, onEvents } = this.#parts
    if (beyond > 0 && !this.#isOverMax) {
      log.warn({ chain, beyond }, 'the chain has more open auctions than are watched')
    }
    this.#isOverMax = beyond > 0
    const hasEvents = Object.keys(events).length > 0 || late > 0
    log[hasEvents ? 'info' : 'debug']({ chain, ...events, deliveries, late }, 'a chain was polled')
    if (deliveries > 0) onEvents()
  }
}

/** The interval, up to a tenth longer or shorter by `chance`, a number from 0 to 1. */
export function jittered(interval: number, chance: number): number {
  return interval * (1 + jitter * (2 * chance - 1))
}

/** Seconds from a poll that took so long to the next: they begin an interval apart, but a third of it is left to others. */
export function pauseAfterPoll(interval: number, took: number): number {
  return Math.max(interval - took, interval / 3)
}

/** Seconds to wait after so many failures in a row: exponentially more, and at least the API's Retry-After, up to an hour. */
export function pauseAfter(failures: number, normalPause: number, retryAfter = 0): number {
  const pause = backoff(failures + 1, normalPause, maxPause)
  return Math.max(pause, Math.min(retryAfter, maxRetryAfter))
}

interface RecorderParts
  extends Pick<WatcherParts, 'store' | 'subscriptions' | 'units' | 'chains' | 'log' | 'now'> {
  /** Maximum incoming and live assets per chain: the API's lists may be endless. */
  maxOpen?: number
}

/** The stored state of watching a chain. */
interface WatchState {
  /** Unix seconds of the poll after which all lists had been read for the first time; undefined before it. */
  begunAt: number | undefined
  position: PollPosition
}

/** Counts of what was stored: events by kind, their deliveries, and events that were too late to notify. */
export interface PollSummary {
  events: Record<string, number>
  deliveries: number
  late: number
  /** New assets that were left out because the maximum was reached. */
  beyond: number
}

/** Assets that are compared before other work gets a turn. */
const batchSize = 20
/** The stored JSON of a position. */
const listSchema = z
  .object({ next: z.int().min(0), unread: z.boolean(), bounds: z.string() })
  .default(listStart)
const positionSchema = z.object({
  lists: z
    .object({ incoming: listSchema, live: listSchema, graduated: listSchema })
    .default({ incoming: listStart, live: listStart, graduated: listStart }),
  after: z.string().default(''),
  followed: z.string().default(''),
})

/** Stores the results of polls: the snapshot of each asset and the memory of each rule, with their events. */
export class Recorder {
  readonly #parts: RecorderParts
  #last: Promise<unknown> = Promise.resolve()
  #rules: readonly SubscribedRule[] = []

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  /** The rules that were in use when a poll was last stored. */
  get rules(): readonly SubscribedRule[] {
    return this.#rules
  }

  async state(chain: number): Promise<WatchState> {
    const row = await this.#parts.store
      .selectFrom('watched_chains')
      .selectAll()
      .where('chain', '=', chain)
      .executeTakeFirst()
    return { begunAt: row?.begun_at_s, position: row ? positionOf(row.body) : startPosition(true) }
  }

  /**
   * Stores a poll that began at `from` (unix seconds). Polls of several chains are stored one after the other, as one
   * rule may be about both.
   * @throws database errors; the next poll then detects again what was not stored
   */
  record(chain: number, state: WatchState, poll: ChainPoll, from: number): Promise<PollSummary> {
    const recording = this.#last.then(() => this.#record(chain, state, poll, from))
    this.#last = recording.catch(() => undefined)
    return recording
  }

  async #record(
    chain: number,
    state: WatchState,
    poll: ChainPoll,
    from: number,
  ): Promise<PollSummary> {
    const { store, subscriptions, chains, log, now: clock, units } = this.#parts
    const rules = await subscriptions.inUse()
    this.#rules = rules
    const { begunAt } = state
    const now = clock()
    const context = { chain, now, begunAt, units, detectors: detectorsFor(rules) }
    const { changeSets, beyond } = await this.#assetChanges(poll, context)
    changeSets.push(...(await ruleChanges(poll, rules, context)))
    const deliveries = await commit({ store, chains, now, log }, changeSets)
    // Assets that were not read yet would count as new later.
    if (begunAt !== undefined || isRead(poll)) {
      // Last: if storing failed before, the same position is polled again. `begun_at_s` must not be in the future if the
      // clock was set back, or nothing would count as new until then.
      await storePosition(store, chain, Math.min(begunAt ?? from, from), poll.memory.position)
    }
    const found = changeSets.flatMap(({ events }) => events)
    const timely = found.filter(({ usefulUntil }) => usefulUntil > now)
    const late = found.length - timely.length
    return { events: countByKind(timely), deliveries, late, beyond }
  }

  /** The change sets of the observed assets, of new ones only up to the maximum. */
  async #assetChanges({ observations, stored: all, memory }: ChainPoll, context: DetectContext) {
    const { maxOpen = 200_000, units } = this.#parts
    const changeSets: ChangeSet[] = []
    let remaining = maxOpen - memory.openCount
    let overMax = 0
    let compared = 0
    for (const [address, observation] of observations) {
      const stored = all.get(address)
      compared += 1
      if (compared % batchSize === 0) await yieldToOthers()
      const change = changeOf(stored, observation, context)
      if (!change) continue
      if (!stored?.state && isOpen(change.after)) {
        remaining -= 1
        if (remaining < 0) {
          overMax += 1
          continue
        }
      }
      const changeSet = changeSetOf(address, observation, stored, change, context)
      if (changeSet) changeSets.push(changeSet)
      memory.store(address, change.after, units)
    }
    return { changeSets, beyond: overMax }
  }
}

/** Undefined if the asset is as it was. */
function changeOf(
  stored: StoredAsset | undefined,
  observation: Observation,
  context: DetectContext,
): StateChange | undefined {
  if (isUnchanged(stored, observation, context.now)) return undefined
  return detect(stored, observation, context)
}

/**
 * Whether comparing the asset would change nothing: it is listed as it is stored, its history is complete, and no kind
 * waits for a time that has come. Most assets are, in most polls, and reading their figures is what costs most.
 */
function isUnchanged(
  stored: StoredAsset | undefined,
  observation: Observation,
  now: number,
): boolean {
  if (stored?.state === undefined || observation.source === 'none') return false
  const { state, history, updatedAt } = stored
  if (observation.source !== state.phase || state.absences > 0) return false
  const lastPoint = history.at(-1)?.at ?? updatedAt
  // A change so soon after a point was not recorded yet.
  if (lastPoint < updatedAt && updatedAt < lastPoint + minPointGap) return false
  if (kindIds.some((id) => isDue(kinds[id].detection, state, now))) return false
  return JSON.stringify(observation.asset) === JSON.stringify(state.asset)
}

function isDue(detection: AlertKind['detection'], state: AssetState, now: number): boolean {
  return detection.from === 'asset-and-settings' && detection.isDue?.(state, now) === true
}

/** Undefined if there is nothing to store. */
function changeSetOf(
  address: string,
  observation: Observation,
  stored: StoredAsset | undefined,
  { after, events }: StateChange,
  { chain, now, units }: DetectContext,
): ChangeSet | undefined {
  const before = stored?.history ?? []
  const history =
    observation.source === 'none'
      ? before
      : withPoint(before, figuresOf(observation.asset, units), now)
  const isSame = stored?.state && history === stored.history && isSameState(after, stored.state)
  if (isSame && events.length === 0) return undefined
  const row = assetRow(chain, address, { state: after, history, updatedAt: now })
  return { asset: { row, before: stored?.updatedAt }, events }
}

function isOpen(state: AssetState | undefined): boolean {
  return state?.phase === 'incoming' || state?.phase === 'live'
}

/** The asset that a rule is about; undefined if the poll of the chain did not find it. */
function foundAsset(
  observations: ChainPoll['observations'],
  { asset = '', chain: on }: Scope,
  chain: number,
): TrimmedAsset | undefined {
  const observation = observations.get(asset)
  if (!observation || observation.source === 'none') return undefined
  return on === undefined || on === chain ? observation.asset : undefined
}

/** The change sets of rules with a memory of their own: changed memories, and events. */
async function ruleChanges(
  { observations, stored }: ChainPoll,
  rules: readonly SubscribedRule[],
  { chain, now, units }: DetectContext,
): Promise<ChangeSet[]> {
  const changeSets: ChangeSet[] = []
  const read = new Map<TrimmedAsset, Figures>()
  let compared = 0
  for (const { id, kind, scope, setting, memory } of rules) {
    const { detection } = kinds[kind]
    const asset = foundAsset(observations, scope, chain)
    if (detection.from !== 'rule-memory' || !asset) continue
    compared += 1
    if (compared % batchSize === 0) await yieldToOthers()
    const figures = read.get(asset) ?? figuresOf(asset, units)
    read.set(asset, figures)
    const history = stored.get(asset.asset_address.toLowerCase())?.history ?? []
    const poll = { chain, now, asset, figures, history }
    const { memory: after, event } = detection.detect({ id, setting, memory }, poll)
    if (event === undefined && after === memory) continue
    changeSets.push({ memory: { rule: id, before: memory, after }, events: event ? [event] : [] })
  }
  return changeSets
}

async function storePosition(
  store: Store,
  chain: number,
  begun_at_s: number,
  { lists, lastMissing, lastFollowed }: PollPosition,
): Promise<void> {
  const body = JSON.stringify({
    lists,
    after: lastMissing,
    followed: lastFollowed,
  } satisfies z.output<typeof positionSchema>)
  await store
    .insertInto('watched_chains')
    .values({ chain, begun_at_s, body })
    .onConflict((conflict) => conflict.column('chain').doUpdateSet({ begun_at_s, body }))
    .execute()
}

function positionOf(body: string): PollPosition {
  const stored = positionSchema.safeParse(storedJson(body)).data ?? positionSchema.parse({})
  const { lists, after, followed } = stored
  return { lists, lastMissing: after, lastFollowed: followed }
}

/** Whether all lists have been read. */
function isRead({ failure, memory }: ChainPoll): boolean {
  return (
    failure === undefined && Object.values(memory.position.lists).every(({ unread }) => !unread)
  )
}

function countByKind(events: readonly Event[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { body } of events) counts[body.kind] = (counts[body.kind] ?? 0) + 1
  return counts
}
