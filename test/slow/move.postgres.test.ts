import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BotStartError, startBot } from '../../sandbox/bot.ts'
import { openStore } from '../../src/db/database.ts'
import { allTables, copiedTables } from '../../src/db/move.ts'
import type { Store } from '../../src/db/schema.ts'
import { lockFile } from '../../src/db/sqlite.ts'
import { StoreError } from '../../src/errors.ts'
import { PgBossQueue } from '../../src/jobs/pg-boss.ts'
import { chats, furnish, log, maxShown, partsOf, tell } from '../contract/db/installation.ts'
import { Move, move, moveWith } from '../contract/db/moving.ts'
import { needed } from '../settings.ts'
import { eventually } from '../unit/alerts/notifier-harness.ts'

vi.setConfig({ testTimeout: 60_000 })

let moving: Move
/** The id of a rule that was deleted, higher than all others. */
let lastFilter: number
beforeEach(async () => {
  moving = await Move.prepare()
  lastFilter = (await moving.write(furnish)).lastFilter
})
afterEach(() => moving.remove())

async function moved(): Promise<Store> {
  expect(await moving.run()).toMatchObject({ code: 0, stderr: '' })
  return moving.target.open()
}

/** All rows, in some order that both databases agree on. */
async function rowsOf(store: Store, table: string): Promise<string[]> {
  const { rows } = await sql`select * from ${sql.table(table)}`.execute(store)
  const texts = rows.map((row) => JSON.stringify(row).replaceAll('\\u0000', '\uFFFD'))
  return texts.toSorted()
}

async function allOf(store: Store): Promise<string[][]> {
  const all: string[][] = []
  for (const table of [...copiedTables, 'pgboss.job']) all.push(await rowsOf(store, table))
  return all
}

/** The rows of each table of the file, with its migrations. */
async function allTablesOf(store: Store): Promise<string[][]> {
  const all: string[][] = []
  for (const table of [...allTables, 'kysely_migration']) all.push(await rowsOf(store, table))
  return all
}

async function jobsOf(store: Store) {
  const { rows } = await sql`
    select state, output, (data->>'failures')::int as failures,
      round(deletion_seconds / 86400.0)::int as days
    from pgboss.job order by state, failures, days`.execute(store)
  return rows
}

/** Writes to the file as it is, without a migration. */
async function sqlite(use: (store: Store) => Promise<unknown>): Promise<void> {
  const database = new Database(moving.source.address)
  const store: Store = new Kysely({ dialect: new SqliteDialect({ database }) })
  await use(store)
  await store.destroy()
}

describe('a move', () => {
  test('copies every row, continues the file’s ids, and leaves the file’s rows as they are', async () => {
    const before = await moving.write(allTablesOf)
    const target = await moved()
    expect(await moving.unseal()).toMatchObject({ code: 0, stderr: '' })
    const source = await moving.source.open()
    expect(await allTablesOf(source)).toEqual(before)
    for (const table of copiedTables) {
      const rows = await rowsOf(source, table)
      expect(rows, table).not.toEqual([])
      expect(await rowsOf(target, table), table).toEqual(rows)
    }
    const planned = sql`select reltuples from pg_class where relname = 'deliveries'`
    expect((await planned.execute(target)).rows).toEqual([{ reltuples: 3 }])
    const { subscriptions } = partsOf(target)
    await subscriptions.subscribe(chats[0], { kind: 'incoming', setting: {}, scope: {} })
    const ids = (await subscriptions.of(chats[0])).subscriptions.map(({ id }) => id)
    expect(ids).toEqual([1, lastFilter + 1])
  })

  test('copies jobs with their times, failures and keys', async () => {
    const target = await moved()
    const ran: unknown[] = []
    const { address: url } = moving.target
    const queue = await PgBossQueue.open({ url, store: target, log, tries: 2 })
    try {
      queue.handle('greet', async (body) => {
        ran.push(body)
        return 'done'
      })
      for (const key of ['greeted', 'due', 'later'])
        await queue.add({ key, kind: 'greet', body: 'once more' })
      queue.start()
      await queue.add({ key: 'new', kind: 'greet', body: 'new' })
      await eventually(() => expect(ran).toHaveLength(2))
      expect(ran).toEqual(expect.arrayContaining([{ to: '🦦 \0' }, 'new']))
      await queue.runNow({ key: 'later', kind: 'greet' })
      await eventually(() => expect(ran.slice(2)).toEqual(['later']))
    } finally {
      await queue.stop()
    }
    const done = { state: 'completed', output: null }
    expect(await jobsOf(target)).toEqual([
      { ...done, failures: 0, days: 90 },
      { ...done, failures: 0, days: 90 },
      { ...done, failures: 1, days: 30 },
      { ...done, failures: 1, days: 90 },
      { state: 'failed', output: { reason: 'no \uFFFD way' }, failures: 2, days: 90 },
    ])
  })

  test('prints what it moved and what to do next; a second one, by the environment, changes nothing', async () => {
    const { stdout } = await moving.run()
    expect(stdout).toMatch(/^callback_lines +2 +\d+\.\d s$/mu)
    expect(stdout).toMatch(/^jobs +4 +\d+\.\d s$/mu)
    expect(stdout).toMatch(/^Moved \d+ rows in \d+\.\d s\. All were read back and are the same/mu)
    expect(stdout).toContain(`${moving.source.address} is sealed: no Gavel starts on it.`)
    expect(stdout).toContain('Now set DATABASE_URL')
    expect(stdout).not.toContain('password')
    const before = await allOf(await moving.target.open())
    await moving.target.close()
    const env = { DATABASE_URL: moving.target.address }
    const second = await moveWith([`file:${moving.source.address}`], undefined, env)
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(second.stdout).toContain('It has already been moved')
    expect(await allOf(await moving.target.open())).toEqual(before)
  })

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['more rows', (store) => tell(store, 'Newt')],
    ['fewer rows', (store) => sql`delete from callback_lines where id = 'x'`.execute(store)],
    [
      'other values',
      (store) =>
        store
          .updateTable('callback_lines')
          .set({ shown_at_s: maxShown - 1 })
          .execute(),
    ],
    ['other jobs', (store) => sql`delete from pgboss.job where name = 'fail'`.execute(store)],
  ])('to a database with %s is refused, and changes nothing', async (_, change) => {
    const target = await moved()
    await change(target)
    const before = await allOf(target)
    await moving.target.close()
    await moving.unseal()
    const { code, stderr } = await moving.run()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The PostgreSQL database has rows of its own \(.*create it again.*\n$/u)
    expect(await allOf(await moving.target.open())).toEqual(before)
  })

  test('of a file that changed after it was moved is refused', async () => {
    await moved()
    await moving.target.close()
    await moving.unseal()
    await moving.write((store) => tell(store, 'Newt'))
    const { code, stderr } = await moving.run()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^The PostgreSQL database has rows of its own .*in the file, not the same/u,
    )
  })

  test('of a row that can’t be moved moves nothing at all', async () => {
    // SQLite takes any value in any column.
    await moving.write((store) => sql`update watchlist set added_at_s = 'many'`.execute(store))
    const { code, stderr } = await moving.run()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The move was interrupted, and nothing was changed: .*"many".*\n$/u)
    const target = await moving.target.open()
    for (const table of copiedTables) expect(await rowsOf(target, table)).toEqual([])
  })
})

describe('a file that was moved', () => {
  const whereTo = () => {
    const { host, pathname } = new URL(moving.target.address)
    return `postgres://${host}${pathname}`
  }

  /** What a start of the bot on the file says. */
  async function refusedStart(): Promise<string> {
    const opened: unknown = await openStore(moving.source.address).catch((error: unknown) => error)
    if (!(opened instanceof StoreError)) throw new Error('it was opened')
    return opened.message
  }

  test('is sealed: a start on it says in one line where its data are, without the password, and what to do', async () => {
    await moved()
    const message = await refusedStart()
    expect(message).toContain(`gavel.db can't be opened: its data were moved to ${whereTo()}. `)
    expect(message).toContain('Set DATABASE_URL to that database')
    expect(message).toContain('npm run move -- --unseal')
    expect(message).not.toMatch(/\n|password/u)
    const env = { ...needed, DATABASE_URL: `file:${moving.source.address}`, PORT: '0' }
    const start: unknown = await startBot({ env }).catch((error: unknown) => error)
    if (!(start instanceof BotStartError)) throw new Error('it started')
    expect(start.exit.code).toBe(1)
    expect(start.output).toContain(`its data were moved to ${whereTo()}`)
  })

  test('is itself again with --unseal, which says so, and says if there is nothing to do', async () => {
    await moved()
    await moving.target.close()
    const { code, stdout } = await moving.unseal()
    expect(code).toBe(0)
    expect(stdout).toContain(`is unsealed, as it was when it was moved to ${whereTo()}`)
    await moving.write((store) => tell(store, 'Newt'))
    expect(await moving.unseal()).toMatchObject({
      code: 0,
      stdout: `${moving.source.address} is not sealed. Nothing was changed.\n`,
    })
  })

  test('is not moved to another database, nor unsealed while it is in use', async () => {
    await moved()
    const elsewhere = await move(`file:${moving.source.address}`, `${moving.target.address}2`)
    expect(elsewhere.code).toBe(1)
    expect(elsewhere.stderr).toContain(
      `was moved to ${whereTo()}, and has been sealed since. Nothing was changed. To use the file again: npm run move -- --unseal file:${moving.source.address}\n`,
    )
    const letGo = lockFile(moving.source.address)
    expect(await moving.unseal()).toMatchObject({ code: 1 })
    letGo()
    expect(await refusedStart()).toContain('its data were moved')
  })

  test('whose move was killed before the seal is sealed by the next move', async () => {
    await moved()
    await moving.target.close()
    await moving.unseal()
    const { code, stdout } = await moving.run()
    expect(code).toBe(0)
    expect(stdout).toContain('It has already been moved: both hold the same')
    expect(await refusedStart()).toContain('its data were moved')
  })

  test('that can’t be written is moved and not sealed, and the move says so', async () => {
    await sqlite((store) =>
      sql`create trigger no_seal before insert on kysely_migration begin select raise(abort, 'no room'); end`.execute(
        store,
      ),
    )
    const { code, stderr } = await moving.run()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^Everything was moved, but the file could not be sealed: no room\. .*\n$/u,
    )
  })

  test('is as before where the move breaks off', async () => {
    await moving.write((store) => sql`update watchlist set added_at_s = 'many'`.execute(store))
    expect(await moving.run()).toMatchObject({ code: 1 })
    await moving.write((store) => tell(store, 'Newt'))
  })
})

describe('in the middle of a move', () => {
  let beside: Client
  beforeEach(async () => {
    // Migrated, and let go of.
    await moving.target.open()
    await moving.target.close()
    beside = new Client({ connectionString: moving.target.address })
    await beside.connect()
  })
  afterEach(() => beside.end())

  /** The move waits between two tables until the returned function is called. */
  async function holdMove(): Promise<() => Promise<unknown>> {
    await beside.query(`
      create function wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(1); return new; end';
      create trigger wait before insert on deliveries for each row execute function wait();
      select pg_advisory_lock(1)`)
    return () => beside.query('select pg_advisory_unlock(1)')
  }

  const isHeld = () => hasActivity(`wait_event = 'advisory' and query like '%into "deliveries"%'`)
  const hasActivity = (what: string) =>
    eventually(async () => {
      const query = `select 1 from pg_stat_activity where datname = current_database() and ${what}`
      expect((await beside.query(query)).rows).toHaveLength(1)
    })

  async function count(table: string): Promise<number> {
    const { rows } = await beside.query(`select count(*)::int as count from ${table}`)
    return rows[0].count
  }

  test('a kill leaves nothing behind, and the next move starts from the beginning', async () => {
    const letGo = await holdMove()
    let pid = 0
    const killed = moving.run((its) => {
      pid = its
    })
    await isHeld()
    process.kill(pid, 'SIGKILL')
    expect(await killed).toMatchObject({ code: null })
    expect(await count('events')).toBe(0)
    await letGo()
    expect(await moving.run()).toMatchObject({ code: 0 })
    expect([await count('events'), await count('pgboss.job')]).toEqual([2, 4])
  })

  test('a broken connection is explained in one line, and the locks end if the machine dies', async () => {
    const letGo = await holdMove()
    const broken = moving.run()
    await isHeld()
    await beside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'gavel move'`,
    )
    const { code, stderr } = await broken
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^The move was interrupted, and nothing was changed: .*can be run again\.\n$/u,
    )
    await letGo()
    expect(await moving.run()).toMatchObject({ code: 0 })
  })

  test('a starting bot writes nothing before the move has ended', async () => {
    const letGo = await holdMove()
    const run = moving.run()
    await isHeld()
    const store = await moving.target.open()
    const late = { id: 'late', line: 'late', shown_at_s: 1 }
    const written = store.insertInto('callback_lines').values(late).execute()
    await hasActivity(`wait_event_type = 'Lock' and query like '%into "callback_lines"%'`)
    await letGo()
    expect(await run).toMatchObject({ code: 0 })
    await written
    expect(await count('callback_lines')).toBe(3)
  })

  test.each([
    ['a row that is lost', 'return null', 'Of callback_lines 2 rows were read, but 0 arrived'],
    ['a value that changes', 'new.line = upper(new.line); return new', 'or some arrived changed'],
  ])('%s is noticed, and all is undone', async (_, body, words) => {
    await beside.query(`
      create function spoil() returns trigger language plpgsql as 'begin ${body}; end';
      create trigger spoil before insert on callback_lines for each row execute function spoil()`)
    const { code, stderr } = await moving.run()
    expect(code).toBe(1)
    expect(stderr).toContain(words)
    expect(await count('callback_lines')).toBe(0)
  })
})

describe('it is refused to move', () => {
  const file = () => `file:${moving.source.address}`
  const url = () => moving.target.address

  /** What the command said, in one line and with exit code 1; its usage may follow. */
  async function refusal(from = file(), to = url()): Promise<string> {
    const { code, stderr } = await move(from, to)
    expect(code).toBe(1)
    const [line, ...more] = stderr.split('\n')
    expect(more.join('\n')).toMatch(/^(?:Usage: .*)?$/su)
    return line ?? ''
  }

  test('other than from one file to one PostgreSQL database', async () => {
    for (const given of [[], ['file:a'], ['file:a', 'postgres://b/c', 'd']]) {
      const { code, stderr } = await moveWith(given)
      expect(code).toBe(1)
      expect(stderr).toContain('Give two databases')
      expect(stderr).toContain('Usage: npm run move -- file:')
    }
    expect(await refusal(file(), file())).toContain('The target must be a PostgreSQL database')
    expect(await refusal(url(), url())).toContain('must be a file')
    expect(await refusal(file(), 'mysql://gavel:secret@host/gavel')).not.toContain('secret')
    expect(await refusal(file(), 'postgres://host')).toContain('such as postgres://')
  })

  test('with a password that is wrong or not percent-encoded, none of which is repeated', async () => {
    const odd = await move(file(), 'postgres://gavel:12/secret@127.0.0.1:1/x')
    expect(odd.stderr).toContain('in the password write @ : / ? # % as %40')
    const other = new URL(url())
    other.pathname = '/elsewhere'
    expect(await refusal(file(), other.href)).toMatch(/^The database postgres:\S+ can't be opened/u)
    other.password = 'secret-password'
    const wrong = await move(file(), other.href)
    expect(wrong.stderr).toContain('password authentication failed')
    for (const { stdout, stderr } of [odd, wrong]) expect(stdout + stderr).not.toContain('secret')
  })

  test('what is no file of Gavel’s, and nothing is made beside it', async () => {
    const other = `${moving.source.address}.other`
    expect(await refusal(`file:${other}`)).toContain(`There is no file ${other}`)
    for (const text of ['these are my notes, not a database\n'.repeat(100), '']) {
      await writeFile(other, text)
      expect(await refusal(`file:${other}`)).toBe(`${other} is not a database of Gavel's.`)
    }
    expect(existsSync(`${other}.lock`)).toBe(false)
    await mkdir(`${other}s`)
    expect(await refusal(`file:${other}s`)).toContain(`There is no file ${other}s`)
  })

  test('a file of an older or newer Gavel, or in use by one', async () => {
    const letGo = lockFile(moving.source.address)
    expect(await refusal()).toMatch(/^A Gavel uses .*Stop it/u)
    letGo()
    await moving.write((store) =>
      sql`insert into kysely_migration values ('9999_later', '')`.execute(store),
    )
    expect(await refusal()).toMatch(/used by a newer Gavel than this one \(it has 9999_later\)/u)
    const names = ['9999_later', '0001_initial']
    const deleted = sql`delete from kysely_migration where name in (${sql.join(names)})`
    await sqlite((store) => deleted.execute(store))
    expect(await refusal()).toContain('start this one on it once')
  })

  test('to a database in use', async () => {
    await moving.target.open()
    expect(await refusal()).toContain('A Gavel runs on the PostgreSQL database')
    await moving.target.close()
    const somebody = new Client({ connectionString: url() })
    await somebody.connect()
    await somebody.query(
      "begin; insert into callback_lines (id, line, shown_at_s) values ('a', 'b', 1)",
    )
    expect(await refusal()).toContain('Something else writes to the PostgreSQL database')
    await somebody.end()
    expect(await moving.run()).toMatchObject({ code: 0 })
  })
})
