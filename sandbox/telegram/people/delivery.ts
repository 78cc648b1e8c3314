import type { Chat, Message, MessageEntity } from 'grammy/types'
import type { Event } from '../updates.ts'
import type { Place, World } from '../world.ts'

/** The update that carries a message, a channel's post or the edit of either. */
export function messageNews(message: Message, edited = false): Event {
  const { chat, from, edit_date = 0 } = message
  if (chat.type === 'channel')
    return edited
      ? { edited_channel_post: { ...message, chat, edit_date } }
      : { channel_post: { ...message, chat } }
  if (!from) throw new Error('a message outside of channels has a sender')
  return edited
    ? { edited_message: { ...message, chat, from, edit_date } }
    : { message: { ...message, chat, from } }
}

/**
 * Whether the bot gets the message. In groups it has privacy mode: it sees commands (not those for other
 * bots), replies to its messages, mentions of it, what was sent through it, and service messages.
 */
export function botSees(world: World, place: Place, message: Message): boolean {
  const role = world.botRole(place)
  if (role === 'left' || role === 'kicked') return false
  if (!isGroup(place.chat) || role === 'administrator') return true
  if (message.via_bot?.id === world.bot.id) return true
  if (message.reply_to_message?.from?.id === world.bot.id) return true
  const text = message.text ?? message.caption
  if (text === undefined) return !message.photo && !message.document
  const name = `@${world.bot.username}`.toLowerCase()
  const entities = message.entities ?? message.caption_entities ?? []
  return entities.some((entity) => calls(entity, text, name))
}

const isGroup = (chat: Chat): boolean => chat.type === 'group' || chat.type === 'supergroup'

function calls({ type, offset, length }: MessageEntity, text: string, name: string): boolean {
  const word = text.slice(offset, offset + length).toLowerCase()
  if (type === 'mention') return word === name
  return type === 'bot_command' && (!word.includes('@') || word.endsWith(name))
}

/** Something that a person's app would not let them do. */
export class PeopleError extends Error {
  override readonly name = 'PeopleError'
}
