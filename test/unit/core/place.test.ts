import { expect, test } from 'vitest'
import type { MenuEntry } from '../../../src/core/dispatch.ts'
import { withChatOption, withoutChatOption } from '../../../src/core/input.ts'

const option = { about: 'X', example: 'x', required: false, completes: false }
const menu: MenuEntry[] = [
  {
    name: 'launch',
    about: 'Launch',
    ephemeral: true,
    options: [
      { ...option, name: 'from', chat: true },
      { ...option, name: 'kind', chat: false },
    ],
  },
  {
    name: 'find',
    about: 'Find',
    ephemeral: false,
    options: [{ ...option, name: 'from', chat: false }],
  },
]

test.each([
  ['launch from:-100', 'launch'],
  ['LAUNCH From: "-100" kind:fast', 'launch kind:fast'],
  ['launch', 'launch'],
  ['launch  kind:fast', 'launch  kind:fast'],
  ['find from:-100', 'find from:-100'],
  ['unknown from:-100', 'unknown from:-100'],
  ['', ''],
  // It is refused for being there twice.
  ['launch from:1 from:2', 'launch from:1 from:2'],
])('of what was typed, %j, there is left %j', (typed, left) => {
  expect(withoutChatOption(typed, menu)).toBe(left)
})

test('the place that the platform knows takes the place of one that was typed', () => {
  expect(withChatOption('launch from:1 kind:fast', menu, '-100')).toBe('launch from:-100 kind:fast')
  expect(withChatOption('launch', menu, '-100')).toBe('launch from:-100')
  expect(withChatOption('find x', menu, '-100')).toBe('find x')
})
