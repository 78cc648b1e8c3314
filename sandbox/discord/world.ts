import { EventEmitter } from 'node:events'
import {
  type APIApplicationCommand,
  type APIDMChannel,
  type APIGuild,
  type APIGuildMember,
  type APIMessage,
  type APIRole,
  type APITextChannel,
  type APIUser,
  ChannelType,
  OverwriteType,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import {
  ada,
  adminRole,
  ben,
  botRole,
  closedInNews,
  club,
  gavel,
  news,
  otterClub,
  privateChats,
} from './cast.ts'
import { FileStore } from './files.ts'
import { guildOf, memberOf, rolesOf, userOf } from './guild.ts'
import { missingAccess, missingPermissions, unknownChannel } from './refusal.ts'
import { Snowflakes } from './snowflake.ts'

/** A message and who may see it. */
export interface Held {
  message: APIMessage
  /** Set for an ephemeral message: the only person who sees it. */
  viewer: string | undefined
}

/** A channel and its latest messages. */
export interface Room {
  channel: APITextChannel | APIDMChannel
  guildId: string | undefined
  /** The person on the other side of a private chat. */
  person: string | undefined
  messages: Map<string, Held>
}

/** An event for the bot. */
export interface Dispatch {
  name: string
  guildId: string | undefined
  /** The intents of which one must have been asked for; 0 for events that everybody gets. */
  intents: number
  /** The event's JSON; `redacted` without what only the MessageContent intent shows. */
  json: (redacted: boolean) => string
}

interface WorldEvents {
  dispatch: [event: Dispatch]
  change: [channelId: string]
}

const keptMessages = 300
const all = 0xffff_ffff_ffff_ffffn

/** Everything the stand-in knows: people, the server, channels, commands, files. No protocol. */
export class World {
  readonly events = new EventEmitter<WorldEvents>()
  readonly now: () => number
  readonly ids: Snowflakes
  readonly files: FileStore
  readonly users = new Map<string, APIUser>()
  readonly members = new Map<string, APIGuildMember>()
  readonly rooms = new Map<string, Room>()
  readonly roles: APIRole[] = rolesOf()
  readonly guild: APIGuild = guildOf(this.roles)
  /** Registered commands by scope: 'global' or a guild's id. */
  readonly commands = new Map<string, APIApplicationCommand[]>()
  /** People who take no private messages. */
  readonly closed = new Set<string>()
  readonly bot: APIUser = userOf(gavel, true)
  /** Counts changes of members, roles and permissions; what is derived from them is cached by it. */
  revision = 0

  constructor(now: () => number) {
    this.now = now
    this.ids = new Snowflakes(now)
    this.files = new FileStore(this.ids)
    this.#addMember(this.bot, [botRole.id])
    this.#addMember(userOf(ada), [adminRole.id])
    this.#addMember(userOf(ben), [])
    this.#addText(club.id, club.name, 0, [])
    this.#addText(news.id, news.name, 1, [
      overwrite(otterClub.id, 0n, closedInNews),
      overwrite(botRole.id, closedInNews, 0n),
    ])
    for (const [personId, channelId] of Object.entries(privateChats))
      this.#addDm(channelId, personId)
  }

  iso(): string {
    return `${new Date(this.now()).toISOString().slice(0, -1)}000+00:00`
  }

  /** Adds a person to the server, for crowds; returns the new person's id. */
  join(name: string): string {
    const id = this.ids.next()
    this.#addMember(userOf({ id, username: name.toLowerCase(), name }), [])
    return id
  }

  /** Takes a person out of the server; they stay a user of Discord. */
  leave(userId: string): void {
    this.members.delete(userId)
    this.revision++
  }

  room(channelId: string): Room {
    const room = this.rooms.get(channelId)
    if (room === undefined) throw unknownChannel()
    return room
  }

  /** The private chat with a person, opened on first use. */
  dm(personId: string): Room {
    for (const room of this.rooms.values()) if (room.person === personId) return room
    return this.#addDm(this.ids.next(), personId)
  }

  /** What a member may do in a channel, by Discord's rules; everything in a private chat. */
  permissions(userId: string, channelId: string): bigint {
    const { channel, guildId } = this.room(channelId)
    if (guildId === undefined) return all
    const base = this.#basePermissions(userId)
    if ((base & PermissionFlagsBits.Administrator) !== 0n) return all
    const overwrites =
      'permission_overwrites' in channel ? (channel.permission_overwrites ?? []) : []
    const roles = this.members.get(userId)?.roles ?? []
    const steps = [
      overwrites.filter((each) => each.id === guildId),
      overwrites.filter((each) => roles.includes(each.id)),
      overwrites.filter((each) => each.id === userId),
    ]
    return steps.reduce((allowed, step) => {
      const deny = step.reduce((bits, each) => bits | BigInt(each.deny), 0n)
      const allow = step.reduce((bits, each) => bits | BigInt(each.allow), 0n)
      return (allowed & ~deny) | allow
    }, base)
  }

  /** Throws Discord's refusal unless the bot sees the channel and may do this in it. */
  demand(channelId: string, needed: bigint): void {
    if (this.room(channelId).guildId === undefined) return
    const has = this.permissions(gavel.id, channelId)
    if ((has & PermissionFlagsBits.ViewChannel) === 0n) throw missingAccess()
    if ((has & needed) !== needed) throw missingPermissions()
  }

  /** Denies the bot or a person some permissions in a channel from now on, as an administrator would; 0n lifts it. */
  deny(channelId: string, permissions: bigint, userId: string = gavel.id): void {
    const room = this.room(channelId)
    if (!('permission_overwrites' in room.channel)) return
    const others = (room.channel.permission_overwrites ?? []).filter((each) => each.id !== userId)
    const own = { ...overwrite(userId, 0n, permissions), type: OverwriteType.Member }
    room.channel.permission_overwrites = permissions === 0n ? others : [...others, own]
    this.revision++
    this.#channelEvent('CHANNEL_UPDATE', room)
  }

  /** Deletes a channel: the bot learns of it and gets 10003 from then on. */
  removeChannel(channelId: string): void {
    const room = this.room(channelId)
    this.rooms.delete(channelId)
    this.#channelEvent('CHANNEL_DELETE', room)
  }

  /** Keeps a message, dropping the oldest of a full channel. */
  keep(room: Room, held: Held): void {
    room.messages.set(held.message.id, held)
    room.channel.last_message_id = held.message.id
    if (room.messages.size <= keptMessages) return
    const oldest = room.messages.keys().next().value
    if (oldest !== undefined) room.messages.delete(oldest)
  }

  /** The channels of the server as the API lists them. */
  guildChannels(): APITextChannel[] {
    return [...this.rooms.values()]
      .map((room) => room.channel)
      .filter((channel) => channel.type === ChannelType.GuildText)
  }

  #basePermissions(userId: string): bigint {
    if (userId === this.guild.owner_id) return all
    const roles = this.members.get(userId)?.roles ?? []
    return this.roles
      .filter((role) => role.id === this.guild.id || roles.includes(role.id))
      .reduce((bits, role) => bits | BigInt(role.permissions), 0n)
  }

  #channelEvent(name: string, room: Room): void {
    const json = JSON.stringify(room.channel)
    this.events.emit('dispatch', { name, guildId: room.guildId, intents: 1, json: () => json })
    this.events.emit('change', room.channel.id)
  }

  #addMember(user: APIUser, roles: string[]): void {
    this.users.set(user.id, user)
    this.members.set(user.id, memberOf(user, roles))
    this.revision++
  }

  #addText(
    id: string,
    name: string,
    position: number,
    overwrites: NonNullable<APITextChannel['permission_overwrites']>,
  ): void {
    const channel: APITextChannel = {
      id,
      type: ChannelType.GuildText,
      guild_id: otterClub.id,
      name,
      position,
      permission_overwrites: overwrites,
      nsfw: false,
      topic: null,
      parent_id: null,
      rate_limit_per_user: 0,
      last_message_id: null,
    }
    this.rooms.set(id, { channel, guildId: otterClub.id, person: undefined, messages: new Map() })
  }

  #addDm(id: string, personId: string): Room {
    const recipient = this.users.get(personId)
    const channel: APIDMChannel = {
      id,
      type: ChannelType.DM,
      name: null,
      last_message_id: null,
      recipients: recipient === undefined ? [] : [recipient],
    }
    const room: Room = { channel, guildId: undefined, person: personId, messages: new Map() }
    this.rooms.set(id, room)
    return room
  }
}

function overwrite(id: string, allow: bigint, deny: bigint) {
  return { id, type: OverwriteType.Role, allow: String(allow), deny: String(deny) }
}
