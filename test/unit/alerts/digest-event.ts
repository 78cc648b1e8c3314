import type { Event } from '../../../src/alerts/kinds/kind.ts'

interface DigestFacts {
  key: string
  rule: number
  at: number
}

/** The event of a digest with little content. */
export function digest({ key, rule, at }: DigestFacts): Event {
  return {
    key,
    chain: 0,
    asset: '',
    rule,
    at,
    usefulUntil: at + 3600,
    body: {
      kind: 'digest',
      scope: {},
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
