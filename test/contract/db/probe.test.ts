import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LockedLeadership } from '../../../src/cluster/locked-leadership.ts'
import { claimDatabase } from '../../../src/db/bot-identity.ts'
import { isPostgres } from '../../../src/db/database.ts'
import { migrations } from '../../../src/db/migrations.ts'
import { probeDatabase } from '../../../src/db/probe.ts'
import { lockFile } from '../../../src/db/sqlite.ts'
import { StoreError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

test('a database says whose it is, and that nothing is to be done to it', async () => {
  const store = await database.open()
  await claimDatabase(store, 'telegram', '42')
  const facts = await probeDatabase(database.address)
  expect(facts).toMatchObject({ isNew: false, isInUse: false, pending: 0 })
  expect(facts.owners).toEqual(new Map([['telegram', '42']]))
  expect(facts.size).toBeGreaterThan(10_000)
})

test('a database on which a bot runs says so', async () => {
  await database.open()
  const log = createLogger('silent', [])
  const running = isPostgres(database.address)
    ? new LockedLeadership({ url: database.address, log, onFault: () => undefined })
    : undefined
  await running?.start()
  const unlock = running ? () => running.stop() : lockFile(database.address)
  expect((await probeDatabase(database.address)).isInUse).toBe(true)
  await unlock()
})

test('a file whose disk is nearly full is refused: the bot could not write for long', async () => {
  if (isPostgres(database.address)) return
  expect((await probeDatabase(database.address)).free).toBeGreaterThan(0)
  const probing = probeDatabase(database.address, async () => 99e6)
  await expect(probing).rejects.toThrow('its disk has 99.0 MB left')
})

test('of an older database it says how many migrations are to come, and applies none', async () => {
  const store = await database.open()
  // They are put back: other tests get this database afterwards.
  await sql`create table migrations_taken as select * from kysely_migration`.execute(store)
  await sql`delete from kysely_migration`.execute(store)
  const found = [await probeDatabase(database.address), await probeDatabase(database.address)]
  await sql`insert into kysely_migration select * from migrations_taken`.execute(store)
  await sql`drop table migrations_taken`.execute(store)
  const pending = Object.keys(migrations).length
  expect(found).toMatchObject([
    { isNew: false, pending },
    { isNew: false, pending },
  ])
})

describe('a database without tables', () => {
  test('is new, and is not made', async () => {
    if (!isPostgres(database.address)) {
      const file = join(dirname(database.address), 'not', 'made.db')
      expect(await probeDatabase(file)).toMatchObject({ isNew: true, size: 0 })
      expect(existsSync(dirname(file))).toBe(false)
      return
    }
    const empty = await TestDatabase.onEmptyPostgres()
    expect(await probeDatabase(empty.address)).toMatchObject({ isNew: true })
    expect(await probeDatabase(empty.address)).toMatchObject({ isNew: true })
    await empty.remove()
  })

  test('that its user may not fill is refused with what to do', async () => {
    if (!isPostgres(database.address)) return
    const empty = await TestDatabase.onEmptyPostgres()
    const store = await database.open()
    const name = `user_${randomUUID().replaceAll('-', '')}`
    await sql.raw(`create role ${name} login password 'a-password'`).execute(store)
    const url = new URL(empty.address)
    url.username = name
    url.password = 'a-password'
    const probing = probeDatabase(url.href)
    await expect(probing).rejects.toThrow(StoreError)
    await expect(probing).rejects.toThrow('make the user the owner of the database')
    await sql.raw(`drop role ${name}`).execute(store)
    await empty.remove()
  })
})
