import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { storeEvents } from '../../../src/alerts/events.ts'
import { LiveMessages } from '../../../src/alerts/live-messages.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Schema } from '../../../src/db/schema.ts'
import { asset, fullAsset } from '../../unit/views/sample.ts'

const plan = z.array(z.object({ detail: z.string() }))

test('no statement from event to sent message scans all chats, deliveries, assets or messages', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-plans-'))
  const file = join(folder, 'gavel.db')
  await (await openStore(file)).destroy()
  const database = new Database(file)
  const statements = new Map<string, readonly unknown[]>()
  const store = new Kysely<Schema>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => {
      statements.set(query.sql, query.parameters)
    },
  })
  let clock = 1_700_000_000
  const now = () => clock
  const subscriptions = new Subscriptions({ store, now, perChat: 5 })
  const outbox = new Outbox(store, () => clock * 1000)
  try {
    const rule = { kind: 'live', setting: {}, scope: {} } as const
    await subscriptions.subscribe({ platform: 'telegram', kind: 'chat', id: 'ada' }, rule)
    const body = { kind: 'live', asset: asset(fullAsset) } as const
    const event = { key: 'a', chain: 1, asset: '0xab', at: clock, usefulUntil: clock + 60, body }
    await store
      .transaction()
      .execute((tx) => storeEvents(tx, [event], { chains: [8453], now: clock }))
    for (const kind of ['retry', 'sent'] as const) {
      clock += 5
      await outbox.nextAt('telegram')
      const claim = await outbox.claim('telegram', 5)
      if (claim === undefined) throw new Error('nothing was due')
      await outbox.record(claim, claim.events, { kind, runAt: clock, reason: '' }, 0)
    }
    const messages = new LiveMessages(store, now)
    const sent = { chat_id: 1, message: '1', chain: 1, asset: '0xab' }
    await messages.add(sent, { title: ['Otter'], blocks: [] })
    const watched = { chain: 1, asset: '0xab', phase: 'ended', body: '', history: '' }
    await store
      .insertInto('watched_assets')
      .values({ ...watched, updated_at_s: clock })
      .execute()
    await messages.scheduleEnded()
    await messages.due('telegram', 5)
    const scans = [...statements].flatMap(([sql, parameters]) =>
      /^(?:select|insert|update|delete)/u.test(sql)
        ? plan
            .parse(database.prepare(`explain query plan ${sql}`).all(...parameters))
            // What a subquery has found is read as a whole.
            .filter(({ detail }) => detail.startsWith('SCAN') && detail !== 'SCAN to')
            .map(({ detail }) => `${detail}: ${sql}`)
        : [],
    )
    expect(statements.size).toBeGreaterThan(10)
    expect(scans).toEqual([])
  } finally {
    await store.destroy()
    await rm(folder, { recursive: true, force: true })
  }
})
