import type { MessageEntity, User } from 'grammy/types'
import { z } from 'zod'
import type { TextEntity } from './tdlib.ts'

const plain: Readonly<Record<string, MessageEntity.CommonMessageEntity['type']>> = {
  textEntityTypeMention: 'mention',
  textEntityTypeHashtag: 'hashtag',
  textEntityTypeCashtag: 'cashtag',
  textEntityTypeBotCommand: 'bot_command',
  textEntityTypeUrl: 'url',
  textEntityTypeEmailAddress: 'email',
  textEntityTypePhoneNumber: 'phone_number',
  textEntityTypeBold: 'bold',
  textEntityTypeItalic: 'italic',
  textEntityTypeUnderline: 'underline',
  textEntityTypeStrikethrough: 'strikethrough',
  textEntityTypeSpoiler: 'spoiler',
  textEntityTypeBlockQuote: 'blockquote',
  textEntityTypeExpandableBlockQuote: 'expandable_blockquote',
  textEntityTypeCode: 'code',
}

type DateTimeFormat = MessageEntity.DateTimeMessageEntity['date_time_format']

const precision = z.object({
  _: z.enum([
    'dateTimePartPrecisionNone',
    'dateTimePartPrecisionShort',
    'dateTimePartPrecisionLong',
  ]),
})
const special = z.discriminatedUnion('_', [
  z.object({ _: z.literal('textEntityTypePre') }),
  z.object({ _: z.literal('textEntityTypePreCode'), language: z.string() }),
  z.object({ _: z.literal('textEntityTypeTextUrl'), url: z.string() }),
  z.object({ _: z.literal('textEntityTypeMentionName'), user_id: z.number() }),
  z.object({ _: z.literal('textEntityTypeCustomEmoji'), custom_emoji_id: z.string() }),
  z.object({
    _: z.literal('textEntityTypeDateTime'),
    unix_time: z.number(),
    formatting_type: z
      .discriminatedUnion('_', [
        z.object({ _: z.literal('dateTimeFormattingTypeRelative') }),
        z.object({
          _: z.literal('dateTimeFormattingTypeAbsolute'),
          time_precision: precision,
          date_precision: precision,
          show_day_of_week: z.boolean(),
        }),
      ])
      .optional(),
  }),
])

/**
 * TDLib's entities in the Bot API's form (JsonEntity and JsonVectorEntities in Client.cpp of its server): bots are told of
 * no card numbers, though people can tap them. A mention of someone whom the bot never met is dropped.
 */
export function toWire(
  entities: readonly TextEntity[],
  users: ReadonlyMap<number, User>,
): MessageEntity[] {
  return entities.flatMap((entity) => wireEntity(entity, users) ?? [])
}

function wireEntity(
  { offset, length, type: found }: TextEntity,
  users: ReadonlyMap<number, User>,
): MessageEntity | undefined {
  const type = plain[found._]
  if (type !== undefined) return { type, offset, length }
  const known = special.safeParse(found).data
  switch (known?._) {
    case 'textEntityTypePre':
      return { type: 'pre', offset, length }
    case 'textEntityTypePreCode':
      return { type: 'pre', offset, length, language: known.language }
    case 'textEntityTypeTextUrl':
      return { type: 'text_link', offset, length, url: known.url }
    case 'textEntityTypeMentionName': {
      const user = users.get(known.user_id)
      return user && { type: 'text_mention', offset, length, user }
    }
    case 'textEntityTypeCustomEmoji':
      return { type: 'custom_emoji', offset, length, custom_emoji_id: known.custom_emoji_id }
    case 'textEntityTypeDateTime': {
      const { unix_time, formatting_type: format } = known
      return { type: 'date_time', offset, length, unix_time, date_time_format: formatOf(format) }
    }
    default:
      return undefined
  }
}

const dateLetters = {
  dateTimePartPrecisionNone: '',
  dateTimePartPrecisionShort: 'd',
  dateTimePartPrecisionLong: 'D',
} as const
const timeLetters = {
  dateTimePartPrecisionNone: '',
  dateTimePartPrecisionShort: 't',
  dateTimePartPrecisionLong: 'T',
} as const

function formatOf(
  format: Extract<z.infer<typeof special>, { _: 'textEntityTypeDateTime' }>['formatting_type'],
): DateTimeFormat {
  if (format === undefined) return ''
  if (format._ === 'dateTimeFormattingTypeRelative') return 'r'
  const date = dateLetters[format.date_precision._]
  return `${format.show_day_of_week ? 'w' : ''}${date}${timeLetters[format.time_precision._]}`
}
