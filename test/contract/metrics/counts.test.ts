import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { openScrapes, seconds } from '../../unit/metrics/open-scrapes.ts'

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

test('paused chats are counted by why, and every reason is there', async () => {
  const { read } = openScrapes(store)
  const chat = {
    platform: 'telegram',
    kind: 'chat',
    thread: '',
    muted_until_s: 0,
    next_at_ms: 0,
    due_at_ms: null,
    created_at_s: 0,
    changed_by: null,
  } as const
  const paused = ['blocked', 'blocked', 'gone', null]
  await store
    .insertInto('chats')
    .values(paused.map((loss, id) => ({ ...chat, chat: String(id), paused: loss })))
    .execute()
  const figures = await read()
  const of = (loss: string) => figures.value('gavel_paused_chats', { platform: 'telegram', loss })
  expect(['blocked', 'gone', 'forbidden'].map(of)).toEqual([2, 1, 0])
})

test('launches are counted by state, those that go on with the age of the oldest', async () => {
  const { read } = openScrapes(store)
  const now = seconds()
  const none = await read()
  expect(none.value('gavel_launches', { state: 'signed' })).toBe(0)
  expect(none.value('gavel_launch_oldest_seconds', { state: 'signed' })).toBe(0)
  const draft = { platform: 'telegram', origin: null, rev: 1, body: '{}', created_at_s: 0 } as const
  const drafts = [
    ['open', 60],
    ['handed', 7_000],
    ['handed', 500],
    ['launched', 9_000],
  ] as const
  await store
    .insertInto('drafts')
    .values(
      drafts.map(([state, age], index) => ({
        ...draft,
        id: String(index),
        person: String(index),
        state,
        updated_at_s: now - age,
      })),
    )
    .execute()
  const payload = {
    link: null,
    link_expires_at_s: null,
    rev: 1,
    created_at_s: 0,
    updated_at_s: now,
  }
  // The text of a name must not be taken for the key.
  const names = { name: '"reported":{' }
  await store
    .insertInto('payloads')
    .values([
      { ...payload, id: 'a', draft: '1', state: 'active', body: JSON.stringify(names) },
      {
        ...payload,
        id: 'b',
        draft: '2',
        state: 'active',
        body: JSON.stringify({ ...names, reported: { hash: '0x', at: now - 400 } }),
      },
    ])
    .execute()
  const figures = await read()
  const counts = Object.fromEntries(
    ['open', 'handed', 'signed', 'launched', 'done', 'cancelled', 'expired'].map((state) => [
      state,
      figures.value('gavel_launches', { state }),
    ]),
  )
  expect(counts).toEqual({
    open: 1,
    handed: 1,
    signed: 1,
    launched: 1,
    done: 0,
    cancelled: 0,
    expired: 0,
  })
  const age = (state: string) => figures.value('gavel_launch_oldest_seconds', { state })
  expect(age('open')).toBeGreaterThanOrEqual(60)
  expect(age('open')).toBeLessThan(160)
  expect(age('handed')).toBeGreaterThanOrEqual(7_000)
  expect(age('signed')).toBeGreaterThanOrEqual(400)
  expect(age('signed')).toBeLessThan(500)
  expect(age('launched')).toBeUndefined()
})

test('queries are timed, and those that fail are counted', async () => {
  const { metrics, read } = openScrapes(store)
  const watched = await openStore(database.address, undefined, { onQuery: metrics.onQuery })
  try {
    const count = async () =>
      (await read()).value('gavel_database_query_duration_seconds_count') ?? 0
    const before = await count()
    await watched.selectFrom('callback_lines').select('id').execute()
    expect(await count()).toBe(before + 1)
    expect((await read()).value('gavel_database_queries_failed_total')).toBe(0)
    const line = { id: 'a', line: '/help', shown_at_s: 0 }
    await watched.insertInto('callback_lines').values(line).execute()
    await expect(watched.insertInto('callback_lines').values(line).execute()).rejects.toThrow()
    expect((await read()).value('gavel_database_queries_failed_total')).toBe(1)
  } finally {
    await watched.destroy()
  }
})
