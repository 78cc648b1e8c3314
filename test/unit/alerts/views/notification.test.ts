import { describe, expect, test } from 'vitest'
import type { Phase } from '../../../../src/alerts/asset.ts'
import type { EventBody, Scope } from '../../../../src/alerts/kinds/kind.ts'
import { liveView } from '../../../../src/alerts/kinds/phase.ts'
import { combinedView, eventView, isCombinable } from '../../../../src/alerts/views/notification.ts'
import { defaultUnits as units } from '../../../../src/api/units.ts'
import { besidePicture } from '../../../../src/core/view.ts'
import { address, asset, now, paths, withValue } from '../../views/sample.ts'
import { controls, shown } from '../../views/shown.ts'
import { digest, everyEvent, liveWire } from './events.ts'

const chain = 8453
const all = everyEvent()
const view = (body: EventBody, at = now) => eventView({ body, chain, units, now: at })
type EventName = keyof typeof all
const event = (name: EventName): EventBody => all[name]
const combined = (bodies: readonly EventBody[]) =>
  combinedView(
    bodies.map((body) => ({ body, chain })),
    { units, now },
  )
const time = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
/** So many percent of 600 million. */
const sold = (percent: number) =>
  withValue(
    liveWire,
    ['auction_pool', 'pool_current_total_tokens_sold'],
    `${percent * 6}${'0'.repeat(24)}`,
  )
const other = (index: number) => `0x${String(index).padStart(40, 'f')}`

const price = 'Price: $0.01234  ▲ 15.4% (24h)'
const cap = 'Market cap: $12.3M'
const proceeds = 'Raised: 12.5 WETH'
const share = '42% sold [0.42]'
const ends = `Ends: ${time(now + 7200)}`

test.each<[EventName, string, string[]]>([
  ['live', '🟢 Live now', [share, price, cap, proceeds, ends]],
  ['incoming', '🕒 Upcoming', []],
  ['progress', '📈 50% sold', ['50% sold [0.509]', price, cap, proceeds, ends]],
  ['sold out', '✅ Sold out', ['100% sold [1]', price, cap, proceeds]],
  ['ending', '⏳ Ending soon', [share, `Ends: ${time(now + 1800)}`, price, cap, proceeds]],
  ['graduated', '🎓 Graduated', [price, cap]],
  ['price', '▲ Price above $0.5', ['Price: $0.52', cap, share]],
  ['price moved', '💲 Price ▲ 12.4%', ['Price: $0.562  ▲ 12.4% from $0.5', cap, share]],
  ['mcap', '▼ Market cap below $2.5M', ['Market cap: $2.4M', price, share]],
  ['mcap moved', '🏦 Market cap ▼ 25%', ['Market cap: $1.5M  ▼ 25% from $2M', price, share]],
])('an event as a message: %s', (name, title, facts) => {
  expect(shown(view(event(name)))).toEqual([
    `${title}: Moon Otter $OTTER`,
    'Base · builder-coin · product-coin',
    ...facts,
    'Night patrols on three rivers.',
    address,
  ])
})

test.each([
  [24 * 3600 - 14, 'Ends in 24 h'],
  [5401, 'Ends in 2 h'],
  [5400, 'Ending soon'],
])('an end %i seconds ahead: %s, in a message and in a line', (left, words) => {
  const body = { kind: 'ending', asset: asset(liveWire), minutes: 9, endsAt: now + left }
  expect(shown(view(body))[0]).toBe(`⏳ ${words}: Moon Otter $OTTER`)
  expect(shown(combined([body, event('price moved')]))[1]).toContain(`⏳ ${words}: Moon Otter`)
})

describe('a message', () => {
  test('has buttons to the card, the auction, the explorer, and the alerts', () => {
    expect(controls(view(event('progress')))).toEqual([
      [`Card +asset ${address} chain:8453`, `Auction +auction ${address} chain:8453`],
      [`Explorer https://basescan.org/token/${address}`, `🔔 Alerts +follow ${address} chain:8453`],
    ])
    expect(controls(view(event('incoming'))).flat()).toContain('🔔 Alerts +alerts')
  })

  test('of a live auction is the same if its next pool is known already', () => {
    const planned = asset({
      ...withValue(liveWire, ['asset_migration_timestamp'], undefined),
      auction_pool: { ...liveWire.auction_pool, pool_migration_timestamp: undefined },
      graduation_pool: { pool_address: `0x${'b'.repeat(40)}`, pool_current_price: '7' },
    })
    const early = view({ kind: 'live', asset: planned })
    expect([shown(early), controls(early)]).toEqual([
      shown(view(event('live'))),
      controls(view(event('live'))),
    ])
  })

  test('names a start or an end until it has passed', () => {
    expect(shown(view(event('ending'), now + 1500))).toEqual(shown(view(event('ending'))))
    expect(shown(view(event('ending'), now + 1800)).join()).not.toContain('Ends:')
    const path = ['auction_pool', 'pool_config_starting_time']
    const body = { kind: 'incoming', asset: asset(withValue(liveWire, path, String(now + 3600))) }
    expect(shown(view(body))).toContain(`Starts: ${time(now + 3600)}`)
    expect(shown(view(body, now + 3600)).join()).not.toContain('Starts')
    const [, line] = shown(combined([body, event('price moved')]))
    expect(line).toContain(`· starts ${time(now + 3600)}`)
  })

  test('says which token it is priced in, beside a picture and in a line of several, too', () => {
    const tesla = '0x322f0929c4625ed5bad873c95208d54e1c003b2d'
    const body = { kind: 'live', asset: asset({ ...liveWire, asset_numeraire_address: tesla }) }
    const told = eventView({ body, chain: 4663, units, now })
    expect(shown({ ...told, blocks: besidePicture(told.blocks) })).toContain('Priced in TSLA')
    expect(shown(told)).toContain('Raised: 12.5 TSLA')
    const graduated = { ...event('graduated'), asset: { ...body.asset, asset_address: other(1) } }
    const several = [body, graduated].map((each) => ({ body: each, chain: 4663 }))
    const lines = shown(combinedView(several, { units, now })).slice(1)
    expect(lines.filter((line) => line.includes(' · in TSLA'))).toHaveLength(2)
  })

  test('gives no change from zero, or from another currency', () => {
    const moved = event('price moved')
    const zero = { ...moved, reference: { amount: '0', currency: 'usd' } }
    expect(shown(view(zero))[0]).toBe('▲ Price up: Moon Otter $OTTER')
    const quote = { ...moved, reference: { amount: '1', currency: 'numeraire' } }
    expect(shown(view(quote))).toContain('Price: $0.562')
  })

  test('cuts a long description at a word’s end, and instead of it warns of a name that imitates another', () => {
    const about = (field: string, text: string) => {
      const path = ['auction_pool', 'base_token', field]
      const body = { kind: 'live', asset: asset(withValue(liveWire, path, text)) }
      return shown(view(body)).at(-2)
    }
    const otters = 'otters '.repeat(18)
    expect(about('token_description', `${otters}otters swimming`)).toBe(`${otters}otters…`)
    expect(about('token_description', `${'o'.repeat(136)}... and`)).toBe(`${'o'.repeat(136)}…`)
    expect(about('token_description', 'Short. And whole...')).toBe('Short. And whole...')
    expect(about('token_symbol', 'ＵＳＤＣ')).toContain('look-alike letters: it reads like USDC')
  })

  test('carries its picture', () => {
    const picture = { name: 'card.png', type: 'image/png', bytes: new Uint8Array(1), key: 'k' }
    for (const body of Object.values(all)) {
      expect(eventView({ body, chain, units, now, picture }).picture).toBe(picture)
      expect(view(body)).not.toHaveProperty('picture')
    }
  })

  test.each<[EventName, string[]]>([
    ['live', [proceeds, ends]],
    ['incoming', []],
    ['progress', [proceeds, ends]],
    ['sold out', [proceeds]],
    ['ending', [`Ends: ${time(now + 1800)}`, proceeds]],
    ['graduated', []],
    ['price', []],
    ['price moved', ['Price: $0.562  ▲ 12.4% from $0.5']],
    ['mcap', []],
    ['mcap moved', ['Market cap: $1.5M  ▼ 25% from $2M']],
  ])('beside a picture leaves out what that shows, and the description: %s', (name, facts) => {
    const { title, blocks } = view(event(name))
    const [headline, ...below] = shown({ title, blocks: besidePicture(blocks) })
    expect(headline).toBe(shown(view(event(name)))[0])
    expect(below).toEqual([...facts, address])
  })

  test('warns of a name that imitates another beside a picture, too', () => {
    const path = ['auction_pool', 'base_token', 'token_symbol']
    const { title, blocks } = view({
      kind: 'live',
      asset: asset(withValue(liveWire, path, 'ＵＳＤＣ')),
    })
    expect(shown({ title, blocks: besidePicture(blocks) }).join()).toContain('it reads like USDC')
  })

  test('leaves out what is unknown', () => {
    for (const path of paths(liveWire)) {
      if (path.join() === 'asset_address') continue
      const bare = asset(withValue(liveWire, path, undefined))
      for (const body of Object.values(everyEvent(bare))) {
        expect(shown(view(body)).join('\n'), path.join('.')).not.toMatch(
          /undefined|null|NaN|\[object|: ?$|^$/mu,
        )
      }
    }
  })
})

describe('the updated message of a live auction', () => {
  const live = (phase: Phase, wire: object = liveWire, at = now) =>
    liveView({ asset: asset(wire), chain, units, now: at, phase })

  test('changes only with what it shows, and stops counting down at the end', () => {
    expect(live('live', liveWire, now + 600)).toEqual(view(event('live')))
    expect(live('live', sold(43))).not.toEqual(live('live'))
    expect(shown(live('live', liveWire, now + 8000)).join('\n')).not.toContain('Ends')
  })

  test.each<[Phase, number, string, string]>([
    ['graduated', 100, '🎓 Graduated', 'Sold out and graduated.'],
    ['graduated', 83, '🎓 Graduated', 'The auction is over: it graduated.'],
    ['ended', 43, '⏹️ Ended', 'Ended without graduating, 43% sold.'],
    ['gone', 43, '⏹️ No longer listed', 'The data provider no longer lists it.'],
  ])('shows the outcome: %s at %s %%', (phase, percent, title, outcome) => {
    const lines = shown(live(phase, sold(percent)))
    expect(lines[0]).toBe(`${title}: Moon Otter $OTTER`)
    expect(lines).toContain(outcome)
    expect(lines.join('\n')).not.toContain('Ends:')
    const hasShare = phase === 'ended' || percent === 100
    expect(lines.some((line) => line.includes('% sold ['))).toBe(hasShare)
  })

  test.each<[Phase, number, string[]]>([
    ['graduated', 100, ['Sold out and graduated.', proceeds]],
    ['graduated', 83, [proceeds]],
    ['ended', 43, ['Ended without graduating, 43% sold.', proceeds]],
    ['gone', 43, ['The data provider no longer lists it.']],
  ])('beside a picture says only what that does not show: %s at %s %%', (phase, percent, facts) => {
    const { title, blocks } = live(phase, sold(percent))
    const [, ...below] = shown({ title, blocks: besidePicture(blocks) })
    expect(below).toEqual([...facts, address])
  })

  test('leaves an unknown share out', () => {
    const bare = live('ended', { asset_address: address })
    expect(shown(bare)).toEqual(['⏹️ Ended: Unnamed', 'Base', 'Ended without graduating.', address])
    expect(controls(bare).flat()).toContain(`🔔 Alerts +follow ${address} chain:8453`)
  })
})

test.each<[Scope, string]>([
  [{}, ''],
  [{ chain }, ' · Base'],
  [{ category: 'game-coin' }, ' · game-coin'],
  [{ chain, numeraire: liveWire.asset_numeraire_address }, ' · Base · quote token WETH'],
  [{ creator: address }, ' · creator 0x4200…0aaa'],
])('a daily summary about %j says so', (scope, words) => {
  expect(shown(view({ ...digest, scope }))[0]).toBe(`🗓 Daily summary, 14 November 2023${words}`)
})

test('a daily summary has counts, and lists with consecutive numbers', () => {
  expect(shown(view(digest))).toEqual([
    '🗓 Daily summary, 14 November 2023',
    '12 live · 5 went live · 2 graduated',
    'Ending within 24 hours',
    `1. Moon Otter $OTTER · 42% sold · ends ${time(now + 7200)} [Moon Otter $OTTER: asset ${address} chain:8453]`,
    'Newest',
    expect.stringMatching(/^2\. Moon Otter \$OTTER · 42% sold \[/u),
    'Graduated',
    expect.stringMatching(/^3\. Moon Otter \$OTTER · MC \$12\.3M \[/u),
    'Top movers (24h)',
    expect.stringMatching(/^4\. Moon Otter \$OTTER · ▲ 15\.4% · MC \$12\.3M \[/u),
    'Days are counted in Europe/Berlin.',
  ])
  const empty = { ...digest, endingSoon: [], newest: [], graduated: [], movers: [] }
  expect(shown(view(empty))).toHaveLength(3)
  expect([digest, event('live')].map((body) => isCombinable({ body }))).toEqual([false, true])
})

describe('several events in one message', () => {
  /** The events as those of so many assets. */
  const apart = (names: readonly EventName[]) =>
    combined(
      names.map((name, index) => {
        const body = event(name)
        return body.asset
          ? { ...body, asset: { ...body.asset, asset_address: other(index + 1) } }
          : body
      }),
    )

  test('have a line each, which opens the card', () => {
    const opens = (index: number) => `[Moon Otter $OTTER: asset ${other(index)} chain:8453]`
    expect(shown(apart(['live', 'incoming', 'ending', 'graduated', 'price moved']))).toEqual([
      '🔔 5 alerts',
      `1. 🟢 Live now: Moon Otter $OTTER · MC $12.3M · 42% sold · ends ${time(now + 7200)} ${opens(1)}`,
      `2. 🕒 Upcoming: Moon Otter $OTTER · MC $12.3M ${opens(2)}`,
      `3. ⏳ Ending soon: Moon Otter $OTTER · MC $12.3M · ends ${time(now + 1800)} ${opens(3)}`,
      `4. 🎓 Graduated: Moon Otter $OTTER · MC $12.3M ${opens(4)}`,
      `5. 💲 Price ▲ 12.4%: Moon Otter $OTTER · now $0.562 ${opens(5)}`,
    ])
  })

  test.each<[EventName[], EventName]>([
    [['progress', 'sold out', 'ending', 'graduated'], 'graduated'],
    [['live', 'incoming', 'graduated', 'sold out'], 'graduated'],
    [['ending', 'sold out', 'progress'], 'sold out'],
    [['live', 'sold out'], 'sold out'],
    [['sold out', 'ending', 'live'], 'sold out'],
    [['incoming', 'live'], 'live'],
    [['progress', 'ending'], 'ending'],
  ])('of one sale are its most important one: %j', (names, name) => {
    expect(combined(names.map(event))).toEqual(view(event(name)))
  })

  test('of one asset show its latest state, beside its price event', () => {
    const later = everyEvent(asset(sold(61))).progress
    const lines = shown(combined([event('live'), later, event('price moved')]))
    expect(lines[0]).toBe('🔔 2 alerts')
    expect(lines[1]).toContain('Live now: Moon Otter $OTTER · MC $12.3M · 61% sold · ends ')
  })

  test('have the tone of the best', () => {
    expect(apart(['mcap', 'graduated']).tone).toBe('good')
    expect(apart(['mcap', 'incoming']).tone).toBe('neutral')
  })
})
