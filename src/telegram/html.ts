import { harmless, shortenUnits } from '../chat/text.ts'
import { plainSpans, type Span } from '../chat/view.ts'

/** Markup and the UTF-16 length of the text that Telegram counts: what is left after it has parsed the markup. */
export interface Html {
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
export function spansHtml(spans: readonly Span[], room: number): Html {
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
