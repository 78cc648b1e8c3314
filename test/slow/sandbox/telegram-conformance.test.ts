import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, ben, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, idOf, mayPost, noRights, startTelegram, token } from './telegram-call.ts'

let server: TelegramServer

beforeAll(async () => {
  server = await startTelegram()
  server.people.text(ada.id, ada.id, '/start')
})

afterAll(() => server.stop())

type Body = Record<string, unknown>
type Case = [method: string, body: Body, why: string]

const to = { chat_id: ada.id }
const says = (more: Body) => ({ ...to, text: 'hi', ...more })
const keyboard = (inline_keyboard: unknown) => says({ reply_markup: { inline_keyboard } })
const keys = (count: number) =>
  Array.from({ length: count }, () => ({ text: 'x', callback_data: 'x' }))
const picker = {
  request_id: 1,
  chat_is_channel: true,
  user_administrator_rights: mayPost,
  bot_administrator_rights: mayPost,
}
const asks = (...requests: object[]) =>
  says({
    reply_markup: { keyboard: [requests.map((request_chat) => ({ text: 'Pick', request_chat }))] },
  })

const sending: [Body, string][] = [
  [{ text: 'hi' }, 'chat_id is empty'],
  [{ chat_id: 1, text: 'hi' }, 'chat not found'],
  [{ chat_id: '@nobody', text: 'hi' }, 'chat not found'],
  [to, 'message text is empty'],
  [says({ text: ' \n ' }), 'text must be non-empty'],
  [says({ text: '<b> </b>', parse_mode: 'HTML' }), 'text must be non-empty'],
  [says({ text: 'x'.repeat(4097) }), 'message is too long'],
  [says({ text: '😀'.repeat(4097) }), 'message is too long'],
  [says({ text: '\ud83d' }), 'strings must be encoded in UTF-8'],
  [
    says({ parse_mode: 'MarkdownV2' }),
    "can't parse entities: the sandbox reads parse_mode HTML only, not MarkdownV2",
  ],
  [
    says({ entities: [{ type: 'bold', offset: 0, length: 2 }] }),
    "can't parse entities: the sandbox reads parse_mode HTML only, not entities",
  ],
  [says({ parse_mode: 'BBCode' }), 'unsupported parse_mode'],
  [says({ reply_markup: [] }), 'object expected as reply markup'],
  [says({ reply_markup: '{' }), "can't parse reply markup JSON object"],
  [keyboard([keys(9)]), 'REPLY_MARKUP_TOO_LONG'],
  [keyboard(Array.from({ length: 13 }, () => keys(8))), 'REPLY_MARKUP_TOO_LONG'],
  [says({ chat_id: news.id, reply_markup: { keyboard: [['a']] } }), 'inline keyboard expected'],
  [{ ...asks(picker), chat_id: club.id }, 'request_chat can be used in private chats only'],
  [asks(picker, picker), 'BUTTON_ID_DUPLICATE'],
  [
    asks({ request_id: 1 }),
    'can\'t parse KeyboardButtonRequestChat: Can\'t find field "chat_is_channel"',
  ],
  [
    asks({ chat_is_channel: true }),
    'can\'t parse KeyboardButtonRequestChat: Can\'t find field "request_id"',
  ],
  [
    asks({ ...picker, user_administrator_rights: noRights }),
    'the bot must not be asked more rights for than the user',
  ],
  [
    says({ link_preview_options: { prefer_small_media: true, prefer_large_media: true } }),
    "can't use both prefer_small_media and prefer_large_media at the same time",
  ],
  [says({ reply_parameters: { message_id: 999 } }), 'message to be replied not found'],
  [says({ reply_parameters: { message_id: 1, quote: 'nonsense' } }), 'QUOTE_TEXT_INVALID'],
  [says({ chat_id: lodge.id, message_thread_id: 99 }), 'message thread not found'],
  [says({ chat_id: club.id, message_thread_id: 2 }), 'message thread not found'],
]

const cannotParse = "can't parse inline keyboard button:"
const buttons: [Body, string][] = [
  [{ text: 'x', callback_data: 'é'.repeat(33) }, 'BUTTON_DATA_INVALID'],
  [{ text: 'x', callback_data: '' }, 'BUTTON_DATA_INVALID'],
  [{ text: ' ', callback_data: 'x' }, 'inline keyboard button text must be non-empty'],
  [{ callback_data: 'x' }, `${cannotParse} Can't find field "text"`],
  [{ text: 'x' }, `${cannotParse} Text buttons are unallowed in the inline keyboard`],
  [
    { text: 'x', callback_data: 'x', url: 'https://a.com' },
    `${cannotParse} Button has two actions, "callback_data" and "url"`,
  ],
  [
    { text: 'x', pay: true },
    `${cannotParse} the sandbox knows callback_data, url, copy_text and switch_inline_query, not pay`,
  ],
  [
    { text: 'x', callback_data: 'x', style: 'pink' },
    `${cannotParse} Invalid button style specified`,
  ],
  [{ text: 'x', copy_text: { text: 'x'.repeat(257) } }, 'BUTTON_COPY_TEXT_INVALID'],
  [{ text: 'x', url: `https://a.com/${'x'.repeat(2050)}` }, 'BUTTON_URL_INVALID'],
  [
    { text: 'x', switch_inline_query: 1 },
    `${cannotParse} Field "switch_inline_query" must be of type String`,
  ],
  [{ text: 'x', switch_inline_query: 'x'.repeat(257) }, 'BUTTON_DATA_INVALID'],
  [
    { text: 'x', switch_inline_query: 'x', url: 'https://a.com' },
    `${cannotParse} Button has two actions, "switch_inline_query" and "url"`,
  ],
  // Telegram wants a dot in the host.
  ...[['http://localhost:3000/s/abc', 'Wrong HTTP URL']].map(([url = '', why]): [Body, string] => [
    { text: 'x', url },
    `inline keyboard button URL '${url}' is invalid: ${why}`,
  ]),
]

const commands = (more: object, count = 1) => ({
  commands: Array.from({ length: count }, () => ({ command: 'c', description: 'x', ...more })),
})
const hook = (url: string, secret_token = '') => ({ url, secret_token })
const expired = 'query is too old and response timeout expired or query ID is invalid'

const refused: Case[] = [
  ...sending.map(([body, why]): Case => ['sendMessage', body, why]),
  ...buttons.map(([button, why]): Case => ['sendMessage', keyboard([[button]]), why]),
  ['setWebhook', hook('nonsense'), 'bad webhook: Invalid URL specified'],
  [
    'setWebhook',
    hook('http://example.com/hook'),
    'bad webhook: An HTTPS URL must be provided for webhook',
  ],
  [
    'setWebhook',
    hook('https://example.com:8080/'),
    'bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443',
  ],
  ['setWebhook', hook('https://example.com', 'a b'), 'secret token contains unallowed characters'],
  ['setWebhook', hook('https://example.com', 'a'.repeat(257)), 'secret token is too long'],
  ['sendPhoto', to, 'there is no photo in the request'],
  [
    'sendPhoto',
    { ...to, photo: 'https://pictures.example/a.png' },
    'failed to get HTTP URL content',
  ],
  [
    'sendPhoto',
    { ...to, photo: 'nonsense' },
    'wrong remote file identifier specified: Wrong string length',
  ],
  ['editMessageText', says({}), 'message identifier is not specified'],
  ['editMessageText', says({ message_id: 999 }), 'message to edit not found'],
  ['editMessageText', says({ message_id: 1 }), "message can't be edited"],
  ['editMessageText', { inline_message_id: 'x', text: 'x' }, 'MESSAGE_ID_INVALID'],
  ['deleteMessage', { ...to, message_id: 999 }, 'message to delete not found'],
  ['answerCallbackQuery', { callback_query_id: '1' }, expired],
  ['answerCallbackQuery', { callback_query_id: '1', text: 'x'.repeat(201) }, 'MESSAGE_TOO_LONG'],
  ['answerInlineQuery', { inline_query_id: '1', results: [] }, expired],
  ['setMyCommands', commands({ command: 'Start' }), 'BOT_COMMAND_INVALID'],
  ['setMyCommands', commands({ description: '' }), 'command description must be non-empty'],
  [
    'setMyCommands',
    commands({ description: 'x'.repeat(257) }),
    'command description length must not exceed 256',
  ],
  ['setMyCommands', commands({ command: 'x'.repeat(33) }), 'command length must not exceed 32'],
  ['setMyCommands', commands({}, 101), 'BOT_COMMANDS_TOO_MUCH'],
  [
    'setMyCommands',
    { ...commands({}), scope: { type: 'everybody' } },
    "can't parse BotCommandScope: Unsupported type specified",
  ],
  ['getMyCommands', { language_code: 'English' }, 'invalid language code specified'],
  ['setMyDescription', { description: 'x'.repeat(513) }, 'description is too long'],
  [
    'setMyShortDescription',
    { short_description: 'x'.repeat(121) },
    'short description is too long',
  ],
  [
    'setChatMenuButton',
    { menu_button: { type: 'games' } },
    "can't parse menu button: MenuButton has unsupported type",
  ],
  ['sendChatAction', { ...to, action: 'dancing' }, 'wrong parameter action in request'],
  ['getChatMember', { chat_id: club.id, user_id: 5 }, 'user not found'],
  ['getFile', { file_id: 'x' }, 'wrong file_id or the file is temporarily unavailable'],
]

test.each(refused)('%s refuses %j: %s', async (method, body, why) => {
  const { status, description } = await call(server, method, body)
  expect([status, description]).toEqual([400, `Bad Request: ${why}`])
})

test.each<[string, Body, number, string]>([
  ['sendPoll', {}, 404, 'Not Found: method not found'],
  [
    'sendMessage',
    { chat_id: ben.id, text: 'x' },
    403,
    "Forbidden: bot can't initiate conversation with a user",
  ],
])('%s with %j is answered with %i %s', async (method, body, status, description) => {
  expect(await call(server, method, body)).toMatchObject({ ok: false, status, description })
})

const button = (more: Body) => keyboard([[{ text: 'Sign', style: 'primary', ...more }]])

test.each<[string, Body]>([
  ['4096 units', says({ text: `<b>${'😀'.repeat(2048)}</b>`, parse_mode: 'HTML' })],
  ['64 bytes of data', button({ callback_data: 'é'.repeat(32) })],
  ['8 × 12 buttons', keyboard(Array.from({ length: 12 }, () => keys(8)))],
  ['an address of this machine', button({ url: 'http://127.0.0.1:3000/s/abc' })],
  ['a secure address', button({ url: 'https://gavel.example/s/abc' })],
  [
    'a reply to nothing, where the bot allows it',
    says({ reply_parameters: { message_id: 999, allow_sending_without_reply: true } }),
  ],
])('sendMessage accepts %s', async (_, body) => {
  expect(await call(server, 'sendMessage', body)).toMatchObject({ ok: true })
})

test('an edit that changes nothing is refused, in text and keyboard', async () => {
  const body = { ...keyboard([keys(1)]), text: '<b>a</b>', parse_mode: 'HTML' }
  const sent = { ...to, message_id: idOf(await call(server, 'sendMessage', body)) }
  const edit = (what: string, more: Body) =>
    call(server, `editMessage${what}`, { ...sent, ...more })
  expect((await edit('Text', body)).description).toBe(
    'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  )
  expect((await edit('Text', { ...body, text: '<i>a</i>' })).ok).toBe(true)
  expect((await edit('ReplyMarkup', {})).ok).toBe(true)
  expect((await edit('Caption', { caption: 'x' })).description).toBe(
    'Bad Request: there is no caption in the message to edit',
  )
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

test('a chat that blocked the bot answers 403, a migrated group names its successor', async () => {
  const shut = await startTelegram()
  const send = async (chat_id: number) => {
    const { status, description, parameters } = await call(shut, 'sendMessage', {
      chat_id,
      text: 'x',
    })
    return [status, description, parameters]
  }
  try {
    shut.people.text(ada.id, ada.id, '/start')
    shut.people.block(ada.id)
    expect(await send(ada.id)).toEqual([403, 'Forbidden: bot was blocked by the user', {}])
    shut.people.unblock(ada.id)
    expect(await send(ada.id)).toEqual([200, '', {}])
    const successor = shut.people.migrate(club.id)
    expect(await send(club.id)).toEqual([
      400,
      'Bad Request: group chat was upgraded to a supergroup chat',
      { migrate_to_chat_id: successor },
    ])
    expect(await send(successor)).toEqual([200, '', {}])
    shut.people.kick(successor)
    const kicked = 'Forbidden: bot was kicked from the supergroup chat'
    expect(await send(successor)).toEqual([403, kicked, {}])
    shut.people.invite(news.id, 'member')
    const member = 'Bad Request: need administrator rights in the channel chat'
    expect(await send(news.id)).toEqual([400, member, {}])
  } finally {
    await shut.stop()
  }
})
