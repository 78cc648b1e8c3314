import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '../../src/db/database.ts'
import type { Store } from '../../src/db/schema.ts'
import { EmbeddedQueue } from '../../src/jobs/embedded.ts'
import { createLogger } from '../../src/log.ts'
import { LogBook } from '../unit/core/log-book.ts'

const day = 86_400
const log = createLogger('silent', [])

let folder: string
let store: Store
let queue: EmbeddedQueue
let ahead: number
let ran: unknown[]
const now = () => Math.floor(Date.now() / 1000) + ahead

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-queue-'))
  store = await openStore(join(folder, 'gavel.db'))
  ahead = 0
  ran = []
  queue = new EmbeddedQueue({ store, log, now, lease: 1, tries: 1 })
})
afterEach(async () => {
  await queue.stop()
  await store.destroy()
  await rm(folder, { recursive: true, force: true })
})

function kept(key: string) {
  return store.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst()
}

test('a clock that was a week ahead and was put right stops no job', async () => {
  queue.handle('greet', async () => {
    ran.push(now())
    return { again: now() + 100 }
  })
  queue.start()
  ahead = 7 * day
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  await queue.add({ key: 'bob', kind: 'other', body: 1, runAt: now() + 50 })
  await vi.waitFor(async () => expect((await kept('ada'))?.run_at).toBeGreaterThan(now() + 90))
  ahead = 0
  await queue.add({ key: 'tick', kind: 'tick', body: 1 })
  await vi.waitFor(() => expect(ran).toHaveLength(2))
  await vi.waitFor(async () => expect((await kept('ada'))?.leased_until).toBe(0))
  expect((await kept('ada'))?.run_at).toBeLessThanOrEqual(now() + 100)
  expect((await kept('bob'))?.run_at).toBeLessThanOrEqual(now())
})

test('a job that is worked on as the clock is put right is given to nobody else', async () => {
  queue = new EmbeddedQueue({ store, log, now, lease: 3 })
  const other = new EmbeddedQueue({ store, log, now, lease: 3 })
  const go = Promise.withResolvers<void>()
  for (const each of [queue, other]) {
    each.handle('greet', async () => {
      ran.push(now())
      await go.promise
      return 'done'
    })
    each.start()
  }
  ahead = 7 * day
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  await vi.waitFor(() => expect(ran).toHaveLength(1))
  ahead = 0
  for (let round = 0; round < 16; round += 1) {
    await other.add({ key: `tick ${round}`, kind: 'tick', body: 1 })
    await delay(300)
  }
  go.resolve()
  await vi.waitFor(async () => expect((await kept('ada'))?.state).toBe('done'))
  expect(ran).toHaveLength(1)
  await other.stop()
})

test('a job meant for later stays for later where the clock is only a little off', async () => {
  queue.handle('greet', async () => 'done')
  queue.start()
  ahead = 30
  await queue.add({ key: 'ada', kind: 'greet', body: 1, runAt: now() + 1000 })
  ahead = 0
  await queue.add({ key: 'bob', kind: 'greet', body: 1 })
  await vi.waitFor(async () => expect((await kept('bob'))?.state).toBe('done'))
  expect((await kept('ada'))?.run_at).toBeGreaterThan(now() + 900)
})

test('what is done while another process holds the write lock is not done again', async () => {
  const other = new Database(join(folder, 'gavel.db'))
  queue.handle('greet', async () => {
    ran.push(now())
    other.exec('begin immediate')
    setTimeout(() => other.exec('commit'), 1_300)
    return 'done'
  })
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  queue.start()
  await vi.waitFor(async () => expect((await kept('ada'))?.state).toBe('done'), { timeout: 10_000 })
  expect(ran).toHaveLength(1)
  other.close()
})

test('what could not be stored for long is stored when the job is taken up again, without a second run', async () => {
  const book = new LogBook()
  queue = new EmbeddedQueue({ store, log: createLogger('info', [], book), now, lease: 1 })
  queue.handle('greet', async (body) => {
    ran.push(body)
    return ran.length === 1 ? { again: now() } : 'done'
  })
  await sql`create temp trigger full before update on main.jobs when new.leased_until = 0
    begin select raise(abort, 'database or disk is full'); end`.execute(store)
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  queue.start()
  await vi.waitFor(() => expect(book.of('error').join()).toContain('could not be stored'), {
    timeout: 10_000,
  })
  expect(ran).toHaveLength(1)
  await vi.waitFor(async () => expect((await kept('ada'))?.attempts).toBe(2), { timeout: 5_000 })
  expect(ran).toHaveLength(1)
  await sql`drop trigger full`.execute(store)
  // The first run wanted another, and gets just that one.
  await vi.waitFor(async () => expect((await kept('ada'))?.state).toBe('done'), { timeout: 10_000 })
  expect(ran).toHaveLength(2)
}, 30_000)

test('a job whose lease could not be renewed is not taken twice by the process that works on it', async () => {
  await sql`create temp trigger full before update of leased_until on main.jobs
    when old.leased_until > 0 and new.attempts = old.attempts
    begin select raise(abort, 'database or disk is full'); end`.execute(store)
  queue.handle('greet', async (body) => {
    ran.push(body)
    await delay(2_000)
    // Something is added, so the queue looks for work.
    if (ran.length === 1) await queue.add({ key: 'tick', kind: 'tick', body: 1 })
    await delay(500)
    await sql`drop trigger if exists full`.execute(store)
    return 'done'
  })
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  queue.start()
  await vi.waitFor(async () => expect((await kept('ada'))?.state).toBe('done'), { timeout: 10_000 })
  expect(ran).toHaveLength(1)
})

test('a key is forgotten 90 days after its job was done or given up, and one that waits never', async () => {
  queue.handle('greet', async (body) => {
    if (body === 'bad') throw new Error('no')
    return 'done'
  })
  await queue.add({ key: 'ada', kind: 'greet', body: 'good' })
  await queue.add({ key: 'bob', kind: 'greet', body: 'bad' })
  await queue.add({ key: 'eve', kind: 'other', body: 'good' })
  queue.start()
  await vi.waitFor(async () => expect((await kept('bob'))?.state).toBe('given-up'))
  await vi.waitFor(async () => expect((await kept('ada'))?.state).toBe('done'))
  ahead = 90 * day - 60
  expect(await queue.prune()).toBe(0)
  ahead = 90 * day + 60
  expect(await queue.prune()).toBe(2)
  expect((await store.selectFrom('jobs').select('key').execute()).map(({ key }) => key)).toEqual([
    'eve',
  ])
})
