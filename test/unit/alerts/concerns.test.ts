import { describe, expect, test } from 'vitest'
import type { EventBody, EventBodyOf } from '../../../src/alerts/event.ts'
import { concerns } from '../../../src/alerts/matching.ts'
import { kinds, type Rule } from '../../../src/alerts/rule.ts'
import { asset, fullAsset } from '../views/sample.ts'
import { digest } from './pieces.ts'

const otter = asset(fullAsset)
const money = (amount: string) => ({ amount, currency: 'usd' as const })

const rules = {
  live: { kind: 'live', setting: {}, scope: {} },
  incoming: { kind: 'incoming', setting: {}, scope: {} },
  progress: { kind: 'progress', setting: { percents: [25, 50] }, scope: {} },
  ending: { kind: 'ending', setting: { minutes: 30 }, scope: {} },
  graduated: { kind: 'graduated', setting: {}, scope: {} },
  price: { kind: 'price', setting: { above: '1' }, scope: {} },
  mcap: { kind: 'mcap', setting: { above: '1' }, scope: {} },
  digest: { kind: 'digest', setting: { hour: 8, zone: 'UTC' }, scope: {} },
} satisfies Record<string, Rule>

function movement(kind: 'price' | 'mcap', filter: number): EventBody {
  const [value, reference] = [money('2'), money('1')]
  return { kind, asset: otter, filter, value, reference, direction: 'up', by: 'crossing' }
}

function progress(from: string, to: string): EventBodyOf<'progress'> {
  return { kind: 'progress', asset: otter, from, to }
}

function ending(minutes: number, fromMinutes?: number): EventBodyOf<'ending'> {
  return { kind: 'ending', asset: otter, minutes, endsAt: 5, ...(fromMinutes && { fromMinutes }) }
}

const bodies: EventBody[] = [
  { kind: 'live', asset: otter },
  { kind: 'incoming', asset: otter },
  progress('0.2', '0.3'),
  ending(30, 31),
  { kind: 'graduated', asset: otter },
  movement('price', 1),
  movement('mcap', 1),
  digest({ key: '', filter: 1, at: 0 }).body,
]

test.each(kinds)('who follows %s hears of nothing else', (kind) => {
  const heard = bodies.filter((body) => concerns({ id: 1, rule: rules[kind] }, body))
  expect(heard.map((body) => body.kind)).toEqual([kind])
})

describe('progress concerns who named a percentage that was passed', () => {
  test.each([
    ['reached to the digit', '0.2499', '0.25', true],
    ['just missed', '0.24', '0.2499999999999999999', false],
    ['passed before', '0.25', '0.4999', false],
    ['jumped over', '0.1', '0.9', true],
    ['fallen back', '0.6', '0.4', false],
    ['standing still', '0.25', '0.25', false],
    ['no number', '0.2', 'soon', false],
  ])('%s', (_about, from, to, isTold) => {
    expect(concerns({ id: 1, rule: rules.progress }, progress(from, to))).toBe(isTold)
  })
})

describe('an end concerns who named a minute that was reached', () => {
  test.each([
    ['reached', 30, 31, true],
    ['passed in one go', 12, 45, true],
    ['not reached', 31, 45, false],
    ['reached before', 29, 30, false],
    ['never looked at before', 30, undefined, false],
  ])('%s', (_about, minutes, from, isTold) => {
    expect(concerns({ id: 1, rule: rules.ending }, ending(minutes, from))).toBe(isTold)
  })
})

test.each(['price', 'mcap', 'digest'] as const)('news of %s is for one filter alone', (kind) => {
  const [body] = bodies.filter((each) => each.kind === kind)
  if (body === undefined) throw new Error(kind)
  expect(concerns({ id: 1, rule: rules[kind] }, body)).toBe(true)
  expect(concerns({ id: 2, rule: rules[kind] }, body)).toBe(false)
})
