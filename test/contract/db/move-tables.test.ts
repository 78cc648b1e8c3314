import { afterEach, expect, test } from 'vitest'
import { allTables } from '../../../src/db/move.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
afterEach(() => database.remove())

test('for every table it is decided whether an installation’s move copies it', async () => {
  database = await TestDatabase.make()
  const tables = await (await database.open()).introspection.getTables()
  expect(allTables.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})
