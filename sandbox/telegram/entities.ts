import type { MessageEntity, User } from 'grammy/types'
import { findLinks } from './links.ts'
import { badRequest } from './params.ts'

/** An entity while it is worked on: `kind` and the range are common, the rest depends on the kind. */
export interface Entity {
  type: MessageEntity['type']
  /** UTF-16 units from the start of the text. */
  offset: number
  /** UTF-16 units. */
  length: number
  url?: string
  userId?: number
  language?: string
  customEmojiId?: string
  unixTime?: number
  dateTimeFormat?: DateTimeFormat
}

export type DateTimeFormat = MessageEntity.DateTimeMessageEntity['date_time_format']

/** Whether Telegram knows the format: `r`, or weekday, date and time in this order, each optional. */
export const isDateTimeFormat = (format: string): format is DateTimeFormat =>
  /^(?:r|w?[dD]?[tT]?)$/u.test(format)

export interface FormattedText {
  text: string
  entities: Entity[]
}

const splittable: ReadonlySet<string> = new Set([
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
])
const quotes: ReadonlySet<string> = new Set(['blockquote', 'expandable_blockquote'])
const preformatted: ReadonlySet<string> = new Set(['code', 'pre'])
const hidden: ReadonlySet<string> = new Set(['text_link', 'text_mention', 'code', 'pre'])

/** Styles that may overlap anything but code; Telegram splits them at the borders of others. */
const isStyle = (entity: Entity): boolean => splittable.has(entity.type)
const isQuote = (entity: Entity): boolean => quotes.has(entity.type)
const isCode = (entity: Entity): boolean => preformatted.has(entity.type)
/** Kinds that carry something beyond the visible text and so survive on blank text. */
const isHidden = (entity: Entity): boolean => hidden.has(entity.type)

const rank: Readonly<Record<string, number>> = {
  blockquote: 0,
  expandable_blockquote: 0,
  pre: 10,
  code: 20,
  text_link: 49,
  text_mention: 49,
  bold: 90,
  italic: 91,
  underline: 92,
  strikethrough: 93,
  spoiler: 94,
  custom_emoji: 99,
}

/** By start, the longer first, then by kind: the order in which the Bot API lists entities. */
export function inOrder(a: Entity, b: Entity): number {
  return a.offset - b.offset || b.length - a.length || (rank[a.type] ?? 50) - (rank[b.type] ?? 50)
}

const end = (entity: Entity): number => entity.offset + entity.length

/** Entities in the Bot API's form; a mention of someone whom the bot never met is dropped. */
export function toWire(
  entities: readonly Entity[],
  users: ReadonlyMap<number, User>,
): MessageEntity[] {
  return entities.flatMap((entity) => wireEntity(entity, users) ?? [])
}

function wireEntity(entity: Entity, users: ReadonlyMap<number, User>): MessageEntity | undefined {
  const { type, offset, length } = entity
  switch (type) {
    case 'text_link':
      return { type, offset, length, url: entity.url ?? '' }
    case 'text_mention': {
      const user = users.get(entity.userId ?? 0)
      return user && { type, offset, length, user }
    }
    case 'pre':
      return entity.language
        ? { type, offset, length, language: entity.language }
        : { type, offset, length }
    case 'custom_emoji':
      return { type, offset, length, custom_emoji_id: entity.customEmojiId ?? '' }
    case 'date_time':
      return {
        type,
        offset,
        length,
        unix_time: entity.unixTime ?? 0,
        date_time_format: entity.dateTimeFormat ?? '',
      }
    default:
      return { type, offset, length }
  }
}

/** Telegram drops these (line separators, direction overrides, three combining marks) and the carriage return. */
const dropped = /[\r\u2028-\u202e]|\u030a|\u0333|\u033f/gu
/** Control characters show as blanks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram replaces control characters, so this matches them
const blanked = /[\u0000-\u0009\u000b\u000c\u000e-\u001f]/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: Telegram replaces or drops control characters
const unclean = /[\u0000-\u0009\u000b-\u001f\u2028-\u202e]|\u030a|\u0333|\u033f/u

/**
 * Brings text and entities into the form in which Telegram stores and shows them: characters cleaned, blanks
 * trimmed at both ends, entities nested by its rules, and links, mentions, tags and commands detected.
 */
export function formatText(raw: FormattedText): FormattedText {
  if (!raw.text.isWellFormed()) throw badRequest('strings must be encoded in UTF-8')
  const cleaned = clean(raw)
  const { text, entities } = trim({
    text: cleaned.text,
    entities: untangle(withoutBlanks(cleaned)),
  })
  const others = entities.filter((entity) => !isStyle(entity))
  const found = detectEntities(text).filter(
    (entity) => !others.some((other) => clash(other, entity)),
  )
  const fixed = [...others, ...found].sort(inOrder)
  const styles = entities.filter(isStyle)
  if (styles.length === 0) return { text, entities: fixed }
  const pieces = withoutBlanks({ text, entities: splitStyles(styles, fixed) })
  return { text, entities: [...fixed, ...pieces].sort(inOrder) }
}

function clean({ text, entities }: FormattedText): FormattedText {
  if (!unclean.test(text)) return { text, entities: entities.map((entity) => ({ ...entity })) }
  const gone = [...text.matchAll(dropped)].map((match) => match.index)
  const before = (offset: number): number => {
    const count = gone.findIndex((at) => at >= offset)
    return offset - (count < 0 ? gone.length : count)
  }
  return {
    text: text.replace(dropped, '').replace(blanked, ' '),
    entities: entities.map((entity) => {
      const offset = before(entity.offset)
      return { ...entity, offset, length: before(end(entity)) - offset }
    }),
  }
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\n'

/** Entities never start on a blank, and one that only covers blanks is none. */
function withoutBlanks({ text, entities }: FormattedText): Entity[] {
  return entities.flatMap((entity) => {
    if (entity.length <= 0) return []
    if (isHidden(entity)) return [entity]
    let offset = entity.offset
    while (offset < end(entity) && isBlank(text, offset)) offset++
    return offset === end(entity) ? [] : [{ ...entity, offset, length: end(entity) - offset }]
  })
}

const overlaps = (a: Entity, b: Entity): boolean => a.offset < end(b) && b.offset < end(a)
const holds = (outer: Entity, inner: Entity): boolean =>
  outer.offset <= inner.offset && end(inner) <= end(outer)

/** A quote may hold an entity but not cut it; no other two may share a unit. */
const clash = (other: Entity, entity: Entity): boolean =>
  overlaps(other, entity) && !(isQuote(other) && holds(other, entity))

/** Keeps, of what may not overlap, the earlier (of equal starts the longer). */
function untangle(entities: Entity[]): Entity[] {
  const sorted = [...entities].sort(inOrder)
  const quotes = firstOnly(sorted.filter(isQuote))
  const rest = firstOnly(sorted.filter((entity) => !isQuote(entity) && !isStyle(entity)))
  const uncut = rest.filter((entity) => !quotes.some((quote) => clash(quote, entity)))
  return [...quotes, ...uncut, ...sorted.filter(isStyle)].sort(inOrder)
}

function firstOnly(sorted: Entity[]): Entity[] {
  let covered = 0
  return sorted.filter((entity) => {
    if (entity.offset < covered) return false
    covered = end(entity)
    return true
  })
}

function trim({ text, entities }: FormattedText): FormattedText {
  let last = text.length
  while (last > 0 && isBlank(text, last - 1)) last--
  let first = 0
  const limit = Math.min(last, ...entities.map((entity) => entity.offset))
  while (first < limit && isBlank(text, first)) first++
  if (first === 0 && last === text.length) return { text, entities }
  return {
    text: text.slice(first, last),
    entities: entities.flatMap((entity) => {
      const length = Math.min(end(entity), last) - entity.offset
      return length > 0 ? [{ ...entity, offset: entity.offset - first, length }] : []
    }),
  }
}

/** Styles merge with their like, are cut at every border of another entity, and leave code alone. */
function splitStyles(styles: Entity[], others: Entity[]): Entity[] {
  const kinds = new Set(styles.map((style) => style.type))
  const whole = [...kinds].flatMap((type) => merged(styles.filter((style) => style.type === type)))
  const cuts = new Set(whole.map((style) => style.offset))
  for (const other of others) cuts.add(other.offset).add(end(other))
  const borders = [...cuts].sort((a, b) => a - b)
  const code = others.filter(isCode)
  return whole
    .flatMap((style) => cutAt(style, borders))
    .filter((piece) => !code.some((block) => overlaps(block, piece)))
}

function merged(sorted: Entity[]): Entity[] {
  const result: Entity[] = []
  for (const entity of sorted) {
    const previous = result.at(-1)
    if (previous && entity.offset <= end(previous))
      previous.length = Math.max(end(previous), end(entity)) - previous.offset
    else result.push({ ...entity })
  }
  return result
}

function cutAt(entity: Entity, borders: number[]): Entity[] {
  const inside = borders.filter((at) => at > entity.offset && at < end(entity))
  if (inside.length === 0) return [entity]
  const points = [entity.offset, ...inside, end(entity)]
  return points.slice(1).map((to, index) => ({
    ...entity,
    offset: points[index] ?? 0,
    length: to - (points[index] ?? 0),
  }))
}

// The character classes and lengths are those of tdlib's MessageEntity.cpp.
const word = String.raw`\p{L}\p{N}_`
const tag = String.raw`\p{L}\p{Nd}_\u200c\u00b7\u0d80-\u0dff`

const mention = new RegExp(`(?<![${word}])@([A-Za-z0-9_]{2,32})(?![${word}])`, 'gu')
const command = new RegExp(
  `(?<![${word}/<>])/[A-Za-z0-9_]{1,64}(@[A-Za-z0-9_]*)?(?![${word}/<>])`,
  'gu',
)
const hashtag = new RegExp(`(?<![${tag}])#([${tag}]+)(#?)`, 'gu')
const cashtag = new RegExp(String.raw`(?<![$${tag}])\$(?:1INCH|[A-Z]{1,8})(?![$${tag}])`, 'gu')
const telegramLink =
  /(?<scheme>tg|ton):\/\/[A-Za-z0-9_-]{1,253}(?:[/?#][^\n\p{Z}\u2000-\u200b\u200e\u200f\u2016-\u206f<>«»"]*)?/giu

const shortNames: ReadonlySet<string> = new Set(['gif', 'vid', 'pic'])

/**
 * Finds what Telegram turns into something to tap, in any text and whether the sender wants it or not:
 * links, e-mail addresses, mentions, hashtags, cashtags and bot commands; the first of two that overlap.
 */
export function detectEntities(text: string): Entity[] {
  const found: Entity[] = []
  if (text.includes('@')) addMentions(text, found)
  if (text.includes('/')) addCommands(text, found)
  if (text.includes('#')) addHashtags(text, found)
  if (text.includes('$'))
    for (const match of text.matchAll(cashtag)) add(found, 'cashtag', match.index, match[0].length)
  if (text.includes('://')) addTelegramLinks(text, found)
  for (const link of findLinks(text)) add(found, link.type, link.offset, link.length)
  return firstOnly(found.sort(inOrder))
}

function add(found: Entity[], type: Entity['type'], offset: number, length: number): void {
  found.push({ type, offset, length })
}

function addMentions(text: string, found: Entity[]): void {
  for (const match of text.matchAll(mention)) {
    const name = match[1] ?? ''
    if (name.length >= 4 || shortNames.has(name.toLowerCase()))
      add(found, 'mention', match.index, match[0].length)
  }
}

function addCommands(text: string, found: Entity[]): void {
  for (const match of text.matchAll(command)) {
    const bot = match[1]
    if (bot === undefined || (bot.length >= 4 && bot.length <= 33))
      add(found, 'bot_command', match.index, match[0].length)
  }
}

function addHashtags(text: string, found: Entity[]): void {
  for (const match of text.matchAll(hashtag)) {
    const name = (match[1] ?? '').slice(0, 256)
    if (match[2] === '' && /\p{L}/u.test(name)) add(found, 'hashtag', match.index, name.length + 1)
  }
}

function addTelegramLinks(text: string, found: Entity[]): void {
  for (const match of text.matchAll(telegramLink)) {
    const link = match[0].replace(/[.:;,('?!`]+$/u, '')
    add(found, 'url', match.index, link.length)
  }
}
