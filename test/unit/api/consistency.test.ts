import { describe, expect, test } from 'vitest'
import { FigureWatch } from '../../../src/api/figure-watch.ts'
import { dollarsPerQuote, readFigures } from '../../../src/api/figures.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits, type UnitField, type Units } from '../../../src/api/units.ts'

/** The fields of the wire, by the figure that they give. */
const wire = {
  price: 'pool_price',
  cap: 'pool_market_cap',
  liquidity: 'pool_liquidity',
  volume: 'pool_volume_usd_24h',
  change: 'pool_price_change_24h',
  poolPrice: 'pool_current_price',
  poolCap: 'pool_current_market_cap',
  poolLiquidity: 'pool_current_liquidity',
  raised: 'pool_current_total_proceeds',
  min: 'pool_config_min_proceeds',
  max: 'pool_config_max_proceeds',
  sold: 'pool_current_total_tokens_sold',
  toSell: 'pool_config_num_tokens_to_sell',
  progress: 'pool_current_sale_progress_percentage',
} as const satisfies Record<string, UnitField>

type Field = keyof typeof wire
type Fields = Partial<Record<Field, string | number | undefined>>

/** An asset in its auction with these figures; the market's data stand apart. */
function asset(fields: Fields, of: Record<string, unknown> = {}): Asset {
  const written = Object.entries(wire).map(([field, name]) => [name, Reflect.get(fields, field)])
  return assetSchema.parse({
    asset_address: `0x${'a'.repeat(40)}`,
    decimals: { quote: 18 },
    auction_pool: {
      ...Object.fromEntries(written),
      pool_market_data: Object.fromEntries(written.slice(0, 5)),
    },
    ...of,
  })
}

/** A billion tokens at $0.0005, 600 million of them for sale, 42% of which are sold. */
const holding: Fields = {
  raised: '40000000000000000000',
  min: '10000000000000000000',
  max: '100000000000000000000',
  sold: `252${'0'.repeat(24)}`,
  toSell: `600${'0'.repeat(24)}`,
  progress: 42,
  price: '0.0005',
  cap: '500000',
  liquidity: '60000',
  volume: '12000',
  change: '-0.2',
}
const market: Fields = {
  price: '0.0005',
  cap: '500000',
  liquidity: '60000',
  progress: 42,
}
const price: Fields = { price: '0.0005' }

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
  const { figures, broken } = readFigures(of, { ...defaultUnits, ...units })
  const names = Object.entries(wire).filter(([, name]) => broken.includes(name))
  return { figures, broken: names.map(([field]) => field).toSorted() }
}

/** What is shown of plainly written figures. */
function plainly(fields: Fields, of: Record<string, unknown> = {}, units: Partial<Units> = {}) {
  return shown(asset(fields, of), { ...plainUnits, ...units })
}

test('consistent figures are all shown', () => {
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
  test.each<[string, Fields, Field, object]>([
    [
      'trillions for fractions of a cent',
      { price: '500000000000000', cap: `5${'0'.repeat(23)}` },
      'cap',
      { price: undefined, marketCap: undefined },
    ],
    [
      'a price that makes the sale more than the supply',
      { price: '500' },
      'price',
      { price: undefined, marketCap: undefined, toSell: undefined, progress: '0.42' },
    ],
    [
      'the market’s price, where that of the pool fits',
      {
        price: '500',
        poolPrice: '166000000000',
        poolCap: `166${'0'.repeat(18)}`,
      },
      'price',
      { price: { amount: '0.000000166' }, marketCap: { amount: '166' } },
    ],
    ['a thousand market caps', { liquidity: '500000000' }, 'liquidity', {}],
    ['a billion', { volume: `5${'0'.repeat(14)}` }, 'volume', {}],
    ['a fall by more than all', { change: '-20' }, 'change', {}],
    [
      'a progress past the whole',
      { progress: 4200, sold: undefined },
      'progress',
      { progress: undefined },
    ],
    ['a thousand maximums', { min: `1${'0'.repeat(23)}` }, 'min', { minProceeds: undefined }],
    [
      'another token’s base units',
      { raised: `4${'0'.repeat(37)}` },
      'raised',
      { proceeds: undefined },
    ],
    ['parts of base units', { raised: '40.5' }, 'raised', { proceeds: undefined }],
  ])('%s', (_, fields, field, figures) => {
    const read = shown(asset({ ...holding, ...fields }))
    expect(read.broken).toContain(field)
    expect(read.figures).toMatchObject(figures)
  })

  test('an amount raised in a token of unknown decimals makes nothing inconsistent', () => {
    const { figures, broken } = shown(asset(holding, { decimals: {} }))
    expect(figures).toMatchObject({ proceeds: undefined, maxProceeds: undefined })
    expect({ broken, sold: figures.sold }).toEqual({ broken: [], sold: '252000000' })
  })
})

describe('of two fields that tell one figure in one currency is shown', () => {
  const forSale = { toSell: '600000000' }
  test.each<[string, Fields, 'price' | 'marketCap' | 'liquidity', string | undefined, string[]]>([
    [
      'the market’s price, where markets may differ so',
      { ...price, poolPrice: '0.00002' },
      'price',
      '0.0005',
      [],
    ],
    [
      'no price where nothing says which is wrong',
      { ...price, poolPrice: '500' },
      'price',
      undefined,
      ['poolPrice', 'price'],
    ],
    [
      'the pool’s price, that the supply confirms',
      { ...market, price: '0.5', poolPrice: '0.0005', ...forSale },
      'price',
      '0.0005',
      ['price'],
    ],
    [
      'the market’s price, that the supply confirms',
      { ...market, poolPrice: '0.5', ...forSale },
      'price',
      '0.0005',
      ['poolPrice'],
    ],
    // The market cap gives no supply here: what was raised says what a token cost.
    [
      'the price that was paid for what is sold',
      { price: '500', poolPrice: '0.0005', raised: '126000', sold: '252000000' },
      'price',
      '0.0005',
      ['price'],
    ],
    [
      'no price where the supply and what was raised disagree',
      { ...market, poolPrice: '500', raised: '126000000000', sold: '252000000', ...forSale },
      'price',
      undefined,
      ['poolPrice', 'price'],
    ],
    [
      'the market’s price, as one of 0 is not set',
      { ...price, poolPrice: '0' },
      'price',
      '0.0005',
      [],
    ],
    [
      'the market’s cap, that the supply confirms',
      { ...market, poolCap: '50', ...forSale },
      'marketCap',
      '500000',
      ['poolCap'],
    ],
    [
      'the pool’s cap, that the supply confirms',
      { ...price, cap: '50', poolCap: '500000', ...forSale },
      'marketCap',
      '500000',
      ['cap'],
    ],
    [
      'no cap where there is no price',
      { cap: '500000', poolCap: '50' },
      'marketCap',
      undefined,
      ['poolCap', 'cap'],
    ],
    ['the pool’s cap, as one of 0 is not set', { cap: '0', poolCap: '5' }, 'marketCap', '5', []],
    [
      'the liquidity that is no thousand caps',
      { ...market, liquidity: '600000000', poolLiquidity: '60000' },
      'liquidity',
      '60000',
      ['liquidity'],
    ],
    [
      'the liquidity that is more than nothing',
      { ...market, poolLiquidity: '0.000000001' },
      'liquidity',
      '60000',
      ['poolLiquidity'],
    ],
    [
      'no liquidity where both are possible',
      { ...market, poolLiquidity: '600' },
      'liquidity',
      undefined,
      ['poolLiquidity', 'liquidity'],
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
    const { broken } = plainly({ ...price, poolPrice: String(Number(times) * 0.0005) })
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
    ['half a millionth of a dollar for another token', '1000', {}, true],
    ['half a trillionth of a dollar for another token', '1000000000', {}, false],
    ['half a million dollars for another token', '0.000000001', {}, true],
    ['two million dollars for another token', '0.00000000025', {}, false],
  ])('%s', (_, inTokens, quote, isShown) => {
    const fields = { ...price, poolPrice: inTokens }
    const { figures, broken } = plainly(fields, quote, inQuote)
    expect(figures.price !== undefined).toBe(isShown)
    expect(broken).toEqual(isShown ? [] : ['poolPrice', 'price'])
  })

  test('else the supply says which of the two is wrong', () => {
    const { figures, broken } = plainly(
      { ...market, poolPrice: '0.000166', toSell: '600000000' },
      weth,
      inQuote,
    )
    expect(figures.price).toEqual({ amount: '0.0005', currency: 'usd' })
    expect(broken).toEqual(['poolPrice'])
  })

  test('prices that are equal in both, or 0, give no rate', () => {
    const rate = (poolPrice: string) =>
      dollarsPerQuote(asset({ ...price, poolPrice }, weth), { ...defaultUnits, ...inQuote })
    expect(Number(rate('0.000000166'))).toBeCloseTo(3012, 0)
    expect([rate('0.0005'), rate('0')]).toEqual([undefined, undefined])
  })

  test('a price and a market cap in two currencies have to give a supply', () => {
    const cap = (poolCap: string) =>
      plainly({ ...price, poolCap, toSell: '600000000' }, weth, {
        pool_current_market_cap: 'numeraire',
      })
    expect(cap('166').figures.marketCap?.amount).toBe('166')
    const { figures, broken } = cap('0.000166')
    expect(figures).toMatchObject({ price: undefined, marketCap: undefined })
    expect(broken).toEqual(expect.arrayContaining(['price', 'poolCap']))
  })

  test('a price goes with the market cap in its currency', () => {
    const units = { ...inQuote, pool_current_market_cap: 'numeraire' } as const
    const two = { poolPrice: '0.000000166', cap: '500000' }
    const cap = (fields: Fields) => plainly(fields, weth, units).figures.marketCap
    expect(cap(two)).toMatchObject({ currency: 'usd' })
    expect(cap({ ...two, poolCap: '166' })).toMatchObject({ currency: 'numeraire' })
  })
})

/** Each bound: a field, the last amount of it that is possible, the first that is not, and the figures beside it. */
test.each<[bound: string, field: Field, possible: string, not: string, beside: Fields]>([
  ['the least market cap', 'cap', '0.000001', '0.0000009', {}],
  ['the most market cap', 'cap', '1e12', '1.1e12', {}],
  ['the least worth of what is for sale', 'price', '1.1e-12', '0.9e-12', { toSell: '1000' }],
  ['the most worth of what is for sale', 'price', '1e6', '1.1e6', { toSell: '1e6' }],
  ['the dearest token', 'price', '1e10', '1.1e10', { toSell: '1' }],
  ['the least supply', 'cap', '10', '9.9', { price: '10' }],
  ['the most supply', 'price', '1e-10', '0.9e-10', { cap: '1e10' }],
  ['the least for sale', 'toSell', '1', '0.9', {}],
  ['the most for sale', 'toSell', '1e20', '1.1e20', {}],
  ['the most sold', 'sold', '1e20', '1.1e20', {}],
  ['the most sold of what is for sale', 'sold', '1010', '1011', { toSell: '1000' }],
  ['the least part', 'cap', '900', '890', { toSell: '1000', price: '1' }],
  ['the most part', 'cap', '9e8', '9.1e8', { toSell: '1000', price: '1' }],
  ['the liquidity of a cap', 'liquidity', '100000', '100001', { cap: '1000' }],
  ['the most liquidity', 'liquidity', '1e12', '1.1e12', {}],
  ['the volume of a cap', 'volume', '1e6', '1000001', { cap: '1000' }],
  ['the least raised', 'raised', '0.00501', '0.00499', { sold: '1000', price: '0.5' }],
  ['the most raised for it', 'raised', '49999999', '50000001', { sold: '1000', price: '0.5' }],
  ['the most raised', 'raised', '1e12', '1.1e12', {}],
  ['the most maximum', 'max', '49999999', '50000001', { toSell: '1000', price: '0.5' }],
  ['the most raised of the maximum', 'raised', '100000', '100001', { max: '1000' }],
  ['the least minimum of the maximum', 'min', '0.00001001', '0.00000999', { max: '1000' }],
  ['the most minimum of the maximum', 'min', '100000', '100001', { max: '1000' }],
  ['the most minimum', 'min', '1e12', '1.1e12', {}],
  ['the greatest rise', 'change', '1000000', '1000001', {}],
  ['the greatest fall', 'change', '-1', '-1.01', {}],
  ['the whole', 'progress', '100', '100.1', {}],
])('%s is a bound of %s', (_, field, possible, not, beside) => {
  expect(plainly({ ...beside, [field]: possible }).broken).toEqual([])
  expect(plainly({ ...beside, [field]: not }).broken).toContain(field)
})

describe('an impossible figure is hidden, and nothing else with it', () => {
  test('a price of 0 beside money raised is a missing value', () => {
    const free = { price: '0' }
    expect(plainly({ ...free, raised: '5' }).figures.price).toBeUndefined()
    expect(plainly(free).figures.price).toMatchObject({ amount: '0' })
  })

  test('what is for sale is doubted where the supply is possible, and shown where it is not', () => {
    const sale = { toSell: '1000', sold: '10', price: '1' }
    const little = plainly({ ...sale, cap: '100' })
    expect(little.figures).toMatchObject({ sold: undefined, toSell: undefined, progress: '0.01' })
    const none = plainly({ ...sale, cap: '0.1' })
    expect(none.figures).toMatchObject({ price: undefined, sold: '10', toSell: '1000' })
  })

  test('neither the raised amount nor its maximum is shown if one is a thousand times the other', () => {
    const { figures } = plainly({ max: '1', raised: '1000' })
    expect(figures).toMatchObject({ proceeds: undefined, maxProceeds: undefined })
  })

  test('amounts in two currencies are not compared', () => {
    const fields = { max: '1', min: '1000', raised: '1000' }
    const { figures, broken } = plainly(fields, {}, { pool_config_max_proceeds: 'numeraire' })
    expect(broken).toEqual([])
    expect(figures).toMatchObject({ proceeds: { amount: '1000' }, minProceeds: { amount: '1000' } })
  })

  test('the price of a graduated token is not compared with what its sale raised', () => {
    const traded = (amount: string, poolPrice?: string) =>
      plainly(
        { sold: '1000', raised: amount },
        {
          graduation_pool: {
            pool_address: `0x${'b'.repeat(40)}`,
            pool_current_price: poolPrice,
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
        { ...holding, ...(index < odd && { change: '-20' }) },
        { asset_address: `0x${String(index).padStart(40, '0')}` },
      ),
    )

  test('counts hidden figures, and says to run the doctor if a tenth of the assets is inconsistent', () => {
    const hidden: UnitField[] = []
    const watch = new FigureWatch({ units: defaultUnits, onHidden: (field) => hidden.push(field) })
    watch.check(assets(20, 1))
    expect(watch.state()).toBe('ok')
    expect(hidden).toEqual(['pool_price_change_24h'])
    watch.check(assets(20, 2))
    expect(watch.state()).toBe('run the doctor')
    watch.check(assets(20, 0))
    expect(watch.state()).toBe('ok')
  })

  test('is not triggered by one inconsistent asset, however often it is read', () => {
    const watch = new FigureWatch({ units: defaultUnits })
    for (let time = 0; time < 5; time += 1) watch.check(assets(1, 1))
    expect(watch.state()).toBe('ok')
  })
})
