import type { Payload } from './payload.ts'

/** A transaction that the signing page reported as carrying the payload. */
export type Report = NonNullable<Payload['reported']>

/** A reported transaction that may or may not exist. */
export interface Unseen {
  payload: Payload
  report: Report
  /**
   * Unix seconds until which it may still reach the node; undefined if it can't be seen at all (no node, or the token
   * is unknown).
   */
  until?: number
}

/** Max reports stored per payload: anybody with the link can make hashes up. */
const maxStored = 5
/** Seconds that a transaction may take to reach the node. */
const travelSeconds = 120

/** Lists the stored reports; the first one is the one that is shown. */
export function reportsOf({ reported, reportedBefore = [] }: Payload): Report[] {
  return reported ? [reported, ...reportedBefore] : reportedBefore
}

/** Returns whether another report would replace a stored one. */
export function isFull(payload: Payload): boolean {
  return reportsOf(payload).length >= maxStored
}

/**
 * Adds a report; undefined if it is stored already or there is no room. A new report replaces the oldest one that the
 * chain does not know. A late report neither replaces nor precedes one that came in time.
 */
export function withReport(
  payload: Payload,
  report: Report,
  isKnown: (hash: string) => boolean,
): Payload | undefined {
  const before = reportsOf(payload)
  if (before.some(({ hash }) => hash === report.hash)) return undefined
  const dropped = isFull(payload) ? reportToDrop(before, report, isKnown) : undefined
  if (dropped === report) return undefined
  const remaining = before.filter((each) => each !== dropped)
  const [first, ...rest] = remaining
  const isBehindFirst = report.late === true && first !== undefined
  return {
    ...payload,
    reported: isBehindFirst ? first : report,
    reportedBefore: isBehindFirst ? [report, ...rest] : remaining,
    reports: payload.reports + 1,
  }
}

/** Returns the report to drop. */
function reportToDrop(
  before: readonly Report[],
  report: Report,
  isKnown: (hash: string) => boolean,
): Report | undefined {
  const unknown = before.filter(({ hash }) => !isKnown(hash))
  const late = unknown.findLast((each) => each.late)
  if (late) return late
  return report.late ? report : (unknown.at(-1) ?? before.at(-1))
}

/** Moves the report with this hash to the front. The chain knows it, so it is no longer late. */
export function withFirst(payload: Payload, hash: string): Payload {
  const all = reportsOf(payload)
  const first = all.find((each) => each.hash === hash)
  if (!first) return payload
  const { late: _, ...confirmed } = first
  return { ...payload, reported: confirmed, reportedBefore: all.filter((each) => each !== first) }
}

/**
 * Returns the unix second until which an unseen transaction may still arrive; 0 for a late report: with an expired link
 * anybody may have made it up, so it delays nothing.
 */
export function travelsUntil({ at, late }: Report): number {
  return late ? 0 : at + travelSeconds
}
