import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, club, lodge, news } from '../../../sandbox/telegram/cast.ts'
import type { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { call, startTelegram } from './telegram-call.ts'

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

const refusedSends: [string, Record<string, unknown>, string][] = [
  ['no chat', { text: 'hi' }, 'chat_id is empty'],
  ['an unknown chat', { chat_id: 1, text: 'hi' }, 'chat not found'],
  ['an unknown name', { chat_id: '@nobody', text: 'hi' }, 'chat not found'],
  ['no text', { chat_id: ada.id }, 'message text is empty'],
  ['blank text', { ...text, text: ' \n ' }, 'message text is empty'],
  [
    'tags around nothing',
    { ...text, text: '<b> </b>', parse_mode: 'HTML' },
    'message text is empty',
  ],
  ['4097 units', { ...text, text: 'x'.repeat(4097) }, 'message is too long'],
  ['half a pair', { ...text, text: '\ud83d' }, 'strings must be encoded in UTF-8'],
  [
    'a bad tag',
    { ...text, text: '<x>', parse_mode: 'HTML' },
    'can\'t parse entities: Unsupported start tag "x" at byte offset 0',
  ],
  [
    'Markdown',
    { ...text, parse_mode: 'MarkdownV2' },
    "can't parse entities: the sandbox reads parse_mode HTML only, not MarkdownV2",
  ],
  ['another mode', { ...text, parse_mode: 'BBCode' }, 'unsupported parse_mode'],
  [
    'an entity beyond the end',
    { ...text, entities: [{ type: 'bold', offset: 1, length: 2 }] },
    'entity beginning at UTF-16 offset 1 ends after the end of the text at UTF-16 offset 3',
  ],
  ['a markup that is a list', { ...text, reply_markup: [] }, 'object expected as reply markup'],
  [
    'a markup that is no JSON',
    { ...text, reply_markup: '{' },
    "can't parse reply markup JSON object",
  ],
  [
    '65 bytes of data',
    { ...text, ...key({ text: 'x', callback_data: 'é'.repeat(33) }) },
    'BUTTON_DATA_INVALID',
  ],
  ['empty data', { ...text, ...key({ text: 'x', callback_data: '' }) }, 'BUTTON_DATA_INVALID'],
  [
    'a blank label',
    { ...text, ...key({ text: ' ', callback_data: 'x' }) },
    'inline keyboard button text must be non-empty',
  ],
  [
    'no label',
    { ...text, ...key({ callback_data: 'x' }) },
    'can\'t parse inline keyboard button: Can\'t find field "text"',
  ],
  [
    'no action',
    { ...text, ...key({ text: 'x' }) },
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
  [
    'two actions',
    { ...text, ...key({ text: 'x', callback_data: 'x', url: 'https://a.com' }) },
    'can\'t parse inline keyboard button: Button has two actions, "callback_data" and "url"',
  ],
  [
    'a link without a dot',
    { ...text, ...key({ text: 'x', url: 'http://localhost:1/a' }) },
    "inline keyboard button URL 'http://localhost:1/a' is invalid: Wrong HTTP URL",
  ],
  [
    'a script link',
    { ...text, ...key({ text: 'x', url: 'javascript://a.com' }) },
    "inline keyboard button URL 'javascript://a.com' is invalid: Unsupported URL protocol",
  ],
  [
    'an endless link',
    { ...text, ...key({ text: 'x', url: `https://a.com/${'x'.repeat(2050)}` }) },
    'BUTTON_URL_INVALID',
  ],
  [
    '257 characters to copy',
    { ...text, ...key({ text: 'x', copy_text: { text: 'x'.repeat(257) } }) },
    'BUTTON_COPY_TEXT_INVALID',
  ],
  [
    'a style that is none',
    { ...text, ...key({ text: 'x', callback_data: 'x', style: 'pink' }) },
    "can't parse inline keyboard button: Invalid button style specified",
  ],
  [
    'a web app in a group',
    { ...text, chat_id: club.id, ...key({ text: 'x', web_app: { url: 'https://a.com' } }) },
    'BUTTON_TYPE_INVALID',
  ],
  [
    'a web app without https',
    { ...text, ...key({ text: 'x', web_app: { url: 'http://a.com' } }) },
    "inline keyboard button Web App URL 'http://a.com' is invalid: Only HTTPS links are allowed",
  ],
  [
    'nine in a row',
    { ...text, reply_markup: { inline_keyboard: [keys(9)] } },
    'REPLY_MARKUP_TOO_LONG',
  ],
  [
    '104 buttons',
    { ...text, reply_markup: { inline_keyboard: Array.from({ length: 13 }, () => keys(8)) } },
    'REPLY_MARKUP_TOO_LONG',
  ],
  [
    'a reply keyboard in a channel',
    { ...text, chat_id: news.id, reply_markup: { keyboard: [['a']] } },
    'inline keyboard expected',
  ],
  [
    'request_chat in a group',
    {
      ...text,
      chat_id: club.id,
      reply_markup: { keyboard: [[{ text: 'a', request_chat: { request_id: 1 } }]] },
    },
    'request_chat can be used in private chats only',
  ],
  [
    'two sizes of a preview',
    { ...text, link_preview_options: { prefer_small_media: true, prefer_large_media: true } },
    "can't use both prefer_small_media and prefer_large_media at the same time",
  ],
  [
    'a reply to nothing',
    { ...text, reply_parameters: { message_id: 999 } },
    'message to be replied not found',
  ],
  [
    'a quote that is not there',
    { ...text, reply_parameters: { message_id: 1, quote: 'nonsense' } },
    'QUOTE_TEXT_INVALID',
  ],
  [
    'an unknown topic',
    { ...text, chat_id: lodge.id, message_thread_id: 99 },
    'message thread not found',
  ],
  [
    'a topic in a plain group',
    { ...text, chat_id: club.id, message_thread_id: 2 },
    'message thread not found',
  ],
]

test.each(refusedSends)('sendMessage refuses %s', async (_what, body, why) => {
  expect(await call(server, 'sendMessage', body)).toMatchObject({
    status: 400,
    ok: false,
    description: `Bad Request: ${why}`,
  })
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
