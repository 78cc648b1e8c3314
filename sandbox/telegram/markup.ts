import type {
  ChatAdministratorRights,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  KeyboardButtonRequestChat,
} from 'grammy/types'
import { z } from 'zod'
import { asFlag, asInteger, asText, badRequest, type Fields, isFields } from './params.ts'
import type { ReplyButton, ReplyKeyboard } from './shown.ts'
import { checkLink } from './tdlib.ts'

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

function inlineMarkup(value: Fields, { lacksInline = false }: MarkupPlace): Markup {
  const rows = rowsOf(value.inline_keyboard, 'inline_keyboard')
  const keyboard = rows.map((row) => row.map(inlineButton))
  if (lacksInline && keyboard.flat().some((button) => 'switch_inline_query' in button))
    throw badRequest('BUTTON_TYPE_INVALID')
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
  const held = new Map(Object.entries(forUser ?? {}))
  if (Object.entries(forBot ?? {}).some(([name, has]) => has && !held.get(name)))
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
  /** The bot's inline mode is off. */
  lacksInline?: boolean
}

const cannotParse = (why: string): Error => badRequest(`can't parse inline keyboard button: ${why}`)

/** Checks one inline button: a label and exactly one action, of which the sandbox knows four; throws the Bot API's 400. */
function inlineButton(value: unknown): InlineKeyboardButton {
  if (!isFields(value)) throw cannotParse('InlineKeyboardButton must be an Object')
  if (!('text' in value)) throw cannotParse('Can\'t find field "text"')
  if (typeof value.text !== 'string') throw cannotParse('Field "text" must be of type String')
  if (value.text.trim() === '') throw badRequest('inline keyboard button text must be non-empty')
  const label = { text: value.text, ...styleOf(value.style) }
  const [action, another] = Object.keys(value).filter((key) => key !== 'text' && key !== 'style')
  if (action === undefined) throw cannotParse('Text buttons are unallowed in the inline keyboard')
  if (another !== undefined)
    throw cannotParse(`Button has two actions, "${action}" and "${another}"`)
  if (action === 'callback_data') return { ...label, callback_data: callbackData(value) }
  if (action === 'url') return { ...label, url: linkOf(value) }
  if (action === 'copy_text') return { ...label, copy_text: { text: copyText(value) } }
  if (action === 'switch_inline_query') return { ...label, switch_inline_query: inlineQuery(value) }
  throw cannotParse(
    `the sandbox knows callback_data, url, copy_text and switch_inline_query, not ${action}`,
  )
}

/** The optional `style` of a button of either keyboard. */
function styleOf(value: unknown): { style?: 'danger' | 'primary' | 'success' } {
  if (value === undefined) return {}
  if (value !== 'danger' && value !== 'primary' && value !== 'success')
    throw cannotParse('Invalid button style specified')
  return { style: value }
}

function callbackData(button: Fields): string {
  const data = asText(button.callback_data)
  const bytes = Buffer.byteLength(data)
  if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID')
  return data
}

/** The text that a button copies: 1 to 256 characters. */
function copyText(button: Fields): string {
  const text = isFields(button.copy_text) ? asText(button.copy_text.text) : ''
  if (text === '' || [...text].length > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID')
  return text
}

/** What stands behind the bot's name in the chat that a person chooses; a query has 256 characters at most. */
function inlineQuery({ switch_inline_query: query }: Fields): string {
  if (typeof query !== 'string')
    throw cannotParse('Field "switch_inline_query" must be of type String')
  if ([...query].length > 256) throw badRequest('BUTTON_DATA_INVALID')
  return query
}

function linkOf(button: Fields): string {
  const url = asText(button.url)
  const checked = checkLink(url)
  if (!checked.ok)
    throw badRequest(`inline keyboard button URL '${url}' is invalid: ${checked.why}`)
  if (Buffer.byteLength(checked.url) > 2048) throw badRequest('BUTTON_URL_INVALID')
  return checked.url
}

const right = z.unknown().optional().transform(asFlag)
const administratorRights = z.object({
  is_anonymous: right,
  can_manage_chat: right,
  can_delete_messages: right,
  can_manage_video_chats: right,
  can_restrict_members: right,
  can_promote_members: right,
  can_change_info: right,
  can_invite_users: right,
  can_post_stories: right,
  can_edit_stories: right,
  can_delete_stories: right,
  can_post_messages: right,
  can_edit_messages: right,
  can_pin_messages: right,
  can_manage_topics: right,
  can_send_welcome_messages: right,
})

/** Reads ChatAdministratorRights; undefined where there are none. Throws a 400 for what is no such object. */
function readRights(value: unknown): ChatAdministratorRights | undefined {
  if (value === undefined) return undefined
  const { data } = administratorRights.safeParse(value)
  if (!data) throw badRequest("can't parse ChatAdministratorRights: expected an Object")
  return data
}
