import type { InlineKeyboardMarkup, LinkPreviewOptions, Message } from 'grammy/types'
import {
  type Api,
  checkRights,
  countMessage,
  type Method,
  presentPlace,
  writablePlace,
} from '../api.ts'
import { fileOf, photoSizes, readCaption, readPreviewOptions, readText } from '../content.ts'
import { type Markup, readMarkup } from '../markup.ts'
import { asFlag, asInteger, asText, badRequest, isFields, type Params } from '../params.ts'
import type { Place, Stored } from '../world.ts'

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

/** Seconds after which a bot can't take back what it wrote. */
const deletable = 48 * 3_600

interface Target {
  place: Place
  stored: Stored
  isInline: boolean
}

export const editMessageText: Method = (api, params) => {
  const target = targetOf(api, params)
  const { text, entities } = readText(api.world, {
    text: params.text('text'),
    parseMode: params.text('parse_mode'),
    entities: params.object('entities'),
  })
  if (target.stored.message.text === undefined)
    throw badRequest('there is no text in the message to edit')
  const preview = readPreviewOptions(params.object('link_preview_options'))
  return change(api, params, target, (message) => {
    const { entities: _entities, link_preview_options: _preview, ...rest } = message
    return { ...rest, text, ...entitiesPart(entities), ...previewPart(preview) }
  })
}

export const editMessageCaption: Method = (api, params) => {
  const target = targetOf(api, params)
  const { text, entities } = readCaption(api.world, {
    text: params.text('caption'),
    parseMode: params.text('parse_mode'),
    entities: params.object('caption_entities'),
  })
  if (!target.stored.message.photo && !target.stored.message.document)
    throw badRequest('there is no caption in the message to edit')
  return change(api, params, target, (message) => {
    const { caption: _caption, caption_entities: _entities, ...rest } = message
    if (text === '') return rest
    return {
      ...rest,
      caption: text,
      ...(entities.length > 0 ? { caption_entities: entities } : {}),
    }
  })
}

/** Changes the picture and the caption, or gives a text message a picture; the sandbox knows photos only. */
export const editMessageMedia: Method = async (api, params) => {
  const target = targetOf(api, params)
  const media = params.object('media')
  if (!isFields(media)) throw badRequest("can't parse InputMedia: expected an Object")
  const type = asText(media.type)
  if (type !== 'photo') {
    throw badRequest(`can't parse InputMedia: the sandbox knows photos only, not "${type}"`)
  }
  const named = asText(media.media)
  if (target.isInline && named.startsWith('attach://'))
    throw badRequest('inline message can be edited only with a file_id or a URL')
  const file = await fileOf(api.files, params, 'photo', named)
  const { text, entities } = readCaption(api.world, {
    text: asText(media.caption),
    parseMode: asText(media.parse_mode),
    entities: media.caption_entities,
  })
  if (!target.isInline) checkRights(api, target.place, undefined, true)
  return change(api, params, target, (message) => {
    const {
      text: _text,
      entities: _entities,
      link_preview_options: _preview,
      caption: _caption,
      caption_entities: _captionEntities,
      show_caption_above_media: _above,
      document: _document,
      ...rest
    } = message
    return {
      ...rest,
      photo: photoSizes(file),
      ...(text === '' ? {} : { caption: text }),
      ...(entities.length > 0 ? { caption_entities: entities } : {}),
      ...(asFlag(media.show_caption_above_media)
        ? { show_caption_above_media: true as const }
        : {}),
    }
  })
}

export const editMessageReplyMarkup: Method = (api, params) =>
  change(api, params, targetOf(api, params), (message) => message)

export const deleteMessage: Method = (api, params) => {
  const place = presentPlace(api, params)
  const id = params.integer('message_id')
  if (id === undefined) throw badRequest('message identifier is not specified')
  const stored = place.messages.get(id)
  if (!stored) throw badRequest('message to delete not found')
  const isAdministrator = api.world.botRole(place) === 'administrator'
  const isOwn = stored.byBot || place.chat.type === 'private'
  const isFresh = api.world.date - stored.message.date < deletable
  if (!isAdministrator && !(isOwn && isFresh)) throw badRequest("message can't be deleted")
  api.world.remove(place, id)
  return true
}

const entitiesPart = (entities: NonNullable<Message['entities']>): Pick<Message, 'entities'> =>
  entities.length > 0 ? { entities } : {}

const previewPart = (
  preview: LinkPreviewOptions | undefined,
): Pick<Message, 'link_preview_options'> => (preview ? { link_preview_options: preview } : {})

function targetOf(api: Api, params: Params): Target {
  const inlineId = params.text('inline_message_id')
  if (inlineId !== '') {
    const found = api.world.inline.get(inlineId)
    if (!found) throw badRequest('MESSAGE_ID_INVALID')
    return { ...found, isInline: true }
  }
  const place = writablePlace(api, params)
  const id = params.integer('message_id')
  if (id === undefined) throw badRequest('message identifier is not specified')
  const stored = place.messages.get(id)
  if (!stored) throw badRequest('message to edit not found')
  if (!stored.byBot || stored.keyboard) throw badRequest("message can't be edited")
  return { place, stored, isInline: false }
}

/** Every edit sets the inline keyboard too: left out, it goes. */
function change(
  api: Api,
  params: Params,
  { place, stored, isInline }: Target,
  edit: (message: Message) => Message,
): Message | true {
  const markup = readMarkup(params.object('reply_markup'), {
    isPrivate: place.chat.type === 'private' && !isInline,
    inlineOnly: true,
  })
  const { reply_markup: _old, edit_date: _date, ...bare } = edit(stored.message)
  const message: Message = {
    ...bare,
    edit_date: api.world.date,
    ...(markup.inline ? { reply_markup: markup.inline } : {}),
  }
  if (shown(message) === shown(stored.message))
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    )
  countMessage(api, place)
  api.world.edit(place, stored, message)
  return isInline ? true : message
}

/** What an edit can change, for the comparison of old and new. */
const shown = (message: Message): string =>
  JSON.stringify([
    message.text,
    message.entities,
    message.link_preview_options,
    message.photo?.map(({ file_unique_id }) => file_unique_id),
    message.caption,
    message.caption_entities,
    message.reply_markup,
  ])
