import Big from 'big.js'
import { expect, test } from 'vitest'
import { toAsset } from '../../../sandbox/api/asset.ts'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { truthOf } from '../../../sandbox/api/token.ts'
import { World } from '../../../sandbox/api/world.ts'

const now = Date.UTC(2026, 0, 15, 12)
const newWorld = () => new World({ chains: [8453, 4663], seed: 3, now, population: 80 })

test('Moon Otter, worth $0.00113 or 0.000000353125 WETH, is written to the letter, and what is true of it', () => {
  const world = newWorld()
  const { auction_pool: pool } = world.asset(8453, showcaseAddresses.moonOtter) ?? {}
  expect({ ...pool, ...pool?.pool_market_data }).toMatchObject({
    pool_price: '0.00113',
    pool_market_cap: '1130000',
    pool_price_change_24h: '0.154',
    pool_current_price: '353125000000',
    pool_current_market_cap: '353125000000000000000',
    pool_current_total_tokens_sold: '252000000000000000000000000',
    pool_current_total_proceeds: '64181250000000000000',
    pool_current_sale_progress_percentage: 42,
  })
  const otter = world.tokens.find(({ address }) => address === showcaseAddresses.moonOtter)
  expect(otter && truthOf(otter)).toMatchObject({
    phase: 'live',
    quoteDecimals: 18,
    supply: '1000000000',
    priceUsd: '0.00113',
    priceInQuote: '0.000000353125',
    marketCapUsd: '1130000',
    liquidityUsd: '124300',
    volumeUsd: '27120',
    change: '0.154',
    progress: '0.42',
    sold: '252000000',
    toSell: '600000000',
    raised: '64.18125',
    minRaised: '58.59375',
    maxRaised: '234.375',
    startsAt: now / 1000 - 1.5 * 86_400 + 3600,
    endsAt: now / 1000 + 2 * 86_400,
    graduatedAt: undefined,
  })
})

test('amounts in USDC have six decimals, amounts in WETH eighteen', () => {
  const world = newWorld()
  for (const [symbol, decimals] of [
    ['USDC', 6],
    ['WETH', 18],
  ] as const) {
    const token = world.tokens.find(
      ({ chain, numeraire, sold }) => chain === 8453 && numeraire.symbol === symbol && sold > 0,
    )
    if (!token) throw new Error(`nothing is sold for ${symbol}`)
    const { raised } = truthOf(token)
    expect(toAsset(token).auction_pool?.pool_current_total_proceeds).toBe(
      Big(raised).times(Big(10).pow(decimals)).toFixed(0),
    )
  }
})

test('the true figures stay consistent, even after weeks', () => {
  const world = newWorld()
  for (let step = 0; step < 30; step += 1) {
    for (const token of world.tokens) {
      const truth = truthOf(token)
      expect(Number(truth.liquidityUsd)).toBeLessThanOrEqual(Number(truth.marketCapUsd) * 1.000001)
      expect(Number(truth.raised)).toBeLessThanOrEqual(Number(truth.maxRaised))
      expect(Number(truth.sold)).toBeLessThanOrEqual(Number(truth.toSell))
      expect(Number(truth.change)).toBeGreaterThan(-1)
    }
    world.tick(86_400)
  }
})
