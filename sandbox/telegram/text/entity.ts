import type { MessageEntity } from 'grammy/types'

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
