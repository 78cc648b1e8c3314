import type {
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  KeyboardButtonRequestChat,
} from 'grammy/types'
import { asFlag, asInteger, asText, badRequest, type Fields, isFields } from './params.ts'
import { areWithin, readRights } from './rights.ts'
import type { ReplyButton, ReplyKeyboard } from './shown.ts'
import { checkLink } from './text/urls.ts'

export interface Markup {
  inline?: InlineKeyboardMarkup
  reply?: ReplyKeyboard
}

const maxButtons = 100
const maxInRow = 8

/** Checks a `reply_markup` and throws the Bot API's 400; an absent or empty one gives an empty result. */
export function readMarkup(value: unknown, place: MarkupPlace): Markup {
  if (value === undefined) return {}
  if (!isFields(value)) throw badRequest('object expected as reply markup')
  if ('inline_keyboard' in value) return inlineMarkup(value, place)
  if (Object.keys(value).length === 0) return {}
  if (place.inlineOnly) throw badRequest('inline keyboard expected')
  return { reply: replyMarkup(value, place) }
}

function rowsOf(value: unknown, field: string): unknown[][] {
  if (!Array.isArray(value))
    throw badRequest(`field "${field}" of the ReplyMarkup must be an Array`)
  const rows = value.map((row: unknown): unknown[] => {
    if (!Array.isArray(row))
      throw badRequest(`field "${field}" of the ReplyMarkup must be an Array of Arrays`)
    if (row.length > maxInRow) throw badRequest('REPLY_MARKUP_TOO_LONG')
    return row
  })
  if (rows.flat().length > maxButtons) throw badRequest('REPLY_MARKUP_TOO_LONG')
  return rows.filter((row) => row.length > 0)
}

function inlineMarkup(value: Fields, place: MarkupPlace): Markup {
  const rows = rowsOf(value.inline_keyboard, 'inline_keyboard')
  const keyboard = rows.map((row) => row.map((button) => inlineButton(button, place)))
  return keyboard.length === 0 ? {} : { inline: { inline_keyboard: keyboard } }
}

function replyMarkup(value: Fields, place: MarkupPlace): ReplyKeyboard {
  const placeholder = asText(value.input_field_placeholder)
  if ([...placeholder].length > 64) throw badRequest('REPLY_MARKUP_PLACEHOLDER_INVALID')
  if ('keyboard' in value) {
    const rows = rowsOf(value.keyboard, 'keyboard').map((row) =>
      row.map((button) => replyButton(button, place)),
    )
    if (rows.length === 0) throw badRequest('reply markup keyboard must be non-empty')
    const requests = rows.flat().flatMap(({ requestChat }) => requestChat?.request_id ?? [])
    if (new Set(requests).size < requests.length) throw badRequest('BUTTON_ID_DUPLICATE')
    return { kind: 'keyboard', rows, oneTime: asFlag(value.one_time_keyboard), placeholder }
  }
  if (asFlag(value.remove_keyboard)) return { kind: 'remove' }
  if (asFlag(value.force_reply))
    return { kind: 'force', placeholder, selective: asFlag(value.selective) }
  throw badRequest('object expected as reply markup')
}

function replyButton(value: unknown, place: MarkupPlace): ReplyButton {
  if (typeof value === 'string') return replyButton({ text: value }, place)
  if (!isFields(value))
    throw badRequest("can't parse keyboard button: KeyboardButton must be an Object")
  const text = asText(value.text)
  if (text === '') throw badRequest('keyboard button text must be non-empty')
  const asks = Object.keys(value).filter((key) => key.startsWith('request_') || key === 'web_app')
  if (asks.length > 0 && !place.isPrivate)
    throw badRequest(`${asks[0]} can be used in private chats only`)
  const request = value.request_chat
  const label = { text, ...styleOf(value.style) }
  if (request === undefined) return label
  if (!isFields(request)) throw badRequest('field "request_chat" must be of type Object')
  const id = asInteger(request.request_id)
  if (id === undefined || Math.abs(id) > 0x7fffffff)
    throw badRequest('can\'t parse KeyboardButtonRequestChat: Can\'t find field "request_id"')
  return { ...label, requestChat: requestOf(request, id) }
}

const flag = (request: Fields, name: string): Record<string, boolean> =>
  name in request ? { [name]: asFlag(request[name]) } : {}

function requestOf(request: Fields, id: number): KeyboardButtonRequestChat {
  if (!('chat_is_channel' in request))
    throw badRequest('can\'t parse KeyboardButtonRequestChat: Can\'t find field "chat_is_channel"')
  const forUser = readRights(request.user_administrator_rights)
  const forBot = readRights(request.bot_administrator_rights)
  if (forBot && !areWithin(forBot, forUser))
    throw badRequest('the bot must not be asked more rights for than the user')
  return {
    request_id: id,
    chat_is_channel: asFlag(request.chat_is_channel),
    ...(forUser ? { user_administrator_rights: forUser } : {}),
    ...(forBot ? { bot_administrator_rights: forBot } : {}),
    ...flag(request, 'chat_is_created'),
    ...flag(request, 'bot_is_member'),
    ...flag(request, 'request_title'),
    ...flag(request, 'request_username'),
  }
}

/** Where a markup goes: some buttons work in private chats only, channels take inline keyboards only. */
interface MarkupPlace {
  isPrivate: boolean
  inlineOnly: boolean
}

type Style = 'danger' | 'primary' | 'success'

interface Label {
  text: string
  style?: Style
}

type Reader = (label: Label, button: Fields, place: MarkupPlace) => InlineKeyboardButton

const actions: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['callback_data', callback],
  ['url', link],
  ['copy_text', copy],
  ['web_app', webApp],
  [
    'switch_inline_query',
    (label, button) => ({ ...label, switch_inline_query: query(button, 'switch_inline_query') }),
  ],
  [
    'switch_inline_query_current_chat',
    (label, button) => ({
      ...label,
      switch_inline_query_current_chat: query(button, 'switch_inline_query_current_chat'),
    }),
  ],
  ['switch_inline_query_chosen_chat', chosenChat],
])

const cannotParse = (why: string): Error => badRequest(`can't parse inline keyboard button: ${why}`)

const isStyle = (value: string): value is Style => /^(?:danger|primary|success)$/u.test(value)

/** Checks one inline button: a label and exactly one action; throws the Bot API's 400. */
function inlineButton(value: unknown, place: MarkupPlace): InlineKeyboardButton {
  if (!isFields(value)) throw cannotParse('InlineKeyboardButton must be an Object')
  if (!('text' in value)) throw cannotParse('Can\'t find field "text"')
  if (typeof value.text !== 'string') throw cannotParse('Field "text" must be of type String')
  if (value.text.trim() === '') throw badRequest('inline keyboard button text must be non-empty')
  const label = { text: value.text, ...styleOf(value.style) }
  const named = Object.keys(value).filter((key) => actions.has(key))
  const [first, second] = named
  if (first === undefined) throw cannotParse('Text buttons are unallowed in the inline keyboard')
  if (second !== undefined) throw cannotParse(`Button has two actions, "${first}" and "${second}"`)
  const read = actions.get(first)
  if (!read) throw cannotParse('Button type is not supported')
  return read(label, value, place)
}

/** The optional `style` of a button of either keyboard. */
function styleOf(value: unknown): { style?: Style } {
  if (value === undefined) return {}
  const style = asText(value)
  if (!isStyle(style)) throw cannotParse('Invalid button style specified')
  return { style }
}

function callback(label: Label, button: Fields): InlineKeyboardButton {
  const data = asText(button.callback_data)
  const bytes = Buffer.byteLength(data)
  if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID')
  return { ...label, callback_data: data }
}

function link(label: Label, button: Fields): InlineKeyboardButton {
  const url = asText(button.url)
  const checked = checkLink(url)
  if (!checked.ok)
    throw badRequest(`inline keyboard button URL '${url}' is invalid: ${checked.why}`)
  if (Buffer.byteLength(checked.url) > 2048) throw badRequest('BUTTON_URL_INVALID')
  return { ...label, url: checked.url }
}

function copy(label: Label, button: Fields): InlineKeyboardButton {
  const fields = button.copy_text
  if (!isFields(fields)) throw cannotParse('Field "copy_text" must be of type Object')
  const text = asText(fields.text)
  const length = [...text].length
  if (length < 1 || length > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID')
  return { ...label, copy_text: { text } }
}

function webApp(label: Label, button: Fields, place: MarkupPlace): InlineKeyboardButton {
  const fields = button.web_app
  if (!isFields(fields)) throw cannotParse('Field "web_app" must be of type Object')
  const url = asText(fields.url)
  const checked = checkLink(url)
  const why = checked.ok ? 'Only HTTPS links are allowed' : checked.why
  if (!checked.ok || !checked.url.startsWith('https://'))
    throw badRequest(`inline keyboard button Web App URL '${url}' is invalid: ${why}`)
  if (!place.isPrivate) throw badRequest('BUTTON_TYPE_INVALID')
  return { ...label, web_app: { url: checked.url } }
}

function query(button: Fields, name: string): string {
  const text = asText(button[name])
  if (Buffer.byteLength(text) > 256) throw badRequest('BUTTON_DATA_INVALID')
  return text
}

function chosenChat(label: Label, button: Fields): InlineKeyboardButton {
  const fields = button.switch_inline_query_chosen_chat
  if (!isFields(fields))
    throw cannotParse('Field "switch_inline_query_chosen_chat" must be of type Object')
  const kinds = ['allow_user_chats', 'allow_bot_chats', 'allow_group_chats', 'allow_channel_chats']
  const allowed = Object.fromEntries(kinds.map((kind) => [kind, asFlag(fields[kind])]))
  if (!Object.values(allowed).includes(true)) throw badRequest('BUTTON_TYPE_INVALID')
  return {
    ...label,
    switch_inline_query_chosen_chat: { query: query(fields, 'query'), ...allowed },
  }
}
