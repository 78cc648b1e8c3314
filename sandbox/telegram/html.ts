import {
  type DateTimeFormat,
  type Entity,
  type FormattedText,
  inOrder,
  isDateTimeFormat,
} from './entities.ts'
import { checkLink, linkedUser } from './links.ts'
import { badRequest } from './params.ts'

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

interface StartTag {
  name: string
  /** The one attribute that means something for this tag: address, language, id, unix time, "1" for expandable. */
  argument: string
  /** Only `tg-time`: how to show the time. */
  format?: string
  /** Index after the closing `>`. */
  next: number
}

const supported: ReadonlySet<string> = new Set(
  'a b strong i em s strike del u ins tg-spoiler tg-emoji tg-time span pre code blockquote'.split(
    ' ',
  ),
)

const named = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
])

/** The 400 whose position is, as in Telegram, a byte offset into the UTF-8 text. */
function parseError(html: string, at: number, why: string): Error {
  const bytes = Buffer.byteLength(html.slice(0, at))
  return badRequest(`can't parse entities: ${why.replace('%offset', `byte offset ${bytes}`)}`)
}

/** Decodes the character reference at `at`; where it is none that Telegram knows, the `&` stands for itself. */
function decodeReference(html: string, at: number): { text: string; next: number } {
  const match = /^&(?:#x([0-9a-f]*)|#(\d*)|([a-z]*))/iu.exec(html.slice(at, at + 32))
  const [whole = '&', hex, decimal, name] = match ?? []
  const text = name === undefined ? numeric(whole, hex, decimal) : named.get(name)
  if (text === undefined) return { text: '&', next: at + 1 }
  const after = at + whole.length
  return { text, next: html[after] === ';' ? after + 1 : after }
}

function numeric(whole: string, hex: string | undefined, decimal: string | undefined) {
  const code = hex === undefined ? Number(decimal || 0) : Number.parseInt(hex || '0', 16)
  return code === 0 || code >= 0x10ffff || whole.length >= 10
    ? undefined
    : String.fromCodePoint(code)
}

/** Reads the start tag at `start`; throws Telegram's 400 for one that it does not know or cannot read. */
function readTag(html: string, start: number): StartTag {
  const match = /^[^\s>]*/u.exec(html.slice(start + 1))
  const name = (match?.[0] ?? '').toLowerCase()
  let at = start + 1 + name.length
  if (at >= html.length) throw parseError(html, start, 'Unclosed start tag at %offset')
  if (!supported.has(name))
    throw parseError(html, start, `Unsupported start tag "${name}" at %offset`)
  const tag: StartTag = { name, argument: '', next: 0 }
  at = skipSpace(html, at)
  while (html[at] !== '>') {
    const attribute = readAttribute(html, at, start, name)
    apply(tag, attribute.name, attribute.value)
    at = skipSpace(html, attribute.next)
  }
  if (name === 'span' && tag.argument !== 'spoiler')
    throw parseError(html, start, 'Tag "span" must have class "tg-spoiler" at %offset')
  return { ...tag, next: at + 1 }
}

function apply(tag: StartTag, attribute: string, value: string | undefined): void {
  const key = `${tag.name}.${attribute}`
  if (value === undefined) tag.argument = '1'
  else if (key === 'a.href' || key === 'tg-emoji.emoji-id' || key === 'tg-time.unix')
    tag.argument = value
  else if (key === 'code.class' && value.startsWith('language-')) tag.argument = value.slice(9)
  else if (key === 'span.class' && value.startsWith('tg-')) tag.argument = value.slice(3)
  else if (key === 'tg-time.format') tag.format = value
  else if (key === 'blockquote.expandable') tag.argument = '1'
}

interface Attribute {
  name: string
  /** Absent for a bare attribute (`expandable`). */
  value?: string
  next: number
}

function readAttribute(html: string, from: number, tagStart: number, tag: string): Attribute {
  const name = /^[^\s=>]*/u.exec(html.slice(from))?.[0] ?? ''
  if (name === '')
    throw parseError(html, tagStart, `Empty attribute name in the tag "${tag}" at %offset`)
  let at = skipSpace(html, from + name.length)
  if (html[at] !== '=') {
    if (at < html.length && tag === 'blockquote' && name === 'expandable') return { name, next: at }
    throw parseError(
      html,
      tagStart,
      `Expected equal sign in declaration of an attribute of the tag "${tag}" at %offset`,
    )
  }
  at = skipSpace(html, at + 1)
  if (at >= html.length) throw parseError(html, tagStart, `Unclosed start tag "${tag}" at %offset`)
  const value = isQuoteMark(html[at]) ? quoted(html, at) : token(html, at)
  if (value.next >= html.length) throw parseError(html, tagStart, 'Unclosed start tag at %offset')
  return { name, ...value }
}

const isQuoteMark = (char: string | undefined): boolean => char === '"' || char === "'"

function quoted(html: string, start: number): { value: string; next: number } {
  const mark = html[start]
  let value = ''
  let at = start + 1
  while (at < html.length && html[at] !== mark) {
    const reference =
      html[at] === '&' ? decodeReference(html, at) : { text: html[at] ?? '', next: at + 1 }
    value += reference.text
    at = reference.next
  }
  return { value, next: at + 1 }
}

function token(html: string, start: number): { value: string; next: number } {
  const value = /^[a-z0-9.-]*/iu.exec(html.slice(start))?.[0] ?? ''
  const next = start + value.length
  if (next < html.length && !/[\s>]/u.test(html[next] ?? ''))
    throw parseError(html, start, 'Unexpected end of name token at %offset')
  return { value: value.toLowerCase(), next }
}

function skipSpace(html: string, from: number): number {
  let at = from
  while (at < html.length && /\s/u.test(html[at] ?? '')) at++
  return at
}
