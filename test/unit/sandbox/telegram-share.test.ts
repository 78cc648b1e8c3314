import { afterEach, beforeEach, expect, test } from 'vitest'
import { ada, ben, club, news } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, mayPost, noRights, startTelegram } from './telegram-call.ts'

let server: TelegramServer
beforeEach(async () => {
  server = await startTelegram()
  for (const { id } of [ada, ben]) server.people.text(id, id, '/start')
})
afterEach(() => server.stop())

async function asks(chat_id: number, ...requests: object[]): Promise<string> {
  const keyboard = [requests.map((request_chat) => ({ text: 'Pick', request_chat }))]
  const reply_markup = { keyboard, one_time_keyboard: true }
  const { ok, description } = await call(server, 'sendMessage', {
    chat_id,
    text: 'x',
    reply_markup,
  })
  return ok ? 'sent' : description
}

const channel = {
  request_id: 1,
  chat_is_channel: true,
  user_administrator_rights: mayPost,
  bot_administrator_rights: mayPost,
}

test('only a chat of the kind, by who has the rights, through a button that is there', async () => {
  expect(await asks(ada.id, channel)).toBe('sent')
  expect(await asks(ben.id, channel)).toBe('sent')
  expect(() => server.people.share(ada.id, 2, news.id)).toThrow('no such button')
  expect(() => server.people.share(ada.id, 1, club.id)).toThrow('another kind')
  expect(() => server.people.share(ada.id, 1, ada.id)).toThrow('another kind')
  expect(() => server.people.share(ben.id, 1, news.id)).toThrow('rights')
  server.circumstances.role(ben.id, news.id, 'administrator')
  server.circumstances.stands(ben.id, news.id, { silent: true })
  expect(() => server.people.share(ben.id, 1, news.id)).toThrow('rights')
  server.circumstances.stands(ben.id, news.id, {})
  expect(server.people.share(ben.id, 1, news.id).chat_shared).toMatchObject({
    request_id: 1,
    chat_id: news.id,
  })
  const reply_markup = { remove_keyboard: true }
  await call(server, 'sendMessage', { chat_id: ada.id, text: 'x', reply_markup })
  expect(() => server.people.share(ada.id, 1, news.id)).toThrow('no such button')
})

test('the bot is told that it was put in, before it is told of the choice', async () => {
  server.people.kick(news.id)
  await asks(ada.id, channel)
  server.people.share(ada.id, 1, news.id)
  const { result } = await call(server, 'getUpdates', { timeout: 0 })
  expect(Array.isArray(result) && result.slice(-2)).toMatchObject([
    { my_chat_member: { new_chat_member: { status: 'administrator' } } },
    { message: { chat_shared: { chat_id: news.id } } },
  ])
})

test('keyboards that the Bot API refuses are refused', async () => {
  expect(await asks(ada.id, channel, channel)).toContain('BUTTON_ID_DUPLICATE')
  expect(await asks(ada.id, { request_id: 1 })).toContain('chat_is_channel')
  expect(await asks(ada.id, { chat_is_channel: true })).toContain('request_id')
  expect(await asks(ada.id, { ...channel, user_administrator_rights: noRights })).toContain(
    'rights',
  )
  expect(await asks(club.id, channel)).toContain('private chats only')
})
