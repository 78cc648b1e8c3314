import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { StoredCallbacks } from '../../../src/db/callback-lines.ts'
import { openStore } from '../../../src/db/database.ts'
import { sealFor } from '../../../src/db/migrate.ts'
import { migrations } from '../../../src/db/migrations.ts'
import { probeDatabase } from '../../../src/db/probe.ts'
import { StoreError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'

const log = createLogger('silent', [])

const later: Record<string, Migration> = {
  '9001_column': {
    up: (db) => db.schema.alterTable('callback_lines').addColumn('more', 'text').execute(),
  },
  '9002_table': {
    up: (db) => db.schema.createTable('later').addColumn('name', 'text').execute(),
  },
}

let database: TestDatabase
beforeEach(async () => {
  // Not one that is used again: its list of migrations is changed.
  const isPostgres = inject('postgres') !== undefined
  database = await (isPostgres ? TestDatabase.onEmptyPostgres() : TestDatabase.onSqlite())
})
afterEach(() => database.remove())

/** Writes a name into the list of migrations. */
async function note(name: string): Promise<void> {
  const store = await database.open()
  const at = new Date(0).toISOString()
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${at})`.execute(store)
  await database.close()
}

/** Why neither a start nor the doctor can use the database. */
async function refusal(): Promise<string> {
  const opened: unknown = await openStore(database.address).catch((error: unknown) => error)
  if (!(opened instanceof StoreError)) throw new Error('it was opened')
  await expect(probeDatabase(database.address)).rejects.toThrow(opened.message)
  return opened.message
}

test('while a newer version changes the database, one that runs works on; a start is refused, and says what to do', async () => {
  const store = await database.open()
  const provider = { getMigrations: async () => ({ ...migrations, ...later }) }
  const { error, results } = await new Migrator({ db: store, provider }).migrateToLatest()
  expect(error).toBeUndefined()
  expect(results?.map(({ migrationName }) => migrationName)).toEqual(Object.keys(later))
  const lines = new StoredCallbacks(store, () => 1_700_000_000, log)
  const id = await lines.store('asset OTTER')
  expect(await lines.find(id ?? '')).toBe('asset OTTER')
  await database.close()
  expect(await refusal()).toMatch(
    /can't be opened: a newer version of Gavel has changed it so that this one can't run on it \(9001_column, 9002_table\); start the newer one, or restore the copy from before the update/u,
  )
})

test('a start on what was moved away says where it is now, and what to do', async () => {
  await note(sealFor('postgres://db.example.org/gavel'))
  expect(await refusal()).toMatch(
    /its data were moved to postgres:\/\/db\.example\.org\/gavel\. Set DATABASE_URL .*--unseal/u,
  )
})
