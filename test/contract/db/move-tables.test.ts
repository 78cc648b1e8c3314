import { afterEach, expect, test } from 'vitest'
import { allTables } from '../../../src/db/move.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
afterEach(() => database.remove())

test('it is settled of every table what becomes of it when an installation moves', async () => {
  database = await TestDatabase.make()
  const tables = await (await database.open()).introspection.getTables()
  expect(allTables.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})
