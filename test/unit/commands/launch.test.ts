import { afterEach, beforeEach, expect, test } from 'vitest'
import { telegram } from '../../../src/telegram/platform.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, menu, startCommands } from './bot.ts'

let harness: CommandHarness

beforeEach(async () => {
  harness = await startCommands()
})
afterEach(() => harness.stop())

const context = {
  platform: telegram,
  user: '7',
  chat: '7',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const

test('answers about launches are ephemeral, also those to buttons', () => {
  for (const line of ['launch', 'launches', 'launching skip x', 'cancel', 'metadata']) {
    expect(harness.bot.parse(line).ephemeral, line).toBe(true)
  }
})

test('commands for buttons alone are in no menu', () => {
  const names = menu.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['launch', 'cancel', 'metadata']))
  expect(names).not.toContain('launching')
})

test('help names no option that nobody types', async () => {
  for (const line of ['help launch', 'launch color:red']) {
    const { view } = await harness.bot.answer(harness.bot.parse(line), context)
    expect(shown(view).join('\n')).not.toContain('from:')
  }
})

test('the chat in which a command was sent can’t be typed behind it', async () => {
  const line = 'metadata -1009999999999'
  const { view, outcome } = await harness.bot.answer(harness.bot.parse(line), context)
  expect(outcome).toBe('refused')
  expect(shown(view).join('\n')).toContain('I’ll ask for the details')
})

test.each([
  ['a key', '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'],
  ['a seed phrase', `${'test '.repeat(11)}junk`],
])(
  '%s that is pasted without a question is warned of, and searched for nowhere',
  async (_, words) => {
    const { view, outcome } = await harness.bot.receive(
      { text: words, fields: {}, files: [] },
      context,
    )
    expect(outcome).toBe('refused')
    expect(shown(view).join('\n')).toContain('anyone who has seen it can take everything')
    expect(shown(view).join('\n')).not.toMatch(/4c08|junk/u)
    expect(view.buttons ?? []).toEqual([])
    expect(harness.apiServer.requests).toEqual([])
  },
)

test('without templates each of them says that nothing can be launched', async () => {
  for (const line of ['launch', 'launching resume k3f9a2bc', 'cancel', 'metadata']) {
    const { view, outcome } = await harness.bot.answer(harness.bot.parse(line), context)
    expect(outcome).toBe('refused')
    expect(shown(view).join('\n'), line).toContain('isn’t set up here')
  }
})
