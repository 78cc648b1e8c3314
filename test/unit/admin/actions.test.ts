import { afterEach, beforeEach, expect, test } from 'vitest'
import { administer } from '../../../src/admin/actions.ts'
import { AdminLog } from '../../../src/db/admin-log.ts'
import { TestDatabase } from '../../database.ts'

const now = () => 1_800_000_000

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.onSqlite()
})
afterEach(() => database.remove())

test('a change is written down before it is made, and with the reason if it fails', async () => {
  const store = await database.open()
  const log = new AdminLog(store, now)
  const about = { who: 'ada', what: 'stuck drop job 7', at: now() }
  const drop = async () => {
    expect(await log.latest(2)).toEqual([{ ...about, outcome: undefined }])
    throw new Error('nobody is there')
  }
  const jobs = async () => ({ stuck: async () => [], retry: drop, drop })
  const done = administer('yes stuck drop job 7', 'ada', { store, now, jobs })
  await expect(done).rejects.toThrow('nobody is there')
  expect(await log.latest(2)).toEqual([{ ...about, outcome: 'failed: nobody is there' }])
})
