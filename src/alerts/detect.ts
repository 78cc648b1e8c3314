import Big from 'big.js'
import { type Figures, figures, graduationPool, statusOf, unixTime } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { isListStatus, type ListStatus, listStatuses } from '../api/status.ts'
import type { Units } from '../api/units.ts'
import type { Event } from './event.ts'
import {
  type AssetState,
  type Observation,
  type Phase,
  type Seen,
  storableShare,
} from './snapshot.ts'

/** Inputs of the detection, beside the two states of the asset. */
export interface Context {
  chain: number
  /** Unix seconds. */
  now: number
  /**
   * Unix seconds of the first complete poll of the chain; undefined during that poll, which produces no phase events.
   */
  begunAt: number | undefined
  units: Units
  /** Percentages sold that somebody subscribed to. */
  percents: readonly number[]
  /** Minutes before the end that somebody subscribed to. */
  minutes: readonly number[]
}

/** An asset's new state, and the events that led to it. */
export interface Difference {
  after: AssetState
  news: Event[]
}

const day = 86_400
/** Absences in a row until an asset counts as gone: a single "not found" may be a glitch. */
const absencesUntilGone = 3
/** The phases that produce events, in the order of an auction's life: an asset in one has passed those before it. */
const notifiedPhases = listStatuses
type NotifiedPhase = ListStatus

/**
 * Compares an asset with its last known state. Returns the new state and the events; undefined if the asset was never
 * seen and is absent. Each event has a unique, permanent key, and a `usefulUntil` that may have passed already.
 */
export function detect(
  before: AssetState | undefined,
  observation: Observation,
  context: Context,
): Difference | undefined {
  if (observation.by === 'absence') return before && { after: markAbsent(before), news: [] }
  const { asset } = observation
  const facts = figures(asset, context.units)
  const phase = phaseOf(observation, before, context)
  const notified = before?.told ?? []
  const isFirst = isNotifiedPhase(phase) && !notified.includes(phase)
  const notifies =
    isFirst && (before ? context.begunAt !== undefined : isNew(phase, observation, context))
  const auction: AuctionPoll = {
    chain: context.chain,
    now: context.now,
    asset,
    phase,
    endsAt: facts.endsAt,
    // If the asset was under way when first seen, only what happens from now on is notified.
    isSeenUnderWay: before === undefined && !notifies,
  }
  const sold = before ? before.progress : startOf(auction)
  const progress = progressEvent(auction, sold, storableShare(facts.progress), context.percents)
  const ending = endingEvent(auction, before?.ending, context.minutes)
  return {
    after: {
      phase,
      asset,
      told: notifiedAfter(notified, phase),
      progress: progress.after,
      ending: ending.after,
      misses: 0,
    },
    news: [
      ...(notifies ? [phaseEvent(phase, observation, facts, context)] : []),
      ...progress.news,
      ...ending.news,
    ],
  }
}

/** The share sold to compare with: "0" if the auction was announced or its start is being notified, else unknown. */
function startOf({ phase, isSeenUnderWay }: AuctionPoll): string | undefined {
  return phase === 'incoming' || !isSeenUnderWay ? '0' : undefined
}

function markAbsent(before: AssetState): AssetState {
  const misses = before.misses + 1
  return { ...before, misses, phase: misses >= absencesUntilGone ? 'gone' : before.phase }
}

function isNotifiedPhase(phase: Phase): phase is NotifiedPhase {
  return notifiedPhases.some((each) => each === phase)
}

function notifiedAfter(notified: readonly NotifiedPhase[], phase: Phase): NotifiedPhase[] {
  const order: readonly Phase[] = notifiedPhases
  const reached = order.indexOf(phase)
  return notifiedPhases.filter((each, index) => index <= reached || notified.includes(each))
}

/**
 * Whether an asset that is seen for the first time appeared after the chain's first poll, by the asset's own
 * timestamps.
 */
function isNew(phase: NotifiedPhase, { asset }: Seen, { begunAt, units, now }: Context): boolean {
  if (begunAt === undefined) return false
  const { startsAt, createdAt } = figures(asset, units)
  if (phase === 'graduated') {
    const at = graduatedAt(asset, units)
    return at !== undefined && at >= begunAt && at > now - day
  }
  const since = phase === 'live' ? (startsAt ?? createdAt) : createdAt
  return since === undefined || since >= begunAt
}

function phaseEvent(
  kind: NotifiedPhase,
  { asset }: Seen,
  { startsAt, endsAt, createdAt }: Figures,
  { chain, now, units }: Context,
): Event {
  const address = asset.asset_address.toLowerCase()
  const about = { key: `${kind}:${chain}:${address}`, chain, asset: address }
  const past = (time: number | undefined) => Math.min(now, time ?? now)
  if (kind === 'graduated') {
    const at = past(graduatedAt(asset, units))
    return { ...about, at, usefulUntil: at + day, body: { kind, asset } }
  }
  const [at, end] =
    kind === 'live' ? [past(startsAt), endsAt] : ([past(createdAt), startsAt] as const)
  return { ...about, at, usefulUntil: usefulUntil(end, now), body: { kind, asset } }
}

/** The end; if it has passed although the API still lists the asset as live or incoming, a grace period from now. */
function usefulUntil(end: number | undefined, now: number): number {
  if (end === undefined) return now + day
  return end > now ? end : now + grace
}

/** An auction as one poll found it. */
interface AuctionPoll {
  chain: number
  /** Unix seconds. */
  now: number
  asset: Asset
  phase: Phase
  endsAt: number | undefined
  /** First seen when already under way: what it passed before is not notified. */
  isSeenUnderWay: boolean
}

/** The new state to store, and the events that led to it. */
interface Change<Memory> {
  after: Memory
  news: Event[]
}

type Ending = NonNullable<AssetState['ending']>

const minute = 60

/** Seconds for which live or incoming assets are notified although their end or start has passed by our clock. */
const grace = 900
/** Stands for "never observed" as minutes to the end: more than any rule can ask for (1440). */
const neverObserved = 1441
/** Seconds by which an end must move for its countdown to restart. */
const minShift = 600
/**
 * Limits on restarting a countdown that was notified: seconds between two restarts, and how many. An end that jitters
 * would be notified forever otherwise.
 */
const restartPause = 3600
const maxRestarts = 3

/**
 * At most one progress event, for all subscribed percentages that were crossed since the largest share ever seen
 * (`known`). A share that falls back and rises again produces no event.
 */
function progressEvent(
  { chain, now, asset, phase, endsAt }: AuctionPoll,
  previous: string | undefined,
  share: string | undefined,
  percents: readonly number[],
): Change<string | undefined> {
  if (share === undefined || phase === 'incoming') return { after: previous, news: [] }
  if (previous === undefined) return { after: share, news: [] }
  if (Big(share).lte(previous)) return { after: previous, news: [] }
  const crossed = percents.filter(
    (each) => Big(previous).lt(each / 100) && Big(share).gte(each / 100),
  )
  // After the sale has ended only selling out is worth an event.
  const isRelevant = phase === 'live' || (phase === 'graduated' && Big(share).gte(1))
  if (crossed.length === 0 || !isRelevant) return { after: share, news: [] }
  const until = (phase === 'live' ? endsAt : undefined) ?? now + day
  const address = asset.asset_address.toLowerCase()
  const event: Event = {
    key: `progress:${chain}:${address}:${Math.max(...crossed)}`,
    chain,
    asset: address,
    at: now,
    usefulUntil: until > now ? until : now + grace,
    body: { kind: 'progress', asset, from: previous, to: share },
  }
  return { after: share, news: [event] }
}

/**
 * At most one event, for all subscribed minutes that passed since the end was last observed. If the end is moved later,
 * the countdown restarts from there. If the API still lists the auction as live after its end by our clock, nothing is
 * concluded; once both agree that it is over, the missed minutes produce an event that counts as late.
 */
function endingEvent(
  { chain, now, asset, phase, endsAt, isSeenUnderWay }: AuctionPoll,
  previous: AssetState['ending'],
  minutes: readonly number[],
): Change<AssetState['ending']> {
  if (endsAt === undefined) return { after: previous, news: [] }
  const isOver = endsAt <= now
  if (phase === 'live' ? isOver : !isOver || previous === undefined)
    return { after: previous, news: [] }
  const left = isOver ? 0 : Math.ceil((endsAt - now) / minute)
  if (isSeenUnderWay) return { after: { endsAt, minutes: left }, news: [] }
  const restarted = previous && restartedCountdown(previous, endsAt, now)
  if (restarted) return { after: { ...restarted, minutes: left }, news: [] }
  const before = previous ?? { endsAt, minutes: neverObserved }
  // Keep the earliest of several close ends: the event's key contains it and must not change with small shifts.
  const after = {
    ...before,
    endsAt: Math.min(endsAt, before.endsAt),
    minutes: Math.min(left, before.minutes),
  }
  const crossed = minutes.filter((each) => left <= each && each < before.minutes)
  if (crossed.length === 0) return { after, news: [] }
  const address = asset.asset_address.toLowerCase()
  const event: Event = {
    key: `ending:${chain}:${address}:${after.endsAt}:${Math.min(...crossed)}`,
    chain,
    asset: address,
    at: now,
    usefulUntil: endsAt,
    body: { kind: 'ending', asset, fromMinutes: before.minutes, minutes: left, endsAt },
  }
  return { after: { ...after, told: true }, news: [event] }
}

/**
 * The state of a countdown that restarts because the end moved later; undefined if it may not restart. A timestamp in
 * the future means the clock was set back; it does not block.
 */
function restartedCountdown(
  previous: Ending,
  endsAt: number,
  now: number,
): Omit<Ending, 'minutes'> | undefined {
  const { told: wasNotified, anew: restarts } = previous
  if (endsAt <= previous.endsAt + minShift) return undefined
  if (!wasNotified) return { endsAt, anew: restarts }
  const { count, at } = restarts ?? { count: 0, at: 0 }
  const mayRestart = count < maxRestarts && (now >= at + restartPause || now < at)
  return mayRestart ? { endsAt, anew: { count: count + 1, at: now } } : undefined
}

/**
 * The phase of an asset by the API: the list it was found in or, if it was fetched by its address, its status. A status
 * that is none of the lists' means that its auction has ended.
 */
export function phaseOf(
  { by, asset }: Seen,
  before: AssetState | undefined,
  { units, now }: { units: Units; now: number },
): Phase {
  if (by !== 'itself') return by
  const status = statusOf(asset)
  if (isListStatus(status)) return status
  if (status !== undefined) return 'ended'
  if (graduationPool(asset)) return 'graduated'
  const { endsAt } = figures(asset, units)
  if (endsAt !== undefined && endsAt <= now) return 'ended'
  return before?.phase ?? 'live'
}

/** Unix seconds at which a graduated asset graduated; undefined if the API gives no time. */
export function graduatedAt(asset: Asset, units: Units): number | undefined {
  return (
    figures(asset, units).migratedAt ??
    unixTime(asset.asset_migration_timestamp) ??
    unixTime(asset.auction_pool?.pool_migration_timestamp)
  )
}
