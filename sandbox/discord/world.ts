import { EventEmitter } from 'node:events'
import {
  type APIApplicationCommand,
  type APIAttachment,
  type APIGuild,
  type APIGuildMember,
  type APIMessage,
  type APIPublicThreadChannel,
  type APIRole,
  type APIUser,
  ChannelType,
  GatewayIntentBits,
  InteractionContextType,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import { Tally } from '../traffic.ts'
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
import {
  type Channel,
  forumChannel,
  guildCreateOf,
  guildOf,
  isServerChannel,
  isThread,
  memberOf,
  memberOverwrite,
  overwritesOf,
  overwritten,
  privateChannel,
  roleOverwrite,
  rolesOf,
  type ServerChannel,
  textChannel,
  threadChannel,
  userOf,
  voiceChannel,
} from './guild.ts'
import { missingAccess, missingPermissions, notText, unknownChannel } from './refusals.ts'

/** A message and who may see it. */
export interface Held {
  message: APIMessage
  /** Set for an ephemeral message: the only person who sees it. */
  viewer: string | undefined
}

/** A channel and its latest messages. */
export interface Chat {
  channel: Channel
  guildId: string | undefined
  /** The person on the other side of a private chat with the bot. */
  person: string | undefined
  messages: Map<string, Held>
  /** How many messages it keeps. */
  kept: number
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
  readonly chats = new Map<string, Chat>()
  readonly #privateChats = new Map<string, Chat>()
  readonly tally = new Tally<string>()
  readonly roles: APIRole[] = rolesOf()
  readonly guild: APIGuild = guildOf(this.roles)
  /** The bot's registered commands. */
  commands: APIApplicationCommand[] = []
  /** Where the application has interactions sent instead of to the gateway. */
  endpointUrl: string | null = null
  /** People who added the bot for themselves. */
  readonly installs = new Set<string>()
  /** People who take no private messages. */
  readonly closed = new Set<string>()
  readonly bot: APIUser = userOf(gavel, true)
  #joinedAt = '2025-01-01T00:00:00.000000+00:00'
  /** Counts changes of members, roles and permissions; what is derived from them is cached by it. */
  revision = 0

  constructor(now: () => number) {
    this.now = now
    this.ids = new Snowflakes(now)
    this.files = new FileStore(this.ids)
    this.#addMember(this.bot, [botRole.id])
    this.#addMember(userOf(ada), [adminRole.id])
    this.#addMember(userOf(ben), [])
    this.#addChat(textChannel(club.id, club.name, 0, []))
    const open = [
      roleOverwrite(otterClub.id, 0n, closedInNews),
      roleOverwrite(botRole.id, closedInNews, 0n),
    ]
    this.#addChat(textChannel(news.id, news.name, 1, open))
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

  chat(channelId: string): Chat {
    const chat = this.chats.get(channelId)
    if (chat === undefined) throw unknownChannel()
    return chat
  }

  /** Whether the bot is in the server. */
  get hasBot(): boolean {
    return this.members.has(gavel.id)
  }

  /** Takes the bot out of the server, as an administrator would: it learns of it, and gets 50001 from then on. */
  removeBot(): void {
    this.members.delete(gavel.id)
    this.revision++
    this.#guildEvent('GUILD_DELETE', JSON.stringify({ id: this.guild.id }))
  }

  /** Lets the bot into the server (again), as an administrator would: it learns of it. */
  addBot(): void {
    this.#addMember(this.bot, [botRole.id])
    this.#joinedAt = this.iso()
    const own = [...this.members.values()].filter(({ user }) => user.id === gavel.id)
    this.#guildEvent('GUILD_CREATE', JSON.stringify(this.guildCreate(own)))
  }

  /** Discord has an outage, for the bot's server, or it is over. */
  outage(isOver = false): void {
    if (isOver) this.#guildEvent('GUILD_CREATE', JSON.stringify(this.guildCreate([])))
    else this.#guildEvent('GUILD_DELETE', JSON.stringify({ id: this.guild.id, unavailable: true }))
  }

  /** What GUILD_CREATE says of the server and of these members. */
  guildCreate(members: APIGuildMember[]) {
    const [channels, threads] = [this.guildChannels(), this.activeThreads()]
    return guildCreateOf(this.guild, channels, threads, members, this.members.size, this.#joinedAt)
  }

  /** The private chat with a person, opened on first use. */
  dm(personId: string): Chat {
    return this.#privateChats.get(personId) ?? this.#addDm(this.ids.next(), personId)
  }

  /** Adds a channel to the server without a word to the bot. */
  addChannel(name: string): Chat {
    return this.#addChat(textChannel(this.ids.next(), name, this.chats.size, []))
  }

  /** Adds a voice channel to the server without a word to the bot; returns its id. */
  addVoice(name: string): string {
    return this.#addChat(voiceChannel(this.ids.next(), name, this.chats.size)).channel.id
  }

  /** Adds a forum to the server without a word to the bot; returns its id. Its posts are threads. */
  addForum(name: string): string {
    return this.#addChat(forumChannel(this.ids.next(), name, this.chats.size)).channel.id
  }

  /** Opens a private chat of people with each other, where the bot is not; returns its id. */
  addOthersChat(personId: string): string {
    const channel = privateChannel(this.ids.next(), this.users.get(personId))
    this.#keepChat(channel, undefined, undefined)
    return channel.id
  }

  /** A person adds the bot for themselves, or removes it. */
  install(personId: string, isInstalled = true): void {
    if (isInstalled) this.installs.add(personId)
    else this.installs.delete(personId)
    this.revision++
  }

  /** The ways in which the bot is there when a person uses it: 0 for the place, 1 for the person. */
  owners(personId: string, channelId: string): Record<string, string> {
    const { guildId, person } = this.chat(channelId)
    const isMember = guildId === undefined ? person !== undefined : this.hasBot
    return {
      ...(isMember && { 0: guildId ?? '0' }),
      ...(this.installs.has(personId) && { 1: personId }),
    }
  }

  /** Where a command is used: in a server, in the private chat with the bot, or in that of people with each other. */
  contextOf(channelId: string): InteractionContextType {
    const { guildId, person } = this.chat(channelId)
    if (guildId !== undefined) return InteractionContextType.Guild
    return person === undefined
      ? InteractionContextType.PrivateChannel
      : InteractionContextType.BotDM
  }

  /** Opens a thread in a channel, or a post in a forum; returns its id. */
  startThread(channelId: string, name: string): string {
    const thread = threadChannel(this.ids.next(), name, this.chat(channelId).channel.id, this.iso())
    this.#channelEvent('THREAD_CREATE', this.#addChat(thread))
    return thread.id
  }

  /** Archives, locks or opens a thread, as a moderator would or time does. */
  setThread(threadId: string, state: { archived: boolean; locked: boolean }): void {
    const chat = this.chat(threadId)
    if (!isThread(chat.channel)) throw new TypeError('not a thread')
    const known = chat.channel.thread_metadata
    if (known) chat.channel.thread_metadata = { ...known, ...state }
    this.#channelEvent('THREAD_UPDATE', chat)
  }

  /** What a member may do in a channel, by Discord's rules; everything in a private chat. */
  permissions(userId: string, channelId: string): bigint {
    const { channel, guildId } = this.chat(channelId)
    if (guildId === undefined) return all
    // A thread has the permissions of its channel.
    if (isThread(channel)) return this.permissions(userId, channel.parent_id ?? '')
    const base = this.#basePermissions(userId)
    if ((base & PermissionFlagsBits.Administrator) !== 0n) return all
    const roles = this.members.get(userId)?.roles ?? []
    const has = overwritten(base, channel, guildId, roles, userId)
    // Who may not connect can't use the chat of a voice channel either.
    const isShut = channel.type === ChannelType.GuildVoice && !(has & PermissionFlagsBits.Connect)
    return isShut ? has & PermissionFlagsBits.ViewChannel : has
  }

  /** Throws Discord's refusal unless the bot sees the channel and may do this in it. */
  demand(channelId: string, needed: bigint): void {
    const { channel, guildId, person } = this.chat(channelId)
    if (guildId === undefined && person !== undefined) return
    if (guildId === undefined || !this.hasBot) throw missingAccess()
    if (channel.type === ChannelType.GuildForum && needed !== 0n) throw notText()
    const has = this.permissions(gavel.id, channelId)
    if ((has & PermissionFlagsBits.ViewChannel) === 0n) throw missingAccess()
    if ((has & needed) !== needed) throw missingPermissions()
  }

  /** Denies the bot or a person some permissions in a channel from now on, as an administrator would; 0n lifts it. */
  deny(channelId: string, permissions: bigint, userId: string = gavel.id): void {
    this.#override(channelId, userId, 0n, permissions)
  }

  /** Allows a person something in one channel, in place of what was denied or allowed before; 0n lifts it. */
  allow(channelId: string, permissions: bigint, userId: string): void {
    this.#override(channelId, userId, permissions, 0n)
  }

  /** Deletes a channel: the bot learns of it and gets 10003 from then on. */
  removeChannel(channelId: string): void {
    const chat = this.chat(channelId)
    this.chats.delete(channelId)
    this.#channelEvent('CHANNEL_DELETE', chat)
  }

  /** Keeps a message, dropping the oldest of a full channel. */
  keep(chat: Chat, held: Held): void {
    chat.messages.set(held.message.id, held)
    chat.channel.last_message_id = held.message.id
    if (chat.messages.size <= chat.kept) return
    const oldest = chat.messages.keys().next().value
    if (oldest !== undefined) chat.messages.delete(oldest)
  }

  /** The channels of the server as the API lists them. */
  guildChannels(): ServerChannel[] {
    return this.#channels().filter(isServerChannel)
  }

  /** The threads that are not archived. */
  activeThreads(): APIPublicThreadChannel[] {
    return this.#channels()
      .filter(isThread)
      .filter(({ thread_metadata: state }) => !state?.archived)
  }

  #channels(): Channel[] {
    return [...this.chats.values()].map((chat) => chat.channel)
  }

  #override(channelId: string, userId: string, allow: bigint, deny: bigint): void {
    const chat = this.chat(channelId)
    if (!('permission_overwrites' in chat.channel)) return
    const others = overwritesOf(chat.channel).filter((each) => each.id !== userId)
    const own = allow === 0n && deny === 0n ? [] : [memberOverwrite(userId, allow, deny)]
    chat.channel.permission_overwrites = [...others, ...own]
    this.revision++
    this.#channelEvent('CHANNEL_UPDATE', chat)
  }

  #basePermissions(userId: string): bigint {
    if (userId === this.guild.owner_id) return all
    const roles = this.members.get(userId)?.roles ?? []
    return this.roles
      .filter((role) => role.id === this.guild.id || roles.includes(role.id))
      .reduce((bits, role) => bits | BigInt(role.permissions), 0n)
  }

  #channelEvent(name: string, chat: Chat): void {
    this.#guildEvent(name, JSON.stringify(chat.channel))
    this.events.emit('change', chat.channel.id)
  }

  #guildEvent(name: string, json: string): void {
    const intents = GatewayIntentBits.Guilds
    this.events.emit('dispatch', { name, guildId: this.guild.id, intents, json: () => json })
  }

  #addMember(user: APIUser, roles: string[]): void {
    this.users.set(user.id, user)
    this.members.set(user.id, memberOf(user, roles))
    this.revision++
  }

  #addChat(channel: Channel): Chat {
    return this.#keepChat(channel, this.guild.id, undefined)
  }

  #keepChat(channel: Channel, guildId: string | undefined, person: string | undefined): Chat {
    const chat: Chat = { channel, guildId, person, messages: new Map(), kept: keptMessages }
    this.chats.set(channel.id, chat)
    return chat
  }

  #addDm(id: string, personId: string): Chat {
    const chat = this.#keepChat(privateChannel(id, this.users.get(personId)), undefined, personId)
    this.#privateChats.set(personId, chat)
    return chat
  }
}

const discordEpoch = 1_420_070_400_000

/** Makes ids as Discord does: milliseconds since 2015 above 22 bits, of which the lowest count up. */
class Snowflakes {
  readonly #now: () => number
  #count = 0

  constructor(now: () => number) {
    this.#now = now
  }

  next(): string {
    this.#count = (this.#count + 1) % 0x3fffff
    return String((BigInt(Math.floor(this.#now()) - discordEpoch) << 22n) | BigInt(this.#count))
  }
}

/** The shard that gets the events of a guild: `(guild_id >> 22) % count`; private chats go to shard 0. */
export function shardOf(guildId: string | undefined, count: number): number {
  return guildId === undefined ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count))
}

/** A file as it lies in the store. */
interface StoredFile {
  attachment: APIAttachment
  contentType: string
  bytes: Uint8Array
}

/** What someone uploads. */
export interface NewFile {
  name: string
  contentType: string
  bytes: Uint8Array
  description?: string | undefined
}

const keptFiles = 200

/** The attachments' home: keeps the latest files in memory and knows the address each is served at. */
export class FileStore {
  readonly #ids: Snowflakes
  readonly #files = new Map<string, StoredFile>()
  /** Where the server listens, set once it does. */
  origin = ''

  constructor(ids: Snowflakes) {
    this.#ids = ids
  }

  add(channelId: string, file: NewFile): APIAttachment {
    const id = this.#ids.next()
    const name = file.name.replace(/[^\w.-]+/g, '_') || 'file'
    const url = `${this.origin}/attachments/${channelId}/${id}/${name}`
    const attachment: APIAttachment = {
      id,
      filename: name,
      size: file.bytes.byteLength,
      url,
      proxy_url: url,
      content_type: file.contentType,
      ...(file.description === undefined ? {} : { description: file.description }),
    }
    this.#files.set(id, { attachment, contentType: file.contentType, bytes: file.bytes })
    const oldest = this.#files.size > keptFiles ? this.#files.keys().next().value : undefined
    if (oldest !== undefined) this.#files.delete(oldest)
    return attachment
  }

  get(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }
}

/** Messages that a channel of a crowd keeps: enough to see a repeated one, little enough for thousands of channels. */
const keptInCrowd = 5

/** Makes many channels of the server at once, for load tests; returns their ids. The bot is told of none of them. */
export function crowdOfChannels(world: World, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const chat = world.addChannel(`crowd-${index + 1}`)
    chat.kept = keptInCrowd
    return chat.channel.id
  })
}
