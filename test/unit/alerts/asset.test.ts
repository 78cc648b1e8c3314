import { describe, expect, test } from 'vitest'
import {
  type AssetState,
  historySchema,
  type Point,
  parseState,
  stateJson,
  trimmedAssetSchema,
  withPoint,
} from '../../../src/alerts/asset.ts'
import { phaseOf } from '../../../src/alerts/detect.ts'
import { kindIds, kinds } from '../../../src/alerts/kinds/list.ts'
import { graduatedAt, liveView } from '../../../src/alerts/kinds/phase.ts'
import { eventView } from '../../../src/alerts/views/notification.ts'
import { baseToken } from '../../../src/api/asset.ts'
import { figuresOf } from '../../../src/api/figures.ts'
import type { Asset } from '../../../src/api/schema.ts'
import { type Money, defaultUnits as units } from '../../../src/api/units.ts'
import { cardFacts } from '../../../src/cards/asset-card.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { asset, fullAsset, now, paths, withValue } from '../views/sample.ts'
import { everyEvent, liveWire } from './views/events.ts'

const chain = 8453

/** All messages about an asset. */
function shown(about: Asset) {
  const phases = ['incoming', 'live', 'graduated', 'ended', 'gone'] as const
  return [
    ...Object.values(everyEvent(about)).map((body) => eventView({ body, chain, units, now })),
    ...phases.map((phase) => liveView({ asset: about, chain, units, now, phase })),
    cardFacts({
      asset: about,
      chain: chainById(chain),
      units,
      now,
      history: [],
      phase: 'live',
      locale: 'en',
    }),
  ]
}

/** All by which events are detected and matched. */
function compared(about: Asset) {
  const figures = figuresOf(about, units)
  const { startsAt, endsAt, createdAt, progress, price, marketCap } = figures
  return [
    { startsAt, endsAt, createdAt, progress, price, marketCap },
    Object.fromEntries(kindIds.map((id) => [id, kinds[id].figure?.of(figures)])),
    phaseOf({ source: 'fetch', asset: about }, undefined, figures, now),
    graduatedAt(about, figures),
    baseToken(about)?.token_creator_address,
    about.asset_numeraire_address,
    about.asset_categories,
  ]
}

test('a trimmed asset is shown and compared like the full one, whatever field is missing', () => {
  for (const wire of [fullAsset, liveWire]) {
    for (const path of [[], ...paths(wire)]) {
      if (path.join() === 'asset_address') continue
      const full = asset(path.length === 0 ? wire : withValue(wire, path, undefined))
      const trimmed = trimmedAssetSchema.parse(full)
      expect(shown(trimmed), path.join('.')).toEqual(shown(full))
      expect(compared(trimmed), path.join('.')).toEqual(compared(full))
    }
  }
})

test('very long names, symbols and descriptions are shown alike', () => {
  for (const field of ['token_name', 'token_symbol', 'token_description']) {
    const path = ['auction_pool', 'base_token', field]
    for (const long of ['an otter '.repeat(1000), '🦦'.repeat(5000)]) {
      const full = asset(withValue(liveWire, path, long))
      expect(shown(trimmedAssetSchema.parse(full))).toEqual(shown(full))
    }
  }
})

const stored = { asset_address: '0x4200000000000000000000000000000000000aaa' }

test('a state is stored as the same text whatever the order of its fields', () => {
  const state: AssetState = {
    phase: 'live',
    absences: 2,
    ending: { restarts: { count: 1, at: 9 }, wasNotified: true, minutes: 3, endsAt: 20 },
    progress: '0.5',
    pastPhases: ['incoming', 'live'],
    asset: stored,
  }
  const read = parseState('live', stateJson(state))
  expect(read).toEqual(state)
  expect(read && stateJson(read)).toBe(stateJson(state))
})

test('optional fields may be absent; a state without the others can’t be read', () => {
  const body = JSON.stringify({ asset: stored, pastPhases: [], absences: 0 })
  const state = parseState('gone', body)
  expect(state && stateJson({ ...state })).toBe(body)
  expect(parseState('gone', JSON.stringify({ asset: stored, pastPhases: [] }))).toBeUndefined()
  expect(parseState('unheard-of', body)).toBeUndefined()
  for (const broken of ['', '[]', 'null', '{"asset":']) {
    expect(parseState('gone', broken)).toBeUndefined()
  }
})

const start = 1_790_000_000
const usd = (amount: string): Money => ({ amount, currency: 'usd' })

describe('a history', () => {
  const first = withPoint([], { price: usd('1'), progress: '0.1' }, start)

  test('begins with the known figures', () => {
    expect(first).toEqual([{ at: start, price: '1', progress: '0.1' }])
    expect(withPoint([], {}, start)).toEqual([])
  })

  test('grows if the price or the progress changed, at most once a minute', () => {
    expect(withPoint(first, { price: usd('1'), progress: '0.1' }, start + 600)).toBe(first)
    expect(withPoint(first, { price: usd('2'), progress: '0.1' }, start + 59)).toBe(first)
    expect(withPoint(first, { price: usd('2') }, start + 60)).toEqual([
      ...first,
      { at: start + 60, price: '2', progress: undefined },
    ])
  })

  test('stays within its maximum and complete, finest at its end', () => {
    let points: readonly Point[] = []
    for (let index = 0; index < 5000; index += 1) {
      points = withPoint(points, { price: usd(String(index)) }, start + index * 60)
      if (points.length > 96) break
      if (index >= 39) expect(points.at(-40)?.at).toBe(start + (index - 39) * 60)
    }
    const times = points.map(({ at }) => (at - start) / 60)
    expect(points.length).toBeLessThanOrEqual(96)
    expect(points.length).toBeGreaterThan(48)
    expect([times[0], times.at(-1), times.at(-2)]).toEqual([0, 4999, 4998])
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.max(...gaps.slice(0, 24))).toBeGreaterThan(1)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(historySchema.safeParse(JSON.parse(JSON.stringify(points))).success).toBe(true)
  })

  test('has no number that could not be read again', () => {
    const points = withPoint(
      [],
      { price: usd(`0.${'1'.repeat(200)}`), progress: `0.${'3'.repeat(200)}` },
      start,
    )
    expect(historySchema.safeParse(points).success).toBe(true)
    expect(points[0]?.price).toBeUndefined()
  })
})
