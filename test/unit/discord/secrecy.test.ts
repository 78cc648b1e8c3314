import { afterEach, beforeEach, expect, test } from 'vitest'
import { ben, club } from '../../../sandbox/discord/cast.ts'
import { SendError } from '../../../src/core/adapter.ts'
import { createLogger } from '../../../src/log.ts'
import { says, viewOf } from '../core/scripted-bot.ts'
import { type Chat, startChat, textOf, token } from './discord-chat.ts'

let chat: Chat
beforeEach(async () => {
  chat = await startChat()
})
afterEach(() => chat.stop())

const link = 'QY3bZ0tW7mXnR2cV5kLp8sDf1gHj4aEu'
/** Discord takes no such address, and discord.js hangs all that was sent on its error. */
const buttons = [{ label: 'Sign', url: `https://otter.example/${'x'.repeat(600)}/${link}` }]
const view = { ...viewOf('Sign it here, Ben'), buttons: [buttons] }

const written = () => chat.log.lines.map((line) => JSON.stringify(line)).join('\n')

/** The errors that came of it, written down as a fault of a command is. */
function log(err: unknown): void {
  createLogger('info', [token], chat.log).error({ err }, 'command failed')
}

test('a hand-over that Discord refuses is logged without its link, its words and the interaction', async () => {
  chat.bot.on('ask sign', says('Sign it here, Ben', buttons))
  const asked = chat.server.people.slash(ben.id, club.id, 'ask', { term: 'sign' })
  expect(textOf(await asked.message())).toBe('explained')
  const [explained] = chat.bot.explained
  const { url } = Object(Object(explained?.error).cause)
  const [, interaction = ''] = /\/interactions\/\d+\/([^/]+)\//u.exec(String(url)) ?? []
  expect(interaction).not.toBe('')
  log(explained?.error)
  log(
    new Error(`PATCH ${url} failed`, {
      cause: new Error(String(url).replace('interactions', 'webhooks')),
    }),
  )
  expect(written()).toContain('"code":50035')
  expect(written()).toContain('"status":400')
  expect(written()).toContain('"method":"POST"')
  for (const hidden of [link, 'Sign it here', interaction, token]) {
    expect(written()).not.toContain(hidden)
  }
})

test('so is a message sent by the bot itself that is refused', async () => {
  const to = { kind: 'chat', id: club.id } as const
  const err: unknown = await chat.platform.send(to, view, 'one').catch((error: unknown) => error)
  expect(err).toBeInstanceOf(SendError)
  log(err)
  expect(written()).toContain('"type":"DiscordAPIError"')
  for (const hidden of [link, 'Sign it here', token]) expect(written()).not.toContain(hidden)
})
