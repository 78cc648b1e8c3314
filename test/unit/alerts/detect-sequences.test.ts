import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AssetState, Observation } from '../../../src/alerts/asset.ts'
import { absent, found, now, poll, reread } from './auction.ts'

/** A look some seconds after the one before, by a clock that never goes back. */
interface Moment {
  seconds: number
  observation: Observation
}

const hour = 3600
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

/** The keys that looks tell, where the state is the very object or what a restart reads. */
function keysOf(
  looks: readonly Moment[],
  begunAt: number | undefined,
  restarts: boolean,
): string[] {
  let state: AssetState | undefined
  let clock = now
  return looks.flatMap(({ seconds, observation: each }, index) => {
    clock += seconds
    const before = restarts && state ? reread(state) : state
    const change = poll(before, each, { now: clock, begunAt: index === 0 ? begunAt : now - hour })
    state = change?.after
    return change?.events.map(({ key }) => key) ?? []
  })
}

test('no step of a life and no mark is told twice, whatever the API shows', () => {
  fc.assert(
    fc.property(moments, beginning, (looks, begunAt) => {
      // An end may move to and fro, and what is too late is only counted: there the stored key decides.
      const keys = keysOf(looks, begunAt, false).filter((key) => !key.startsWith('ending:'))
      expect(keys).toEqual([...new Set(keys)])
    }),
    { numRuns: 2000 },
  )
})

test('restarts make no difference', () => {
  fc.assert(
    fc.property(moments, beginning, (looks, begunAt) => {
      expect(keysOf(looks, begunAt, true)).toEqual(keysOf(looks, begunAt, false))
    }),
    { numRuns: 1000 },
  )
})

const life = fc
  .record({
    announced: fc.integer({ min: 60, max: hour }),
    waits: fc.integer({ min: 1, max: hour }),
    sells: fc.integer({ min: 60, max: 6 * hour }),
    looks: fc.uniqueArray(fc.integer({ min: 1, max: 12 * hour }), { minLength: 1, maxLength: 30 }),
  })
  .map(({ announced, waits, sells, looks }) => ({
    createdAt: now + announced,
    startsAt: now + announced + waits,
    endsAt: now + announced + waits + sells,
    looks: looks.sort((one, other) => one - other).map((seconds) => now + seconds),
  }))

test('whatever gaps there are between looks, each step of a life is told that a look fell on', () => {
  fc.assert(
    fc.property(life, ({ createdAt, startsAt, endsAt, looks }) => {
      let state: AssetState | undefined
      const told: string[] = []
      const expected = new Set<string>()
      for (const at of looks.filter((each) => each >= createdAt)) {
        const kind = at < startsAt ? 'incoming' : at < endsAt ? 'live' : 'graduated'
        const facts = { createdAt, startsAt, endsAt, ...(at >= endsAt && { migratedAt: endsAt }) }
        const change = poll(state, found(kind, facts), { now: at, begunAt: now, rules: [] })
        state = change?.after
        told.push(...(change?.events.map(({ body }) => body.kind) ?? []))
        expected.add(kind)
      }
      expect(told).toEqual([...expected])
    }),
    { numRuns: 1000 },
  )
})
