import { describe, expect, test } from 'vitest'
import type { EventBody } from '../../../../src/alerts/event.ts'
import type { Scope } from '../../../../src/alerts/rule.ts'
import { combinedView, eventView } from '../../../../src/alerts/views/event.ts'
import { defaultUnits } from '../../../../src/api/units.ts'
import { address, asset, now, paths, withValue } from '../../views/sample.ts'
import { controls, shown } from '../../views/shown.ts'
import { digest, everyNews, liveWire } from './told.ts'

const units = defaultUnits
const told = (body: EventBody, at = now) => eventView({ body, chain: 8453, units, now: at })
const about = everyNews()
const news = (name: string): EventBody => {
  const body = about[name]
  if (!body) throw new Error(name)
  return body
}
const time = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')

test.each([
  [24 * 3600, 'Ends in 24 hours'],
  [24 * 3600 - 14, 'Ends in 24 hours'],
  [3 * 3600, 'Ends in 3 hours'],
  [5401, 'Ends in 2 hours'],
  [5400, 'Ending soon'],
  [60, 'Ending soon'],
])('an end %i seconds ahead: %s, alone and among others', (left, words) => {
  const body: EventBody = { kind: 'ending', asset: asset(liveWire), minutes: 9, endsAt: now + left }
  expect(shown(told(body))[0]).toBe(`⏳ ${words}: Moon Otter $OTTER`)
  const both = [body, digest].map((each) => ({ body: each, chain: 8453 }))
  expect(shown(combinedView(both, { units, now }))[1]).toContain(`⏳ ${words}: Moon Otter`)
})

describe('a piece of news', () => {
  const price = 'Price: $0.0₆1234  ▲ 15.4 % in 24 h'
  const end = ['Night patrols on three rivers.', address]
  const where = 'Base · builder-coin · product-coin'
  test.each<[string, string, string[]]>([
    ['incoming', '🕒 Coming up: Moon Otter $OTTER', []],
    [
      'progress',
      '📈 50 % sold: Moon Otter $OTTER',
      [
        '50 % sold [0.509]',
        price,
        'Market cap: $12.3M',
        'Proceeds: 12.5 WETH',
        `Ends: ${time(now + 7200)}`,
      ],
    ],
    [
      'sold out',
      '✅ Sold out: Moon Otter $OTTER',
      ['100 % sold [1]', price, 'Market cap: $12.3M', 'Proceeds: 12.5 WETH'],
    ],
    [
      'ending',
      '⏳ Ending soon: Moon Otter $OTTER',
      [
        '42 % sold [0.42]',
        `Ends: ${time(now + 1800)}`,
        price,
        'Market cap: $12.3M',
        'Proceeds: 12.5 WETH',
      ],
    ],
    ['graduated', '🎓 Graduated: Moon Otter $OTTER', [price, 'Market cap: $12.3M']],
    [
      'price above',
      '▲ Price above $0.5: Moon Otter $OTTER',
      ['Price: $0.52', 'Market cap: $12.3M', '42 % sold [0.42]'],
    ],
    [
      'price moved',
      '▲ Price up 12.4 %: Moon Otter $OTTER',
      ['Price: $0.562  ▲ 12.4 % from $0.5', 'Market cap: $12.3M', '42 % sold [0.42]'],
    ],
    [
      'mcap below',
      '▼ Market cap below $2.5M: Moon Otter $OTTER',
      ['Market cap: $2.4M', price, '42 % sold [0.42]'],
    ],
    [
      'mcap moved',
      '▼ Market cap down 25 %: Moon Otter $OTTER',
      ['Market cap: $1.5M  ▼ 25 % from $2M', price, '42 % sold [0.42]'],
    ],
  ])('%s', (name, title, facts) => {
    expect(shown(told(news(name)))).toEqual([title, where, ...facts, ...end])
  })

  test('of a live auction is the same where the interface says which pool comes after it', () => {
    const planned = {
      ...withValue(liveWire, ['asset_migration_timestamp'], undefined),
      auction_pool: { ...liveWire.auction_pool, pool_migration_timestamp: undefined },
      graduation_pool: { pool_address: `0x${'b'.repeat(40)}`, pool_current_price: '7' },
    }
    const early = told({ kind: 'live', asset: asset(planned) })
    expect(shown(early)).toEqual(shown(told(news('live'))))
    expect(controls(early)).toEqual(controls(told(news('live'))))
  })

  test('leads to the card, the auction, the explorer, and to what is followed', () => {
    expect(controls(told(news('progress')))).toEqual([
      [`Card +asset ${address} chain:8453`, `Auction +auction 0x${'a'.repeat(40)} chain:8453`],
      [`Explorer https://basescan.org/token/${address}`, `🔔 Alerts +follow ${address} chain:8453`],
    ])
    expect(controls(told(news('incoming'))).flat()).toContain('🔔 Alerts +alerts')
  })

  test('that comes late names the end alone, by which each reader counts', () => {
    expect(shown(told(news('ending'), now + 1500))).toEqual(shown(told(news('ending'))))
    expect(shown(told(news('ending'), now + 1800)).join()).not.toContain('Ends:')
  })

  test('of an auction to come tells when it starts, unless that has passed', () => {
    const wire = withValue(
      liveWire,
      ['auction_pool', 'pool_config_starting_time'],
      String(now + 3600),
    )
    const body = { kind: 'incoming', asset: asset(wire) } as const
    expect(shown(told(body))).toContain(`Starts: ${time(now + 3600)}`)
    expect(shown(told(body, now + 3600)).join()).not.toContain('Starts')
    const both = [news('digest'), body].map((each) => ({ body: each, chain: 8453 }))
    const [, line] = shown(combinedView(both, { units, now })).slice(1)
    expect(line).toContain(`· starts ${time(now + 3600)}`)
  })

  test('says no change where it began at nothing, or in other money', () => {
    const moved = news('price moved')
    if (moved.kind !== 'price') throw new Error('price')
    const zero = { ...moved, reference: { amount: '0', currency: 'usd' as const } }
    expect(shown(told(zero))[0]).toBe('▲ Price up: Moon Otter $OTTER')
    const other = { ...moved, reference: { amount: '1', currency: 'numeraire' as const } }
    expect(shown(told(other))).toContain('Price: $0.562')
  })

  test('carries its picture', () => {
    const picture = { name: 'card.png', type: 'image/png', bytes: new Uint8Array(1), key: 'k' }
    for (const body of Object.values(about)) {
      const view = eventView({ body, chain: 8453, units, now, picture })
      expect(view.picture).toBe(picture)
      expect(told(body)).not.toHaveProperty('picture')
    }
  })

  const removable = paths(liveWire).filter((path) => path.join() !== 'asset_address')
  test.each(removable.map((path) => path.join('.')))(
    'says nothing of what is unknown: %s',
    (joined) => {
      const one = asset(withValue(liveWire, joined.split('.'), undefined))
      for (const body of Object.values(everyNews(one))) {
        expect(shown(told(body)).join('\n')).not.toMatch(/undefined|null|NaN|\[object|: ?$|^$/mu)
      }
    },
  )
})

test.each<[Scope | undefined, string]>([
  [undefined, ''],
  [{}, ''],
  [{ chain: 8453 }, ' of auctions on Base'],
  [{ category: 'game-coin' }, ' of auctions in game-coin'],
  [
    { chain: 8453, numeraire: liveWire.asset_numeraire_address },
    ' of auctions on Base sold for WETH',
  ],
  [{ creator: address }, ' of auctions by 0x4200…0aaa'],
])('the daily summary about %j says so, alone and among others', (scope, words) => {
  const body: EventBody = { ...digest, scope }
  expect(shown(told(body))[0]).toBe(`🗓 Daily summary${words}, 2023-11-14`)
  const both = [body, news('live')].map((each) => ({ body: each, chain: 8453 }))
  const lines = shown(combinedView(both, { units, now }))
  expect(lines[1]).toContain(`1. 🗓 Daily summary${words}: 12 live`)
})

test('the daily summary counts, and lists with numbers that go on', () => {
  expect(shown(told(news('digest')))).toEqual([
    '🗓 Daily summary, 2023-11-14',
    '12 live · 5 went live · 2 graduated',
    'Ending within 24 hours',
    `1. Moon Otter $OTTER · 42 % sold · ends ${time(now + 7200)} [Moon Otter $OTTER: asset ${address} chain:8453]`,
    'Newest',
    expect.stringMatching(/^2\. Moon Otter \$OTTER · 42 % sold \[/u),
    'Graduated',
    expect.stringMatching(/^3\. Moon Otter \$OTTER · \$12\.3M \[/u),
    'Moved most',
    expect.stringMatching(/^4\. Moon Otter \$OTTER · ▲ 15\.4 % · \$12\.3M \[/u),
    'Days as in Europe/Berlin.',
  ])
  const body = { ...news('digest'), endingSoon: [], newest: [], graduated: [], movers: [] }
  expect(shown(told(body as EventBody))).toHaveLength(3)
})

describe('several pieces of news in one message', () => {
  const addressOf = (index: number) => `0x${String(index).padStart(40, '0')}`
  const together = (names: string[]) =>
    combinedView(
      names.map((name, index) => {
        const body = news(name)
        if (body.kind === 'digest') return { body, chain: 8453 }
        const about = { ...body.asset, asset_address: addressOf(index + 1) }
        return { body: { ...body, asset: about }, chain: 8453 }
      }),
      { units, now },
    )
  const ofOne = (names: string[]) =>
    shown(
      combinedView(
        ['digest', ...names].map((name) => ({ body: news(name), chain: 8453 })),
        { units, now },
      ),
    ).slice(2)
  const opens = (index: number) => `[Moon Otter $OTTER: asset ${addressOf(index)} chain:8453]`

  test('have a line each, which opens the card', () => {
    expect(
      shown(together(['live', 'incoming', 'ending', 'graduated', 'price moved', 'digest'])),
    ).toEqual([
      '🔔 6 alerts',
      `1. 🟢 Live now: Moon Otter $OTTER · $12.3M · 42 % sold · ends ${time(now + 7200)} ${opens(1)}`,
      `2. 🕒 Coming up: Moon Otter $OTTER · $12.3M ${opens(2)}`,
      `3. ⏳ Ending soon: Moon Otter $OTTER · $12.3M · ends ${time(now + 1800)} ${opens(3)}`,
      `4. 🎓 Graduated: Moon Otter $OTTER · $12.3M ${opens(4)}`,
      `5. ▲ Price up 12.4 %: Moon Otter $OTTER · now $0.562 ${opens(5)}`,
      '6. 🗓 Daily summary: 12 live · 5 went live · 2 graduated [Live auctions: assets live]',
    ])
  })

  test.each([
    [['progress', 'sold out', 'ending', 'graduated'], 'Graduated'],
    [['live', 'incoming', 'graduated', 'sold out'], 'Graduated'],
    [['ending', 'sold out', 'progress'], 'Sold out'],
    [['live', 'sold out'], 'Sold out'],
    [['sold out', 'ending', 'live'], 'Sold out'],
    [['incoming', 'live'], 'Live now'],
    [['progress', 'ending'], 'Ending soon'],
  ])('of one asset only the telling one stands: %j', (names, words) => {
    const lines = ofOne(names)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(words)
    if (words === 'Sold out') expect(lines[0]).not.toContain('· ends')
  })

  test('of one asset say how much of it is sold by now, and what became of its price', () => {
    const later = asset(
      withValue(liveWire, ['auction_pool', 'pool_current_sale_progress_percentage'], 61),
    )
    const bodies = [news('live'), everyNews(later).progress, news('digest'), news('price moved')]
    const items = bodies.flatMap((body) => (body ? [{ body, chain: 8453 }] : []))
    const lines = shown(combinedView(items, { units, now }))
    expect(lines[0]).toBe('🔔 3 alerts')
    expect(lines[1]).toContain('Live now: Moon Otter $OTTER · $12.3M · 61 % sold · ends ')
  })

  test('of which one alone stands are that one', () => {
    const items = ['progress', 'graduated'].map((name) => ({ body: news(name), chain: 8453 }))
    expect(combinedView(items, { units, now })).toEqual(told(news('graduated')))
  })

  test('are ten at most, and the others are counted', () => {
    const lines = shown(together(Array.from({ length: 13 }, () => 'live')))
    expect(lines[0]).toBe('🔔 13 alerts')
    expect(lines).toHaveLength(12)
    expect(lines.at(-1)).toBe('3 more alerts.')
  })

  test('have the tone of the best', () => {
    expect(together(['mcap below', 'graduated']).tone).toBe('good')
    expect(together(['mcap below', 'incoming']).tone).toBe('neutral')
    expect(together(['incoming', 'digest']).tone).toBe('neutral')
  })
})
