import { isDeepStrictEqual } from 'node:util'
import type { ChatFullInfo, ChatMember, Message, UserFromGetMe, WebhookInfo } from 'grammy/types'
import type { Api, Method } from './api.ts'
import { readInlineAnswer } from './callbacks.ts'
import {
  captionPart,
  documentPart,
  fileOf,
  photoSizes,
  readCaption,
  readPreview,
  readText,
  textPart,
} from './content.ts'
import { botLink } from './links.ts'
import { type Markup, readMarkup } from './markup.ts'
import {
  asFlag,
  asInteger,
  asText,
  badRequest,
  forbidden,
  isFields,
  Params,
  Refusal,
} from './params.ts'
import { profileMethods } from './profile-methods.ts'
import { checkWebhook } from './updates.ts'
import { memberOf, type Place, replyPart, type Stored } from './world.ts'

/** The methods that the sandbox knows: those that the bot calls, and a few that its tests do. */
const all = {
  getMe,
  ...profileMethods,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendPhoto,
  sendDocument,
  editMessageText,
  editMessageCaption,
  editMessageMedia,
  editMessageReplyMarkup,
  deleteMessage,
  answerCallbackQuery,
  answerInlineQuery,
  getChat,
  getChatMember,
  sendChatAction,
  getFile: (api: Api, params: Params) => api.files.describe(params.text('file_id')),
}

/** The methods by name in lower case: the Bot API ignores case. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries(all).map(([name, method]) => [name.toLowerCase(), method]),
)

function getMe(api: Api): UserFromGetMe {
  return {
    ...api.world.bot,
    is_bot: true,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: api.world.hasInline,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  }
}

const maxPoll = 50

function getUpdates(api: Api, params: Params, onHangUp: (callback: () => void) => void) {
  if (api.webhook.settings)
    throw new Refusal(
      409,
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    )
  allowUpdates(api, params)
  return api.queue.poll({
    offset: params.integer('offset') ?? 0,
    limit: clamp(params.integer('limit') ?? 100, 1, 100),
    timeout: clamp(params.integer('timeout') ?? 0, 0, maxPoll),
    onHangUp,
  })
}

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

function allowUpdates(api: Api, params: Params): void {
  const kinds = params.object('allowed_updates')
  if (kinds === undefined) return
  if (!Array.isArray(kinds) || !kinds.every((kind) => typeof kind === 'string'))
    throw badRequest("can't parse allowed_updates JSON object")
  api.queue.allow(kinds)
}

async function setWebhook(api: Api, params: Params): Promise<true> {
  const url = params.text('url').trim()
  if (url === '') return deleteWebhook(api, params)
  api.limits?.takeWebhook()
  const settings = {
    url,
    secret: params.text('secret_token'),
    maxConnections: clamp(params.integer('max_connections') ?? 40, 1, 100),
  }
  checkWebhook(settings)
  allowUpdates(api, params)
  const isDropping = params.flag('drop_pending_updates')
  // "Webhook is already set": what is being delivered goes on.
  if (!isDropping && isDeepStrictEqual(settings, api.webhook.settings)) return true
  if (isDropping) api.queue.drop()
  api.queue.terminate('setWebhook request')
  await api.webhook.set(settings)
  return true
}

async function deleteWebhook(api: Api, params: Params): Promise<true> {
  await api.webhook.set(undefined)
  if (params.flag('drop_pending_updates')) api.queue.drop()
  return true
}

function getWebhookInfo({ webhook, queue }: Api): WebhookInfo {
  const { settings, lastError } = webhook
  return {
    url: settings?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: queue.length,
    ...(settings ? { max_connections: settings.maxConnections } : {}),
    ...(lastError
      ? { last_error_date: lastError.date, last_error_message: lastError.message }
      : {}),
    ...(queue.allowed ? { allowed_updates: queue.allowed } : {}),
  }
}

function answerCallbackQuery(api: Api, params: Params): true {
  const text = params.text('text')
  const url = params.text('url')
  if ([...text].length > 200) throw badRequest('MESSAGE_TOO_LONG')
  // Besides games, which the sandbox doesn't know, an answer may open the bot's own deep links only.
  if (url !== '' && botLink(url, api.world.bot.username)?.opens !== 'private')
    throw badRequest('URL_INVALID')
  const alert = params.flag('show_alert')
  api.callbacks.answer(params.text('callback_query_id'), { text, url, alert })
  return true
}

function answerInlineQuery(api: Api, params: Params): true {
  const id = params.text('inline_query_id')
  const question = api.inlineQueries.question(id)
  const answer = readInlineAnswer(api.world, params)
  api.inlineCache.set(question, answer)
  api.inlineQueries.answer(id, answer)
  return true
}

/** The chat of a call that needs the bot in it; throws the 400 or 403 where it is not. */
function presentPlace(api: Api, params: Params): Place {
  const id = params.text('chat_id')
  if (id === '') throw badRequest('chat_id is empty')
  const place = api.world.find(id)
  if (!place) throw badRequest('chat not found')
  if (place.migratedTo !== undefined)
    throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: place.migratedTo,
    })
  if (place.gone !== undefined) throw forbidden(place.gone)
  const role = api.world.botRole(place)
  const { type } = place.chat
  if (role === 'kicked')
    throw forbidden(
      type === 'private' ? 'bot was blocked by the user' : `bot was kicked from the ${type} chat`,
    )
  if (role === 'left') throw forbidden(`bot is not a member of the ${type} chat`)
  return place
}

/** The chat of a call that writes; in private chats the person must have written first. */
function writablePlace(api: Api, params: Params): Place {
  const place = presentPlace(api, params)
  if (!place.started) throw forbidden("bot can't initiate conversation with a user")
  if (place.chat.type === 'channel' && api.world.botRole(place) !== 'administrator')
    throw badRequest('need administrator rights in the channel chat')
  if (place.refuses !== undefined) throw badRequest(place.refuses)
  return place
}

/** Throws the 400 for what a bot without an administrator's rights may not send to a group. */
function checkRights({ world }: Api, place: Place, thread: number | undefined, isPhoto: boolean) {
  const { type } = place.chat
  if (type === 'private' || type === 'channel' || world.botRole(place) === 'administrator') return
  if (thread !== undefined && place.closedTopics.has(thread)) throw badRequest('TOPIC_CLOSED')
  if (place.botMay === 'nothing')
    throw badRequest('not enough rights to send text messages to the chat')
  if (place.botMay === 'texts' && isPhoto)
    throw badRequest('not enough rights to send photos to the chat')
}

function getChat(api: Api, params: Params): ChatFullInfo {
  const { chat } = presentPlace(api, params)
  const common = {
    accent_color_id: 3,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: false,
      limited_gifts: false,
      unique_gifts: false,
      premium_subscription: false,
      gifts_from_channels: false,
    },
  }
  switch (chat.type) {
    case 'private':
      return { ...chat, ...common }
    case 'group':
      return { ...chat, ...common, permissions: { can_send_messages: true } }
    case 'supergroup':
      return { ...chat, ...common, permissions: { can_send_messages: true } }
    case 'channel':
      return { ...chat, ...common }
  }
}

function getChatMember(api: Api, params: Params): ChatMember {
  const place = presentPlace(api, params)
  const id = params.integer('user_id')
  if (id === undefined) throw badRequest('invalid user_id specified')
  const user = api.world.users.get(id)
  if (!user) throw badRequest('user not found')
  return memberOf(user, place, place.roles.get(id) ?? 'left')
}

const chatActions: ReadonlySet<string> = new Set([
  'typing',
  'upload_photo',
  'record_video',
  'upload_video',
  'record_voice',
  'upload_voice',
  'upload_document',
  'choose_sticker',
  'find_location',
  'record_video_note',
  'upload_video_note',
])

function sendChatAction(api: Api, params: Params): true {
  const place = writablePlace(api, params)
  if (!chatActions.has(params.text('action'))) throw badRequest('wrong parameter action in request')
  api.world.events.emit('typing', place)
  return true
}

interface Outgoing {
  place: Place
  markup: Markup
  replyTo: Message | undefined
  thread: number | undefined
}

function sendMessage(api: Api, params: Params): Message {
  const outgoing = prepare(api, params)
  const content = readText(api.world, params)
  const preview =
    readPreview(params.object('link_preview_options')) ??
    (params.flag('disable_web_page_preview') ? { is_disabled: true } : undefined)
  return deliver(api, params, outgoing, textPart(content, preview))
}

async function sendPhoto(api: Api, params: Params): Promise<Message> {
  const outgoing = prepare(api, params)
  const file = await fileOf(api.files, params, 'photo')
  const caption = captionPart(readCaption(api.world, params))
  return deliver(api, params, outgoing, {
    photo: photoSizes(file),
    ...caption,
    ...(params.flag('show_caption_above_media') ? { show_caption_above_media: true as const } : {}),
  })
}

async function sendDocument(api: Api, params: Params): Promise<Message> {
  const outgoing = prepare(api, params)
  const file = await fileOf(api.files, params, 'document')
  const caption = captionPart(readCaption(api.world, params))
  return deliver(api, params, outgoing, { document: documentPart(file), ...caption })
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
      lacksInline: !api.world.hasInline,
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
  if (parameters === undefined) return undefined
  const id = isFields(parameters) ? asInteger(parameters.message_id) : undefined
  if (!isFields(parameters) || id === undefined)
    throw badRequest('can\'t parse ReplyParameters: Can\'t find field "message_id"')
  const chat = asText(parameters.chat_id)
  const from = chat === '' ? place : api.world.find(chat)
  if (!from) throw badRequest('chat not found')
  const message = from.messages.get(id)?.message
  if (!message && !asFlag(parameters.allow_sending_without_reply))
    throw badRequest('message to be replied not found')
  const text = message?.text ?? message?.caption ?? ''
  if (message && !text.includes(asText(parameters.quote))) throw badRequest('QUOTE_TEXT_INVALID')
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
    ...(markup.inline ? { reply_markup: markup.inline } : {}),
  }
  api.world.store(place, {
    message,
    byBot: true,
    ...(markup.reply ? { keyboard: markup.reply } : {}),
    ...(params.flag('disable_notification') ? { silent: true } : {}),
  })
  return message
}

/** Counts a message or edit against flood control; throws the 429. */
function countMessage(api: Api, place: Place): void {
  api.limits?.take(place.chat.id, place.chat.type !== 'private')
}

/** Seconds after which a bot can't take back what it wrote. */
const deletable = 48 * 3_600

function deleteMessage(api: Api, params: Params): true {
  const place = presentPlace(api, params)
  const stored = messageOf(place, params, 'message to delete not found')
  const isOwn = stored.byBot || place.chat.type === 'private'
  const isFresh = api.world.date - stored.message.date < deletable
  if (api.world.botRole(place) !== 'administrator' && !(isOwn && isFresh))
    throw badRequest("message can't be deleted")
  api.world.remove(place, stored.message.message_id)
  return true
}

function messageOf(place: Place, params: Params, missing: string): Stored {
  const id = params.integer('message_id')
  if (id === undefined) throw badRequest('message identifier is not specified')
  const stored = place.messages.get(id)
  if (!stored) throw badRequest(missing)
  return stored
}

interface Target {
  place: Place
  stored: Stored
  isInline: boolean
}

function targetOf(api: Api, params: Params): Target {
  const inlineId = params.text('inline_message_id')
  if (inlineId !== '') {
    const found = api.world.inline.get(inlineId)
    if (!found) throw badRequest('MESSAGE_ID_INVALID')
    return { ...found, isInline: true }
  }
  const place = writablePlace(api, params)
  const stored = messageOf(place, params, 'message to edit not found')
  if (!stored.byBot || stored.keyboard) throw badRequest("message can't be edited")
  return { place, stored, isInline: false }
}

function editMessageText(api: Api, params: Params): Message | true {
  const target = targetOf(api, params)
  const content = readText(api.world, params)
  if (target.stored.message.text === undefined)
    throw badRequest('there is no text in the message to edit')
  const preview = readPreview(params.object('link_preview_options'))
  return change(api, params, target, textPart(content, preview))
}

function editMessageCaption(api: Api, params: Params): Message | true {
  const target = targetOf(api, params)
  const caption = captionPart(readCaption(api.world, params))
  const { photo, document } = target.stored.message
  if (!photo && !document) throw badRequest('there is no caption in the message to edit')
  const media = { ...(photo ? { photo } : {}), ...(document ? { document } : {}) }
  return change(api, params, target, { ...media, ...caption })
}

/** Changes the picture and the caption, or gives a text message a picture; the sandbox knows photos only. */
async function editMessageMedia(api: Api, params: Params): Promise<Message | true> {
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
  const photo = photoSizes(await fileOf(api.files, params, 'photo', named))
  const caption = captionPart(readCaption(api.world, new Params(media)))
  if (!target.isInline) checkRights(api, target.place, undefined, true)
  return change(api, params, target, {
    photo,
    ...caption,
    ...(asFlag(media.show_caption_above_media) ? { show_caption_above_media: true as const } : {}),
  })
}

function editMessageReplyMarkup(api: Api, params: Params): Message | true {
  return change(api, params, targetOf(api, params))
}

const replaced = [
  'text',
  'entities',
  'link_preview_options',
  'photo',
  'document',
  'caption',
  'caption_entities',
  'show_caption_above_media',
] as const

/** Puts these contents in place of all others, and the call's inline keyboard in place of the old one: left out, it goes. */
function change(
  api: Api,
  params: Params,
  { place, stored, isInline }: Target,
  contents?: Partial<Message>,
): Message | true {
  const { inline } = readMarkup(params.object('reply_markup'), {
    isPrivate: place.chat.type === 'private' && !isInline,
    inlineOnly: true,
    lacksInline: !api.world.hasInline,
  })
  const message: Message = { ...stored.message, edit_date: api.world.date }
  if (contents) for (const name of replaced) delete message[name]
  delete message.reply_markup
  Object.assign(message, contents, inline && { reply_markup: inline })
  if (comparable(message) === comparable(stored.message))
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    )
  countMessage(api, place)
  api.world.edit(place, stored, message)
  return isInline ? true : message
}

/** What an edit can change, for the comparison of old and new. */
const comparable = (message: Message): string =>
  JSON.stringify([
    message.text,
    message.entities,
    message.link_preview_options,
    message.photo?.map(({ file_unique_id }) => file_unique_id),
    message.caption,
    message.caption_entities,
    message.reply_markup,
  ])
