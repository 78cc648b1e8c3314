import { graduationPool, statusOf } from '../api/asset.ts'
import { type Figures, figuresOf } from '../api/figures.ts'
import { isListStatus, type ListStatus, listStatuses } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { AssetState, FoundAsset, Observation, Phase, Reached, TrimmedAsset } from './asset.ts'
import {
  type AssetPoll,
  type Detected,
  day,
  type Event,
  hasReached,
  highestOf,
  minimums,
  reachedBy,
  type Scope,
} from './kinds/kind.ts'
import { kindIds, kinds } from './kinds/list.ts'
import { graduatedAt } from './kinds/phase.ts'
import type { Rule } from './rule.ts'
import type { StoredAsset } from './snapshot.ts'

/** Finds the events of one poll of an asset. It is made for the rules that have subscribers at that moment. */
type Detector = (poll: AssetPoll) => Detected

/** The inputs of the detection beside the two states of the asset. */
export interface DetectContext {
  chain: number
  /** Unix seconds. */
  now: number
  /**
   * Unix seconds of the first complete poll of the chain; undefined before it and during it. Until then nobody is notified
   * that an asset entered a phase: all assets are new to the bot.
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
export function detectorsFor(rules: readonly Rule[]): Detector[] {
  const own = kindIds.flatMap((id): Detector[] => {
    const { detection } = kinds[id]
    if (detection.from === 'asset') return [(poll) => detection.detect(poll)]
    if (detection.from !== 'asset-and-settings') return []
    return [detection.detector(rules.filter(({ kind }) => kind === id).map((rule) => rule.setting))]
  })
  return [...own, lateDetector(rules)]
}

/** An event of a phase that comes late: in it the asset has reached what a rule asks for at least. */
function lateDetector(rules: readonly Pick<Rule, 'kind' | 'scope'>[]): Detector {
  const scopes = new Map<string, Scope[]>()
  for (const { kind, scope } of rules) {
    if (minimums.every((minimum) => scope[minimum] === undefined)) continue
    scopes.set(kind, [...(scopes.get(kind) ?? []), scope])
  }
  return (poll) => {
    const { phase, before, now } = poll
    if (poll.entered !== undefined || before?.phase !== phase || !isListStatus(phase)) return {}
    const { detection } = kinds[phase]
    const [earlier, later] = [highestBefore(poll), highestNow(poll)]
    const isNew = (scope: Scope) => hasReached(scope, later) && !hasReached(scope, earlier)
    if (detection.from !== 'asset' || !scopes.get(phase)?.some(isNew)) return {}
    const { event } = detection.detect({ ...poll, entered: phase })
    if (event === undefined) return {}
    const key = `${event.key}:${later.mcap ?? ''}:${later.raised ?? ''}`
    return { event: { ...event, key, at: now, reached: { now: later, before: earlier } } }
  }
}

/** The highest figures that were observed in the present phase before this poll. */
function highestBefore({ before, phase, units }: AssetPoll): Reached {
  if (before?.phase !== phase) return {}
  return before.highest ?? reachedBy(figuresOf(before.asset, units))
}

function highestNow(poll: AssetPoll): Reached {
  return highestOf(highestBefore(poll), reachedBy(poll.figures))
}

/**
 * Compares an asset with what is stored of it. Returns the new state and the events; undefined if the asset was never
 * seen and is absent. Each event has a unique, permanent key, and a `usefulUntil` that may have passed already.
 */
export function detect(
  stored: Pick<StoredAsset, 'state' | 'history'> | undefined,
  observation: Observation,
  context: DetectContext,
): StateChange | undefined {
  const before = stored?.state
  if (observation.source === 'none') return before && { after: markAbsent(before), events: [] }
  const { asset } = observation
  const { chain, now, units, begunAt, detectors } = context
  const figures = figuresOf(asset, units)
  const phase = phaseOf(observation, before, figures, now)
  const past = before?.pastPhases ?? []
  const isFirst = isListStatus(phase) && !past.includes(phase)
  const shouldNotify =
    isFirst && (before ? begunAt !== undefined : isNew(phase, asset, figures, context))
  const poll: AssetPoll = {
    chain,
    now,
    asset,
    figures,
    units,
    phase,
    entered: shouldNotify ? phase : undefined,
    before,
    history: stored?.history ?? [],
    isFirstSeenLate: before === undefined && !shouldNotify,
  }
  const detected = detectors.map((detector) => detector(poll))
  const after = {
    ...before,
    phase,
    asset,
    pastPhases: pastPhases(phase, past),
    highest: highestNow(poll),
    absences: 0,
  }
  const reached = { now: reachedBy(figures) }
  return {
    after: Object.assign(after, ...detected.map(({ state }) => state)),
    events: detected.flatMap(({ event }) => (event ? [{ reached, ...event }] : [])),
  }
}

function markAbsent(before: AssetState): AssetState {
  const absences = before.absences + 1
  return { ...before, absences, phase: absences >= absencesUntilGone ? 'gone' : before.phase }
}

/** The phases that produce no event any more: an asset in one has been through those before it. */
function pastPhases(phase: Phase, before: readonly ListStatus[]): ListStatus[] {
  const order: readonly Phase[] = listStatuses
  const reached = order.indexOf(phase)
  return listStatuses.filter((each, index) => index <= reached || before.includes(each))
}

/**
 * Whether an asset that is seen for the first time appeared after the chain's first poll, by the asset's own
 * timestamps.
 */
function isNew(
  phase: ListStatus,
  asset: TrimmedAsset,
  figures: Figures,
  { begunAt, now }: DetectContext,
): boolean {
  if (begunAt === undefined) return false
  if (phase === 'graduated') {
    const at = graduatedAt(asset, figures)
    return at !== undefined && at >= begunAt && at > now - day
  }
  const { startsAt, createdAt } = figures
  const since = phase === 'live' ? (startsAt ?? createdAt) : createdAt
  return since === undefined || since >= begunAt
}

/**
 * The phase of an asset by the API: the list it was found in or, if it was fetched by its address, its status. A status
 * that is none of the lists' means that its auction has ended.
 */
export function phaseOf(
  { source, asset }: FoundAsset,
  before: AssetState | undefined,
  { endsAt }: Figures,
  now: number,
): Phase {
  if (source !== 'fetch') return source
  const status = statusOf(asset)
  if (isListStatus(status)) return status
  if (status !== undefined) return 'ended'
  if (graduationPool(asset)) return 'graduated'
  if (endsAt !== undefined && endsAt <= now) return 'ended'
  return before?.phase ?? 'live'
}
