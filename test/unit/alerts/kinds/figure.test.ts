import fc from 'fast-check'
import { expect, test } from 'vitest'
import { price } from '../../../../src/alerts/kinds/figure.ts'
import { kindIds, kinds } from '../../../../src/alerts/kinds/list.ts'
import { figuresOf } from '../../../../src/api/figures.ts'
import { defaultUnits, type Money } from '../../../../src/api/units.ts'
import { fullAsset, asset as parsed } from '../../views/sample.ts'
import { auction, now } from '../auction.ts'

const usd = (amount: string): Money => ({ amount, currency: 'usd' })
const quote = (amount: string): Money => ({ amount, currency: 'numeraire' })
type Setting = { above: string } | { below: string } | { moves: number }

const asset = auction()

function detect(rule: { setting: Setting; memory: string }, value: Money | undefined, at = now) {
  const { detection } = price
  if (detection.from !== 'rule-memory') throw new Error('no rule')
  const figures = { pool: 'auction', price: value } as const
  return detection.detect({ id: 7, ...rule }, { chain: 8453, now: at, asset, figures, history: [] })
}

/**
 * The events of polls of a price: `1:0.9 20:?` are $0.9 a minute after the beginning, and no value after twenty; `5q` is
 * an amount of the quote token.
 */
function events(setting: Setting, polls: string, begin = '') {
  let memory = begin
  return polls.split(' ').flatMap((each) => {
    const [minutes, text = ''] = each.split(':')
    const value = text.endsWith('q') ? quote(text.slice(0, -1)) : usd(text)
    const at = now + Number(minutes) * 60
    const detected = detect({ setting, memory }, text === '?' ? undefined : value, at)
    memory = detected.memory
    if (!detected.event) return []
    const body = price.body.parse(detected.event.body)
    return [`${minutes}: ${body.direction} from ${body.reference.amount} to ${body.value.amount}`]
  })
}

const above = { above: '1' }
const below = { below: '1' }
const moves = { moves: 10 }
const tiny = { above: '0.000000000000000000000000000001' }

test.each<[what: string, setting: Setting, polls: string, expected: string[]]>([
  ['upwards', above, '0:0.9 1:1.1', ['1: up from 1 to 1.1']],
  ['exactly', above, '0:0.9 1:1', ['1: up from 1 to 1']],
  ['downwards', below, '0:1.1 1:0.9', ['1: down from 1 to 0.9']],
  ['not if it was past at first', above, '0:1.5 20:1.6', []],
  ['once', above, '0:0.9 1:1.1 30:1.2', ['1: up from 1 to 1.1']],
  [
    'not again by a value that hovers',
    above,
    '0:0.9 1:1.01 20:0.99 40:1.01 60:0.985 80:1.1',
    ['1: up from 1 to 1.01'],
  ],
  [
    'again by a value that went back by 2%',
    above,
    '0:0.9 1:1.01 20:0.98 40:1.01',
    ['1: up from 1 to 1.01', '40: up from 1 to 1.01'],
  ],
  [
    'again downwards likewise',
    below,
    '0:1.1 1:0.99 20:1.01 30:0.99 40:1.02 50:0.9',
    ['1: down from 1 to 0.99', '50: down from 1 to 0.9'],
  ],
  [
    'after ten minutes if it was crossed again before',
    above,
    '0:0.9 1:1.1 2:0.9 3:1.1 11:1.2',
    ['1: up from 1 to 1.1', '11: up from 1 to 1.2'],
  ],
  ['not by an unknown value', above, '0:0.9 1:? 2:0.95 3:1.1', ['3: up from 1 to 1.1']],
  ['not by another currency', above, '0:0.9 1:5q 2:0.9 3:1.1', ['3: up from 1 to 1.1']],
  [
    'to the last digit',
    tiny,
    '0:0.0000000000000000000000000000009 1:0.0000000000000000000000000000011',
    [`1: up from ${tiny.above} to 0.0000000000000000000000000000011`],
  ],
])('a threshold is crossed %s', (_what, setting, polls, expected) => {
  expect(events(setting, polls)).toEqual(expected)
})

test.each<[what: string, polls: string, expected: string[]]>([
  ['from the first value', '0:1 1:1.0999 2:1.1', ['2: up from 1 to 1.1']],
  [
    'from the last notification',
    '0:1 1:1.1 20:1.2 40:1.21',
    ['1: up from 1 to 1.1', '40: up from 1.1 to 1.21'],
  ],
  ['both ways', '0:1 1:0.9 20:1', ['1: down from 1 to 0.9', '20: up from 0.9 to 1']],
  [
    'at most every ten minutes',
    '0:1 1:1.2 5:2 10:2.1 11:2.2',
    ['1: up from 1 to 1.2', '11: up from 1.2 to 2.2'],
  ],
  ['not from zero', '0:0 1:1 2:2', ['2: up from 1 to 2']],
  ['not from an unknown value', '0:1 1:? 2:1.05', []],
  ['anew in another currency', '0:1 1:900q 2:990q', ['2: up from 900 to 990']],
  ['down to zero', '0:1 1:0', ['1: down from 1 to 0']],
])('a change of 10%% is notified %s', (_what, polls, expected) => {
  expect(events(moves, polls)).toEqual(expected)
})

test('each kind compares a figure of its own', () => {
  const figures = figuresOf(parsed(fullAsset), defaultUnits)
  const remembered = kindIds.flatMap((id) => {
    const { detection, figure, settingFrom } = kinds[id]
    if (detection.from !== 'rule-memory' || !figure) return []
    const rule = { id: 7, setting: settingFrom({ move: 10 }), memory: '' }
    const poll = { chain: 8453, now, asset, figures, history: [] }
    const { value } = JSON.parse(detection.detect(rule, poll).memory)[8453]
    expect(value, id).toEqual(figure.of(figures))
    return [value.amount]
  })
  expect(remembered.length).toBeGreaterThan(1)
  expect(new Set(remembered).size).toBe(remembered.length)
})

test('a memory that can’t be parsed counts as none', () => {
  expect(events(above, '0:0.9 1:1.1', '{"old":true')).toHaveLength(1)
})

test('a memory is stored beside that of another chain', () => {
  const other = { value: usd('7'), canCross: true, notifiedAt: 5, count: 2 }
  const before = { value: usd('0.9'), canCross: true, notifiedAt: 0, count: 0 }
  const memory = JSON.stringify({ 1: other, 8453: before })
  expect(detect({ setting: above, memory }, usd('0.9')).memory).toBe(memory)
  const after = { value: usd('1.1'), canCross: false, notifiedAt: now, count: 1 }
  const crossed = detect({ setting: above, memory }, usd('1.1'))
  expect(crossed.memory).toBe(JSON.stringify({ 1: other, 8453: after }))
})

test('one address on two chains has two values, and keys count the events of each', () => {
  const { detection } = price
  if (detection.from !== 'rule-memory') throw new Error('no rule')
  let memory = ''
  const keys = '1:1 2:50 1:1.01 2:51 1:2 2:80'.split(' ').map((each) => {
    const [chain, amount = ''] = each.split(':')
    const figures = { pool: 'auction', price: usd(amount) } as const
    const rule = { id: 7, setting: moves, memory }
    const detected = detection.detect(rule, {
      chain: Number(chain),
      now,
      asset,
      figures,
      history: [],
    })
    memory = detected.memory
    return detected.event?.key
  })
  expect(keys.filter(Boolean)).toEqual([`price:7:1:1:${now}`, `price:7:2:1:${now}`])
})

test('no values notify more often than every ten minutes, and keys never repeat', () => {
  const setting = fc.constantFrom<Setting[]>({ above: '5' }, { below: '5' }, { moves: 20 })
  const currency = fc.constantFrom<Money['currency'][]>('usd', 'numeraire')
  const value = fc.record({
    seconds: fc.nat(900),
    amount: fc.nat(10).map(String),
    currency,
  })
  fc.assert(
    fc.property(setting, fc.array(value), (each, values) => {
      let memory = ''
      let clock = now
      const times: number[] = []
      const keys: string[] = []
      for (const { seconds, ...money } of values) {
        clock += seconds
        const detected = detect({ setting: each, memory }, money, clock)
        memory = detected.memory
        if (!detected.event) continue
        times.push(clock)
        keys.push(detected.event.key)
      }
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      expect(gaps.filter((gap) => gap < 600)).toEqual([])
      expect(new Set(keys).size).toBe(keys.length)
    }),
  )
})
