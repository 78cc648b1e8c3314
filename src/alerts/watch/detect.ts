import { type Figures, figures } from '../../api/figures.ts'
import { type ListStatus, listStatuses } from '../../api/status.ts'
import type { Units } from '../../api/units.ts'
import type { News } from '../news.ts'
import type { AssetState, Phase, Seen, Sighting } from '../state.ts'
import { storableShare } from '../storable.ts'
import { type Course, endingNews, grace, progressNews } from './detect-course.ts'
import { graduatedAt, phaseOf } from './detect-phase.ts'

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
  news: News[]
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
  sighting: Sighting,
  context: Context,
): Difference | undefined {
  if (sighting.by === 'absence') return before && { after: missed(before), news: [] }
  const { asset } = sighting
  const facts = figures(asset, context.units)
  const phase = phaseOf(sighting, before, context)
  const told = before?.told ?? []
  const isFirst = isTold(phase) && !told.includes(phase)
  const tells =
    isFirst && (before ? context.begunAt !== undefined : isNew(phase, sighting, context))
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
  const progress = progressNews(course, sold, storableShare(facts.progress), context.percents)
  const ending = endingNews(course, before?.ending, context.minutes)
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
      ...(tells ? [phaseNews(phase, sighting, facts, context)] : []),
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

function phaseNews(
  kind: ToldPhase,
  { asset }: Seen,
  { startsAt, endsAt, createdAt }: Figures,
  { chain, now, units }: Context,
): News {
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
