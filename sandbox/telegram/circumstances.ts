import type { Chat } from 'grammy/types'
import type { Api } from './api.ts'
import { PeopleError } from './people/delivery.ts'
import type { Place, Role, Standing } from './world.ts'

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
      const id = first + index
      const user = { id, is_bot: false, first_name: `Guest ${index}` }
      const place = world.places.get(id) ?? world.addPrivateChat(user)
      place.started = true
      return id
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
    if (!this.#api.world.users.has(userId)) throw new PeopleError(`there is no person ${userId}`)
    this.#place(chatId).roles.set(userId, role)
  }

  /** Makes an administrator anonymous or one who may not post, or takes that back. */
  stands(userId: number, chatId: number, standing: Standing): void {
    this.#place(chatId).standings.set(userId, standing)
  }

  /** Says what a bot that is no administrator may send to a group. */
  botMay(chatId: number, may: Place['botMay']): void {
    this.#place(chatId).botMay = may
  }

  closeTopic(chatId: number, topic: number): void {
    this.#place(chatId).closedTopics.add(topic)
  }

  openTopic(chatId: number, topic: number): void {
    this.#place(chatId).closedTopics.delete(topic)
  }

  deleteTopic(chatId: number, topic: number): void {
    this.#place(chatId).topics.delete(topic)
  }

  /** Deletes a person's account, or a group with all that was in it. */
  deleteChat(chatId: number): void {
    const place = this.#place(chatId)
    place.gone =
      place.chat.type === 'private' ? 'user is deactivated' : 'the group chat was deleted'
  }

  #place(chatId: number): Place {
    const place = this.#api.world.places.get(chatId)
    if (!place) throw new PeopleError(`there is no chat ${chatId}`)
    return place
  }
}
