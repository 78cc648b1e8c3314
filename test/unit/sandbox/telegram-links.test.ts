import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ben } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, startTelegram } from './telegram-call.ts'

let server: TelegramServer
beforeEach(async () => {
  server = await startTelegram()
})
afterEach(() => server.stop())

describe('a link to the bot', () => {
  test.each([
    ['https://t.me/gavel_bot?start=abc_-1', '/start abc_-1'],
    ['https://t.me/Gavel_Bot?start=abc', '/start abc'],
    ['https://t.me/gavel_bot', '/start'],
    ['https://t.me/gavel_bot?start=', '/start'],
    // Telegram hands on nothing that is too long or holds anything odd.
    [`https://t.me/gavel_bot?start=${'x'.repeat(64)}`, `/start ${'x'.repeat(64)}`],
    [`https://t.me/gavel_bot?start=${'x'.repeat(65)}`, '/start'],
    ['https://t.me/gavel_bot?start=a%20b', '/start'],
  ])('%s opens the private chat with %j', (url, text) => {
    server.people.open(ben.id, url)
    expect(server.people.messages(ben.id).map((message) => message.text)).toEqual([text])
  })

  test.each([
    'https://t.me/another_bot?start=abc',
    'https://evil.example/gavel_bot?start=abc',
    'http://t.me/gavel_bot?start=abc',
    'nonsense',
  ])('%s is none', (url) => {
    expect(() => server.people.open(ben.id, url)).toThrow('does not lead to @gavel_bot')
    expect(server.people.messages(ben.id)).toEqual([])
  })
})

describe('what a press may open', () => {
  async function answerWith(url: string) {
    server.people.text(ben.id, ben.id, 'x')
    const markup = { inline_keyboard: [[{ text: 'x', callback_data: 'x' }]] }
    const body = { chat_id: ben.id, text: 'x', reply_markup: markup }
    await call(server, 'sendMessage', body)
    const pressing = server.people.press(ben.id, ben.id, 2, { label: 'x' }, 5_000)
    const updates = await call(server, 'getUpdates', { offset: -1, timeout: 5 })
    const [update] = Array.isArray(updates.result) ? updates.result : []
    const query = { callback_query_id: update.callback_query.id, url }
    const refused = await call(server, 'answerCallbackQuery', query)
    if (!refused.ok) await call(server, 'answerCallbackQuery', { ...query, url: '' })
    return { refused, result: await pressing }
  }

  test('is a link to the bot itself', async () => {
    const url = 'https://t.me/gavel_bot?start=abc'
    expect((await answerWith(url)).result).toMatchObject({ kind: 'answer', url })
  })

  test.each(['https://t.me/otter_news', 'https://example.com/', 'http://127.0.0.1/'])(
    'is not %s',
    async (url) => {
      const { refused } = await answerWith(url)
      expect([refused.status, refused.description]).toEqual([400, 'Bad Request: URL_INVALID'])
    },
  )
})

test.each([
  ['http://127.0.0.1:3000/s/abc', true],
  ['https://gavel.example/s/abc', true],
  // Telegram wants a dot in the host.
  ['http://localhost:3000/s/abc', false],
  ['ftp://127.0.0.1/s/abc', false],
])('a button may lead to %s: %s', async (url, may) => {
  server.people.text(ben.id, ben.id, 'x')
  const reply_markup = { inline_keyboard: [[{ text: 'Sign', url, style: 'primary' }]] }
  const { ok } = await call(server, 'sendMessage', { chat_id: ben.id, text: 'x', reply_markup })
  expect(ok).toBe(may)
})
