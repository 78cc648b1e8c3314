import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssetState, Observation, Point } from '../../../src/alerts/asset.ts'
import { detect } from '../../../src/alerts/detect.ts'
import type { AssetPoll } from '../../../src/alerts/kinds/kind.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { absent, address, begunAt, found, keysOf, now, poll, polls, reread } from './auction.ts'

const live = `live:8453:${address}`
const incoming = `incoming:8453:${address}`
const graduated = `graduated:8453:${address}`
const hour = 3600
const day = 24 * hour
const before = begunAt - hour
const soon = { startsAt: now + hour, createdAt: now - 60 }
const running = { startsAt: now - 60, endsAt: now + 2 * day, createdAt: now - hour }
const over = { startsAt: now - day, endsAt: now - 60 }
const done = { migratedAt: now - 60, createdAt: now - day }
const [isLive, isSoon, isDone] = [
  found('live', running),
  found('incoming', soon),
  found('graduated', done),
]

test.each<[what: string, observations: Observation[], keys: string[][]]>([
  ['each step', [isSoon, isLive, isDone], [[incoming], [live], [graduated]]],
  ['each step once', [isLive, isLive], [[live], []]],
  [
    'nothing new if it vanished',
    [isLive, absent, absent, absent, isLive],
    [[live], [], [], [], []],
  ],
  [
    'what follows after it vanished',
    [isSoon, absent, absent, absent, isLive],
    [[incoming], [], [], [], [live]],
  ],
  ['nothing twice if it falls back to an earlier list', [isLive, isSoon, isLive], [[live], [], []]],
  [
    'nothing twice if it graduates and is live again',
    [isLive, isDone, isLive, isDone],
    [[live], [graduated], [], []],
  ],
  [
    'its graduation after an unknown status',
    [isLive, found('fetch', { ...running, status: 'stall' }), isDone],
    [[live], [], [graduated]],
  ],
])('an auction’s life notifies of %s', (_what, observations, keys) => {
  expect(polls(observations).keys).toEqual(keys)
})

test('the first poll of a chain, even if repeated, notifies of nothing; what follows does', () => {
  const first = poll(undefined, isSoon, { begunAt: undefined })
  const again = poll(first?.after, isSoon, { begunAt: undefined })
  expect([keysOf(first), keysOf(again)]).toEqual([[], []])
  expect(keysOf(poll(again?.after, isLive))).toEqual([live])
  const moved = poll(first?.after, isLive, { begunAt: undefined })
  expect(keysOf(poll(moved?.after, isLive))).toEqual([])
})

test.each<[what: string, observation: Observation, keys: string[] | undefined]>([
  ['live since', isLive, [live]],
  ['live before', found('live', { startsAt: before, endsAt: now + day }), []],
  ['created before, live since', found('live', { ...running, createdAt: before }), [live]],
  ['created before, without a start', found('live', { createdAt: before }), []],
  ['live, without times', found('live'), [live]],
  ['announced since', isSoon, [incoming]],
  ['announced before', found('incoming', { ...soon, createdAt: before }), []],
  ['graduated since', isDone, [graduated]],
  ['graduated before', found('graduated', { migratedAt: before }), []],
  ['graduated, nobody knows when', found('graduated', { migratedAt: null }), []],
  ['migrated by its own time', found('graduated', { assetMigratedAt: now - 60 }), [graduated]],
  ['live before, in seconds', found('live', { startsAt: String(before) }), []],
  ['live before, in milliseconds', found('live', { startsAt: String(before * 1000) }), []],
  ['live before, in ISO', found('live', { startsAt: new Date(before * 1000).toISOString() }), []],
  ['absent', absent, undefined],
])('an asset that was never seen, and is %s', (_what, observation, keys) => {
  expect(keysOf(poll(undefined, observation))).toEqual(keys)
})

test('a graduation over a day ago, or before the chain was watched, makes no event', () => {
  const at = (migratedAt: number, since: number) =>
    keysOf(poll(undefined, found('graduated', { migratedAt }), { begunAt: since }))
  expect(at(now - day - 1, 0)).toEqual([])
  expect(at(now - hour - 1, now - hour)).toEqual([])
  expect(at(now - hour, now - hour)).toEqual([graduated])
})

describe('the phase of an asset that was fetched', () => {
  const pool = `0x${'9'.repeat(40)}`
  const placeholder = '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
  test.each([
    ['live by its status', { ...running, status: 'LIVE' }, 'live'],
    ['live by its status after its end', { ...over, status: 'live' }, 'live'],
    ['graduated by its status', { ...over, status: 'graduated' }, 'graduated'],
    [
      'live by its status though its next pool has a price',
      { ...running, status: 'live', graduationPool: pool, price: '1' },
      'live',
    ],
    ['ended by any other status', { ...running, status: 'stall' }, 'ended'],
    ['graduated by its pool', { ...over, migratedAt: now }, 'graduated'],
    ['ended if its pool is a placeholder', { ...over, graduationPool: placeholder }, 'ended'],
    ['ended by its end', { ...over, status: null }, 'ended'],
    ['as before if nothing says', running, 'live'],
  ])('%s', (_what, facts, phase) => {
    expect(polls([isLive, found('fetch', facts)]).state?.phase).toBe(phase)
  })

  test('is gone after three absences in a row', () => {
    const phaseAfter = (...observations: Observation[]) =>
      polls([isLive, ...observations]).state?.phase
    expect(phaseAfter(absent, absent)).toBe('live')
    expect(phaseAfter(absent, absent, absent)).toBe('gone')
    expect(phaseAfter(absent, absent, isLive, absent, absent)).toBe('live')
  })
})

test.each([
  ['live: until the end', isLive, { usefulUntil: now + 2 * day, at: now - 60 }],
  ['live without an end: for a day', found('live'), { usefulUntil: now + day }],
  ['live after its end by our clock: a while', found('live', over), { usefulUntil: now + 900 }],
  ['live before its start', found('live', { startsAt: now + 60 }), { at: now }],
  ['incoming: until the start', isSoon, { usefulUntil: now + hour }],
  ['incoming without a start: for a day', found('incoming'), { usefulUntil: now + day }],
  ['graduated: for a day', isDone, { usefulUntil: now + day - 60 }],
  ['graduated in the future', found('graduated', { migratedAt: now + 600 }), { at: now }],
])(
  'an event is useful for as long as it says, and happened in the past: %s',
  (...[, seen, times]) => {
    expect(poll(undefined, seen)?.events).toMatchObject([times])
  },
)

test('addresses are in lower case, and the asset is as the API gave it', () => {
  const shouted = '0x4200000000000000000000000000000000000AAA'
  const { events } = poll(undefined, found('live', { ...running, address: shouted })) ?? {}
  expect(events).toMatchObject([
    { key: live, asset: address, body: { asset: { asset_address: shouted } } },
  ])
})

/** A poll some seconds after the one before, by a clock that is never set back. */
interface Moment {
  seconds: number
  observation: Observation
}

const time = fc.option(
  fc
    .integer({ min: now - 2 * hour, max: now + 8 * hour })
    .chain((at) =>
      fc.constantFrom(String(at), String(at * 1000), new Date(at * 1000).toISOString(), 'soon'),
    ),
)
const facts = fc.record({
  status: fc.constantFrom(null, 'live', 'incoming', 'graduated', 'stall', 'Unheard-of'),
  sold: fc.option(fc.oneof(fc.integer({ min: 0, max: 101 }), fc.constant('much'))),
  startsAt: time,
  endsAt: fc.oneof(time, fc.constantFrom(String(now + 2 * hour), String(now + 3 * hour))),
  createdAt: fc.option(fc.integer({ min: now - 2 * hour, max: now })),
})
const observation: fc.Arbitrary<Observation> = fc.oneof(
  fc.constant(absent),
  fc
    .tuple(fc.constantFrom('incoming', 'live', 'live', 'graduated', 'fetch'), facts)
    .map(([by, each]) => found(by, each)),
)
const moments: fc.Arbitrary<Moment[]> = fc.array(
  fc.record({ seconds: fc.integer({ min: 1, max: hour }), observation }),
  { maxLength: 25 },
)
const beginning = fc.constantFrom(undefined, now - hour)

/** The keys of the events of a sequence of polls; with `restarts` each state is read again from its JSON. */
function keysOfMoments(
  sequence: readonly Moment[],
  begunAt: number | undefined,
  restarts: boolean,
): string[] {
  let state: AssetState | undefined
  let clock = now
  return sequence.flatMap(({ seconds, observation: each }, index) => {
    clock += seconds
    const before = restarts && state ? reread(state) : state
    const change = poll(before, each, { now: clock, begunAt: index === 0 ? begunAt : now - hour })
    state = change?.after
    return change?.events.map(({ key }) => key) ?? []
  })
}

test('no phase and no percentage is notified twice, whatever the API shows', () => {
  fc.assert(
    fc.property(moments, beginning, (sequence, begunAt) => {
      // An end may move to and fro, and what is too late is only counted: there the stored key decides.
      const keys = keysOfMoments(sequence, begunAt, false).filter(
        (key) => !key.startsWith('ending:'),
      )
      expect(keys).toEqual([...new Set(keys)])
    }),
    { numRuns: 2000 },
  )
})

test('restarts make no difference', () => {
  fc.assert(
    fc.property(moments, beginning, (sequence, begunAt) => {
      expect(keysOfMoments(sequence, begunAt, true)).toEqual(
        keysOfMoments(sequence, begunAt, false),
      )
    }),
    { numRuns: 1000 },
  )
})

const life = fc
  .record({
    announced: fc.integer({ min: 60, max: hour }),
    waits: fc.integer({ min: 1, max: hour }),
    sells: fc.integer({ min: 60, max: 6 * hour }),
    times: fc.uniqueArray(fc.integer({ min: 1, max: 12 * hour }), { minLength: 1, maxLength: 30 }),
  })
  .map(({ announced, waits, sells, times }) => ({
    createdAt: now + announced,
    startsAt: now + announced + waits,
    endsAt: now + announced + waits + sells,
    times: times.sort((one, other) => one - other).map((seconds) => now + seconds),
  }))

test('whatever gaps there are between polls, each phase that a poll observed is notified', () => {
  fc.assert(
    fc.property(life, ({ createdAt, startsAt, endsAt, times }) => {
      let state: AssetState | undefined
      const notified: string[] = []
      const expected = new Set<string>()
      for (const at of times.filter((each) => each >= createdAt)) {
        const kind = at < startsAt ? 'incoming' : at < endsAt ? 'live' : 'graduated'
        const facts = { createdAt, startsAt, endsAt, ...(at >= endsAt && { migratedAt: endsAt }) }
        const change = poll(state, found(kind, facts), { now: at, begunAt: now, rules: [] })
        state = change?.after
        notified.push(...(change?.events.map(({ body }) => body.kind) ?? []))
        expected.add(kind)
      }
      expect(notified).toEqual([...expected])
    }),
    { numRuns: 1000 },
  )
})

test('a kind is given the history that is stored, and an empty one for a new asset', () => {
  const history = [{ at: now - 600, price: '1' }]
  const given: (readonly Point[])[] = []
  const detectors = [
    (each: AssetPoll) => {
      given.push(each.history)
      return {}
    },
  ]
  const context = { chain: 8453, now, begunAt, units: defaultUnits, detectors }
  const state = detect(undefined, isLive, context)?.after
  detect({ state, history }, isLive, context)
  expect(given).toEqual([[], history])
})

describe('an alert with a minimum', () => {
  const least = (mcap: string, more: object = {}) =>
    ({ kind: 'live', setting: {}, scope: { mcap, ...more } }) as const
  const at = (marketCap: string | null) => found('live', { ...running, marketCap })
  /** The figures of a poll's late event; undefined if there is none. */
  const late = (observations: readonly Observation[], rules = [least('50000')]) => {
    let state: AssetState | undefined
    return observations.map((observation) => {
      const change = poll(state, observation, { rules })
      state = change?.after
      return change?.events.flatMap(({ reached }) => (reached?.before ? [reached] : []))[0]
    })
  }

  test('comes once the auction gets there, and once', () => {
    const all = ['40000', null, '60000', '30000', '70000'].map(at)
    expect(late(all).map((reached) => reached?.now.mcap)).toEqual([
      undefined,
      undefined,
      '60000',
      undefined,
      undefined,
    ])
  })

  test('comes for each rule by itself', () => {
    const rules = [least('50000'), least('65000')]
    expect(late(['60000', '70000'].map(at), rules)).toMatchObject([
      undefined,
      { before: { mcap: '60000' }, now: { mcap: '70000' } },
    ])
    expect(late(['70000', '80000'].map(at), rules)).toEqual([undefined, undefined])
  })

  test('needs no late event if nobody asks for a minimum, or it was there at the start', () => {
    expect(late(['10000', '90000'].map(at), [])).toEqual([undefined, undefined])
  })

  test('begins anew in the next phase', () => {
    const [before, after] = [
      found('incoming', { ...soon, marketCap: '90000' }),
      found('live', { ...running, marketCap: '40000' }),
    ]
    expect(late([before, after, at('60000')]).map((each) => each?.now.mcap)).toEqual([
      undefined,
      undefined,
      '60000',
    ])
  })
})
