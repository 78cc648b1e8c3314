import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Target } from '../../../src/alerts/chats.ts'
import { type ChangeSet, storeChanges } from '../../../src/alerts/events.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { digest } from '../../unit/alerts/digest-event.ts'
import { eventually } from '../../unit/alerts/notifier-harness.ts'
import { silent } from '../../unit/api/server.ts'

const now = 1_700_000_000

let database: TestDatabase
let store: Store
let subscriptions: Subscriptions
let beside: Client
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  subscriptions = new Subscriptions({ store, now: () => now, perChat: 10 })
  beside = new Client({ connectionString: database.address })
  await beside.connect()
})
afterEach(async () => {
  await beside.end()
  await database.remove()
})

const chatOf = (id: string): Target => ({ platform: 'telegram', kind: 'chat', id })

/** Lets chats follow the summary of an hour; its rule. */
async function follow(hour: number, ...chats: readonly string[]): Promise<number> {
  const rule = { kind: 'digest', setting: { hour, zone: 'UTC' }, scope: {} } as const
  for (const chat of chats) await subscriptions.subscribe(chatOf(chat), rule)
  const [first = ''] = chats
  const followed = (await subscriptions.of(chatOf(first))).subscriptions
  return followed.at(-1)?.id ?? Number.NaN
}

const digestEvent = (key: string, rule: number) => digest({ key, rule, at: now })

async function idOf(chat: string): Promise<number> {
  const { rows } = await beside.query('select id from chats where chat = $1', [chat])
  return Number(rows[0]?.id)
}

/** Whoever wants to write to this chat waits, until this lets them. */
async function hold(chat: string): Promise<() => Promise<unknown>> {
  await beside.query('begin')
  await beside.query('select 1 from chats where chat = $1 for update', [chat])
  return () => beside.query('rollback')
}

/** So many transactions wait for others. */
function wait(count: number): Promise<void> {
  return eventually(async () => {
    const { rows } = await sql`
      select query from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(store)
    expect(rows).toHaveLength(count)
  })
}

/** Which chats have a delivery, and what became of it; null for a chat that is not there. */
async function deliveries(): Promise<unknown[]> {
  const { rows } = await beside.query(
    `select chat, state from deliveries left join chats on id = chat_id order by chat`,
  )
  return rows
}

const all = [
  { chat: '-100ada', state: 'waiting' },
  { chat: 'eve', state: 'waiting' },
]

const storeBy = (its: Store, ...changeSets: readonly ChangeSet[]) =>
  storeChanges({ store: its, chains: [8453], now, log: silent }, changeSets)

test('a chat that is merged into another while an event is stored gets it', async () => {
  const rule = await follow(8, 'ada', 'eve')
  await follow(9, '-100ada')
  const old = await idOf('ada')
  const letGo = await hold('eve')
  const committing = storeBy(store, { events: [digestEvent('one', rule)] })
  await wait(1)
  const migrating = new Outbox(await database.open(), () => now * 1000).migrate(old, '-100ada')
  // Where it need not wait it is over by then, and that is what must not be.
  await Promise.race([migrating, wait(2)])
  await letGo()
  await Promise.all([committing, migrating])
  expect(await deliveries()).toEqual(all)
})

test('an event that is stored while a chat is merged into another is delivered there', async () => {
  const rule = await follow(8, 'ada', 'eve')
  await follow(9, '-100ada')
  const old = await idOf('ada')
  const letGo = await hold('-100ada')
  const migrating = new Outbox(store, () => now * 1000).migrate(old, '-100ada')
  await wait(1)
  const committing = storeBy(await database.open(), { events: [digestEvent('one', rule)] })
  await wait(2)
  await letGo()
  await Promise.all([committing, migrating])
  expect(await deliveries()).toEqual(all)
})

test('two processes that store events for the same chats, each in its own order, don’t deadlock', async () => {
  const [ofAda, ofEve] = [await follow(8, 'ada'), await follow(9, 'eve')]
  const letGo = await hold('ada')
  const one = storeBy(
    store,
    { events: [digestEvent('one', ofAda)] },
    { events: [digestEvent('two', ofEve)] },
  )
  await wait(1)
  const other = await database.open()
  const two = storeBy(
    other,
    { events: [digestEvent('three', ofEve)] },
    { events: [digestEvent('four', ofAda)] },
  )
  await wait(2)
  await letGo()
  expect(await Promise.all([one, two])).toEqual([2, 2])
})
