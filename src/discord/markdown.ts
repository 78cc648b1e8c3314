import { harmless, shorten } from '../chat/text.ts'
import type { Span } from '../chat/view.ts'

// What starts markup, a mention, a timestamp or an autolink: Discord shows any of it as it is behind a backslash.
const meaningful = /[\\*_~|`>#\-+<@[\]()]|:(?=\/)/gu

/** Text by strangers that Discord shows as it stands: no markup, no mention, no link, no timestamp. */
export function escapeMarkdown(text: string): string {
  return harmless(text).replace(meaningful, String.raw`\$&`)
}

/** Renders one span in at most `room` characters of markdown. */
function spanMarkdown(span: Span, room: number): string {
  if (typeof span === 'string') return escaped(span, room)
  if ('bold' in span) return around('**', escaped(span.bold.trim(), room - 4))
  if ('code' in span) {
    const code = shorten(harmless(span.code).replaceAll('`', 'ˋ').trim(), room - 2)
    return around('`', code)
  }
  if ('link' in span) {
    const target = `](<${new URL(span.url).href.replaceAll('>', '%3E')}>)`
    const text = escaped(span.link.trim(), room - target.length - 1)
    return text === '' ? '' : `[${text}${target}`
  }
  const stamp = `<t:${Math.trunc(span.time)}:${span.as === 'relative' ? 'R' : 'f'}>`
  return stamp.length > room ? '' : stamp
}

function around(mark: string, text: string): string {
  return text === '' ? '' : mark + text + mark
}

/** The escaped text, cut between characters so that the escapes fit too. */
function escaped(text: string, room: number): string {
  if (room < 1) return ''
  let shown = harmless(text)
  let markdown = escapeMarkdown(shown)
  while (markdown.length > room) {
    const most = Math.floor((shown.length * room) / markdown.length) - 1
    if (most < 1) return ''
    shown = shorten(shown, most)
    markdown = escapeMarkdown(shown)
  }
  return markdown
}

/** Renders spans in order until `room` characters of markdown are used up. */
export function spansMarkdown(spans: readonly Span[], room: number): string {
  let markdown = ''
  for (const span of spans) markdown += spanMarkdown(span, room - markdown.length)
  return markdown
}
