import { expect, test } from 'vitest'
import { lineFromChat, parseCommand, text, withoutChatOption } from '../../../src/core/command.ts'

const param = text<unknown>('X', 'x')
const commands = [
  { name: 'launch', params: { from: { ...param, chat: true }, kind: param } },
  { name: 'find', params: { from: param } },
]
const parsed = (line: string) => parseCommand(line, commands)

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
])('%j without the chat option is %j', (typed, left) => {
  expect(withoutChatOption(parsed(typed)).line).toBe(left)
})

test('the platform’s chat replaces one that was typed', () => {
  const line = (typed: string) => lineFromChat(parsed(typed), '-100')
  expect(line('launch from:1 kind:fast')).toBe('launch kind:fast from:-100')
  expect(line('launch')).toBe('launch from:-100')
  expect(line('find x')).toBe('find x')
})
