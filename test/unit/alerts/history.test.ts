import { describe, expect, test } from 'vitest'
import { historySchema, type Point } from '../../../src/alerts/snapshot.ts'
import { withPoint } from '../../../src/alerts/watcher.ts'
import type { Money } from '../../../src/api/units.ts'
import { now } from './auction.ts'

const usd = (amount: string): Money => ({ amount, currency: 'usd' })

describe('a history', () => {
  const first = withPoint([], { price: usd('1'), progress: '0.1' }, now)

  test('begins with what is known', () => {
    expect(first).toEqual([{ at: now, price: '1', progress: '0.1' }])
    expect(withPoint([], {}, now)).toEqual([])
  })

  test('grows where the price or the progress changed, at most once a minute', () => {
    expect(withPoint(first, { price: usd('1'), progress: '0.1' }, now + 600)).toBe(first)
    expect(withPoint(first, { price: usd('2'), progress: '0.1' }, now + 59)).toBe(first)
    expect(withPoint(first, { price: usd('2') }, now + 60)).toEqual([
      ...first,
      { at: now + 60, price: '2', progress: undefined },
    ])
  })

  test('goes on after a clock was set back, in order', () => {
    const second = withPoint(first, { price: usd('2') }, now + 7200)
    const back = withPoint(second, { price: usd('3') }, now + 3600)
    expect(back.map(({ at }) => at - now)).toEqual([0, 3600])
  })

  test('stays bounded and whole, finest at its end', () => {
    let points: readonly Point[] = []
    for (let index = 0; index < 5000; index += 1) {
      points = withPoint(points, { price: usd(String(index)) }, now + index * 60)
      if (points.length > 96) break
      if (index >= 39) expect(points.at(-40)?.at).toBe(now + (index - 39) * 60)
    }
    const times = points.map(({ at }) => (at - now) / 60)
    expect(points.length).toBeLessThanOrEqual(96)
    expect(points.length).toBeGreaterThan(48)
    expect([times[0], times.at(-1), times.at(-2)]).toEqual([0, 4999, 4998])
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.max(...gaps.slice(0, 24))).toBeGreaterThan(1)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(historySchema.safeParse(JSON.parse(JSON.stringify(points))).success).toBe(true)
  })

  test('holds no number that could not be read again', () => {
    const points = withPoint(
      [],
      { price: usd(`0.${'1'.repeat(200)}`), progress: `0.${'3'.repeat(200)}` },
      now,
    )
    expect(historySchema.safeParse(points).success).toBe(true)
    expect(points[0]?.price).toBeUndefined()
  })
})
