import { describe, expect, test } from 'vitest'
import { defaultDialect } from '../../../sandbox/interface/dialect.ts'
import { type DialectName, dialects } from '../../../sandbox/interface/dialects.ts'
import { isHostile } from '../../../sandbox/interface/hostile.ts'
import type { Placeholder } from '../../../sandbox/interface/placeholder.ts'
import { showcaseAddresses } from '../../../sandbox/interface/showcase.ts'
import { speaking, valuesOf } from './dialect-asking.ts'

const page = { chainId: 8453, limit: 50 }

async function listIn(dialect: DialectName) {
  await using standIn = await speaking(dialect)
  return await standIn.ask('/assets/', page)
}

async function otterIn(dialect: DialectName): Promise<string> {
  await using standIn = await speaking(dialect)
  return (await standIn.ask('/assets/search', { chainId: 8453, term: 'Moon Otter' })).text
}

describe('numbers', () => {
  test('are text as the document has them, and the progress is a number', async () => {
    const text = await otterIn('usual')
    expect(text).toContain('"pool_price":"0.00113"')
    expect(text).toContain('"pool_current_sale_progress_percentage":42')
    expect(text).toContain('"token_decimals":18')
  })

  test('are bare JSON numbers with every digit of large integers', async () => {
    const text = await otterIn('json-numbers')
    expect(text).toContain('"pool_current_total_tokens_sold":252000000000000000000000000')
    expect(text).toContain('"pool_current_total_proceeds":64181250000000000000,')
    expect(text).toMatch(/"pool_current_sqrt_price":\d{20,},/u)
    expect(text).toMatch(/"pool_config_starting_time":\d{10},/u)
    expect(text).toContain('"amount":50000000000000000000000000')
    const { assets } = await listIn('json-decimals')
    for (const field of Object.keys(defaultDialect.units)) {
      const values = valuesOf(field, assets)
      expect(values.length).toBeGreaterThan(0)
      expect(values.every((value) => value === null || typeof value === 'number')).toBe(true)
    }
  })

  test('lack the nought before the point', async () => {
    const text = await otterIn('bare-fractions')
    expect(text).toContain('"pool_price":".00113"')
    expect(text).toContain('"pool_price_change_24h":".154"')
    expect(text).toContain('"pool_current_sale_progress_percentage":".42"')
  })

  test('are in scientific notation, as text or bare', async () => {
    expect(await otterIn('exponents')).toContain('"pool_current_market_cap":"1.13e+24"')
    const bare = await otterIn('json-exponents')
    expect(bare).toContain('"pool_current_market_cap":1.13e+24')
    expect(bare).toContain('"pool_price_change_24h":1.54e-1')
  })
})

test.each([
  ['seconds', /^\d{10}$/u],
  ['milliseconds', /^\d{13}$/u],
  ['iso', /^\d{4}-\d\d-\d\dT.*Z$/u],
] as const)('times are %s', async (dialect, form) => {
  const { assets } = await listIn(dialect)
  const names = [
    'pool_config_starting_time',
    'pool_config_ending_time',
    'asset_creation_timestamp',
    'asset_migration_timestamp',
  ]
  for (const name of names) {
    const times = valuesOf(name, assets).filter((time) => time !== null)
    expect(times.length).toBeGreaterThan(0)
    expect(times.every((time) => form.test(String(time)))).toBe(true)
  }
})

const addresses: Partial<Record<Placeholder, unknown>> = {
  zero: '0x0000000000000000000000000000000000000000',
  dead: '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD',
  none: 'none',
  '0x': '0x',
  blank: '',
  'null-address': null,
  'null-address-zeros': null,
  'zero-zeros': '0x0000000000000000000000000000000000000000',
  'dead-copy': '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD',
  absent: undefined,
  null: undefined,
  empty: undefined,
}
const withPlaceholder = Object.entries(dialects).flatMap(([name, dialect]) =>
  dialect.placeholder === undefined || name === 'everything'
    ? []
    : [{ name, dialect, placeholder: dialect.placeholder }],
)

test('every place-holder is some dialect’s', () => {
  expect(new Set(withPlaceholder.map(({ placeholder }) => placeholder))).toEqual(
    new Set(Object.keys(addresses)),
  )
})

test.each(withPlaceholder)(
  '$name: what has not graduated alone has the place-holder',
  async ({ dialect, placeholder }) => {
    await using standIn = await speaking(dialect)
    const { assets } = await standIn.ask('/assets/', page)
    const [done, others] = [true, false].map((has) =>
      assets.filter((asset) => (asset.asset_migration_timestamp !== null) === has),
    )
    expect(done?.length).toBeGreaterThan(0)
    for (const asset of done ?? []) {
      expect(valuesOf('pool_address', asset.graduation_pool)).toEqual([
        expect.stringMatching(/^0x[\dA-F]{40}$/iu),
      ])
      expect(asset.graduation_pool).toMatchObject({ pool_migration_timestamp: expect.anything() })
    }
    expect(others?.length).toBeGreaterThan(0)
    for (const asset of others ?? []) {
      expect('graduation_pool' in asset).toBe(placeholder !== 'absent')
      const isPool = addresses[placeholder] !== undefined
      expect(valuesOf('pool_address', asset.graduation_pool)).toEqual(
        isPool ? [addresses[placeholder]] : [],
      )
      if (placeholder === 'null') expect(asset.graduation_pool).toBeNull()
      if (placeholder === 'empty') expect(asset.graduation_pool).toEqual({})
      if (placeholder.endsWith('zeros')) {
        expect(valuesOf('pool_price', asset.graduation_pool)).toEqual(['0'])
      }
    }
  },
)

test('the copy at a dead address has the figures of the auction', async () => {
  const { assets } = await listIn('pool-dead-copy')
  const otter = assets.find(({ asset_address: each }) => each === showcaseAddresses.moonOtter)
  expect(otter?.graduation_pool).toMatchObject({
    pool_current_price: '1130000000000000',
    pool_market_data: { pool_price: '0.00113' },
  })
})

describe('status words', () => {
  test('are those of the dialect, while the filter keeps the document’s', async () => {
    await using standIn = await speaking('statuses')
    const live = await standIn.ask('/assets/', { ...page, status: 'live' })
    expect(new Set(valuesOf('asset_status', live.assets))).toEqual(new Set(['auction_live']))
    expect((await standIn.ask('/assets/', { status: 'auction_live' })).status).toBe(400)
    const all = await standIn.ask('/assets/', page)
    expect(new Set(valuesOf('asset_status', all.assets))).toEqual(
      new Set(['scheduled', 'auction_live', 'migrated', 'failed']),
    )
  })

  test('are not sent', async () => {
    const { assets, text } = await listIn('no-status')
    expect(assets.length).toBeGreaterThan(20)
    expect(text).not.toContain('asset_status')
  })
})

test('sparse fields are missing, or null', async () => {
  const [sparse, nulls] = [await listIn('sparse'), await listIn('nulls')]
  for (const field of Object.keys(dialects.sparse.absent)) {
    expect(sparse.text).not.toContain(`"${field}"`)
    const values = valuesOf(field, nulls.assets)
    expect(values.length).toBeGreaterThan(0)
    expect(new Set(values)).toEqual(new Set([null]))
  }
  expect(valuesOf('pool_current_market_cap', sparse.assets).length).toBeGreaterThan(0)
})

test('names stand in the data of the URI alone', async () => {
  const text = await otterIn('uri-names')
  expect(text).not.toContain('token_name')
  expect(text).toContain('"token_uri_data":{"name":"Moon Otter"')
})

test('the current pool is named by its address', async () => {
  const { assets } = await listIn('pool-addresses')
  const otter = assets.find(({ asset_address: each }) => each === showcaseAddresses.moonOtter)
  expect(otter?.auction_pool).toMatchObject({ pool_address: otter?.asset_current_pool })
  const space = assets.find(({ asset_address: each }) => each === showcaseAddresses.otterSpace)
  expect(space?.graduation_pool).toMatchObject({ pool_address: space?.asset_current_pool })
})

test('hostile figures stand in the hostile assets alone, of every kind', async () => {
  const [hostile, usual] = [await listIn('hostile'), await listIn('usual')]
  const plain = /^-?\d{1,40}(?:\.\d{1,40})?(?:e-?\+?\d{1,2})?$/u
  const seen = new Set<string>()
  for (const [index, asset] of hostile.assets.entries()) {
    if (!isHostile(String(asset.asset_address))) {
      expect(asset).toEqual(usual.assets[index])
      continue
    }
    for (const field of Object.keys(defaultDialect.units)) {
      for (const value of valuesOf(field, asset)) {
        seen.add(JSON.stringify(value))
        expect(typeof value === 'string' && plain.test(value) && !/^-|e70/u.test(value)).toBe(false)
      }
    }
  }
  for (const value of ['1e400', 'NaN', '-5', '', [], {}]) {
    expect(seen).toContain(JSON.stringify(value))
  }
  expect(isHostile(showcaseAddresses.moonOtter)).toBe(false)
})
