import { afterEach, beforeEach, expect, test } from 'vitest'
import { pruneEvents } from '../../src/alerts/delivery-queries.ts'
import { Outbox } from '../../src/alerts/outbox.ts'
import { prune } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { AdminLog } from '../../src/db/admin-log.ts'
import type { Store } from '../../src/db/schema.ts'
import { Drafts } from '../../src/launch/draft.ts'
import { createLogger } from '../../src/log.ts'
import { telegram } from '../../src/telegram/platform.ts'
import { TestDatabase } from '../database.ts'
import { claimAll } from './alerts/claims.ts'
import { furnish } from './db/installation.ts'

const day = 86_400
const now = () => Math.floor(Date.now() / 1000)

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

/** Cleans up once, as a bot with these settings does. */
async function cleanUp(settings: Record<string, string> = {}) {
  const { keptDays } = await readConfig({
    API_BASE_URL: 'https://api.example.org/v1',
    API_KEY: 'an-api-key',
    TELEGRAM_TOKEN: '4242:telegram-token',
    ...settings,
  })
  const nothing = { prune: async () => 0 }
  const drafts = new Drafts(store, now)
  await prune({
    callbacks: nothing,
    shared: { queue: nothing, store },
    launches: { prune: async (days) => ({ drafts: await drafts.prune(days), pictures: 0 }) },
    alerts: { prune: (days) => pruneEvents(store, now() - days * day) },
    keptDays,
    log: createLogger('silent', []),
  })
}

/** Begins drafts that were discarded and launched, and tells of an event: all 20 days ago, and what administrators changed 40. */
async function furnishOldThings() {
  await furnish(store)
  await store.deleteFrom('drafts').execute()
  const drafts = new Drafts(store, () => now() - 40 * day)
  for (const [user, state] of [
    ['7', 'cancelled'],
    ['8', 'launched'],
  ] as const) {
    const draft = await drafts.begin({ platform: telegram, user }, { goal: 'launch' })
    await drafts.save({ ...draft, state })
  }
  const outbox = new Outbox(store, () => Date.now() + 10_000)
  for (const claim of await claimAll(outbox))
    await outbox.record(claim, claim.events, { kind: 'sent' }, 0)
  await store
    .updateTable('events')
    .set({ useful_until_s: now() - 20 * day })
    .execute()
  await store.deleteFrom('admin_log').execute()
  const log = new AdminLog(store, () => now() - 40 * day)
  await log.end(await log.begin('ada', 'chats pause telegram:-1008'), 'Paused.')
}

async function left() {
  const count = async (table: 'deliveries' | 'admin_log') => {
    const { rows } = await store
      .selectFrom(table)
      .select((row) => row.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(rows) > 0
  }
  const drafts = await store.selectFrom('drafts').select('state').orderBy('state').execute()
  return {
    deliveries: await count('deliveries'),
    admin: await count('admin_log'),
    drafts: drafts.map(({ state }) => state),
  }
}

const all = { deliveries: true, admin: true, drafts: ['cancelled', 'launched'] }

test('what has ended is removed earlier where a shorter time is set, each by its own setting', async () => {
  await furnishOldThings()
  await cleanUp()
  expect(await left()).toEqual(all)
  await cleanUp({ KEEP_SENT_ALERTS: '21', KEEP_ENDED_DRAFTS: '41' })
  expect(await left()).toEqual(all)
  await cleanUp({ KEEP_SENT_ALERTS: '19' })
  expect(await left()).toEqual({ ...all, deliveries: false })
  await cleanUp({ KEEP_ENDED_DRAFTS: '39' })
  expect(await left()).toEqual({ ...all, deliveries: false, drafts: ['launched'] })
  await cleanUp({ KEEP_ADMIN_LOG: '39' })
  expect(await left()).toEqual({ deliveries: false, admin: false, drafts: ['launched'] })
  await cleanUp({ KEEP_LAUNCHES: '39' })
  expect(await left()).toEqual({ deliveries: false, admin: false, drafts: [] })
})
