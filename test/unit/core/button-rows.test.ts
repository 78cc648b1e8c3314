import { expect, test } from 'vitest'
import { balancedRows } from '../../../src/core/button-rows.ts'

const lengths = (count: number, label: string, limits: { max: number; columns?: number }) =>
  balancedRows(
    Array.from({ length: count }, () => ({ label })),
    limits,
  ).map((row) => row.length)

test.each([
  [0, []],
  [5, [5]],
  [6, [3, 3]],
  [7, [4, 3]],
  [8, [4, 4]],
  [10, [5, 5]],
  [11, [4, 4, 3]],
])('%i buttons are in rows of nearly equal length', (count, rows) => {
  expect(lengths(count, '1', { max: 5 })).toEqual(rows)
})

test('labels that would be cut off get more rows', () => {
  const limits = { max: 5, columns: 42 }
  expect(lengths(5, 'Upcoming auctions', limits)).toEqual([2, 2, 1])
  expect(lengths(5, 'Graduated', limits)).toEqual([3, 2])
  expect(lengths(5, '/auction', limits)).toEqual([3, 2])
  expect(lengths(4, '已毕业的拍卖会', limits)).toEqual([2, 2])
  expect(lengths(2, 'A label that is as wide as a phone', limits)).toEqual([1, 1])
})

test('buttons keep their order', () => {
  const buttons = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label) => ({ label }))
  expect(balancedRows(buttons, { max: 3 }).flat()).toEqual(buttons)
})
