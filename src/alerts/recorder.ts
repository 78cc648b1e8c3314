import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { z } from 'zod'
import { type Figures, figuresOf } from '../api/figures.ts'
import type { Units } from '../api/units.ts'
import type { Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import {
  type AssetState,
  minPointGap,
  type Observation,
  storedJson,
  type TrimmedAsset,
  withPoint,
} from './asset.ts'
import type { ChainPoll } from './chain-poll.ts'
import { type DetectContext, detect, detectorsFor, type StateChange } from './detect.ts'
import { type ChangeSet, storeChanges } from './events.ts'
import type { AlertKind, Event, Scope } from './kinds/kind.ts'
import { kindIds, kinds } from './kinds/list.ts'
import { listStart, type PollPosition, startPosition } from './poll-memory.ts'
import { assetRow, isSameState, type StoredAsset } from './snapshot.ts'
import type { SubscribedRule, Subscriptions } from './subscriptions.ts'

export interface RecorderParts {
  store: Store
  subscriptions: Pick<Subscriptions, 'inUse'>
  units: Units
  /** The ids of all chains of the bot. */
  chains: readonly number[]
  log: Logger
  /** Unix seconds. */
  now: () => number
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
  lastMissing: z.string().default(''),
  lastFollowed: z.string().default(''),
})

/** Stores the results of polls: the snapshot of each asset and the memory of each rule, with their events. */
export class Recorder {
  readonly #parts: RecorderParts
  #last: Promise<unknown> = Promise.resolve()
  #rules: readonly SubscribedRule[] = []

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  /** The rules that were in use when a poll was last stored; none until then: they only say which assets are read more often. */
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
  record(
    chain: number,
    { begunAt }: Pick<WatchState, 'begunAt'>,
    poll: ChainPoll,
    from: number,
  ): Promise<PollSummary> {
    const recording = this.#last.then(() => this.#record(chain, begunAt, poll, from))
    this.#last = recording.catch(() => undefined)
    return recording
  }

  async #record(
    chain: number,
    begunAt: number | undefined,
    poll: ChainPoll,
    from: number,
  ): Promise<PollSummary> {
    const { store, subscriptions, chains, log, now: clock, units } = this.#parts
    const rules = await subscriptions.inUse()
    this.#rules = rules
    const now = clock()
    const context = { chain, now, begunAt, units, detectors: detectorsFor(rules) }
    const { changeSets, beyond } = await this.#assetChanges(poll, context)
    changeSets.push(...(await ruleChanges(poll, rules, context)))
    const deliveries = await storeChanges({ store, chains, now, log }, changeSets)
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
  position: PollPosition,
): Promise<void> {
  const body = JSON.stringify(position satisfies z.output<typeof positionSchema>)
  await store
    .insertInto('watched_chains')
    .values({ chain, begun_at_s, body })
    .onConflict((conflict) => conflict.column('chain').doUpdateSet({ begun_at_s, body }))
    .execute()
}

function positionOf(body: string): PollPosition {
  return positionSchema.safeParse(storedJson(body)).data ?? positionSchema.parse({})
}

/** Whether all lists have been read. */
function isRead({ failure, partFailure, memory }: ChainPoll): boolean {
  return (
    !failure && !partFailure && Object.values(memory.position.lists).every(({ unread }) => !unread)
  )
}

function countByKind(events: readonly Event[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { body } of events) counts[body.kind] = (counts[body.kind] ?? 0) + 1
  return counts
}
