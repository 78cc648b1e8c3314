import { expect, test } from 'vitest'
import { isCardLine } from '../../../src/telegram/inline.ts'

test.each([
  ['asset 0x12ab chain:8453', true],
  ['AUCTION 0x12ab', true],
  ['asset 0x12ab chain:8453 details:on', false],
  ['asset 0x12ab\nalerts remove all', false],
  ['launch 0x12ab', false],
  ['assets live', false],
])('%j runs on a message that was sent through inline mode: %s', (line, runs) => {
  expect(isCardLine(line)).toBe(runs)
})
