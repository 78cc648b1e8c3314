import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contradiction,
  graduationPool,
  matchesTerm,
  poolName,
  repeats,
  sameListing,
} from '../../../src/api/asset.ts'
import type { Asset } from '../../../src/api/schema.ts'

const one = '0x00000000000000000000000000000000000000A1'
const two = '0x00000000000000000000000000000000000000b2'

/** The pool initializer of all auctions on Robinhood Chain, in the API's letters, and an id as the API composes it. */
const shared = '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544'
const composite = `4663-${one.toLowerCase()}`

function asset(fields: Partial<Asset> = {}): Asset {
  return { asset_address: one, ...fields }
}

function named(token_name: string, token_symbol = 'X'): Asset {
  return asset({ auction_pool: { base_token: { token_name, token_symbol } } })
}

describe('status', () => {
  test.each([
    ['live', 'live', false],
    ['live', 'LIVE', false],
    ['live', 'graduated', true],
    ['graduated', 'incoming', true],
    ['live', 'stall', false],
    ['live', 'something-new', false],
    ['live', undefined, false],
    ['all', 'graduated', false],
  ])('asked %s, answered %s: contradicts %s', (status, asset_status, contradicts) => {
    expect(contradiction(asset({ asset_status }), { status }) === 'status').toBe(contradicts)
  })
})

describe('numeraire and creator', () => {
  test('contradict only if another address is given, whatever its case', () => {
    const numeraire = one.toLowerCase()
    expect(contradiction(asset({ asset_numeraire_address: one }), { numeraire })).toBeUndefined()
    expect(contradiction(asset({ asset_numeraire_address: two }), { numeraire })).toBe('numeraire')
    expect(contradiction(asset(), { numeraire })).toBeUndefined()

    const by = (token_creator_address: string) =>
      asset({ graduation_pool: { base_token: { token_creator_address } } })
    expect(contradiction(by(one), { creator: numeraire })).toBeUndefined()
    expect(contradiction(by(two), { creator: numeraire })).toBe('creator')
    expect(contradiction(asset(), { creator: numeraire })).toBeUndefined()
  })
})

describe('category', () => {
  test('contradicts only if categories are given and the one asked for is not among them', () => {
    const category = 'builder-coin'
    const of = (...asset_categories: string[]) => asset({ asset_categories })
    expect(contradiction(of('product-coin', 'builder-coin'), { category })).toBeUndefined()
    expect(contradiction(of('product-coin'), { category })).toBe('category')
    expect(contradiction(of(), { category })).toBeUndefined()
    expect(contradiction(asset(), { category })).toBeUndefined()
  })
})

describe('term', () => {
  test.each([
    ['otter', 'Moon Otter'],
    ['MOON-OTTER', 'moon otter'],
    ['moonotter', 'Moon. Otter!'],
    ['otter moon', 'Moon Otter'],
    ['cafe', 'Café'],
    ['istanbul', 'İstanbul'],
    ['$otter', 'OTTER'],
    ['🦦', 'The 🦦 coin'],
    ['...', 'anything'],
    ['моя', 'МОЯ монета'],
    ['币', '月亮币'],
  ])('%j is found in %j', (term, name) => {
    expect(matchesTerm(named(name), term)).toBe(true)
  })

  test.each([
    ['otter', 'Badger'],
    ['otter moon', 'Otter'],
    ['🦦', 'Otter'],
  ])('%j is not found in %j', (term, name) => {
    expect(contradiction(named(name), { term })).toBe('term')
  })

  test('is found in symbols and addresses, and not in an asset without any of its letters', () => {
    expect(matchesTerm(named('Badger', 'OTTER'), 'otter')).toBe(true)
    expect(matchesTerm(asset(), one.toLowerCase())).toBe(true)
    expect(matchesTerm(asset({ auction_pool: { pool_id: two } }), two)).toBe(true)
    expect(matchesTerm(asset(), 'otter')).toBe(false)
  })

  test('is not found in an address that auctions share, but in the id of a pool', () => {
    const hooked = asset({ auction_pool: { pool_address: shared, pool_id: composite } })
    expect(matchesTerm(hooked, shared)).toBe(false)
    expect(matchesTerm(hooked, composite)).toBe(true)
  })

  test('finds every name by itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (name) => {
        expect(matchesTerm(named(name), name)).toBe(true)
      }),
    )
  })
})

describe('two listings', () => {
  const list = (from: number, count: number, time = 'a') =>
    Array.from({ length: count }, (_, index) =>
      asset({
        asset_address: `0x${(from + index).toString(16).padStart(40, '0')}`,
        asset_creation_timestamp: time,
      }),
    )

  test('are the same if most of the shorter one is in the longer one', () => {
    expect(sameListing(list(0, 50), list(0, 50))).toBe(true)
    expect(sameListing(list(0, 50), list(5, 50))).toBe(true)
    expect(sameListing(list(0, 20), list(0, 50))).toBe(true)
  })

  test('are not if they share little or one is empty', () => {
    expect(sameListing(list(0, 50), list(40, 50))).toBe(false)
    expect(sameListing(list(0, 50), [])).toBe(false)
    expect(sameListing([], [])).toBe(false)
  })

  test('are not if the same addresses were created at other times, as on another chain', () => {
    expect(sameListing(list(0, 3, 'a'), list(0, 3, 'b'))).toBe(false)
  })
})

describe('a page', () => {
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      asset({ asset_address: `0x${String(from + index).padStart(40, '0')}` }),
    )

  test.each([
    ['again', numbered(0, 11), numbered(0, 11), true],
    ['again, with one that came in meanwhile', numbered(0, 11), numbered(1, 12), true],
    ['again, asked for with a smaller limit', numbered(0, 3), numbered(0, 11), true],
    ['the next one', numbered(10, 21), numbered(0, 11), false],
    ['the next one, moved on by what came in', numbered(8, 19), numbered(0, 11), false],
    ['the last one, of one asset', numbered(10, 11), numbered(0, 11), false],
    ['empty', [], numbered(0, 11), false],
  ])('that is %s repeats the one before: %#', (_, page, before, isRepeated) => {
    expect(repeats(page, before)).toBe(isRepeated)
  })
})

describe('the name of a pool', () => {
  const id = `0x${'c'.repeat(64)}`

  test.each([
    ['its address', { pool_address: two, pool_id: id }, two],
    ['its id if auctions share the address', { pool_address: shared, pool_id: id }, id],
    ['an id that the API composed', { pool_address: shared, pool_id: composite }, composite],
    ['its id if it has no address', { pool_id: composite }, composite],
    ['nothing if only the shared address is there', { pool_address: shared }, undefined],
    ['nothing if the id is none', { pool_address: shared, pool_id: '4663-../assets' }, undefined],
    ['nothing if the address is none', { pool_address: 'javascript:1', pool_id: id }, undefined],
  ])('is %s', (_, pool, name) => {
    expect(poolName(pool)).toBe(name)
  })
})

test('two assets in one shared contract are two, and a placeholder is no pool after the auction', () => {
  const placeholder = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'
  const [first, second] = [one, two].map((address) => ({
    ...asset({ auction_pool: { pool_address: shared } }),
    asset_address: address,
    graduation_pool: { pool_address: placeholder, pool_current_price: '1' },
  }))
  if (!first || !second) throw new Error('there are two')
  expect(sameListing([first], [second])).toBe(false)
  expect(repeats([first], [second])).toBe(false)
  expect(graduationPool({ ...first, asset_status: 'graduated' })).toBeUndefined()
})
