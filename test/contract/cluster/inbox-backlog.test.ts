import { CompiledQuery, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { updatesWaiting } from '../../../src/cluster/update-inbox.ts'
import type { Store } from '../../../src/db/schema.ts'
import { databaseSeconds, isSqlite } from '../../../src/db/sql.ts'
import { maxCounted } from '../../../src/jobs/queue.ts'
import { Lanes, update } from './lanes.ts'

const patience = { timeout: 20_000, interval: 20 }

let lanes: Lanes
let store: Store
beforeEach(async () => {
  lanes = await Lanes.open()
  store = await lanes.database.open()
})
afterEach(() => lanes.end())

/** As if they had come so many seconds ago. */
async function age(seconds: number, ...ids: number[]): Promise<void> {
  await store
    .updateTable('updates')
    .set({ received_at: sql<number>`${databaseSeconds(store)} - ${seconds}` })
    .where('id', 'in', ids)
    .execute()
}

test('no update waits at first', async () => {
  expect(await updatesWaiting(store)).toEqual({ due: 0, oldest: 0 })
})

test('updates wait until they are handled, since the oldest of them came', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  lanes.hold = (body) => (body === 'ada 2' ? held : undefined)
  const { inbox } = await lanes.inbox({ isIdle: true })
  for (const id of [1, 2, 3]) await inbox.put(update('ada', id))
  await age(500, 1)
  await age(100, 2)
  const { due, oldest } = await updatesWaiting(store)
  expect(due).toBe(3)
  expect(oldest).toBeGreaterThanOrEqual(500)
  inbox.start()
  await expect.poll(() => lanes.handled, patience).toContain('ada 2')
  const later = await updatesWaiting(store)
  expect(later.due).toBe(2)
  expect(later.oldest).toBeGreaterThanOrEqual(100)
  expect(later.oldest).toBeLessThan(500)
  letGo()
  await expect.poll(() => updatesWaiting(store), patience).toEqual({ due: 0, oldest: 0 })
})

test('an update that came while the clock was ahead is of no age', async () => {
  const { inbox } = await lanes.inbox({ isIdle: true })
  await inbox.put(update('ada', 1))
  await age(-3_600, 1)
  expect(await updatesWaiting(store)).toEqual({ due: 1, oldest: 0 })
})

/** So many at once; without a body they are handled. */
async function many(count: number, body: string | null): Promise<void> {
  await sql`insert into updates (platform, id, lane, body, received_at)
    with recursive ids (id) as (select 1 union all select id + 1 from ids where id < ${sql.lit(count)})
    select 'telegram', id, 'ada', ${sql.lit(body)}, 0 from ids`.execute(store)
}

test('of very many updates no more are counted than the database can within a moment', async () => {
  await many(maxCounted + 1, '{}')
  expect(await updatesWaiting(store)).toMatchObject({ due: maxCounted })
})

test('updates that were handled are not looked through', async () => {
  await many(20_000, null)
  let asked: CompiledQuery | undefined
  const heard = store.withPlugin({
    transformQuery: ({ node, queryId }) => {
      asked = store.getExecutor().compileQuery(node, queryId)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await updatesWaiting(heard)
  const { sql: text = '', parameters = [] } = asked ?? {}
  const explain = isSqlite(store) ? 'explain query plan' : 'explain'
  const { rows } = await store.executeQuery(
    CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
  )
  expect(JSON.stringify(rows)).toMatch(/using (?:index )?updates_waiting/iu)
})
