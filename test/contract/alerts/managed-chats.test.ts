import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManagedChats } from '../../../src/alerts/chat-alerts.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
let store: Store
let now = 4_000_000_000
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

test('the last twenty chats of a person are remembered for a year', async () => {
  const chats = new ManagedChats(store, () => now)
  for (let each = 0; each < 25; each += 1) {
    now += 1
    await chats.note('telegram', '7', `-${each}`)
  }
  const of = await chats.of('telegram', '7')
  expect(of).toHaveLength(20)
  expect(of.slice(0, 2)).toEqual(['-24', '-23'])
  expect(await chats.of('telegram', '8')).toEqual([])
  expect(await chats.of('discord', '7')).toEqual([])
  await chats.forget('telegram', '7', '-24')
  expect((await chats.of('telegram', '7'))[0]).toBe('-23')
  await chats.note('telegram', '7', '-24')
  now += 366 * 86_400
  expect(await chats.prune()).toBe(20)
  expect(await chats.of('telegram', '7')).toEqual([])
})
