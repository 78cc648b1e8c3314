import type { LinkPreviewOptions, Message } from 'grammy/types'
import {
  type Api,
  checkRights,
  countMessage,
  type Method,
  presentPlace,
  writablePlace,
} from '../api.ts'
import { readCaption, readPreviewOptions, readText } from '../content.ts'
import { fileOf, photoSizes } from '../files.ts'
import { readMarkup } from '../markup.ts'
import { asFlag, asText, isFields, type Params } from '../params.ts'
import { badRequest } from '../refusal.ts'
import type { Place, Stored } from '../world.ts'

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
