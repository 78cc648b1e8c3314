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

/** Bot API limits: text and captions after parsing in UTF-16 units, callback data in bytes, buttons in a message and in a row. */
const maxText = 4096
export const maxCaption = 1024
const maxCallbackBytes = 64
const maxButtons = 100
const maxInRow = 8
const numbersInRow = 5

/** A view as the Bot API takes it, for new messages and edits alike. With a picture the text is its caption. */
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
 * Renders a view. Text over Telegram's limit is cut at the end, by whole list items where there is a list, and says
 * so; controls are never dropped. A picture goes along where the whole text fits below it.
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
const roomForCut = 64

function messageHtml(view: View): string {
  const mark = marks[view.tone ?? 'neutral']
  const title = spansHtml(view.title, 300)
  // Without a title the mark stands before the first block, on its line.
  let html = mark + (title.html === '' ? '' : `<b>${unbold(title.html)}</b>`)
  let gap = title.html === '' ? '' : '\n\n'
  let room = maxText - mark.length - title.length - roomForCut
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

/** Telegram refuses a message of which nothing is to be seen. */
function isBlank(html: string): boolean {
  return html.replaceAll(/<[^>]*>/gu, '').trim() === ''
}

/** The title is bold as a whole; bold inside bold is refused by nobody but says nothing. */
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
          return joined(name, spansHtml(value, left - name.length))
        }),
        room,
      )
    case 'progress': {
      const bar = `${progressBar(block.ratio)} `
      const label = spansHtml([{ bold: block.label }], room - bar.length)
      return linesHtml([() => joined({ html: bar, length: bar.length, cut: false }, label)], room)
    }
    case 'list':
      return linesHtml(
        block.items.map((item, index) => (left) => {
          const number = `${block.first + index}. `
          const rest = spansHtml(item.spans, left - number.length)
          return joined({ html: number, length: number.length, cut: false }, rest)
        }),
        room,
      )
  }
}

function joined(one: Html, other: Html): Html {
  return {
    html: one.html + other.html,
    length: one.length + other.length,
    cut: one.cut || other.cut,
  }
}

/** Lines one below the other while whole ones fit. */
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
          run: open.run,
          opens: true,
        }))
      : [],
  )
  const rows = [
    ...chunks<Button>(numbered, numbersInRow),
    ...(view.buttons ?? []).flatMap((row) => chunks(row, maxInRow)),
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
  const press = { line: button.run, opens: button.opens ?? false }
  const callback_data = await encodePress(press, maxCallbackBytes, lines)
  if (callback_data === undefined) return undefined
  return { text, callback_data, ...style }
}

/** Markup and the UTF-16 length of the text that Telegram counts: what is left after it has parsed the markup. */
interface Html {
  html: string
  length: number
  /** Something was left out for want of room. */
  cut: boolean
}

const wordJoiner = '\u2060'
const latestTime = 2 ** 31 - 1
// What Telegram would turn into a link, mention, tag or command by itself: https://core.telegram.org/bots/api#messageentity
const lively =
  /(?<=[@#$/])(?=\S)|(?<=:)(?=\/\/)|(?<=\.)(?=\p{L})|(?<=\d\.)(?=\d{1,3}\.\d)|(?<=\+)(?=[\s().-]*\d)/gu

/** Plain text that Telegram shows as it stands: a word joiner (unseen, and no part of any link) breaks every pattern. */
function inert(text: string): string {
  return harmless(text).replace(lively, wordJoiner)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The UTF-16 units that Telegram counts of markup of ours. */
export function plainLength(html: string): number {
  return html.replaceAll(/<[^>]*>/gu, '').replaceAll(/&(?:amp|lt|gt|quot);/gu, '·').length
}

function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;')
}

interface Piece {
  text: string
  open?: string
  close?: string
  /** Telegram looks for links in it, together with the text around it; in code, links and times it does not. */
  searched: boolean
}

function piece(span: Span): Piece {
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
  // Clients that know no date entities show the text inside.
  const open = `<tg-time unix="${unix}" format="${span.as === 'relative' ? 'r' : 'Dt'}">`
  return { text, open, close: '</tg-time>', searched: false }
}

/** Renders spans in order until `room` UTF-16 units of text are used up. */
function spansHtml(spans: readonly Span[], room: number): Html {
  let html = ''
  let length = 0
  let before = ''
  for (const span of spans) {
    const { text, open = '', close = '', searched } = piece(span)
    if (text === '') continue
    // Two texts that touch could make up a link that neither of them is.
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
