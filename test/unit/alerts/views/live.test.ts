import { expect, test } from 'vitest'
import type { Phase } from '../../../../src/alerts/snapshot.ts'
import { eventView, liveView } from '../../../../src/alerts/views/event.ts'
import { defaultUnits } from '../../../../src/api/units.ts'
import { address, asset, now, withValue } from '../../views/sample.ts'
import { controls, shown } from '../../views/shown.ts'
import { liveAsset, liveWire } from './told.ts'

const units = defaultUnits
const live = (phase: Phase, wire: object = liveWire, at = now) =>
  liveView({ asset: asset(wire), chain: 8453, units, now: at, phase })
const sold = (percent: number) =>
  withValue(liveWire, ['auction_pool', 'pool_current_sale_progress_percentage'], percent)

test('while it lives it shows what is sold and when it ends', () => {
  expect(shown(live('live'))).toEqual([
    '🟢 Live now: Moon Otter $OTTER',
    'Base · builder-coin · product-coin',
    '42 % sold [0.42]',
    'Price: $0.0₆1234  ▲ 15.4 % in 24 h',
    'Market cap: $12.3M',
    'Proceeds: 12.5 WETH',
    'Ends: 2023-11-15 00:13',
    'Night patrols on three rivers.',
    address,
  ])
  expect(live('live').blocks).toContainEqual({
    kind: 'fields',
    fields: expect.arrayContaining([['Ends', [{ time: now + 7200, as: 'relative' }]]]),
  })
})

test('it is the very message of the news', () => {
  const body = { kind: 'live', asset: liveAsset } as const
  expect(eventView({ body, chain: 8453, units, now })).toEqual(live('live'))
})

test('only what is shown changes it', () => {
  expect(live('live', liveWire, now + 600)).toEqual(live('live'))
  expect(live('live', sold(43))).not.toEqual(live('live'))
})

test.each<[Phase, number, string, string]>([
  ['graduated', 100, '🎓 Graduated', 'Sold out and graduated.'],
  ['graduated', 83, '🎓 Graduated', 'The auction is over: it graduated.'],
  ['ended', 43, '⏹️ Ended', 'Ended without graduating at 43 %.'],
  ['gone', 43, '⏹️ No longer listed', 'The data source does not list it any more.'],
])('closed as %s at %s %%', (phase, percent, title, outcome) => {
  const lines = shown(live(phase, sold(percent)))
  expect(lines[0]).toBe(`${title}: Moon Otter $OTTER`)
  expect(lines).toContain(outcome)
  expect(lines.join('\n')).not.toContain('Ends:')
  const isOutcome = phase === 'ended' || percent === 100
  expect(lines.some((line) => line.includes('% sold ['))).toBe(isOutcome)
  expect(live(phase).blocks).toContainEqual({ kind: 'text', spans: [{ bold: expect.anything() }] })
})

test('an end that has passed is not counted down to', () => {
  expect(shown(live('live', liveWire, now + 8000)).join('\n')).not.toContain('Ends')
})

test('an unknown share sold is left out', () => {
  const bare = live('ended', { asset_address: address })
  expect(shown(bare)).toEqual(['⏹️ Ended: Unnamed', 'Base', 'Ended without graduating.', address])
  expect(controls(bare)).toEqual([
    [`Card +asset ${address} chain:8453`],
    [`Explorer https://basescan.org/token/${address}`, `🔔 Alerts +follow ${address} chain:8453`],
  ])
})
