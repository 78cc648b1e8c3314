import type { MessageEntity, User } from 'grammy/types'
import { asInteger, asText, badRequest, type Fields, isFields } from '../params.ts'
import { checkLink } from './urls.ts'

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
export const isStyle = (entity: Entity): boolean => splittable.has(entity.type)
export const isQuote = (entity: Entity): boolean => quotes.has(entity.type)
export const isCode = (entity: Entity): boolean => preformatted.has(entity.type)
/** Kinds that carry something beyond the visible text and so survive on blank text. */
export const isHidden = (entity: Entity): boolean => hidden.has(entity.type)

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

export const end = (entity: Entity): number => entity.offset + entity.length

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

const plain = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
] as const

/** What a bot may not set; Telegram finds these by itself and ignores them here. */
const detected: ReadonlySet<string> = new Set([
  'mention',
  'hashtag',
  'cashtag',
  'bot_command',
  'url',
  'email',
  'phone_number',
])

/** One entry of an `entities` parameter; throws the 400 for an unknown type or a bad link. */
export function fromWire(fields: Fields, offset: number, length: number): Entity {
  const type = asText(fields.type)
  const simple = plain.find((name) => name === type)
  if (simple) return { type: simple, offset, length }
  if (detected.has(type)) return { type: 'url', offset, length: 0 }
  switch (type) {
    case 'pre':
      return { type, offset, length, language: asText(fields.language) }
    case 'text_link': {
      const link = checkLink(asText(fields.url))
      if (!link.ok) throw badRequest(`entity URL '${asText(fields.url)}' is invalid: ${link.why}`)
      return { type, offset, length, url: link.url }
    }
    case 'text_mention':
      return {
        type,
        offset,
        length,
        userId: isFields(fields.user) ? (asInteger(fields.user.id) ?? 0) : 0,
      }
    case 'custom_emoji':
      return { type, offset, length, customEmojiId: asText(fields.custom_emoji_id) }
    case 'date_time': {
      const format = asText(fields.date_time_format)
      if (!isDateTimeFormat(format))
        throw badRequest("can't parse MessageEntity: Invalid date-time format")
      return {
        type,
        offset,
        length,
        unixTime: asInteger(fields.unix_time) ?? 0,
        dateTimeFormat: format,
      }
    }
    default:
      throw badRequest("can't parse MessageEntity: Unsupported type specified")
  }
}
