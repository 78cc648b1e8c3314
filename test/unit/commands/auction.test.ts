import { afterEach, beforeEach, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { opens, Talk } from './talk.ts'

const otter = showcaseAddresses.moonOtter
let harness: CommandHarness
let talk: Talk
beforeEach(async () => {
  harness = await startCommands()
  talk = new Talk(harness)
})
afterEach(() => harness.stop())

test('the auction of a token is found by the token’s address, name or ticker, and by its pool', async () => {
  const byAddress = await talk.says(`auction ${otter}`)
  expect(shown(byAddress)[0]).toBe('Auction of Moon Otter')
  expect(shown(await talk.says('auction "moon otter"'))).toEqual(shown(byAddress))
  const token = harness.apiServer.world.tokens.find(({ address }) => address === otter)
  const byPool = await talk.says(`auction ${token?.poolAddress}`)
  expect(shown(byPool)[0]).toBe('Auction of Moon Otter')
})

test('a token whose pool has the address of another’s is not shown the auction of that one', async () => {
  const { world } = harness.apiServer
  const token = world.tokens.find(({ address }) => address === otter)
  if (!token) throw new Error('there is no otter')
  // The newest is found first by the address that both pools have.
  const twin = world.announce(token.chain)
  world.add({ ...twin, address: `0x${'7'.repeat(40)}`, poolAddress: token.poolAddress })
  const view = await talk.says(`auction ${otter}`)
  expect(shown(view)[0]).toBe('Auction of Moon Otter')
  expect(shown(view).join()).toContain(token.poolId)
})

test('its own example works', async () => {
  const { options } = harness.bot.menu.find(({ name }) => name === 'auction') ?? {}
  const view = await talk.says(`auction ${options?.[0]?.example}`)
  // Two tokens have the ticker of the example: each leads to its own.
  expect(opens(view).length + Number(shown(view)[0]?.startsWith('Auction of'))).toBeGreaterThan(0)
})

test('what is neither a token nor a pool is refused with where auctions are', async () => {
  expect(await talk.isRefused(`auction 0x${'e'.repeat(40)}`)).toContain('/assets live')
  expect(await talk.isRefused('auction nosuchtoken')).toContain('nosuchtoken')
})
