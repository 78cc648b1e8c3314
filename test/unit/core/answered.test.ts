import { expect, test } from 'vitest'
import type { Answered } from '../../../src/core/dispatch.ts'
import { discord } from '../../../src/discord/platform.ts'
import { context, makeBot, said, silence } from './otter-bot.ts'

function counted(conversation = silence) {
  const answers: Answered[] = []
  const limits = { person: 3, chat: 3 }
  const { bot } = makeBot(undefined, limits, conversation, (answered) => answers.push(answered))
  const told = () =>
    answers.map(({ platform, command, outcome }) => `${platform} ${command} ${outcome}`)
  return { bot, answers, told }
}

test('each answer is reported with its command, its outcome and its duration', async () => {
  const { bot, answers, told } = counted()
  await bot.answer(bot.parse('FIND Ada'), context)
  await bot.answer(bot.parse('find'), { ...context, platform: discord, user: 'ada', chat: 'ada' })
  await bot.answer(bot.parse('down'), context)
  expect(told()).toEqual(['telegram find answered', 'discord find refused', 'telegram down failed'])
  expect(answers.every(({ seconds }) => seconds >= 0 && seconds < 60)).toBe(true)
})

test('what is no command is reported as "other", not by what was typed', async () => {
  const { bot, told } = counted()
  await bot.answer(bot.parse('sk-my-secret OTTER'), context)
  await bot.answer(bot.parse(''), context)
  expect(told()).toEqual(['telegram other refused', 'telegram other refused'])
})

test('private messages without a command are reported as "words", whether a question was open or not', async () => {
  const heard = { text: 'Ada', fields: {}, files: [] }
  const asked = counted({ ...silence, receive: async () => said('Thank you') })
  await asked.bot.receive(heard, asked.bot.parse('find Ada'), context)
  const unasked = counted()
  await unasked.bot.receive(heard, unasked.bot.parse('find Ada'), context)
  expect([...asked.told(), ...unasked.told()]).toEqual([
    'telegram words answered',
    'telegram words answered',
  ])
})

test('a refusal for flooding is reported, too', async () => {
  const { bot, told } = counted()
  for (let count = 0; count < 4; count += 1) await bot.answer(bot.parse('find Ada'), context)
  expect(told().slice(2)).toEqual(['telegram find answered', 'telegram find refused'])
})
