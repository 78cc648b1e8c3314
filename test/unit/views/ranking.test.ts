import { describe, expect, test } from 'vitest'
import { defaultUnits, type Units, unitsSchema } from '../../../src/api/units.ts'
import { type Ranking, ranked } from '../../../src/views/ranking.ts'
import { asset, base, fullAsset, now, withValue } from './sample.ts'
import { read } from './shown.ts'

const day = 86_400
const weth = fullAsset.asset_numeraire_address
const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const other = `0x${'9'.repeat(40)}`

const live = withValue(fullAsset, ['graduation_pool'], undefined)

interface Wished {
  name: string
  raised?: string
  quote?: string
  change?: string
  volume?: string
  /** Seconds. */
  age?: number
}

let count = 0

function token({ name, raised, quote = weth, change, volume, age = 60 }: Wished) {
  count += 1
  const market = ['auction_pool', 'pool_market_data']
  const values: [string[], unknown][] = [
    [['asset_address'], `0x${String(count).padStart(40, '0')}`],
    [['asset_numeraire_address'], quote],
    // With a price in the quote token all would be in dollars.
    [['auction_pool', 'pool_current_sqrt_price'], undefined],
    [['auction_pool', 'pool_current_price'], undefined],
    [['asset_creation_timestamp'], new Date((now - age) * 1000).toISOString()],
    [['auction_pool', 'base_token', 'token_name'], name],
    [['auction_pool', 'pool_current_total_proceeds'], raised && `${raised}000000000000000000`],
    [[...market, 'pool_price_change_24h'], change],
    [[...market, 'pool_volume_usd_24h'], volume],
  ]
  return asset(values.reduce((wire, [path, value]) => withValue(wire, path, value), live))
}

function rank(ranking: Ranking, wished: readonly Wished[], units: Units = defaultUnits) {
  const since = now - day
  const { items, note } = ranked(ranking, { assets: wished.map(token), chain: base, units, since })
  return {
    lines: items.map(({ spans }) => read(spans).replace(/^🟢 | \$OTTER/gu, '')),
    note: note && read(note),
  }
}

describe('raised most', () => {
  test('is by amount, not by text, and only of tokens that were launched since', () => {
    const { lines, note } = rank('raised', [
      { name: 'Nine', raised: '9' },
      { name: 'Old', raised: '99', age: day + 1 },
      { name: 'Twelve', raised: '12' },
      { name: 'None', raised: '0' },
      { name: 'Unknown' },
    ])
    expect(lines).toEqual(['Twelve · Raised 12 WETH · 42% sold', 'Nine · Raised 9 WETH · 42% sold'])
    expect(note).toBeUndefined()
  })

  test('never compares amounts in different quote tokens: the most common one is ranked', () => {
    const { lines, note } = rank('raised', [
      { name: 'Dollars', raised: '30', quote: usdc },
      { name: 'One', raised: '1' },
      { name: 'Strange', raised: '20', quote: other },
      { name: 'Two', raised: '2' },
    ])
    expect(lines).toEqual(['Two · Raised 2 WETH · 42% sold', 'One · Raised 1 WETH · 42% sold'])
    expect(note).toBe('2 more raised in other quote tokens, which can’t be compared.')
  })

  test('compares all in dollars where the API gives a price in both', () => {
    // $0.01234 and 0.00000617 of the quote token: $2,000 each.
    const units = unitsSchema.parse({ pool_current_price: 'numeraire18' })
    const priced = (wished: Wished) =>
      asset({
        ...withValue(token(wished), ['auction_pool', 'pool_current_price'], '6170000000000'),
        decimals: { quote: 18, token: 18 },
      })
    const assets = [
      priced({ name: 'One', raised: '1' }),
      priced({ name: 'Strange', raised: '3', quote: other }),
    ]
    const { items, note } = ranked('raised', { assets, chain: base, units, since: now - day })
    expect(items.map(({ spans }) => read(spans))).toEqual([
      '🟢 Strange $OTTER · Raised $6K · 42% sold',
      '🟢 One $OTTER · Raised $2K · 42% sold',
    ])
    expect(note).toBeUndefined()
  })

  test('has ten at most', () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      name: 'Many',
      raised: `${index + 1}`,
    }))
    const { lines } = rank('raised', many)
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toContain('Raised 3 WETH')
  })
})

test('moved most is by the size of the change, up or down, of tokens that were traded', () => {
  const { lines } = rank('moved', [
    { name: 'Up', change: '0.2', volume: '10' },
    { name: 'Still', change: '0', volume: '10' },
    { name: 'Down', change: '-0.9', volume: '5000', age: 30 * day },
    { name: 'Untraded', change: '5', volume: '0' },
    { name: 'Unknown', volume: '10' },
  ])
  expect(lines).toEqual([
    'Down · ▼ 90% (24h) · $0.01234 · Volume $5K',
    'Up · ▲ 20% (24h) · $0.01234 · Volume $10.00',
  ])
})

test('new is by age', () => {
  const { lines } = rank('new', [
    { name: 'Hours', age: 7200 },
    { name: 'Week', age: 7 * day },
    { name: 'Minute', age: 60 },
  ])
  expect(lines).toEqual([
    'Minute · 2023-11-14 22:12 · MC $12.3M · 42% sold',
    'Hours · 2023-11-14 20:13 · MC $12.3M · 42% sold',
  ])
})

test('market caps are ranked in dollars, those in a quote token only counted', () => {
  const priced = (name: string, cap: string | undefined) =>
    asset({
      ...withValue(token({ name, raised: '1' }), ['auction_pool', 'pool_market_data'], {
        pool_market_cap: cap,
      }),
      decimals: { quote: 18, token: 18 },
    })
  const inQuote = priced('Quote', undefined)
  const auction = {
    ...inQuote.auction_pool,
    pool_current_price: '5',
    pool_current_market_cap: '5000000000',
  }
  const assets = [
    priced('Small', '20000'),
    { ...inQuote, auction_pool: auction },
    priced('Large', '3000000'),
  ]
  const { items, note } = ranked('mcap', { assets, chain: base, units: defaultUnits, since: now })
  expect(items.map(({ spans }) => read(spans))).toEqual([
    expect.stringContaining('Large'),
    expect.stringContaining('Small'),
  ])
  expect(note && read([note])).toBe('1 more has a figure in its quote token only.')
})

test('an upcoming token has no place among the largest market caps', () => {
  const assets = ['live', 'incoming'].map((status) => ({
    ...token({ name: status }),
    asset_status: status,
  }))
  const { items } = ranked('mcap', { assets, chain: base, units: defaultUnits, since: now })
  expect(items.map(({ spans }) => read(spans))).toEqual([expect.stringContaining('live')])
})
