import { describe, expect, test } from 'vitest'
import { dialects } from '../../sandbox/interface/dialects.ts'
import { FigureWatch } from '../../src/api/figure-watch.ts'
import { readFigures } from '../../src/api/figures.ts'
import { type Asset, assetSchema } from '../../src/api/schema.ts'
import { defaultUnits, type UnitField, type Units, unitFields } from '../../src/api/units.ts'
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

test('with one unit that is far off nobody ever reads trillions', async () => {
  const truth = unitsIn(dialects.usual)
  const assets = await listed(dialects.usual)
  for (const field of unitFields) {
    for (const wrong of unitsFor(field)) {
      if (readAlike(wrong, truth[field], assets)) continue
      for (const each of assets) {
        const { price, marketCap, liquidity, volume24h } = readFigures(each, {
          ...truth,
          [field]: wrong,
        }).figures
        for (const money of [price, marketCap, liquidity, volume24h]) {
          expect(Number(money?.amount ?? 0), `${field} in ${wrong}`).toBeLessThan(1e13)
        }
      }
    }
  }
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
