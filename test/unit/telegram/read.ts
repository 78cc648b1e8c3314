import type { MessageEntity } from 'grammy/types'
import type { Entity } from '../../../sandbox/telegram/entities.ts'
import { formatText } from '../../../sandbox/telegram/entities.ts'
import { parseHtml } from '../../../sandbox/telegram/html.ts'
import { checkLink } from '../../../sandbox/telegram/links.ts'
import { readMarkup } from '../../../sandbox/telegram/markup.ts'
import { type CallbackStore, decodePress } from '../../../src/core/callback-data.ts'
import type { TelegramMessage } from '../../../src/telegram/render.ts'

export interface SeenMessage {
  /** As people read it, without the joiners that keep it from becoming links. */
  text: string
  /** UTF-16 units that Telegram counts. */
  length: number
  entities: Entity[]
  labels: string[][]
  /** What each button does: `=` in place or `+` as a new message, and the line. */
  lines: string[]
  links: string[]
}

/** Reads a message as Telegram would; throws what the Bot API answers to one that it refuses. */
export async function readTelegram(
  message: TelegramMessage,
  lines: CallbackStore,
): Promise<SeenMessage> {
  const { text, entities } = formatText(parseHtml(message.text))
  if (text === '') throw new Error('message text is empty')
  const { inline } = readMarkup(message.reply_markup, { isPrivate: true, inlineOnly: true })
  const rows = inline?.inline_keyboard ?? []
  const buttons = rows.flat()
  const presses = await Promise.all(
    buttons.flatMap((button) =>
      'callback_data' in button ? [decodePress(button.callback_data, lines)] : [],
    ),
  )
  return {
    text: text.replaceAll('\u2060', ''),
    length: text.length,
    entities,
    labels: rows.map((row) => row.map((button) => button.text)),
    lines: presses.map((press) => `${press?.opens ? '+' : '='}${press?.line}`),
    links: [
      ...entities.flatMap(({ url }) => url ?? []),
      ...buttons.flatMap((button) => ('url' in button ? [button.url] : [])),
    ],
  }
}

/** What the renderer itself makes; anything else Telegram found in a stranger's words. */
export const ownEntities: readonly MessageEntity['type'][] = [
  'bold',
  'italic',
  'code',
  'text_link',
  'date_time',
]

/** A link as Telegram keeps it. */
export function keptLink(url: string): string {
  const checked = checkLink(url)
  return checked.ok ? checked.url : ''
}
