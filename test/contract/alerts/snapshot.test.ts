import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WatchedAssets } from '../../../src/alerts/snapshot.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'

const now = 1_700_000_000
const most = 200_000

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

/** Three in other phases, all others have graduated; the first changed longest ago. */
async function keep(count: number): Promise<void> {
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into watched_assets (chain, asset, phase, body, history, updated_at_s)
    select 1, i, case i when 1 then 'live' when 2 then 'incoming' when 3 then 'gone' else 'graduated' end,
      '{}', '[]', ${now - count} + i from n`.execute(store)
}

test('beyond the maximum the assets that changed longest ago are deleted, but none that is incoming or live', async () => {
  await keep(most + 5)
  expect(await new WatchedAssets(store).prune(now)).toBe(3)
  const rows = await store
    .selectFrom('watched_assets')
    .select((row) => row.cast<number>('asset', 'integer').as('number'))
    .orderBy('updated_at_s')
    .limit(3)
    .execute()
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 6])
})

test('ended and vanished assets are kept for thirty days, graduated ones for longer', async () => {
  for (const phase of ['incoming', 'live', 'graduated', 'ended', 'gone']) {
    for (const days of [29, 31]) {
      const row = { chain: 1, asset: `${phase} ${days}`, phase, body: '{}', history: '[]' }
      await store
        .insertInto('watched_assets')
        .values({ ...row, updated_at_s: now - days * 86_400 })
        .execute()
    }
  }
  expect(await new WatchedAssets(store).prune(now)).toBe(2)
  const left = await store.selectFrom('watched_assets').select('asset').execute()
  expect(left.map(({ asset }) => asset)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:ended|gone) 31$/u)]),
  )
  expect(left).toHaveLength(8)
})
