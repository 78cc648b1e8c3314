import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Backups } from '../../../src/backup/backups.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'

const day = 86_400
const begun = Date.parse('2026-11-23T22:04:11Z') / 1000
const first = 'gavel-20261123T220411Z.db'
const never = new AbortController().signal

let database: TestDatabase
let store: Store
let above: string
let folder: string
let time: number
let lines: { level: string; msg: string; reason?: string; file?: string }[]
let room: number
beforeEach(async () => {
  database = await TestDatabase.onSqlite()
  store = await database.open()
  above = await mkdtemp(join(tmpdir(), 'gavel-backups-'))
  folder = join(above, 'copies')
  time = begun
  lines = []
  room = 1e9
})
afterEach(async () => {
  await database.remove()
  await rm(above, { recursive: true, force: true })
})

function backups(keep = 3): Backups {
  const log = createLogger('info', [], { write: (line) => lines.push(JSON.parse(line)) })
  const free = async () => room
  return new Backups({ file: database.address, folder, keep, now: () => time, log, room: free })
}

async function write(id: string): Promise<void> {
  await store
    .insertInto('callback_lines')
    .values({ id, line: 'asset OTTER', shown_at_s: 1 })
    .execute()
}

const names = async () => (await readdir(folder)).sort()

test('a copy holds what was written last, opens as a database, and is for this user alone', async () => {
  await write('x')
  await backups().makeIfDue(never)
  expect(await names()).toEqual([first])
  const copy = join(folder, first)
  expect((await stat(copy)).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(lines).toEqual([
    expect.objectContaining({ level: 'info', msg: 'the database was backed up', file: copy }),
  ])
  const copied = await openStore(copy)
  expect(await copied.selectFrom('callback_lines').select('id').execute()).toEqual([{ id: 'x' }])
  await copied.destroy()
})

test('one is made a day, also by a process that starts again meanwhile', async () => {
  await backups().makeIfDue(never)
  time += day - 1
  const again = backups()
  await again.makeIfDue(never)
  expect(await names()).toEqual([first])
  expect(again.age()).toBe(day - 1)
  time += 1
  await again.makeIfDue(never)
  expect(await names()).toEqual([first, 'gavel-20261124T220411Z.db'])
  expect(again.age()).toBe(0)
})

test('one is made although there is one of a clock that was wrong', async () => {
  await mkdir(folder)
  await writeFile(join(folder, 'gavel-20991231T000000Z.db'), '')
  const made = backups()
  await made.makeIfDue(never)
  expect(await names()).toContain(first)
  expect(made.age()).toBe(0)
})

test('after a clock was ahead, one is still made a day, and none of the days before is lost', async () => {
  await backups().makeIfDue(never)
  time += 300 * day
  await backups().makeIfDue(never)
  const ahead = 'gavel-20270919T220411Z.db'
  expect(await names()).toEqual([first, ahead])
  time -= 299 * day
  const again = backups()
  for (let hour = 0; hour < 30; hour += 1) {
    await again.makeIfDue(never)
    time += 3_600
  }
  expect(await names()).toEqual([
    first,
    'gavel-20261124T220411Z.db',
    'gavel-20261125T220411Z.db',
    ahead,
  ])
})

test('the file that the bot runs on is never removed as an old copy, nor is a folder of such a name', async () => {
  await mkdir(join(folder, 'gavel-20250101T000000Z.db'), { recursive: true })
  const live = join(folder, 'gavel-20250102T000000Z.db')
  await (await openStore(live)).destroy()
  const made = new Backups({
    file: live,
    folder,
    keep: 1,
    now: () => time,
    log: createLogger('silent', []),
  })
  await made.makeIfDue(never)
  time += day
  await made.makeIfDue(never)
  expect(await names()).toEqual(
    expect.arrayContaining([
      'gavel-20250101T000000Z.db',
      'gavel-20250102T000000Z.db',
      'gavel-20261124T220411Z.db',
    ]),
  )
  expect(await names()).not.toContain(first)
})

test('the newest are kept, and nothing else is ever deleted', async () => {
  await mkdir(folder)
  const others = [
    'gavel-copy.db',
    'gavel-20261101T000000Z.db.old',
    'gavel-20261332T000000Z.db',
    'gavel-20261101T000000Z.db-wal',
    'otter-20261101T000000Z.db',
    'notes.part',
  ]
  for (const name of others) await writeFile(join(folder, name), 'mine')
  const made = backups(2)
  for (let count = 0; count < 4; count += 1) {
    await made.makeIfDue(never)
    time += day
  }
  expect(await names()).toEqual(
    [...others, 'gavel-20261125T220411Z.db', 'gavel-20261126T220411Z.db'].sort(),
  )
  for (const name of others) expect(await readFile(join(folder, name), 'utf8')).toBe('mine')
})

test('what a copy left behind that was killed is removed by the next', async () => {
  await mkdir(folder)
  for (const end of ['.part', '.part-journal']) {
    await writeFile(join(folder, `gavel-20261122T000000Z.db${end}`), 'half')
  }
  await backups().makeIfDue(never)
  expect(await names()).toEqual([first])
})

describe('a copy that can’t be made', () => {
  test('because there is no room removes what a killed one left behind, which may have taken it', async () => {
    await mkdir(folder)
    await writeFile(join(folder, 'gavel-20261122T000000Z.db.part'), 'half')
    room = 1000
    await expect(backups().makeIfDue(never)).rejects.toThrow('are free there')
    expect(await names()).toEqual([])
  })

  test('because there is no room is not begun: the bot writes to the same disk', async () => {
    room = 1000
    await expect(backups().makeIfDue(never)).rejects.toThrow(
      /^it needs \d+\.\d MB, but 0\.0 MB are free there$/u,
    )
    expect(await names()).toEqual([])
  })

  /** Changes the file's own description of its tables. */
  async function damage(...statements: string[]): Promise<void> {
    await database.close()
    const damaged = new Database(database.address)
    damaged.unsafeMode(true)
    damaged.pragma('writable_schema = on')
    for (const statement of statements) damaged.exec(statement)
    damaged.close()
  }

  test('because the file can’t be read leaves nothing behind, and the former copies', async () => {
    await backups().makeIfDue(never)
    await damage("update sqlite_schema set rootpage = 99999 where name = 'callback_lines'")
    time += day
    await expect(backups().makeIfDue(never)).rejects.toThrow('malformed')
    expect(await names()).toEqual([first])
  })

  test.each([
    ['CREATE TABLE odd (name text not null)', /^the copy is damaged: NULL value in odd\.name$/u],
    // SQLite itself would have written the first words in capitals.
    ['create table odd (name text)', /^the copy has not the same tables$/u],
  ])(
    'because the check of what was copied fails leaves nothing behind: %s',
    async (shape, reason) => {
      await damage(
        'create table odd (name text)',
        'insert into odd values (null)',
        `update sqlite_schema set sql = '${shape}' where name = 'odd'`,
      )
      await expect(backups().makeIfDue(never)).rejects.toThrow(reason)
      expect(await names()).toEqual([])
    },
  )

  test('because the file is none of Gavel’s, or gone', async () => {
    await database.close()
    await rm(database.address)
    await expect(backups().makeIfDue(never)).rejects.toThrow('unable to open database file')
    new Database(database.address).close()
    await expect(backups().makeIfDue(never)).rejects.toThrow('no such table: kysely_migration')
    expect(await names()).toEqual([])
  })

  test('because the process stops is broken off', async () => {
    await expect(backups().makeIfDue(AbortSignal.abort())).rejects.toThrow('abort')
    expect(await names()).toEqual([])
  })
})

test('the state says how old the newest is, that none is there yet, and that one failed: in one line', async () => {
  const made = backups()
  time += 10
  expect(made.state()).toEqual({ state: 'none yet', age: 10 })
  await writeFile(folder, 'a file where the folder should be')
  const task = made.start()
  await expect.poll(() => made.state()).toEqual({ state: 'failed', age: 10 })
  await task.stop()
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: `no backup could be made in ${folder}; the bot tries again every hour`,
      reason: expect.stringContaining('EEXIST'),
    }),
  ])
  await rm(folder)
  const again = made.start()
  await expect.poll(() => made.state()).toEqual({ state: 'ok', age: 0 })
  await again.stop()
  time += 60
  expect(made.state()).toEqual({ state: 'ok', age: 60 })
  expect(lines.at(-1)?.msg).toBe('backups are made again')
})

test('a folder that was there keeps its mode', async () => {
  await mkdir(folder)
  await chmod(folder, 0o750)
  await backups().makeIfDue(never)
  expect((await stat(folder)).mode & 0o777).toBe(0o750)
})
