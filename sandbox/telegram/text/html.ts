import { badRequest } from '../refusal.ts'
import {
  type DateTimeFormat,
  type Entity,
  type FormattedText,
  inOrder,
  isDateTimeFormat,
} from './entity.ts'
import { checkLink, linkedUser } from './links.ts'
import { decodeReference, parseError, readTag, type StartTag } from './tags.ts'

const styles: Readonly<Record<string, Entity['type']>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
}

interface Open extends StartTag {
  /** Where the tag's content starts, in UTF-16 units of the result. */
  offset: number
}

/**
 * Parses Telegram's HTML into plain text and entities; throws the 400 that the Bot API answers.
 * Rules as in tdlib's parse_html and the Bot API's formatting options.
 */
export function parseHtml(html: string): FormattedText {
  const open: Open[] = []
  const entities: Entity[] = []
  let text = ''
  let at = 0
  while (at < html.length) {
    const next = nextSpecial(html, at)
    text += html.slice(at, next)
    at = next
    if (html[at] === '&') {
      const reference = decodeReference(html, at)
      text += reference.text
      at = reference.next
    } else if (html[at] === '<' && html[at + 1] === '/') {
      at = closeTag(html, at, open, entities, text)
    } else if (html[at] === '<') {
      const tag = readTag(html, at)
      open.push({ ...tag, offset: text.length })
      at = tag.next
    }
  }
  const unclosed = open.at(-1)
  if (unclosed)
    throw parseError(html, 0, `Can't find end tag corresponding to start tag "${unclosed.name}"`)
  if (!text.isWellFormed())
    throw parseError(
      html,
      0,
      'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units',
    )
  for (const entity of entities) if (entity.type === 'code') delete entity.language
  return { text, entities: entities.sort(inOrder) }
}

function nextSpecial(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === 0x3c || code === 0x26) return at
  }
  return html.length
}

function closeTag(
  html: string,
  at: number,
  open: Open[],
  entities: Entity[],
  text: string,
): number {
  const tag = open.pop()
  if (!tag) throw parseError(html, at, 'Unexpected end tag at %offset')
  const match = /^<\/([^\s>]*)\s*>/u.exec(html.slice(at))
  if (!match) throw parseError(html, at, 'Unclosed end tag at %offset')
  const name = (match[1] ?? '').toLowerCase()
  if (name !== '' && name !== tag.name)
    throw parseError(
      html,
      at,
      `Unmatched end tag at %offset, expected "</${tag.name}>", found "</${name}>"`,
    )
  if (text.length > tag.offset) addEntity(tag, entities, text, html)
  return at + match[0].length
}

function addEntity(tag: Open, entities: Entity[], text: string, html: string): void {
  const range = { offset: tag.offset, length: text.length - tag.offset }
  const style = styles[tag.name]
  if (style) entities.push({ type: style, ...range })
  else if (tag.name === 'a') addLink(tag.argument || text.slice(tag.offset), range, entities)
  else if (tag.name === 'pre' || tag.name === 'code') addCode(tag, range, entities)
  else if (tag.name === 'blockquote')
    entities.push({ type: tag.argument === '' ? 'blockquote' : 'expandable_blockquote', ...range })
  else if (tag.name === 'tg-emoji') {
    if (!/^[1-9]\d{0,18}$/u.test(tag.argument))
      throw parseError(html, 0, 'Invalid custom emoji identifier specified')
    entities.push({ type: 'custom_emoji', customEmojiId: tag.argument, ...range })
  } else if (tag.name === 'tg-time')
    entities.push({ type: 'date_time', ...dateTime(tag), ...range })
}

interface Range {
  offset: number
  length: number
}

function addLink(url: string, range: Range, entities: Entity[]): void {
  const userId = linkedUser(url)
  if (userId !== undefined) entities.push({ type: 'text_mention', userId, ...range })
  const link = userId === undefined ? checkLink(url) : undefined
  if (link?.ok) entities.push({ type: 'text_link', url: link.url, ...range })
}

/** `<pre><code class="language-x">` is one entity; so is the pair nested the other way round. */
function addCode(tag: Open, range: Range, entities: Entity[]): void {
  const inner = entities.at(-1)
  const same = inner?.offset === range.offset && inner.length === range.length
  if (same && tag.name === 'pre' && inner.type === 'code' && inner.language) inner.type = 'pre'
  else if (same && tag.name === 'code' && inner.type === 'pre' && tag.argument)
    inner.language = tag.argument
  else if (tag.name === 'pre') entities.push({ type: 'pre', ...range })
  else
    entities.push({ type: 'code', ...range, ...(tag.argument ? { language: tag.argument } : {}) })
}

function dateTime(tag: Open): { unixTime: number; dateTimeFormat: DateTimeFormat } {
  const format = tag.format ?? ''
  if (!isDateTimeFormat(format))
    throw badRequest("can't parse entities: Invalid date-time format specified")
  if (!/^\d{1,10}$/u.test(tag.argument) || Number(tag.argument) > 0x7fffffff)
    throw badRequest("can't parse entities: Invalid Unix time specified")
  return { unixTime: Number(tag.argument), dateTimeFormat: format }
}
