import { readMarkup } from '../../../sandbox/telegram/markup.ts'
import { asStored, checkLink, parseHtml, type TextEntity } from '../../../sandbox/telegram/tdlib.ts'
import { type CallbackStore, decodePress } from '../../../src/core/callback-data.ts'
import { harmless, harmlessInLanguage } from '../../../src/core/text.ts'
import type { TelegramMessage } from '../../../src/telegram/render.ts'

export interface SeenMessage {
  /** As people read it, without the joiners that keep it from becoming links. */
  text: string
  /** Code points, which Telegram counts. */
  length: number
  /** What Telegram makes of its markup and finds in it. */
  kinds: string[]
  labels: string[][]
  /** What each button does: `=` in place or `+` as a new message, and the line. */
  lines: string[]
  links: string[]
}

/**
 * Reads a message as Telegram would; throws what the Bot API answers to one that it refuses. `meant` are commands that may
 * be tapped.
 */
export async function readTelegram(
  message: TelegramMessage,
  lines: CallbackStore,
  meant: readonly string[] = [],
): Promise<SeenMessage> {
  const { text, entities } = asStored(parseHtml(message.text))
  if (text === '') throw new Error('text must be non-empty')
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
    length: [...text].length,
    kinds: entities
      .filter(({ offset, length }) => !meant.includes(text.slice(offset, offset + length)))
      .map(({ type }) => type._.replace('textEntityType', '')),
    labels: rows.map((row) => row.map((button) => button.text)),
    lines: presses.map((press) => `${press?.asNew ? '+' : '='}${press?.line}`),
    links: [
      ...entities.flatMap(linkOf),
      ...buttons.flatMap((button) => ('url' in button ? [button.url] : [])),
    ],
  }
}

/** Spans as they have to read. */
export function meantText(
  spans: readonly (string | { own: string } | { bold: string } | { code: string })[],
): string {
  const words = spans.map((span) => {
    if (typeof span === 'string') return harmless(span)
    if ('own' in span) return span.own
    // What is bold may be our own words, which keep spaces that don't break.
    return 'bold' in span ? harmlessInLanguage(span.bold) : harmless(span.code)
  })
  // Telegram leaves three combining marks out, of which a ring stays if it is one character with its letter.
  const kept = words.map((text) =>
    text
      .replace(/\p{L}\u030a/gu, (letter) => letter.normalize('NFC'))
      .replace(/[\u030a\u0333\u033f]/gu, ''),
  )
  const text = kept.join('').trim()
  return /^[\s\ufffc\u{e0000}]*$/u.test(text) ? '…' : text
}

/** What the renderer itself makes; anything else Telegram found in a stranger's words. */
export const ownKinds: readonly string[] = [
  'Bold',
  'Italic',
  'Code',
  'TextUrl',
  'DateTime',
  'ExpandableBlockQuote',
]

const linkOf = ({ type }: TextEntity): string[] => (typeof type.url === 'string' ? [type.url] : [])

/** A link as Telegram keeps it. */
export function keptLink(url: string): string {
  const checked = checkLink(url)
  return checked.ok ? checked.url : ''
}
