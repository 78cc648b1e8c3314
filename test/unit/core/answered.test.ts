import { expect, test } from 'vitest'
import type { Answered } from '../../../src/core/dispatch.ts'
import { discord } from '../../../src/discord/platform.ts'
import { context, makeBot, said, silence } from './otter-bot.ts'

function counted(conversation = silence) {
  const answers: Answered[] = []
  const limits = { person: 3, chat: 3 }
  const { bot } = makeBot(undefined, limits, conversation, (answered) => answers.push(answered))
  const counts = () =>
    answers.map(({ platform, command, outcome }) => `${platform} ${command} ${outcome}`)
  /** Asks, and shows the answer as a platform does that takes it. */
  const ask = async (line: string, from = context) => {
    const { onShown } = await bot.answer(bot.parse(line), from)
    onShown?.('arrived')
  }
  return { bot, answers, counts, ask }
}

test('each answer is reported with its command, its outcome and its duration', async () => {
  const { answers, counts, ask } = counted()
  await ask('FIND Ada')
  await ask('find', { ...context, platform: discord })
  await ask('down')
  expect(counts()).toEqual([
    'telegram find answered',
    'discord find refused',
    'telegram down failed',
  ])
  expect(answers.every(({ seconds }) => seconds >= 0 && seconds < 60)).toBe(true)
})

test('what is no command is reported as "other", not by what was typed', async () => {
  const { counts, ask } = counted()
  await ask('sk-my-secret OTTER')
  await ask('')
  expect(counts()).toEqual(['telegram other refused', 'telegram other refused'])
})

test('private messages without a command are reported as "words", whether a question was open or not', async () => {
  const heard = { text: 'Ada', fields: {}, files: [] }
  const asked = counted({ ...silence, receive: async () => said('Thank you') })
  const first = await asked.bot.receive(heard, asked.bot.parse('find Ada'), context)
  first.onShown?.('arrived')
  const unasked = counted()
  const second = await unasked.bot.receive(heard, unasked.bot.parse('find Ada'), context)
  second.onShown?.('arrived')
  expect([...asked.counts(), ...unasked.counts()]).toEqual([
    'telegram words answered',
    'telegram words answered',
  ])
})

test('a refusal for flooding is reported, too', async () => {
  const { counts, ask } = counted()
  for (let count = 0; count < 4; count += 1) await ask('find Ada')
  expect(counts().slice(2)).toEqual(['telegram find answered', 'telegram find refused'])
})

test.each([
  ['arrived', 'answered'],
  ['replaced by an explanation', 'failed'],
  ['refused by the platform', 'refused by the platform'],
  ['lost', 'failed'],
] as const)('an answer that is %s counts as %s, once', async (arrival, outcome) => {
  const { bot, counts } = counted()
  const { onShown } = await bot.answer(bot.parse('find Ada'), context)
  expect(counts()).toEqual([])
  onShown?.(arrival)
  onShown?.('arrived')
  expect(counts()).toEqual([`telegram find ${outcome}`])
})
