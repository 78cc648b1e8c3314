import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LeaderElectorParts } from '../../src/cluster/leader-election.ts'
import { noReplicas, type PubSub } from '../../src/core/pubsub.ts'
import type { Store } from '../../src/db/schema.ts'
import { createLogger } from '../../src/log.ts'
import { Replica } from '../contract/cluster/leased-replica.ts'
import { TestDatabase } from '../database.ts'
import { LogBook } from '../unit/core/log-book.ts'

let database: TestDatabase
let store: Store
let replicas: Replica[]
let log: LogBook
/** Ends what a test that failed left waiting. */
let ends: (() => unknown)[]
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  replicas = []
  log = new LogBook()
  ends = []
})
afterEach(async () => {
  for (const end of ends) await end()
  for (const { roles } of replicas) await roles.stop()
  await database.remove()
})

async function replica(names: readonly string[], changes: Partial<LeaderElectorParts>) {
  const parts = { log: createLogger('debug', [], log), onFault: () => undefined, ...changes }
  const made = new Replica({ store: await database.open(), ...parts }, names)
  replicas.push(made)
  return made
}

function eventually(check: () => unknown): Promise<void> {
  return vi.waitFor(async () => void (await check()), { timeout: 20_000, interval: 20 })
}

/** Nobody who takes the role or renews it gets an answer before it is let go; then all who wait have theirs. */
async function holdBack(name: string) {
  await sql`create function waits() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(1);
    return new;
  end $$`.execute(store)
  await sql`create trigger waits before insert on roles for each row
    when (new.name = ${sql.lit(name)}) execute function waits()`.execute(store)
  const { promise: gone, resolve: go } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holding = store.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(1)`.execute(connection)
    hold()
    await gone
    await sql`select pg_advisory_unlock(1)`.execute(connection)
    // Behind those who wait.
    await sql`select pg_advisory_lock(1)`.execute(connection)
    await sql`select pg_advisory_unlock(1)`.execute(connection)
  })
  await held
  const waiting = async () => {
    const { rows } = await sql`select from pg_locks join pg_database on oid = pg_locks.database
      where locktype = 'advisory' and not granted and datname = current_database()`.execute(store)
    return rows.length
  }
  const letGo = async () => {
    go()
    await holding
  }
  ends.push(letGo)
  return { waiting, letGo }
}

/** By the names of the roles that somebody has, until when. */
async function leases(): Promise<{ watch?: number; sweep?: number }> {
  const rows = await store
    .selectFrom('roles')
    .select(['name', 'held_until'])
    .where('held_until', '>', 0)
    .execute()
  return Object.fromEntries(rows.map(({ name, held_until }) => [name, held_until]))
}

test.each([
  ['taken', 0],
  ['renewed', 1],
])(
  'a role that is being %s as the replica stops is not begun, and free afterwards',
  async (_, before) => {
    const one = await replica(['watch'], { lease: 600_000, renewEvery: 100 })
    if (before > 0) await one.roles.start()
    const { waiting, letGo } = await holdBack('watch')
    const started = before === 0 && one.roles.start()
    await eventually(async () => expect(await waiting()).toBe(1))
    const stopped = one.roles.stop()
    // A stop that did not wait for it would be over before.
    await Promise.race([stopped, delay(1_500)])
    await letGo()
    await Promise.all([started, stopped])
    expect(one.begun.get('watch') ?? 0).toBe(before)
    expect(await leases()).toEqual({})
    expect(log.of('info').join()).not.toContain('stands by')
  },
)

test('a start fails with what a duty could not begin with, also where that has stopped everything before it looks', async () => {
  const fault = new Error('these shards are another’s')
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  // As the process does it.
  const onFault = () => resolve(one.roles.stop())
  const one = await replica(['watch'], { onFault })
  const { promise: begun, reject } = Promise.withResolvers<void>()
  one.roles.run('gateway', () => ({ ready: begun, stop: async () => undefined }))
  const { waiting, letGo } = await holdBack('watch')
  const started = one.roles.start().catch((error: unknown) => error)
  await eventually(() => expect(one.roles.leading().get('gateway')).toBe(true))
  await eventually(async () => expect(await waiting()).toBe(1))
  reject(fault)
  await eventually(() => expect(one.roles.leading().get('gateway')).toBe(false))
  await letGo()
  expect(await started).toBe(fault)
  await stopped
})

test('a start does not fail where a duty ends before it could begin', async () => {
  const one = await replica([], { lease: 600_000, renewEvery: 100 })
  const { promise: begun, reject } = Promise.withResolvers<void>()
  const stop = async () => reject(new Error('it was stopped'))
  one.roles.run('polling', () => ({ ready: begun, stop }))
  const started = one.roles.start()
  await eventually(() => expect(one.roles.leading().get('polling')).toBe(true))
  await store.updateTable('roles').set({ holder: 'somebody' }).execute()
  await expect(begun).rejects.toThrow('it was stopped')
  await started
})

test('a role whose renewal gets through as its work ends already is begun once that is over', async () => {
  let look: () => void = () => undefined
  const pubsub: PubSub = {
    ...noReplicas,
    subscribe: (_, heard) => {
      look = () => heard([])
    },
  }
  // A renewal is under way from 3 s to 7 s; at 5 s the work begins to end.
  const one = await replica(['watch', 'sweep'], { pubsub, lease: 8_000, renewEvery: 3_000 })
  const slow = Promise.withResolvers<void>()
  one.ends = slow.promise
  ends.push(slow.resolve)
  await one.roles.start()
  const { waiting, letGo } = await holdBack('watch')
  await eventually(() => expect(log.of('warn').join()).toContain('has a role no more'))
  await eventually(async () => expect(await waiting()).toBe(1))
  const before = await leases()
  await letGo()
  // A round that begins after it.
  look()
  await eventually(async () => expect((await leases()).sweep).toBeGreaterThan(before.sweep ?? 0))
  expect((await leases()).watch).toBeGreaterThan(before.watch ?? 0)
  expect(one.begun.get('watch')).toBe(1)
  slow.resolve()
  await eventually(() => {
    look()
    expect(one.begun.get('watch')).toBe(2)
  })
})
