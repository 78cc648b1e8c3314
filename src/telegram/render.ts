import type { InlineKeyboardButton, LinkPreviewOptions } from 'grammy/types'
import { encodePress, type LineKeeper } from '../chat/control.ts'
import { progressBar } from '../chat/progress.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import type { Block, Button, View } from '../chat/view.ts'
import { escapeHtml, type Html, spansHtml } from './html.ts'

/** Bot API limits: text after parsing in UTF-16 units, callback data in bytes, buttons in a message. */
const mostText = 4096
const mostCallbackBytes = 64
const mostButtons = 100
const numbersInRow = 5

/** A view as the Bot API takes it, for sendMessage and editMessageText alike. */
export interface TelegramMessage {
  text: string
  parse_mode: 'HTML'
  link_preview_options: LinkPreviewOptions
  reply_markup: {
    inline_keyboard: InlineKeyboardButton.CallbackButton[][] | InlineKeyboardButton[][]
  }
}

/**
 * Renders a view. Text over Telegram's limit is cut at the end, by whole list items where there is a list, and says
 * so; controls are never dropped.
 */
export async function renderTelegram(view: View, lines: LineKeeper): Promise<TelegramMessage> {
  return {
    text: messageHtml(view),
    parse_mode: 'HTML',
    link_preview_options:
      view.image === undefined
        ? { is_disabled: true }
        : { url: view.image, prefer_small_media: true, show_above_text: false },
    reply_markup: { inline_keyboard: await keyboard(view, lines) },
  }
}

const marks = { neutral: '', good: '', warn: '⚠️ ', bad: '⚠️ ' }
const cutNote = '\n\n<i>Shortened: there is more than fits here.</i>'
const roomForCut = 64

function messageHtml(view: View): string {
  const title = spansHtml([marks[view.tone ?? 'neutral'], ...view.title], 300)
  let html = title.length === 0 ? '' : `<b>${unbold(title.html)}</b>`
  let room = mostText - title.length - roomForCut
  for (const block of view.blocks) {
    const next = blockHtml(block, room - 2)
    if (next.html === '') continue
    html += (html === '' ? '' : '\n\n') + next.html
    room -= next.length + 2
    if (next.cut || room < 16) return html + cutNote
  }
  return html === '' ? '…' : html
}

/** The title is bold as a whole; bold inside bold is refused by nobody but says nothing. */
function unbold(html: string): string {
  return html.replaceAll(/<\/?b>/gu, '')
}

interface CutHtml extends Html {
  cut?: boolean
}

function blockHtml(block: Block, room: number): CutHtml {
  switch (block.kind) {
    case 'text': {
      const { html, length } = spansHtml(block.spans, room)
      return { html: block.quiet && html ? `<i>${html}</i>` : html, length, cut: length >= room }
    }
    case 'fields':
      return linesHtml(
        block.fields.map(([label, value]) => (left) => {
          const name = spansHtml([`${label}: `], left)
          const rest = spansHtml(value, left - name.length)
          return { html: `${name.html}${rest.html}`, length: name.length + rest.length }
        }),
        room,
      )
    case 'progress': {
      const bar = `${progressBar(block.ratio)} `
      const label = spansHtml([{ bold: block.label }], room - bar.length)
      return { html: escapeHtml(bar) + label.html, length: bar.length + label.length }
    }
    case 'list':
      return linesHtml(
        block.items.map((item, index) => (left) => {
          const number = `${block.first + index}. `
          const rest = spansHtml(item.spans, left - number.length)
          return { html: number + rest.html, length: number.length + rest.length }
        }),
        room,
      )
  }
}

/** Lines one below the other while whole ones fit. */
function linesHtml(lines: ((room: number) => Html)[], room: number): CutHtml {
  const shown: string[] = []
  let length = 0
  for (const line of lines) {
    const left = room - length - 1
    const next = left > 16 ? line(left) : undefined
    if (!next || next.length >= left) return { html: shown.join('\n'), length, cut: true }
    shown.push(next.html)
    length += next.length + 1
  }
  return { html: shown.join('\n'), length }
}

async function keyboard(view: View, lines: LineKeeper): Promise<InlineKeyboardButton[][]> {
  const numbered = view.blocks.flatMap((block) =>
    block.kind === 'list'
      ? block.items.map(({ open }, index) => ({
          label: String(block.first + index),
          run: open.run,
          opens: true,
        }))
      : [],
  )
  const rows = [...chunks<Button>(numbered, numbersInRow), ...(view.buttons ?? [])]
  const count = rows.reduce((sum, row) => sum + row.length, 0)
  if (count > mostButtons) throw new Error(`A message has ${count} buttons; Telegram takes 100.`)
  return Promise.all(
    rows.map((row) => Promise.all(row.map((button) => keyboardButton(button, lines)))),
  )
}

async function keyboardButton(button: Button, lines: LineKeeper): Promise<InlineKeyboardButton> {
  const text = shortenUnits(harmless(button.label).trim() || '·', 40)
  if ('url' in button) return { text, url: button.url }
  const press = { line: button.run, opens: button.opens ?? false }
  return { text, callback_data: await encodePress(press, mostCallbackBytes, lines) }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const rows: T[][] = []
  for (let at = 0; at < items.length; at += size) rows.push(items.slice(at, at + size))
  return rows
}
