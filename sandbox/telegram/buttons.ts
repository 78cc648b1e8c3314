import type { InlineKeyboardButton } from 'grammy/types'
import { asFlag, asText, type Fields, isFields } from './params.ts'
import { badRequest } from './refusal.ts'
import { checkLink } from './text/links.ts'

/** Where a markup goes: some buttons work in private chats only, channels take inline keyboards only. */
export interface MarkupPlace {
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
export function inlineButton(value: unknown, place: MarkupPlace): InlineKeyboardButton {
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
export function styleOf(value: unknown): { style?: Style } {
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
