import { setTimeout as delay } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LeaderElector, SingleNode } from '../../../src/cluster/leader-election.ts'
import type { Channel, PubSub } from '../../../src/core/pubsub.ts'
import type { Task } from '../../../src/core/task.ts'
import { takeLeases } from '../../../src/db/leases.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { LogBook } from '../core/log-book.ts'

let database: TestDatabase
let store: Store
let log: LogBook
let replicas: Replica[]
let faults: unknown[]
beforeEach(async () => {
  database = await TestDatabase.onSqlite()
  store = await database.open()
  log = new LogBook()
  replicas = []
  faults = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(async () => {
  for (const { elector } of replicas) {
    await elector.stop()
    await elector.leave()
  }
  vi.useRealTimers()
  await database.remove()
})

const tick = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const quick: Task = { stop: async () => undefined }

/** Connects all replicas of a test. */
class Wire implements PubSub {
  readonly #listeners: (() => void)[] = []
  publish(): void {
    for (const each of this.#listeners) each()
  }
  subscribe(_channel: Channel, onNotice: () => void): void {
    this.#listeners.push(onNotice)
  }
}

/** A process, and the roles whose tasks it began and runs. */
class Replica {
  readonly elector: LeaderElector
  readonly begun: string[] = []
  readonly running = new Set<string>()

  constructor(its: Store, roles: readonly string[], pubsub?: PubSub) {
    const parts = { store: its, log: createLogger('debug', [], log), ...(pubsub && { pubsub }) }
    this.elector = new LeaderElector({ ...parts, onFault: (error) => faults.push(error) })
    for (const name of roles) this.run(name, () => quick)
    replicas.push(this)
  }

  run(name: string, begin: () => Task): void {
    this.elector.run(name, () => {
      this.begun.push(name)
      this.running.add(name)
      const task = begin()
      const stop = async () => {
        await task.stop()
        this.running.delete(name)
      }
      return { ...task, stop }
    })
  }
}

const replica = (...roles: string[]) => new Replica(store, roles)

/** As if the lease of a role had ended unseen. */
async function takenBySomebody(name: string): Promise<void> {
  await store.updateTable('roles').set({ held_until_ms: 0 }).where('name', '=', name).execute()
  await takeLeases(store, [name], 'somebody', 3_600_000)
}

const expire = () => store.updateTable('roles').set({ held_until_ms: 0 }).execute()

const heldUntil = async (name: string) => {
  const lease = store.selectFrom('roles').select('held_until_ms').where('name', '=', name)
  return (await lease.executeTakeFirst())?.held_until_ms ?? 0
}

/** A store whose answers, or only those of one kind of statement, don't arrive while `silence` is set. */
function silenced(kind?: 'SelectQueryNode' | 'InsertQueryNode'): {
  its: Store
  silence: { lasts?: () => Promise<unknown> }
} {
  const silence: { lasts?: () => Promise<unknown> } = {}
  const spoken = new WeakSet<object>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (kind !== undefined && node.kind !== kind) spoken.add(queryId)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if (!spoken.has(queryId)) await silence.lasts?.()
      return result
    },
  }
  return { its: store.withPlugin(plugin), silence }
}

test('each role is led by one replica, and the logs and `leading` say by which', async () => {
  const [one, other] = [replica('watch', 'prune'), replica('watch', 'digest')]
  await one.elector.start()
  await other.elector.start()
  await tick(60_000)
  expect([one.begun, other.begun]).toEqual([['watch', 'prune'], ['digest']])
  expect(Object.fromEntries(one.elector.leading())).toEqual({ watch: true, prune: true })
  expect(Object.fromEntries(other.elector.leading())).toEqual({ watch: false, digest: true })
  const standby = log.lines.filter(({ msg }) => msg === 'this replica stands by for roles')
  expect(standby.map(({ roles }) => roles)).toEqual([['watch']])
})

test('a lease lasts ten seconds and is renewed every two, so a dead leader’s role moves within 15', async () => {
  const [dead, other] = [replica('watch'), replica('watch')]
  await dead.elector.start()
  const left = (await heldUntil('watch')) - Date.now()
  expect(left).toBeGreaterThan(9_000)
  expect(left).toBeLessThanOrEqual(10_000)
  await takenBySomebody('watch')
  await dead.elector.stop()
  await other.elector.start()
  await tick(10_000)
  expect(other.begun).toEqual([])
  await expire()
  await tick(2_000)
  expect(other.begun).toEqual(['watch'])
})

test('a stop leaves each role to the others as soon as its task has ended', async () => {
  const wire = new Wire()
  const one = new Replica(store, ['gateway'], wire)
  const slow = Promise.withResolvers<void>()
  one.run('watch', () => ({ stop: () => slow.promise }))
  await one.elector.start()
  const other = new Replica(store, ['gateway', 'watch'], wire)
  await other.elector.start()
  const stopped = one.elector.stop()
  await tick(0)
  expect(other.begun).toEqual(['gateway'])
  slow.resolve()
  await stopped
  await tick(0)
  expect(other.begun).toEqual(['gateway', 'watch'])
})

test('a replica is alive for the others from `join` to `leave`, and has roles from `start` to `stop`', async () => {
  const one = replica('watch')
  const held = async () =>
    [await heldUntil(`replica ${one.elector.replica}`), await heldUntil('watch')].map(Boolean)
  await one.elector.join()
  await tick(20_000)
  expect(await held()).toEqual([true, false])
  await one.elector.start()
  expect(await held()).toEqual([true, true])
  await one.elector.stop()
  expect(await held()).toEqual([true, false])
  const before = await heldUntil(`replica ${one.elector.replica}`)
  // The lease goes by the database's own clock, which the fake one does not move.
  await delay(2)
  await tick(4_000)
  expect(await heldUntil(`replica ${one.elector.replica}`)).toBeGreaterThan(before)
  await one.elector.leave()
  await tick(20_000)
  expect([await held(), one.begun]).toEqual([[false, false], ['watch']])
})

test('a task that takes long to end keeps no other role from being renewed', async () => {
  const one = replica('watch')
  const slow = Promise.withResolvers<void>()
  one.run('slow', () => ({ stop: () => slow.promise }))
  await one.elector.start()
  await takenBySomebody('slow')
  await tick(2_000)
  expect(log.of('warn').join()).toContain('"role":"slow"')
  // Longer than a lease: without a renewal it would be over.
  await tick(12_000)
  expect(one.begun).toEqual(['watch', 'slow'])
  expect(one.running).toContain('watch')
  slow.resolve()
})

test('during an outage nobody leads; it is logged once at its beginning and once at its end', async () => {
  const one = replica('watch', 'prune')
  await one.elector.start()
  const comesBack = await database.outage()
  await tick(8_100)
  expect([...one.running]).toEqual([])
  expect(log.of('warn').join()).toContain('has a role no more')
  await tick(20_000)
  await comesBack()
  await tick(2_000)
  expect([...one.running]).toEqual(['watch', 'prune'])
  const said = (level: string, words: string) =>
    log.of(level).filter((line) => line.includes(words)).length
  expect(said('warn', 'roles can’t be renewed')).toBe(1)
  expect(said('info', 'roles are renewed again')).toBe(1)
  expect(said('debug', 'could not be renewed')).toBeGreaterThan(9)
  expect(log.of('warn').join()).not.toContain('"stack"')
})

test('a leader that the database no longer answers ends its task before its lease ends', async () => {
  const { its, silence } = silenced()
  const one = new Replica(its, ['watch'])
  await one.elector.start()
  const heard = Promise.withResolvers<void>()
  silence.lasts = () => heard.promise
  await tick(7_900)
  expect([...one.running]).toEqual(['watch'])
  await tick(200)
  expect([...one.running]).toEqual([])
  heard.resolve()
})

test('a replica leads its roles though it can’t read which others are alive', async () => {
  const { its, silence } = silenced('SelectQueryNode')
  const never = Promise.withResolvers<void>()
  silence.lasts = () => never.promise
  const one = new Replica(its, ['watch', 'notify'])
  void one.elector.start()
  await tick(60_000)
  expect(one.begun).toEqual(['watch', 'notify'])
  expect([...one.running]).toEqual(['watch', 'notify'])
  never.resolve()
})

test('a lease counts from before it was asked for, and a role that ends meanwhile keeps no other from being led', async () => {
  const { its, silence } = silenced('InsertQueryNode')
  const one = new Replica(its, [])
  const slow = Promise.withResolvers<void>()
  one.run('slow', () => ({ stop: () => slow.promise }))
  one.run('watch', () => quick)
  await one.elector.start()
  silence.lasts = () => new Promise((resolve) => setTimeout(resolve, 3_500))
  // Renewed between 2 s and 5.5 s, until 12 s; and again between 7.5 s and 11 s.
  await tick(9_900)
  expect(one.running).toContain('watch')
  await tick(200)
  expect(one.running).not.toContain('watch')
  await tick(1_400)
  expect(one.running).toContain('watch')
  expect(one.begun).toEqual(['slow', 'watch', 'watch'])
  slow.resolve()
})

test('each replica knows which are alive', async () => {
  const [one, other] = [replica('watch'), replica('watch')]
  for (const { elector } of [one, other]) await elector.join()
  await tick(2_000)
  const both = new Set([one.elector.replica, other.elector.replica])
  expect([one.elector.replicas(), other.elector.replicas()]).toEqual([both, both])
  await other.elector.leave()
  await tick(2_000)
  expect([...one.elector.replicas()]).toEqual([one.elector.replica])
})

test('no two roles have one name', () => {
  const one = replica('watch')
  expect(() => one.run('watch', () => quick)).toThrow('two roles named watch')
})

describe('a role', () => {
  test.each([
    ['taken', 0],
    ['renewed', 1],
  ])(
    'that is being %s as the replica stops is not begun, and free afterwards',
    async (_, before) => {
      const { its, silence } = silenced()
      const one = new Replica(its, ['watch'])
      if (before > 0) await one.elector.start()
      const heard = Promise.withResolvers<void>()
      silence.lasts = () => heard.promise
      const started = before === 0 && one.elector.start()
      await tick(2_000)
      const stopped = one.elector.stop()
      await tick(500)
      heard.resolve()
      await Promise.all([started, stopped])
      expect(one.begun).toHaveLength(before)
      expect(await heldUntil('watch')).toBe(0)
      expect(log.of('info').join()).not.toContain('stands by')
    },
  )

  test('whose renewal is answered while its task ends is begun once that is over', async () => {
    const one = replica()
    const slow = Promise.withResolvers<void>()
    one.run('watch', () => ({ stop: () => slow.promise }))
    await one.elector.start()
    await takenBySomebody('watch')
    await tick(2_000)
    await expire()
    await tick(4_000)
    expect(one.begun).toEqual(['watch'])
    slow.resolve()
    await tick(2_000)
    expect(one.begun).toEqual(['watch', 'watch'])
  })
})

describe('a task that can’t begin', () => {
  const fault = new Error('these shards are another’s')
  const failing: Task = { ...quick, ready: Promise.reject(fault) }
  failing.ready?.catch(() => undefined)

  test('makes the start fail, and its role counts as not led', async () => {
    const one = replica()
    one.run('gateway', () => failing)
    await expect(one.elector.start()).rejects.toBe(fault)
    expect(faults).toEqual([fault])
    expect(log.of('info').join()).not.toContain('has a role')
  })

  test('keeps no other role from this replica, also where it throws at once', async () => {
    const one = replica('watch')
    one.run('gateway', () => {
      throw fault
    })
    one.run('notify', () => quick)
    await expect(one.elector.start()).rejects.toBe(fault)
    expect(faults).toEqual([fault])
    expect(one.begun).toEqual(['watch', 'gateway', 'notify'])
    await takenBySomebody('gateway')
    await tick(2_000)
    await expire()
    await tick(20_000)
    expect(one.running).toContain('watch')
    expect(one.running).toContain('notify')
    expect(log.of('warn').join()).not.toContain('can’t be renewed')
  })

  test('makes the start fail also if the fault has stopped everything before', async () => {
    const one = replica('watch')
    const ready = Promise.withResolvers<void>()
    one.run('gateway', () => ({ ...quick, ready: ready.promise }))
    const started = one.elector.start().catch((error: unknown) => error)
    await tick(0)
    ready.reject(fault)
    await tick(0)
    await one.elector.stop()
    expect(await started).toBe(fault)
  })

  test('is a fault also if its role is won while the start waits for others', async () => {
    await takeLeases(store, ['gateway'], 'somebody', 3_600_000)
    const one = replica()
    const slow = Promise.withResolvers<void>()
    one.run('polling', () => ({ ...quick, ready: slow.promise }))
    one.run('gateway', () => failing)
    const started = one.elector.start()
    await tick(0)
    await expire()
    await tick(2_000)
    expect(faults).toEqual([fault])
    slow.resolve()
    await started
  })

  test('because it was stopped while starting is no fault', async () => {
    const one = replica()
    const ready = Promise.withResolvers<void>()
    const stop = async () => ready.reject(new Error('it was stopped'))
    one.run('polling', () => ({ ready: ready.promise, stop }))
    const started = one.elector.start()
    await tick(0)
    await takenBySomebody('polling')
    await tick(2_000)
    await started
    expect(one.elector.leading().get('polling')).toBe(false)
    expect(faults).toEqual([])
  })
})

describe('a single process', () => {
  test('leads every role from its start to its stop', async () => {
    const node = new SingleNode()
    const did: string[] = []
    node.run('watch', () => {
      did.push('began')
      return { stop: async () => void did.push('ended') }
    })
    await node.start()
    expect([did, node.leading().get('watch')]).toEqual([['began'], true])
    await node.stop()
    expect([did, node.leading().get('watch')]).toEqual([['began', 'ended'], false])
  })

  test('begins nothing after its stop', async () => {
    const node = new SingleNode()
    const begun: string[] = []
    node.run('watch', () => {
      begun.push('watch')
      return quick
    })
    await node.stop()
    await node.start()
    expect(begun).toEqual([])
  })

  test('fails to start with the fault of a task, also if that has stopped everything', async () => {
    const node = new SingleNode()
    const fault = new Error('another process polls')
    const slow = Promise.withResolvers<void>()
    node.run('watch', () => ({ ready: slow.promise, stop: async () => slow.resolve() }))
    node.run('polling', () => {
      const ready = Promise.reject(fault)
      ready.catch(() => node.stop())
      return { ...quick, ready }
    })
    await expect(node.start()).rejects.toBe(fault)
    expect(node.leading().get('watch')).toBe(false)
  })
})
