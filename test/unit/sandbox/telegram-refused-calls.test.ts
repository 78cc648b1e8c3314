import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, ben, club, news } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, startTelegram, token } from './telegram-call.ts'

let server: TelegramServer

beforeAll(async () => {
  server = await startTelegram()
  server.people.text(ada.id, ada.id, '/start')
})

afterAll(() => server.stop())

const refusedCalls: [string, Record<string, unknown>, number, string][] = [
  ['sendPoll', {}, 404, 'Not Found: method not found'],
  ['sendPhoto', { chat_id: ada.id }, 400, 'Bad Request: there is no photo in the request'],
  [
    'sendPhoto',
    { chat_id: ada.id, photo: 'https://pictures.example/a.png' },
    400,
    'Bad Request: failed to get HTTP URL content',
  ],
  [
    'sendPhoto',
    { chat_id: ada.id, photo: 'nonsense' },
    400,
    'Bad Request: wrong remote file identifier specified: Wrong string length',
  ],
  [
    'editMessageText',
    { chat_id: ada.id, text: 'x' },
    400,
    'Bad Request: message identifier is not specified',
  ],
  [
    'editMessageText',
    { chat_id: ada.id, message_id: 999, text: 'x' },
    400,
    'Bad Request: message to edit not found',
  ],
  [
    'editMessageText',
    { chat_id: ada.id, message_id: 1, text: 'x' },
    400,
    "Bad Request: message can't be edited",
  ],
  [
    'editMessageText',
    { inline_message_id: 'x', text: 'x' },
    400,
    'Bad Request: MESSAGE_ID_INVALID',
  ],
  [
    'deleteMessage',
    { chat_id: ada.id, message_id: 999 },
    400,
    'Bad Request: message to delete not found',
  ],
  [
    'answerCallbackQuery',
    { callback_query_id: '1' },
    400,
    'Bad Request: query is too old and response timeout expired or query ID is invalid',
  ],
  [
    'answerCallbackQuery',
    { callback_query_id: '1', text: 'x'.repeat(201) },
    400,
    'Bad Request: MESSAGE_TOO_LONG',
  ],
  [
    'answerInlineQuery',
    { inline_query_id: '1', results: [] },
    400,
    'Bad Request: query is too old and response timeout expired or query ID is invalid',
  ],
  [
    'setMyCommands',
    { commands: [{ command: 'Start', description: 'x' }] },
    400,
    'Bad Request: BOT_COMMAND_INVALID',
  ],
  [
    'setMyCommands',
    { commands: [{ command: 'start', description: '' }] },
    400,
    'Bad Request: command description must be non-empty',
  ],
  [
    'setMyCommands',
    { commands: [{ command: 'start', description: 'x'.repeat(257) }] },
    400,
    'Bad Request: BOT_COMMAND_DESCRIPTION_INVALID',
  ],
  [
    'setMyCommands',
    {
      commands: Array.from({ length: 101 }, (_, index) => ({
        command: `c${index}`,
        description: 'x',
      })),
    },
    400,
    'Bad Request: BOT_COMMANDS_TOO_MUCH',
  ],
  [
    'setMyCommands',
    { commands: [], scope: { type: 'moon' } },
    400,
    "Bad Request: can't parse BotCommandScope: chat_id is empty",
  ],
  [
    'setMyDescription',
    { description: 'x'.repeat(513) },
    400,
    'Bad Request: description is too long',
  ],
  [
    'sendChatAction',
    { chat_id: ada.id, action: 'dancing' },
    400,
    'Bad Request: wrong parameter action in request',
  ],
  ['getChatMember', { chat_id: club.id, user_id: 5 }, 400, 'Bad Request: user not found'],
  [
    'getChatAdministrators',
    { chat_id: ada.id },
    400,
    'Bad Request: there are no administrators in the private chat',
  ],
  [
    'getFile',
    { file_id: 'x' },
    400,
    'Bad Request: wrong file_id or the file is temporarily unavailable',
  ],
  [
    'sendMessage',
    { chat_id: ben.id, text: 'x' },
    403,
    "Forbidden: bot can't initiate conversation with a user",
  ],
]

test.each(refusedCalls)('%s with %j is refused', async (method, body, status, description) => {
  expect(await call(server, method, body)).toMatchObject({ status, ok: false, description })
})

test('a wrong token is 401, a path without a method 404, a body that is no JSON 400', async () => {
  const wrong = await fetch(`${server.root}/bot1:wrong/getMe`)
  expect([wrong.status, await wrong.json()]).toEqual([
    401,
    { ok: false, error_code: 401, description: 'Unauthorized' },
  ])
  expect((await fetch(`${server.root}/bot${token}`)).status).toBe(404)
  const broken = await fetch(`${server.root}/bot${token}/getMe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  })
  expect(broken.status).toBe(400)
})

test('a chat that shut the bot out answers 403, a migrated group names its successor', async () => {
  const shut = await startTelegram()
  const send = async (chat_id: number) => {
    const { status, description, parameters } = await call(shut, 'sendMessage', {
      chat_id,
      text: 'x',
    })
    return { status, description, parameters }
  }
  try {
    shut.people.text(ada.id, ada.id, '/start')
    shut.people.block(ada.id)
    expect(await send(ada.id)).toMatchObject({
      status: 403,
      description: 'Forbidden: bot was blocked by the user',
    })
    shut.people.unblock(ada.id)
    expect(await send(ada.id)).toMatchObject({ status: 200 })
    const successor = shut.people.migrate(club.id)
    expect(await send(club.id)).toEqual({
      status: 400,
      description: 'Bad Request: group chat was upgraded to a supergroup chat',
      parameters: { migrate_to_chat_id: successor },
    })
    expect(await send(successor)).toMatchObject({ status: 200 })
    shut.people.kick(successor)
    expect(await send(successor)).toMatchObject({
      status: 403,
      description: 'Forbidden: bot was kicked from the supergroup chat',
    })
    await call(shut, 'leaveChat', { chat_id: news.id })
    expect(await send(news.id)).toMatchObject({
      status: 403,
      description: 'Forbidden: bot is not a member of the channel chat',
    })
    shut.people.invite(news.id, 'member')
    expect(await send(news.id)).toMatchObject({
      status: 400,
      description: 'Bad Request: need administrator rights in the channel chat',
    })
  } finally {
    await shut.stop()
  }
})
