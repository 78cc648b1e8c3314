import { badRequest } from '../refusal.ts'

export interface StartTag {
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
export function parseError(html: string, at: number, why: string): Error {
  const bytes = Buffer.byteLength(html.slice(0, at))
  return badRequest(`can't parse entities: ${why.replace('%offset', `byte offset ${bytes}`)}`)
}

/** Decodes the character reference at `at`; where it is none that Telegram knows, the `&` stands for itself. */
export function decodeReference(html: string, at: number): { text: string; next: number } {
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
export function readTag(html: string, start: number): StartTag {
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
