import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readItems, readResult } from '../../../src/api/asset.ts'
import {
  type Asset,
  auctionSummarySchema,
  builtAuctionSchema,
  uploadResultSchema,
  wireAssetSchema,
} from '../../../src/api/schema.ts'
import { ApiError } from '../../../src/errors.ts'

const readAsset = (body: unknown) => readResult(body, wireAssetSchema)
const readBuiltAuction = (body: unknown) => readResult(body, builtAuctionSchema)
const readUpload = (body: unknown) => readResult(body, uploadResultSchema)

const address = '0x00000000000000000000000000000000000000a1'

function read(fields: object): Asset {
  return readAsset({ result: { asset_address: address, ...fields } })
}

function readToken(fields: object) {
  return read({ auction_pool: { base_token: fields } }).auction_pool?.base_token
}

function readPool(fields: object) {
  return read({ auction_pool: fields }).auction_pool
}

describe('an asset', () => {
  test('keeps every documented field under its own name', () => {
    const texts = (names: string) =>
      Object.fromEntries(names.split(' ').map((name, index) => [name, String(index + 1)]))
    const token = {
      ...texts('token_address token_name token_description token_symbol token_image_public_url'),
      ...texts('token_creator_address token_fee_receiver_address'),
      token_decimals: 18,
      token_uri_data: {
        ...texts('name description image_hash fee_receiver'),
        social_links: [texts('label url')],
        vesting_recipients: [texts('address amount percentage')],
      },
      token_vesting_recipient_addresses: [address],
    }
    const state = {
      ...texts(
        'pool_current_price pool_current_sqrt_price pool_current_fdv pool_address pool_type',
      ),
      ...texts('pool_current_liquidity pool_current_market_cap pool_migration_timestamp'),
      pool_current_tick: -5,
      pool_market_data: {
        ...texts('pool_liquidity pool_market_cap pool_price_scale pool_price_change_24h'),
        ...texts('pool_volume_change_24h pool_volume_usd_24h'),
        pool_price: '2.84080493699e-4',
      },
    }
    const asset = {
      ...texts('asset_numeraire_address asset_creation_timestamp asset_current_pool asset_status'),
      asset_address: address,
      asset_migration_timestamp: '2026-01-02T00:00:00Z',
      asset_categories: ['builder-coin'],
      auction_pool: {
        ...state,
        ...texts('pool_current_fees_accrued pool_current_total_proceeds pool_id'),
        ...texts('pool_current_total_tokens_sold pool_last_epoch_total_tokens_sold'),
        ...texts('pool_config_max_proceeds pool_config_min_proceeds pool_config_starting_time'),
        ...texts('pool_config_num_tokens_to_sell pool_config_ending_time'),
        pool_last_epoch: 7,
        pool_current_sale_progress_percentage: '42.5',
        base_token: token,
      },
      graduation_pool: { ...state, base_token: { ...token, integrator_address: address } },
    }
    expect(readAsset({ result: asset })).toEqual(asset)
  })

  test('drops fields that are null, blank or of the wrong type, and keeps the rest', () => {
    const asset = read({
      asset_numeraire_address: null,
      asset_creation_timestamp: { at: 1 },
      asset_categories: 'builder-coin',
      asset_status: '  ',
      auction_pool: ['not', 'an', 'object'],
      graduation_pool: null,
      asset_current_pool: 'auction',
      invented_field: 1,
    })
    expect(asset).toEqual({ asset_address: address, asset_current_pool: 'auction' })
    expect(asset).not.toHaveProperty('invented_field')
  })

  test('accepts numbers for text and text for numbers if nothing is lost', () => {
    expect(
      readPool({
        pool_current_price: 0.25,
        pool_current_tick: '-12',
        pool_current_sale_progress_percentage: 42.5,
        pool_config_starting_time: 1_790_000_000,
      }),
    ).toEqual({
      pool_current_price: '0.25',
      pool_current_tick: -12,
      pool_current_sale_progress_percentage: '42.5',
      pool_config_starting_time: '1790000000',
    })
  })

  test('drops an amount whose digits JSON has already rounded away', () => {
    const body: unknown = JSON.parse(
      `{"result":{"asset_address":"${address}","auction_pool":{"pool_config_max_proceeds":123456789012345678901}}}`,
    )
    expect(readAsset(body).auction_pool).toEqual({})
  })

  test('keeps unknown values of status, pool and category as they are', () => {
    const unknown = { asset_status: 'frozen', asset_current_pool: 'x', asset_categories: ['new'] }
    expect(read(unknown)).toMatchObject(unknown)
  })

  test('skips junk inside lists', () => {
    const token = readToken({
      token_uri_data: { social_links: [1, null, { label: 'ok', url: 'https://a.example' }] },
      token_vesting_recipient_addresses: [null, address, {}],
    })
    expect(token?.token_uri_data?.social_links).toEqual([{ label: 'ok', url: 'https://a.example' }])
    expect(token?.token_vesting_recipient_addresses).toEqual([address])
  })

  test('cuts long words, but drops long amounts, addresses and links, and bounds lists', () => {
    const token = readToken({
      token_name: '🦦'.repeat(10_000),
      token_address: 'a'.repeat(10_000),
      token_image_public_url: `https://a.example/${'a'.repeat(10_000)}`,
      token_uri_data: { social_links: Array(10_000).fill({ label: 'a', url: 'b' }) },
    })
    expect(token?.token_name).toBe('🦦'.repeat(500))
    expect(token).not.toHaveProperty('token_address', expect.anything())
    expect(token?.token_image_public_url).toBeUndefined()
    expect(token?.token_uri_data?.social_links).toHaveLength(20)
    expect(readPool({ pool_current_price: '1'.repeat(500) })).toEqual({})
  })

  test('has no lone surrogates in its words', () => {
    expect(readToken({ token_name: 'a\ud800b' })?.token_name).toBe('a\ufffdb')
  })
})

describe('a list', () => {
  test('ends at the limit asked for, however many came', () => {
    const result = Array(1000).fill({ asset_address: address })
    expect(readItems({ result }, 10)).toHaveLength(10)
  })
})

describe('the other answers', () => {
  test('treat a null result as nothing found', () => {
    expect(() => readAsset({ result: null })).toThrow(
      expect.objectContaining({ kind: 'not-found' }),
    )
  })

  test('need a hex payload, and nothing else, of a built auction', () => {
    expect(readBuiltAuction({ result: { encoded_payload: '0x882db707' } })).toEqual({
      encoded_payload: '0x882db707',
    })
    for (const encoded_payload of [undefined, '', '0x', '0x123', '882db707', '0xzz']) {
      expect(() => readBuiltAuction({ result: { encoded_payload } })).toThrow(ApiError)
    }
  })

  test('give an upload as it came', () => {
    expect(readUpload({ result: 'bafkreia' })).toBe('bafkreia')
    expect(() => readUpload({ result: '' })).toThrow(ApiError)
  })
})

describe('any JSON', () => {
  const junk = fc.jsonValue({ maxDepth: 4 })
  const keys = fc.constantFrom(
    'asset_address',
    'asset_categories',
    'auction_pool',
    'graduation_pool',
    'base_token',
    'token_uri_data',
    'social_links',
    'pool_market_data',
    'pool_price',
    'token_name',
    '__proto__',
  )
  const nearly = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      junk,
      fc.constant(address),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
    ),
  })).value
  const bodies = fc.oneof(
    junk,
    nearly.map((result) => ({ result })),
  )
  const readers = [
    (body: unknown) => readItems(body, 50),
    readAsset,
    (body: unknown) => readResult(body, auctionSummarySchema),
    readBuiltAuction,
    readUpload,
  ]

  test('is either read or refused as malformed, or as not found where the result is null', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(...readers), (body, reader) => {
        try {
          reader(body)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
          expect(error).toHaveProperty('kind', expect.stringMatching(/^(malformed|not-found)$/u))
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('gives assets whose every field is of its documented type', () => {
    fc.assert(
      fc.property(nearly, (value) => {
        const asset = read({ auction_pool: value, asset_status: value, asset_categories: value })
        const { asset_status: status, asset_categories: categories, auction_pool: pool } = asset
        expect(['string', 'undefined']).toContain(typeof status)
        expect((categories ?? []).every((category) => typeof category === 'string')).toBe(true)
        expect(['string', 'undefined']).toContain(typeof pool?.pool_current_price)
        expect(['number', 'undefined']).toContain(typeof pool?.pool_current_tick)
        expect(['string', 'undefined']).toContain(typeof pool?.base_token?.token_name)
      }),
      { numRuns: 1000 },
    )
  })
})
