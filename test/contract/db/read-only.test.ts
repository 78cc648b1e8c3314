import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimDatabase } from '../../../src/db/bot-identity.ts'
import { readOnly } from '../../../src/db/probe.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

test('rows are read beside a bot that has the database open, and nothing can be written', async () => {
  const store = await database.open()
  await claimDatabase(store, 'telegram', '7')
  const rows = await readOnly(database.address, 'select platform, id from bots')
  expect(rows).toEqual([{ platform: 'telegram', id: '7' }])
  await expect(
    readOnly(database.address, "insert into bots (platform, id) values ('discord', '8')"),
  ).rejects.toThrow()
  expect(await readOnly(database.address, 'select id from bots')).toHaveLength(1)
})

test('a missing database is refused, and not created', async () => {
  const nowhere = join(tmpdir(), 'no-such-folder', 'gavel.db')
  await expect(readOnly(nowhere, 'select 1')).rejects.toThrow()
  await expect(readOnly('postgres://nobody:none@127.0.0.1:1/none', 'select 1')).rejects.toThrow()
})
