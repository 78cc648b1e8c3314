import type { Block } from '../core/view.ts'

/** How old an answer of the interface is; stale where a newer one could not be had. */
export interface Freshness {
  /** Unix seconds. */
  fetchedAt: number
  stale: boolean
  /** When it is shown, in unix seconds. */
  now: number
}

/** @param now in unix seconds */
export function freshness(read: { age: number; stale: boolean }, now: number): Freshness {
  return { fetchedAt: Math.floor(now - read.age), stale: read.stale, now }
}

/** A note under what may be out of date; nothing under what is fresh. */
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
