import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Movement } from '../../../src/alerts/rule.ts'
import { movement } from '../../../src/alerts/thresholds.ts'
import type { Money } from '../../../src/api/units.ts'
import { now } from './auction.ts'

const currency: fc.Arbitrary<Money['currency']> = fc.constantFrom('usd', 'numeraire')

test('no value makes a filter heard more often than every ten minutes, and numbers never repeat', () => {
  const setting: fc.Arbitrary<Movement> = fc.constantFrom(
    { above: '5' },
    { below: '5' },
    { moves: 20 },
  )
  const looks = fc.array(
    fc.record({ seconds: fc.nat(900), amount: fc.nat(10).map(String), currency }),
  )
  fc.assert(
    fc.property(setting, looks, (each, course) => {
      let memory = ''
      let clock = now
      const times: number[] = []
      const counts: number[] = []
      for (const { seconds, ...value } of course) {
        clock += seconds
        const found = movement({ setting: each, memory }, 8453, value, clock)
        memory = found.memory
        if (!found.moved) continue
        times.push(clock)
        counts.push(found.moved.count)
      }
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      expect(gaps.filter((gap) => gap < 600)).toEqual([])
      expect(counts).toEqual(counts.map((_, index) => index + 1))
    }),
  )
})
