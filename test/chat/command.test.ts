import { expect, test } from 'vitest'
import { nearest } from '../../src/chat/command.ts'

const names = ['search', 'asset', 'assets', 'auction', 'help', 'start']

test.each([
  ['serch', 'search'],
  ['asser', 'asset'],
  ['asets', 'assets'],
  ['auctoin', 'auction'],
  ['sea', 'search'],
  ['hlp', 'help'],
  ['asset', 'asset'],
  ['launch', undefined],
  ['x', undefined],
  ['', undefined],
  ['portfolio', undefined],
  ['x'.repeat(900), undefined],
])('%s is nearest to %s', (typed, name) => {
  expect(nearest(typed, names)).toBe(name)
})

test('nothing is near where there are no names', () => {
  expect(nearest('asset', [])).toBeUndefined()
})
