import type { InlineKeyboardButton, LinkPreviewOptions } from 'grammy/types'
import { type CallbackStore, encodePress } from '../core/callback-data.ts'
import { chunks, harmless, progressBar, shortenUnits } from '../core/text.ts'
import {
  type Block,
  type Button,
  type Picture,
  plainSpans,
  type Span,
  type View,
} from '../core/view.ts'

/** Bot API limits: text and captions in UTF-16 units after parsing, callback data in bytes, buttons in a message and a row. */
const maxText = 4096
export const maxCaption = 1024
const maxCallbackBytes = 64
const maxButtons = 100
const maxButtonsInRow = 8
const numbersInRow = 5

/** A rendered view, for new messages and edits. With a picture, the text is its caption. */
export interface TelegramMessage {
  text: string
  picture?: Picture
  parse_mode: 'HTML'
  link_preview_options: LinkPreviewOptions
  reply_markup: {
    inline_keyboard: InlineKeyboardButton.CallbackButton[][] | InlineKeyboardButton[][]
  }
}

/**
 * Renders a view. Text over Telegram's limit is cut at the end (lists by whole items) with a note; buttons are never
 * dropped. The picture is included if the whole text fits in its caption.
 * @throws Error if there are more than 100 buttons
 */
export async function renderTelegram(view: View, lines: CallbackStore): Promise<TelegramMessage> {
  const text = messageHtml(view)
  const picture = plainLength(text) <= maxCaption ? view.picture : undefined
  return {
    text,
    ...(picture && { picture }),
    parse_mode: 'HTML',
    link_preview_options:
      view.image === undefined
        ? { is_disabled: true }
        : { url: view.image, prefer_small_media: true, show_above_text: false },
    reply_markup: { inline_keyboard: await keyboard(view, lines) },
  }
}

const styles = { main: 'primary', danger: 'danger' } as const
const marks = { neutral: '', good: '', warn: '⚠️ ', bad: '⚠️ ' }
const cutNote = '\n\n<i>Shortened: there is more than fits here.</i>'
const cutNoteReserve = 64

function messageHtml(view: View): string {
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
  if (cut) html += cutNote
  return isBlank(html) ? '…' : html
}

/** Whether nothing is visible: Telegram refuses such a message. */
function isBlank(html: string): boolean {
  return html.replaceAll(/<[^>]*>/gu, '').trim() === ''
}

/** Removes bold within the title, which is bold as a whole. */
function unbold(html: string): string {
  return html.replaceAll(/<\/?b>/gu, '')
}

function blockHtml(block: Block, room: number): Html {
  switch (block.kind) {
    case 'text': {
      const text = spansHtml(block.spans, room)
      return block.quiet && text.html ? { ...text, html: `<i>${text.html}</i>` } : text
    }
    case 'fields':
      return linesHtml(
        block.fields.map(([label, value]) => (left) => {
          const name = spansHtml([label.endsWith(':') ? `${label} ` : `${label}: `], left)
          return concat(name, spansHtml(value, left - name.length))
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

async function keyboard(view: View, lines: CallbackStore): Promise<InlineKeyboardButton[][]> {
  const numbered = view.blocks.flatMap((block) =>
    block.kind === 'list'
      ? block.items.map(({ open }, index) => ({
          label: String(block.first + index),
          line: open.line,
          opens: true,
        }))
      : [],
  )
  const rows = [
    ...chunks<Button>(numbered, numbersInRow),
    ...(view.buttons ?? []).flatMap((row) => chunks(row, maxButtonsInRow)),
  ]
  const count = rows.reduce((sum, row) => sum + row.length, 0)
  if (count > maxButtons) throw new Error(`A message has ${count} buttons; Telegram takes 100.`)
  const shown = await Promise.all(
    rows.map((row) => Promise.all(row.map((button) => keyboardButton(button, lines)))),
  )
  return shown
    .map((row) => row.filter((button) => button !== undefined))
    .filter((row) => row.length > 0)
}

async function keyboardButton(
  button: Button,
  lines: CallbackStore,
): Promise<InlineKeyboardButton | undefined> {
  const text = shortenUnits(harmless(button.label).trim() || '·', 40)
  const style = button.look && { style: styles[button.look] }
  if ('url' in button) return { text, url: button.url, ...style }
  const press = { line: button.line, opens: button.opens ?? false }
  const callback_data = await encodePress(press, maxCallbackBytes, lines)
  if (callback_data === undefined) return undefined
  return { text, callback_data, ...style }
}

/** Markup, and the UTF-16 length of its text after parsing, which Telegram's limits count. */
interface Html {
  html: string
  length: number
  /** Something was left out because it did not fit. */
  cut: boolean
}

const wordJoiner = '\u2060'
const latestTime = 2 ** 31 - 1
// Positions in text that Telegram would turn into a link, mention, tag or command: https://core.telegram.org/bots/api#messageentity
const autoLinked =
  /(?<=[@#$/])(?=\S)|(?<=:)(?=\/\/)|(?<=\.)(?=\p{L})|(?<=\d\.)(?=\d{1,3}\.\d)|(?<=\+)(?=[\s().-]*\d)/gu

/** Inserts a word joiner, which is invisible, into everything that Telegram would turn into a link. */
function inert(text: string): string {
  return harmless(text).replace(autoLinked, wordJoiner)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Length in UTF-16 units of our markup after parsing, as Telegram counts it. */
export function plainLength(html: string): number {
  return html.replaceAll(/<[^>]*>/gu, '').replaceAll(/&(?:amp|lt|gt|quot);/gu, '·').length
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
}

function renderSpan(span: Span): RenderedSpan {
  if (typeof span === 'string') return { text: inert(span), searched: true }
  if ('bold' in span) {
    return { text: inert(span.bold), open: '<b>', close: '</b>', searched: true }
  }
  if ('code' in span) {
    return { text: harmless(span.code), open: '<code>', close: '</code>', searched: false }
  }
  if ('link' in span) {
    const open = `<a href="${escapeAttribute(span.url)}">`
    return { text: harmless(span.link), open, close: '</a>', searched: false }
  }
  const text = `${plainSpans([span])} UTC`
  const unix = Math.trunc(span.time)
  // Telegram refuses the whole message for a time after January 2038.
  if (unix < 0 || unix > latestTime) return { text, searched: true }
  // Clients without date entities show the text inside.
  const open = `<tg-time unix="${unix}" format="${span.as === 'relative' ? 'r' : 'Dt'}">`
  return { text, open, close: '</tg-time>', searched: false }
}

/** Renders spans in order until `room` UTF-16 units of text are used up. */
function spansHtml(spans: readonly Span[], room: number): Html {
  let html = ''
  let length = 0
  let before = ''
  for (const span of spans) {
    const { text, open = '', close = '', searched } = renderSpan(span)
    if (text === '') continue
    // Two adjacent texts could form a link together.
    const touching = searched && /\S$/u.test(before) && /^\S/u.test(text)
    const whole = touching ? wordJoiner + text : text
    const fitting = shortenUnits(whole, room - length)
    if (fitting !== '') html += open + escapeHtml(fitting) + close
    length += fitting.length
    if (fitting.length < whole.length) return { html, length, cut: true }
    before = searched ? text : ''
  }
  return { html, length, cut: false }
}
