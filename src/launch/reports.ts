import type { Payload } from './payload.ts'

/** A transaction of which the signing page said that it carries the payload. */
export type Report = NonNullable<Payload['reported']>

/** Whoever has the link can make hashes up: so many are kept. */
const mostKept = 5
/** Seconds for which a transaction that nobody can see may still be on its way. */
const travels = 3_600

/** All that was reported of a payload and is still kept, the last first. */
export function reportsOf({ reported, reportedBefore = [] }: Payload): Report[] {
  return reported ? [reported, ...reportedBefore] : []
}

/** Whether no other report would fit without one being dropped. */
export function isFull(payload: Payload): boolean {
  return reportsOf(payload).length >= mostKept
}

/**
 * The payload with one more report; undefined where it has that one. For a new one the oldest is dropped of those that
 * the chain does not know.
 */
export function withReport(
  payload: Payload,
  report: Report,
  isKnown: (hash: string) => boolean,
): Payload | undefined {
  const before = reportsOf(payload)
  if (before.some(({ hash }) => hash === report.hash)) return undefined
  const unknown = before.findLast(({ hash }) => !isKnown(hash))
  const dropped = isFull(payload) ? (unknown ?? before.at(-1)) : undefined
  return {
    ...payload,
    reported: report,
    reportedBefore: before.filter((each) => each !== dropped),
    reports: payload.reports + 1,
  }
}

/** The payload with the report of this hash as the one that is spoken of. */
export function ledBy(payload: Payload, hash: string): Payload {
  const all = reportsOf(payload)
  const first = all.find((each) => each.hash === hash)
  if (!first) return payload
  return { ...payload, reported: first, reportedBefore: all.filter((each) => each !== first) }
}

/**
 * Whether a transaction that can't be seen may still be on its way. The end of the link bounds it: reports that are
 * made up later don't hold anything up.
 */
export function mayTravel(report: Report, { linkExpiresAt }: Payload, now: number): boolean {
  return now < Math.min(report.at, linkExpiresAt ?? Number.POSITIVE_INFINITY) + travels
}
