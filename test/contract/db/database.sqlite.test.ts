import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { StoredCallbacks } from '../../../src/db/callback-lines.ts'
import { openStore } from '../../../src/db/database.ts'
import { lockFile } from '../../../src/db/sqlite.ts'
import { StoreError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'

const run = promisify(execFile)

/** Pages in the log, and those of them that are in the file. */
const checkpoint = z.object({ log: z.number(), checkpointed: z.number() })
const log = createLogger('silent', [])

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('the file is created with the folders above it', async () => {
  const file = join(folder, 'a', 'b', 'gavel.db')
  await (await openStore(file)).destroy()
  expect((await stat(file)).isFile()).toBe(true)
})

test('file and folder, and what lies beside the file, are for this user alone; what is there keeps its mode', async () => {
  const file = join(folder, 'a', 'b', 'gavel.db')
  const letGo = lockFile(file)
  const store = await openStore(file)
  await store.insertInto('callback_lines').values({ id: 'x', line: 'y', shown_at_s: 1 }).execute()
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  for (const end of ['', '-wal', '-shm', '.lock']) expect(await modeOf(file + end), end).toBe('600')
  expect(await modeOf(join(folder, 'a'))).toBe('700')
  expect(await modeOf(join(folder, 'a', 'b'))).toBe('700')
  await store.destroy()
  letGo()
  await chmod(file, 0o644)
  await (await openStore(file)).destroy()
  expect(await modeOf(file)).toBe('644')
})

test('a database in memory leaves no file', async () => {
  const store = await openStore(':memory:')
  expect(await new StoredCallbacks(store, () => 1_700_000_000, log).store('x')).toHaveLength(16)
  await store.destroy()
})

test('an opened database uses write-ahead logging, so that a killed process loses nothing', async () => {
  const file = join(folder, 'gavel.db')
  await (await openStore(file)).destroy()
  const database = new Database(file)
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
  database.close()
})

test('from 250 pages in the log on a commit writes them into the file, so that none waits for the disk for long', async () => {
  const file = join(folder, 'gavel.db')
  const store = await openStore(file)
  const onlooker = new Database(file)
  const inLog = () => {
    const [row] = z.tuple([checkpoint]).parse(onlooker.pragma('wal_checkpoint(noop)'))
    return row.log - row.checkpointed
  }
  onlooker.pragma('wal_checkpoint(truncate)')
  for (let written = 0; inLog() < 230; written += 1) {
    await store
      .insertInto('callback_lines')
      .values({ id: String(written), line: 'x'.repeat(40_000), shown_at_s: 1 })
      .execute()
    expect(inLog()).toBeGreaterThan(0)
  }
  await store
    .insertInto('callback_lines')
    .values({ id: 'last', line: 'x'.repeat(100_000), shown_at_s: 1 })
    .execute()
  expect(inLog()).toBe(0)
  onlooker.close()
  await store.destroy()
})

test('migrating again changes nothing and keeps what is stored', async () => {
  const file = join(folder, 'gavel.db')
  const first = await openStore(file)
  await new StoredCallbacks(first, () => 1_700_000_000, log).store('asset OTTER')
  await first.destroy()
  for (let time = 0; time < 2; time += 1) {
    const again = await openStore(file)
    expect(await again.selectFrom('callback_lines').select('line').execute()).toEqual([
      { line: 'asset OTTER' },
    ])
    await again.destroy()
  }
})

describe('a database that can’t be opened', () => {
  async function refusal(file: string): Promise<StoreError> {
    try {
      await (await openStore(file)).destroy()
    } catch (error) {
      if (error instanceof StoreError) return error
      throw error
    }
    throw new Error('it was opened')
  }

  test('because a file has the name of its folder', async () => {
    await writeFile(join(folder, 'data'), '')
    const file = join(folder, 'data', 'gavel.db')
    const { message, cause } = await refusal(file)
    expect(message).toMatch(/^The database .*gavel\.db can't be opened: \w+/u)
    expect(message).not.toContain('\n')
    expect(cause).toBeInstanceOf(Error)
  })

  test('because a folder has its own name', async () => {
    const file = join(folder, 'gavel.db')
    await mkdir(file)
    expect((await refusal(file)).message).toContain(file)
  })

  test('because it is no database; the file is left as it is', async () => {
    const file = join(folder, 'gavel.db')
    const text = 'these are my notes, not a database\n'.repeat(100)
    await writeFile(file, text)
    expect((await refusal(file)).message).toContain('not a database')
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('because it is not writable', async () => {
    const file = join(folder, 'gavel.db')
    const database = new Database(file)
    database.exec('create table callback_lines (other text)')
    database.close()
    await chmod(file, 0o444)
    // Who may write everything is stopped by the table that is none of ours.
    expect((await refusal(file)).message).toMatch(/readonly|read-only|already exists/u)
  })

  test('because a migration fails, which then leaves nothing half done', async () => {
    const file = join(folder, 'gavel.db')
    const database = new Database(file)
    database.exec(
      'create table other (name text); create index callback_lines_shown on other (name)',
    )
    database.close()
    expect((await refusal(file)).message).toContain('already exists')
    const after = new Database(file)
    const tables = after.prepare("select name from sqlite_schema where type = 'table'").pluck()
    expect(tables.all()).toEqual(['other'])
    after.close()
  })
})

const script = `
  import { existsSync, writeFileSync } from 'node:fs'
  import { setImmediate } from 'node:timers/promises'
  import { openStore } from ${JSON.stringify(join(import.meta.dirname, '../../../src/db/database.ts'))}
  import { createLogger } from ${JSON.stringify(join(import.meta.dirname, '../../../src/log.ts'))}
  import { StoredCallbacks } from ${JSON.stringify(join(import.meta.dirname, '../../../src/db/callback-lines.ts'))}
  const [, , file, from] = process.argv
  writeFileSync(file + '.ready' + from, '')
  while (!existsSync(file + '.go')) await setImmediate()
  const store = await openStore(file)
  const lines = new StoredCallbacks(store, () => 1_700_000_000, createLogger('silent', []))
  for (let count = 0; count < 50; count += 1) {
    // Nobody waits long for another's write; what could not be stored is tried again the next time.
    while ((await lines.store(\`line \${from} \${count % 25}\`)) === undefined) await setImmediate()
  }
  await store.destroy()
`

test('several processes can start and write at once', async () => {
  const file = join(folder, 'gavel.db')
  const writer = join(folder, 'writer.mjs')
  await writeFile(writer, script)
  const writers = [1, 2, 3, 4]
  const ended = Promise.all(writers.map((from) => run(process.execPath, [writer, file, `${from}`])))
  const ready = (from: number) => stat(`${file}.ready${from}`)
  await Promise.race([
    ended,
    vi.waitUntil(() => Promise.all(writers.map(ready)).catch(() => false), 20_000),
  ])
  await writeFile(`${file}.go`, '')
  await ended
  const store = await openStore(file)
  const rows = await store.selectFrom('callback_lines').select('line').execute()
  await store.destroy()
  expect(new Set(rows.map(({ line }) => line)).size).toBe(100)
})
