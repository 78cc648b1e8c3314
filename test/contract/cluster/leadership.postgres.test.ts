import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LockedLeadership } from '../../../src/cluster/locked-leadership.ts'
import type { Task } from '../../../src/core/task.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { SilentProxy } from '../../silent-proxy.ts'
import { LogBook } from '../../unit/core/log-book.ts'

const patience = { timeout: 20_000, interval: 10 }

let database: TestDatabase
let opened: { stop(): Promise<void> }[]
/** The tasks that began and ended, by the process. */
let told: string[]
beforeEach(async () => {
  database = await TestDatabase.make()
  opened = []
  told = []
})
afterEach(async () => {
  for (const each of opened) await each.stop()
  await database.remove()
})

interface ProcessOptions {
  url?: string
  everyMs?: number
  maxSilentMs?: number
  begin?: () => Task
}

/** A process whose task tells when it begins and ends. */
function process(name: string, { url = database.address, begin, ...timing }: ProcessOptions = {}) {
  const book = new LogBook()
  const faults: unknown[] = []
  const leadership = new LockedLeadership({
    url,
    log: createLogger('debug', [], book),
    onFault: (error) => faults.push(error),
    everyMs: 50,
    ...timing,
  })
  const task = () => {
    told.push(`${name} begins`)
    const stop = async () => {
      told.push(`${name} ends`)
    }
    return { stop }
  }
  leadership.run('watch', begin ?? task)
  opened.push(leadership)
  return { leadership, faults, book }
}

async function killSessions(): Promise<void> {
  const store = await database.open()
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'gavel leadership'`.execute(store)
}

test('one of several processes leads, and each knows how many there are', async () => {
  const all = ['a', 'b', 'c'].map((name) => process(name).leadership)
  for (const each of all) await each.start()
  expect(told).toEqual(['a begins'])
  await expect.poll(() => all.map((each) => each.processes()), patience).toEqual([3, 3, 3])
  expect(all.map((each) => each.isLeader())).toEqual([true, false, false])
})

test('another one leads once the leader has stopped, and the number of processes is less', async () => {
  const [one, other] = [process('a').leadership, process('b').leadership]
  await one.start()
  await other.start()
  await one.stop()
  await expect.poll(() => told, patience).toEqual(['a begins', 'a ends', 'b begins'])
  expect(one.isLeader()).toBe(false)
  await expect.poll(() => other.processes(), patience).toBe(1)
})

test('a leader whose session ends stops its tasks, and begins them again if the lock is its own again', async () => {
  const { leadership, book } = process('a')
  await leadership.start()
  await killSessions()
  await expect.poll(() => told, patience).toEqual(['a begins', 'a ends', 'a begins'])
  expect(book.of('warn').join()).toContain('this process no longer leads')
  expect(leadership.isLeader()).toBe(true)
})

test('a leader that PostgreSQL no longer answers has stopped before another one begins', async () => {
  const proxy = await SilentProxy.to(new URL(database.address))
  opened.push({ stop: () => proxy.close() })
  const lost = process('a', { url: proxy.url, maxSilentMs: 500 }).leadership
  await lost.start()
  const other = process('b').leadership
  await other.start()
  proxy.mute()
  await expect.poll(() => told, patience).toEqual(['a begins', 'a ends'])
  // PostgreSQL ends the session of who asks nothing any more.
  await expect.poll(() => told, patience).toEqual(['a begins', 'a ends', 'b begins'])
  expect(lost.isLeader()).toBe(false)
})

test('while PostgreSQL is away nobody leads, and afterwards one does again', async () => {
  const all = [process('a'), process('b')]
  for (const { leadership } of all) await leadership.start()
  const end = await database.outage()
  await killSessions().catch(() => undefined)
  await expect.poll(() => told, patience).toEqual(['a begins', 'a ends'])
  await end()
  await expect.poll(() => told.length, patience).toBe(3)
  expect(told.at(-1)).toMatch(/ begins$/u)
  expect(all.flatMap(({ faults }) => faults)).toEqual([])
})

describe('a task that can’t begin', () => {
  const begin = () => ({ ready: Promise.reject(new Error('no')), stop: () => Promise.resolve() })

  test('is told to who starts', async () => {
    const { leadership, faults } = process('a', { begin })
    await expect(leadership.start()).rejects.toThrow('no')
    expect(faults).toEqual([])
  })

  test('is a fault if the process leads later', async () => {
    const first = process('a').leadership
    await first.start()
    const { leadership, faults } = process('b', { begin })
    await leadership.start()
    await first.stop()
    await expect.poll(() => faults, patience).toEqual([expect.objectContaining({ message: 'no' })])
  })
})

test('a task that takes long to begin does not cost the lead', async () => {
  const begin = () => ({ ready: new Promise<void>(() => undefined), stop: () => Promise.resolve() })
  const { leadership, book } = process('a', { begin, maxSilentMs: 300 })
  void leadership.start()
  const other = process('b').leadership
  await expect.poll(() => leadership.isLeader(), patience).toBe(true)
  await other.start()
  await expect.poll(() => leadership.processes(), patience).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(leadership.isLeader()).toBe(true)
  expect(book.of('warn')).toEqual([])
})

/** A task that takes `stopMs` to stop. */
function slowTask(name: string, stopMs: number) {
  return () => {
    told.push(`${name} begins`)
    const stop = async () => {
      await new Promise((resolve) => setTimeout(resolve, stopMs))
      told.push(`${name} ends`)
    }
    return { stop }
  }
}

test('a leader that stood still for longer than the silence allowed has stopped its tasks before it begins them again', async () => {
  const { leadership } = process('a', { begin: slowTask('a', 1_000), maxSilentMs: 400 })
  await leadership.start()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
  await expect.poll(() => told.length, patience).toBeGreaterThanOrEqual(3)
  expect(told.slice(0, 3)).toEqual(['a begins', 'a ends', 'a begins'])
})

test('a leader that gets no answer in time has stopped its tasks before another one has the lock', async () => {
  const proxy = await SilentProxy.to(new URL(database.address))
  opened.push({ stop: () => proxy.close() })
  const begin = slowTask('a', 1_000)
  const slow = process('a', { url: proxy.url, maxSilentMs: 500, begin }).leadership
  await slow.start()
  await process('b').leadership.start()
  proxy.swallowAnswers()
  await expect.poll(() => told.length, patience).toBe(3)
  expect(told).toEqual(['a begins', 'a ends', 'b begins'])
})

test('a process whose new session gets no answer opens another one', async () => {
  const proxy = await SilentProxy.to(new URL(database.address))
  opened.push({ stop: () => proxy.close() })
  proxy.muteAt('idle_session_timeout')
  const { leadership } = process('a', { url: proxy.url, maxSilentMs: 500 })
  const started = leadership.start()
  await expect.poll(() => proxy.connections, patience).toBeGreaterThanOrEqual(1)
  await new Promise((resolve) => setTimeout(resolve, 800))
  proxy.unmute()
  await started
  await expect.poll(() => told, patience).toEqual(['a begins'])
})

test('a leader that PostgreSQL no longer answers stops at once if it is asked to', async () => {
  const proxy = await SilentProxy.to(new URL(database.address))
  opened.push({ stop: () => proxy.close() })
  const { leadership } = process('a', { url: proxy.url, maxSilentMs: 20_000 })
  await leadership.start()
  proxy.mute()
  await new Promise((resolve) => setTimeout(resolve, 200))
  const startedAt = performance.now()
  await leadership.stop()
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  expect(told).toEqual(['a begins', 'a ends'])
})
