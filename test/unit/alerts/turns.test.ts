import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LiveMessages } from '../../../src/alerts/live-messages.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import { WatchedAssets } from '../../../src/alerts/snapshot.ts'
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

/** How often others had their turn during some work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const context = () => {
    turns += 1
    turning = setImmediate(context)
  }
  let turning = setImmediate(context)
  await work()
  clearImmediate(turning)
  return turns
}

test('deleting very many events and deliveries does not block other work', async () => {
  const count = 3000
  await storeSent(count)
  let gone: number | undefined
  const turns = await turnsDuring(async () => {
    gone = await new Outbox(store, () => now * 1000).prune(30)
  })
  expect(gone).toBe(2 * count)
  expect(turns).toBeGreaterThanOrEqual(count / 100)
  expect(await store.selectFrom('deliveries').select('news').execute()).toEqual([])
  const left = await store.selectFrom('news').select(['kind', 'body']).execute()
  expect(left).toHaveLength(count / 2)
  expect(new Set(left.map(({ kind, body }) => kind + body))).toEqual(new Set(['live']))
})

/** Numbers in a table `n`. */
const numbers = (count: number) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`

async function storeChats(count: number): Promise<void> {
  await sql`insert into destinations (platform, kind, chat, thread, muted_until, next_at, due_at, claims, created_at, updated_at)
    ${numbers(count)} select 'telegram', 'chat', i, '', 0, 0, ${now * 2000}, 0, 0, ${now * 2} from n`.execute(
    store,
  )
}

async function storeAssets(count: number, phase: string, updatedAt = now - month): Promise<void> {
  await sql`insert into watched_assets (chain, asset, phase, body, history, updated_at)
    ${numbers(count)} select 1, printf('%05d', i), ${phase}, '{}', '[]', ${updatedAt} from n`.execute(
    store,
  )
}

const seconds = () => now

test('correcting the times of very many chats does not block other work', async () => {
  await storeChats(3000)
  const limits = { maxChats: 1, maxEvents: 1, lease: 60 }
  const claim = () => new Outbox(store, () => now * 1000).claim('telegram', limits)
  expect(await turnsDuring(claim)).toBeGreaterThanOrEqual(15)
  const ahead = store
    .selectFrom('destinations')
    .select('id')
    .where('due_at', '>', now * 1000)
  expect(await ahead.execute()).toEqual([])
})

test('deleting very many live messages does not block other work', async () => {
  await storeChats(3000)
  await sql`insert into live_messages (destination, message, chain, asset, shown, due_at, created_at)
    select id, 'm', 1, 'a', '', 0, ${now - month} from destinations`.execute(store)
  const prune = () => new LiveMessages(store, seconds).prune()
  expect(await turnsDuring(prune)).toBeGreaterThanOrEqual(15)
  expect(await store.selectFrom('live_messages').select('message').execute()).toEqual([])
})

test('deleting very many assets does not block other work', async () => {
  await storeAssets(3000, 'ended')
  const prune = () => new WatchedAssets(store).prune(now)
  expect(await turnsDuring(prune)).toBeGreaterThanOrEqual(30)
  expect(await store.selectFrom('watched_assets').select('asset').execute()).toEqual([])
})

test('of very many auctions those that ended a moment ago are found at once, and others in turn', async () => {
  await storeAssets(5000, 'graduated')
  await storeChats(3)
  const message = { message: 'm', chain: 1, shown: '', due_at: now, created_at: now }
  const shown = ['00001', '04000', '04900']
  const rows = shown.map((asset, index) => ({ ...message, asset, destination: index + 1 }))
  await store.insertInto('live_messages').values(rows).execute()
  await store
    .updateTable('watched_assets')
    .set({ updated_at: now - 60 })
    .where('asset', '=', '04900')
    .execute()
  const messages = new LiveMessages(store, seconds)
  const found: string[][] = []
  for (let call = 0; call < 3; call += 1) {
    await messages.scheduleEnded()
    const over = store.selectFrom('live_messages').select('asset').where('over_at', 'is not', null)
    found.push((await over.orderBy('asset').execute()).map(({ asset }) => asset))
  }
  expect(found).toEqual([['00001', '04900'], shown, shown])
  // After the last one the turns begin anew.
  const late = { ...message, asset: '00002', destination: 1, message: 'later' }
  await store.insertInto('live_messages').values(late).execute()
  for (let call = 0; call < 3; call += 1) await messages.scheduleEnded()
  const { over_at } = await store
    .selectFrom('live_messages')
    .select('over_at')
    .where('message', '=', 'later')
    .executeTakeFirstOrThrow()
  expect(over_at).not.toBeNull()
})
