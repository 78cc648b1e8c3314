import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/api/token.ts'
import type { Api } from '../../../src/api/client.ts'
import { ApiError } from '../../../src/errors.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'

const addressOf = ({ address }: Token) => address.toLowerCase()

let harness: WatcherHarness
/** Graduated, the newest first, on more pages than one poll reads. */
let tokens: Token[]
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 20 })
  const { world } = harness
  tokens = Array.from({ length: 260 }, () => world.announce(chain, { price: 1 })).reverse()
  for (const token of tokens) world.end(token, 'graduated')
  for (let polls = 0; polls < 8; polls += 1) await harness.poll()
  await turnBack()
})
afterEach(() => harness.stop())

/** The turn of the oldest is four polls away. */
async function turnBack(): Promise<void> {
  const body = JSON.stringify({ page: 1 })
  await harness.store.updateTable('watched_chains').set({ body }).execute()
}

/** The oldest. */
const deep = (count: number) => tokens.slice(-count)

async function follow(followed: readonly Token[], on?: number, chats = 1): Promise<void> {
  for (const token of followed) {
    for (let index = 0; index < chats; index += 1) {
      const scope = { asset: addressOf(token), chain: on }
      await harness.subscribe(`chat ${index}`, { kind: 'price', setting: { above: '2' }, scope })
    }
  }
}

async function forget(token: Token): Promise<void> {
  await harness.store.deleteFrom('watched_assets').where('asset', '=', addressOf(token)).execute()
}

async function cost(): Promise<number> {
  const before = harness.server.requestCount
  await harness.poll()
  return harness.server.requestCount - before
}

const courseOf = async (token: Token) =>
  (await harness.assets.find(chain, token.address))?.history.map(({ price }) => price)

/** How many of these were seen at a price. */
async function seenAt(price: string, of: readonly Token[]): Promise<number> {
  const courses = await Promise.all(of.map(courseOf))
  return courses.filter((course) => course?.at(-1) === price).length
}

test('a graduated asset with a subscribed price is fetched at each poll', async () => {
  const [token] = deep(1)
  if (token) await follow([token], chain)
  await harness.poll()
  for (const price of [3, 1, 3]) {
    if (token) harness.world.change(token, { price })
    harness.ahead += 660
    await harness.poll()
  }
  expect(await harness.keys()).toEqual([
    expect.stringMatching(/^price:/u),
    expect.stringMatching(/^price:/u),
  ])
})

test('one that was never seen is fetched if the rule names this chain', async () => {
  const [there, perhaps] = deep(2)
  if (!there || !perhaps) throw new Error('there are no tokens')
  for (const token of [there, perhaps]) await forget(token)
  await follow([there], chain)
  await follow([perhaps])
  await harness.poll()
  expect(await courseOf(there)).toEqual(['1'])
  expect(await courseOf(perhaps)).toBeUndefined()
})

test('one is fetched for its market cap too, and no longer without subscribers', async () => {
  const [token] = deep(1)
  const scope = { asset: token && addressOf(token), chain }
  await harness.subscribe('b', { kind: 'graduated', setting: {}, scope })
  const alone = await cost()
  await harness.subscribe('a', { kind: 'mcap', setting: { moves: 10 }, scope })
  expect(await cost()).toBe(alone + 1)
  const target = { platform: 'telegram', kind: 'chat', id: 'a' } as const
  for (const { id } of (await harness.subscriptions.of(target)).subscriptions) {
    await harness.subscriptions.unsubscribe(target, id)
  }
  expect(await cost()).toBe(alone)
})

test('requests depend on the subscribed assets, up to twenty, not on the number of subscribers', async () => {
  const alone = await cost()
  await follow(deep(1), chain, 300)
  expect(await cost()).toBe(alone + 1)
  await follow(deep(1))
  await follow(deep(2), 84532)
  expect(await cost()).toBe(alone + 1)
  await turnBack()
  await follow(deep(50))
  expect(await cost()).toBe(alone + 20)
})

test('many are fetched in turn, also if a poll fails at one', async () => {
  const followed = deep(50).toSorted((one, other) => (addressOf(one) < addressOf(other) ? -1 : 1))
  await follow(followed)
  for (const token of followed) harness.world.change(token, { price: 0.0015 })
  harness.ahead += 120
  const failing: Pick<Api, 'assets' | 'asset'> = {
    assets: (filter) => harness.api.assets(filter),
    asset: (address, on) => {
      const second = followed[1]
      if (second && address === addressOf(second)) throw new ApiError('rate-limited', 'GET: 429')
      return harness.api.asset(address, on)
    },
  }
  const seen: number[] = []
  for (const api of [failing, harness.api, harness.api]) {
    await harness.poll(api)
    seen.push(await seenAt('0.0015', followed))
  }
  expect(seen).toEqual([1, 21, 41])
  const [first] = followed
  expect(first && (await courseOf(first))).toEqual(['1', '0.0015'])
})
