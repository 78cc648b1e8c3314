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

type Fields = Partial<Record<UnitField, string | number | undefined>>

const marketFields: readonly UnitField[] = [
  'pool_price',
  'pool_market_cap',
  'pool_liquidity',
  'pool_volume_usd_24h',
  'pool_price_change_24h',
]

/** An asset in its auction with these figures, wherever they stand. */
function asset(fields: Fields, of: Record<string, unknown> = {}): Asset {
  const market = Object.fromEntries(marketFields.map((field) => [field, fields[field]]))
  return assetSchema.parse({
    asset_address: `0x${'a'.repeat(40)}`,
    decimals: { quote: 18 },
    auction_pool: { ...fields, pool_market_data: market },
    ...of,
  })
}

/** A billion tokens at $0.0005, 600 million of them for sale, 42% of which are sold. */
const holding: Fields = {
  pool_current_total_proceeds: '40000000000000000000',
  pool_config_min_proceeds: '10000000000000000000',
  pool_config_max_proceeds: '100000000000000000000',
  pool_current_total_tokens_sold: `252${'0'.repeat(24)}`,
  pool_config_num_tokens_to_sell: `600${'0'.repeat(24)}`,
  pool_current_sale_progress_percentage: 42,
  pool_price: '0.0005',
  pool_market_cap: '500000',
  pool_liquidity: '60000',
  pool_volume_usd_24h: '12000',
  pool_price_change_24h: '-0.2',
}
const market: Fields = {
  pool_price: '0.0005',
  pool_market_cap: '500000',
  pool_liquidity: '60000',
  pool_current_sale_progress_percentage: 42,
}
const price: Fields = { pool_price: '0.0005' }

/** Units in which amounts are read as they are written. */
const plainUnits: Partial<Units> = {
  pool_current_price: 'usd',
  pool_current_market_cap: 'usd',
  pool_current_liquidity: 'usd',
  pool_current_total_proceeds: 'usd',
  pool_config_min_proceeds: 'usd',
  pool_config_max_proceeds: 'usd',
  pool_current_total_tokens_sold: 'tokens',
  pool_config_num_tokens_to_sell: 'tokens',
}
const weth = { asset_numeraire_address: '0x4200000000000000000000000000000000000006' }
const usdc = { asset_numeraire_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }

function shown(of: Asset, units: Partial<Units> = {}) {
  return readFigures(of, { ...defaultUnits, ...units })
}

/** What is shown of plainly written figures. */
function plainly(fields: Fields, of: Record<string, unknown> = {}, units: Partial<Units> = {}) {
  const { figures, broken } = shown(asset(fields, of), { ...plainUnits, ...units })
  return { figures, broken: broken.toSorted() }
}

test('figures that hold together are all shown', () => {
  expect(shown(asset(holding))).toMatchObject({
    broken: [],
    figures: {
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
    },
  })
})

describe('what contradicts the rest by the scale of a unit is not shown', () => {
  test.each<[string, Fields, UnitField, object]>([
    [
      'trillions for a token of fractions of a cent',
      { pool_price: '500000000000000', pool_market_cap: `5${'0'.repeat(23)}` },
      'pool_market_cap',
      { price: undefined, marketCap: undefined },
    ],
    [
      'a price that would make what is for sale more than there is',
      { pool_price: '500' },
      'pool_price',
      { price: undefined, marketCap: undefined, toSell: undefined, progress: '0.42' },
    ],
    [
      'the market’s price, where that of the pool fits',
      {
        pool_price: '500',
        pool_current_price: '500000000000000',
        pool_current_market_cap: `5${'0'.repeat(23)}`,
      },
      'pool_price',
      { price: { amount: '0.0005' }, marketCap: { amount: '500000' } },
    ],
    ['a thousand market caps', { pool_liquidity: '500000000' }, 'pool_liquidity', {}],
    ['a billion', { pool_volume_usd_24h: `5${'0'.repeat(14)}` }, 'pool_volume_usd_24h', {}],
    ['a fall by more than all', { pool_price_change_24h: '-20' }, 'pool_price_change_24h', {}],
    [
      'a progress past the whole',
      { pool_current_sale_progress_percentage: 4200 },
      'pool_current_sale_progress_percentage',
      { progress: '0.42' },
    ],
    [
      'a progress that sold ÷ to sell says otherwise',
      { pool_current_sale_progress_percentage: 0.42 },
      'pool_current_sale_progress_percentage',
      { progress: '0.42' },
    ],
    [
      'a minimum of a thousand maximums',
      { pool_config_min_proceeds: `1${'0'.repeat(23)}` },
      'pool_config_min_proceeds',
      { minProceeds: undefined },
    ],
    [
      'raised in base units of another token',
      { pool_current_total_proceeds: `4${'0'.repeat(37)}` },
      'pool_current_total_proceeds',
      { proceeds: undefined },
    ],
    [
      'digits behind the point of what is in base units',
      { pool_current_total_proceeds: '40.5' },
      'pool_current_total_proceeds',
      { proceeds: undefined },
    ],
  ])('%s', (_, fields, field, figures) => {
    const read = shown(asset({ ...holding, ...fields }))
    expect(read.broken).toContain(field)
    expect(read.figures).toMatchObject(figures)
  })

  test('what was raised in a token whose decimals nobody knows breaks nothing', () => {
    const { figures, broken } = shown(asset(holding, { decimals: {} }))
    expect(figures).toMatchObject({ proceeds: undefined, maxProceeds: undefined })
    expect({ broken, sold: figures.sold }).toEqual({ broken: [], sold: '252000000' })
  })
})

test.each(['usual', 'literal', 'weth', 'usd18', 'percents'] as const)(
  'of an interface that speaks %s no right figure is held back, in any asset',
  async (name) => {
    const units = unitsIn(dialects[name])
    const assets = await listed(dialects[name])
    expect(assets.flatMap((each) => readFigures(each, units).broken)).toEqual([])
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

describe('of two fields that tell one figure in one currency', () => {
  const toSell = '600000000'
  test.each<[string, Fields, 'price' | 'marketCap' | 'liquidity', string | undefined, string[]]>([
    [
      'the market’s price is shown where they differ as markets do',
      { ...price, pool_current_price: '0.00002' },
      'price',
      '0.0005',
      [],
    ],
    [
      'no price is shown where nothing says which is wrong',
      { ...price, pool_current_price: '500' },
      'price',
      undefined,
      ['pool_current_price', 'pool_price'],
    ],
    [
      'the supply says that the market’s price is wrong',
      {
        ...market,
        pool_price: '0.5',
        pool_current_price: '0.0005',
        pool_config_num_tokens_to_sell: toSell,
      },
      'price',
      '0.0005',
      ['pool_price'],
    ],
    [
      'the supply says that the pool’s price is wrong',
      { ...market, pool_current_price: '0.5', pool_config_num_tokens_to_sell: toSell },
      'price',
      '0.0005',
      ['pool_current_price'],
    ],
    // The market cap gives no supply here: what was raised says what a token cost.
    [
      'what was raised for what is sold says it',
      {
        pool_price: '500',
        pool_current_price: '0.0005',
        pool_current_total_proceeds: '126000',
        pool_current_total_tokens_sold: '252000000',
      },
      'price',
      '0.0005',
      ['pool_price'],
    ],
    [
      'no price is shown where the supply speaks for one and what was raised for the other',
      {
        ...market,
        pool_current_price: '500',
        pool_current_total_proceeds: '126000000000',
        pool_current_total_tokens_sold: '252000000',
        pool_config_num_tokens_to_sell: toSell,
      },
      'price',
      undefined,
      ['pool_current_price', 'pool_price'],
    ],
    [
      'a price of 0 is not set, and contradicts nothing',
      { ...price, pool_current_price: '0' },
      'price',
      '0.0005',
      [],
    ],
    [
      'the supply says that the pool’s market cap is wrong',
      { ...market, pool_current_market_cap: '50', pool_config_num_tokens_to_sell: toSell },
      'marketCap',
      '500000',
      ['pool_current_market_cap'],
    ],
    [
      'the supply says that the market’s market cap is wrong',
      {
        ...price,
        pool_market_cap: '50',
        pool_current_market_cap: '500000',
        pool_config_num_tokens_to_sell: toSell,
      },
      'marketCap',
      '500000',
      ['pool_market_cap'],
    ],
    [
      'no market cap is shown where there is no price',
      { pool_market_cap: '500000', pool_current_market_cap: '50' },
      'marketCap',
      undefined,
      ['pool_current_market_cap', 'pool_market_cap'],
    ],
    [
      'a market cap of 0 gives way to one that is told',
      { pool_market_cap: '0', pool_current_market_cap: '5' },
      'marketCap',
      '5',
      [],
    ],
    [
      'the liquidity that is no thousand market caps is shown',
      { ...market, pool_liquidity: '600000000', pool_current_liquidity: '60000' },
      'liquidity',
      '60000',
      ['pool_liquidity'],
    ],
    [
      'the liquidity that is no billionth of a dollar is shown',
      { ...market, pool_current_liquidity: '0.000000001' },
      'liquidity',
      '60000',
      ['pool_current_liquidity'],
    ],
    [
      'no liquidity is shown where both are possible',
      { ...market, pool_current_liquidity: '600' },
      'liquidity',
      undefined,
      ['pool_current_liquidity', 'pool_liquidity'],
    ],
  ])('%s', (_, fields, figure, amount, broken) => {
    const read = plainly(fields)
    expect(read.figures[figure]?.amount).toBe(amount)
    expect(read.broken).toEqual(expect.arrayContaining(broken))
    if (amount !== undefined) expect(read.broken).toEqual(broken)
  })

  test.each([
    ['51', true],
    ['49', false],
    ['0.0196', true],
    ['0.0204', false],
  ])('prices that are %s times as much are told apart: %s', (times, isWrong) => {
    const { broken } = plainly({ ...price, pool_current_price: String(Number(times) * 0.0005) })
    expect(broken.length > 0).toBe(isWrong)
  })
})

describe('a price in dollars ÷ one in the quote token is what the quote token is worth', () => {
  const inQuote = { pool_current_price: 'numeraire' } as const

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
  ])('%s', (_, inTokens, quote, isShown) => {
    const fields = { ...price, pool_current_price: inTokens }
    const { figures, broken } = plainly(fields, quote, inQuote)
    expect(figures.price !== undefined).toBe(isShown)
    expect(broken).toEqual(isShown ? [] : ['pool_current_price', 'pool_price'])
  })

  test('else the supply says which of the two is wrong', () => {
    const { figures, broken } = plainly(
      { ...market, pool_current_price: '0.000166', pool_config_num_tokens_to_sell: '600000000' },
      weth,
      inQuote,
    )
    expect(figures.price).toEqual({ amount: '0.0005', currency: 'usd' })
    expect(broken).toEqual(['pool_current_price'])
  })

  test('and no other makes a rate', () => {
    const rate = (pool_current_price: string) =>
      dollarsPerQuote(asset({ ...price, pool_current_price }, weth), {
        ...defaultUnits,
        ...inQuote,
      })
    expect(Number(rate('0.000000166'))).toBeCloseTo(3012, 0)
    expect([rate('0.0005'), rate('0')]).toEqual([undefined, undefined])
  })

  test('a price and a market cap in two currencies have to give a supply', () => {
    const cap = (pool_current_market_cap: string) =>
      plainly(
        { ...price, pool_current_market_cap, pool_config_num_tokens_to_sell: '600000000' },
        weth,
        {
          pool_current_market_cap: 'numeraire',
        },
      )
    expect(cap('166').figures.marketCap?.amount).toBe('166')
    const { figures, broken } = cap('0.000166')
    expect(figures).toMatchObject({ price: undefined, marketCap: undefined })
    expect(broken).toEqual(expect.arrayContaining(['pool_price', 'pool_current_market_cap']))
  })

  test('a price goes with the market cap in its currency', () => {
    const units = { ...inQuote, pool_current_market_cap: 'numeraire' } as const
    const two = { pool_current_price: '0.000000166', pool_market_cap: '500000' }
    const cap = (fields: Fields) => plainly(fields, weth, units).figures.marketCap
    expect(cap(two)).toMatchObject({ currency: 'usd' })
    expect(cap({ ...two, pool_current_market_cap: '166' })).toMatchObject({ currency: 'numeraire' })
  })
})

const toSell = 'pool_config_num_tokens_to_sell'
const sold = 'pool_current_total_tokens_sold'
const raised = 'pool_current_total_proceeds'
const max = 'pool_config_max_proceeds'
const min = 'pool_config_min_proceeds'
const progress = 'pool_current_sale_progress_percentage'

/** Each bound: a field, the last amount of it that is possible, the first that is not, and the figures beside it. */
test.each<[bound: string, field: UnitField, possible: string, not: string, beside: Fields]>([
  ['the least market cap', 'pool_market_cap', '0.000001', '0.0000009', {}],
  ['the most market cap', 'pool_market_cap', '1e13', '1.1e13', {}],
  ['the least worth of what is for sale', 'pool_price', '1.1e-12', '0.9e-12', { [toSell]: '1000' }],
  ['the most worth of what is for sale', 'pool_price', '1e7', '1.1e7', { [toSell]: '1e6' }],
  ['the dearest token', 'pool_price', '1e10', '1.1e10', { [toSell]: '1' }],
  ['the least supply', 'pool_market_cap', '10', '9.9', { pool_price: '10' }],
  ['the most supply', 'pool_price', '1e-10', '0.9e-10', { pool_market_cap: '1e10' }],
  ['the least for sale', toSell, '1', '0.9', {}],
  ['the most for sale', toSell, '1e20', '1.1e20', {}],
  ['the most sold', sold, '1e20', '1.1e20', {}],
  ['the most sold of what is for sale', sold, '1010', '1011', { [toSell]: '1000' }],
  ['the least part', 'pool_market_cap', '900', '890', { [toSell]: '1000', pool_price: '1' }],
  ['the most part', 'pool_market_cap', '9e8', '9.1e8', { [toSell]: '1000', pool_price: '1' }],
  ['the liquidity of a cap', 'pool_liquidity', '100000', '100001', { pool_market_cap: '1000' }],
  ['the most liquidity', 'pool_liquidity', '1e13', '1.1e13', {}],
  ['the volume of a cap', 'pool_volume_usd_24h', '1e6', '1000001', { pool_market_cap: '1000' }],
  ['the least raised', raised, '0.00501', '0.00499', { [sold]: '1000', pool_price: '0.5' }],
  ['the most raised for it', raised, '49999999', '50000001', { [sold]: '1000', pool_price: '0.5' }],
  ['the most raised', raised, '1e13', '1.1e13', {}],
  ['the most maximum', max, '49999999', '50000001', { [toSell]: '1000', pool_price: '0.5' }],
  ['the most raised of the maximum', raised, '100000', '100001', { [max]: '1000' }],
  ['the least minimum of the maximum', min, '0.00001001', '0.00000999', { [max]: '1000' }],
  ['the most minimum of the maximum', min, '100000', '100001', { [max]: '1000' }],
  ['the most minimum', min, '1e13', '1.1e13', {}],
  ['the greatest rise', 'pool_price_change_24h', '1000000', '1000001', {}],
  ['the greatest fall', 'pool_price_change_24h', '-1', '-1.01', {}],
  [
    'the most progress of what is sold',
    progress,
    '50',
    '50.1',
    { [toSell]: '10000', [sold]: '100' },
  ],
  ['the least progress of it', progress, '1', '0.99', { [toSell]: '100', [sold]: '50' }],
  ['a difference that is none', progress, '0.5', '0.502', { [toSell]: '100000', [sold]: '1' }],
])('%s is a bound of %s', (_, field, possible, not, beside) => {
  expect(plainly({ ...beside, [field]: possible }).broken).toEqual([])
  expect(plainly({ ...beside, [field]: not }).broken).toContain(field)
})

describe('what cannot be is left out whole, and nothing else with it', () => {
  test('a price of 0 beside money raised is a missing value', () => {
    const free = { pool_price: '0' }
    expect(plainly({ ...free, [raised]: '5' }).figures.price).toBeUndefined()
    expect(plainly(free).figures.price).toMatchObject({ amount: '0' })
  })

  test('what is for sale is doubted where the supply is possible, and shown where it is not', () => {
    const sale = { [toSell]: '1000', [sold]: '10', pool_price: '1' }
    const little = plainly({ ...sale, pool_market_cap: '100' })
    expect(little.figures).toMatchObject({ sold: undefined, toSell: undefined, progress: '0.01' })
    const none = plainly({ ...sale, pool_market_cap: '0.1' })
    expect(none.figures).toMatchObject({ price: undefined, sold: '10', toSell: '1000' })
  })

  test('neither raised nor its maximum where it is a thousand of them', () => {
    const { figures } = plainly({ [max]: '1', [raised]: '1000' })
    expect(figures).toMatchObject({ proceeds: undefined, maxProceeds: undefined })
  })

  test('amounts in two currencies are not held against each other', () => {
    const fields = { [max]: '1', [min]: '1000', [raised]: '1000' }
    const { figures, broken } = plainly(fields, {}, { [max]: 'numeraire' })
    expect(broken).toEqual([])
    expect(figures).toMatchObject({ proceeds: { amount: '1000' }, minProceeds: { amount: '1000' } })
  })

  test('what a graduated token trades for is not held against what its sale raised', () => {
    const traded = (amount: string, pool_current_price?: string) =>
      plainly(
        { [sold]: '1000', [raised]: amount },
        {
          graduation_pool: {
            pool_address: `0x${'b'.repeat(40)}`,
            pool_current_price,
            pool_market_data: { pool_price: '1000' },
          },
        },
      ).figures
    expect(traded('1')).toMatchObject({ price: { amount: '1000' }, proceeds: { amount: '1' } })
    // Nor does it choose between two prices.
    const two = traded('1000', '5000000')
    expect(two).toMatchObject({ price: undefined, proceeds: { amount: '1000' } })
  })
})

describe('a watch over figures', () => {
  /** So many assets of which the first ones fall by more than everything. */
  const assets = (count: number, odd: number) =>
    Array.from({ length: count }, (_, index) =>
      asset(
        { ...holding, ...(index < odd && { pool_price_change_24h: '-20' }) },
        { asset_address: `0x${String(index).padStart(40, '0')}` },
      ),
    )

  test('counts what is hidden, and says to run the doctor where a tenth of the assets is odd', () => {
    const hidden: UnitField[] = []
    const watch = new FigureWatch({ units: defaultUnits, onHidden: (field) => hidden.push(field) })
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
