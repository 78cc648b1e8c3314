import { describe, expect, test } from 'vitest'
import { dialects } from '../../../sandbox/interface/dialects.ts'
import { FigureWatch } from '../../../src/api/figure-watch.ts'
import { dollarsPerQuote, readFigures } from '../../../src/api/figures.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import {
  defaultUnits,
  type Money,
  type UnitField,
  type Units,
  unitFields,
} from '../../../src/api/units.ts'
import { listed, readAlike, unitsFor, unitsIn } from '../doctor/dialects.ts'

/** A billion tokens at $0.0005, 600 million of them for sale, 42% of which are sold. */
function asset(
  auction: Record<string, unknown> = {},
  market: Record<string, unknown> = {},
  of: Record<string, unknown> = {},
): Asset {
  return assetSchema.parse({
    asset_address: `0x${'a'.repeat(40)}`,
    decimals: { quote: 18 },
    auction_pool: {
      pool_current_total_proceeds: '40000000000000000000',
      pool_config_min_proceeds: '10000000000000000000',
      pool_config_max_proceeds: '100000000000000000000',
      pool_current_total_tokens_sold: `252${'0'.repeat(24)}`,
      pool_config_num_tokens_to_sell: `600${'0'.repeat(24)}`,
      pool_current_sale_progress_percentage: 42,
      pool_market_data: {
        pool_price: '0.0005',
        pool_market_cap: '500000',
        pool_liquidity: '60000',
        pool_volume_usd_24h: '12000',
        pool_price_change_24h: '-0.2',
        ...market,
      },
      ...auction,
    },
    ...of,
  })
}

function shown(of: Asset, units: Partial<Units> = {}) {
  return readFigures(of, { ...defaultUnits, ...units })
}

test('figures that hold together are all shown', () => {
  const { figures, broken } = shown(asset())
  expect(broken).toEqual([])
  expect(figures).toMatchObject({
    price: { amount: '0.0005', currency: 'usd' },
    marketCap: { amount: '500000' },
    liquidity: { amount: '60000' },
    volume24h: { amount: '12000' },
    change24h: '-0.2',
    progress: '0.42',
    sold: '252000000',
    toSell: '600000000',
    proceeds: { amount: '40', currency: 'numeraire' },
    minProceeds: { amount: '10' },
    maxProceeds: { amount: '100' },
  })
})

describe('what contradicts the rest by the scale of a unit is not shown', () => {
  test('trillions for a token of fractions of a cent', () => {
    const { figures, broken } = shown(
      asset({}, { pool_price: '500000000000000', pool_market_cap: `5${'0'.repeat(23)}` }),
    )
    expect(figures).toMatchObject({ price: undefined, marketCap: undefined })
    expect(broken).toContain('pool_market_cap')
  })

  test('a price that would make what is for sale more than there is', () => {
    const { figures, broken } = shown(asset({}, { pool_price: '500' }))
    expect(figures).toMatchObject({ price: undefined, marketCap: undefined, toSell: undefined })
    expect(broken).toEqual(expect.arrayContaining(['pool_price', 'pool_market_cap']))
    expect(figures.progress).toBe('0.42')
  })

  test('in place of the market’s price that of the pool, where that one fits', () => {
    const pool = {
      pool_current_price: '500000000000000',
      pool_current_market_cap: `5${'0'.repeat(23)}`,
    }
    const { figures } = shown(asset(pool, { pool_price: '500' }))
    expect(figures).toMatchObject({ price: { amount: '0.0005' }, marketCap: { amount: '500000' } })
  })

  test.each<[string, UnitField, Parameters<typeof asset>]>([
    [
      'a liquidity of a thousand market caps',
      'pool_liquidity',
      [{}, { pool_liquidity: '500000000' }],
    ],
    [
      'a day’s volume of a billion market caps',
      'pool_volume_usd_24h',
      [{}, { pool_volume_usd_24h: `5${'0'.repeat(14)}` }],
    ],
    [
      'a fall by more than everything',
      'pool_price_change_24h',
      [{}, { pool_price_change_24h: '-20' }],
    ],
    [
      'a progress past the whole',
      'pool_current_sale_progress_percentage',
      [{ pool_current_sale_progress_percentage: 4200 }],
    ],
    [
      'a minimum of a thousand maximums',
      'pool_config_min_proceeds',
      [{ pool_config_min_proceeds: `1${'0'.repeat(23)}` }],
    ],
    [
      'a millionth of a token for sale',
      'pool_config_num_tokens_to_sell',
      [{ pool_config_num_tokens_to_sell: '600000000' }],
    ],
    [
      'more sold than is for sale',
      'pool_current_total_tokens_sold',
      [{ pool_current_total_tokens_sold: `7${'0'.repeat(26)}` }],
    ],
    [
      'raised in base units of another token',
      'pool_current_total_proceeds',
      [{ pool_current_total_proceeds: `4${'0'.repeat(37)}` }],
    ],
  ])('%s', (_, field, parts) => {
    expect(shown(asset(...parts)).broken).toContain(field)
  })

  test('a progress that sold ÷ to sell says otherwise is taken from there', () => {
    const { figures, broken } = shown(asset({ pool_current_sale_progress_percentage: 0.42 }))
    expect(figures.progress).toBe('0.42')
    expect(broken).toEqual(['pool_current_sale_progress_percentage'])
  })

  test('what was raised in a token whose decimals nobody knows', () => {
    const { figures, broken } = shown(asset({}, {}, { decimals: {} }))
    expect(figures).toMatchObject({ proceeds: undefined, maxProceeds: undefined })
    expect(broken).toEqual([])
    expect(figures.sold).toBe('252000000')
  })

  test('digits behind the point of what is said to be in base units', () => {
    const { figures, broken } = shown(asset({ pool_current_total_proceeds: '40.5' }))
    expect(figures.proceeds).toBeUndefined()
    expect(broken).toEqual(['pool_current_total_proceeds'])
  })
})

describe('amounts are read by the decimals of their token', () => {
  test('of the quote token', () => {
    const usdc = asset(
      { pool_current_total_proceeds: '126000000000' },
      {},
      { decimals: { quote: 6 } },
    )
    expect(shown(usdc).figures.proceeds?.amount).toBe('126000')
  })

  test('of the token, as it says itself', () => {
    const token = { token_decimals: 9 }
    const auction = {
      pool_current_total_tokens_sold: `252${'0'.repeat(15)}`,
      pool_config_num_tokens_to_sell: `600${'0'.repeat(15)}`,
      base_token: token,
    }
    const units = {
      pool_current_total_tokens_sold: 'tokens-base',
      pool_config_num_tokens_to_sell: 'tokens-base',
    } as const
    expect(shown(asset(auction), units).figures).toMatchObject({
      sold: '252000000',
      toSell: '600000000',
    })
  })
})

test.each(['usual', 'literal', 'weth', 'usd18', 'percents'] as const)(
  'of an interface that speaks %s no right figure is held back, in any asset',
  async (name) => {
    const units = unitsIn(dialects[name])
    const assets = await listed(dialects[name])
    const broken = assets.flatMap((each) => readFigures(each, units).broken)
    expect(broken).toEqual([])
  },
)

test.each(['usual', 'weth'] as const)(
  'with one unit of %s that is wrong nobody reads a price or a worth off by its scale',
  async (name) => {
    const truth = unitsIn(dialects[name])
    const assets = await listed(dialects[name])
    for (const field of unitFields) {
      for (const wrong of unitsFor(field)) {
        if (readAlike(wrong, truth[field], assets)) continue
        const off = assets.flatMap((each) => {
          const right = readFigures(each, truth).figures
          const read = readFigures(each, { ...truth, [field]: wrong }).figures
          return (['price', 'marketCap', 'liquidity'] as const)
            .filter((key) => isFarOff(read[key], right[key]))
            .map((key) => [each.asset_address, key, read[key], right[key]])
        })
        expect(off, `${field} in ${wrong}`).toEqual([])
      }
    }
  },
)

/** Whether an amount is off by more than fifty times, or by more than a market in another currency. */
function isFarOff(read: Money | undefined, right: Money | undefined): boolean {
  if (!read || !right || Number(read.amount) === 0 || Number(right.amount) === 0) return false
  const ratio = Number(read.amount) / Number(right.amount)
  const most = read.currency === right.currency ? 50 : 50_000
  return ratio > most || ratio < 1 / most
}

/** Where both the market data and the pool tell a price in dollars, and nothing else stands in the way. */
const bothUsd = { pool_current_price: 'usd', pool_current_market_cap: 'usd' } as const
const noSale = {
  pool_current_total_proceeds: undefined,
  pool_config_min_proceeds: undefined,
  pool_config_max_proceeds: undefined,
  pool_current_total_tokens_sold: undefined,
  pool_config_num_tokens_to_sell: undefined,
}
const weth = { asset_numeraire_address: '0x4200000000000000000000000000000000000006' }
const usdc = { asset_numeraire_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }

describe('of two fields that tell one price in one currency', () => {
  const worthless = { pool_market_cap: undefined }

  test('the market’s is shown where they differ as markets do', () => {
    const { figures, broken } = shown(asset({ pool_current_price: '0.00002' }), bothUsd)
    expect(figures.price?.amount).toBe('0.0005')
    expect(broken).toEqual([])
  })

  test('neither is shown where nothing says which is wrong', () => {
    const { figures, broken } = shown(
      asset({ ...noSale, pool_current_price: '500' }, worthless),
      bothUsd,
    )
    expect(figures.price).toBeUndefined()
    expect(broken.toSorted()).toEqual(['pool_current_price', 'pool_price'])
  })

  test.each([
    ['51', true],
    ['49', false],
    ['0.0196', true],
    ['0.0204', false],
  ])('and are %s times as much, one of them is wrong: %s', (times, isWrong) => {
    const price = String(Number(times) * 0.0005)
    const { broken } = shown(asset({ ...noSale, pool_current_price: price }, worthless), bothUsd)
    expect(broken.length > 0).toBe(isWrong)
  })

  test.each([
    ['the supply', 'pool_price', {}, { pool_price: '0.5' }],
    ['the supply', 'pool_current_price', { pool_current_price: '0.5' }, {}],
    // The market cap gives no supply here: what was raised says what a token cost.
    [
      'what was raised for what is sold',
      'pool_price',
      { pool_current_total_proceeds: '126000' },
      { ...worthless, pool_price: '500' },
    ],
  ] as const)('%s says that %s is wrong', (_, field, auction, market) => {
    const units = { ...bothUsd, pool_current_total_proceeds: 'usd' } as const
    const told = { ...noSale, pool_current_price: '0.0005', ...auction }
    const sold = { pool_current_total_tokens_sold: `252${'0'.repeat(24)}` }
    const forSale = { pool_config_num_tokens_to_sell: `600${'0'.repeat(24)}` }
    const isSold = 'pool_current_total_proceeds' in auction
    const { figures, broken } = shown(
      asset({ ...told, ...(isSold ? sold : forSale) }, market),
      units,
    )
    expect(figures.price?.amount).toBe('0.0005')
    expect(broken).toEqual([field])
  })

  test('neither is shown where the supply speaks for one and what was raised for the other', () => {
    const { figures, broken } = shown(
      asset({ pool_current_price: '500', pool_current_total_proceeds: `126${'0'.repeat(9)}` }),
      { ...bothUsd, pool_current_total_proceeds: 'usd' },
    )
    expect(figures.price).toBeUndefined()
    expect(broken).toEqual(expect.arrayContaining(['pool_price', 'pool_current_price']))
  })

  test('one that is 0 is not set, and contradicts nothing', () => {
    const { figures, broken } = shown(
      asset({ ...noSale, pool_current_price: '0' }, worthless),
      bothUsd,
    )
    expect(figures.price?.amount).toBe('0.0005')
    expect(broken).toEqual([])
  })
})

describe('of two fields that tell one market cap', () => {
  test.each([
    ['pool_current_market_cap', { pool_current_market_cap: '50' }, {}],
    ['pool_market_cap', { pool_current_market_cap: '500000' }, { pool_market_cap: '50' }],
  ])('the supply says that %s is wrong', (field, auction, market) => {
    const { figures, broken } = shown(asset(auction, market), bothUsd)
    expect(figures.marketCap?.amount).toBe('500000')
    expect(broken).toEqual([field])
  })

  test('neither is shown where there is no price', () => {
    const { figures, broken } = shown(
      asset({ ...noSale, pool_current_market_cap: '50' }, { pool_price: undefined }),
      bothUsd,
    )
    expect(figures.marketCap).toBeUndefined()
    expect(broken.toSorted()).toEqual(['pool_current_market_cap', 'pool_market_cap'])
  })
})

describe('of two fields that tell one liquidity', () => {
  const units = { pool_current_liquidity: 'usd' } as const

  test('the one that is no thousand market caps is shown', () => {
    const { figures, broken } = shown(
      asset({ pool_current_liquidity: '60000' }, { pool_liquidity: '600000000' }),
      units,
    )
    expect(figures.liquidity?.amount).toBe('60000')
    expect(broken).toEqual(['pool_liquidity'])
  })

  test('the one that is no billionth of a dollar is shown', () => {
    const { figures, broken } = shown(asset({ pool_current_liquidity: '0.000000001' }), units)
    expect(figures.liquidity?.amount).toBe('60000')
    expect(broken).toEqual(['pool_current_liquidity'])
  })

  test('neither is shown where both are possible', () => {
    const { figures, broken } = shown(asset({ pool_current_liquidity: '600' }), units)
    expect(figures.liquidity).toBeUndefined()
    expect(broken.toSorted()).toEqual(['pool_current_liquidity', 'pool_liquidity'])
  })
})

describe('a price in dollars ÷ one in the quote token is what the quote token is worth', () => {
  const inQuote = { pool_current_price: 'numeraire' } as const
  const told = (price: string, quote: Record<string, unknown>) =>
    shown(asset({ ...noSale, pool_current_price: price }, { pool_market_cap: undefined }, quote), {
      ...inQuote,
    })

  test.each([
    ['a dollar', '0.0005', usdc, true],
    ['a dollar, at another moment', '0.0001', usdc, true],
    ['100 dollars for one of USDC', '0.000005', usdc, false],
    ['a hundredth of a dollar for one of USDC', '0.05', usdc, false],
    ['3,000 dollars for one of WETH', '0.000000166', weth, true],
    ['one dollar for one of WETH', '0.0005', weth, false],
    ['40 dollars for one of WETH', '0.0000125', weth, true],
    ['20 dollars for one of WETH', '0.000025', weth, false],
    ['250,000 dollars for one of WETH', '0.000000002', weth, true],
    ['500,000 dollars for one of WETH', '0.000000001', weth, false],
    ['two millionths of a dollar for another token', '250', {}, true],
    ['half a millionth of a dollar for another token', '1000', {}, false],
    ['half a million dollars for another token', '0.000000001', {}, true],
    ['two million dollars for another token', '0.00000000025', {}, false],
  ])('%s', (_, price, quote, isShown) => {
    const { figures, broken } = told(price, quote)
    expect(figures.price !== undefined).toBe(isShown)
    expect(broken.toSorted()).toEqual(isShown ? [] : ['pool_current_price', 'pool_price'])
  })

  test('else the supply says which of the two is wrong', () => {
    const sale = { pool_current_price: '0.000166' }
    const { figures, broken } = shown(asset(sale, {}, weth), inQuote)
    expect(figures.price).toEqual({ amount: '0.0005', currency: 'usd' })
    expect(broken).toEqual(['pool_current_price'])
  })

  test('and no other makes a rate', () => {
    const rate = (price: string) =>
      dollarsPerQuote(asset({ pool_current_price: price }, {}, weth), {
        ...defaultUnits,
        ...inQuote,
      })
    expect(Number(rate('0.000000166'))).toBeCloseTo(3012, 0)
    expect(rate('0.0005')).toBeUndefined()
    expect(rate('0')).toBeUndefined()
  })
})

test('a price and a market cap in two currencies have to give a supply', () => {
  const cap = { pool_current_market_cap: '166' }
  const none = { pool_market_cap: undefined }
  const units = { pool_current_market_cap: 'numeraire' } as const
  expect(shown(asset(cap, none, weth), units).figures.marketCap?.amount).toBe('166')
  const { figures, broken } = shown(
    asset({ pool_current_market_cap: '0.000166' }, none, weth),
    units,
  )
  expect(figures).toMatchObject({ price: undefined, marketCap: undefined })
  expect(broken).toEqual(expect.arrayContaining(['pool_price', 'pool_current_market_cap']))
})

const moneyIn = {
  pool_current_total_proceeds: 'usd',
  pool_config_min_proceeds: 'usd',
  pool_config_max_proceeds: 'usd',
  pool_current_total_tokens_sold: 'tokens',
  pool_config_num_tokens_to_sell: 'tokens',
} as const
const bare = {
  pool_price: undefined,
  pool_market_cap: undefined,
  pool_liquidity: undefined,
  pool_volume_usd_24h: undefined,
}
const alone = { ...noSale, pool_current_sale_progress_percentage: undefined }
const forSale = (amount: string) => ({ ...alone, pool_config_num_tokens_to_sell: amount })
/** At half a dollar, so many tokens of which 1,000 are sold. */
const cheap = { ...bare, pool_price: '0.5' }
const sold = { ...alone, pool_current_total_tokens_sold: '1000' }

/** Each bound: the figures of which the last is still possible, and the same with the first amount that is not. */
test.each<
  [bound: string, field: UnitField, (amount: string) => Asset, possible: string, not: string]
>([
  [
    'the least market cap',
    'pool_market_cap',
    (cap) => asset(alone, { ...bare, pool_market_cap: cap }),
    '0.000001',
    '0.0000009',
  ],
  [
    'the most market cap',
    'pool_market_cap',
    (cap) => asset(alone, { ...bare, pool_market_cap: cap }),
    '1e13',
    '1.1e13',
  ],
  [
    'the least that all for sale may be worth',
    'pool_price',
    (price) => asset(forSale('1000'), { ...bare, pool_price: price }),
    '1.1e-12',
    '0.9e-12',
  ],
  [
    'the most that all for sale may be worth',
    'pool_price',
    (price) => asset(forSale('1e6'), { ...bare, pool_price: price }),
    '1e7',
    '1.1e7',
  ],
  [
    'the dearest token',
    'pool_price',
    (price) => asset(forSale('1'), { ...bare, pool_price: price }),
    '1e10',
    '1.1e10',
  ],
  [
    'the least supply',
    'pool_market_cap',
    (cap) => asset(alone, { ...bare, pool_price: '10', pool_market_cap: cap }),
    '10',
    '9.9',
  ],
  [
    'the most supply',
    'pool_price',
    (price) => asset(alone, { ...bare, pool_price: price, pool_market_cap: '1e10' }),
    '1e-10',
    '0.9e-10',
  ],
  [
    'the least for sale',
    'pool_config_num_tokens_to_sell',
    (count) => asset(forSale(count), bare),
    '1',
    '0.9',
  ],
  [
    'the most for sale',
    'pool_config_num_tokens_to_sell',
    (count) => asset(forSale(count), bare),
    '1e20',
    '1.1e20',
  ],
  [
    'the most sold',
    'pool_current_total_tokens_sold',
    (count) => asset({ ...alone, pool_current_total_tokens_sold: count }, bare),
    '1e20',
    '1.1e20',
  ],
  [
    'the most sold of what is for sale',
    'pool_current_total_tokens_sold',
    (count) => asset({ ...forSale('1000'), pool_current_total_tokens_sold: count }, bare),
    '1010',
    '1011',
  ],
  [
    'the least supply of what is for sale',
    'pool_market_cap',
    (cap) => asset(forSale('1000'), { ...bare, pool_price: '1', pool_market_cap: cap }),
    '900',
    '890',
  ],
  [
    'the most supply of what is for sale',
    'pool_market_cap',
    (cap) => asset(forSale('1000'), { ...bare, pool_price: '1', pool_market_cap: cap }),
    '9e8',
    '9.1e8',
  ],
  [
    'the most liquidity of a market cap',
    'pool_liquidity',
    (liquidity) => asset(alone, { ...bare, pool_market_cap: '1000', pool_liquidity: liquidity }),
    '100000',
    '100001',
  ],
  [
    'the most liquidity',
    'pool_liquidity',
    (liquidity) => asset(alone, { ...bare, pool_liquidity: liquidity }),
    '1e13',
    '1.1e13',
  ],
  [
    'the most volume of a market cap',
    'pool_volume_usd_24h',
    (volume) => asset(alone, { ...bare, pool_market_cap: '1000', pool_volume_usd_24h: volume }),
    '1000000',
    '1000001',
  ],
  [
    'the least raised for what is sold',
    'pool_current_total_proceeds',
    (raised) => asset({ ...sold, pool_current_total_proceeds: raised }, cheap),
    '0.00501',
    '0.00499',
  ],
  [
    'the most raised for what is sold',
    'pool_current_total_proceeds',
    (raised) => asset({ ...sold, pool_current_total_proceeds: raised }, cheap),
    '49999999',
    '50000001',
  ],
  [
    'the most raised',
    'pool_current_total_proceeds',
    (raised) => asset({ ...alone, pool_current_total_proceeds: raised }, bare),
    '1e13',
    '1.1e13',
  ],
  [
    'the most maximum of what is for sale',
    'pool_config_max_proceeds',
    (max) => asset({ ...forSale('1000'), pool_config_max_proceeds: max }, cheap),
    '49999999',
    '50000001',
  ],
  [
    'the most raised of the maximum',
    'pool_current_total_proceeds',
    (raised) =>
      asset(
        { ...alone, pool_config_max_proceeds: '1000', pool_current_total_proceeds: raised },
        bare,
      ),
    '100000',
    '100001',
  ],
  [
    'the least minimum of the maximum',
    'pool_config_min_proceeds',
    (min) =>
      asset({ ...alone, pool_config_max_proceeds: '1000', pool_config_min_proceeds: min }, bare),
    '0.00001001',
    '0.00000999',
  ],
  [
    'the most minimum of the maximum',
    'pool_config_min_proceeds',
    (min) =>
      asset({ ...alone, pool_config_max_proceeds: '1000', pool_config_min_proceeds: min }, bare),
    '100000',
    '100001',
  ],
  [
    'the most minimum',
    'pool_config_min_proceeds',
    (min) => asset({ ...alone, pool_config_min_proceeds: min }, bare),
    '1e13',
    '1.1e13',
  ],
  [
    'the greatest rise',
    'pool_price_change_24h',
    (change) => asset(alone, { ...bare, pool_price_change_24h: change }),
    '1000000',
    '1000001',
  ],
  [
    'the greatest fall',
    'pool_price_change_24h',
    (change) => asset(alone, { ...bare, pool_price_change_24h: change }),
    '-1',
    '-1.01',
  ],
  [
    'the most that a stated progress may be of what is sold',
    'pool_current_sale_progress_percentage',
    (percent) =>
      asset(
        {
          ...forSale('10000'),
          pool_current_total_tokens_sold: '100',
          pool_current_sale_progress_percentage: percent,
        },
        bare,
      ),
    '50',
    '50.1',
  ],
  [
    'the least that a stated progress may be of what is sold',
    'pool_current_sale_progress_percentage',
    (percent) =>
      asset(
        {
          ...forSale('100'),
          pool_current_total_tokens_sold: '50',
          pool_current_sale_progress_percentage: percent,
        },
        bare,
      ),
    '1',
    '0.99',
  ],
  [
    'the difference at which a stated progress is as good as what is sold',
    'pool_current_sale_progress_percentage',
    (percent) =>
      asset(
        {
          ...forSale('100000'),
          pool_current_total_tokens_sold: '1',
          pool_current_sale_progress_percentage: percent,
        },
        bare,
      ),
    '0.5',
    '0.502',
  ],
])('%s is a bound of %s', (_, field, withAmount, possible, not) => {
  const units = { ...bothUsd, ...moneyIn }
  expect(shown(withAmount(possible), units).broken).toEqual([])
  expect(shown(withAmount(not), units).broken).toContain(field)
})

describe('what cannot be is left out whole, and nothing else with it', () => {
  const units = { ...bothUsd, ...moneyIn }

  test('a price of 0 beside money raised is a missing value', () => {
    const free = asset({ ...alone, pool_current_total_proceeds: '5' }, { ...bare, pool_price: '0' })
    expect(shown(free, units).figures.price).toBeUndefined()
    expect(shown(asset(alone, { ...bare, pool_price: '0' }), units).figures.price).toMatchObject({
      amount: '0',
    })
  })

  test('a market cap of 0 gives way to one that is told', () => {
    const both = asset(
      { ...alone, pool_current_market_cap: '5' },
      { ...bare, pool_market_cap: '0' },
    )
    expect(shown(both, units).figures.marketCap?.amount).toBe('5')
  })

  test('what is for sale is doubted where the supply is possible, and shown where it is not', () => {
    const sale = { ...forSale('1000'), pool_current_total_tokens_sold: '10' }
    const little = shown(asset(sale, { ...bare, pool_price: '1', pool_market_cap: '100' }), units)
    expect(little.figures).toMatchObject({ sold: undefined, toSell: undefined, progress: '0.01' })
    const none = shown(asset(sale, { ...bare, pool_price: '1', pool_market_cap: '0.1' }), units)
    expect(none.figures).toMatchObject({ price: undefined, sold: '10', toSell: '1000' })
  })

  test('neither raised nor its maximum where it is a thousand of them', () => {
    const { figures } = shown(
      asset({ ...alone, pool_config_max_proceeds: '1', pool_current_total_proceeds: '1000' }, bare),
      units,
    )
    expect(figures).toMatchObject({ proceeds: undefined, maxProceeds: undefined })
  })

  test('amounts in two currencies are not held against each other', () => {
    const mixed = { ...units, pool_config_max_proceeds: 'numeraire' } as const
    const { figures, broken } = shown(
      asset(
        {
          ...alone,
          pool_config_max_proceeds: '1',
          pool_config_min_proceeds: '1000',
          pool_current_total_proceeds: '1000',
        },
        bare,
      ),
      mixed,
    )
    expect(broken).toEqual([])
    expect(figures).toMatchObject({ proceeds: { amount: '1000' }, minProceeds: { amount: '1000' } })
  })

  test('what a graduated token trades for is not held against what its sale raised', () => {
    const traded = (raised: string, pool_current_price?: string) =>
      shown(
        asset({ ...sold, pool_current_total_proceeds: raised }, bare, {
          graduation_pool: {
            pool_address: `0x${'b'.repeat(40)}`,
            pool_current_price,
            pool_market_data: { pool_price: '1000' },
          },
        }),
        units,
      ).figures
    expect(traded('1')).toMatchObject({ price: { amount: '1000' }, proceeds: { amount: '1' } })
    // Nor does it choose between two prices.
    expect(traded('1000', '5000000')).toMatchObject({
      price: undefined,
      proceeds: { amount: '1000' },
    })
  })

  test('a price goes with the market cap in its currency', () => {
    const two = asset(
      { ...alone, pool_current_price: '0.000000166' },
      { ...bare, pool_price: undefined, pool_market_cap: '500000' },
      weth,
    )
    const both = asset(
      { ...alone, pool_current_price: '0.000000166', pool_current_market_cap: '166' },
      { ...bare, pool_market_cap: '500000' },
      weth,
    )
    const inQuote = {
      pool_current_price: 'numeraire',
      pool_current_market_cap: 'numeraire',
    } as const
    expect(shown(two, inQuote).figures.marketCap).toMatchObject({ currency: 'usd' })
    expect(shown(both, inQuote).figures.marketCap).toMatchObject({ currency: 'numeraire' })
  })
})

describe('a watch over figures', () => {
  /** So many assets of which the first ones fall by more than everything. */
  const assets = (count: number, odd: number) =>
    Array.from({ length: count }, (_, index) =>
      asset({}, index < odd ? { pool_price_change_24h: '-20' } : {}, {
        asset_address: `0x${String(index).padStart(40, '0')}`,
      }),
    )

  test('counts what is hidden, and says to run the doctor where a tenth of the assets is odd', () => {
    const hidden: UnitField[] = []
    const watch = new FigureWatch({
      units: defaultUnits,
      onHidden: (field) => hidden.push(field),
    })
    watch.look(assets(20, 1))
    expect(watch.state()).toBe('ok')
    expect(hidden).toEqual(['pool_price_change_24h'])
    watch.look(assets(20, 2))
    expect(watch.state()).toBe('run the doctor')
    watch.look(assets(20, 0))
    expect(watch.state()).toBe('ok')
  })

  test('is not moved by one stranger’s joke, however often it is looked at', () => {
    const watch = new FigureWatch({ units: defaultUnits })
    for (let time = 0; time < 5; time += 1) watch.look(assets(1, 1))
    expect(watch.state()).toBe('ok')
  })
})
