import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { StoredCallbacks } from '../../../src/db/callback-lines.ts'
import { openStore } from '../../../src/db/database.ts'
import { openPostgres } from '../../../src/db/postgres.ts'
import type { Store } from '../../../src/db/schema.ts'
import { StoreError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { oldPostgres } from './old-postgres.ts'

const log = createLogger('silent', [])

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.onEmptyPostgres()
})
afterEach(() => {
  vi.useRealTimers()
  return database.remove()
})

const linesOf = (store: Store) => new StoredCallbacks(store, () => 1_700_000_000, log)

async function count(of: ReturnType<typeof sql>): Promise<number> {
  const store = await database.open()
  const { rows } = await sql<{ count: number }>`select count(*) from ${of}`.execute(store)
  return rows[0]?.count ?? 0
}

async function refusal(address: string): Promise<StoreError> {
  try {
    await (await openStore(address)).destroy()
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  throw new Error('it was opened')
}

test('processes that start at once migrate once, and all can write afterwards', async () => {
  const stores = await Promise.all([1, 2, 3, 4].map(() => database.open()))
  await Promise.all(stores.map((store, index) => linesOf(store).store(`line ${index}`)))
  expect(await count(sql`callback_lines`)).toBe(4)
  expect(await count(sql`kysely_migration`)).toBe(
    await count(sql`(select distinct name from kysely_migration) as names`),
  )
})

test('a process waits for another’s migration longer than a statement may take', async () => {
  const first = await database.open()
  const migrating = await first.startTransaction().execute()
  // As Kysely's migrator does.
  await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(migrating)
  const opening = openPostgres(database.address, 'gavel', 200)
  const waiting = async () => {
    const { rows } = await sql`select from pg_locks where locktype = 'advisory' and not granted
      and age(clock_timestamp(), waitstart) > interval '600 ms'`.execute(first)
    return rows.length
  }
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
  await migrating.rollback().execute()
  const store = await opening
  await expect(sql`select pg_sleep(2)`.execute(store)).rejects.toThrow('statement timeout')
  await store.destroy()
})

test('migrating again changes nothing and keeps what is stored', async () => {
  const id = await linesOf(await database.open()).store('asset OTTER')
  await database.close()
  expect(await linesOf(await database.open()).find(id ?? '')).toBe('asset OTTER')
})

test('numbers come back as numbers, however large', async () => {
  const store = await database.open()
  const shown_at_s = Number.MAX_SAFE_INTEGER
  await store.insertInto('callback_lines').values({ id: 'x', line: 'y', shown_at_s }).execute()
  const { fn } = store
  const rows = await store
    .selectFrom('callback_lines')
    .select([
      fn.max('shown_at_s').as('most'),
      fn.sum('shown_at_s').as('sum'),
      fn.countAll().as('all'),
    ])
    .execute()
  expect(rows).toEqual([{ most: shown_at_s, sum: shown_at_s, all: 1 }])
})

test('a store whose connections broke opens new ones', async () => {
  const store = await database.open()
  const letIn = await database.outage()
  await expect(store.selectFrom('callback_lines').selectAll().execute()).rejects.toThrow()
  await letIn()
  expect(await store.selectFrom('callback_lines').selectAll().execute()).toEqual([])
})

describe('a database that can’t be opened', () => {
  test('because a migration fails, which then leaves nothing half done', async () => {
    const first = await database.open()
    await sql`drop schema public cascade`.execute(first)
    await sql`create schema public`.execute(first)
    await sql`create table other (name text)`.execute(first)
    await sql`create index payloads_link on other (name)`.execute(first)
    expect((await refusal(database.address)).message).toContain('already exists')
    const tables = await first.introspection.getTables()
    expect(tables.map(({ name }) => name)).toEqual(['other'])
  })

  test('because it does not exist', async () => {
    const url = new URL(database.address)
    url.pathname = '/elsewhere'
    const { message } = await refusal(url.href)
    expect(message).toMatch(/^The database postgres:\S+\/elsewhere can't be opened: .*not exist$/u)
  })

  test('because the password is wrong, which is not repeated', async () => {
    const url = new URL(database.address)
    url.password = 'wrong-password'
    const { message } = await refusal(url.href)
    expect(message).toContain('password authentication failed')
    expect(message).not.toContain('wrong-password')
  })

  test('because its user may create no tables in it', async () => {
    const { fresh, drop } = await newUser()
    try {
      expect((await refusal(fresh)).message).toMatch(/make the user the owner of the database$/u)
    } finally {
      await drop()
    }
  })

  test('because nothing listens', async () => {
    const old = await oldPostgres('18.0')
    await old.close()
    const { message } = await refusal(old.url)
    expect(message).toMatch(/^The database postgres:\S+ can't be opened: .*ECONNREFUSED/u)
    expect(message).not.toContain('secret')
  })

  test('because nothing answers, or something other than PostgreSQL', async () => {
    const sockets: Socket[] = []
    const silent = await listening((socket) => sockets.push(socket))
    const rude = await listening((socket) => socket.destroy())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const refusals = Promise.all([silent.url, rude.url].map(refusal))
    await vi.waitUntil(() => sockets.length > 0)
    await vi.advanceTimersByTimeAsync(5_000)
    const [toSilence, toRudeness] = await refusals
    for (const socket of sockets) socket.destroy()
    await Promise.all([silent.close(), rude.close()])
    expect(toSilence?.message).toContain(
      ': no answer within 5 s; check the address and the firewall',
    )
    expect(toRudeness?.message).toContain(': the connection was closed; check the address')
  })

  test.each([
    'postgres://gavel:12/secret@127.0.0.1:1/x',
    'postgres://gavel:p@secret/w#rd@127.0.0.1:1/x',
    'postgres://gavel:p@secret/w?rd@127.0.0.1:1/x',
  ])('whose password is not percent-encoded, none of which is repeated: %s', async (address) => {
    const { message } = await refusal(address)
    expect(message).toMatch(/^The database postgres:\/\/… can't be opened: /u)
  })

  test.each(['13.22', '9.6.24'])('because it is PostgreSQL %s', async (version) => {
    const old = await oldPostgres(version)
    try {
      const { message } = await refusal(old.url)
      expect(message).toContain(`it is PostgreSQL ${version}, and 14 or newer is needed`)
    } finally {
      await old.close()
    }
  })
})

/** A user who owns nothing, and the database's URL for it. */
async function newUser() {
  const administrator = new Client({ connectionString: database.address })
  await administrator.connect()
  const name = `user_${randomUUID().replaceAll('-', '')}`
  await administrator.query(`create role ${name} login password 'a-password'`)
  const url = new URL(database.address)
  url.username = name
  url.password = 'a-password'
  const drop = async () => {
    await administrator.query(`drop role ${name}`)
    await administrator.end()
  }
  return { fresh: url.href, drop }
}

/** A server that does this with whoever comes, and its URL. */
async function listening(treat: (socket: Socket) => void) {
  const server = createServer(treat)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `postgres://gavel:a-password@127.0.0.1:${port}/gavel`, close }
}
