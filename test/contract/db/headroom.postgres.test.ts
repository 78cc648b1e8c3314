import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openShared, type Shared } from '../../../src/cluster/cluster.ts'
import { StoreError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
let administrator: Client
/** Whose the database is: no superuser, for whom no limit holds. */
let user: string
let url: URL
let opened: Shared[]
/** Connections of the user that no replica has. */
let others: Client[]
beforeEach(async () => {
  database = await TestDatabase.onEmptyPostgres()
  administrator = new Client({ connectionString: database.address })
  await administrator.connect()
  opened = []
  others = []
  user = `user_${randomUUID().replaceAll('-', '')}`
  url = new URL(database.address)
  await administrator.query(`create role ${user} login password 'a-password'`)
  await administrator.query(`alter database ${name()} owner to ${user}`)
  url.username = user
  url.password = 'a-password'
})
afterEach(async () => {
  for (const { queue, close } of opened) {
    await queue.stop()
    await close()
  }
  for (const each of others) await each.end()
  await administrator.query(`reassign owned by ${user} to current_user`)
  await administrator.query(`drop owned by ${user}`)
  await administrator.query(`drop role ${user}`)
  await administrator.end()
  await database.remove()
})

const name = () => url.pathname.slice(1)

async function openReplica(): Promise<void> {
  const parts = { log: createLogger('silent', []), now: () => 0, onFault: () => undefined }
  opened.push(await openShared({ database: url.href, ...parts }))
}

async function connect(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    const client = new Client({ connectionString: url.href })
    others.push(client)
    await client.connect()
  }
}

test.each([
  ['user', (most: number) => `alter role ${user} connection limit ${most}`],
  ['database', (most: number) => `alter database ${name()} connection limit ${most}`],
])('a replica starts if the %s may have its connections, and else says so', async (_, limit) => {
  await administrator.query(limit(30))
  await openReplica()
  // How many an idle replica has differs from moment to moment: it opens them one by one, and ends what it does not use.
  await connect(11)
  await expect(openReplica()).rejects.toThrow(
    /^The database postgres:\S+ can't be opened: it has room for \d+ more connections, but a replica needs 20; raise max_connections/u,
  )
  await administrator.query(limit(70))
  await openReplica()
})

test('a user who may not make the schema of the jobs is told what it needs', async () => {
  await administrator.query(`alter database ${name()} owner to current_user`)
  await administrator.query(`grant create on schema public to ${user}`)
  const refused: unknown = await openReplica().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StoreError)
  expect(String(refused)).toMatch(/can't be opened: .*; make .* the owner of the database$/u)
  const connections = `select 1 from pg_stat_activity where usename = '${user}'`
  const left = async () => (await administrator.query(connections)).rows
  // What nobody has used for ten seconds a pool ends by itself.
  await expect.poll(left, { timeout: 7_000 }).toEqual([])
  await administrator.query(`grant create on database ${name()} to ${user}`)
  await openReplica()
})
