import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  baseToken,
  currentPool,
  graduationPool,
  statusOf,
  unixTime,
} from '../../../src/api/asset.ts'
import { figuresOf } from '../../../src/api/figures.ts'
import {
  type Asset,
  type AuctionPool,
  assetSchema,
  defaultStatusWords,
  type GraduationPool,
  statusWordsSchema,
} from '../../../src/api/schema.ts'
import { withStatus } from '../../../src/api/status.ts'
import { decimal, defaultUnits } from '../../../src/api/units.ts'

const address = '0x00000000000000000000000000000000000000a1'
const pool = '0x00000000000000000000000000000000000000b2'
const sentinel = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'

function auctioned(fields: AuctionPool, rest: Partial<Asset> = {}): Asset {
  return { asset_address: address, auction_pool: fields, ...rest }
}

function marketed(pool_market_data: NonNullable<AuctionPool['pool_market_data']>): Asset {
  return auctioned({ pool_market_data })
}

function graduated(graduation_pool: GraduationPool, rest: Partial<Asset> = {}): Asset {
  return { asset_address: address, graduation_pool, ...rest }
}

describe('market figures', () => {
  test('are plain dollars and a ratio, without exponents', () => {
    expect(
      figuresOf(
        marketed({
          pool_price: '2.84080493699e-4',
          pool_market_cap: '284080',
          pool_liquidity: '1.5E3',
          pool_volume_usd_24h: '0',
          pool_price_change_24h: '-0.154',
        }),
        defaultUnits,
      ),
    ).toMatchObject({
      price: { amount: '0.000284080493699', currency: 'usd' },
      marketCap: { amount: '284080', currency: 'usd' },
      liquidity: { amount: '1500', currency: 'usd' },
      volume24h: { amount: '0', currency: 'usd' },
      change24h: '-0.154',
    })
  })

  test.each([
    ['there are no market data', {}],
    ['the market data are all 0', { pool_price: '0', pool_market_cap: '0', pool_liquidity: '0' }],
  ])(
    'come from the pool itself where %s, in quote tokens, and its liquidity is no money',
    (_, market) => {
      const asset = auctioned({
        pool_market_data: market,
        pool_current_price: '284080493699000',
        pool_current_market_cap: '284080493699000000000000',
        pool_current_liquidity: '1500000000000000000000',
      })
      const { price, marketCap, liquidity } = figuresOf(asset, defaultUnits)
      expect(price).toEqual({ amount: '0.000284080493699', currency: 'numeraire' })
      expect(marketCap).toEqual({ amount: '284080.493699', currency: 'numeraire' })
      expect(liquidity?.amount ?? '0').toBe('0')
      const inDollars = figuresOf(asset, { ...defaultUnits, pool_current_liquidity: 'usd18' })
      expect(inDollars.liquidity).toEqual({ amount: '1500', currency: 'usd' })
    },
  )

  test('follow the unit table, and name the currency', () => {
    const asset = auctioned({ pool_current_price: '1500000' })
    const priced = (pool_current_price: 'numeraire6' | 'usd') =>
      figuresOf(asset, { ...defaultUnits, pool_current_price }).price
    expect(priced('numeraire6')).toEqual({ amount: '1.5', currency: 'numeraire' })
    expect(priced('usd')).toEqual({ amount: '1500000', currency: 'usd' })
  })

  test('are absent where absent, negative or no number', () => {
    for (const pool_price of [
      undefined,
      '',
      'NaN',
      'Infinity',
      '-1',
      '0x10',
      '1,5',
      '1 2',
      '1e999999',
    ]) {
      expect(figuresOf(marketed({ pool_price }), defaultUnits).price).toBeUndefined()
    }
  })
})

describe('a sale', () => {
  test('is in whole tokens and the numeraire', () => {
    const asset = auctioned({
      pool_current_total_tokens_sold: '420000000000000000000000000',
      pool_config_num_tokens_to_sell: '1000000000000000000000000000',
      pool_current_total_proceeds: '1500000000000000001',
      pool_config_min_proceeds: '1000000000000000000',
      pool_config_max_proceeds: '0',
      pool_config_starting_time: '1790000000',
      pool_config_ending_time: '1790000060500',
    })
    const known = { ...asset, decimals: { quote: 18, token: undefined } }
    // Of a quote token whose decimals nobody knows, nobody knows how much was raised.
    expect(figuresOf(asset, defaultUnits).proceeds).toBeUndefined()
    expect(figuresOf(known, defaultUnits)).toMatchObject({
      progress: '0.42',
      sold: '420000000',
      toSell: '1000000000',
      proceeds: { amount: '1.500000000000000001', currency: 'numeraire' },
      minProceeds: { amount: '1', currency: 'numeraire' },
      maxProceeds: undefined,
      startsAt: 1_790_000_000,
      endsAt: 1_790_000_060,
    })
  })

  test.each([
    ['percent', '42', '0.42'],
    ['percent', '99.99999999999999999999', '0.9999999999999999999999'],
    ['ratio', '0.42', '0.42'],
    ['percent', '0', '0'],
    ['percent', '100', '1'],
    ['ratio', '42', undefined],
    ['percent', '100.1', undefined],
    ['percent', '-1', undefined],
  ] as const)('in %s that says %s has progress %s', (unit, stated, progress) => {
    const units = { ...defaultUnits, pool_current_sale_progress_percentage: unit }
    const read = (fields: AuctionPool) =>
      figuresOf(auctioned({ ...fields, pool_current_sale_progress_percentage: stated }), units)
    const toSell = { pool_config_num_tokens_to_sell: `1000${'0'.repeat(18)}` }
    expect(read({}).progress).toBe(progress)
    expect(read(toSell).progress).toBe(progress)
    // What is sold of what is for sale says more than what is stated.
    const sold = { pool_current_total_tokens_sold: `500${'0'.repeat(18)}` }
    expect(read({ ...toSell, ...sold }).progress).toBe('0.5')
  })

  test('never says sold out too early, and never exceeds 100%', () => {
    const progress = (sold: string) =>
      figuresOf(
        auctioned({
          pool_current_total_tokens_sold: sold,
          pool_config_num_tokens_to_sell: '1000000000000000000000000000000',
        }),
        defaultUnits,
      ).progress
    expect(progress('999999999999999999999999999999')?.startsWith('0.9')).toBe(true)
    expect(progress('1000000000000000000000000000001')).toBe('1')
    // Twice what is for sale can't be sold: one of the two is read wrongly.
    expect(progress('2000000000000000000000000000000')).toBeUndefined()
  })

  test('has no progress if nothing is for sale', () => {
    const none = { pool_current_total_tokens_sold: '0', pool_config_num_tokens_to_sell: '0' }
    expect(figuresOf(auctioned(none), defaultUnits).progress).toBeUndefined()
  })
})

describe('graduation', () => {
  const price = { pool_current_price: '1000' }
  const place = { pool_address: pool }
  const real = { ...place, ...price }
  const at = { pool_migration_timestamp: '1790000000' }
  const quote = `0x${'d'.repeat(40)}`
  const placeholders = [
    sentinel,
    sentinel.toLowerCase(),
    `0x${'0'.repeat(40)}`,
    `0x${'0'.repeat(64)}`,
    `0x${'0'.repeat(36)}dEaD`,
    `0x${'0'.repeat(39)}1`,
    ...['0xdead', '0x', 'none', 'n/a', '-', 'pending'],
  ]

  test.each<[boolean, string, GraduationPool, Partial<Asset>]>([
    [true, 'an address and a price', real, {}],
    [true, 'a pool id and a price', { ...price, pool_address: `0x${'c'.repeat(64)}` }, {}],
    [true, 'a price of the market', { pool_market_data: { pool_price: '1' } }, {}],
    [true, 'a market cap', { pool_market_data: { pool_market_cap: '1' } }, {}],
    [false, 'nothing', {}, {}],
    [false, 'a price of 0', { pool_market_data: { pool_price: '0' } }, {}],
    ...placeholders.map((pool_address): [boolean, string, GraduationPool, Partial<Asset>] => [
      false,
      `the placeholder ${pool_address}`,
      { ...price, pool_address },
      {},
    ]),
    // What is something else of the asset.
    [false, 'the auction’s pool', real, { auction_pool: place }],
    [
      false,
      'the quote token',
      { ...price, pool_address: quote },
      { asset_numeraire_address: quote },
    ],
    [false, 'the token', { ...price, pool_address: address }, {}],
    // Where it will be is known before.
    [false, 'an address alone', place, {}],
    [false, 'an address alone, while live', place, { asset_status: 'live' }],
    [true, 'an address, and a status that says so', place, { asset_status: 'Graduated' }],
    [true, 'an address, and a pool that says so', place, { asset_current_pool: 'graduation' }],
    [true, 'an address and a time', { ...place, ...at }, {}],
    [false, 'a price while the status says live', real, { asset_status: 'live' }],
    [
      false,
      'a price while the status says incoming',
      real,
      { asset_status: 'Incoming', asset_current_pool: 'graduation' },
    ],
    // When it was is believed before the status.
    [
      true,
      'a time of the asset',
      real,
      { asset_status: 'live', asset_migration_timestamp: '1790000000' },
    ],
    [true, 'a time of its auction', real, { asset_status: 'live', auction_pool: at }],
    [true, 'a time of its own', { ...real, ...at }, { asset_status: 'live' }],
    [
      false,
      'a time before all',
      real,
      { asset_status: 'live', asset_migration_timestamp: '1970-01-01' },
    ],
  ])('is %s of a pool with %s', (isThere, _, fields, rest) => {
    expect(graduationPool(graduated(fields, rest)) !== undefined).toBe(isThere)
  })

  test.each<[string, GraduationPool, Partial<Asset>]>([
    ['graduation', real, {}],
    ['auction', real, { asset_current_pool: 'auction' }],
    ['graduation', real, { asset_current_pool: 'new-word' }],
    ['auction', { pool_address: sentinel }, { asset_current_pool: 'graduation' }],
    ['auction', real, { asset_current_pool: '0xAB', auction_pool: { pool_address: '0xab' } }],
    ['auction', real, { asset_current_pool: '0xAB', auction_pool: { pool_id: '0xab' } }],
    ['graduation', real, { asset_current_pool: pool, auction_pool: { pool_id: '0xab' } }],
  ])('decides that the %s trades: %j, %j', (trading, fields, rest) => {
    expect(currentPool(graduated(fields, rest))).toBe(trading)
  })

  test('gives its price, and the time that its pool says, else the asset', () => {
    const read = (pool_migration_timestamp?: string) =>
      figuresOf(
        graduated(
          { ...place, pool_market_data: { pool_price: '2' }, pool_migration_timestamp },
          {
            auction_pool: { pool_market_data: { pool_price: '1' } },
            asset_migration_timestamp: '1790000000',
          },
        ),
        defaultUnits,
      )
    expect(read('1790000060')).toMatchObject({
      pool: 'graduation',
      price: { amount: '2' },
      migratedAt: 1_790_000_060,
    })
    expect(read().migratedAt).toBe(1_790_000_000)
    const never = graduated({ pool_address: sentinel, ...at })
    expect(figuresOf(never, defaultUnits).migratedAt).toBeUndefined()
  })
})

describe('decimals', () => {
  const units = { ...defaultUnits, pool_current_total_tokens_sold: 'tokens-base' } as const
  /** What of 12,000 on the wire is read where these say how many decimals a token has. */
  const sold = (
    auction: number | undefined,
    graduation: number | undefined,
    found: number | undefined,
  ) =>
    figuresOf(
      {
        asset_address: address,
        auction_pool: {
          pool_current_total_tokens_sold: '12000',
          base_token: { token_decimals: auction },
        },
        graduation_pool: { base_token: { token_decimals: graduation } },
        decimals: { quote: undefined, token: found },
      },
      units,
    ).sold

  test.each([
    ['the auction pool', [3, 2, 1], '12'],
    ['else the graduation pool', [undefined, 2, 1], '120'],
    ['else the chain', [undefined, undefined, 1], '1200'],
    ['nobody', [undefined, undefined, undefined], undefined],
    ['a token that cannot be', [-1, undefined, undefined], undefined],
  ] as const)('are those that %s knows', (_, [auction, graduation, found], amount) => {
    expect(sold(auction, graduation, found)).toBe(amount)
  })

  test('are 77 at most', () => {
    const wei = `1${'0'.repeat(77)}`
    const raised = (quote: number) =>
      figuresOf(
        {
          ...auctioned({ pool_current_total_proceeds: wei }),
          decimals: { quote, token: undefined },
        },
        defaultUnits,
      ).proceeds?.amount
    expect(raised(77)).toBe('1')
    expect(raised(78)).toBeUndefined()
  })
})

test('a maximum from 1e37 on is none', () => {
  const max = (pool_config_max_proceeds: string) =>
    figuresOf(
      { ...auctioned({ pool_config_max_proceeds }), decimals: { quote: 30, token: undefined } },
      defaultUnits,
    ).maxProceeds?.amount
  expect(max(`9${'0'.repeat(36)}`)).toBe('9000000')
  expect(max(`1${'0'.repeat(37)}`)).toBeUndefined()
})

describe('an ending time', () => {
  test.each([
    ['after the start', '1790000000', '1790000060', 1_790_000_060],
    ['equal to the start', '1790000000', '1790000000', undefined],
    ['before the start', '1790000060', '1790000000', undefined],
    ['equal to the creation, without a start', '', '1789999999', undefined],
    ['before the creation', undefined, '1789999000', undefined],
    ['after the creation', undefined, '1790000000', 1_790_000_000],
    ['of a pool that never ends', '0', '0', undefined],
  ])('%s', (_, start, end, endsAt) => {
    const asset = assetSchema.parse({
      asset_address: address,
      asset_status: 'live',
      asset_creation_timestamp: '2026-09-21T14:13:19+00:00',
      auction_pool: { pool_config_starting_time: start, pool_config_ending_time: end },
    })
    expect(figuresOf(asset, defaultUnits).endsAt).toBe(endsAt)
  })
})

describe('nothing raised', () => {
  const raised = (fields: AuctionPool) =>
    figuresOf(
      {
        ...auctioned({ pool_current_total_proceeds: '0', ...fields }),
        decimals: { quote: 18, token: undefined },
      },
      defaultUnits,
    ).proceeds?.amount
  const limited = { pool_config_max_proceeds: '5000000000000000000' }

  test('is a figure of an auction that has a limit, before anything is sold', () => {
    expect(raised(limited)).toBe('0')
    expect(raised({ ...limited, pool_current_total_tokens_sold: '0' })).toBe('0')
  })

  test('is none of a pool that does not count it', () => {
    const none = { pool_config_min_proceeds: '0', pool_config_max_proceeds: '0' }
    expect(raised(none)).toBeUndefined()
    expect(raised({})).toBeUndefined()
    expect(raised({ ...limited, pool_current_total_tokens_sold: '1' })).toBeUndefined()
  })
})

test('a share whose unit is unknown is not shown', () => {
  const asset = marketed({ pool_price_change_24h: '0.1' })
  const units = { ...defaultUnits, pool_price_change_24h: 'unknown' } as const
  expect(figuresOf(asset, units).change24h).toBeUndefined()
})

test('a name and a description may stand in the metadata alone', () => {
  const token_uri_data = { name: 'Otter', description: 'Swims.' }
  expect(baseToken(auctioned({ base_token: { token_uri_data } }))).toMatchObject({
    token_name: 'Otter',
    token_description: 'Swims.',
  })
})

describe('a time', () => {
  test.each([
    ['1767225600', 1_767_225_600],
    ['1767225600.9', 1_767_225_600],
    ['1767225600123', 1_767_225_600],
    ['2026-01-01T00:00:00Z', 1_767_225_600],
    ['2026-01-01T00:00:00.123456Z', 1_767_225_600],
    ['2026-01-01T02:00:00+02:00', 1_767_225_600],
    ['2026-01-01T02:00:00+0200', 1_767_225_600],
    ['2026-01-01T00:00:00', 1_767_225_600],
    ['2026-01-01 00:00:00', 1_767_225_600],
    ['2026-01-01', 1_767_225_600],
    // Seconds end, and milliseconds begin, at 1e11; no sale was before September 2001, or is after this century.
    ['1000000000', 1_000_000_000],
    ['999999999', undefined],
    ['4102444799', 4_102_444_799],
    ['4102444800', undefined],
    ['99999999999', undefined],
    ['1000000000000', 1_000_000_000],
    ['0', undefined],
    ['-1767225600', undefined],
    ['115792089237316195423570985008687907853269984665640564039457584007913129639935', undefined],
    ['January 1, 2026', undefined],
    ['2026-13-45T00:00:00Z', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %s', (text, seconds) => {
    expect(unixTime(text)).toBe(seconds)
  })
})

describe('any text', () => {
  const numeric = fc.oneof(
    fc.string({ maxLength: 120 }),
    fc.double().map(String),
    fc.bigInt().map(String),
    fc.tuple(fc.double(), fc.integer()).map(([digits, exponent]) => `${digits}e${exponent}`),
    fc.constantFrom('1e999999', '1e-999999', '9'.repeat(100), `1e${'9'.repeat(90)}`, '-0', '0e99'),
  )

  test('comes out as a plain decimal of bounded length, or not at all', () => {
    fc.assert(
      fc.property(numeric, numeric, (text, other) => {
        const shown = figuresOf(
          auctioned({
            pool_market_data: { pool_price: text, pool_price_change_24h: other },
            pool_current_total_tokens_sold: text,
            pool_config_num_tokens_to_sell: other,
          }),
          defaultUnits,
        )
        const texts = [
          shown.price?.amount,
          shown.change24h,
          shown.sold,
          shown.toSell,
          shown.progress,
        ]
        for (const each of texts) {
          if (each === undefined) continue
          expect(each).toMatch(/^-?\d+(\.\d+)?$/u)
          expect(each.length).toBeLessThan(300)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['+1.5', '1.5'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    [`${'0'.repeat(99)}1`, '1'],
    [`${'0'.repeat(100)}1`, undefined],
    ['1e80', `1${'0'.repeat(80)}`],
    ['1e81', undefined],
    ['1e-80', `0.${'0'.repeat(79)}1`],
    ['1e-81', undefined],
  ])('%s is %s', (text, number) => {
    expect(decimal(text)?.toFixed()).toBe(number)
  })

  test('keeps every digit of what it reads', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), (wei) => {
        expect(decimal(String(wei))?.toFixed()).toBe(String(wei))
      }),
    )
  })
})

const now = 1_790_000_000

function read(wire: Record<string, unknown>, words = ''): Asset {
  const asset = assetSchema.parse({ asset_address: address, ...wire })
  const statusWords = statusWordsSchema.parse(words)
  return withStatus(asset, { statusWords, units: defaultUnits, now })
}

function sale(startsIn: number | undefined, endsIn: number | undefined, more: object = {}) {
  return {
    auction_pool: {
      ...(startsIn !== undefined && { pool_config_starting_time: String(now + startsIn) }),
      ...(endsIn !== undefined && { pool_config_ending_time: String(now + endsIn) }),
      ...more,
    },
  }
}

const graduation = {
  graduation_pool: { pool_address: `0x${'b'.repeat(40)}`, pool_current_price: '1' },
}
const isOn = sale(-60, 60)

describe('a word of the API', () => {
  test.each([
    ['live', 'live'],
    ['LIVE', 'live'],
    ['Auction_Live', 'live'],
    ['on sale', 'live'],
    ['done', 'graduated'],
    ['stall', 'stall'],
  ])('%s means %s', (word, status) => {
    const words = 'live=auction_live,live=on sale,graduated=done'
    expect(statusOf(read({ asset_status: word, ...isOn }, words))).toBe(status)
  })

  test('takes precedence over the times', () => {
    expect(statusOf(read({ asset_status: 'graduated', ...isOn }))).toBe('graduated')
  })

  test('may replace one of the document', () => {
    expect(statusOf(read({ asset_status: 'live' }, 'incoming=live'))).toBe('incoming')
    expect(defaultStatusWords.get('live')).toBe('live')
  })
})

describe.each([
  ['where there is no word', {}],
  ['where the word is unknown', { asset_status: 'open' }],
])('%s', (_, status) => {
  test.each<[string, string | undefined, Record<string, unknown>]>([
    ['a sale that is on', 'live', isOn],
    ['a sale without an end', 'live', sale(-60, undefined)],
    ['a sale that begins now', 'live', sale(0, 60)],
    ['a sale of which only the end is known', 'live', sale(undefined, 60)],
    ['a sale that ends now', 'ended', sale(-60, 0)],
    ['a sale that is to come', 'incoming', sale(60, 120)],
    ['a sale that is over', 'ended', sale(-120, -60)],
    [
      'a sale that is sold out',
      'ended',
      sale(-60, 60, { pool_current_sale_progress_percentage: 100 }),
    ],
    [
      'a share of it that is sold',
      'live',
      sale(undefined, undefined, { pool_current_sale_progress_percentage: 7 }),
    ],
    ['a pool that it graduated to', 'graduated', { ...isOn, ...graduation }],
    [
      'a time at which it graduated',
      'graduated',
      { ...isOn, asset_migration_timestamp: String(now - 5) },
    ],
    [
      'a place-holder of a pool',
      'live',
      { ...isOn, graduation_pool: { pool_address: `0x${'0'.repeat(40)}` } },
    ],
  ])('%s says %s', (_what, derived, wire) => {
    expect(statusOf(read({ ...status, ...wire }))).toBe(derived)
  })
})

describe('a time of migration that is still to come', () => {
  const soon = String(now + 1)
  const places: [string, Record<string, unknown>][] = [
    ['the asset', { ...isOn, asset_migration_timestamp: soon }],
    ['its auction', sale(-60, 60, { pool_migration_timestamp: soon })],
    [
      'the pool that it is to get',
      {
        ...isOn,
        graduation_pool: { pool_address: `0x${'b'.repeat(40)}`, pool_migration_timestamp: soon },
      },
    ],
  ]
  test.each(places)('in the field %s says nothing of the present', (_, wire) => {
    expect(statusOf(read(wire))).toBe('live')
    const live = read({ ...graduation, ...wire, asset_status: 'open' }, 'live=open')
    expect(currentPool(live)).toBe('auction')
    expect(figuresOf(live, defaultUnits).migratedAt).toBeUndefined()
  })

  test.each(places)('in the field %s counts once it has come', (_, wire) => {
    const passed = JSON.parse(JSON.stringify(wire).replaceAll(soon, String(now)))
    expect(graduationPool(read({ ...graduation, ...passed, asset_status: 'live' }))).toBeDefined()
  })

  test('is shown of an asset with the status graduated: clocks differ', () => {
    const wire = { ...isOn, ...graduation, asset_migration_timestamp: soon }
    const asset = read({ ...wire, asset_status: 'graduated' })
    expect(figuresOf(asset, defaultUnits).migratedAt).toBe(now + 1)
  })
})

test('without times, the API’s own status is shown', () => {
  expect(statusOf(read({ asset_status: 'Paused' }))).toBe('paused')
  expect(statusOf(read({}))).toBeUndefined()
})
