import { describe, expect, test } from 'vitest'
import { median, medianRatio, percentile, rotated } from '../../../bench/statistics.ts'

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)

  test.each([
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('the share %d of 1 to 100 lies below %d', (share, value) => {
    expect(percentile(hundred, share)).toBe(value)
  })

  test('of nothing is not a number', () => {
    expect(percentile([], 0.5)).toBeNaN()
  })
})

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([3, 1, 2])).toBe(2)
  expect(median([])).toBeNaN()
})

test('a disturbance that slows a whole round down leaves the ratio as it is', () => {
  expect(medianRatio([80, 8, 80], [100, 10, 100])).toBeCloseTo(0.8)
})

test('each round starts with another one', () => {
  expect([0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''))).toEqual([
    'abc',
    'bca',
    'cab',
    'abc',
  ])
})
