import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownerOf } from '../../../src/app.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

test('a database is the first bot’s, on each platform by itself and for good', async () => {
  const store = await database.open()
  expect(await ownerOf(store, 'telegram', '1')).toBe('1')
  expect(await ownerOf(store, 'telegram', '2')).toBe('1')
  expect(await ownerOf(store, 'discord', '2')).toBe('2')
  expect(await ownerOf(await database.open(), 'telegram', '2')).toBe('1')
})

test('of bots that come at once one has it, and all hear which', async () => {
  const store = await database.open()
  const owners = await Promise.all(['1', '2', '3', '4'].map((id) => ownerOf(store, 'discord', id)))
  expect(new Set(owners).size).toBe(1)
})
