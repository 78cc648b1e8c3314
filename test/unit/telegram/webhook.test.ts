import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Bot } from 'grammy'
import { beforeEach, expect, test } from 'vitest'
import { webhookOf } from '../../../src/telegram/webhook.ts'
import { botInfo } from './pollers.ts'
import { token } from './telegram-chat.ts'

const secret = 'a-secret'

let bot: Bot
beforeEach(() => {
  bot = new Bot(token, { botInfo })
})

/** A call of Telegram's, by default a genuine one. */
function call(body = '{"update_id":1}', headers: Record<string, string> = {}): IncomingMessage {
  const request = Readable.from([Buffer.from(body)]) as IncomingMessage
  request.headers = { 'x-telegram-bot-api-secret-token': secret, ...headers }
  return request
}

test('an update is confirmed once it was handled', async () => {
  const handled = Promise.withResolvers<void>()
  bot.use(() => handled.promise)
  let status: number | undefined
  const answer = webhookOf(
    bot,
    secret,
  )(call()).then((each) => {
    status = each.status
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(status).toBeUndefined()
  handled.resolve()
  await answer
  expect(status).toBe(200)
})

test('one that takes long is confirmed before it was handled, and may fail later', async () => {
  const handled = Promise.withResolvers<void>()
  bot.use(() => handled.promise)
  expect(await webhookOf(bot, secret, 20)(call())).toEqual({ status: 200 })
  handled.reject(new Error('the process stops'))
  // An unhandled rejection would fail this test.
  await new Promise((resolve) => setTimeout(resolve, 20))
})

test('Telegram soon brings again what could not be handled', async () => {
  bot.use(() => {
    throw new Error('the process stops')
  })
  expect(await webhookOf(bot, secret)(call())).toMatchObject({ status: 503, retryAfter: 1 })
})

test.each(['', 'x', `${secret}x`])('a call with another secret is refused: "%s"', async (wrong) => {
  const updates: number[] = []
  bot.use(({ update }) => void updates.push(update.update_id))
  const request = call(undefined, { 'x-telegram-bot-api-secret-token': wrong })
  expect((await webhookOf(bot, secret)(request)).status).toBe(401)
  expect(updates).toEqual([])
})

test.each([
  ['is empty', ''],
  ['is garbage', 'garbage'],
  ['is nothing', 'null'],
  ['has no number', '{}'],
  ['has a wrong number', '{"update_id":-1}'],
  ['is more than half a megabyte', `{"update_id":1,"padding":"${'x'.repeat(512 * 1024)}"}`],
])('an update that %s is not taken', async (_, body) => {
  const updates: number[] = []
  bot.use(({ update }) => void updates.push(update.update_id))
  expect((await webhookOf(bot, secret)(call(body))).status).toBe(503)
  expect(updates).toEqual([])
})

test('nothing is taken before the bot knows who it is', async () => {
  const answer = await webhookOf(new Bot(token), secret)(call())
  expect(answer).toMatchObject({ status: 503 })
})
