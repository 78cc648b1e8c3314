import { expect, test } from 'vitest'
import { assetSchema } from '../../../src/api/schema.ts'
import { unitsSchema } from '../../../src/api/units.ts'
import { cardSample } from '../../../src/doctor/card-rows.ts'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bDA02913'
const token = `0x${'a'.repeat(40)}`

const market = { pool_price: '0.5', pool_market_cap: '1000000', pool_liquidity: '2000' }
const pool = {
  pool_current_price: '500000000000000000',
  pool_current_market_cap: '1000000000000000000000000',
  pool_current_liquidity: '28347561209348712093847120',
  pool_config_num_tokens_to_sell: '1500000000000000000000000',
  pool_current_total_tokens_sold: '750000000000000000000000',
  pool_current_sale_progress_percentage: '50',
  pool_current_total_proceeds: '1500000000',
  pool_config_starting_time: '1700000000',
  pool_config_ending_time: '1699999000',
}

interface Given {
  pool?: object
  market?: object | null
  asset?: object
  units?: Record<string, string>
}

/** What a card shows of each field of an asset on Base. */
function shownOf({ units = {}, ...given }: Given = {}): Record<string, string> {
  const own = given.market === null ? null : { ...market, ...given.market }
  const asset = assetSchema.parse({
    asset_address: token,
    asset_numeraire_address: usdc,
    asset_creation_timestamp: '2023-11-14T21:56:40Z',
    asset_status: 'live',
    auction_pool: { ...pool, ...given.pool, pool_market_data: own },
    decimals: { quote: 6, token: 18 },
    ...given.asset,
  })
  const { rows, absent } = cardSample(asset, 8453, unitsSchema.parse(units))
  return {
    ...Object.fromEntries(rows.map(({ field, shown }) => [field, shown])),
    absent: absent.join(' '),
  }
}

test('each field is shown as on a card, and one that is not says which other is', () => {
  expect(shownOf()).toMatchObject({
    asset_status: '🟢 Live',
    pool_price: '$0.5',
    pool_current_price: 'not used: pool_price is',
    pool_market_cap: '$1M',
    pool_current_market_cap: 'not used: pool_market_cap is',
    pool_liquidity: '$2K',
    pool_current_liquidity: 'not shown: raw liquidity isn’t money',
    pool_config_num_tokens_to_sell: '1.5M',
    pool_current_total_tokens_sold: '750K',
    pool_current_sale_progress_percentage: 'not used: sold ÷ to sell is',
    pool_current_total_proceeds: '1.5K USDC',
    pool_config_starting_time: '2023-11-14 22:13 UTC',
    asset_creation_timestamp: '2023-11-14 21:56 UTC',
  })
})

test('without market data the pool’s own fields are used, and what is absent is listed', () => {
  expect(shownOf({ market: null })).toMatchObject({
    pool_current_price: '0.5 USDC',
    pool_current_market_cap: '1M USDC',
    absent: expect.stringContaining('pool_price pool_current_sqrt_price pool_price_change_24h'),
  })
})

test('the sqrt price is what the price is read from where there is one', () => {
  // USDC is token 0: 2 × 10^12 base units of the token for one of its own.
  const sqrt = { pool_current_sqrt_price: String(1_414_213n * 2n ** 96n), pool_current_price: '1' }
  expect(shownOf({ market: null, pool: sqrt })).toMatchObject({
    pool_current_sqrt_price: expect.stringMatching(/^[\d.,]+ USDC$/u),
    pool_current_price: expect.stringMatching(/^not (?:used: pool_current_sqrt_price is|shown)/u),
  })
})

test('a field that is not shown says why', () => {
  expect(shownOf({ units: { pool_current_liquidity: 'usd' } }).pool_current_liquidity).toMatch(
    /^not /u,
  )
  expect(shownOf({ pool: { pool_config_ending_time: '1699000000' } }).pool_config_ending_time).toBe(
    'not shown: not after the creation',
  )
  expect(shownOf({ market: { pool_price_change_24h: '-20' } }).pool_price_change_24h).toBe(
    'not shown: contradicts the others',
  )
  expect(
    shownOf({ pool: { pool_current_total_proceeds: 'NaN' } }).pool_current_total_proceeds,
  ).toBe('not shown: not a number')
  expect(shownOf({ units: { pool_liquidity: 'unknown' } }).pool_liquidity).toBe(
    'not shown: its unit is unknown',
  )
  const decimals = { asset: { decimals: {}, asset_numeraire_address: `0x${'b'.repeat(40)}` } }
  expect(shownOf(decimals).pool_current_total_proceeds).toBe(
    'not shown: decimals unknown (RPC_URLS)',
  )
  const migrated = { asset: { asset_migration_timestamp: '2023-11-15T00:00:00Z' } }
  expect(shownOf(migrated).asset_migration_timestamp).toBe('not shown: no graduation pool')
})
