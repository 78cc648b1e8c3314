import type { Payload } from './payload.ts'

/** A transaction of which the signing page said that it carries the payload. */
export type Report = NonNullable<Payload['reported']>

/** A transaction of which nobody here can tell whether there is one. */
export interface Unseen {
  payload: Payload
  report: Report
  /** Unix seconds until which it may still reach the node; absent: the chain has none, so it never is seen. */
  until?: number
}

/** Whoever has the link can make hashes up: so many are kept. */
const maxKept = 5
/** Seconds for which a transaction that the node doesn't know may still be on its way to it. */
const travels = 120

/** All that was reported of a payload and is still kept, the one that is spoken of first. */
export function reportsOf({ reported, reportedBefore = [] }: Payload): Report[] {
  return reported ? [reported, ...reportedBefore] : reportedBefore
}

/** Whether no other report would fit without one being dropped. */
export function isFull(payload: Payload): boolean {
  return reportsOf(payload).length >= maxKept
}

/**
 * The payload with one more report; undefined where it has that one, or has no room for it. For a new one the oldest is
 * dropped of those that the chain does not know. A late one neither takes the place of one that was reported in time nor
 * is spoken of before it.
 */
export function withReport(
  payload: Payload,
  report: Report,
  isKnown: (hash: string) => boolean,
): Payload | undefined {
  const before = reportsOf(payload)
  if (before.some(({ hash }) => hash === report.hash)) return undefined
  const dropped = isFull(payload) ? leastOf(before, report, isKnown) : undefined
  if (dropped === report) return undefined
  const kept = before.filter((each) => each !== dropped)
  const [first, ...rest] = kept
  const behind = report.late === true && first !== undefined
  return {
    ...payload,
    reported: behind ? first : report,
    reportedBefore: behind ? [report, ...rest] : kept,
    reports: payload.reports + 1,
  }
}

/** The report that is missed least. */
function leastOf(
  before: readonly Report[],
  report: Report,
  isKnown: (hash: string) => boolean,
): Report | undefined {
  const unknown = before.filter(({ hash }) => !isKnown(hash))
  const late = unknown.findLast((each) => each.late)
  if (late) return late
  return report.late ? report : (unknown.at(-1) ?? before.at(-1))
}

/** The payload with the report of this hash as the one that is spoken of: the chain knows it, so it is not late. */
export function ledBy(payload: Payload, hash: string): Payload {
  const all = reportsOf(payload)
  const first = all.find((each) => each.hash === hash)
  if (!first) return payload
  const { late: _, ...known } = first
  return { ...payload, reported: known, reportedBefore: all.filter((each) => each !== first) }
}

/**
 * Unix seconds until which a transaction that can't be seen may still be on its way. What was reported through a link
 * that had ended holds nothing up: anybody may have made it up.
 */
export function travelsUntil({ at, late }: Report): number {
  return late ? 0 : at + travels
}
