import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Target } from '../../../src/alerts/chats.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { TestDatabase } from '../../database.ts'

const now = 1_700_000_000
const chat = (id: string): Target => ({ platform: 'telegram', kind: 'person', id })
const ada = chat('ada')
const rule: Rule = { kind: 'live', setting: {}, scope: {} }

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

test.each([
  ['a rule', []],
  ['a chat', ['bob']],
])('%s that is used again during the deletion stays', async (_, others) => {
  const [store, holder] = [await database.open(), await database.open()]
  const subscriptions = new Subscriptions({ store, now: () => now, perChat: 10 })
  const pruning = new Subscriptions({ store, now: () => now + 86_400, perChat: 10 })
  await subscriptions.subscribe(ada, rule)
  const [{ id = 0 } = {}] = (await subscriptions.of(ada)).subscriptions
  await subscriptions.unsubscribe(ada, id)
  // Then it is the chat alone that nobody uses.
  for (const other of others) await subscriptions.subscribe(chat(other), rule)
  const waiting = async (count: number) => {
    const { rows } = await sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(holder)
    expect(rows).toHaveLength(count)
  }
  const eventually = (count: number) => vi.waitFor(() => waiting(count), { timeout: 20_000 })
  const work = await holder.transaction().execute(async (tx) => {
    // However long the machine takes.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`lock table subscriptions in share mode`.execute(tx)
    const following = subscriptions.subscribe(ada, rule)
    await eventually(1)
    const pruned = pruning.prune()
    await eventually(2)
    return { following, pruned }
  })
  expect(await work.following).toBe('added')
  expect(await work.pruned).toBe(0)
  expect((await subscriptions.of(ada)).subscriptions).toEqual([{ id: expect.any(Number), rule }])
})
