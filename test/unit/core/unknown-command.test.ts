import { expect, test } from 'vitest'
import { unknownCommand } from '../../../src/core/command.ts'

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
  const { message } = unknownCommand(typed, names)
  expect(/Did you mean \/(\w+)\?/u.exec(message)?.[1]).toBe(name)
  expect(message).toMatch(/^There is no command \/.* See \/help\.$/u)
})

test('without names nothing is near', () => {
  expect(unknownCommand('asset', []).message).not.toContain('mean')
})
