import { describe, expect, test } from 'vitest'
import { chainById } from '../../../src/chain/chains.ts'
import { assetView } from '../../../src/views/asset.ts'
import { address, cardParts, fullAsset, now, paths, withValue } from './sample.ts'
import { controls, shown } from './shown.ts'

const card = (wire: object) => assetView(cardParts(wire))
const fresh = { fetchedAt: now, stale: false, now }
const live = withValue(fullAsset, ['graduation_pool'], undefined)

describe('the card of a live asset', () => {
  test('has everything in its order', () => {
    expect(shown(card(live))).toEqual([
      'Moon Otter $OTTER',
      'Base · 🟢 Live',
      'Price: $0.0₆1234  ▲ 15.4 % in 24 h',
      'Market cap: $12.3M · Liquidity $1.1M · Volume 24 h $24K',
      '42 % sold [0.42]',
      'Sold: 252M of 600M',
      'Proceeds: 12.5 WETH (min 5 WETH, max 40 WETH)',
      'Ends: 2023-11-15 00:13',
      'Created: 2023-11-13 22:13',
      'Creator: 0x1111…1111',
      'Fee receiver: 0x2222…2222',
      'Vesting: 0x3333…3333 5 %',
      'Categories: builder-coin, product-coin',
      'Links: moonotter.example · x.com',
      'Night patrols on three rivers.',
      address,
    ])
  })

  test('has its picture, and buttons that replay lines or lead to the explorer', () => {
    const view = card(live)
    expect(view.image).toBe('https://images.example/otter.png')
    expect(controls(view)).toEqual([
      [
        `Refresh asset ${address} chain:8453`,
        `Auction +auction 0x${'a'.repeat(40)} chain:8453`,
        `🔔 Follow +follow ${address} chain:8453`,
      ],
      [
        `Explorer https://basescan.org/token/${address}`,
        `Pool https://basescan.org/address/0x${'a'.repeat(40)}`,
      ],
    ])
  })

  test('shows times in the reader’s own zone and the address to copy', () => {
    const spans = card(live).blocks.flatMap((block) => {
      if (block.kind === 'fields') return block.fields.flatMap(([, value]) => value)
      return block.kind === 'text' ? block.spans : []
    })
    expect(spans).toContainEqual({ time: now + 7200, as: 'relative' })
    expect(spans).toContainEqual({ time: now - 86_400, as: 'relative' })
    expect(spans.at(-1)).toEqual({ code: address })
  })
})

test('the card of a graduated asset says when and to which pool', () => {
  const wire = { ...fullAsset, asset_status: 'graduated', asset_current_pool: 'graduation' }
  const lines = shown(card(wire))
  expect(lines).toContain('Graduated 2023-11-14 21:13 to 0xbbbb…bbbb')
  expect(lines.join()).not.toMatch(/sold|Proceeds|Ends/u)
  expect(controls(card(wire))[1]).toContain(`Pool https://basescan.org/address/0x${'b'.repeat(40)}`)
})

test('the card of an incoming asset says when it starts', () => {
  const wire = { ...live, asset_status: 'incoming' }
  const cardAt = (shownAt: number) =>
    shown(assetView({ ...cardParts(wire), freshness: { ...fresh, now: shownAt } }))
  expect(cardAt(now - 7201)).toContain('Starts: 2023-11-14 20:13')
  expect(cardAt(now - 7200)).toContain('Start: 2023-11-14 20:13')
  expect(cardAt(now).join()).not.toMatch(/sold|Proceeds|Ends/u)
})

test.each([
  ['before its end', 7199, 'Ends: 2023-11-15 00:13'],
  ['at its end', 7200, 'Ended: 2023-11-15 00:13'],
  ['after its end', 9000, 'Ended: 2023-11-15 00:13'],
])('the card of an asset that is still called live says %s when that is or was', (_, ...rest) => {
  const [later, line] = rest
  const freshness = { ...fresh, now: now + later }
  expect(shown(assetView({ ...cardParts(live), freshness }))).toContain(line)
})

test.each([
  ['LIVE', '🟢 Live'],
  ['stall', '⏸️ Stalled'],
  ['paused_by_vote', 'paused_by_vote'],
  ['constructor', 'constructor'],
  ['__proto__', '__proto__'],
  ['x'.repeat(60), `${'x'.repeat(23)}…`],
])('the status %s is shown as %s', (status, text) => {
  expect(shown(card({ ...live, asset_status: status }))[1]).toBe(`Base · ${text}`)
})

describe('what is absent is left out', () => {
  test('an asset with nothing but its address', () => {
    const view = card({ asset_address: address })
    expect(shown(view)).toEqual(['Unnamed', 'Base', address])
    expect(view.image).toBeUndefined()
    expect(controls(view)).toEqual([
      [`Refresh asset ${address} chain:8453`, `🔔 Follow +follow ${address} chain:8453`],
      [`Explorer https://basescan.org/token/${address}`],
    ])
  })

  const removable = paths(fullAsset).filter((path) => path.join() !== 'asset_address')
  test.each(removable.map((path) => path.join('.')))('without %s', (joined) => {
    const path = joined.split('.')
    for (const status of ['live', 'incoming', 'graduated']) {
      const before = shown(card({ ...fullAsset, asset_status: status }))
      const wire = withValue({ ...fullAsset, asset_status: status }, path, undefined)
      const lines = shown(card(wire))
      expect(lines.length).toBeLessThanOrEqual(before.length)
      expect(lines.join('\n')).not.toMatch(/undefined|null|NaN|\[object|: ?$|^$/mu)
    }
  })

  test('on a chain of which no explorer is known there is no link to one', () => {
    const view = assetView({ ...cardParts(live), chain: chainById(999_999) })
    expect(shown(view)[1]).toBe('Chain 999999 · 🟢 Live')
    expect(controls(view)).toHaveLength(1)
    expect(JSON.stringify(view)).not.toContain('scan')
  })

  test.each([
    ['the place-holder', '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'],
    ['the zero address', `0x${'0'.repeat(40)}`],
  ])('a graduation pool that is %s is none', (_, pool) => {
    const wire = withValue(fullAsset, ['graduation_pool', 'pool_address'], pool)
    expect(shown(card(wire)).join()).not.toContain('Graduated')
  })
})

test('a pool with an address and a price hides nothing of an auction that is on', () => {
  const none = [
    ['asset_migration_timestamp'],
    ['auction_pool', 'pool_migration_timestamp'],
    ['graduation_pool', 'pool_migration_timestamp'],
  ].reduce((wire, path) => withValue(wire, path, undefined), fullAsset)
  const early = withValue(none, ['graduation_pool', 'pool_market_data', 'pool_price'], '7')
  for (const wire of [early, withValue(early, ['asset_current_pool'], 'graduation')]) {
    const view = card(wire)
    expect(shown(view)).toEqual(shown(card(live)))
    expect(controls(view)).toEqual(controls(card(live)))
  }
})

describe('numbers', () => {
  const market = ['auction_pool', 'pool_market_data']
  const priceLine = (price: string, change?: string) => {
    const bare = withValue(live, [...market, 'pool_market_cap'], undefined)
    const capless = ['pool_current_market_cap', 'pool_current_price'].reduce(
      (wire, field) => withValue(wire, ['auction_pool', field], undefined),
      bare,
    )
    const wire = withValue(capless, [...market, 'pool_price'], price)
    const lines = shown(card(withValue(wire, [...market, 'pool_price_change_24h'], change)))
    return lines.find((line) => line.startsWith('Price'))
  }

  test.each([
    // What was paid for is not to be had for nothing.
    ['0', undefined, undefined],
    ['2.84080493699e-4', '-0.03', 'Price: $0.0002841  ▼ 3 % in 24 h'],
    ['1e-7', '0', 'Price: $0.0₆1  0 % in 24 h'],
    ['1234.5', '1.5e-1', 'Price: $1,234.50  ▲ 15 % in 24 h'],
  ])('a price of %s with a change of %s', (price, change, line) => {
    expect(priceLine(price, change)).toBe(line)
  })

  test('a worth of nothing, of next to nothing and an unknown one are told apart', () => {
    const cap = (value: unknown) => {
      const bare = withValue(live, [...market, 'pool_price'], undefined)
      const priceless = withValue(bare, ['auction_pool', 'pool_current_price'], undefined)
      const wire = withValue(priceless, [...market, 'pool_market_cap'], value)
      const without = withValue(wire, ['auction_pool', 'pool_current_market_cap'], undefined)
      const line = shown(card(without)).find((each) => each.startsWith('Market cap'))
      return line?.split(' · ')[0]
    }
    expect(cap('0')).toBe('Market cap: $0')
    expect(cap('0.004')).toBe('Market cap: <$0.01')
    expect(cap('9000000000000')).toBe('Market cap: $9T')
    expect(cap(`9${'0'.repeat(20)}`)).toBeUndefined()
    expect(cap(undefined)).toBeUndefined()
    expect(cap('a lot')).toBeUndefined()
  })

  test('a sale is not called over before all is sold', () => {
    const sold = (wire: object) => shown(card(wire)).find((line) => line.includes(' sold ['))
    const auction = (values: object) => ({
      ...live,
      auction_pool: {
        ...live.auction_pool,
        pool_current_sale_progress_percentage: undefined,
        ...values,
      },
    })
    const almost = { pool_current_total_tokens_sold: `599999999${'9'.repeat(18)}` }
    expect(sold(auction(almost))).toMatch(/^99 % sold \[0\.99/u)
    const all = { pool_current_total_tokens_sold: `600000000${'0'.repeat(18)}` }
    expect(sold(auction(all))).toBe('100 % sold [1]')
    expect(sold(auction({ pool_current_total_tokens_sold: '1000000000000000000' }))).toMatch(
      /^<1 % sold/u,
    )
    expect(sold(auction({ pool_current_total_tokens_sold: '0' }))).toBe('0 % sold [0]')
    expect(sold(auction({ pool_current_total_tokens_sold: undefined }))).toBeUndefined()
  })

  test('even nines that a number would round up leave a gap in the bar', () => {
    const wire = {
      ...live,
      auction_pool: {
        ...live.auction_pool,
        pool_current_sale_progress_percentage: undefined,
        pool_current_total_tokens_sold: `599${'9'.repeat(27)}`,
        pool_config_num_tokens_to_sell: `600${'0'.repeat(27)}`,
      },
    }
    const bar = card(wire).blocks.find((block) => block.kind === 'progress')
    expect(bar?.kind === 'progress' && bar.ratio).toBeLessThan(1)
  })

  test.each([
    ['0x4200000000000000000000000000000000000006', '12.5 WETH'],
    [`0x${'0'.repeat(40)}`, '12.5 ETH'],
    [`0x${'5'.repeat(40)}`, '12.5 0x5555…5555'],
    ['constructor', '12.5 constructor'],
    [undefined, '12.5'],
  ])('proceeds in the numeraire %s', (numeraire, text) => {
    const wire = { ...live, asset_numeraire_address: numeraire }
    expect(shown(card(wire)).find((line) => line.startsWith('Proceeds'))).toMatch(
      new RegExp(`^Proceeds: ${text} \\(`, 'u'),
    )
  })
})

test('an old answer says of when it is', () => {
  const freshness = { fetchedAt: now - 60, stale: true, now }
  const lines = shown(assetView({ ...cardParts(live), freshness }))
  expect(lines.at(-1)).toBe('The data source does not answer. As of 2023-11-14 22:12.')
})
