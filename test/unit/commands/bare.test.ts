import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { plainView } from '../../../src/core/catalogue.ts'
import type { Context } from '../../../src/core/command.ts'
import { discord } from '../../../src/discord/platform.ts'
import { handled, messageOf } from '../core/asked.ts'
import { shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, Talk } from './talk.ts'

const group: Context = { ...ada, chat: '-5', isPrivate: false, ephemeral: false }
let harness: CommandHarness
beforeEach(async () => {
  harness = await startCommands()
})
afterEach(() => harness.stop())

const question = 'Which token? Reply with its name, ticker or address.'

/** What is answered to words, in a group to those that reply to the bot. */
async function told(words: string, context: Context, isReply = true): Promise<string[]> {
  const { answers } = await handled(harness.bot, context, { ...messageOf(words), isReply })
  return answers.map(({ view }) => shown(view).join('\n'))
}

describe.each<[string, Context]>([
  ['a private chat', ada],
  ['a group', group],
])('in %s', (_, context) => {
  test.each([
    ['search', 'moon', /Search/u],
    ['asset', '$OTTER', /Moon Otter/u],
  ])('a bare /%s asks which token, and takes the reply', async (name, reply, answer) => {
    const view = await new Talk(harness, context).says(name)
    expect([shown(view).join('').trim(), view.reply]).toEqual([question, 'Name, ticker or address'])
    const [first] = await told(reply, context)
    expect(first).toMatch(answer)
  })

  test('what is told afterwards is no answer any more', async () => {
    await new Talk(harness, context).says('search')
    await told('moon', context)
    expect((await told('river', context)).join()).not.toMatch(/Search/u)
  })
})

test('in a group, what replies to nothing of the bot’s is no answer', async () => {
  await new Talk(harness, group).says('search')
  expect(await told('moon', group, false)).toEqual([])
})

test('a seed phrase is not searched for', async () => {
  await new Talk(harness).says('search')
  const before = harness.apiServer.requests.length
  await told(`${'abandon '.repeat(11)}about`, ada)
  expect(harness.apiServer.requests.length).toBe(before)
})

test('where no reply reaches the bot, the command says what it needs', async () => {
  const server = { ...group, platform: discord }
  expect(plainView(await new Talk(harness, server).refusal('search'))).toContain('/search needs:')
})
