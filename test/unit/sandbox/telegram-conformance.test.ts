import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, mayPost, noRights, startTelegram, token } from './telegram-call.ts'

let server: TelegramServer

beforeAll(async () => {
  server = await startTelegram()
  server.people.text(ada.id, ada.id, '/start')
})

afterAll(() => server.stop())

const key = (button: Record<string, unknown>) => ({ reply_markup: { inline_keyboard: [[button]] } })
const keys = (count: number, text = 'x') =>
  Array.from({ length: count }, () => ({ text, callback_data: 'x' }))
const text = { chat_id: ada.id, text: 'hi' }

const refusedSends: [Record<string, unknown>, string][] = [
  [{ text: 'hi' }, 'chat_id is empty'],
  [{ chat_id: 1, text: 'hi' }, 'chat not found'],
  [{ chat_id: '@nobody', text: 'hi' }, 'chat not found'],
  [{ chat_id: ada.id }, 'message text is empty'],
  [{ ...text, text: ' \n ' }, 'message text is empty'],
  [{ ...text, text: '<b> </b>', parse_mode: 'HTML' }, 'message text is empty'],
  [{ ...text, text: 'x'.repeat(4097) }, 'message is too long'],
  [{ ...text, text: '\ud83d' }, 'strings must be encoded in UTF-8'],
  [
    { ...text, text: '<x>', parse_mode: 'HTML' },
    'can\'t parse entities: Unsupported start tag "x" at byte offset 0',
  ],
  [
    { ...text, parse_mode: 'MarkdownV2' },
    "can't parse entities: the sandbox reads parse_mode HTML only, not MarkdownV2",
  ],
  [{ ...text, parse_mode: 'BBCode' }, 'unsupported parse_mode'],
  [
    { ...text, entities: [{ type: 'bold', offset: 1, length: 2 }] },
    'entity beginning at UTF-16 offset 1 ends after the end of the text at UTF-16 offset 3',
  ],
  [{ ...text, reply_markup: [] }, 'object expected as reply markup'],
  [{ ...text, reply_markup: '{' }, "can't parse reply markup JSON object"],
  [{ ...text, ...key({ text: 'x', callback_data: 'é'.repeat(33) }) }, 'BUTTON_DATA_INVALID'],
  [{ ...text, ...key({ text: 'x', callback_data: '' }) }, 'BUTTON_DATA_INVALID'],
  [
    { ...text, ...key({ text: ' ', callback_data: 'x' }) },
    'inline keyboard button text must be non-empty',
  ],
  [
    { ...text, ...key({ callback_data: 'x' }) },
    'can\'t parse inline keyboard button: Can\'t find field "text"',
  ],
  [
    { ...text, ...key({ text: 'x' }) },
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [
    { ...text, ...key({ text: 'x', callback_data: 'x', url: 'https://a.com' }) },
    'can\'t parse inline keyboard button: Button has two actions, "callback_data" and "url"',
  ],
  [
    { ...text, ...key({ text: 'x', url: 'http://localhost:1/a' }) },
    "inline keyboard button URL 'http://localhost:1/a' is invalid: Wrong HTTP URL",
  ],
  [
    { ...text, ...key({ text: 'x', url: 'javascript://a.com' }) },
    "inline keyboard button URL 'javascript://a.com' is invalid: Unsupported URL protocol",
  ],
  [
    { ...text, ...key({ text: 'x', url: `https://a.com/${'x'.repeat(2050)}` }) },
    'BUTTON_URL_INVALID',
  ],
  [
    { ...text, ...key({ text: 'x', copy_text: { text: 'x'.repeat(257) } }) },
    'BUTTON_COPY_TEXT_INVALID',
  ],
  [
    { ...text, ...key({ text: 'x', callback_data: 'x', style: 'pink' }) },
    "can't parse inline keyboard button: Invalid button style specified",
  ],
  [
    { ...text, chat_id: club.id, ...key({ text: 'x', web_app: { url: 'https://a.com' } }) },
    'BUTTON_TYPE_INVALID',
  ],
  [
    { ...text, ...key({ text: 'x', web_app: { url: 'http://a.com' } }) },
    "inline keyboard button Web App URL 'http://a.com' is invalid: Only HTTPS links are allowed",
  ],
  [{ ...text, reply_markup: { inline_keyboard: [keys(9)] } }, 'REPLY_MARKUP_TOO_LONG'],
  [
    { ...text, reply_markup: { inline_keyboard: Array.from({ length: 13 }, () => keys(8)) } },
    'REPLY_MARKUP_TOO_LONG',
  ],
  [{ ...text, chat_id: news.id, reply_markup: { keyboard: [['a']] } }, 'inline keyboard expected'],
  [
    {
      ...text,
      chat_id: club.id,
      reply_markup: { keyboard: [[{ text: 'a', request_chat: { request_id: 1 } }]] },
    },
    'request_chat can be used in private chats only',
  ],
  [
    { ...text, link_preview_options: { prefer_small_media: true, prefer_large_media: true } },
    "can't use both prefer_small_media and prefer_large_media at the same time",
  ],
  [{ ...text, reply_parameters: { message_id: 999 } }, 'message to be replied not found'],
  [{ ...text, reply_parameters: { message_id: 1, quote: 'nonsense' } }, 'QUOTE_TEXT_INVALID'],
  [{ ...text, chat_id: lodge.id, message_thread_id: 99 }, 'message thread not found'],
  [{ ...text, chat_id: club.id, message_thread_id: 2 }, 'message thread not found'],
]

test.each(refusedSends)('sendMessage refuses %j: %s', async (body, why) => {
  const { status, description } = await call(server, 'sendMessage', body)
  expect([status, description]).toEqual([400, `Bad Request: ${why}`])
})

const refusedCalls: [string, Record<string, unknown>, string][] = [
  [
    'setWebhook',
    { url: 'http://example.com/hook' },
    'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
  ],
  [
    'setWebhook',
    { url: 'https://example.com:8080/' },
    'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
  ],
  ['setWebhook', { url: 'nonsense' }, 'Bad Request: bad webhook: Invalid URL specified'],
  [
    'setWebhook',
    { url: 'https://example.com', secret_token: 'a b' },
    'Bad Request: secret token contains unallowed characters',
  ],
  [
    'setWebhook',
    { url: 'https://example.com', secret_token: 'a'.repeat(257) },
    'Bad Request: secret token is too long',
  ],
  ['sendPoll', {}, 'Not Found: method not found'],
  ['sendPhoto', { chat_id: ada.id }, 'Bad Request: there is no photo in the request'],
  [
    'sendPhoto',
    { chat_id: ada.id, photo: 'https://pictures.example/a.png' },
    'Bad Request: failed to get HTTP URL content',
  ],
  [
    'sendPhoto',
    { chat_id: ada.id, photo: 'nonsense' },
    'Bad Request: wrong remote file identifier specified: Wrong string length',
  ],
  [
    'editMessageText',
    { chat_id: ada.id, text: 'x' },
    'Bad Request: message identifier is not specified',
  ],
  [
    'editMessageText',
    { chat_id: ada.id, message_id: 999, text: 'x' },
    'Bad Request: message to edit not found',
  ],
  [
    'editMessageText',
    { chat_id: ada.id, message_id: 1, text: 'x' },
    "Bad Request: message can't be edited",
  ],
  ['editMessageText', { inline_message_id: 'x', text: 'x' }, 'Bad Request: MESSAGE_ID_INVALID'],
  [
    'deleteMessage',
    { chat_id: ada.id, message_id: 999 },
    'Bad Request: message to delete not found',
  ],
  [
    'answerCallbackQuery',
    { callback_query_id: '1' },
    'Bad Request: query is too old and response timeout expired or query ID is invalid',
  ],
  [
    'answerCallbackQuery',
    { callback_query_id: '1', text: 'x'.repeat(201) },
    'Bad Request: MESSAGE_TOO_LONG',
  ],
  [
    'answerInlineQuery',
    { inline_query_id: '1', results: [] },
    'Bad Request: query is too old and response timeout expired or query ID is invalid',
  ],
  [
    'setMyCommands',
    { commands: [{ command: 'Start', description: 'x' }] },
    'Bad Request: BOT_COMMAND_INVALID',
  ],
  [
    'setMyCommands',
    { commands: [{ command: 'start', description: '' }] },
    'Bad Request: command description must be non-empty',
  ],
  [
    'setMyCommands',
    { commands: [{ command: 'start', description: 'x'.repeat(257) }] },
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
    'Bad Request: BOT_COMMANDS_TOO_MUCH',
  ],
  [
    'setMyCommands',
    { commands: [], scope: { type: 'moon' } },
    "Bad Request: can't parse BotCommandScope: chat_id is empty",
  ],
  ['setMyDescription', { description: 'x'.repeat(513) }, 'Bad Request: description is too long'],
  [
    'sendChatAction',
    { chat_id: ada.id, action: 'dancing' },
    'Bad Request: wrong parameter action in request',
  ],
  ['getChatMember', { chat_id: club.id, user_id: 5 }, 'Bad Request: user not found'],
  [
    'getChatAdministrators',
    { chat_id: ada.id },
    'Bad Request: there are no administrators in the private chat',
  ],
  [
    'getFile',
    { file_id: 'x' },
    'Bad Request: wrong file_id or the file is temporarily unavailable',
  ],
  [
    'sendMessage',
    { chat_id: ben.id, text: 'x' },
    "Forbidden: bot can't initiate conversation with a user",
  ],
]

test.each(refusedCalls)('%s with %j: %s', async (method, body, why) => {
  const { ok, description } = await call(server, method, body)
  expect([ok, description]).toEqual([false, why])
})

test('limits are met exactly: 4096 units, 64 bytes, 8 × 12 buttons are accepted', async () => {
  const answer = await call(server, 'sendMessage', {
    chat_id: ada.id,
    text: `<b>${'😀'.repeat(2048)}</b>`,
    parse_mode: 'HTML',
    reply_markup: {
      inline_keyboard: [
        [{ text: 'x', callback_data: 'é'.repeat(32), style: 'primary' }],
        ...Array.from({ length: 12 }, () => keys(8)),
      ],
    },
  })
  expect(answer.ok).toBe(true)
})

test('an unknown message may be replied to where the bot allows it', async () => {
  const answer = await call(server, 'sendMessage', {
    ...text,
    reply_parameters: { message_id: 999, allow_sending_without_reply: true },
  })
  expect(answer.ok).toBe(true)
})

test('an edit that changes nothing is refused, whatever of it stays the same', async () => {
  const body = {
    chat_id: ada.id,
    text: '<b>a</b>',
    parse_mode: 'HTML',
    ...key({ text: 'x', callback_data: 'x' }),
  }
  const { result } = await call(server, 'sendMessage', body)
  const id = {
    message_id:
      result && typeof result === 'object' && 'message_id' in result ? result.message_id : 0,
  }
  const same = await call(server, 'editMessageText', { ...body, ...id })
  expect(same.description).toBe(
    'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  )
  expect((await call(server, 'editMessageText', { ...body, ...id, text: '<i>a</i>' })).ok).toBe(
    true,
  )
  expect((await call(server, 'editMessageReplyMarkup', { chat_id: ada.id, ...id })).ok).toBe(true)
  const caption = await call(server, 'editMessageCaption', { chat_id: ada.id, ...id, caption: 'x' })
  expect(caption.description).toBe('Bad Request: there is no caption in the message to edit')
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

test('keyboards that the Bot API refuses are refused', async () => {
  expect(await asks(ada.id, channel, channel)).toContain('BUTTON_ID_DUPLICATE')
  expect(await asks(ada.id, { request_id: 1 })).toContain('chat_is_channel')
  expect(await asks(ada.id, { chat_is_channel: true })).toContain('request_id')
  expect(await asks(ada.id, { ...channel, user_administrator_rights: noRights })).toContain(
    'rights',
  )
  expect(await asks(club.id, channel)).toContain('private chats only')
})

test.each([
  ['http://127.0.0.1:3000/s/abc', true],
  ['https://gavel.example/s/abc', true],
  // Telegram wants a dot in the host.
  ['http://localhost:3000/s/abc', false],
  ['ftp://127.0.0.1/s/abc', false],
])('a button may lead to %s: %s', async (url, may) => {
  const reply_markup = { inline_keyboard: [[{ text: 'Sign', url, style: 'primary' }]] }
  const { ok } = await call(server, 'sendMessage', { chat_id: ada.id, text: 'x', reply_markup })
  expect(ok).toBe(may)
})
