import { expect, test } from 'vitest'
import type { Answered } from '../../src/core/dispatch.ts'
import { makeBot, said, silence, turn } from './pond.ts'

function counted(conversation = silence) {
  const answers: Answered[] = []
  const limits = { person: 3, chat: 3 }
  const { bot } = makeBot(undefined, limits, conversation, (answered) => answers.push(answered))
  const told = () =>
    answers.map(({ platform, command, outcome }) => `${platform} ${command} ${outcome}`)
  return { bot, answers, told }
}

test('each answer is told by its command and what it was, with the time that it took', async () => {
  const { bot, answers, told } = counted()
  await bot.answer('FIND Ada', turn)
  await bot.answer('find', { ...turn, platform: 'discord', person: 'ada', place: 'ada' })
  await bot.answer('down', turn)
  expect(told()).toEqual(['telegram find answered', 'discord find refused', 'telegram down failed'])
  expect(answers.every(({ seconds }) => seconds >= 0 && seconds < 60)).toBe(true)
})

test('no word of a person becomes a name: what is no command is "other"', async () => {
  const { bot, told } = counted()
  await bot.answer('sk-my-secret OTTER', turn)
  await bot.answer('', turn)
  expect(told()).toEqual(['telegram other refused', 'telegram other refused'])
})

test('what is said in private is "words", whether somebody asked for it or not', async () => {
  const heard = { words: 'Ada', named: {}, files: [] }
  const asked = counted({ ...silence, hear: async () => said('Thank you') })
  await asked.bot.hear(heard, 'find Ada', turn)
  const unasked = counted()
  await unasked.bot.hear(heard, 'find Ada', turn)
  expect([...asked.told(), ...unasked.told()]).toEqual([
    'telegram words answered',
    'telegram words answered',
  ])
})

test('who sends too much is refused, and that is told too', async () => {
  const { bot, told } = counted()
  for (let count = 0; count < 4; count += 1) await bot.answer('find Ada', turn)
  expect(told().slice(2)).toEqual(['telegram find answered', 'telegram find refused'])
})
