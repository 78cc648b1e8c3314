import type { MessageEntity, User } from 'grammy/types'
import { asInteger, asText, type Fields, isFields } from '../params.ts'
import { badRequest } from '../refusal.ts'
import { type Entity, isDateTimeFormat } from './entity.ts'
import { checkLink } from './links.ts'

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
