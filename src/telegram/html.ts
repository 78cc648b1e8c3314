import { harmless, shortenUnits } from '../chat/text.ts'
import { plainSpans, type Span } from '../chat/view.ts'

/** Markup and the UTF-16 length of the text that Telegram counts: what is left after it has parsed the markup. */
export interface Html {
  html: string
  length: number
}

const wordJoiner = '\u2060'
// What Telegram would turn into a link, mention, tag or command by itself: https://core.telegram.org/bots/api#messageentity
const lively =
  /(?<=[@#$/])(?=[\p{L}\p{N}_])|(?<=:)(?=\/\/)|(?<=\.)(?=\p{L})|(?<=\d\.)(?=\d{1,3}\.\d)|(?<=\+)(?=[\d\s().-]{7})/gu

/** Plain text that Telegram shows as it stands: a word joiner (unseen, and no part of any link) breaks every pattern. */
export function inert(text: string): string {
  return harmless(text).replace(lively, wordJoiner)
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;')
}

/** Renders one span in at most `room` UTF-16 units of text. */
function spanHtml(span: Span, room: number): Html {
  if (typeof span === 'string') return wrapped(inert(span), room)
  if ('bold' in span) return wrapped(inert(span.bold), room, '<b>', '</b>')
  if ('code' in span) return wrapped(harmless(span.code), room, '<code>', '</code>')
  if ('link' in span) {
    return wrapped(harmless(span.link), room, `<a href="${escapeAttribute(span.url)}">`, '</a>')
  }
  // Clients that know no date entities show the text inside, in UTC.
  const format = span.as === 'relative' ? 'r' : 'Dt'
  const open = `<tg-time unix="${Math.trunc(span.time)}" format="${format}">`
  return wrapped(`${plainSpans([span])} UTC`, room, open, '</tg-time>')
}

function wrapped(text: string, room: number, open = '', close = ''): Html {
  const fitting = shortenUnits(text, room)
  if (fitting === '') return { html: '', length: 0 }
  return { html: open + escapeHtml(fitting) + close, length: fitting.length }
}

/** Renders spans in order until `room` UTF-16 units of text are used up. */
export function spansHtml(spans: readonly Span[], room: number): Html {
  let html = ''
  let length = 0
  for (const span of spans) {
    const next = spanHtml(span, room - length)
    html += next.html
    length += next.length
    if (length >= room) break
  }
  return { html, length }
}
