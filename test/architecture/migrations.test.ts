import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { migrations } from '../../src/db/migrations.ts'

/** What each released migration makes on SQLite and on PostgreSQL: frozen since its release. */
const released: Record<string, { sqlite: string; postgres: string }> = {
  '0001_initial': { sqlite: '13ac98876c225a42', postgres: 'af6c6a8f1e81cddd' },
}

const engines: Record<'sqlite' | 'postgres', Dialect> = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}

const all = Object.entries(migrations)

/** What a migration asks of an engine. */
async function statementsOf({ up }: Migration, engine: keyof typeof engines): Promise<string[]> {
  const asked: string[] = []
  const log = ({ query }: { query: { sql: string } }) => {
    asked.push(query.sql)
  }
  const db = new Kysely<unknown>({ dialect: engines[engine], log })
  await up(db)
  await db.destroy()
  return asked
}

async function digestOf(migration: Migration, engine: keyof typeof engines): Promise<string> {
  const statements = await statementsOf(migration, engine)
  return createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 16)
}

/** The statements that a running replica of the previous version would stumble over: it reads and writes on as before. */
function breaking(statements: readonly string[]): string[] {
  const made = new Set(statements.flatMap((each) => /^create table "(\w+)"/u.exec(each)?.[1] ?? []))
  return statements.filter((each) => {
    if (/^create (?:table|index) /u.test(each)) return false
    // What a running replica writes may not fit, except into a table that it does not know.
    const [, unique = ''] = /^create unique index "\w+" on "(\w+)"/u.exec(each) ?? []
    if (made.has(unique)) return false
    const [, column] = /^alter table "\w+" add column ("\w+" [^,]+)$/u.exec(each) ?? []
    const isFree =
      column !== undefined && !/ unique| references | check | primary key/u.test(column)
    return !isFree || (column.includes(' not null') && !column.includes(' default '))
  })
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test.each(all)('%s only adds', async (_, migration) => {
    const statements = await statementsOf(migration, engine)
    expect(statements).not.toEqual([])
    expect(breaking(statements)).toEqual([])
  })

  test('migrations that were released are as they were', async () => {
    const digests = await Promise.all(
      all.map(async ([name, migration]) => [name, await digestOf(migration, engine)] as const),
    )
    const names = Object.keys(released)
    expect(digests.slice(0, names.length)).toEqual(
      names.map((name) => [name, released[name]?.[engine]]),
    )
  })
})

test.each([
  'drop table "callback_lines"',
  'drop index "callback_lines_shown_at"',
  'alter table "callback_lines" rename to "rows"',
  'alter table "callback_lines" rename column "line" to "text"',
  'alter table "callback_lines" alter column "line" drop not null',
  'alter table "callback_lines" add column "more" text not null',
  'alter table "callback_lines" add column "more" text unique',
  'alter table "callback_lines" add column "more" text, drop column "line"',
  'create unique index "callback_lines_once" on "callback_lines" ("line")',
  'update "callback_lines" set "line" = \'\'',
])('no migration may ask: %s', (statement) => {
  expect(breaking([statement])).toEqual([statement])
})

test('a migration may add what the previous version need not know', () => {
  const statements = [
    'alter table "callback_lines" add column "more" text',
    'alter table "callback_lines" add column "count" integer default 0 not null',
    'create index "callback_lines_more" on "callback_lines" ("more")',
    'create table "others" ("name" text)',
    'create unique index "others_once" on "others" ("name")',
  ]
  expect(breaking(statements)).toEqual([])
})

test('pg-boss has the schema of the release before, or else all replicas are stopped first', () => {
  const file = z.object({ pgboss: z.object({ schema: z.int() }) })
  const found = file.parse(JSON.parse(readFileSync('node_modules/pg-boss/package.json', 'utf8')))
  // Another one is a release of which docs/operating/upgrades-and-backups.md must say so.
  expect(found.pgboss.schema).toBe(43)
})
