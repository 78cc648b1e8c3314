import type { Message, MessageEntity } from 'grammy/types'
import { PeopleError } from './circumstances.ts'
import type { Change, SeenMessage, SeenPreview } from './shown.ts'
import type { Place, Stored, World } from './world.ts'

export interface WaitOptions {
  /** Only messages with a greater id, or edits after the call. */
  after?: number
  timeoutMs?: number
}

/** Resolves with the first of the bot's messages, there or to come, that fits; rejects on time-out. */
export function waitForMessage(
  { events }: World,
  place: Place,
  fits: (message: SeenMessage) => boolean,
  { after = 0, timeoutMs = 5_000 }: WaitOptions,
): Promise<SeenMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<SeenMessage>()
  const consider = (changed: Place, stored: Stored): void => {
    if (changed !== place || !(stored.byBot || stored.message.via_bot)) return
    const seen = seenMessage(stored)
    if (fits(seen)) resolve(seen)
  }
  const timer = setTimeout(() => {
    const texts = [...place.messages.values()].map((stored) => seenMessage(stored).text)
    reject(
      new PeopleError(`no such message came; the chat ends in ${JSON.stringify(texts.slice(-5))}`),
    )
  }, timeoutMs)
  events.on('stored', consider).on('edited', consider)
  for (const stored of place.messages.values())
    if (stored.message.message_id > after) consider(place, stored)
  return promise.finally(() => {
    clearTimeout(timer)
    events.off('stored', consider).off('edited', consider)
  })
}

/** Tells the listener of everything that people would see happen; returns how to stop. */
export function watch({ events }: World, listener: (change: Change) => void): () => void {
  const message = ({ chat }: Place, stored: Stored): void =>
    listener({ kind: 'message', chatId: chat.id, message: seenMessage(stored) })
  const deleted = ({ chat }: Place, messageId: number): void =>
    listener({ kind: 'deleted', chatId: chat.id, messageId })
  const typing = ({ chat }: Place): void => listener({ kind: 'typing', chatId: chat.id })
  const place = ({ chat }: Place): void => listener({ kind: 'place', chatId: chat.id })
  const profile = (): void => listener({ kind: 'profile' })
  events.on('stored', message).on('edited', message).on('deleted', deleted)
  events.on('typing', typing).on('place', place).on('profile', profile)
  return () => {
    events.off('stored', message).off('edited', message).off('deleted', deleted)
    events.off('typing', typing).off('place', place).off('profile', profile)
  }
}

export function seenMessage({ message, keyboard, silent }: Stored): SeenMessage {
  const text = message.text ?? message.caption ?? ''
  const entities = message.entities ?? message.caption_entities ?? []
  return {
    id: message.message_id,
    date: message.date,
    edited: message.edit_date !== undefined,
    sender: senderOf(message),
    viaBot: message.via_bot?.username,
    text,
    entities,
    photo: photoOf(message),
    document: documentOf(message),
    captionAbove: message.show_caption_above_media === true,
    buttons: message.reply_markup?.inline_keyboard ?? [],
    keyboard,
    preview: message.text === undefined ? undefined : previewOf(message, entities),
    replyTo: replyOf(message.reply_to_message),
    thread: message.message_thread_id,
    silent: silent === true,
    service: serviceText(message),
  }
}

function senderOf({ from, sender_chat }: Message): SeenMessage['sender'] {
  if (sender_chat)
    return {
      id: sender_chat.id,
      name: sender_chat.title ?? sender_chat.first_name ?? '',
      isBot: false,
    }
  return { id: from?.id ?? 0, name: from?.first_name ?? '', isBot: from?.is_bot === true }
}

function photoOf({ photo }: Message): SeenMessage['photo'] {
  const size = photo?.at(-1)
  return size && { fileId: size.file_id, width: size.width, height: size.height }
}

const documentOf = ({ document }: Message): SeenMessage['document'] =>
  document && {
    fileId: document.file_id,
    name: document.file_name ?? 'file',
    size: document.file_size ?? 0,
  }

function replyOf(message: Message | undefined): SeenMessage['replyTo'] {
  if (!message) return undefined
  const text = message.text ?? message.caption ?? (message.photo ? 'Photo' : 'File')
  return { id: message.message_id, sender: senderOf(message).name, text }
}

function serviceText(message: Message): string | undefined {
  if (message.chat_shared) return `You shared the chat ${message.chat_shared.title ?? ''}`.trim()
  if (message.migrate_to_chat_id) return 'The group became a supergroup'
  if (message.migrate_from_chat_id) return 'The group became a supergroup'
  if (message.left_chat_member) return `${message.left_chat_member.first_name} left`
  const joined = message.new_chat_members?.map((user) => user.first_name)
  return joined && `${joined.join(', ')} joined`
}

function previewOf(message: Message, entities: MessageEntity[]): SeenPreview | undefined {
  const options = message.link_preview_options ?? {}
  if (options.is_disabled) return undefined
  const url = options.url ?? firstLink(message.text ?? '', entities)
  if (url === undefined || !URL.canParse(url)) return undefined
  const { hostname, pathname } = new URL(url)
  // The path of a launched token's picture is a CID, without an ending.
  const isPicture = /\.(?:png|jpe?g|gif|webp|svg)$|^\/ipfs\/[^.]+$/iu.test(pathname)
  return {
    url,
    host: hostname,
    isPicture,
    large: options.prefer_large_media ?? (isPicture && options.prefer_small_media !== true),
    above: options.show_above_text ?? false,
  }
}

/** The link that gets a preview: the first one, but no bare domain without a path. */
function firstLink(text: string, entities: MessageEntity[]): string | undefined {
  for (const entity of entities) {
    if (entity.type === 'text_link' && /^https?:/u.test(entity.url)) return entity.url
    if (entity.type !== 'url') continue
    const url = text.slice(entity.offset, entity.offset + entity.length)
    if (/^https?:\/\//iu.test(url)) return url
    if (/[/?#]/u.test(url) && !/^(?:tg|ton|ftp):/iu.test(url)) return `http://${url}`
  }
  return undefined
}
