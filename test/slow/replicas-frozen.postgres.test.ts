import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bot } from '../../sandbox/bot.ts'
import { TestDatabase } from '../database.ts'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** Seconds after which PostgreSQL ends the session of a leader that asks nothing. */
const sessionTimeout = 10

let database: TestDatabase
let alerts: AlertHarness
let beside: Client
beforeEach(async () => {
  database = await TestDatabase.make()
  beside = new Client({ connectionString: database.address })
  await beside.connect()
  alerts = await AlertHarness.start({
    replicas: { count: 2, database: database.address },
    telegramFloodLimits: true,
    telegramAnswersAfter: 50,
  })
})
afterEach(async () => {
  await alerts?.stop()
  await beside.end()
  await database.remove()
})

/** The processes that have logged that they lead. */
function leaders(): Bot[] {
  return alerts.harness.running().filter((bot) => bot.logs.some(saysItLeads))
}

function saysItLeads({ msg }: Bot['logs'][number]): boolean {
  return msg === 'this process leads: it does the background work'
}

/** Seconds for which the transaction that waits longest for its client has waited, by the database's clock. */
async function maxPause(): Promise<number> {
  const { rows } = await beside.query(
    `select coalesce(max(extract(epoch from clock_timestamp() - state_change)), 0)::float as seconds
     from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction' and backend_xid is not null`,
  )
  return rows[0]?.seconds
}

/** Stops a process where it stands, its connections open, in the middle of a transaction that has written. */
async function freezeInTransaction({ pid }: Bot): Promise<void> {
  await eventually(async () => {
    process.kill(pid, 'SIGSTOP')
    try {
      // Nobody else's takes that long.
      await vi.waitFor(async () => expect(await maxPause()).toBeGreaterThan(0.5), 1000)
    } catch (error) {
      process.kill(pid, 'SIGCONT')
      throw error
    }
  })
}

/** The chats to which a replica is sending. */
async function heldChats(): Promise<string[]> {
  const { rows } = await beside.query(
    `select distinct chat from chats join deliveries on chat_id = id
     where state = 'waiting' and claim <> 0`,
  )
  return rows.map(({ chat }) => chat)
}

test('the leader is frozen in the middle of a transaction: the next one waits for no lock of it', async () => {
  const people = alerts.crowd(150)
  await alerts.follows(people)
  const name = alerts.goesLive()
  const notified = (some: readonly Subscriber[]) =>
    alerts.counts(some, name).filter((count) => count > 0).length
  await eventually(() => expect(notified(people)).toBeGreaterThan(20), 60_000)
  const [frozen] = leaders()
  if (frozen === undefined) throw new Error('nobody leads')
  try {
    await freezeInTransaction(frozen)
    const held = await heldChats()
    const others = people.filter(({ id }) => !held.includes(id))
    expect(notified(others)).toBeLessThan(others.length)
    let longest = 0
    await eventually(async () => {
      longest = Math.max(longest, await maxPause())
      expect(notified(others)).toBe(others.length)
    }, 120_000)
    expect(leaders()).toHaveLength(2)
    expect(longest).toBeLessThan(sessionTimeout)
  } finally {
    process.kill(frozen.pid, 'SIGCONT')
  }
  await eventually(() => expect(Math.min(...alerts.counts(people, name))).toBe(1), 120_000)
  await eventually(async () => expect(await alerts.waiting()).toBe(0), 60_000)
  expect(alerts.harness.running()).toContain(frozen)
})
