import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBody } from '../../../src/alerts/events.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'

let harness: WatcherHarness
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 20 })
})
afterEach(() => harness.stop())

test('a price notifies those whose threshold it crossed, on the chain of their rule', async () => {
  const { world } = harness
  const token = world.announce(chain, { price: 1 })
  const asset = token.address.toLowerCase()
  const about = { asset, chain }
  const high = { kind: 'price', setting: { above: '2' } } as const
  await harness.subscribe('high', { ...high, scope: about })
  await harness.subscribe('anywhere', { ...high, scope: { asset } })
  await harness.subscribe('elsewhere', { ...high, scope: { asset, chain: 84532 } })
  await harness.subscribe('higher', { kind: 'price', setting: { above: '9' }, scope: about })
  await harness.subscribe('moves', { kind: 'mcap', setting: { moves: 50 }, scope: about })
  await harness.poll()
  world.change(token, { price: 3 })
  await harness.poll()
  await harness.poll()
  const rows = await harness.store
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
    .select(['events.body', 'events.happened_at_s', 'events.useful_until_s', 'chats.chat'])
    .orderBy('events.id')
    .execute()
  const notified = rows.map(({ body, chat }) => ({
    chat,
    ...readBody(JSON.parse(body).kind, body),
  }))
  const crossing = { value: { amount: '3' }, reference: { amount: '2' }, by: 'crossing' }
  expect(notified).toMatchObject([
    { chat: 'high', kind: 'price', ...crossing },
    { chat: 'anywhere', kind: 'price', ...crossing },
    { chat: 'moves', kind: 'mcap', direction: 'up', by: 'movement' },
  ])
  expect(rows.map((row) => row.useful_until_s - row.happened_at_s)).toEqual([3600, 3600, 3600])
})

test('a price notifies a new subscriber after there was none', async () => {
  const token = harness.world.announce(chain, { price: 1 })
  const about = { asset: token.address.toLowerCase(), chain }
  const chat = { platform: 'telegram', kind: 'chat', id: 'a' } as const
  const crosses = async () => {
    await harness.subscribe('a', { kind: 'price', setting: { above: '2' }, scope: about })
    harness.world.change(token, { price: 1 })
    await harness.poll()
    harness.world.change(token, { price: 3 })
    harness.ahead += 60
    await harness.poll()
  }
  await crosses()
  const [rule] = await harness.subscriptions.inUse()
  await harness.subscriptions.unsubscribe(chat, rule?.id ?? 0)
  await crosses()
  expect(await harness.keys()).toHaveLength(2)
})

test.each([
  ['price', 'muted'],
  ['price', 'paused'],
  ['mcap', 'muted'],
  ['mcap', 'paused'],
] as const)('a %s that crossed while the chat was %s is not notified later', async (kind, how) => {
  const { world } = harness
  const token = world.announce(chain, { price: 1 })
  const scope = { asset: token.address.toLowerCase(), chain }
  await harness.subscribe('a', { kind, setting: { moves: 50 }, scope })
  const deliveries = async () =>
    (
      await harness.store
        .selectFrom('deliveries')
        .selectAll()
        .where('state', '=', 'waiting')
        .execute()
    ).length
  await harness.poll()
  const goOn = await harness.silence('a', how)
  world.change(token, { price: 3 })
  await harness.poll()
  await goOn()
  harness.ahead += 3600
  await harness.poll()
  expect(await deliveries()).toBe(0)
  world.change(token, { price: 9 })
  await harness.poll()
  expect(await deliveries()).toBe(1)
})

test('a crossing that a muted chat missed is not notified when the mute ends', async () => {
  const { world } = harness
  const token = world.announce(chain, { price: 1 })
  const scope = { asset: token.address.toLowerCase(), chain }
  await harness.subscribe('a', { kind: 'price', setting: { above: '2' }, scope })
  await harness.poll()
  const goOn = await harness.silence('a', 'muted')
  world.change(token, { price: 3 })
  await harness.poll()
  await goOn()
  await harness.poll()
  const deliveries = await harness.store
    .selectFrom('deliveries')
    .select(['state', 'reason'])
    .execute()
  expect(deliveries).toEqual([{ state: 'dropped', reason: 'muted' }])
})
