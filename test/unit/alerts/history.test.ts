import { expect, test } from 'vitest'
import { type Point, withPoint } from '../../../src/alerts/asset.ts'
import type { Money } from '../../../src/api/units.ts'

const inDollars = (amount: string): Money => ({ amount, currency: 'usd' })
const inQuote = (amount: string): Money => ({ amount, currency: 'numeraire' })
const history = (...prices: Money[]) =>
  prices.reduce<readonly Point[]>(
    (points, price, index) => withPoint(points, { price }, 1_790_000_000 + index * 60),
    [],
  )
const prices = (points: readonly Point[]) => points.map(({ price }) => price)

test('a history in dollars takes no price in quote tokens, and goes on once dollars are known again', () => {
  expect(prices(history(inDollars('5'), inQuote('0.1'), inDollars('6')))).toEqual(['5', '6'])
})

test('a history in quote tokens begins anew once dollars are known', () => {
  const inTokens = history(inQuote('0.1'), inQuote('0.2'))
  expect(inTokens.map(({ isInQuote }) => isInQuote)).toEqual([true, true])
  expect(prices(history(inQuote('0.1'), inQuote('0.2'), inDollars('6')))).toEqual(['6'])
})
