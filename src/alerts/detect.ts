import { type Figures, figures, graduationPool, statusOf } from '../api/figures.ts'
import { isListStatus, type ListStatus, listStatuses } from '../api/status.ts'
import type { Units } from '../api/units.ts'
import type { AssetState, BriefAsset, FoundAsset, Observation, Phase } from './asset.ts'
import type { Event } from './event.ts'
import { type AssetPoll, type Detected, day } from './kinds/kind.ts'
import { kindIds, kinds } from './kinds/list.ts'
import { graduatedAt } from './kinds/phase.ts'
import type { Rule } from './rule.ts'

/** Finds what one poll of an asset means, for the rules of one moment. */
export type Detector = (poll: AssetPoll) => Detected

/** The inputs of the detection beside the two states of the asset. */
export interface DetectContext {
  chain: number
  /** Unix seconds. */
  now: number
  /**
   * Unix seconds of the first complete poll of the chain; undefined during that poll, which produces no phase events.
   */
  begunAt: number | undefined
  units: Units
  detectors: readonly Detector[]
}

/** An asset's new state, and the events that led to it. */
export interface StateChange {
  after: AssetState
  events: Event[]
}

/** Absences in a row until an asset counts as gone: a single "not found" may be a glitch. */
const absencesUntilGone = 3

/** The detectors of all kinds that compare the states of assets. */
export function detectorsFor(rules: readonly Pick<Rule, 'kind' | 'setting'>[]): Detector[] {
  return kindIds.flatMap((id): Detector[] => {
    const { detection } = kinds[id]
    if (detection.by === 'asset') return [(poll) => detection.detect(poll)]
    if (detection.by !== 'settings') return []
    return [detection.detector(rules.filter(({ kind }) => kind === id).map((rule) => rule.setting))]
  })
}

/**
 * Compares an asset with its last stored state. Returns the new state and the events; undefined if the asset was never
 * seen and is absent. Each event has a unique, permanent key, and a `usefulUntil` that may have passed already.
 */
export function detect(
  before: AssetState | undefined,
  observation: Observation,
  context: DetectContext,
): StateChange | undefined {
  if (observation.by === 'absence') return before && { after: markAbsent(before), events: [] }
  const { asset } = observation
  const { chain, now, units, begunAt, detectors } = context
  const facts = figures(asset, units)
  const phase = phaseOf(observation, before, facts, now)
  const passed = before?.told ?? []
  const isFirst = isListStatus(phase) && !passed.includes(phase)
  const isNotified =
    isFirst && (before ? begunAt !== undefined : isNew(phase, asset, facts, context))
  const poll: AssetPoll = {
    chain,
    now,
    asset,
    figures: facts,
    phase,
    entered: isNotified ? phase : undefined,
    before,
    isSeenUnderWay: before === undefined && !isNotified,
  }
  const detected = detectors.map((detector) => detector(poll))
  const after = { ...before, phase, asset, told: passedBy(phase, passed), misses: 0 }
  return {
    after: Object.assign(after, ...detected.map(({ state }) => state)),
    events: detected.flatMap(({ event }) => event ?? []),
  }
}

function markAbsent(before: AssetState): AssetState {
  const misses = before.misses + 1
  return { ...before, misses, phase: misses >= absencesUntilGone ? 'gone' : before.phase }
}

/** The phases that produce no event any more. An asset in one has passed those before it. */
function passedBy(phase: Phase, passed: readonly ListStatus[]): ListStatus[] {
  const order: readonly Phase[] = listStatuses
  const reached = order.indexOf(phase)
  return listStatuses.filter((each, index) => index <= reached || passed.includes(each))
}

/**
 * Whether an asset that is seen for the first time appeared after the chain's first poll, by the asset's own
 * timestamps.
 */
function isNew(
  phase: ListStatus,
  asset: BriefAsset,
  facts: Figures,
  { begunAt, now }: DetectContext,
): boolean {
  if (begunAt === undefined) return false
  if (phase === 'graduated') {
    const at = graduatedAt(asset, facts)
    return at !== undefined && at >= begunAt && at > now - day
  }
  const { startsAt, createdAt } = facts
  const since = phase === 'live' ? (startsAt ?? createdAt) : createdAt
  return since === undefined || since >= begunAt
}

/**
 * The phase of an asset by the API: the list it was found in or, if it was fetched by its address, its status. A status
 * that is none of the lists' means that its auction has ended.
 */
export function phaseOf(
  { by, asset }: FoundAsset,
  before: AssetState | undefined,
  { endsAt }: Figures,
  now: number,
): Phase {
  if (by !== 'fetch') return by
  const status = statusOf(asset)
  if (isListStatus(status)) return status
  if (status !== undefined) return 'ended'
  if (graduationPool(asset)) return 'graduated'
  if (endsAt !== undefined && endsAt <= now) return 'ended'
  return before?.phase ?? 'live'
}
