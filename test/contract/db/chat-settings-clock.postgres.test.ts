import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

/** Replaces the database's clock by one that is so many seconds ahead. */
async function setClock(ahead: number): Promise<void> {
  const store = await database.open()
  await sql`create schema if not exists clock`.execute(store)
  await sql
    .raw(`create or replace function clock.clock_timestamp() returns timestamptz language sql volatile
      as 'select pg_catalog.clock_timestamp() + interval ''${ahead} seconds'''`)
    .execute(store)
  const [{ name }] = (await sql<{ name: string }>`select current_database() as name`.execute(store))
    .rows as [{ name: string }]
  await sql
    .raw(`alter database "${name}" set search_path = clock, public, pg_catalog`)
    .execute(store)
}

test('what is set after the database’s clock was set back is read by other replicas', async () => {
  await setClock(3_600)
  const settings = new ChatSettings(await database.open())
  const other = new ChatSettings(await database.open())
  await settings.set('telegram', '-1', { language: 'es' })
  await other.load()
  expect(other.of('telegram', '-1').language).toBe('es')
  await setClock(0)
  await settings.set('telegram', '-1', { language: 'tr' })
  await other.load()
  expect(other.of('telegram', '-1').language).toBe('tr')
  await settings.set('telegram', '-1', { language: 'ru' })
  await other.load()
  expect(other.of('telegram', '-1').language).toBe('ru')
})
