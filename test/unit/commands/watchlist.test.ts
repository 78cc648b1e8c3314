import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { maxWatched } from '../../../src/db/watchlists.ts'
import { discord } from '../../../src/discord/platform.ts'
import { ApiError } from '../../../src/errors.ts'
import { handled } from '../core/asked.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, lineOf, opens, Talk } from './talk.ts'

const otter = showcaseAddresses.moonOtter
const watchOtter = `watch ${otter} chain:8453`

let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands({ cacheMs: 0 })
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

const entries = () => harness.services.watchlists.of('telegram', ada.user)

/** Puts the token on the list as if it had been added at this price. */
async function addedAt(price: { amount: string; currency: string } | undefined): Promise<void> {
  const token = { chain: 8453, asset: otter.toLowerCase(), price, addedAt: 1 }
  await harness.services.watchlists.add('telegram', ada.user, token)
}

async function priceNow(): Promise<number> {
  const token = harness.apiServer.world.tokens.find(({ address }) => address === otter)
  expect(token).toBeDefined()
  const [entry] = await entries()
  return Number(entry?.price?.amount)
}

test('a token is added from its card with its price, shown in the list, and removed by a press', async () => {
  const card = await talk.says(`asset ${otter}`)
  const added = await talk.says(lineOf(card, '⭐ Watch'))
  expect(shown(added)[0]).toBe('⭐ Moon Otter $OTTER is on your watchlist')
  expect(shown(added)[1]).toMatch(/^Price \$[\d.,₀-₉]+$/u)
  expect(await entries()).toEqual([
    {
      chain: 8453,
      asset: otter.toLowerCase(),
      price: { amount: expect.stringMatching(/^\d+\.\d+$/u), currency: 'usd' },
      addedAt: expect.closeTo(Date.now() / 1000, -1),
    },
  ])
  const list = await talk.presses(added, '⭐ My watchlist')
  expect(shown(list)[1]).toMatch(/^1\. 🟢 Moon Otter \$OTTER · Price \$.+ since added/u)
  expect(opens(list).map(({ line }) => line)).toEqual([`asset ${otter} chain:8453`])
  const choice = await talk.presses(list, 'Remove…')
  const [item] = opens(choice)
  const left = await talk.says(item?.line ?? '')
  expect(shown(left)).toEqual([
    '⭐ Your watchlist',
    expect.stringMatching(/^Removed 0x/u),
    expect.stringMatching(/^Nothing here yet/u),
  ])
  expect(await entries()).toEqual([])
})

test('a second press keeps the price of the first, and offers to remove', async () => {
  await addedAt({ amount: '0.000001', currency: 'usd' })
  const again = await talk.says(watchOtter)
  expect(shown(again)[1]).toContain('▲')
  const [entry] = await entries()
  expect(entry?.price?.amount).toBe('0.000001')
  await talk.presses(again, 'Remove')
  expect(await entries()).toEqual([])
})

test.each([
  [
    'half of its price',
    (price: number) => ({ amount: `${price / 2}`, currency: 'usd' }),
    '▲ 100% since added',
  ],
  [
    'twice its price',
    (price: number) => ({ amount: `${price * 2}`, currency: 'usd' }),
    '▼ 50% since added',
  ],
])('the change is since it was added, at %s', async (_, priceOf, words) => {
  await talk.says(watchOtter)
  const price = await priceNow()
  await talk.says(`unwatch ${otter} chain:8453`)
  await addedAt(priceOf(price))
  expect(shown(await talk.says('watchlist'))[1]).toContain(words)
})

test.each([
  ['in another currency', { amount: '1', currency: '0x4200000000000000000000000000000000000006' }],
  ['at an unknown price', undefined],
  ['for nothing', { amount: '0', currency: 'usd' }],
])('no change is shown for one that was added %s', async (_, price) => {
  await addedAt(price)
  const [, line] = shown(await talk.says('watchlist'))
  expect(line).toContain('Moon Otter $OTTER · Price $')
  expect(line).not.toContain('since added')
})

test('a name adds one, too, and one of several is chosen', async () => {
  expect(shown(await talk.says('watchlist LANTERN'))[0]).toContain('Paper Lantern')
  const which = await talk.says('watchlist OTTER')
  expect(shown(which)[0]).toContain('OTTER')
  const [first] = opens(which)
  expect(first?.line).toMatch(/^watch 0x/u)
  await talk.says(first?.line ?? '')
  expect(await entries()).toHaveLength(2)
})

test('a misspelt name is asked about as a search asks, with testnets as such', async () => {
  const near = await talk.says('watchlist otterr')
  expect(shown(near)[0]).toBe('No token called “otterr” on Base. Did you mean one of these?')
  const onTestnet = await talk.says('watchlist harbbor chain:base-sepolia')
  const [, ...lines] = shown(onTestnet)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^\d+\. \S+ TESTNET .+ · \p{L}+ · 0x/u)
})

test('it is each person’s own, and shown in private alone', async () => {
  await talk.says(watchOtter)
  const grace = new Talk(harness, { ...ada, user: '8', chat: '8' })
  expect(shown(await grace.says('watchlist')).join()).toContain('Nothing here yet')
  const inGroup = { ...ada, chat: '-5', isPrivate: false, ephemeral: false }
  const line = { kind: 'command', line: 'watchlist' } as const
  const { led, answers } = await handled(harness.bot, inGroup, line)
  expect([led, answers]).toEqual([['watchlist'], []])
  const onDiscord = await handled(harness.bot, { ...inGroup, platform: discord }, line)
  expect(onDiscord.manner).toEqual({ ephemeral: true, inPlace: false })
})

test('it holds fifty, ten a page', async () => {
  const tokens = harness.apiServer.world.tokens.filter(({ chain }) => chain === 8453)
  for (const [index, { address }] of tokens.slice(0, maxWatched).entries()) {
    const token = { chain: 8453, asset: address.toLowerCase(), addedAt: index }
    expect(await harness.services.watchlists.add('telegram', ada.user, token)).toBe(true)
  }
  const next = tokens[maxWatched]?.address
  expect(await talk.isRefused(`watch ${next} chain:8453`)).toContain('it holds 50 tokens')
  const first = tokens[0]?.address
  expect(shown(await talk.says(`watch ${first} chain:8453`))[0]).toContain('is on your watchlist')
  const list = await talk.says('watchlist')
  expect(opens(list)).toHaveLength(10)
  const second = await talk.presses(list, 'Next ▶')
  expect(shown(second)[1]).toMatch(/^11\. /u)
  expect(controls(second).flat()).toContain('Remove… unwatch page:2')
})

test('tokens of which the API says nothing stay on the list, by their address', async () => {
  await talk.says(watchOtter)
  vi.spyOn(harness.services.api, 'asset').mockRejectedValue(new ApiError('unavailable', 'down'))
  const list = await talk.says('watchlist')
  expect(shown(list)[1]).toMatch(/^1\. 0x\w{4}…\w{4} · no price right now/u)
})

test('tokens of several chains say which', async () => {
  await talk.says(watchOtter)
  const elsewhere = harness.apiServer.world.tokens.find(({ chain }) => chain === 84_532)
  await talk.says(`watch ${elsewhere?.address} chain:84532`)
  const text = shown(await talk.says('watchlist')).join('\n')
  expect(text).toContain(' · Base Sepolia · ')
  expect(text).toContain(' · Base · ')
})

test('a token of a chain that the operator no longer has is listed, and taken off by a press', async () => {
  const { watchlists } = harness.services
  await watchlists.add('telegram', ada.user, { chain: 1, asset: otter.toLowerCase(), addedAt: 1 })
  const [item] = opens(await talk.says('unwatch'))
  await talk.says(item?.line ?? '')
  expect(await entries()).toEqual([])
})
