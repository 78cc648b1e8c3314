import type { Chat, Message, MessageEntity, User } from 'grammy/types'
import type { Api } from './api.ts'
import type { Event } from './updates.ts'
import { memberOf, type Place, type Role, type Standing, type World } from './world.ts'

/** What happens to people and places apart from what is written there: who is in, who may what, what is gone. */
export class Circumstances {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** This many people who pressed Start some time ago. @returns their ids, from `first` on */
  crowd(count: number, first = 2_000_000): number[] {
    const { world } = this.#api
    return Array.from({ length: count }, (_, index) => {
      world.guest(first + index, index).started = true
      return first + index
    })
  }

  /** This many channels whose administrator is the bot, with a person as their creator. @returns their ids */
  channels(count: number, creator: number, first = -1_000_001_000_000): number[] {
    const { world } = this.#api
    return Array.from({ length: count }, (_, index) => {
      const chat: Chat.ChannelChat = { id: first - index, type: 'channel', title: `News ${index}` }
      world.addPlace(chat, [
        [creator, 'creator'],
        [world.bot.id, 'administrator'],
      ])
      return chat.id
    })
  }

  /** Gives a person a role in a place. */
  role(userId: number, chatId: number, role: Role): void {
    personOf(this.#api, userId)
    placeOf(this.#api, chatId).roles.set(userId, role)
  }

  /** Makes an administrator anonymous or one who may not post, or takes that back. */
  stands(userId: number, chatId: number, standing: Standing): void {
    placeOf(this.#api, chatId).standings.set(userId, standing)
  }

  /** Says what a bot that is no administrator may send to a group. */
  botMay(chatId: number, may: Place['botMay']): void {
    placeOf(this.#api, chatId).botMay = may
  }

  /** Has Telegram's servers refuse whatever is sent to a chat, with this error; undefined ends that. */
  refuses(chatId: number, error: string | undefined): void {
    const place = placeOf(this.#api, chatId)
    if (error === undefined) delete place.refuses
    else place.refuses = error
  }

  closeTopic(chatId: number, topic: number): void {
    placeOf(this.#api, chatId).closedTopics.add(topic)
  }

  deleteTopic(chatId: number, topic: number): void {
    placeOf(this.#api, chatId).topics.delete(topic)
  }

  /** Deletes a person's account, or a group with all that was in it. */
  deleteChat(chatId: number): void {
    const place = placeOf(this.#api, chatId)
    place.gone =
      place.chat.type === 'private' ? 'user is deactivated' : 'the group chat was deleted'
  }
}

/** Changes what the bot is in a place, which it is told; by the creator unless somebody else did it. */
export function setBotRole(api: Api, place: Place, role: Role, by = creatorOf(place)): void {
  const { world, queue } = api
  const { bot } = world
  const before = world.botRole(place)
  if (before === role) return
  place.roles.set(bot.id, role)
  queue.push({
    my_chat_member: {
      chat: place.chat,
      from: personOf(api, by),
      date: world.date,
      old_chat_member: memberOf(bot, place, before),
      new_chat_member: memberOf(bot, place, role),
    },
  })
  world.events.emit('place', place)
}

/** Makes a supergroup of a group. @returns its id */
export function migrate(api: Api, old: Place): number {
  const { world } = api
  if (old.chat.type !== 'group') throw new PeopleError('only a group becomes a supergroup')
  const id = old.chat.id - 1_000_000_000_000
  const chat: Chat = { id, type: 'supergroup', title: old.chat.title }
  const place = world.addPlace(chat, [...old.roles])
  const from = personOf(api, creatorOf(old))
  tell(api, old, from, { migrate_to_chat_id: id })
  tell(api, place, from, { migrate_from_chat_id: old.chat.id })
  old.migratedTo = id
  world.events.emit('place', old)
  return id
}

function tell({ world, queue }: Api, place: Place, from: User, body: object): void {
  const message_id = world.nextId(place)
  const message = { message_id, from, chat: place.chat, date: world.date, ...body }
  world.store(place, { message, byBot: false })
  queue.push(messageNews(message))
}

const creatorOf = ({ roles }: Place): number =>
  [...roles].find(([, held]) => held === 'creator')?.[0] ?? 0

/** Throws where there is no such chat. */
export function placeOf({ world }: Api, chatId: number): Place {
  const place = world.places.get(chatId)
  if (!place) throw new PeopleError(`there is no chat ${chatId}`)
  return place
}

/** Throws where there is nobody. */
export function personOf({ world }: Api, userId: number): User {
  const user = world.users.get(userId)
  if (!user) throw new PeopleError(`there is no person ${userId}`)
  return user
}

/** The update that carries a message or a channel's post. */
export function messageNews(message: Message): Event {
  const { chat, from } = message
  if (chat.type === 'channel') return { channel_post: { ...message, chat } }
  if (!from) throw new Error('a message outside of channels has a sender')
  return { message: { ...message, chat, from } }
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
