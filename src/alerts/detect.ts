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

/** What the difference between two looks depends on beside them. */
export interface Context {
  chain: number
  /** Unix seconds. */
  now: number
  /** Unix seconds of the first whole look at the chain; undefined in that look, of which nothing is told. */
  begunAt: number | undefined
  units: Units
  /** Shares sold, in per cent, that somebody wants to hear of. */
  percents: readonly number[]
  /** Minutes to the end that somebody wants to hear of. */
  minutes: readonly number[]
}

/** An asset as it is to be kept, and what is news of it. */
export interface Difference {
  after: AssetState
  news: Event[]
}

const day = 86_400
/** A single answer that an asset is not known may be a slip. */
const missesUntilGone = 3
/** In the order of a life: who is seen in one has been through those before it. */
const toldPhases = listStatuses
type ToldPhase = ListStatus

/**
 * What became of an asset since it was last looked at; undefined where it was never seen and is not there. Each of its
 * news has a key that names it for ever, and the time until which it is of use, which may be over.
 */
export function detect(
  before: AssetState | undefined,
  observation: Observation,
  context: Context,
): Difference | undefined {
  if (observation.by === 'absence') return before && { after: missed(before), news: [] }
  const { asset } = observation
  const facts = figures(asset, context.units)
  const phase = phaseOf(observation, before, context)
  const told = before?.told ?? []
  const isFirst = isTold(phase) && !told.includes(phase)
  const tells =
    isFirst && (before ? context.begunAt !== undefined : isNew(phase, observation, context))
  const course: Course = {
    chain: context.chain,
    now: context.now,
    asset,
    phase,
    endsAt: facts.endsAt,
    // What was half over when it was met is told only from there on.
    isMet: before === undefined && !tells,
  }
  const sold = before ? before.progress : startOf(course)
  const progress = progressEvent(course, sold, storableShare(facts.progress), context.percents)
  const ending = endingEvent(course, before?.ending, context.minutes)
  return {
    after: {
      phase,
      asset,
      told: toldAfter(told, phase),
      progress: progress.after,
      ending: ending.after,
      misses: 0,
    },
    news: [
      ...(tells ? [phaseEvent(phase, observation, facts, context)] : []),
      ...progress.news,
      ...ending.news,
    ],
  }
}

/** Nothing was sold of what is only announced, or was told of as new. */
function startOf({ phase, isMet }: Course): string | undefined {
  return phase === 'incoming' || !isMet ? '0' : undefined
}

function missed(before: AssetState): AssetState {
  const misses = before.misses + 1
  return { ...before, misses, phase: misses >= missesUntilGone ? 'gone' : before.phase }
}

function isTold(phase: Phase): phase is ToldPhase {
  return toldPhases.some((each) => each === phase)
}

function toldAfter(told: readonly ToldPhase[], phase: Phase): ToldPhase[] {
  const order: readonly Phase[] = toldPhases
  const reached = order.indexOf(phase)
  return toldPhases.filter((each, index) => index <= reached || told.includes(each))
}

/** Whether an asset that was never seen began after the chain was first looked at, as far as it says. */
function isNew(phase: ToldPhase, { asset }: Seen, { begunAt, units, now }: Context): boolean {
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
  kind: ToldPhase,
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

/** Until the end; where that is over the interface, by which it is not, is believed for a while. */
function usefulUntil(end: number | undefined, now: number): number {
  if (end === undefined) return now + day
  return end > now ? end : now + grace
}

/** An auction in a look at it. */
interface Course {
  chain: number
  /** Unix seconds. */
  now: number
  asset: Asset
  phase: Phase
  endsAt: number | undefined
  /** It is seen for the first time, and what it has come through by now is not told. */
  isMet: boolean
}

/** What is known after a look, and what of it is news. */
interface Change<Memory> {
  after: Memory
  news: Event[]
}

type Ending = NonNullable<AssetState['ending']>

const minute = 60

/** Seconds for which what is live or incoming is told though its end or start is over by our clock. */
const grace = 900
/** Minutes to an end that was never looked at: more than anybody can ask for, so that it has passed all that it may. */
const beyond = 1441
/** Seconds by which an end has to move for it to be counted down to anew. */
const moved = 600
/** Of one that was told of: seconds from one time to the next, and how often at most. An end that jitters is told of for ever else. */
const anewAfter = 3600
const maxAnew = 3

/**
 * One piece of news for all the percentages in use that were passed since the largest share that was ever seen
 * (`known`): a share that falls back and comes again is no news.
 */
function progressEvent(
  { chain, now, asset, phase, endsAt }: Course,
  known: string | undefined,
  share: string | undefined,
  percents: readonly number[],
): Change<string | undefined> {
  if (share === undefined || phase === 'incoming') return { after: known, news: [] }
  if (known === undefined) return { after: share, news: [] }
  if (Big(share).lte(known)) return { after: known, news: [] }
  const passed = percents.filter((each) => Big(known).lt(each / 100) && Big(share).gte(each / 100))
  // Of a sale that is over only that it sold out is worth telling.
  const isTold = phase === 'live' || (phase === 'graduated' && Big(share).gte(1))
  if (passed.length === 0 || !isTold) return { after: share, news: [] }
  const until = (phase === 'live' ? endsAt : undefined) ?? now + day
  const address = asset.asset_address.toLowerCase()
  const news: Event = {
    key: `progress:${chain}:${address}:${Math.max(...passed)}`,
    chain,
    asset: address,
    at: now,
    usefulUntil: until > now ? until : now + grace,
    body: { kind: 'progress', asset, from: known, to: share },
  }
  return { after: share, news: [news] }
}

/**
 * One piece of news for all the minutes in use that were passed since the end was last looked at. An end that moves away
 * is counted down to anew from where it is then. While the interface calls an auction live whose end is over by our
 * clock, nothing is concluded; once it is over by both, what was not told comes too late, to be counted as such.
 */
function endingEvent(
  { chain, now, asset, phase, endsAt, isMet }: Course,
  known: AssetState['ending'],
  minutes: readonly number[],
): Change<AssetState['ending']> {
  if (endsAt === undefined) return { after: known, news: [] }
  const isOver = endsAt <= now
  if (phase === 'live' ? isOver : !isOver || known === undefined) return { after: known, news: [] }
  const left = isOver ? 0 : Math.ceil((endsAt - now) / minute)
  if (isMet) return { after: { endsAt, minutes: left }, news: [] }
  const anew = known && movedAway(known, endsAt, now)
  if (anew) return { after: { ...anew, minutes: left }, news: [] }
  const before = known ?? { endsAt, minutes: beyond }
  // Counted down to is the earliest of ends that moved by little: its key must not change with each of them.
  const after = {
    ...before,
    endsAt: Math.min(endsAt, before.endsAt),
    minutes: Math.min(left, before.minutes),
  }
  const passed = minutes.filter((each) => left <= each && each < before.minutes)
  if (passed.length === 0) return { after, news: [] }
  const address = asset.asset_address.toLowerCase()
  const news: Event = {
    key: `ending:${chain}:${address}:${after.endsAt}:${Math.min(...passed)}`,
    chain,
    asset: address,
    at: now,
    usefulUntil: endsAt,
    body: { kind: 'ending', asset, fromMinutes: before.minutes, minutes: left, endsAt },
  }
  return { after: { ...after, told: true }, news: [news] }
}

/** An end that moved away, where it may be counted down to anew. A time to come is of a clock that was set back since. */
function movedAway(
  known: Ending,
  endsAt: number,
  now: number,
): Omit<Ending, 'minutes'> | undefined {
  const { told, anew } = known
  if (endsAt <= known.endsAt + moved) return undefined
  if (!told) return { endsAt, anew }
  const { count, at } = anew ?? { count: 0, at: 0 }
  const mayBe = count < maxAnew && (now >= at + anewAfter || now < at)
  return mayBe ? { endsAt, anew: { count: count + 1, at: now } } : undefined
}

/**
 * Where an asset is by the interface's word. The list that it is in says so; of one that was asked for by itself its
 * status does, and a status that is none of the lists' words is the end of its auction.
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

/** Unix seconds at which an asset that has graduated did so. */
export function graduatedAt(asset: Asset, units: Units): number | undefined {
  return (
    figures(asset, units).migratedAt ??
    unixTime(asset.asset_migration_timestamp) ??
    unixTime(asset.auction_pool?.pool_migration_timestamp)
  )
}
