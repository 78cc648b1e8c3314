import { expect, onTestFinished, test } from 'vitest'
import { conversation } from '../../../commands/conversation.ts'
import { commands } from '../../../commands/index.ts'
import type { Services } from '../../../commands/services.ts'
import { blockedBy } from '../../../src/app.ts'
import { CommandRunner } from '../../../src/core/runner.ts'
import { Blocklist } from '../../../src/db/blocklist.ts'
import { createLogger } from '../../../src/log.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { errorView } from '../../../src/views/error.ts'
import { startCommands } from '../commands/bot.ts'
import { shown } from '../views/shown.ts'
import { AskedBot } from './asked.ts'

const notice =
  'You can’t use this bot any more: its operator has blocked you. This is the only message about it.'
const context = {
  platform: telegram,
  user: '7',
  chat: '7',
  ephemeral: true,
  isPrivate: true,
  locale: 'en',
} as const

async function begin() {
  const harness = await startCommands()
  onTestFinished(() => harness.stop())
  const { store, services } = harness
  const blocklist = new Blocklist(store, services.now)
  const bot = new AskedBot({
    runner: new CommandRunner<Services>({ commands, conversation, services }),
    explain: errorView,
    log: createLogger('silent', []),
    floodLimits: { person: 1000, chat: 1000 },
    blocked: blockedBy(blocklist),
  })
  return { store, blocklist, bot }
}

test('a blocked person is told so once and then nothing, and nothing is kept of what they write', async () => {
  const { store, blocklist, bot } = await begin()
  await blocklist.block({ platform: 'telegram', id: '7' })
  const answer = await bot.answer(
    bot.parse('watch 0x4200000000000000000000000000000000000006'),
    context,
  )
  expect(shown(answer.view)).toEqual(['', notice])
  expect(answer).toMatchObject({ outcome: 'refused', repeated: false })
  expect(await bot.answer(bot.parse('alerts add live'), context)).toMatchObject({ repeated: true })
  const input = { text: 'otter', fields: {}, files: [] }
  expect(await bot.receive(input, context)).toMatchObject({
    repeated: true,
  })
  expect(await bot.overheard('0x4200000000000000000000000000000000000006', context)).toBeUndefined()
  expect(await bot.replied(input, context)).toBeUndefined()
  expect(await bot.welcome(context)).toBeUndefined()
  expect(
    await bot.complete({ command: 'asset', option: 'asset', typed: 'otter' }, context),
  ).toEqual([])
  expect((await bot.inline('otter', context)).hits).toEqual([])
  expect(await bot.form('alerts choose price', context)).toMatchObject({ outcome: 'refused' })
  for (const table of ['watchlist', 'chats', 'pending_questions', 'chat_settings'] as const)
    expect(await store.selectFrom(table).selectAll().execute()).toEqual([])
})

test('what is never answered, such as a word in a group, does not take the only notice away', async () => {
  const { blocklist, bot } = await begin()
  await blocklist.block({ platform: 'telegram', id: '7' })
  await bot.overheard('0x4200000000000000000000000000000000000006', context)
  await bot.replied({ text: 'otter', fields: {}, files: [] }, context)
  await bot.complete({ command: 'asset', option: 'asset', typed: 'otter' }, context)
  await bot.welcome(context)
  expect(await bot.answer(bot.parse('start'), context)).toMatchObject({ repeated: false })
  expect(await bot.answer(bot.parse('start'), context)).toMatchObject({ repeated: true })
})

test('others are answered, and so is everybody who is unblocked', async () => {
  const { blocklist, bot } = await begin()
  await blocklist.block({ platform: 'telegram', id: '7' })
  const start = bot.parse('start')
  expect(await bot.answer(start, { ...context, user: '8', chat: '8' })).toMatchObject({
    outcome: 'answered',
  })
  expect(await bot.answer(start, context)).toMatchObject({ outcome: 'refused' })
  await blocklist.unblock({ platform: 'telegram', id: '7' })
  expect(await bot.answer(start, context)).toMatchObject({ outcome: 'answered' })
})
