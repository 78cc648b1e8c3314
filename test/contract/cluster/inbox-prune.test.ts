import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoredInboxes } from '../../../src/cluster/update-inbox.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'

const twoDays = 2 * 86_400
const values = { platform: 'telegram', lane: 'ada', attempts: 0 }

let database: TestDatabase
let store: Store
let inboxes: StoredInboxes
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  inboxes = new StoredInboxes({ store, log: createLogger('silent', []) })
})
afterEach(() => database.remove())

const now = () => Math.floor(Date.now() / 1_000)

test('only what was handled two days ago is forgotten', async () => {
  const [old, recent] = [now() - twoDays - 10, now() - twoDays + 3_600]
  await store
    .insertInto('updates')
    .values([
      { ...values, id: 1, body: null, received_at: old },
      { ...values, id: 2, body: 'ada 2', received_at: old },
      { ...values, id: 3, body: null, received_at: recent },
    ])
    .execute()
  const lane = { platform: 'telegram', holder: 'who died' }
  await store
    .insertInto('lanes')
    .values([
      { ...lane, lane: 'ada', held_until: 1 },
      { ...lane, lane: 'ben', held_until: sql<number>`${Date.now()}` },
    ])
    .execute()
  expect(await inboxes.prune()).toBe(1)
  const left = await store.selectFrom('updates').select('id').orderBy('id').execute()
  expect(left).toEqual([{ id: 2 }, { id: 3 }])
  expect(await store.selectFrom('lanes').select('lane').execute()).toEqual([{ lane: 'ben' }])
})

test('while very much is forgotten everybody else has their turn', async () => {
  const count = 10_000
  const rows = Array.from({ length: count }, (_, id) => ({
    ...values,
    id,
    body: null,
    received_at: 1,
  }))
  while (rows.length > 0) await store.insertInto('updates').values(rows.splice(-1_000)).execute()
  let turns = 0
  const context = () => {
    turns += 1
    turning = setImmediate(context)
  }
  let turning = setImmediate(context)
  const gone = await inboxes.prune()
  clearImmediate(turning)
  expect(gone).toBe(count)
  expect(turns).toBeGreaterThanOrEqual(count / 2_000)
})
