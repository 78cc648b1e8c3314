import { afterEach, beforeEach, expect, test } from 'vitest'
import { ben } from '../../../sandbox/telegram/cast.ts'
import { SendError } from '../../../src/core/adapter.ts'
import { createLogger } from '../../../src/log.ts'
import { says, viewOf } from '../../unit/core/scripted-bot.ts'
import { startFrontedChat, token } from '../../unit/telegram/telegram-chat.ts'

type Fronted = Awaited<ReturnType<typeof startFrontedChat>>

let chat: Fronted
beforeEach(async () => {
  chat = await startFrontedChat()
})
afterEach(() => chat.stop())

const link = 'QY3bZ0tW7mXnR2cV5kLp8sDf1gHj4aEu'
const buttons = [{ label: 'Sign', url: `https://gavel.example/s/${link}` }]

/** Telegram quotes the button that it does not take. */
const refusal = (error_code: number) =>
  JSON.stringify({
    ok: false,
    error_code,
    description: `Bad Request: inline keyboard button URL '${buttons[0]?.url}' is invalid`,
  })

const written = () => chat.log.lines.map((line) => JSON.stringify(line)).join('\n')

test.each([400, 403, 500])(
  'a hand-over that Telegram answers with %i is logged without its link and its words',
  async (status) => {
    chat.bot.on('ask sign', says('Sign it here, Ben', buttons))
    chat.front.mishap = (method) =>
      method === 'sendMessage' ? { status, body: refusal(status) } : undefined
    chat.server.people.text(ben.id, ben.id, '/ask sign')
    await expect.poll(written, { timeout: 20_000 }).toContain(`"update":`)
    expect(written()).toContain("button URL 'https://gavel.example/s/[redacted]' is invalid")
    for (const hidden of [link, 'Sign it here', token]) expect(written()).not.toContain(hidden)
    if (status !== 403) expect(written()).toContain(`"error_code":${status}`)
  },
)

test('so is a message sent by the bot itself that is refused, with the reason', async () => {
  chat.front.mishap = (method) =>
    method === 'sendMessage' ? { status: 400, body: refusal(400) } : undefined
  const view = { ...viewOf('Sign it here, Ben'), buttons: [buttons] }
  const to = { kind: 'person', id: String(ben.id) } as const
  const err: unknown = await chat.platform.send(to, view, 'k1').catch((error: unknown) => error)
  expect(err).toBeInstanceOf(SendError)
  createLogger('info', [], chat.log).warn({ err }, 'a job failed')
  expect(written()).toContain('"type":"GrammyError"')
  expect(written()).toContain('"method":"sendMessage"')
  for (const hidden of [link, 'Sign it here', token]) expect(written()).not.toContain(hidden)
})

test('and one that never arrives', async () => {
  chat.front.mishap = (method) => (method === 'sendMessage' ? 'reset' : undefined)
  const view = { ...viewOf('Sign it here, Ben'), buttons: [buttons] }
  const to = { kind: 'person', id: String(ben.id) } as const
  const err: unknown = await chat.platform.send(to, view, 'k1').catch((error: unknown) => error)
  createLogger('info', [], chat.log).warn({ err }, 'a job failed')
  expect(written()).toContain('"type":"HttpError"')
  for (const hidden of [link, 'Sign it here', token]) expect(written()).not.toContain(hidden)
})
