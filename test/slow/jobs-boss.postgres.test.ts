import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/db/schema.ts'
import { PgBossQueue } from '../../src/jobs/pg-boss.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import { jobId } from '../../src/jobs/queue.ts'
import { createLogger } from '../../src/log.ts'
import { queueContract } from '../contract/jobs/contract.ts'
import { TestDatabase } from '../database.ts'

const log = createLogger('silent', [])
const states: Readonly<Record<string, string>> = {
  created: 'waiting',
  retry: 'waiting',
  completed: 'done',
  failed: 'given-up',
}

let database: TestDatabase
let store: Store
let queues: Queue[]
// One for all: pg-boss takes its time to make its tables.
beforeAll(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterAll(() => database.remove())
beforeEach(() => {
  queues = []
})
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.stop()))
  await sql`truncate pgboss.job`.execute(store)
})

async function open(pause = 0, onGivenUp = () => {}): Promise<Queue> {
  const queue = await PgBossQueue.open({
    url: database.address,
    store,
    log,
    tries: 3,
    pause: () => pause,
    onGivenUp,
  })
  queues.push(queue)
  return queue
}

async function kept(key: string) {
  const { rows } = await sql<{ state: string; output: { reason?: string } | null }>`
    select state, output from pgboss.job where id = ${jobId(key)}`.execute(store)
  const [row] = rows
  return row && { state: states[row.state] ?? row.state, reason: row.output?.reason ?? null }
}

describe('the queue in PostgreSQL', () => {
  queueContract(async () => ({
    queue: open,
    now: () => Math.floor(Date.now() / 1000),
    kept,
    close: async () => undefined,
  }))
})

test('a job under way at a stop is not taken by others before it has ended, however long that takes', async () => {
  const [one, two] = [await open(), await open()]
  const begun: string[] = []
  const ended: string[] = []
  const handle = (queue: Queue, name: string) =>
    queue.handle('slow', async () => {
      begun.push(name)
      await delay(8_000)
      ended.push(name)
      return 'done'
    })
  handle(one, 'one')
  one.start()
  await one.add({ key: 'slow', kind: 'slow', body: null })
  await expect.poll(() => begun, { timeout: 20_000 }).toEqual(['one'])
  handle(two, 'two')
  two.start()
  await one.stop()
  expect(ended).toEqual(['one'])
  expect(begun).toEqual(['one'])
  expect(await kept('slow')).toEqual({ state: 'done', reason: null })
}, 60_000)

test('two workers over one database never work on a job twice', async () => {
  const queues = [await open(), await open()]
  const ran: unknown[] = []
  for (const each of queues) {
    each.handle('greet', async (body) => {
      ran.push(body)
      await delay(2)
      return 'done'
    })
  }
  const keys = Array.from({ length: 30 }, (_, index) => `job ${index}`)
  for (const key of keys) await queues[0]?.add({ key, kind: 'greet', body: key })
  for (const each of queues) each.start()
  await expect.poll(() => ran.length, { timeout: 20_000 }).toBe(30)
  await delay(50)
  expect(ran.toSorted()).toEqual(keys.toSorted())
})
