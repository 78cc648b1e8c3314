import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { type Api, checkRights, countMessage, type Method, writablePlace } from '../api.ts'
import { readCaption, readPreviewOptions, readText } from '../content.ts'
import { fileOf, photoSizes } from '../files.ts'
import { type Markup, readMarkup } from '../markup.ts'
import { asFlag, asInteger, asText, isFields, type Params } from '../params.ts'
import { badRequest } from '../refusal.ts'
import type { Place } from '../world.ts'

interface Outgoing {
  place: Place
  markup: Markup
  replyTo: Message | undefined
  thread: number | undefined
}

export const sendMessage: Method = (api, params) => {
  const outgoing = prepare(api, params)
  const { text, entities } = readText(api.world, {
    text: params.text('text'),
    parseMode: params.text('parse_mode'),
    entities: params.object('entities'),
  })
  const preview =
    readPreviewOptions(params.object('link_preview_options')) ??
    (params.flag('disable_web_page_preview') ? { is_disabled: true } : undefined)
  return deliver(api, params, outgoing, {
    text,
    ...(entities.length === 0 ? {} : { entities }),
    ...(preview ? { link_preview_options: preview } : {}),
  })
}

export const sendPhoto: Method = async (api, params) => {
  const outgoing = prepare(api, params)
  const file = await fileOf(api.files, params, 'photo')
  return deliver(api, params, outgoing, {
    photo: photoSizes(file),
    ...captionOf(api, params),
    ...(params.flag('show_caption_above_media') ? { show_caption_above_media: true as const } : {}),
    ...(params.flag('has_spoiler') ? { has_media_spoiler: true as const } : {}),
  })
}

export const sendDocument: Method = async (api, params) => {
  const outgoing = prepare(api, params)
  const file = await fileOf(api.files, params, 'document')
  return deliver(api, params, outgoing, {
    document: {
      file_id: file.id,
      file_unique_id: file.uniqueId,
      file_name: file.name,
      mime_type: file.type,
      file_size: file.bytes.length,
    },
    ...captionOf(api, params),
  })
}

function captionOf(api: Api, params: Params): Pick<Message, 'caption' | 'caption_entities'> {
  const { text, entities } = readCaption(api.world, {
    text: params.text('caption'),
    parseMode: params.text('parse_mode'),
    entities: params.object('caption_entities'),
  })
  if (text === '') return {}
  return { caption: text, ...(entities.length === 0 ? {} : { caption_entities: entities }) }
}

function prepare(api: Api, params: Params): Outgoing {
  const place = writablePlace(api, params)
  const replyTo = replyOf(api, place, params)
  return {
    place,
    replyTo,
    thread: threadOf(place, params) ?? replyTo?.message_thread_id,
    markup: readMarkup(params.object('reply_markup'), {
      isPrivate: place.chat.type === 'private',
      inlineOnly: place.chat.type === 'channel',
    }),
  }
}

function threadOf(place: Place, params: Params): number | undefined {
  const thread = params.integer('message_thread_id')
  if (thread === undefined || thread === 0) return undefined
  if (!place.topics.has(thread)) throw badRequest('message thread not found')
  return thread
}

function replyOf(api: Api, place: Place, params: Params): Message | undefined {
  const parameters = params.object('reply_parameters')
  if (parameters === undefined) {
    const id = params.integer('reply_to_message_id') ?? 0
    return id === 0 ? undefined : replied(place, id, params.flag('allow_sending_without_reply'))
  }
  const id = isFields(parameters) ? asInteger(parameters.message_id) : undefined
  if (!isFields(parameters) || id === undefined)
    throw badRequest('can\'t parse ReplyParameters: Can\'t find field "message_id"')
  const chat = asText(parameters.chat_id)
  const from = chat === '' ? place : api.world.find(chat)
  if (!from) throw badRequest('chat not found')
  const message = replied(from, id, asFlag(parameters.allow_sending_without_reply))
  const text = message?.text ?? message?.caption ?? ''
  if (message && !text.includes(asText(parameters.quote))) throw badRequest('QUOTE_TEXT_INVALID')
  return message
}

function replied(place: Place, id: number, optional: boolean): Message | undefined {
  const message = place.messages.get(id)?.message
  if (!message && !optional) throw badRequest('message to be replied not found')
  return message
}

function deliver(api: Api, params: Params, outgoing: Outgoing, body: Partial<Message>): Message {
  const { place, markup, thread } = outgoing
  checkRights(api, place, thread, body.photo !== undefined)
  countMessage(api, place)
  const message: Message = {
    message_id: api.world.nextId(place),
    ...(place.chat.type === 'channel' ? { sender_chat: place.chat } : { from: api.world.bot }),
    chat: place.chat,
    date: api.world.date,
    ...(thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true }),
    ...replyPart(outgoing.replyTo),
    ...body,
    ...(params.flag('protect_content') ? { has_protected_content: true as const } : {}),
    ...keyboardPart(markup.inline),
  }
  api.world.store(place, {
    message,
    byBot: true,
    ...(markup.reply ? { keyboard: markup.reply } : {}),
    ...(params.flag('disable_notification') ? { silent: true } : {}),
  })
  return message
}

type RepliedMessage = NonNullable<Message['reply_to_message']>

const isRepliedMessage = (message: Message): message is RepliedMessage => !message.reply_to_message

/** A replied message is shown without the reply that it may be itself. */
export function replyPart(replied: Message | undefined): Pick<Message, 'reply_to_message'> {
  if (!replied) return {}
  const { reply_to_message: _, ...bare } = replied
  return isRepliedMessage(bare) ? { reply_to_message: bare } : {}
}

const keyboardPart = (keyboard: InlineKeyboardMarkup | undefined): Pick<Message, 'reply_markup'> =>
  keyboard ? { reply_markup: keyboard } : {}
