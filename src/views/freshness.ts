import type { Block } from '../core/view.ts'

/** The age of an API answer; stale if a newer one could not be fetched. */
export interface Freshness {
  /** Unix seconds. */
  fetchedAt: number
  stale: boolean
  /** Unix seconds at which it is shown. */
  now: number
}

/** @param read the answer's age in seconds @param now unix seconds */
export function freshness(read: { age: number; stale: boolean }, now: number): Freshness {
  return { fetchedAt: Math.floor(now - read.age), stale: read.stale, now }
}

/** A note below a stale answer; nothing below a fresh one. */
export function staleNote({ fetchedAt, stale }: Freshness): Block[] {
  if (!stale) return []
  return [
    {
      kind: 'text',
      quiet: true,
      spans: ['The data source does not answer. As of ', { time: fetchedAt, as: 'relative' }, '.'],
    },
  ]
}
