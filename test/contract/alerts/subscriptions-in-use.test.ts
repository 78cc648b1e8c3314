import { setImmediate as others } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeMemory } from '../../../src/alerts/subscriptions.ts'
import { WatcherHarness } from '../../unit/alerts/watcher-harness.ts'

const count = 1500
let harness: WatcherHarness
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 20 })
})
afterEach(() => harness.stop())

/** Prices that one chat follows, one rule each. */
async function followPrices(): Promise<void> {
  await harness.subscribe('a', { kind: 'live', setting: {}, scope: {} })
  const setting = JSON.stringify({ moves: 5 })
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    insert into rules (kind, chain, asset, numeraire, creator, category, setting, memory)
    select 'price', 0, '0x' || i, '', '', '', ${sql.lit(setting)}, '' from n`.execute(harness.store)
  await sql`insert into subscriptions (rule_id, chat_id, created_at_s)
    select rules.id, chats.id, 1 from rules, chats where rules.kind = 'price'
  `.execute(harness.store)
}

test('reading the rules in use does not block other work, and reads all of them', async () => {
  await followPrices()
  let movements: number | undefined
  const reading = harness.subscriptions.inUse().then((inUse) => {
    movements = inUse.length
  })
  let turns = 0
  while (movements === undefined) {
    await others()
    turns += 1
  }
  await reading
  expect(movements).toBe(count)
  expect(turns).toBeGreaterThan(5)
})

test('each read has the current memories, and leaves out rules without subscribers', async () => {
  await followPrices()
  const [first, second] = await harness.subscriptions.inUse()
  const target = { platform: 'telegram', kind: 'chat', id: 'a' } as const
  const memory = { rule: first?.id ?? 0, before: '', after: 'x' }
  await storeMemory(harness.store, memory)
  await harness.subscriptions.unsubscribe(target, second?.id ?? 0)
  const movements = await harness.subscriptions.inUse()
  expect(movements).toHaveLength(count - 1)
  expect(movements[0]).toEqual({ ...first, memory: 'x' })
})
