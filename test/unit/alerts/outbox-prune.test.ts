import { afterEach, beforeEach, expect, test } from 'vitest'
import { pruneEvents } from '../../../src/alerts/outbox.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'

const now = 1_800_000_000
const month = 31 * 86_400

let store: Store
beforeEach(async () => {
  store = await openStore(':memory:')
})
afterEach(() => store.destroy())

/** So many pieces of news that were of use a month ago, each told to one chat. */
async function told(count: number): Promise<void> {
  const pieces = Array.from({ length: count }, (_, index) => ({
    key: `news ${index}`,
    kind: index % 2 === 0 ? 'price' : 'live',
    chain: 1,
    asset: 'otter',
    body: '{}',
    at: now - month,
    useful_until: now - month,
  }))
  while (pieces.length > 0) await store.insertInto('news').values(pieces.splice(-1000)).execute()
  const news = await store.selectFrom('news').select('id').execute()
  const deliveries = news.map(({ id }) => ({
    news: id,
    destination: 1,
    state: 'sent' as const,
    run_at: 0,
    attempts: 1,
    claim: 1,
    uncertain: 0,
    reason: null,
    updated_at: 0,
  }))
  while (deliveries.length > 0)
    await store.insertInto('deliveries').values(deliveries.splice(-1000)).execute()
}

test('while very much is forgotten everybody else has their turn', async () => {
  const count = 3000
  await told(count)
  let turns = 0
  const context = () => {
    turns += 1
    turning = setImmediate(context)
  }
  let turning = setImmediate(context)
  const gone = await pruneEvents(store, now)
  clearImmediate(turning)
  expect(gone).toBe(2 * count)
  expect(turns).toBeGreaterThanOrEqual(count / 100)
  expect(await store.selectFrom('deliveries').select('news').execute()).toEqual([])
  const left = await store.selectFrom('news').select(['kind', 'body']).execute()
  expect(left).toHaveLength(count / 2)
  expect(new Set(left.map(({ kind, body }) => kind + body))).toEqual(new Set(['live']))
})
