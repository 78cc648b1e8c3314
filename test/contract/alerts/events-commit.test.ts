import { setImmediate as others } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pruneEvents } from '../../../src/alerts/delivery-queries.ts'
import { refuse } from '../../failing-store.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'

let harness: WatcherHarness
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 20 })
})
afterEach(() => harness.stop())

/** Sixty auctions that go live between two polls, with a subscriber. */
async function manyEvents(): Promise<string[]> {
  await harness.subscribe('all', { kind: 'live', setting: {}, scope: {} })
  await harness.poll()
  const tokens = Array.from({ length: 60 }, () => harness.world.announce(chain))
  return tokens.map(({ address }) => `live:${chain}:${address.toLowerCase()}`).sort()
}

/** How many events are stored, and how many of them with their snapshot and deliveries. */
async function stored() {
  const rows = await harness.store
    .selectFrom('events')
    .leftJoin('watched_assets', 'watched_assets.asset', 'events.asset')
    .leftJoin('deliveries', 'deliveries.event_id', 'events.id')
    .select(['watched_assets.asset', 'deliveries.chat_id'])
    .execute()
  const complete = rows.filter(({ asset, chat_id }) => asset !== null && chat_id !== null)
  return { count: rows.length, complete: complete.length }
}

describe('many events at once', () => {
  test('are stored in several transactions, each with its snapshot and deliveries, so that other work is not blocked', async () => {
    const keys = await manyEvents()
    let isDone = false
    const polling = harness.poll().finally(() => {
      isDone = true
    })
    const steps = new Set<number>()
    while (!isDone) {
      const { count, complete } = await stored()
      expect(complete).toBe(count)
      steps.add(count)
      await others()
    }
    await polling
    expect([...steps].filter((count) => count > 0 && count < keys.length).length).toBeGreaterThan(0)
    expect((await harness.keys()).sort()).toEqual(keys)
  })

  test('are notified once each if storing fails in the middle and is repeated', async () => {
    const keys = await manyEvents()
    const allow = await refuse(
      harness.store,
      'insert on events',
      '(select count(*) from events) >= 45',
    )
    await expect(harness.poll()).rejects.toThrow('refused')
    const { count, complete } = await stored()
    expect(complete).toBe(count)
    expect(count).toBe(45)
    await allow()
    await harness.poll()
    await harness.poll()
    expect((await harness.keys()).sort()).toEqual(keys)
    expect(await stored()).toEqual({ count: 60, complete: 60 })
  })

  test('of one asset, for many rules, are stored in several transactions too', async () => {
    const token = harness.world.announce(chain, { price: 1 })
    const about = { asset: token.address.toLowerCase(), chain }
    for (let index = 0; index < 50; index += 1) {
      await harness.subscribe('a', {
        kind: 'price',
        setting: { above: `2.${index}1` },
        scope: about,
      })
    }
    await harness.poll()
    harness.world.change(token, { price: 9 })
    const allow = await refuse(
      harness.store,
      'insert on events',
      '(select count(*) from events) >= 30',
    )
    await expect(harness.poll()).rejects.toThrow('refused')
    expect(await harness.keys()).toHaveLength(30)
    await allow()
    await harness.poll()
    await harness.poll()
    expect(await harness.keys()).toHaveLength(50)
  })

  test('with many deliveries are stored in several transactions too', async () => {
    await harness.subscribe('all', { kind: 'live', setting: {}, scope: {} })
    await harness.poll()
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5500)
      insert into chats (platform, kind, chat, thread, paused, muted_until_s, next_at_ms, due_at_ms, created_at_s)
      select 'telegram', 'chat', 'c' || i, '', null, 0, 0, null, 1 from n`.execute(harness.store)
    await sql`insert into subscriptions (rule_id, chat_id, created_at_s)
      select rules.id, chats.id, 1 from rules, chats where true
      on conflict do nothing`.execute(harness.store)
    for (let index = 0; index < 5; index += 1) harness.world.announce(chain)
    const allow = await refuse(
      harness.store,
      'insert on events',
      '(select count(*) from events) >= 4',
    )
    await expect(harness.poll()).rejects.toThrow('refused')
    expect(await harness.keys()).toHaveLength(4)
    await allow()
    expect(await harness.poll()).toMatchObject({ events: { live: 1 }, deliveries: 5501 })
  })
})

test('an event that is found too late to be of use is stored and logged, and has no deliveries', async () => {
  await harness.subscribe('ada', { kind: 'ending', setting: { minutes: 30 }, scope: {} })
  const token = harness.world.announce(chain, { endsAt: harness.now() + 3_600 })
  await harness.poll()
  harness.world.change(token, { status: 'stall' })
  harness.ahead = 3_700
  expect(await harness.poll()).toMatchObject({ events: {}, deliveries: 0, late: 1 })
  expect(await stored()).toEqual({ count: 1, complete: 0 })
  const line = { kind: 'ending', asset: token.address.toLowerCase() }
  expect(
    harness.log.lines.filter(({ msg }) => msg === 'an event was found too late to be of use'),
  ).toEqual([expect.objectContaining(line)])
})

test('each event has a line in the log, with its id and how many deliveries wait and are dropped; beyond a hundred at once only for debugging', async () => {
  await harness.subscribe('ada', { kind: 'live', setting: {}, scope: {} })
  await harness.subscribe('eve', { kind: 'live', setting: {}, scope: {} })
  await harness.silence('eve', 'muted')
  await harness.poll()
  const tokens = Array.from({ length: 103 }, () => harness.world.announce(chain))
  await harness.poll()
  const lines = (level: string) =>
    harness.log.lines.filter((line) => line.level === level && line.msg === 'an event was found')
  expect([lines('info').length, lines('debug').length]).toEqual([100, 3])
  const rows = await harness.store
    .selectFrom('events')
    .select(['id', 'asset'])
    .orderBy('id')
    .execute()
  const said = [...lines('info'), ...lines('debug')].map(({ event, asset }) => ({
    id: event,
    asset,
  }))
  expect(said).toEqual(rows)
  expect(lines('info')[0]).toMatchObject({ kind: 'live', chain, deliveries: 1, silent: 1 })
  const written = JSON.stringify(harness.log.lines)
  for (const { name } of tokens) expect(written).not.toContain(name)
})

test('the line of an event that one rule has found names that rule', async () => {
  const token = harness.world.announce(chain, { price: 1 })
  const scope = { asset: token.address.toLowerCase(), chain }
  await harness.subscribe('ada', { kind: 'price', setting: { above: '2' }, scope })
  await harness.poll()
  const [rule] = await harness.subscriptions.inUse()
  harness.world.change(token, { price: 3 })
  await harness.poll()
  const lines = harness.log.lines.filter(({ msg }) => msg === 'an event was found')
  expect(lines.at(-1)).toMatchObject({ kind: 'price', rule: rule?.id })
  expect(rule?.id).toBeGreaterThan(0)
})

test('the first poll of many assets is stored in several transactions, and notifies of nothing even if one of them failed', async () => {
  for (let index = 0; index < 240; index += 1) harness.world.announce(chain)
  await harness.subscribe('all', { kind: 'live', setting: {}, scope: {} })
  const allow = await refuse(
    harness.store,
    'insert on watched_assets',
    '(select count(*) from watched_assets) >= 220',
  )
  await expect(harness.poll()).rejects.toThrow('refused')
  const kept = await harness.store.selectFrom('watched_assets').select('asset').execute()
  expect(kept).toHaveLength(200)
  await allow()
  await harness.poll()
  expect(await harness.keys()).toEqual([])
})

test('of an old event that may be detected again the key stays; others are deleted', async () => {
  const keys = await manyEvents()
  await harness.poll()
  const [token] = harness.world.tokens
  if (!token) throw new Error('there is no asset')
  const about = { asset: token.address.toLowerCase(), chain }
  harness.world.change(token, { price: 1 })
  await harness.subscribe('a', { kind: 'price', setting: { above: '2' }, scope: about })
  await harness.poll()
  harness.world.change(token, { price: 3 })
  await harness.poll()
  expect(await harness.keys()).toHaveLength(keys.length + 1)
  await pruneEvents(harness.store, harness.now() + 10 * 86_400)
  expect((await harness.keys()).sort()).toEqual(keys)
})
