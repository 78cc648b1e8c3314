import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/interface/token.ts'
import type { Api } from '../../../src/api/client.ts'
import { ApiError } from '../../../src/errors.ts'
import { chain, Watching } from '../../unit/alerts/watching.ts'

const addressOf = ({ address }: Token) => address.toLowerCase()

let watching: Watching
/** Graduated, the newest first, on more pages than one look reads. */
let tokens: Token[]
beforeEach(async () => {
  watching = await Watching.start({ population: 20 })
  const { world } = watching
  tokens = Array.from({ length: 260 }, () => world.announce(chain, { price: 1 })).reverse()
  for (const token of tokens) world.end(token, 'graduated')
  for (let looks = 0; looks < 8; looks += 1) await watching.look()
  await turnBack()
})
afterEach(() => watching.stop())

/** The turn of the oldest is four looks away. */
async function turnBack(): Promise<void> {
  const body = JSON.stringify({ page: 1 })
  await watching.store.updateTable('watched_chains').set({ body }).execute()
}

/** The oldest. */
const deep = (count: number) => tokens.slice(-count)

async function follow(followed: readonly Token[], on?: number, chats = 1): Promise<void> {
  for (const token of followed) {
    for (let index = 0; index < chats; index += 1) {
      const scope = { asset: addressOf(token), chain: on }
      await watching.follow(`chat ${index}`, { kind: 'price', setting: { above: '2' }, scope })
    }
  }
}

async function forget(token: Token): Promise<void> {
  await watching.store.deleteFrom('watched_assets').where('asset', '=', addressOf(token)).execute()
}

async function cost(): Promise<number> {
  const before = watching.server.requestCount
  await watching.look()
  return watching.server.requestCount - before
}

const courseOf = async (token: Token) =>
  (await watching.assets.find(chain, token.address))?.history.map(({ price }) => price)

/** How many of these were seen at a price. */
async function seenAt(price: string, of: readonly Token[]): Promise<number> {
  const courses = await Promise.all(of.map(courseOf))
  return courses.filter((course) => course?.at(-1) === price).length
}

test('the price of an old asset that somebody follows is looked at each time', async () => {
  const [token] = deep(1)
  if (token) await follow([token], chain)
  await watching.look()
  for (const price of [3, 1, 3]) {
    if (token) watching.world.change(token, { price })
    watching.ahead += 660
    await watching.look()
  }
  expect(await watching.keys()).toEqual([
    expect.stringMatching(/^price:/u),
    expect.stringMatching(/^price:/u),
  ])
})

test('one that was never seen is looked at where it is followed on this chain', async () => {
  const [there, perhaps] = deep(2)
  if (!there || !perhaps) throw new Error('there are no tokens')
  for (const token of [there, perhaps]) await forget(token)
  await follow([there], chain)
  await follow([perhaps])
  await watching.look()
  expect(await courseOf(there)).toEqual(['1'])
  expect(await courseOf(perhaps)).toBeUndefined()
})

test('one is looked at for its market cap too, and no more once nobody follows it', async () => {
  const [token] = deep(1)
  const scope = { asset: token && addressOf(token), chain }
  await watching.follow('b', { kind: 'graduated', setting: {}, scope })
  const alone = await cost()
  await watching.follow('a', { kind: 'mcap', setting: { moves: 10 }, scope })
  expect(await cost()).toBe(alone + 1)
  const target = { platform: 'telegram', kind: 'chat', id: 'a' } as const
  for (const { id } of (await watching.follows.of(target)).follows) {
    await watching.follows.unfollow(target, id)
  }
  expect(await cost()).toBe(alone)
})

test('what is asked depends on the assets that are followed, up to twenty, and not on how many follow', async () => {
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

test('of many that are followed each has its turn, also where a look fails at one', async () => {
  const followed = deep(50).toSorted((one, other) => (addressOf(one) < addressOf(other) ? -1 : 1))
  await follow(followed)
  for (const token of followed) watching.world.change(token, { price: 0.0015 })
  watching.ahead += 120
  const failing: Pick<Api, 'assets' | 'asset'> = {
    assets: (filter) => watching.api.assets(filter),
    asset: (address, on) => {
      const second = followed[1]
      if (second && address === addressOf(second)) throw new ApiError('rate-limited', 'GET: 429')
      return watching.api.asset(address, on)
    },
  }
  const seen: number[] = []
  for (const api of [failing, watching.api, watching.api]) {
    await watching.look(api)
    seen.push(await seenAt('0.0015', followed))
  }
  expect(seen).toEqual([1, 21, 41])
  const [first] = followed
  expect(first && (await courseOf(first))).toEqual(['1', '0.0015'])
})
