import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { EmbeddedQueue } from '../../../src/jobs/embedded.ts'
import { createLogger } from '../../../src/log.ts'
import { countTurns } from '../../turns.ts'
import { LogBook } from '../../unit/core/log-book.ts'
import { queueContract } from './contract.ts'

const day = 86_400
const silent = createLogger('silent', [])
const patience = { timeout: 10_000, interval: 5 }

let folder: string
let store: Store
let book: LogBook
let queues: EmbeddedQueue[]
/** Seconds by which the clock is ahead. */
let ahead: number
let ran: unknown[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-queue-'))
  store = await openStore(join(folder, 'gavel.db'))
  book = new LogBook()
  queues = []
  ahead = 0
  ran = []
})
afterEach(async () => {
  for (const queue of queues) await queue.stop()
  await store.destroy()
  await rm(folder, { recursive: true, force: true })
})

const now = () => Math.floor(Date.now() / 1000) + ahead

type Changes = Partial<ConstructorParameters<typeof EmbeddedQueue>[0]>

function open(changes: Changes = {}): EmbeddedQueue {
  const queue = new EmbeddedQueue({ store, log: createLogger('info', [], book), now, ...changes })
  queues.push(queue)
  return queue
}

/** Handles 'greet' by noting its body; the result is 'done' unless told otherwise. */
function greet(queue: EmbeddedQueue, result: () => 'done' | { runAt: number } = () => 'done') {
  queue.handle('greet', async (body) => {
    ran.push(body)
    return result()
  })
}

function row(key: string) {
  return store.selectFrom('jobs').selectAll().where('key', '=', key).executeTakeFirst()
}

const eventually = (key: string, state: object) =>
  expect.poll(() => row(key), patience).toMatchObject(state)

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../../src', path))

/** A process that takes a job and never ends it. */
const hungWorker = `
  import { EmbeddedQueue } from ${source('jobs/embedded.ts')}
  import { createLogger } from ${source('log.ts')}
  import { openStore } from ${source('db/database.ts')}
  const store = await openStore(process.argv[2])
  const now = () => Math.floor(Date.now() / 1000)
  const queue = new EmbeddedQueue({ store, log: createLogger('silent', []), now })
  queue.handle('greet', () => {
    process.send('taken')
    return new Promise(() => undefined)
  })
  queue.start()
`

describe('the embedded queue', () => {
  queueContract(async () => ({
    queue: async (pause = 0, onGivenUp = () => undefined) =>
      open({ log: silent, tries: 3, pause: () => pause, onGivenUp }),
    now,
    kept: async (key) => {
      const found = await row(key)
      return found && { state: found.state, reason: found.reason }
    },
    close: async () => undefined,
  }))
})

test('a job of a killed process runs again, and the attempt counts', async () => {
  await open().add({ key: 'ada', kind: 'greet', body: 1 })
  const program = join(folder, 'worker.mjs')
  await writeFile(program, hungWorker)
  const worker = fork(program, [join(folder, 'gavel.db')])
  try {
    await once(worker, 'message')
  } finally {
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }
  const queue = open()
  greet(queue)
  queue.start()
  await eventually('ada', { state: 'done', attempts: 2 })
  expect(ran).toEqual([1])
})

test('a job that is done keeps its key and loses its body; one given up keeps both; after 90 days both are deleted', async () => {
  const queue = open({ tries: 1 })
  queue.handle('greet', async (body) => {
    if (body === 'bad') throw new Error('no')
    return 'done'
  })
  await queue.add({ key: 'ada', kind: 'greet', body: 'secret' })
  await queue.add({ key: 'bob', kind: 'greet', body: 'bad' })
  await queue.add({ key: 'eve', kind: 'other', body: 'good' })
  queue.start()
  await eventually('bob', { state: 'given-up', body: '"bad"', reason: 'no' })
  await eventually('ada', { state: 'done', body: 'null' })
  ahead = 90 * day - 60
  expect(await queue.prune()).toBe(0)
  ahead = 90 * day + 60
  expect(await queue.prune()).toBe(2)
  expect(await row('eve')).toMatchObject({ state: 'waiting' })
})

test('all stuck jobs are tried again by reading them once, a part at a time', async () => {
  const failed = { kind: 'greet', body: '1', run_at_s: 0, attempts: 3 }
  for (let index = 0; index < 450; index += 1) {
    const state = { state: 'given-up', reason: 'no', updated_at_s: 0, failing_since_s: 0 } as const
    await store
      .insertInto('jobs')
      .values({ key: `ada ${index}`, ...failed, ...state })
      .execute()
  }
  let read = 0
  const counted = store.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read += result.rows.length
      return result
    },
  })
  const queue = open({ store: counted })
  const ids = (await queue.stuck(1_000)).map(({ id }) => id)
  await queue.drop(ids.slice(0, 1))
  read = 0
  const turns = countTurns()
  expect(await queue.retry(ids)).toBe(449)
  expect(turns()).toBeGreaterThanOrEqual(3)
  expect(read).toBe(449)
  expect(await row('ada 449')).toMatchObject({ state: 'waiting', attempts: 0 })
})

test('each failure waits longer than the one before, and both it and the end are logged', async () => {
  const queue = open({ tries: 4 })
  queue.handle('greet', async () => {
    throw new Error('no luck')
  })
  queue.start()
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  const pauses: number[] = []
  for (let failures = 1; failures < 4; failures += 1) {
    await expect.poll(() => book.of('warn').length, patience).toBe(failures)
    await eventually('ada', { attempts: failures, reason: 'no luck' })
    const { run_at_s = 0, updated_at_s = 0 } = (await row('ada')) ?? {}
    pauses.push(run_at_s - updated_at_s)
    ahead = run_at_s - Math.floor(Date.now() / 1000)
    // The queue looks at its clock.
    await queue.add({ key: `tick ${failures}`, kind: 'tick', body: 1 })
  }
  expect(pauses).toEqual([2, 4, 8])
  await eventually('ada', { state: 'given-up' })
  expect(book.of('error')).toEqual([expect.stringContaining('no luck')])
})

test('a database that fails for a moment is asked again', async () => {
  const queue = open()
  greet(queue)
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  await store.schema.alterTable('jobs').renameTo('gone').execute()
  queue.start()
  await expect.poll(() => book.of('error').length, patience).toBeGreaterThan(0)
  await store.schema.alterTable('gone').renameTo('jobs').execute()
  await expect.poll(() => ran, patience).toEqual([1])
})

test('a job that is added while the queue looks when the next one is due does not wait for its next look', async () => {
  const looking = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const slow: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const isLook = result.rows.some((row) => Object.keys(row).join() === 'run_at_s')
      if (isLook) looking.resolve()
      if (isLook) await goOn.promise
      return result
    },
  }
  const queue = open({ store: store.withPlugin(slow) })
  greet(queue)
  await queue.add({ key: 'ada', kind: 'greet', body: 1, runAt: now() + 1000 })
  queue.start()
  await looking.promise
  await queue.add({ key: 'bob', kind: 'greet', body: 2 })
  goOn.resolve()
  await expect.poll(() => ran, patience).toEqual([2])
})

test('a job meant for later stays for later if the clock is only a little off', async () => {
  const queue = open()
  greet(queue)
  queue.start()
  ahead = 30
  await queue.add({ key: 'ada', kind: 'greet', body: 1, runAt: now() + 1000 })
  ahead = 0
  await queue.add({ key: 'bob', kind: 'greet', body: 1 })
  await eventually('bob', { state: 'done' })
  expect((await row('ada'))?.run_at_s).toBeGreaterThan(now() + 900)
})

test('a job that ends while another process holds the write lock is not run again', async () => {
  const other = new Database(join(folder, 'gavel.db'))
  const queue = open()
  greet(queue, () => {
    other.exec('begin immediate')
    setTimeout(() => other.exec('commit'), 700)
    return 'done'
  })
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  queue.start()
  await eventually('ada', { state: 'done' })
  expect(ran).toEqual([1])
  other.close()
})

test('a result that can’t be stored for long is logged, and stored later without a second run', async () => {
  const queue = open({ storePauseMs: 1 })
  greet(queue, () => (ran.length === 1 ? { runAt: now() } : 'done'))
  await sql`create temp trigger full before update on main.jobs when new.attempts <= old.attempts
    begin select raise(abort, 'database or disk is full'); end`.execute(store)
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  queue.start()
  await expect.poll(() => book.of('error').join(), patience).toContain('could not be stored')
  expect(ran).toHaveLength(1)
  await sql`drop trigger full`.execute(store)
  // The first run asked for another, and gets just that one.
  await eventually('ada', { state: 'done' })
  expect(ran).toHaveLength(2)
})
