import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { storeChanges } from '../../../src/alerts/events.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { isSqlite } from '../../../src/db/sql.ts'
import { TestDatabase } from '../../database.ts'
import { refuse } from '../../failing-store.ts'
import { digest } from '../../unit/alerts/digest-event.ts'
import { silent } from '../../unit/api/server.ts'

const now = 1_700_000_000
/** More than four transactions have. */
const chats = 4500
/** The transaction in which this chat would get its delivery is neither the first nor the last one. */
const middle = 2500

let database: TestDatabase
let store: Store
let subscriptions: Subscriptions
/** The rule that all chats are subscribed to, from the first (whose row is 1) to the last. */
let rule: number
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  subscriptions = new Subscriptions({ store, now: () => now, perChat: 10 })
  await subscribe('chat 1', 8)
  const target = { platform: 'telegram', kind: 'chat', id: 'chat 1' } as const
  rule = (await subscriptions.of(target)).subscriptions[0]?.id ?? 0
  await sql`insert into chats (platform, kind, chat, thread, muted_until_s, next_at_ms, created_at_s)
    with recursive n(i) as (select 2 union all select i + 1 from n where i < ${sql.lit(chats)})
    select 'telegram', 'chat', 'chat ' || i, '', 0, 0, 1 from n`.execute(store)
  await sql`insert into subscriptions (rule_id, chat_id, created_at_s)
    select ${sql.lit(rule)}, id, 1 from chats where id > 1`.execute(store)
})
afterEach(() => database.remove())

function subscribe(chat: string, hour: number) {
  const target = { platform: 'telegram', kind: 'chat', id: chat } as const
  return subscriptions.subscribe(target, {
    kind: 'digest',
    setting: { hour, zone: 'UTC' },
    scope: {},
  })
}

const storeEvent = (by = store) =>
  storeChanges({ store: by, chains: [8453], now, log: silent }, [
    { events: [digest({ key: 'a', rule, at: now })] },
  ])
/** What a watcher does at each poll, even if nothing happened. */
const goOn = (by = store) => storeChanges({ store: by, chains: [8453], now, log: silent }, [])

/** Lets the event be stored for some of the chats. */
async function storeSome(): Promise<void> {
  const allow = await refuse(store, 'insert on deliveries', `new.chat_id = ${middle}`)
  await expect(storeEvent()).rejects.toThrow('refused')
  await allow()
}

/** How many deliveries there are, and for how many chats. */
async function stored() {
  const row = await store
    .selectFrom('deliveries')
    .where('state', '=', 'waiting')
    .select(({ fn }) => [
      fn.countAll<number>().as('deliveries'),
      fn.count<number>('chat_id').distinct().as('chats'),
    ])
    .executeTakeFirstOrThrow()
  return [row.deliveries, row.chats]
}

const isStored = async (chat: number) =>
  (
    await store
      .selectFrom('deliveries')
      .select('event_id')
      .where('chat_id', '=', chat)
      .where('state', '=', 'waiting')
      .execute()
  ).length

describe('an event for many chats', () => {
  test('is stored in short transactions, between which others have their turn', async () => {
    let isDone = false
    const storing = storeEvent().finally(() => {
      isDone = true
    })
    const steps = new Set([0])
    while (!isDone) {
      steps.add((await stored())[0] ?? 0)
      await others()
    }
    expect(await storing).toBe(chats)
    expect(await stored()).toEqual([chats, chats])
    expect([...steps].every((step) => step === chats || step % 1000 === 0)).toBe(true)
    expect(steps.size).toBeGreaterThan(2)
    const due = store.selectFrom('chats').select('id').where('due_at_ms', 'is not', null)
    expect(await due.execute()).toHaveLength(chats)
    expect(await goOn()).toBe(0)
  })

  test('has no delivery that waits for a chat that is paused', async () => {
    await sql`update chats set paused = 'blocked' where id > 10`.execute(store)
    const events = ['a', 'b', 'c'].map((key) => digest({ key, rule, at: now }))
    const sets = events.map((event) => ({ events: [event] }))
    expect(await storeChanges({ store, chains: [8453], now, log: silent }, sets)).toBe(30)
    expect(await stored()).toEqual([30, 10])
    const all = store.selectFrom('deliveries').select(({ fn }) => fn.countAll<number>().as('count'))
    expect(await all.executeTakeFirst()).toEqual({ count: 3 * chats })
  })

  test('reaches each chat once if storing failed in the middle', async () => {
    await storeSome()
    const [before = 0] = await stored()
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(chats)
    expect(await goOn()).toBe(chats - before)
    expect(await stored()).toEqual([chats, chats])
    expect(await goOn()).toBe(0)
  })

  test('reaches each chat once if the process is killed in the middle', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gavel-slices-'))
    const program = join(folder, 'storing.mts')
    const source = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url))
    await writeFile(
      program,
      `import { storeChanges } from ${source('src/alerts/events.ts')}
      import { openStore } from ${source('src/db/database.ts')}
      import { digest } from ${source('test/unit/alerts/digest-event.ts')}
      import { silent } from ${source('test/unit/api/server.ts')}
      const store = await openStore(process.argv[2])
      const events = [digest({ key: 'a', rule: ${rule}, at: ${now} })]
      await storeChanges({ store, chains: [8453], now: ${now}, log: silent }, [{ events }])
      setInterval(() => undefined, 1000)`,
    )
    const storing = fork(program, [database.address])
    try {
      while ((await stored())[0] === 0) await others()
    } finally {
      storing.kill('SIGKILL')
      await once(storing, 'exit')
      await rm(folder, { recursive: true })
    }
    const [before = 0] = await stored()
    expect(await goOn()).toBe(chats - before)
    expect(await stored()).toEqual([chats, chats])
  })

  test('is stored once by two processes that go on with it at the same time', async () => {
    await storeSome()
    const [before = 0] = await stored()
    const other = await database.open()
    // On SQLite one process has the file at a time; there they are the watcher and the writer of digests.
    const both = isSqlite(store) ? [goOn(), goOn()] : [goOn(), goOn(other)]
    const [one = 0, two = 0] = await Promise.all(both)
    expect(one + two).toBe(chats - before)
    expect(await stored()).toEqual([chats, chats])
  })

  test('does not reach a chat that unsubscribes, is muted or blocks the bot before its turn', async () => {
    await storeSome()
    const outbox = new Outbox(store, () => now * 1000)
    await store.deleteFrom('subscriptions').where('chat_id', '=', chats).execute()
    const target = { platform: 'telegram', kind: 'chat', id: `chat ${chats - 1}` } as const
    await subscriptions.mute(target, now + 60)
    await outbox.pause(chats - 2, 'blocked')
    await goOn()
    expect(await Promise.all([chats, chats - 1, chats - 2].map(isStored))).toEqual([0, 0, 0])
    expect(await stored()).toEqual([chats - 3, chats - 3])
  })

  test('reaches a chat that migrates to a row that was passed already', async () => {
    await store.deleteFrom('subscriptions').where('chat_id', '=', 2).execute()
    await storeSome()
    await new Outbox(store, () => now * 1000).migrate(chats, 'chat 2')
    await goOn()
    expect(await isStored(2)).toBe(1)
    expect(await stored()).toEqual([chats - 1, chats - 1])
  })

  test.each(['sent', 'uncertain'] as const)(
    'is not stored again for a chat that migrates to a later row after it was %s',
    async (state) => {
      await store.deleteFrom('subscriptions').where('chat_id', '=', chats).execute()
      await storeSome()
      await store.updateTable('deliveries').set({ state }).where('chat_id', '=', 1).execute()
      await new Outbox(store, () => now * 1000).migrate(1, `chat ${chats}`)
      await goOn()
      const rows = store.selectFrom('deliveries').select('state').where('chat_id', 'in', [1, chats])
      expect(await rows.execute()).toEqual([{ state }])
    },
  )
})

test('an event for a thousand chats is stored at once, and one for more in slices, by all of its rules together', async () => {
  const first = sql`delete from subscriptions where chat_id > 1000 and rule_id = ${rule}`
  await first.execute(store)
  const inSlices = async () => {
    const allow = await refuse(store, 'update of slices_after on events', 'true')
    try {
      await storeEvent()
      return false
    } catch {
      return true
    } finally {
      await allow()
    }
  }
  expect(await inSlices()).toBe(false)
  expect(await stored()).toEqual([1000, 1000])
  await store.deleteFrom('events').execute()
  await subscribe('one more', 8)
  expect(await inSlices()).toBe(true)
  await storeEvent()
  expect(await stored()).toEqual([2001, 1001])
})
