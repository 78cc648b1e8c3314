import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isLarge, startCheckpoints } from '../../../src/db/checkpoints.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../../unit/core/log-book.ts'

const run = promisify(execFile)

let folder: string
let file: string
let store: Store
let onlooker: Database.Database

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-checkpoints-'))
  file = join(folder, 'gavel.db')
  store = await openStore(file)
  onlooker = new Database(file)
  onlooker.pragma('wal_checkpoint(truncate)')
})
afterEach(async () => {
  onlooker.close()
  await store.destroy()
  await rm(folder, { recursive: true, force: true })
})

const progress = () => {
  const row = onlooker.prepare<[], { log: number; checkpointed: number }>(
    'pragma wal_checkpoint(noop)',
  )
  return row.get() ?? { log: Number.NaN, checkpointed: Number.NaN }
}

/** Pages in the log from which on a commit makes a checkpoint. */
async function commitsWaitFrom(): Promise<unknown> {
  const { rows } = await sql`pragma wal_autocheckpoint`.execute(store)
  return Object.values(rows[0] ?? {})[0]
}

/** Commits a transaction that takes at least so many pages. */
async function write(pages: number): Promise<void> {
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${pages})
    insert into lines (id, line, shown_at) select hex(randomblob(8)), hex(zeroblob(2040)), 1 from numbers`.execute(
    store,
  )
}

/** Up to how many bytes this process may write files: one is what a full disk is to it. */
async function room(bytes: string): Promise<void> {
  await run('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`])
}

test('a long log is written into the file by a thread, and commits do not wait for it', async () => {
  expect(await commitsWaitFrom()).toBe(1_000)
  const checkpoints = startCheckpoints(store, file, createLogger('silent', []))
  await vi.waitFor(async () => expect(await commitsWaitFrom()).toBe(100_000))
  await write(2_000)
  await vi.waitFor(() => {
    const { log, checkpointed } = progress()
    expect(log).toBeGreaterThan(2_000)
    expect(checkpointed).toBe(log)
  }, 5_000)
  await checkpoints.stop()
})

test('a log that grows all the time begins anew', async () => {
  const checkpoints = startCheckpoints(store, file, createLogger('silent', []))
  await vi.waitFor(async () => expect(await commitsWaitFrom()).toBe(100_000))
  const sizes: number[] = []
  for (let commit = 0; commit < 500; commit += 1) {
    await write(10)
    await delay(2)
    sizes.push(progress().log)
  }
  expect(sizes.some((size, index) => size < (sizes[index - 1] ?? 0))).toBe(true)
  await checkpoints.stop()
})

test('a long read, such as a backup’s, puts it off', async () => {
  const checkpoints = startCheckpoints(store, file, createLogger('silent', []))
  await vi.waitFor(async () => expect(await commitsWaitFrom()).toBe(100_000))
  await write(1)
  const reader = new Database(file)
  reader.exec('begin; select count(*) from lines')
  await write(2_000)
  await delay(1_000)
  expect(progress().checkpointed).toBeLessThan(1_000)
  reader.exec('commit')
  reader.close()
  await vi.waitFor(() => expect(progress().checkpointed).toBeGreaterThan(2_000), 5_000)
  await checkpoints.stop()
})

test('a full disk puts it off, too', async () => {
  const book = new LogBook()
  const checkpoints = startCheckpoints(store, file, createLogger('warn', [], book))
  await vi.waitFor(async () => expect(await commitsWaitFrom()).toBe(100_000))
  await write(1)
  const reader = new Database(file)
  reader.exec('begin; select count(*) from lines')
  await write(2_000)
  await room('1')
  reader.exec('commit')
  reader.close()
  await delay(500)
  const { checkpointed } = progress()
  await room('unlimited')
  expect(checkpointed).toBeLessThan(1_000)
  await vi.waitFor(() => expect(progress().checkpointed).toBeGreaterThan(2_000), 5_000)
  expect(book.lines).toEqual([])
  await checkpoints.stop()
})

test('if the thread fails, the log says so, and commits do it themselves again', async () => {
  const book = new LogBook()
  const checkpoints = startCheckpoints(
    store,
    join(folder, 'elsewhere.db'),
    createLogger('warn', [], book),
  )
  await vi.waitFor(() =>
    expect(book.lines.map(({ msg }) => msg)).toEqual([
      'no thread makes checkpoints: commits wait for the disk',
    ]),
  )
  await vi.waitFor(async () => expect(await commitsWaitFrom()).toBe(1_000))
  await checkpoints.stop()
})

test('once it is stopped nothing else has the file open: its log goes when the bot closes it', async () => {
  const checkpoints = startCheckpoints(store, file, createLogger('silent', []))
  await checkpoints.stop()
  onlooker.close()
  await write(1)
  expect(existsSync(`${file}-wal`)).toBe(true)
  await store.destroy()
  expect(existsSync(`${file}-wal`)).toBe(false)
})

test('a file of few chats is not worth a thread', async () => {
  expect(isLarge(join(folder, 'none.db'))).toBe(false)
  const other = join(folder, 'other.db')
  await writeFile(other, '')
  await truncate(other, 63_999_999)
  expect(isLarge(other)).toBe(false)
  await truncate(other, 64_000_000)
  expect(isLarge(other)).toBe(true)
})
