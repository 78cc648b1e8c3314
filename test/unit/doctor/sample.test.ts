import { expect, test } from 'vitest'
import { readAssets } from '../../../src/api/asset.ts'
import { unitsSchema } from '../../../src/api/units.ts'
import { sampleOf } from '../../../src/doctor/doctor.ts'
import { printReport, type Report } from '../../../src/doctor/report.ts'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const weth = '0x4200000000000000000000000000000000000006'
const token = `0x${'a'.repeat(40)}`

const market = { pool_price: '0.5', pool_market_cap: '1000000', pool_liquidity: '2000' }
const pool = {
  pool_current_price: '500000000000000000',
  pool_current_market_cap: '1000000000000000000000000',
  pool_current_liquidity: '2000000000000000000000',
  pool_config_num_tokens_to_sell: '1500000000000000000000000',
  pool_current_total_proceeds: '1500000',
  pool_config_starting_time: '1700000000',
}

interface Given {
  pool?: object
  market?: object
  quote?: string
  units?: Record<string, string>
}

function sample({ quote = usdc, units = {}, ...given }: Given = {}) {
  const auction_pool = { ...pool, ...given.pool, pool_market_data: { ...market, ...given.market } }
  const wire = { asset_address: token, asset_numeraire_address: quote, auction_pool }
  const { assets } = readAssets({ result: [wire] }, 1)
  const [read] = assets.map((asset) => ({
    asset: { ...asset, decimals: { quote: quote === usdc ? 6 : 18, token: 18 } },
    chain: 8453,
  }))
  return sampleOf(read ? [read] : [], unitsSchema.parse(units))
}

function shownOf(given: Given = {}): Record<string, string> {
  return Object.fromEntries(sample(given)?.rows.map(({ field, shown }) => [field, shown]) ?? [])
}

test('says which of two fields of a figure is used', () => {
  expect(shownOf()).toMatchObject({
    pool_price: '0.5 USD',
    pool_current_price: '(not used: pool_price is)',
    pool_market_cap: '1000000 USD',
    pool_current_market_cap: '(not used: pool_market_cap is)',
    pool_liquidity: '2000 USD',
    pool_current_liquidity: '(not used: pool_liquidity is)',
  })
  const units = { pool_price: 'unknown', pool_market_cap: 'unknown', pool_liquidity: 'unknown' }
  expect(shownOf({ units })).toMatchObject({
    pool_price: '(not used: pool_current_price is)',
    pool_current_price: '0.5 USD',
    pool_market_cap: '(not used: pool_current_market_cap is)',
    pool_current_market_cap: '1000000 USD',
    pool_current_liquidity: '2000 USD',
  })
  const alone = shownOf({ market: { pool_price: undefined, pool_market_cap: undefined } })
  expect(alone).toMatchObject({ pool_current_price: '0.5 USD' })
  expect(alone).not.toHaveProperty('pool_price')
})

test('names the quote token, and the zone of times', () => {
  expect(shownOf()).toMatchObject({
    pool_current_total_proceeds: '1.5 USDC',
    pool_config_starting_time: '2023-11-14 22:13:20 UTC',
  })
  const proceeds = { pool_current_total_proceeds: '1500000000000000000' }
  expect(shownOf({ quote: weth, pool: proceeds })).toMatchObject({
    pool_current_total_proceeds: '1.5 WETH',
  })
  expect(shownOf({ quote: `0x${'0'.repeat(40)}`, pool: proceeds })).toMatchObject({
    pool_current_total_proceeds: '1.5 ETH',
  })
  expect(shownOf({ quote: token, pool: proceeds })).toMatchObject({
    pool_current_total_proceeds: '1.5 0xaaaa…aaaa',
  })
})

test('is printed with every digit received', () => {
  const long = `0.${'0'.repeat(12)}${'123456789'.repeat(4)}`
  const found = sample({ pool: { pool_current_price: long } })
  expect(found).toBeDefined()
  const lines = printReport({ ...report, ...(found && { sample: found }) }).split('\n')
  expect(lines).toContain(
    '  pool_config_num_tokens_to_sell        1500000000000000000000000 → 1500000',
  )
  expect(lines).toContain(`       ${long}`)
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80)
})

const report: Report = {
  baseUrl: 'https://interface.example/v1',
  calls: [],
  names: [],
  statuses: [],
  units: [],
  settings: [],
  hiding: [],
  advice: [],
  odd: 0,
  requests: 1,
  isSettled: true,
  needsOperator: false,
}
