import Big from 'big.js'
import { expect, test } from 'vitest'
import { toAsset } from '../../../sandbox/api/asset.ts'
import {
  type Dialect,
  defaultDialect,
  dialects,
  isScaled,
  type WireUnits,
} from '../../../sandbox/api/dialect.ts'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { type Token, type TokenTruth, truthOf } from '../../../sandbox/api/token.ts'
import { World } from '../../../sandbox/api/world.ts'

const now = Date.UTC(2026, 0, 15, 12)

function worldOf(dialect: Dialect): World {
  return new World({ chains: [8453, 4663], seed: 3, now, population: 80, dialect })
}

// What each field is about, by the truth that it tells: in dollars, in quote tokens, in tokens, or a share.
const about: Partial<Record<keyof WireUnits, (truth: TokenTruth, usd: number) => string>> = {
  pool_price: ({ priceUsd }) => priceUsd,
  pool_market_cap: ({ marketCapUsd }) => marketCapUsd,
  pool_liquidity: ({ liquidityUsd }) => liquidityUsd,
  pool_volume_usd_24h: ({ volumeUsd }) => volumeUsd,
  pool_price_change_24h: ({ change }) => change,
  pool_current_price: ({ priceUsd }) => priceUsd,
  pool_current_market_cap: ({ marketCapUsd }) => marketCapUsd,
  pool_current_fdv: ({ marketCapUsd }) => marketCapUsd,
  pool_current_fees_accrued: ({ feesUsd }) => feesUsd,
  pool_current_total_proceeds: ({ raised }, usd) => Big(raised).times(usd).toFixed(),
  pool_config_min_proceeds: ({ minRaised }, usd) => Big(minRaised).times(usd).toFixed(),
  pool_config_max_proceeds: ({ maxRaised }, usd) => Big(maxRaised).times(usd).toFixed(),
  pool_current_total_tokens_sold: ({ sold }) => sold,
  pool_last_epoch_total_tokens_sold: ({ soldBefore }) => soldBefore,
  pool_config_num_tokens_to_sell: ({ toSell }) => toSell,
  pool_current_sale_progress_percentage: ({ progress }) => progress,
}

/** What one of a unit is worth in dollars, tokens or as a ratio, and how much of it rounding may take. */
function unitOf(unit: string, { numeraire }: Token) {
  const places = unit.endsWith('-base') ? numeraire.decimals : Number(/\d+$/u.exec(unit)?.[0] ?? 0)
  const worth = unit.startsWith('numeraire') ? numeraire.usd : unit === 'percent' ? 0.01 : 1
  const one = Big(worth).times(Big(10).pow(-places))
  return { worth: one, slack: isScaled(unit) ? one.times('0.5') : 0 }
}

/** Every figure of an asset that is told as it is, by its field. */
function figuresOf(token: Token, dialect: Dialect): [field: string, text: string][] {
  const { auction_pool: auction, graduation_pool: graduation } = toAsset(token, dialect)
  const isUntrue = (field: string) =>
    (token.sale === 'curve' && field.endsWith('_proceeds')) ||
    (token.statedPercent !== undefined && field.endsWith('_percentage'))
  return [auction, graduation, auction?.pool_market_data, graduation?.pool_market_data].flatMap(
    (place) =>
      Object.entries(place ?? {}).flatMap(([field, value]): [string, string][] =>
        field in about && value !== null && !isUntrue(field) ? [[field, String(value)]] : [],
      ),
  )
}

function misfit(token: Token, [field, text]: [string, string], dialect: Dialect) {
  const unit = Object.entries(dialect.units).find(([name]) => name === field)?.[1] ?? ''
  const tell = Object.entries(about).find(([name]) => name === field)?.[1]
  const form = isScaled(unit) ? /^-?\d+$/u : /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/u
  const truth = Big(tell?.(truthOf(token), token.numeraire.usd) ?? Number.NaN)
  const { worth, slack } = unitOf(unit, token)
  const bound = truth.abs().times('1e-11').plus(slack)
  const fits = form.test(text) && Big(text).times(worth).minus(truth).abs().lte(bound)
  return fits ? [] : [`${token.symbol}: ${field} in ${unit} is ${text}, in truth ${truth}`]
}

test.each(['usual', 'units'] as const)(
  '%s writes every figure in its unit: integers where it is scaled, decimals else',
  (name) => {
    const dialect = dialects[name]
    const tokens = worldOf(dialect).tokens.filter(({ misreadCap }) => misreadCap === undefined)
    const all = tokens.map((token) => ({ token, figures: figuresOf(token, dialect) }))
    const misfits = all.flatMap(({ token, figures }) =>
      figures.flatMap((figure) => misfit(token, figure, dialect)),
    )
    expect(misfits).toEqual([])
    const seen = new Set(all.flatMap(({ figures }) => figures.map(([field]) => field)))
    expect(seen).toEqual(new Set(Object.keys(about)))
  },
)

function otterIn(dialect: Dialect) {
  const world = worldOf(dialect)
  const { auction_pool: pool } = world.asset(8453, showcaseAddresses.moonOtter) ?? {}
  return { ...pool, ...pool?.pool_market_data }
}

test('every field that a dialect leaves out is one that assets have', () => {
  const fields = JSON.stringify(worldOf(defaultDialect).tokens.map((token) => toAsset(token)))
  for (const { absent } of Object.values(dialects)) {
    for (const field of absent) expect(fields).toContain(`"${field}"`)
  }
})

test('Moon Otter, worth $0.00113 or 0.000000353125 WETH, is written to the letter in each unit', () => {
  expect(otterIn(dialects.usual)).toMatchObject({
    pool_price: '0.00113',
    pool_market_cap: '1130000',
    pool_price_change_24h: '0.154',
    pool_current_price: '353125000000',
    pool_current_market_cap: '353125000000000000000',
    pool_current_total_tokens_sold: '252000000000000000000000000',
    pool_current_total_proceeds: '64181250000000000000',
    pool_current_sale_progress_percentage: 42,
  })
  expect(otterIn(dialects.units)).toMatchObject({
    pool_price: '1130000000000000',
    pool_market_cap: '1130000000000000000000000',
    pool_volume_usd_24h: '27120000000',
    pool_price_change_24h: '15.4',
    pool_current_price: '1130000000000000',
    pool_current_liquidity: '124300000000000000000000',
    pool_current_total_tokens_sold: '252000000',
    pool_current_total_proceeds: '64.18125',
    pool_current_sale_progress_percentage: 0.42,
  })
})

test('amounts in USDC have six decimals, amounts in WETH eighteen', () => {
  const world = worldOf(defaultDialect)
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

test('the true figures are the same in every dialect', () => {
  const truths = [dialects.usual, dialects.units].map((dialect) =>
    worldOf(dialect).tokens.map((token) => truthOf(token)),
  )
  expect(truths[1]).toEqual(truths[0])
  const otter = worldOf(defaultDialect).tokens.find(
    ({ address }) => address === showcaseAddresses.moonOtter,
  )
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

test('the true figures stay consistent, even after weeks', () => {
  const world = worldOf(defaultDialect)
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
