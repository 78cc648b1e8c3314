import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stopAnnouncement } from '../../../src/alerts/announcements.ts'
import { ManagedChats } from '../../../src/alerts/chat-alerts.ts'
import { pruneEvents } from '../../../src/alerts/delivery-queries.ts'
import { LiveMessages } from '../../../src/alerts/live-messages.ts'
import { WatchedAssets } from '../../../src/alerts/snapshot.ts'
import { AdminLog } from '../../../src/db/admin-log.ts'
import { StoredCallbacks } from '../../../src/db/callback-lines.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { Drafts } from '../../../src/launch/draft.ts'
import { Payloads } from '../../../src/launch/payload.ts'
import { Pictures } from '../../../src/launch/pictures.ts'
import { createLogger } from '../../../src/log.ts'

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
    key: `event ${index}`,
    kind: index % 2 === 0 ? 'price' : 'live',
    chain: 1,
    asset: 'otter',
    body: '{}',
    happened_at_s: now - month,
    found_at_s: now - month,
    useful_until_s: now - month,
  }))
  while (events.length > 0) await store.insertInto('events').values(events.splice(-1000)).execute()
  const stored = await store.selectFrom('events').select('id').execute()
  const deliveries = stored.map(({ id }) => ({
    event_id: id,
    chat_id: 1,
    state: 'sent' as const,
    run_at_s: 0,
    attempts: 1,
    claim: 1,
    reason: null,
    updated_at_s: 0,
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
    gone = await pruneEvents(store, now - 30 * 86_400)
  })
  expect(gone).toBe(2 * count)
  expect(turns).toBeGreaterThanOrEqual(count / 100)
  expect(await store.selectFrom('deliveries').select('event_id').execute()).toEqual([])
  const left = await store.selectFrom('events').select(['kind', 'body']).execute()
  expect(left).toHaveLength(count / 2)
  expect(new Set(left.map(({ kind, body }) => kind + body))).toEqual(new Set(['live']))
})

/** Numbers in a table `n`. */
const numbers = (count: number) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`

async function storeChats(count: number): Promise<void> {
  await sql`insert into chats (platform, kind, chat, thread, muted_until_s, next_at_ms, due_at_ms, created_at_s)
    ${numbers(count)} select 'telegram', 'chat', i, '', 0, 0, null, 0 from n`.execute(store)
}

async function storeAssets(count: number, phase: string, updatedAt = now - month): Promise<void> {
  await sql`insert into watched_assets (chain, asset, phase, body, history, updated_at_s)
    ${numbers(count)} select 1, printf('%05d', i), ${phase}, '{}', '[]', ${updatedAt} from n`.execute(
    store,
  )
}

const seconds = () => now

test('deleting very many live messages does not block other work', async () => {
  await storeChats(3000)
  await sql`insert into live_messages (chat_id, message, chain, asset, shown, due_at_s, created_at_s)
    select id, 'm', 1, 'a', '', 0, ${now - month} from chats`.execute(store)
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
  const message = { message: 'm', chain: 1, shown: '', due_at_s: now, created_at_s: now }
  const shown = ['00001', '04000', '04900']
  const rows = shown.map((asset, index) => ({ ...message, asset, chat_id: index + 1 }))
  await store.insertInto('live_messages').values(rows).execute()
  await store
    .updateTable('watched_assets')
    .set({ updated_at_s: now - 60 })
    .where('asset', '=', '04900')
    .execute()
  const messages = new LiveMessages(store, seconds)
  const found: string[][] = []
  for (let call = 0; call < 3; call += 1) {
    await messages.scheduleEnded()
    const over = store
      .selectFrom('live_messages')
      .select('asset')
      .where('over_at_s', 'is not', null)
    found.push((await over.orderBy('asset').execute()).map(({ asset }) => asset))
  }
  expect(found).toEqual([['00001', '04900'], shown, shown])
  // After the last one the turns begin anew.
  const late = { ...message, asset: '00002', chat_id: 1, message: 'later' }
  await store.insertInto('live_messages').values(late).execute()
  for (let call = 0; call < 3; call += 1) await messages.scheduleEnded()
  const { over_at_s } = await store
    .selectFrom('live_messages')
    .select('over_at_s')
    .where('message', '=', 'later')
    .executeTakeFirstOrThrow()
  expect(over_at_s).not.toBeNull()
})

test('scheduling the very many messages of an auction that ended does not block other work', async () => {
  await storeChats(5000)
  await storeAssets(1, 'graduated', now)
  await sql`insert into live_messages (chat_id, message, chain, asset, shown, due_at_s, created_at_s)
    select id, 'm', 1, '00001', '', ${now}, ${now} from chats`.execute(store)
  const schedule = () => new LiveMessages(store, seconds).scheduleEnded()
  expect(await turnsDuring(schedule)).toBeGreaterThanOrEqual(5)
  const open = store.selectFrom('live_messages').select('message').where('over_at_s', 'is', null)
  expect(await open.execute()).toEqual([])
})

test('stopping an announcement to very many chats does not block other work', async () => {
  await sql`insert into events (id, key, kind, chain, asset, body, happened_at_s, found_at_s, useful_until_s)
    values (7, 'all', 'announcement', 0, '', '{}', ${now}, ${now}, ${now + month})`.execute(store)
  await sql`insert into deliveries (event_id, chat_id, state, run_at_s, attempts, claim, updated_at_s)
    ${numbers(5000)} select 7, i, 'waiting', 0, 0, 0, 0 from n`.execute(store)
  let dropped: number | undefined
  const turns = await turnsDuring(async () => {
    dropped = await stopAnnouncement(store, 7, now)
  })
  expect(dropped).toBe(5000)
  expect(turns).toBeGreaterThanOrEqual(5)
})

const silent = createLogger('silent', [])
const kept = { drafts: 90, launches: 365 }
const bigText = 'x'.repeat(4000)
/** What is deleted once it is old: 5,000 rows that are, by the statement that stores them, and who deletes them. */
const pruned: [string, string, ReturnType<typeof sql>, (store: Store) => Promise<number>][] = [
  [
    'button lines',
    'callback_lines',
    sql`insert into callback_lines (id, line, shown_at_s) ${numbers(5000)} select i, 'alerts', 0 from n`,
    (store) => new StoredCallbacks(store, seconds, silent).prune(),
  ],
  [
    'entries of the administrators’ log',
    'admin_log',
    sql`insert into admin_log (who, what, done_at_s) ${numbers(5000)} select 'ada', 'block', 0 from n`,
    (store) => new AdminLog(store, seconds).prune(30),
  ],
  [
    'notes on who manages a chat',
    'managed_chats',
    sql`insert into managed_chats (platform, person, chat, seen_at_s)
      ${numbers(5000)} select 'telegram', i, -i, 0 from n`,
    (store) => new ManagedChats(store, seconds).prune(),
  ],
  [
    'drafts',
    'drafts',
    sql`insert into drafts (id, platform, person, rev, state, body, created_at_s, updated_at_s)
      ${numbers(5000)} select i, 'telegram', i, 1, case when i % 2 then 'cancelled' else 'handed' end, ${bigText}, 0, 0 from n`,
    (store) => new Drafts(store, seconds).prune(kept),
  ],
  [
    'payloads without a draft',
    'payloads',
    sql`insert into payloads (id, draft, state, body, rev, created_at_s, updated_at_s)
      ${numbers(5000)} select i, i, 'expired', ${bigText}, 1, 0, 0 from n`,
    (store) => new Payloads(store, seconds).prune(),
  ],
  [
    'pictures',
    'pictures',
    sql`insert into pictures (cid, type, bytes, used_at_s)
      ${numbers(100)} select i, 'image/webp', x'00', 0 from n`,
    (store) => new Pictures(store, seconds).prune(),
  ],
]

test.each(pruned)(
  'deleting very many %s does not block other work',
  async (_, table, fill, prune) => {
    await fill.execute(store)
    const left = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`
    const [before] = (await left.execute(store)).rows
    let gone: number | undefined
    const turns = await turnsDuring(async () => {
      gone = await prune(store)
    })
    expect(gone).toBe(before?.rows)
    expect((await left.execute(store)).rows).toEqual([{ rows: 0 }])
    expect(turns).toBeGreaterThanOrEqual(5)
  },
)
