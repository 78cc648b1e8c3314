import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { PgBossQueue } from '../../src/jobs/pg-boss.ts'
import { createLogger } from '../../src/log.ts'
import { TestDatabase } from '../database.ts'
import { SilentProxy } from '../silent-proxy.ts'

const log = createLogger('silent', [])

let database: TestDatabase
let way: SilentProxy
beforeEach(async () => {
  database = await TestDatabase.make()
  way = await SilentProxy.to(new URL(database.address))
})
afterEach(async () => {
  await way.close()
  await database.remove()
})

test('a statement on a connection that no longer answers fails, and the next uses another', async () => {
  const store = await openPostgres(way.url, 'gavel', 1_000)
  const ask = () => sql`select 1`.execute(store)
  await ask()
  way.forget()
  try {
    await expect(ask()).rejects.toThrow('no answer')
    const before = way.connections
    await ask()
    expect(way.connections).toBe(before + 1)
  } finally {
    await store.destroy()
  }
})

test('jobs are added over another connection if theirs no longer answers', async () => {
  const store = await database.open()
  const queue = await PgBossQueue.open({ url: way.url, store, log, maxAnswer: 1_000 })
  await queue.add({ key: 'one', kind: 'greet', body: {} })
  way.forget()
  const two = () => queue.add({ key: 'two', kind: 'greet', body: {} })
  await expect(two()).rejects.toThrow('timeout')
  await vi.waitFor(two, { timeout: 20_000, interval: 100 })
  // With the connections that are silent it would wait for them.
  await way.close()
  await queue.stop()
})
