import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBody } from '../../../src/alerts/events.ts'
import { chain, Watching } from '../../unit/alerts/watching.ts'

let watching: Watching
beforeEach(async () => {
  watching = await Watching.start({ population: 20 })
})
afterEach(() => watching.stop())

test('a price is told to those whose filter it crossed, on the chain that they mean', async () => {
  const { world } = watching
  const token = world.announce(chain, { price: 1 })
  const asset = token.address.toLowerCase()
  const about = { asset, chain }
  const high = { kind: 'price', setting: { above: '2' } } as const
  await watching.follow('high', { ...high, scope: about })
  await watching.follow('anywhere', { ...high, scope: { asset } })
  await watching.follow('elsewhere', { ...high, scope: { asset, chain: 84532 } })
  await watching.follow('higher', { kind: 'price', setting: { above: '9' }, scope: about })
  await watching.follow('moves', { kind: 'mcap', setting: { moves: 50 }, scope: about })
  await watching.look()
  world.change(token, { price: 3 })
  await watching.look()
  await watching.look()
  const rows = await watching.store
    .selectFrom('deliveries')
    .innerJoin('news', 'news.id', 'deliveries.news')
    .innerJoin('destinations', 'destinations.id', 'deliveries.destination')
    .select(['news.body', 'news.at', 'news.useful_until', 'destinations.chat'])
    .orderBy('news.id')
    .execute()
  const told = rows.map(({ body, chat }) => ({ chat, ...readBody(JSON.parse(body).kind, body) }))
  const crossing = { value: { amount: '3' }, reference: { amount: '2' }, by: 'crossing' }
  expect(told).toMatchObject([
    { chat: 'high', kind: 'price', ...crossing },
    { chat: 'anywhere', kind: 'price', ...crossing },
    { chat: 'moves', kind: 'mcap', direction: 'up', by: 'movement' },
  ])
  expect(rows.map((row) => row.useful_until - row.at)).toEqual([3600, 3600, 3600])
})

test('a price is told to who follows it anew after nobody did', async () => {
  const token = watching.world.announce(chain, { price: 1 })
  const about = { asset: token.address.toLowerCase(), chain }
  const chat = { platform: 'telegram', kind: 'chat', id: 'a' } as const
  const crosses = async () => {
    await watching.follow('a', { kind: 'price', setting: { above: '2' }, scope: about })
    watching.world.change(token, { price: 1 })
    await watching.look()
    watching.world.change(token, { price: 3 })
    watching.ahead += 60
    await watching.look()
  }
  await crosses()
  const [filter] = await watching.follows.inUse()
  await watching.follows.unfollow(chat, filter?.id ?? 0)
  await crosses()
  expect(await watching.keys()).toHaveLength(2)
})

test.each([
  ['price', 'muted'],
  ['price', 'paused'],
  ['mcap', 'muted'],
  ['mcap', 'paused'],
] as const)('a %s that crossed while the chat was %s is not told later', async (kind, how) => {
  const { world } = watching
  const token = world.announce(chain, { price: 1 })
  const scope = { asset: token.address.toLowerCase(), chain }
  await watching.follow('a', { kind, setting: { moves: 50 }, scope })
  const deliveries = async () =>
    (await watching.store.selectFrom('deliveries').selectAll().execute()).length
  await watching.look()
  const goOn = await watching.hush('a', how)
  world.change(token, { price: 3 })
  await watching.look()
  await goOn()
  watching.ahead += 3600
  await watching.look()
  expect(await deliveries()).toBe(0)
  world.change(token, { price: 9 })
  await watching.look()
  expect(await deliveries()).toBe(1)
})

test('a crossing that a muted chat missed is not told to it when it hears again', async () => {
  const { world } = watching
  const token = world.announce(chain, { price: 1 })
  const scope = { asset: token.address.toLowerCase(), chain }
  await watching.follow('a', { kind: 'price', setting: { above: '2' }, scope })
  await watching.look()
  const goOn = await watching.hush('a', 'muted')
  world.change(token, { price: 3 })
  await watching.look()
  await goOn()
  await watching.look()
  const deliveries = await watching.store.selectFrom('deliveries').selectAll().execute()
  expect(deliveries).toEqual([])
})
