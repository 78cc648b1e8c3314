import { EventEmitter } from 'node:events'
import type { Chat, ChatMember, Message, User } from 'grammy/types'
import { ada, ben, botOf, club, lodge, news, topics } from './cast.ts'
import { Profile } from './profile.ts'
import type { ReplyKeyboard } from './shown.ts'

export type Role = 'creator' | 'administrator' | 'member' | 'left' | 'kicked'

/** A message as the Bot API shows it, with what the API does not tell. */
export interface Stored {
  message: Message
  /** Sent by the bot itself, not by a person and not through inline mode. */
  byBot: boolean
  inlineId?: string
  /** What the message did to the keyboard under the message box. */
  keyboard?: ReplyKeyboard
  silent?: boolean
}

/** What else there is to say of a person in a place. */
export interface Standing {
  /** An administrator who speaks in the group's name. */
  anonymous?: boolean
  /** An administrator of a channel who may not post there. */
  silent?: boolean
}

export interface Place {
  chat: Chat
  /** Telegram's chat_instance. */
  instance: string
  roles: Map<number, Role>
  standings: Map<number, Standing>
  topics: Map<number, string>
  closedTopics: Set<number>
  /** What a bot that is no administrator may send here. */
  botMay: 'everything' | 'texts' | 'nothing'
  /** The person's account or the group is there no more, and what a call to it is told. */
  gone?: string
  /** What Telegram's servers answer to whatever is sent there, such as `ALLOW_PAYMENT_REQUIRED_5`. */
  refuses?: string
  messages: Map<number, Stored>
  lastMessageId: number
  /** Private chats: the person has written to the bot, or it may not write first. */
  started: boolean
  /** The supergroup that this group became. */
  migratedTo?: number
}

interface WorldEvents {
  stored: [Place, Stored]
  edited: [Place, Stored]
  deleted: [Place, number]
  typing: [Place]
  /** Roles, title or block state of a place changed. */
  place: [Place]
  /** What people see of the bot. */
  profile: []
}

/** Messages kept in all; older ones are forgotten, as if deleted. */
const memory = 10_000

/** Everything that Telegram knows in the sandbox: people, places, members and messages. */
export class World {
  readonly bot: User & { username: string }
  readonly users = new Map<number, User>()
  readonly places = new Map<number, Place>()
  readonly inline = new Map<string, { place: Place; stored: Stored }>()
  readonly profile = new Profile()
  /** Whether inline mode is on, as @BotFather is told. */
  hasInline = true
  readonly events = new EventEmitter<WorldEvents>()
  readonly now: () => number
  #kept: { place: Place; id: number }[] = []
  #forgotten = 0

  constructor(token: string, now: () => number) {
    this.now = now
    this.bot = botOf(token)
    this.users.set(this.bot.id, this.bot)
    this.events.setMaxListeners(0)
    for (const user of [ada, ben]) this.addPrivateChat(user)
    const people: [number, Role][] = [
      [ada.id, 'creator'],
      [ben.id, 'member'],
    ]
    this.addPlace(club, [...people, [this.bot.id, 'member']])
    // As an administrator it reads here what is no command, so that cards for addresses and $tickers can be seen.
    this.addPlace(lodge, [...people, [this.bot.id, 'administrator']], topics)
    this.addPlace(news, [...people, [this.bot.id, 'administrator']])
  }

  /** Unix time in seconds. */
  get date(): number {
    return Math.floor(this.now() / 1000)
  }

  addPrivateChat(user: User): Place {
    this.users.set(user.id, user)
    const chat: Chat.PrivateChat = {
      id: user.id,
      type: 'private',
      first_name: user.first_name,
      ...(user.last_name === undefined ? {} : { last_name: user.last_name }),
      ...(user.username === undefined ? {} : { username: user.username }),
    }
    return this.addPlace(chat, [
      [user.id, 'member'],
      [this.bot.id, 'member'],
    ])
  }

  /** The private chat of somebody, who is made up where there is nobody yet. */
  guest(id: number, number = id): Place {
    const user = { id, is_bot: false, first_name: `Guest ${number}` }
    return this.places.get(id) ?? this.addPrivateChat(this.users.get(id) ?? user)
  }

  addPlace(chat: Chat, roles: [number, Role][], threads: ReadonlyMap<number, string> = new Map()) {
    const place: Place = {
      chat,
      instance: String(BigInt.asIntN(64, BigInt(chat.id) * 7_046_029_254_386_353_131n)),
      roles: new Map(roles),
      standings: new Map(),
      topics: new Map(threads),
      closedTopics: new Set(),
      botMay: 'everything',
      messages: new Map(),
      lastMessageId: 0,
      started: chat.type !== 'private',
    }
    this.places.set(chat.id, place)
    return place
  }

  /** Finds a place by id or by `@name` of a public chat. */
  find(id: string): Place | undefined {
    if (/^-?\d{1,16}$/u.test(id)) return this.places.get(Number(id))
    if (!id.startsWith('@')) return undefined
    const name = id.slice(1).toLowerCase()
    for (const place of this.places.values())
      if (place.chat.type !== 'private' && place.chat.username?.toLowerCase() === name) return place
    return undefined
  }

  botRole(place: Place): Role {
    return place.roles.get(this.bot.id) ?? 'left'
  }

  /** The id that the next message of the place gets. */
  nextId(place: Place): number {
    return ++place.lastMessageId
  }

  store(place: Place, stored: Stored): void {
    const id = stored.message.message_id
    place.messages.set(id, stored)
    if (stored.inlineId !== undefined) this.inline.set(stored.inlineId, { place, stored })
    this.#kept.push({ place, id })
    if (this.#kept.length - this.#forgotten > memory) this.#forgetOldest()
    this.events.emit('stored', place, stored)
  }

  edit(place: Place, stored: Stored, message: Message): void {
    stored.message = message
    this.events.emit('edited', place, stored)
  }

  remove(place: Place, id: number): void {
    this.#drop(place, id)
    this.events.emit('deleted', place, id)
  }

  #drop(place: Place, id: number): void {
    const inlineId = place.messages.get(id)?.inlineId
    if (inlineId !== undefined) this.inline.delete(inlineId)
    place.messages.delete(id)
  }

  #forgetOldest(): void {
    const oldest = this.#kept[this.#forgotten++]
    if (oldest) this.#drop(oldest.place, oldest.id)
    if (this.#forgotten < memory) return
    this.#kept = this.#kept.slice(this.#forgotten)
    this.#forgotten = 0
  }
}

export const isManager = (role: Role | undefined): boolean =>
  role === 'creator' || role === 'administrator'

/** A member as getChatMember and my_chat_member show one. */
export function memberOf(user: User, { chat, standings }: Place, role: Role): ChatMember {
  const { anonymous = false, silent = false } = standings.get(user.id) ?? {}
  switch (role) {
    case 'creator':
      return { status: role, user, is_anonymous: anonymous }
    case 'administrator':
      return {
        status: role,
        user,
        ...administratorRights,
        is_anonymous: anonymous,
        // The Bot API tells the one of channels alone, the other of groups.
        ...(chat.type === 'channel'
          ? { can_post_messages: !silent, can_edit_messages: !silent }
          : { can_pin_messages: true, can_manage_topics: true }),
      }
    case 'member':
    case 'left':
      return { status: role, user }
    case 'kicked':
      return { status: role, user, until_date: 0 }
  }
}

const administratorRights = {
  can_be_edited: false,
  can_manage_chat: true,
  can_delete_messages: true,
  can_manage_video_chats: true,
  can_restrict_members: true,
  can_promote_members: false,
  can_change_info: true,
  can_invite_users: true,
  can_post_stories: true,
  can_edit_stories: true,
  can_delete_stories: true,
  can_send_welcome_messages: true,
}

type RepliedMessage = NonNullable<Message['reply_to_message']>

const isRepliedMessage = (message: Message): message is RepliedMessage => !message.reply_to_message

/** A replied message is shown without the reply that it may be itself. */
export function replyPart(replied: Message | undefined): Pick<Message, 'reply_to_message'> {
  if (!replied) return {}
  const { reply_to_message: _, ...bare } = replied
  return isRepliedMessage(bare) ? { reply_to_message: bare } : {}
}
