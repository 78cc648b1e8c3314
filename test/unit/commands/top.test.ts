import { afterEach, expect, test, vi } from 'vitest'
import type { ApiServerOptions } from '../../../sandbox/api/server.ts'
import { chainById } from '../../../src/chain/chains.ts'
import type { View } from '../../../src/core/view.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { opens, Talk } from './talk.ts'

let harness: CommandHarness
let talk: Talk
afterEach(() => harness.stop())

async function start(apiServer: Partial<ApiServerOptions> = {}): Promise<void> {
  harness = await startCommands({ apiServer })
  talk = new Talk(harness)
}

const lists = () => harness.apiServer.requests.filter(({ path }) => path === '/assets/')

test('shows what raised most this week, with buttons for the other rankings and the day', async () => {
  await start()
  const view = await talk.says('top')
  expect(shown(view)[0]).toBe('Raised most on Base, launched in the last 7 days')
  expect(opens(view)).toHaveLength(10)
  expect(shown(view)[1]).toMatch(/^1\. .+ · Raised \$[\d.]+[KM]?\b/u)
  expect(controls(view)).toEqual([
    [
      '• 💰 Raised top raised period:week chain:8453',
      '💎 Market cap top mcap chain:8453',
      '🔊 Volume top volume chain:8453',
    ],
    ['📈 Moved top moved chain:8453', '🆕 New top new period:week chain:8453'],
    ['24 h top raised period:day chain:8453', '• 7 days top raised period:week chain:8453'],
  ])
  const newest = await talk.presses(view, '🆕 New', '24 h')
  expect(shown(newest)[0]).toBe('New on Base in the last 24 h')
  const moved = await talk.presses(newest, '📈 Moved')
  expect(shown(moved)[0]).toBe('Moved most on Base in 24 h')
  expect(shown(moved)[1]).toMatch(/ · [▲▼] [\d.]+% \(24h\) · \$.+ · Volume \$/u)
})

test('says where pools don’t count what they raise, and offers what they do count', async () => {
  await start({ chains: [4663] })
  harness.services.chains = [chainById(4663)]
  const raised = await talk.says('top raised')
  expect(shown(raised)).toContain(
    'Pools on Robinhood Chain don’t record how much they raise. Try market cap or volume.',
  )
  const labels = (view: View) =>
    controls(view).map((row) => row.map((each) => each.replace(/ top .*/u, '')))
  expect(labels(raised)).toEqual([
    ['💎 Market cap', '🔊 Volume'],
    ['📈 Moved', '🆕 New'],
  ])
  expect(labels(await talk.presses(raised, '💎 Market cap'))).toEqual([
    ['• 💎 Market cap', '🔊 Volume'],
    ['📈 Moved', '🆕 New'],
  ])
  expect(labels(await talk.says('top new')).at(-1)).toEqual(['24 h', '• 7 days'])
})

test('shows the largest market caps and volumes, in dollars, without a choice of period', async () => {
  await start()
  const caps = await talk.says('top mcap')
  expect(shown(caps)[0]).toBe('Largest market caps on Base')
  const amounts = (view: Parameters<typeof shown>[0], figure: RegExp) =>
    shown(view).flatMap((line) => {
      const [, number, letter = ''] = figure.exec(line) ?? []
      return number ? [Number(number) * ({ K: 1e3, M: 1e6, B: 1e9 }[letter] ?? 1)] : []
    })
  const shownCaps = amounts(caps, /MC \$([\d.]+)([KMB]?)/u)
  expect(shownCaps).toHaveLength(10)
  expect(shownCaps).toEqual(shownCaps.toSorted((one, other) => other - one))
  expect(controls(caps)).toHaveLength(2)
  const volumes = await talk.presses(caps, '🔊 Volume')
  expect(shown(volumes)[0]).toBe('Traded most on Base in 24 h')
  const shownVolumes = amounts(volumes, /Volume \$([\d.]+)([KMB]?)/u)
  expect(shownVolumes).toEqual(shownVolumes.toSorted((one, other) => other - one))
  expect(lists().map(({ query }) => query.ordering)).toContain('market_cap_desc')
})

test('takes the words in any order, and says which there are', async () => {
  await start()
  expect(shown(await talk.says('top day new'))[0]).toBe('New on Base in the last 24 h')
  expect(shown(await talk.says('top raised period:day'))[0]).toMatch(/last 24 h$/u)
  expect(await talk.isRefused('top richest')).toContain(
    '“richest” is unknown. Use raised, mcap, volume, moved, new, day or week.',
  )
})

test('says that nobody knows the moves of a week, and shows no others instead', async () => {
  await start()
  const week = await talk.says('top moved week')
  expect(shown(week)).toEqual([
    'Moved most on Base in 7 days',
    'There are no figures for this: the data provider only has price changes and volumes for 24 h.',
  ])
  expect(lists()).toEqual([])
  const day = await talk.presses(week, '24 h')
  expect(shown(day)[0]).toBe('Moved most on Base in 24 h')
})

test('a testnet shows only if it is asked for', async () => {
  await start()
  const chains = async (line: string) =>
    new Set(opens(await talk.says(line)).map(({ line }) => line.replace(/.* /u, '')))
  expect(await chains('top new')).toEqual(new Set(['chain:8453']))
  const [base, sepolia = base] = harness.services.chains
  harness.services.chains = [sepolia, base]
  expect(await chains('top new')).toEqual(new Set(['chain:8453']))
  expect(await chains('top new chain:base-sepolia')).toEqual(new Set(['chain:84532']))
  for (const what of ['raised', 'moved', 'new']) {
    const view = await talk.says(`top ${what} chain:base-sepolia`)
    expect(shown(view)[0]).toContain('Base Sepolia (TESTNET)')
    expect(shown(view)[1]).toContain('TESTNET')
  }
})

test('many who ask at once cost one reading, of four pages at most', async () => {
  await start({ population: 900 })
  await Promise.all(Array.from({ length: 20 }, () => talk.says('top moved')))
  expect(lists().map(({ query }) => query.offset)).toEqual(['0', '50', '100', '150'])
  expect(lists().every(({ query }) => query.ordering === 'volume_usd_desc')).toBe(true)
  const view = await talk.says('top moved')
  expect(shown(view)).toContain('Among the 200 tokens with the highest volume (24h).')
  expect(lists()).toHaveLength(4)
})

test.each(['mcap', 'volume'])(
  '%s costs one page, as the API has them in order',
  async (ranking) => {
    await start({ population: 900 })
    const view = await talk.says(`top ${ranking}`)
    expect(opens(view)).toHaveLength(10)
    expect(lists()).toHaveLength(1)
  },
)

test('without a choice, where nothing counts what it raised, one page follows those of the newest', async () => {
  await start({ population: 900, chains: [4663] })
  harness.services.chains = [chainById(4663)]
  const view = await talk.says('top')
  expect(shown(view)[0]).toBe('Largest market caps on Robinhood Chain')
  // Beside these the client looks at its default chain, to see whether the API tells chains apart.
  expect(lists().filter(({ query }) => query.chainId === '4663')).toHaveLength(5)
})

test('an order that the API does not keep is made of four pages', async () => {
  await start({ population: 900, queryNames: { ordering: 'by' } })
  expect(shown(await talk.says('top mcap')).join('\n')).toContain('Not sorted by market cap')
  expect(lists()).toHaveLength(4)
})

test('does not claim an order that the API does not keep', async () => {
  await start({ population: 900, queryNames: { ordering: 'by' } })
  const text = shown(await talk.says('top moved')).join('\n')
  expect(text).toContain('Not sorted by volume')
  expect(text).not.toContain('highest volume')
})

test('reads newest tokens back to the day, and not further', async () => {
  await start({ population: 900 })
  const { tokens } = harness.apiServer.world
  const isOfDay = ({ chain, createdAt }: (typeof tokens)[number]) =>
    chain === 8453 && createdAt >= Date.now() / 1000 - 86_400
  const pages = Math.floor(tokens.filter(isOfDay).length / 50) + 1
  await talk.says('top new day')
  expect(lists()).toHaveLength(pages)
})

test('an API that sends the first page again is read once more, not for ever', async () => {
  await start({ queryNames: { offset: 'skip' } })
  expect(opens(await talk.says('top raised'))).toHaveLength(10)
  expect(lists().length).toBeLessThanOrEqual(2)
})

test('says so if nothing was launched', async () => {
  await start()
  const { api } = harness.services
  const read = await api.assets({ offset: 100_000 })
  expect(read.value.items).toEqual([])
  vi.spyOn(api, 'assets').mockResolvedValue(read)
  expect(shown(await talk.says('top new day'))).toContain(
    'Nothing was launched on Base in the last 24 h.',
  )
  expect(shown(await talk.says('top raised'))).toContain(
    'Nothing launched on Base in the last 7 days has raised anything yet.',
  )
  expect(shown(await talk.says('top moved'))).toContain('No price on Base moved in the last 24 h.')
})
