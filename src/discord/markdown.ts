import { harmless, shortenUnits } from '../chat/text.ts'
import type { Span } from '../chat/view.ts'

/** Discord's markdown, and whether something was left out of it for want of room. */
export interface Markdown {
  markdown: string
  cut: boolean
}

const wordJoiner = '\u2060'
// What starts or ends markup, a mention, a timestamp, a link, an emoji's name or a numbered list: Discord shows any of
// it as it is behind a backslash.
const meaningful = /[\\*_~|`>#\-+<@[\]():]|(?<=^ ?\d*)\.(?=\s|$)/gu

/** Text by strangers that Discord shows as it stands: no markup, no mention, no link, no timestamp. */
function escapeMarkdown(text: string): string {
  return harmless(text).replace(meaningful, String.raw`\$&`)
}

/** Renders one span in at most `room` UTF-16 units of markdown. */
function spanMarkdown(span: Span, room: number): Markdown {
  if (typeof span === 'string') return escaped(span, room)
  if ('bold' in span) return around('**', escaped(harmless(span.bold).trim(), room - 4), '**')
  if ('code' in span) {
    // A link before it would otherwise go on to the end of one in the code.
    const code = harmless(span.code).replaceAll('`', 'ˋ').replaceAll('](', `]${wordJoiner}(`).trim()
    const markdown = shortenUnits(code, room - 2)
    return around('`', { markdown, cut: markdown.length < code.length }, '`')
  }
  if ('link' in span) {
    // Brackets in the text would be taken for the link's own, even escaped.
    const text = span.link.replaceAll('[', '(').replaceAll(']', ')').trim()
    const target = `](<${linkTarget(span.url)}>)`
    return around('[', escaped(text, room - target.length - 1), target)
  }
  const stamp = `<t:${Math.trunc(span.time)}:${span.as === 'relative' ? 'R' : 'f'}>`
  return stamp.length > room ? { markdown: '', cut: true } : { markdown: stamp, cut: false }
}

/** Without what would end the link early: the rest of a stranger's URL would then be read as markdown. */
function linkTarget(url: string): string {
  return new URL(url).href.replaceAll(
    /[()[\]<>\\]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function around(open: string, { markdown, cut }: Markdown, close: string): Markdown {
  return { markdown: markdown === '' ? '' : open + markdown + close, cut }
}

/** The escaped text, cut between characters so that the escapes fit too. */
function escaped(text: string, room: number): Markdown {
  const whole = harmless(text)
  let shown = whole
  let markdown = escapeMarkdown(shown)
  while (markdown.length > room) {
    const share = Math.floor((shown.length * room) / markdown.length)
    shown = shortenUnits(shown, Math.min(share, shown.length - 1))
    markdown = escapeMarkdown(shown)
    if (shown === '') break
  }
  return { markdown, cut: shown.length < whole.length }
}

/** Renders spans in order until `room` UTF-16 units of markdown are used up. */
export function spansMarkdown(spans: readonly Span[], room: number): Markdown {
  let markdown = ''
  for (const span of spans) {
    const next = spanMarkdown(span, room - markdown.length - wordJoiner.length)
    // Marks that touch would be read as one: `a``b` is a single piece of code.
    const [first] = next.markdown
    const touching = (first === '`' || first === '*') && markdown.endsWith(first)
    markdown += touching ? wordJoiner + next.markdown : next.markdown
    if (next.cut) return { markdown, cut: true }
  }
  return { markdown, cut: false }
}
