import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rule, rowOf, ruleOf } from '../../../src/alerts/rule.ts'
import { anyRule } from './any-rule.ts'

const any = { chain: 0, asset: '', numeraire: '', creator: '', category: '' }

describe('a rule is normalised', () => {
  test.each<[about: string, rule: Rule, row: object]>([
    ['one without a setting', { kind: 'live', setting: {}, scope: {} }, { ...any, setting: '' }],
    [
      'one with each limit of its scope, whose addresses are in lower case and its category as it is',
      {
        kind: 'graduated',
        setting: {},
        scope: {
          chain: 8453,
          asset: '0xAB',
          numeraire: '0xCD',
          creator: '0xEF',
          category: 'Builder',
        },
      },
      {
        chain: 8453,
        asset: '0xab',
        numeraire: '0xcd',
        creator: '0xef',
        category: 'Builder',
        setting: '',
      },
    ],
    [
      'percentages in their order, each once',
      { kind: 'progress', setting: { percents: [90, 5, 25, 90] }, scope: {} },
      { ...any, setting: '{"percents":[5,25,90]}' },
    ],
    [
      'minutes',
      { kind: 'ending', setting: { minutes: 30 }, scope: {} },
      { ...any, setting: '{"minutes":30}' },
    ],
    [
      'a value without zeros that say nothing',
      { kind: 'price', setting: { above: '001.500' }, scope: {} },
      { ...any, setting: '{"above":"1.5"}' },
    ],
    [
      'a tiny value without an exponent',
      { kind: 'price', setting: { below: '0.000000000000000000120' }, scope: {} },
      { ...any, setting: '{"below":"0.00000000000000000012"}' },
    ],
    [
      'a large value to its last digit',
      { kind: 'mcap', setting: { above: '9007199254740993123456789' }, scope: {} },
      { ...any, setting: '{"above":"9007199254740993123456789"}' },
    ],
    [
      'a movement',
      { kind: 'mcap', setting: { moves: 10 }, scope: {} },
      { ...any, setting: '{"moves":10}' },
    ],
    [
      'an hour in a zone, whatever order they came in',
      { kind: 'digest', setting: { zone: 'Europe/Berlin', hour: 8 }, scope: {} },
      { ...any, setting: '{"hour":8,"zone":"Europe/Berlin"}' },
    ],
  ])('%s', (_about, rule, row) => {
    expect(rowOf(rule)).toEqual({ kind: rule.kind, ...row })
  })
})

test('a rule that is read from its row makes the same row', () => {
  fc.assert(
    fc.property(anyRule, (rule) => {
      const row = rowOf(rule)
      const read = ruleOf(row)
      expect(read).toBeDefined()
      expect(read && rowOf(read)).toEqual(row)
      expect(read?.kind).toBe(rule.kind)
      expect(read?.scope.category).toBe(rule.scope.category?.toWellFormed())
    }),
  )
})

test.each([
  ['of a kind that is unknown', { kind: 'rumour', setting: '' }],
  ['whose setting is no JSON', { kind: 'ending', setting: '{' }],
  ['whose setting is that of another kind', { kind: 'ending', setting: '{"percents":[5]}' }],
  ['without the setting that it needs', { kind: 'digest', setting: '' }],
])('a row %s is no rule', (_about, row) => {
  expect(ruleOf({ ...any, ...row })).toBeUndefined()
})
