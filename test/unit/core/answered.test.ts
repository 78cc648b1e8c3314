import { expect, test } from 'vitest'
import { SendError } from '../../../src/core/adapter.ts'
import type { Answered } from '../../../src/core/dispatch.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { discord } from '../../../src/discord/platform.ts'
import { handled, pressOf } from './asked.ts'
import { context, makeBot, said, silence } from './otter-bot.ts'

function counted(conversation = silence) {
  const answers: Answered[] = []
  const limits = { person: 3, chat: 3 }
  const { bot } = makeBot(undefined, limits, conversation, (answered) => answers.push(answered))
  const counts = () =>
    answers.map(({ platform, command, outcome }) => `${platform} ${command} ${outcome}`)
  const ask = (line: string, from = context) => bot.answer(bot.parse(line), from)
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
  await asked.bot.receive(heard, context)
  const unasked = counted()
  await unasked.bot.receive(heard, context)
  expect([...asked.counts(), ...unasked.counts()]).toEqual([
    'telegram words answered',
    'telegram words refused',
  ])
})

test('a refusal for flooding is reported, too', async () => {
  const { counts, ask } = counted()
  for (let count = 0; count < 4; count += 1) await ask('find Ada')
  expect(counts().slice(2)).toEqual(['telegram find answered', 'telegram find refused'])
})

const refusal = { final: true, isRefusal: true } as const

test.each([
  [
    'is about the chat',
    new SendError('blocked', { ...refusal, loss: 'blocked' }),
    'refused by the platform',
  ],
  [
    'is a limit',
    new SendError('too much', { final: false, retryAfter: 3, isRefusal: true }),
    'refused by the platform',
  ],
  [
    'is about the bot',
    new SendError('frozen', { final: false, isRefusal: true }),
    'refused by the platform',
  ],
  ['is no answer', new SendError('unreachable', { final: false }), 'failed'],
])(
  'an answer whose refusal %s is counted so, and its error is the adapter’s',
  async (_, error, outcome) => {
    const { bot, counts } = counted()
    const finish = async () => {
      throw error
    }
    await expect(handled(bot, context, pressOf('find Ada'), { finish })).rejects.toBe(error)
    expect(counts()).toEqual([`telegram find ${outcome}`])
  },
)

test.each([
  ['that the platform refuses for what it contains', new SendError('bad buttons', refusal)],
  ['that can’t be rendered', new TypeError('too many buttons')],
])('an answer %s counts as failed, and an explanation is shown', async (_, error) => {
  const { bot, counts } = counted()
  const shown: Answer[] = []
  const finish = async (answer: Answer) => {
    shown.push(answer)
    if (shown.length === 1) throw error
  }
  await handled(bot, context, pressOf('find Ada'), { finish })
  expect(shown.map(({ outcome }) => outcome)).toEqual(['answered', 'failed'])
  expect(counts()).toEqual(['telegram find failed'])
})
