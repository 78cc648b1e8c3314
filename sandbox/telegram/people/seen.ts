import type { Message, MessageEntity } from 'grammy/types'
import type { SeenMessage, SeenPreview } from '../shown.ts'
import type { Stored } from '../world.ts'

export function seenMessage({ message, keyboard, silent, photoUrl }: Stored): SeenMessage {
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
    photo: photoOf(message, photoUrl),
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

function photoOf({ photo }: Message, url: string | undefined): SeenMessage['photo'] {
  const size = photo?.at(-1)
  return size && { fileId: size.file_id, url: url ?? '', width: size.width, height: size.height }
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
  const isPicture = /\.(?:png|jpe?g|gif|webp|svg)$/iu.test(pathname)
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
