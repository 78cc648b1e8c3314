import type { InlineKeyboardButton, LinkPreviewOptions } from 'grammy/types'
import { balancedRows } from '../core/button-rows.ts'
import { type CallbackStore, encodePress } from '../core/callback-data.ts'
import { addedIn, defaultLocale, plainText } from '../core/catalogue.ts'
import { harmless, harmlessInLanguage, progressBar, shortenUnits } from '../core/text.ts'
import {
  type Block,
  type Button,
  besidePicture,
  type LocalisedView,
  type Picture,
  type Span,
} from '../core/view.ts'

/**
 * Bot API limits: text and captions in code points after parsing (TDLib, which its server is built on, compares them with
 * `utf8_length`), callback data in bytes, buttons in a message and a row.
 */
const maxText = 4096
export const maxCaption = 1024
const maxCallbackBytes = 64
const maxButtons = 100
const maxReplyHint = 64
/** Fewer than Telegram's eight, and as wide as a phone shows without cutting labels off. */
const buttonsInRow = { max: 5, columns: 42 }

/** A rendered view, for new messages and edits. `caption` is the text below a picture, which leaves out what that shows. */
export interface TelegramMessage {
  text: string
  picture?: Picture
  caption?: string
  /** A new message opens a reply to it, with this in the message box, in place of buttons. */
  replyHint?: string
  parse_mode: 'HTML'
  link_preview_options: LinkPreviewOptions
  reply_markup: {
    inline_keyboard: InlineKeyboardButton.CallbackButton[][] | InlineKeyboardButton[][]
  }
}

/**
 * Renders a view. Text over Telegram's limit is cut at the end (lists by whole items) with a note; buttons are never
 * dropped. The picture is included if the text below it fits in its caption.
 * @param hasInline whether the bot has inline mode: without it, Telegram refuses messages with buttons that lead there
 * @throws Error if there are more than 100 buttons
 */
export async function renderTelegram(
  view: LocalisedView,
  callbacks: CallbackStore,
  hasInline = false,
): Promise<TelegramMessage> {
  const text = messageHtml(view)
  const caption = view.picture && messageHtml({ ...view, blocks: besidePicture(view.blocks) })
  const hasPicture = caption !== undefined && plainLength(caption) <= maxCaption
  return {
    text,
    ...(hasPicture && view.picture && { picture: view.picture, caption }),
    ...(view.reply !== undefined && { replyHint: shortenUnits(view.reply, maxReplyHint) }),
    parse_mode: 'HTML',
    link_preview_options:
      view.image === undefined
        ? { is_disabled: true }
        : { url: view.image, prefer_small_media: true, show_above_text: false },
    reply_markup: { inline_keyboard: await keyboard(view, callbacks, hasInline) },
  }
}

const styles = { main: 'primary', danger: 'danger' } as const
const marks = { neutral: '', good: '', warn: '⚠️ ', bad: '⚠️ ' }
const cutNoteReserve = 64

function messageHtml(view: LocalisedView): string {
  const mark = marks[view.tone ?? 'neutral']
  const title = spansHtml(view.title, 300)
  // Without a title, the mark is on the first block's line.
  let html = mark + (title.html === '' ? '' : `<b>${unbold(title.html)}</b>`)
  let gap = title.html === '' ? '' : '\n\n'
  let room = maxText - mark.length - title.length - cutNoteReserve
  let { cut } = title
  for (const block of view.blocks) {
    const next = blockHtml(block, room - 2)
    if (next.html !== '') {
      html += gap + next.html
      gap = '\n\n'
      room -= next.length + 2
    }
    cut ||= next.cut
    if (next.cut) break
  }
  const { shortened } = view.added ?? addedIn(defaultLocale)
  if (cut) html += `\n\n<i>${escapeHtml(shortenUnits(shortened, cutNoteReserve - 2))}</i>`
  return isBlank(html) ? '…' : html
}

/** Whether nothing is visible: Telegram refuses such a message. The last two are blank for it, too. */
function isBlank(html: string): boolean {
  return /^(?:<[^>]*>|[\s\ufffc\u{e0000}])*$/u.test(html)
}

/** Removes bold within the title, which is bold as a whole. */
function unbold(html: string): string {
  return html.replaceAll(/<\/?b>/gu, '')
}

function blockHtml(block: Block<string>, room: number): Html {
  switch (block.kind) {
    case 'text': {
      const text = spansHtml(block.spans, room)
      return block.small && text.html ? { ...text, html: `<i>${text.html}</i>` } : text
    }
    case 'lines':
      return linesHtml(
        block.lines.map((spans) => (left) => spansHtml(spans, left)),
        room,
      )
    case 'copy': {
      // Code in any case: a tap copies it, also if it reads like a command.
      const whole = kept(block.text)
      const text = shortenPoints(whole, room)
      const html = text && `<code>${escapeHtml(text)}</code>`
      return { html, length: countPoints(text), cut: text !== whole }
    }
    case 'details': {
      const { html, ...rest } = linesHtml(
        block.lines.map((spans) => (left) => spansHtml(spans, left)),
        room,
      )
      return { ...rest, html: html && `<blockquote expandable>${html}</blockquote>` }
    }
    case 'fields':
      return linesHtml(
        block.fields.map(([label, value]) => (left) => {
          // A full-width colon brings its own space.
          return spansHtml([label.endsWith('：') ? label : `${label} `, ...value], left)
        }),
        room,
      )
    case 'progress': {
      const bar = `${progressBar(block.ratio)} `
      const label = spansHtml([{ bold: block.label }], room - bar.length)
      return linesHtml([() => concat({ html: bar, length: bar.length, cut: false }, label)], room)
    }
    case 'list':
      return linesHtml(
        block.items.map((item, index) => (left) => {
          const number = `${block.first + index}. `
          const rest = spansHtml(item.spans, left - number.length)
          return concat({ html: number, length: number.length, cut: false }, rest)
        }),
        room,
      )
  }
}

function concat(one: Html, other: Html): Html {
  return {
    html: one.html + other.html,
    length: one.length + other.length,
    cut: one.cut || other.cut,
  }
}

/** Joins lines, as many whole ones as fit. */
function linesHtml(lines: ((room: number) => Html)[], room: number): Html {
  const shown: string[] = []
  let length = 0
  for (const line of lines) {
    const next = line(room - length)
    if (next.cut) return { html: shown.join('\n'), length, cut: true }
    shown.push(next.html)
    length += next.length + 1
  }
  return { html: shown.join('\n'), length, cut: false }
}

async function keyboard(
  view: LocalisedView,
  callbacks: CallbackStore,
  hasInline: boolean,
): Promise<InlineKeyboardButton[][]> {
  const numbered = view.blocks.flatMap((block) =>
    block.kind === 'list'
      ? block.items.map(({ open }, index) => ({
          label: String(block.first + index),
          line: open.line,
          asNew: true,
        }))
      : [],
  )
  const groups: Button<string>[][] = [numbered, ...(view.buttons ?? [])]
  const rows = groups.flatMap((group) => balancedRows(group, buttonsInRow))
  const count = rows.reduce((sum, row) => sum + row.length, 0)
  if (count > maxButtons) throw new Error(`A message has ${count} buttons; Telegram takes 100.`)
  const shown = await Promise.all(
    rows.map((row) =>
      Promise.all(row.map((button) => keyboardButton(button, callbacks, hasInline))),
    ),
  )
  return shown
    .map((row) => row.filter((button) => button !== undefined))
    .filter((row) => row.length > 0)
}

async function keyboardButton(
  button: Button<string>,
  callbacks: CallbackStore,
  hasInline: boolean,
): Promise<InlineKeyboardButton | undefined> {
  const text = shortenUnits(harmlessInLanguage(button.label).trim() || '·', 40)
  if ('copy' in button) return { text, copy_text: { text: button.copy } }
  const style = button.look && { style: styles[button.look] }
  if ('url' in button) {
    const { url, inline } = button
    if (hasInline && inline !== undefined) return { text, switch_inline_query: inline, ...style }
    return { text, url, ...style }
  }
  const press = { line: button.line, asNew: button.asNew ?? false }
  const callback_data = await encodePress(press, maxCallbackBytes, callbacks)
  if (callback_data === undefined) return undefined
  return { text, callback_data, ...style }
}

/** Markup, and the code points of its text after parsing, which Telegram's limits count. */
interface Html {
  html: string
  length: number
  /** Something was left out because it did not fit. */
  cut: boolean
}

const wordJoiner = '\u2060'
const latestTime = 2 ** 31 - 1
// Characters that begin or join what Telegram would turn into a link, mention, tag or command: the `match_` functions of
// TDLib's MessageEntity.cpp, and numbers of phones, which Telegram's servers look for.
const autoLinked = new RegExp(
  [
    '@(?=[A-Za-z0-9_])',
    '#(?=\\S)',
    '\\$(?=[A-Z]|1INCH)',
    '(?<![A-Za-z0-9_/<>])/(?=[A-Za-z0-9_])',
    ':(?=//)',
    '\\.(?=\\p{L})',
    '(?<=\\d)\\.(?=\\d{1,3}\\.\\d)',
    '\\+(?=[\\s().-]*\\d)',
  ].join('|'),
  'gu',
)
const fewestDigits = 13
// A card number has that many digits or more, with blanks and hyphens in between, and stands behind none of these
// (`match_bank_card_numbers` of TDLib).
const cardNumber = /(?<![\w.,-])\d(?:[ -]*\d){12,}/gu
const mostDigits = /(?:\d[ -]*){12}(?=\d)/gu
/** More characters than a card number has: 19 digits and 18 signs between them at most. */
const longestCard = 40
// Characters that may be inside or at an edge of something to tap; quotation marks, commas, brackets and full stops may not.
// Domains may have any character from U+00C0 on, emoji too, except most of those for spaces and punctuation.
const joinsNext = /(?:[\w@#$/:.+~-]|[^\0-\u00bf\p{Z}\u2000-\u200b\u200e\u200f\u2016-\u206f])$/u
const joinsPrevious = /^(?:[\p{L}\p{N}\p{M}_@#$/+\u00b7]|:(?=\S)|\.(?=[\p{L}\p{N}]))/u
const digitsAtEnd = /\d[ -]*$/u
const betweenDigits = /^[ -]*$/u
const digitsAtStart = /^[ -]*\d/u

/** Inserts a word joiner, which is invisible, into everything in a stranger's text that Telegram would turn into a link. */
function inert(text: string, clean = harmless): string {
  return withoutCards(kept(text, clean).replace(autoLinked, `$&${wordJoiner}`))
}

function withoutCards(text: string): string {
  if (text.length < fewestDigits) return text
  return text.replace(cardNumber, (number) => number.replace(mostDigits, `$&${wordJoiner}`))
}

const leftOut = /[\u030a\u0333\u033f]/gu

/**
 * A text as Telegram keeps it. It removes three combining marks before it looks for links: after one of them a dot would
 * begin a domain after all. Letters with a ring, as Å, stay if they are one character.
 */
function kept(text: string, clean = harmless): string {
  const cleaned = clean(text)
  if (cleaned.search(leftOut) < 0) return cleaned
  return cleaned
    .replace(/\p{L}\u030a/gu, (letter) => letter.normalize('NFC'))
    .replaceAll(leftOut, '')
}

/**
 * Whether Telegram could find something that begins in one of two adjacent texts and ends in the other. If both are ours,
 * only the number of a card is not meant.
 */
function wouldJoin(before: string, text: string, areOurs: boolean): boolean {
  // The pattern bound to the start fails at once; one bound to the end is tried at every character.
  if (!areOurs && joinsPrevious.test(text) && joinsNext.test(before)) return true
  return digitsAtStart.test(text) && digitsAtEnd.test(before)
}

function escapeHtml(text: string): string {
  if (!/[&<>]/u.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Length in code points of our markup after parsing, as Telegram counts it. */
export function plainLength(html: string): number {
  return countPoints(html.replaceAll(/<[^>]*>/gu, '').replaceAll(/&(?:amp|lt|gt|quot);/gu, '·'))
}

function countPoints(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length
  return text.replaceAll(/[^\0-\uffff]/gu, '·').length
}

/** Shortens a text to at most `max` code points, cut between grapheme clusters. */
function shortenPoints(text: string, max: number): string {
  if (text.length <= max) return text
  const points = [...text]
  if (points.length <= max) return text
  return shortenUnits(text, points.slice(0, Math.max(0, max)).join('').length)
}

function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;')
}

interface RenderedSpan {
  text: string
  open?: string
  close?: string
  /** Telegram looks for links in it and the adjacent text; it does not in code, links and times. */
  searched: boolean
  /** Anything that Telegram finds in it is intended. */
  isOurs?: boolean
}

/** A command without arguments, which people can tap; of one with arguments Telegram would send the beginning alone. */
const wholeCommand = /^\/[a-z0-9_]{1,32}$/u

function renderSpan(span: Span<string>): RenderedSpan {
  if (typeof span === 'string') return { text: inert(span), searched: true }
  if ('own' in span) {
    return { text: withoutCards(harmlessInLanguage(span.own)), searched: true, isOurs: true }
  }
  if ('bold' in span) {
    const text = inert(span.bold, harmlessInLanguage)
    return { text, open: '<b>', close: '</b>', searched: true }
  }
  if ('code' in span) {
    if (wholeCommand.test(span.code)) return { text: span.code, searched: true, isOurs: true }
    return { text: kept(span.code), open: '<code>', close: '</code>', searched: false }
  }
  if ('link' in span) {
    const open = `<a href="${escapeAttribute(span.url)}">`
    return { text: kept(span.link, harmlessInLanguage), open, close: '</a>', searched: false }
  }
  const text = `${plainText([span])} UTC`
  const unix = Math.trunc(span.time)
  // Telegram refuses the whole message for a time after January 2038.
  if (unix < 0 || unix > latestTime) return { text, searched: true }
  // Clients without date entities show the text inside.
  const open = `<tg-time unix="${unix}" format="${span.as === 'relative' ? 'r' : 'Dt'}">`
  return { text, open, close: '</tg-time>', searched: false }
}

/** The end of two adjacent texts; the first one matters only to digits that nothing but blanks and hyphens part. */
function endOf(before: string, text: string): string {
  return (betweenDigits.test(text) ? before + text : text).slice(-longestCard)
}

/** Renders spans in order until `room` code points of text are used up. */
function spansHtml(spans: readonly Span<string>[], room: number): Html {
  let html = ''
  let length = 0
  let before = ''
  let isOursBefore = false
  for (const span of spans) {
    const { text, open = '', close = '', searched, isOurs = false } = renderSpan(span)
    if (text === '') continue
    const joins = searched && wouldJoin(before, text, isOursBefore && isOurs)
    const whole = joins ? wordJoiner + text : text
    const fitting = shortenPoints(whole, room - length)
    if (fitting !== '') html += open + escapeHtml(fitting) + close
    length += countPoints(fitting)
    if (fitting !== whole) return { html, length, cut: true }
    before = searched ? endOf(before, text) : ''
    isOursBefore = isOurs
  }
  return { html, length, cut: false }
}
