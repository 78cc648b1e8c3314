import { describe, expect, onTestFinished, test } from 'vitest'
import type { Asset } from '../../sandbox/api/asset.ts'
import type { ApiServerOptions } from '../../sandbox/api/server.ts'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { Exact, type Token, truthOf } from '../../sandbox/api/token.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { type ChatUser, DiscordUser, TelegramUser } from '../e2e/users.ts'
import { falsehood, figureNames, figuresIn } from './shown-figures.ts'

async function start(
  chain: number,
  api: Partial<ApiServerOptions> = {},
  env: Record<string, string> = {},
): Promise<Harness> {
  const apiServer = { chains: [chain], now: () => Date.now(), ...api }
  const limits = { COMMANDS_PER_PERSON: '9999', COMMANDS_PER_CHAT: '9999' }
  const harness = await startHarness({
    apiServer,
    env: { CHAINS: String(chain), ...limits, ...env },
  })
  onTestFinished(() => harness.stop())
  return harness
}

/** The asset with other values in some fields, wherever they stand; undefined leaves a field out. */
function withFields(asset: Asset, change: (field: string, value: unknown) => unknown): object {
  return JSON.parse(JSON.stringify(asset, change))
}

const times = (amount: unknown, power: number) => {
  const value = new Exact(String(amount)).times(new Exact(10).pow(power))
  return power > 2 ? value.toFixed(0) : value.toFixed()
}

/** Units that no field has by default, and how the figure is written in it. */
const otherUnits: Record<string, [unit: string, write: (value: unknown, token: Token) => string]> =
  {
    pool_price: ['usd18', (value) => times(value, 18)],
    pool_market_cap: ['usd18', (value) => times(value, 18)],
    pool_liquidity: ['usd18', (value) => times(value, 18)],
    pool_volume_usd_24h: ['usd6', (value) => times(value, 6)],
    pool_price_change_24h: ['percent', (value) => times(value, 2)],
    pool_current_price: ['usd18', (_, token) => times(truthOf(token).priceUsd, 18)],
    pool_current_market_cap: ['usd18', (_, token) => times(truthOf(token).marketCapUsd, 18)],
    pool_current_liquidity: ['usd18', (_, token) => times(truthOf(token).liquidityUsd, 18)],
    pool_current_total_proceeds: ['numeraire', inWholeQuote],
    pool_config_min_proceeds: ['numeraire', inWholeQuote],
    pool_config_max_proceeds: ['numeraire', inWholeQuote],
    pool_current_total_tokens_sold: ['tokens', (value) => times(value, -18)],
    pool_config_num_tokens_to_sell: ['tokens', (value) => times(value, -18)],
    pool_current_sale_progress_percentage: ['ratio', (value) => times(value, -2)],
  }

function inWholeQuote(value: unknown, { numeraire }: Token): string {
  return times(value, -numeraire.decimals)
}

const inOtherUnits: ApiServerOptions['rewrite'] = (asset, token) =>
  withFields(asset, (field, value) =>
    value === null ? null : (otherUnits[field]?.[1](value, token) ?? value),
  )
const unitsSetting = Object.fromEntries(
  Object.entries(otherUnits).map(([field, [unit]]) => [field, unit]),
)

const otherNames = {
  chain: 'chain_id',
  status: 'assetStatus',
  limit: 'per_page',
  offset: 'skip',
  ordering: 'order_by',
  numeraire: 'quote_token',
  category: 'categories',
  creator: 'user_address',
  term: 'search_term',
}

const otherWords: Record<string, string> = {
  incoming: 'UPCOMING',
  live: 'ACTIVE',
  graduated: 'TRADING',
  stall: 'STALLED',
}
const inOtherWords: ApiServerOptions['rewrite'] = (asset) => ({
  ...asset,
  asset_status: otherWords[asset.asset_status ?? ''],
})

const absent = [
  'asset_status',
  'asset_current_pool',
  'asset_migration_timestamp',
  'pool_market_data',
  'pool_current_price',
  'pool_current_fdv',
  'pool_current_sale_progress_percentage',
  'pool_config_min_proceeds',
  'token_decimals',
  'token_description',
  'token_uri_data',
  'token_image_public_url',
]
const sparse: ApiServerOptions['rewrite'] = (asset) =>
  withFields(asset, (field, value) => (absent.includes(field) ? undefined : value))

/** What may stand in place of a figure: no number, or one that can't be true. */
const hostileFigures: readonly unknown[] = [
  '1e400',
  'NaN',
  '-5',
  '',
  [],
  {},
  'Infinity',
  '1e70',
  ' ',
  '0x10',
  '1,234.5',
  '٣',
  true,
  null,
  ['1', '2'],
  { value: '5' },
  '9'.repeat(200),
  '-1e-400',
]
const showcase: readonly string[] = Object.values(showcaseAddresses).map((address) =>
  address.toLowerCase(),
)
const isHostile = (address: string) =>
  !showcase.includes(address.toLowerCase()) && BigInt(address) % 3n === 0n
const hostile: ApiServerOptions['rewrite'] = (asset, { address }) => {
  if (!isHostile(address)) return asset
  let next = Number(BigInt(address) % 1009n)
  return withFields(asset, (field, value) =>
    field in otherUnits ? hostileFigures[next++ % hostileFigures.length] : value,
  )
}

/** The figures of a token's card that are not true, and how many it has. */
async function untrue(user: ChatUser, token: Token): Promise<{ wrong: string[]; count: number }> {
  await user.says(`/asset ${token.address}`)
  await user.sees(token.symbol)
  // Discord folds no lines: the rest of the figures is behind a button.
  if (user.platform === 'discord') await user.presses('Details')
  const text = (await user.sees(token.symbol, 'Fees go to')).replaceAll(/\*\*/gu, '')
  const told = figuresIn(text)
  const wrong = figureNames.flatMap((figure) => {
    const said = told[figure]
    const why = said === undefined ? undefined : falsehood(figure, said, truthOf(token))
    return why === undefined ? [] : [`${token.symbol}: ${why}`]
  })
  return { wrong, count: Object.keys(told).length }
}

describe('with the settings that fit its API, the bot shows every figure correctly', () => {
  test.each<[string, Partial<ApiServerOptions>, Record<string, string>]>([
    ['units', { rewrite: inOtherUnits }, { API_UNITS: JSON.stringify(unitsSetting) }],
    ['names', { queryNames: otherNames }, { API_QUERY_NAMES: JSON.stringify(otherNames) }],
    [
      'statuses',
      { rewrite: inOtherWords },
      { API_STATUS: 'live=active,graduated=trading,stall=stalled' },
    ],
  ])(
    'of an API with other %s',
    async (_, api, env) => {
      const harness = await start(8453, api, env)
      const asked = harness.apiServer.world.tokens
        .filter(({ status, quirks }) => status === 'live' && quirks.size === 0)
        .slice(0, 3)
      expect(asked.length).toBe(3)
      for (const user of [new TelegramUser(harness), new DiscordUser(harness)]) {
        for (const token of asked) {
          const { wrong, count } = await untrue(user, token)
          expect(wrong).toEqual([])
          expect(count).toBeGreaterThan(7)
        }
        await user.says('/assets status:live')
        await user.sees('Live auctions', '1.', '🟢')
      }
    },
    90_000,
  )
})

describe('without any setting but key and chain', () => {
  test('an API that sends little, or nonsense, is shown with the true figures that are left', async () => {
    for (const rewrite of [sparse, hostile]) {
      const harness = await start(8453, { rewrite })
      const user = new TelegramUser(harness)
      const asked = harness.apiServer.world.tokens
        .filter(({ status, quirks }) => status === 'live' && quirks.size === 0)
        .filter(({ address }) => rewrite === sparse || isHostile(address))
        .slice(0, 5)
      expect(asked.length).toBeGreaterThan(2)
      for (const token of asked) expect((await untrue(user, token)).wrong).toEqual([])
    }
  }, 90_000)

  test.each([8453, 4663])(
    'the figures of chain %i are right, or left out, also of assets without market data',
    async (chain) => {
      const harness = await start(chain)
      const { tokens } = harness.apiServer.world
      const asked = tokens
        .filter(({ status, symbol, quirks }) => {
          const isPlain = /^[A-Z]{2,12}$/u.test(symbol) && !quirks.has('no-auction-pool')
          return (
            status === 'live' &&
            isPlain &&
            tokens.filter((each) => each.symbol === symbol).length === 1
          )
        })
        .slice(0, 24)
      expect(asked.some(({ quirks }) => quirks.has('null-market-data'))).toBe(true)
      expect(asked.some(({ quirks }) => quirks.has('short-alone'))).toBe(true)
      const misread = tokens.filter(({ misreadCap }) => misreadCap !== undefined)
      for (const user of [new TelegramUser(harness), new DiscordUser(harness)]) {
        const seen = new Map<Token, number>()
        for (const token of [...asked, ...misread]) {
          const { wrong, count } = await untrue(user, token)
          expect(wrong).toEqual([])
          seen.set(token, count)
        }
        for (const token of asked) expect([token.symbol, seen.get(token) ?? 0]).not.toContain(0)
      }
    },
    180_000,
  )
})
