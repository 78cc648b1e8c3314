import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from '../../src/log.ts'
import { LeasedRoles, type LeasedRolesParts } from '../../src/replicas/leased.ts'
import { takeRole } from '../../src/store/roles.ts'
import { LogBook } from '../chat/log-book.ts'
import { TestDatabase } from '../database.ts'

/** One process, and how often each of its duties began and ended. */
class Replica {
  readonly roles: LeasedRoles
  readonly begun = new Map<string, number>()
  readonly doing = new Set<string>()

  constructor(parts: LeasedRolesParts, names: readonly string[]) {
    this.roles = new LeasedRoles({ lease: 1500, renewEvery: 300, ...parts })
    for (const name of names) {
      this.roles.share(name, () => {
        this.begun.set(name, (this.begun.get(name) ?? 0) + 1)
        this.doing.add(name)
        return {
          stop: async () => {
            this.doing.delete(name)
          },
        }
      })
    }
  }
}

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

async function replica(...names: string[]): Promise<Replica> {
  const store = await database.open()
  const made = new Replica(
    { store, log: createLogger('debug', [], log), onFault: () => undefined },
    names,
  )
  replicas.push(made)
  return made
}

function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 })
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
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const begun = replicas.map((each) => each.begun.get('watch') ?? 0)
  expect(begun.toSorted()).toEqual([0, 0, 1])
})

test('a replica that stops leaves its roles to the others at once', async () => {
  const [one, other] = [await replica('watch'), await replica('watch')]
  one.roles.start()
  await eventually(() => expect(one.doing).toContain('watch'))
  other.roles.start()
  await one.roles.stop()
  expect(one.doing.size).toBe(0)
  await eventually(() => expect(other.doing).toContain('watch'))
})

test('a replica that is never heard of again loses its roles when its lease is over', async () => {
  expect(await takeRole(await database.open(), 'watch', 'somebody who died', 1500)).toBe(true)
  const one = await replica('watch')
  one.roles.start()
  await eventually(() => expect(one.doing).toContain('watch'))
})

test('a duty that takes long to end keeps no other role from being renewed', async () => {
  const one = await replica('watch')
  const slow = Promise.withResolvers<void>()
  one.roles.share('slow', () => ({ stop: () => slow.promise }))
  one.roles.start()
  await eventually(() => expect(one.doing).toContain('watch'))
  await takenBySomebody('slow')
  await eventually(() => expect(log.of('warn').join()).toContain('"role":"slow"'))
  const other = await replica('watch')
  other.roles.start()
  await new Promise((resolve) => setTimeout(resolve, 3000))
  expect([one.begun.get('watch'), other.begun.get('watch')]).toEqual([1, undefined])
  slow.resolve()
})

test('while the database can’t be reached nobody goes on for longer than the lease', async () => {
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

/** As if its lease had run out unseen. */
async function takenBySomebody(name: string): Promise<void> {
  const store = await database.open()
  await store
    .updateTable('roles')
    .set({ holder: 'somebody', held_until: Date.now() + 60_000 })
    .where('name', '=', name)
    .execute()
}
