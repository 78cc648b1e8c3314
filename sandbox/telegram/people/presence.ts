import type { Chat, User } from 'grammy/types'
import type { Api } from '../api.ts'
import { memberOf } from '../methods/chats.ts'
import type { Place, Role } from '../world.ts'
import { messageNews, PeopleError } from './delivery.ts'

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
      from: userOf(api, by),
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
  const from = userOf(api, creatorOf(old))
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

function userOf({ world }: Api, userId: number): User {
  const user = world.users.get(userId)
  if (!user) throw new PeopleError(`there is no person ${userId}`)
  return user
}
