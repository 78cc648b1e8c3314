import { describe, expect, test } from 'vitest'
import { auctionSummarySchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { auctionView } from '../../../src/views/auction.ts'
import { address, asset, base, fullAsset, now, withValue } from './sample.ts'
import { controls, shown } from './shown.ts'

const pool = `0x${'a'.repeat(40)}`
const poolId = `0x${'c'.repeat(64)}`

const summary = {
  auction_pool_address: pool,
  auction_pool_id: poolId,
  auction_base_token_name: 'Moon Otter',
  auction_base_token_symbol: 'OTTER',
  auction_base_token_address: address,
  auction_quote_token_name: 'Wrapped Ether',
  auction_quote_token_symbol: 'WETH',
  auction_quote_token_address: '0x4200000000000000000000000000000000000006',
}

function view(wire: object, known?: object, asked = pool) {
  return auctionView({
    auction: auctionSummarySchema.parse(wire),
    pool: asked,
    chain: base,
    units: defaultUnits,
    freshness: { fetchedAt: now, stale: false, now },
    asset: known && asset(known),
  })
}

test('a summary without its asset', () => {
  expect(shown(view(summary))).toEqual([
    'Auction of Moon Otter',
    'Sells: Moon Otter $OTTER',
    'Paid in: Wrapped Ether $WETH',
    'Token: 0x4200…0aaa',
    'Quote token: 0x4200…0006',
    `Pool ID: ${poolId}`,
    `Pool: ${pool}`,
  ])
  expect(controls(view(summary))).toEqual([
    [
      `Refresh auction ${pool} chain:8453`,
      `Token +asset ${address} chain:8453`,
      `Explorer https://basescan.org/address/${pool}`,
    ],
  ])
})

test.each([
  ['BUILD', ['Paid in: $BUILD']],
  ['USDC', []],
  [undefined, []],
])(
  'a quote token of which only a symbol is known goes by it, unless it imitates another: %s',
  (symbol, said) => {
    const quote = `0x${'b'.repeat(40)}`
    const wire = {
      ...summary,
      auction_quote_token_name: undefined,
      auction_quote_token_symbol: symbol,
    }
    const lines = shown(view({ ...wire, auction_quote_token_address: quote }))
    expect(lines.filter((line) => line.startsWith('Paid in'))).toEqual(said)
    expect(lines).toContain('Quote token: 0xbbbb…bbbb')
  },
)

test('a summary with its asset also shows the progress of the sale', () => {
  const known = withValue(fullAsset, ['graduation_pool'], undefined)
  const lines = shown(view(summary, known))
  expect(lines).toEqual(
    expect.arrayContaining([
      'Base · 🟢 Live',
      expect.stringMatching(/^Market cap: \$12\.3M/u),
      '42% sold [0.42]',
      'Sold: 252M of 600M',
    ]),
  )
  expect(view(summary, known).tone).toBe('good')
})

describe('absent fields are left out', () => {
  test('of a summary with nothing in it', () => {
    expect(shown(view({}))).toEqual(['Auction of Unnamed', `Pool: ${pool}`])
    expect(controls(view({}))).toEqual([
      [`Refresh auction ${pool} chain:8453`, `Explorer https://basescan.org/address/${pool}`],
    ])
  })

  test.each(Object.keys(summary))('without %s', (field) => {
    const lines = shown(view({ ...summary, [field]: undefined }, fullAsset))
    expect(lines.join('\n')).not.toMatch(/undefined|: ?$/mu)
  })
})

test('a pool known by its id has no page of its own at the explorer', () => {
  expect(
    controls(view(summary, undefined, poolId))
      .flat()
      .join(),
  ).not.toContain('Explorer')
})

test('an invalid address is no link', () => {
  const wire = {
    ...summary,
    auction_base_token_address: 'https://evil.example',
    auction_pool_id: '<b>\u202e',
  }
  const text = JSON.stringify(view(wire))
  expect(text).not.toContain('"url":"https://evil')
  expect(text).not.toContain('<b>')
  expect(controls(view(wire)).flat()).toHaveLength(2)
})
