import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'

const now = 1_700_000_000
const hour = 3600
/** More than two statements read. */
const many = 10_050
/** At both ends of what one statement reads. */
const used = [1, 2, 5000, 5001, 10_000, 10_001, many]

let database: TestDatabase
let store: Store
let subscriptions: Subscriptions
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  subscriptions = new Subscriptions({ store, now: () => now, perChat: 1 })
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})
    insert into rules (id, kind, chain, asset, numeraire, creator, category, setting, memory)
    select i, 'live', 0, i, '', '', '', '', '' from n`.execute(store)
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})
    insert into chats (id, platform, kind, chat, thread, paused, muted_until_s, next_at_ms, due_at_ms, created_at_s)
    select i, 'telegram', 'chat', i, '', null, 0, 0, null, ${now - 2 * hour} from n`.execute(store)
})
afterEach(() => database.remove())

async function ids(table: 'rules' | 'chats'): Promise<number[]> {
  const rows = await store.selectFrom(table).select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

test('all rules without subscribers are deleted, however many, and all chats without subscriptions', async () => {
  for (const id of used) {
    await store
      .insertInto('subscriptions')
      .values({ rule_id: id, chat_id: id, created_at_s: 1 })
      .execute()
  }
  expect(await subscriptions.prune()).toBe(2 * (many - used.length))
  expect(await ids('rules')).toEqual(used)
  expect(await ids('chats')).toEqual(used)
})

test('no chat is deleted while an event’s deliveries are still being added: an announcement goes to all', async () => {
  await sql`insert into events (key, kind, chain, asset, body, happened_at_s, found_at_s, useful_until_s, slices_after)
    values ('a', 'announcement', 0, '', '{}', ${now}, ${now}, ${now + hour}, 5)`.execute(store)
  await subscriptions.prune()
  expect(await ids('chats')).toHaveLength(many)
  await store.updateTable('events').set({ slices_after: null }).execute()
  await subscriptions.prune()
  expect(await ids('chats')).toEqual([])
})

describe('a chat without subscriptions', () => {
  const change = (
    id: number,
    set: { due_at_ms?: number; muted_until_s?: number; created_at_s?: number },
  ) => store.updateTable('chats').set(set).where('id', '=', id).execute()

  test('stays while a delivery waits for it, it is muted, or it is new', async () => {
    await change(1, { due_at_ms: 1 })
    await change(2, { muted_until_s: now + 1 })
    await change(5000, { created_at_s: now - hour })
    await change(5001, { muted_until_s: now })
    await subscriptions.prune()
    expect(await ids('chats')).toEqual([1, 2, 5000])
  })

  test('stays while it has a live message', async () => {
    const message = { message: '1', chain: 1, asset: '0x', shown: '', due_at_s: 1, over_at_s: null }
    await store
      .insertInto('live_messages')
      .values({ chat_id: 7, ...message, created_at_s: 1 })
      .execute()
    await subscriptions.prune()
    expect(await ids('chats')).toEqual([7])
  })
})
