import { afterEach, describe, expect, test, vi } from 'vitest'
import { orderings } from '../../../sandbox/api/query.ts'
import type { ApiServerOptions } from '../../../sandbox/api/server.ts'
import { defaultUnits, unitsSchema } from '../../../src/api/units.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'

const context = {
  platform: telegram,
  user: 'ada',
  chat: 'ada',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const
const nobody = '0x00000000000000000000000000000000000000A1'

let harness: CommandHarness
afterEach(() => harness.stop())

async function start(options: Partial<ApiServerOptions> = {}): Promise<void> {
  harness = await startCommands({ apiServer: options })
}

async function answer(line: string): Promise<{ text: string; hasNext: boolean }> {
  const { view } = await harness.bot.answer(harness.bot.parse(line), context)
  const hasNext = controls(view).flat().join().includes('Next ▶')
  return { text: shown(view).join('\n'), hasNext }
}

describe('pages', () => {
  test('go on to the last asset, each asset once', async () => {
    await start({ population: 64 })
    const all = harness.apiServer.world.tokens.filter(({ chain }) => chain === 8453)
    const seen: string[] = []
    let hasNext = true
    for (let page = 1; hasNext; page += 1) {
      const listed = await answer(`assets page:${page}`)
      seen.push(...(listed.text.match(/asset 0x\w{40}/gu) ?? []))
      hasNext = listed.hasNext
    }
    expect(seen).toHaveLength(all.length)
    expect(new Set(seen).size).toBe(all.length)
  })

  test('end if the API repeats the first one, with the reason', async () => {
    await start({ queryNames: { offset: 'skip' } })
    expect((await answer('assets')).hasNext).toBe(true)
    const second = await answer('assets page:2')
    expect(second.text).toContain('This list can’t be paged')
    expect(second.text).not.toContain('11. ')
    expect(second.hasNext).toBe(false)
  })

  test('end if the API repeats its last one', async () => {
    await start()
    const all = harness.apiServer.world.tokens.filter(({ chain }) => chain === 8453)
    const { api } = harness.services
    const assets = api.assets.bind(api)
    vi.spyOn(api, 'assets').mockImplementation((query) =>
      assets({ ...query, offset: Math.min(query.offset ?? 0, all.length - 5) }),
    )
    const { text, hasNext } = await answer('assets page:90')
    expect(text).toContain('No more results.')
    expect(hasNext).toBe(false)
  })
})

test('is sorted by a press, and keeps what else was asked for', async () => {
  await start()
  const rowOf = async (line: string) => {
    const { view } = await harness.bot.answer(harness.bot.parse(line), context)
    return controls(view)[1]
  }
  expect(await rowOf('assets live limit:20')).toEqual([
    '• Newest assets live chain:8453 limit:20',
    'MC assets live order:market_cap_desc chain:8453 limit:20',
    'Volume assets live order:volume_usd_desc chain:8453 limit:20',
  ])
  expect((await rowOf('assets live order:volume_usd_desc'))?.at(-1)).toMatch(/^• Volume /u)
})

test('upcoming is typed as it is read, and incoming as it was', async () => {
  await start({ population: 64 })
  const upcoming = await answer('assets upcoming')
  expect(upcoming.text).toContain('Upcoming auctions on Base')
  expect(await answer('assets incoming')).toEqual(upcoming)
})

test('a limit bounds the list over its pages', async () => {
  await start()
  expect((await answer('assets limit:12')).hasNext).toBe(true)
  const second = await answer('assets limit:12 page:2')
  expect(second.text).toContain('12. ')
  expect(second).toEqual({ text: expect.not.stringContaining('13. '), hasNext: false })
})

test('if the API ignores the chain, one chain’s assets never show as another’s', async () => {
  await start({ queryNames: { chain: 'network' } })
  const reason = 'When I ask for tokens on Base Sepolia, the data provider sends those on Base'
  const [token] = harness.apiServer.world.tokens.filter(({ chain }) => chain === 8453)
  const list = await answer('assets chain:base-sepolia')
  expect(list.text).toContain('I can’t show any.')
  expect(list.hasNext).toBe(false)
  for (const line of [
    'search o chain:base-sepolia',
    `asset ${token?.address} chain:base-sepolia`,
  ]) {
    expect((await answer(line)).text).toContain(reason)
  }
  expect((await answer('assets chain:base')).text).toContain('1. ')
})

test('an asset of another chain is found by its address alone', async () => {
  await start()
  const elsewhere = harness.apiServer.world.tokens.find(({ chain }) => chain === 84_532)
  const { text } = await answer(`asset ${elsewhere?.address}`)
  expect(text).toContain(elsewhere?.name)
  expect(text).toContain('Base Sepolia')
})

describe('the remarks below a list', () => {
  test.each(orderings)('are none if it is in the order %s', async (order) => {
    await start()
    for (const page of [1, 2, 3, 4]) {
      const { text } = await answer(`assets order:${order} page:${page}`)
      expect(text).toContain(`${page}0. `)
      expect(text).not.toContain('Not sorted')
    }
  })

  test.each([
    ['market_cap_desc', 'market cap'],
    ['volume_usd_asc', 'volume'],
  ])('say that it is not in the order %s', async (order, words) => {
    await start({ queryNames: { ordering: 'by' } })
    const { text } = await answer(`assets order:${order}`)
    expect(text).toContain(`Not sorted by ${words}: the data provider uses an order of its own.`)
    expect((await answer('assets')).text).not.toContain('Not sorted')
  })

  test('are none about an order by figures that are not shown', async () => {
    const units = {
      ...defaultUnits,
      pool_market_cap: 'unknown',
      pool_current_market_cap: 'unknown',
    }
    harness = await startCommands({
      apiServer: { queryNames: { ordering: 'by' } },
      settings: { units: unitsSchema.parse(units) },
    })
    expect((await answer('assets order:market_cap_desc')).text).not.toContain('Not sorted')
  })

  test('say that the API gave only assets that don’t fit the filter', async () => {
    await start({ queryNames: { status: 'state' } })
    const { text, hasNext } = await answer('assets graduated')
    expect(text).toContain(
      'The data provider only sent tokens with another status. There may be some on the next page.',
    )
    expect(hasNext).toBe(true)
  })

  test('say that nothing fits a filter, and without a filter that nothing is there', async () => {
    await start()
    expect((await answer(`assets creator:${nobody}`)).text).toContain('Remove a filter.')
    await harness.stop()
    await start({ population: 0, chains: [8453] })
    const { text } = await answer('assets chain:base-sepolia')
    expect(text).toContain('No tokens on Base Sepolia (TESTNET) yet.')
  })

  test('say on which chain the quote token is that was given by its address', async () => {
    await start({ chains: [8453, 4663] })
    harness.services.chains = [chainById(8453), chainById(4663)]
    const tesla = '0x322f0929c4625ed5bad873c95208d54e1c003b2d'
    const { text } = await answer(`assets chain:base numeraire:${tesla}`)
    expect(text).toContain(
      '“TSLA” is a quote token on Robinhood Chain, not on Base. Add chain:robinhood.',
    )
    const { text: unknown } = await answer(`assets chain:base numeraire:${nobody}`)
    expect(unknown).toContain('Nothing on Base matches. Remove a filter.')
  })

  test('say where tokens don’t graduate at all', async () => {
    await start({ chains: [4663] })
    harness.services.chains = [chainById(4663)]
    for (const filter of ['', ` creator:${nobody}`]) {
      const { text } = await answer(`assets graduated${filter}`)
      expect(text).toContain('Tokens on Robinhood Chain don’t graduate.')
    }
  })
})
