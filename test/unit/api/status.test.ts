import { describe, expect, test } from 'vitest'
import {
  currentPool,
  figures,
  graduationPool,
  statusOf,
  withStatus,
} from '../../../src/api/figures.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultStatusWords, statusWordsSchema } from '../../../src/api/status.ts'
import { defaultUnits } from '../../../src/api/units.ts'

const now = 1_790_000_000
const address = `0x${'a'.repeat(40)}`

function read(wire: Record<string, unknown>, words = ''): Asset {
  const asset = assetSchema.parse({ asset_address: address, ...wire })
  const statusWords = statusWordsSchema.parse(words)
  return withStatus(asset, { statusWords, units: defaultUnits, now })
}

function auction(startsIn: number | undefined, endsIn: number | undefined, more: object = {}) {
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
const isOn = auction(-60, 60)

describe('a word of the interface', () => {
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

  test('is believed before the times', () => {
    expect(statusOf(read({ asset_status: 'graduated', ...isOn }))).toBe('graduated')
  })

  test('may take the place of one of the document', () => {
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
    ['a sale without an end', 'live', auction(-60, undefined)],
    ['a sale that begins now', 'live', auction(0, 60)],
    ['a sale of which only the end is known', 'live', auction(undefined, 60)],
    ['a sale that ends now', 'ended', auction(-60, 0)],
    ['a sale that is to come', 'incoming', auction(60, 120)],
    ['a sale that is over', 'ended', auction(-120, -60)],
    [
      'a sale that is sold out',
      'ended',
      auction(-60, 60, { pool_current_sale_progress_percentage: 100 }),
    ],
    [
      'a share of it that is sold',
      'live',
      auction(undefined, undefined, { pool_current_sale_progress_percentage: 7 }),
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
    ['its auction', auction(-60, 60, { pool_migration_timestamp: soon })],
    [
      'the pool that it is to get',
      {
        ...isOn,
        graduation_pool: { pool_address: `0x${'b'.repeat(40)}`, pool_migration_timestamp: soon },
      },
    ],
  ]
  test.each(places)('told by %s says nothing of what is', (_, wire) => {
    expect(statusOf(read(wire))).toBe('live')
    const live = read({ ...graduation, ...wire, asset_status: 'open' }, 'live=open')
    expect(currentPool(live)).toBe('auction')
    expect(figures(live, defaultUnits).migratedAt).toBeUndefined()
  })

  test.each(places)('told by %s counts once it is there', (_, wire) => {
    const passed = JSON.parse(JSON.stringify(wire).replaceAll(soon, String(now)))
    expect(graduationPool(read({ ...graduation, ...passed, asset_status: 'live' }))).toBeDefined()
  })

  test('is kept of an asset that is said to have graduated: clocks differ', () => {
    const wire = { ...isOn, ...graduation, asset_migration_timestamp: soon }
    const asset = read({ ...wire, asset_status: 'graduated' })
    expect(figures(asset, defaultUnits).migratedAt).toBe(now + 1)
  })
})

test('where nothing says how it is doing, the interface’s word stands', () => {
  expect(statusOf(read({ asset_status: 'Paused' }))).toBe('paused')
  expect(statusOf(read({}))).toBeUndefined()
})
