import type { Event } from '../../../src/alerts/kinds/kind.ts'

interface DigestFacts {
  key: string
  filter: number
  at: number
}

/** A digest that says next to nothing. */
export function digest({ key, filter, at }: DigestFacts): Event {
  return {
    key,
    chain: 0,
    asset: '',
    at,
    usefulUntil: at + 3600,
    body: {
      kind: 'digest',
      filter,
      date: '2026-11-21',
      zone: 'UTC',
      counts: { wentLive: 1, graduated: 0, live: 2 },
      endingSoon: [],
      newest: [],
      graduated: [],
      movers: [],
    },
  }
}
