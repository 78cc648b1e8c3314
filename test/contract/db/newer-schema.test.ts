import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { StoredCallbacks } from '../../../src/core/callback-data.ts'
import { openStore } from '../../../src/db/database.ts'
import { newerMigrations, sealFor } from '../../../src/db/migrate.ts'
import {
  type MarkedMigration,
  migrations,
  ownMigrations,
  providerOf,
} from '../../../src/db/migrations.ts'
import type { Store } from '../../../src/db/schema.ts'
import { StoreError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'

const log = createLogger('silent', [])
const last = Object.keys(ownMigrations).at(-1) ?? ''

const additive: MarkedMigration = {
  up: (db) => db.schema.alterTable('lines').addColumn('more', 'text').execute(),
}
/** As a version must mark one that no older version can run on. */
const breaking: MarkedMigration = {
  up: (db) => db.schema.alterTable('lines').renameColumn('line', 'command').execute(),
  runsFrom: '9002_breaking',
}

let database: TestDatabase
beforeEach(async () => {
  // Not one that is used again: its list of migrations is changed.
  const isPostgres = inject('postgres') !== undefined
  database = await (isPostgres ? TestDatabase.onEmptyPostgres() : TestDatabase.onSqlite())
})
afterEach(() => database.remove())

/** A later version, which has these migrations more, starts on the database. */
async function upgrade(later: Record<string, MarkedMigration>): Promise<void> {
  const db = await database.open()
  expect(await newerMigrations(db)).toEqual([])
  const provider = providerOf({ ...ownMigrations, ...later })
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
  expect(error).toBeUndefined()
  expect(results?.map(({ migrationName }) => migrationName)).toEqual(Object.keys(later))
  await database.close()
}

/** Writes a name into the list of migrations. */
async function note(name: string): Promise<void> {
  const store = await database.open()
  const at = new Date(0).toISOString()
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${at})`.execute(store)
  await database.close()
}

async function refusal(): Promise<string> {
  const opened: unknown = await openStore(database.address).catch((error: unknown) => error)
  if (!(opened instanceof StoreError)) throw new Error('it was opened')
  return opened.message
}

async function works(store: Store): Promise<void> {
  const lines = new StoredCallbacks(store, () => 1_700_000_000, log)
  const id = await lines.store('asset OTTER')
  expect(await lines.find(id ?? '')).toBe('asset OTTER')
}

describe('on a database that a newer version has changed', () => {
  test('a version before starts and works, if the change only adds; it leaves the change alone', async () => {
    await upgrade({ '9001_additive': additive })
    const store = await database.open()
    await works(store)
    expect(await newerMigrations(store)).toEqual(['9001_additive'])
    await sql`select more from lines`.execute(store)
  })

  test('a version before refuses, if it can’t run on the change, and says which it is', async () => {
    await upgrade({ '9001_additive': additive, '9002_breaking': breaking })
    expect(await refusal()).toMatch(
      /can't be opened: a newer version of Gavel has changed it so that this one can't run on it \(9002_breaking\); start the newer one, or restore/u,
    )
  })

  test('a version starts from the one on that the mark names', async () => {
    await upgrade({ '9001_from_this': { ...additive, runsFrom: last } })
    await works(await database.open())
  })

  test('a version refuses what bears no mark', async () => {
    await note('9001_odd')
    expect(await refusal()).toContain('(9001_odd)')
  })

  test('a version that lacks one of its own migrations there refuses', async () => {
    await upgrade({ '9001_additive': additive })
    const store = await database.open()
    await sql`delete from kysely_migration where name = ${last}`.execute(store)
    await database.close()
    expect(await refusal()).toContain('(9001_additive)')
  })
})

test('a start on what was moved away says where it is now, and what to do', async () => {
  await note(sealFor('postgres://db.example.org/gavel'))
  expect(await refusal()).toMatch(
    /its data were moved to postgres:\/\/db\.example\.org\/gavel\. Set DATABASE_URL .*--unseal/u,
  )
})

test('each migration leaves its mark with what it changes', async () => {
  const store = await database.open()
  const marks = await store.selectFrom('migration_marks').selectAll().orderBy('name').execute()
  const names = Object.keys(await migrations.getMigrations())
  expect(marks.map(({ name }) => name)).toEqual(names.slice(names.indexOf('0017_marks')))
})
