import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LeaderElectorParts } from '../../src/cluster/leader-election.ts'
import { releaseLease, takeLease } from '../../src/db/leases.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Store } from '../../src/db/schema.ts'
import { databaseNow } from '../../src/db/sql.ts'
import { createLogger } from '../../src/log.ts'
import { Replica } from '../contract/cluster/leased-replica.ts'
import { SilentWay } from '../contract/cluster/silent-way.ts'
import { TestDatabase } from '../database.ts'
import { LogBook } from '../unit/core/log-book.ts'

let database: TestDatabase
let replicas: Replica[]
let log: LogBook
beforeEach(async () => {
  database = await TestDatabase.make()
  replicas = []
  log = new LogBook()
})
afterEach(async () => {
  for (const { roles } of replicas) await roles.stop()
  await database.remove()
})

const quick = { lease: 1500, renewEvery: 300 }

async function replica(...names: string[]): Promise<Replica> {
  return replicaOn(await database.open(), names)
}

function replicaOn(
  store: Store,
  names: readonly string[],
  changes: Partial<LeaderElectorParts> = quick,
): Replica {
  const parts = { store, log: createLogger('debug', [], log), onFault: () => undefined }
  const made = new Replica({ ...parts, ...changes }, names)
  replicas.push(made)
  return made
}

const patience = { timeout: 20_000, interval: 20 }

function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, patience)
}

/** Who does it at this moment. */
const doing = (name: string) => replicas.filter((each) => each.doing.has(name))

test('each role is begun by one replica, and once', async () => {
  for (let each = 0; each < 3; each += 1) await replica('watch', 'sweep')
  for (const { roles } of replicas) roles.start()
  await eventually(() => {
    expect(doing('watch')).toHaveLength(1)
    expect(doing('sweep')).toHaveLength(1)
  })
  const rounds = 10
  for (let round = 0; round < rounds; round += 1) {
    expect(doing('watch')).toHaveLength(1)
    await delay(100)
  }
  const begun = replicas.map((each) => each.begun.get('watch') ?? 0)
  expect(begun.toSorted()).toEqual([0, 0, 1])
})

test('a replica that stops leaves its roles to the others at once', async () => {
  // Nobody waits here for so long that it could end by itself.
  const lasting = { lease: 600_000, renewEvery: 300 }
  const one = replicaOn(await database.open(), ['watch'], lasting)
  const other = replicaOn(await database.open(), ['watch'], lasting)
  one.roles.start()
  await eventually(() => expect(one.doing).toContain('watch'))
  other.roles.start()
  await one.roles.stop()
  expect(one.doing.size).toBe(0)
  await eventually(() => expect(other.doing).toContain('watch'))
})

test('a role of the bot is leased for ten seconds and looked at every two, so moves within 15', async () => {
  const store = await database.open()
  const [one, other] = [replicaOn(store, ['watch'], {}), replicaOn(store, ['watch'], {})]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await one.roles.start()
    const { left } = await store
      .selectFrom('roles')
      .select((row) => sql<number>`${row.ref('held_until')} - ${databaseNow(store)}`.as('left'))
      .executeTakeFirstOrThrow()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(10_000)
    await takenBySomebody('watch')
    await one.roles.stop()
    await other.roles.start()
    expect(other.doing.size).toBe(0)
    const begun = new Promise<string>((resolve) => {
      other.onBegin = resolve
    })
    await store.updateTable('roles').set({ held_until: 0 }).execute()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await begun).toBe('watch')
  } finally {
    vi.useRealTimers()
  }
})

test('a replica that is never heard of again loses its roles when its lease is over', async () => {
  expect(await takeLease(await database.open(), 'watch', 'somebody who died', 1500)).toBe(1)
  const one = await replica('watch')
  one.roles.start()
  await eventually(() => expect(one.doing).toContain('watch'))
})

test('a duty that takes long to end keeps no other role from being renewed', async () => {
  const one = await replica('watch')
  const slow = Promise.withResolvers<void>()
  one.roles.run('slow', () => ({ stop: () => slow.promise }))
  one.roles.start()
  await eventually(() => expect(one.doing).toContain('watch'))
  await takenBySomebody('slow')
  await eventually(() => expect(log.of('warn').join()).toContain('"role":"slow"'))
  const other = await replica('watch')
  other.roles.start()
  await delay(3000)
  expect([one.begun.get('watch'), other.begun.get('watch')]).toEqual([1, undefined])
  slow.resolve()
})

test('while the database can’t be reached nobody goes on, and afterwards one does', async () => {
  const [one, other] = [await replica('watch'), await replica('watch')]
  one.roles.start()
  await eventually(() => expect(one.doing).toContain('watch'))
  other.roles.start()
  const letIn = await database.outage()
  await eventually(() => expect(doing('watch')).toEqual([]))
  expect(log.of('warn').join()).toContain('has a role no more')
  await letIn()
  await eventually(() => expect(doing('watch')).toHaveLength(1))
})

test('a holder that the database answers no more has ended its work before another begins', async () => {
  const way = await SilentWay.to(new URL(database.address))
  const behind = await openPostgres(way.url, 'gavel')
  try {
    // The pauses are such that one try fails well before the end of the lease, and the next long after it.
    const patient = { lease: 6_000, renewEvery: 1_200 }
    const one = replicaOn(behind, ['watch'], patient)
    await one.roles.start()
    const other = replicaOn(await database.open(), ['watch'], { ...patient, renewEvery: 100 })
    const meanwhile = new Promise((resolve) => {
      other.onBegin = () => resolve([...one.doing])
    })
    await other.roles.start()
    expect([one.doing.size, other.doing.size]).toEqual([1, 0])
    way.mute()
    expect(await meanwhile).toEqual([])
    expect(one.begun.get('watch')).toBe(1)
  } finally {
    await way.close()
    await behind.destroy()
  }
})

test('an outage is told at its beginning and at its end, in a line each, without stacks', async () => {
  const one = await replica('watch', 'sweep', 'sum')
  await one.roles.start()
  const letIn = await database.outage()
  const failures = () => log.of('debug').filter((line) => line.includes('could not be renewed'))
  // Three rounds and more.
  await eventually(() => expect(failures().length).toBeGreaterThan(9))
  await letIn()
  const lines = (level: string, words: string) =>
    log.of(level).filter((line) => line.includes(words))
  await eventually(() => expect(lines('info', 'roles are renewed again')).toHaveLength(1))
  const begins = lines('warn', 'roles can’t be renewed')
  expect(begins).toHaveLength(1)
  expect(begins.join()).toContain('"reason":')
  expect(log.of('warn').join()).not.toContain('"stack"')
})

test('who has a role and who stands by for it is told, and can be asked', async () => {
  const [one, other] = [await replica('watch', 'sweep'), await replica('watch', 'sum')]
  await one.roles.start()
  await other.roles.start()
  const both = [Object.fromEntries(one.roles.leading()), Object.fromEntries(other.roles.leading())]
  expect(both).toEqual([
    { watch: true, sweep: true },
    { watch: false, sum: true },
  ])
  const standing = log.lines.filter(({ msg }) => msg === 'this replica stands by for roles')
  expect(standing.map(({ roles }) => roles)).toEqual([['watch']])
  await one.roles.stop()
  expect([...one.roles.leading().values()]).toEqual([false, false])
})

test('a duty that could not begin is no role that a replica has', async () => {
  const one = await replica()
  one.roles.run('watch', () => ({
    ready: Promise.reject(new Error('these shards are another’s')),
    stop: async () => undefined,
  }))
  await expect(one.roles.start()).rejects.toThrow('another’s')
  expect(log.of('info').join()).not.toContain('has a role')
})

test('a duty of which the replica gets the role during the start, and that can’t begin, is a fault', async () => {
  const store = await database.open()
  await takeLease(store, 'gateway', 'somebody', 600_000)
  const faults: unknown[] = []
  const one = replicaOn(store, [], { ...quick, onFault: (error) => faults.push(error) })
  const slow = Promise.withResolvers<void>()
  const fault = new Error('these shards are another’s')
  const stop = async () => undefined
  one.roles.run('polling', () => ({ ready: slow.promise, stop }))
  one.roles.run('gateway', () => ({ ready: Promise.reject(fault), stop }))
  const started = one.roles.start()
  const lease = () =>
    store.selectFrom('roles').select('held_until').where('name', '=', 'polling').executeTakeFirst()
  await expect.poll(lease, patience).toBeDefined()
  // Once the first round is over, and the second under way.
  const first = await lease()
  await expect.poll(lease, patience).not.toEqual(first)
  await releaseLease(store, 'gateway', 'somebody')
  // While the start waits, and would not look at it any more.
  await eventually(() => expect(faults).toEqual([fault]))
  slow.resolve()
  await started
})

test('a duty that ends before it could begin is no fault', async () => {
  const faults: unknown[] = []
  const changes = { ...quick, onFault: (error: unknown) => faults.push(error) }
  const one = replicaOn(await database.open(), [], changes)
  await one.roles.start()
  const { promise: begun, reject } = Promise.withResolvers<void>()
  const stop = async () => reject(new Error('it was stopped'))
  one.roles.run('polling', () => ({ ready: begun, stop }))
  await eventually(() => expect(one.roles.leading().get('polling')).toBe(true))
  await takenBySomebody('polling')
  await eventually(() => expect(one.roles.leading().get('polling')).toBe(false))
  await expect(begun).rejects.toThrow('it was stopped')
  expect(faults).toEqual([])
})

/** As if its lease had run out unseen. */
async function takenBySomebody(name: string): Promise<void> {
  const store = await database.open()
  await store
    .updateTable('roles')
    .set({ holder: 'somebody', held_until: Date.now() + 60_000 })
    .where('name', '=', name)
    .execute()
}
