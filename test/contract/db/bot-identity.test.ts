import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimDatabase } from '../../../src/db/bot-identity.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

test('a database belongs to the first bot of each platform', async () => {
  const store = await database.open()
  await claimDatabase(store, 'telegram', '1')
  await expect(claimDatabase(store, 'telegram', '2')).rejects.toThrow(
    'The database belongs to another bot on telegram (1; this one is 2)',
  )
  await claimDatabase(store, 'discord', '2')
  await claimDatabase(await database.open(), 'telegram', '1')
})

test('of several bots that start at once one gets the database', async () => {
  const store = await database.open()
  const ids = ['1', '2', '3', '4']
  const claims = await Promise.allSettled(ids.map((id) => claimDatabase(store, 'discord', id)))
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
