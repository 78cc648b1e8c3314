import { afterEach, beforeEach, expect, test } from 'vitest'
import { Watchlists } from '../../../src/db/watchlists.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

const price = { amount: '0.000000000000000000000001234', currency: 'usd' }

test('each person has their own list, with prices as they were when tokens were added, last added first', async () => {
  const lists = new Watchlists(await database.open())
  const first = { chain: 8453, asset: '0xa', price, addedAt: 4_000_000_000 }
  const second = { chain: 1, asset: '0xa', addedAt: 4_000_000_001 }
  expect(await lists.add('telegram', '7', first)).toBe(true)
  expect(await lists.add('telegram', '7', second)).toBe(true)
  expect(await lists.add('telegram', '7', { ...first, price: undefined, addedAt: 1 })).toBe(true)
  expect(await lists.of('telegram', '7')).toEqual([second, first])
  expect(await lists.of('telegram', '8')).toEqual([])
  expect(await lists.of('discord', '7')).toEqual([])
  await lists.remove('telegram', '8', first)
  await lists.remove('telegram', '7', second)
  expect(await lists.of('telegram', '7')).toEqual([first])
})
