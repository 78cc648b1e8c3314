import { afterEach, beforeEach, expect, test } from 'vitest'
import { prune } from '../../src/app.ts'
import { EmbeddedQueue } from '../../src/jobs/embedded.ts'
import { createLogger } from '../../src/log.ts'
import { TestDatabase } from '../database.ts'
import { LogBook } from './core/log-book.ts'

const day = 86_400

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

const keptDays = { alerts: 30, drafts: 90, launches: 365, adminLog: 365 }
const nothing = { prune: async () => 0 }

test('jobs that ended long ago are deleted, even if launching is off', async () => {
  const store = await database.open()
  const book = new LogBook()
  const log = createLogger('debug', [], book)
  let ahead = 0
  const now = () => Math.floor(Date.now() / 1000) + ahead
  const queue = new EmbeddedQueue({ store, log, now })
  queue.handle('greet', async () => 'done')
  queue.start()
  await queue.add({ key: 'ada', kind: 'greet', body: 1 })
  const states = async () =>
    (await store.selectFrom('jobs').select('state').execute()).map(({ state }) => state)
  await expect.poll(states, { timeout: 20_000 }).toEqual(['done'])
  await queue.stop()
  const parts = {
    callbacks: nothing,
    inboxes: nothing,
    launches: undefined,
    alerts: nothing,
    keptDays,
    log,
  }
  const clean = () => prune({ ...parts, shared: { queue, store } })
  await clean()
  expect(await states()).toEqual(['done'])
  ahead = 91 * day
  await clean()
  expect(await states()).toEqual([])
  expect(book.of('info')).toEqual([expect.stringContaining('old data was deleted')])
})
