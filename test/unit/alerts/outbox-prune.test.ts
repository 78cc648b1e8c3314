import { afterEach, beforeEach, expect, test } from 'vitest'
import { Outbox } from '../../../src/alerts/outbox.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'

const now = 1_800_000_000
const month = 31 * 86_400

let store: Store
beforeEach(async () => {
  store = await openStore(':memory:')
})
afterEach(() => store.destroy())

/** Stores events that were useful a month ago, each sent to one chat. */
async function storeSent(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    key: `news ${index}`,
    kind: index % 2 === 0 ? 'price' : 'live',
    chain: 1,
    asset: 'otter',
    body: '{}',
    at: now - month,
    useful_until: now - month,
  }))
  while (events.length > 0) await store.insertInto('news').values(events.splice(-1000)).execute()
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

test('deleting very many rows does not block other work', async () => {
  const count = 3000
  await storeSent(count)
  let turns = 0
  const context = () => {
    turns += 1
    turning = setImmediate(context)
  }
  let turning = setImmediate(context)
  const gone = await new Outbox(store, () => now * 1000).prune()
  clearImmediate(turning)
  expect(gone).toBe(2 * count)
  expect(turns).toBeGreaterThanOrEqual(count / 100)
  expect(await store.selectFrom('deliveries').select('news').execute()).toEqual([])
  const left = await store.selectFrom('news').select(['kind', 'body']).execute()
  expect(left).toHaveLength(count / 2)
  expect(new Set(left.map(({ kind, body }) => kind + body))).toEqual(new Set(['live']))
})
