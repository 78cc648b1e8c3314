import { createHash } from 'node:crypto'
import { DiscordAPIError, type RateLimitData, type REST } from '@discordjs/rest'
import {
  ChannelType,
  PermissionFlagsBits as Permission,
  RESTJSONErrorCodes,
  Routes,
} from 'discord-api-types/v10'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type ChatAddress, type Mention, SendError, type Sent } from '../core/adapter.ts'
import { harmless } from '../core/text.ts'
import { type Message, t } from '../core/view.ts'
import type { Rendered } from './answer.ts'
import { editError, sendError } from './errors.ts'
import { messageRequest } from './files.ts'
import { everyone } from './render.ts'
import type { Transport } from './transport.ts'

/** Milliseconds for sending a message, including opening the private chat. */
const sendDeadline = 30_000
/** Milliseconds. A channel's bucket of messages refills in 5 s; a longer limit is an error instead of a wait. */
const maxWait = 10_000
const messageRoutes = ['/channels/:id/messages', '/channels/:id/messages/:id']
const openingRoute = '/users/@me/channels'

const maxNonce = 25
const maxPrivateChats = 50_000
const snowflake = /^\d{17,20}$/u
const idSchema = z.object({ id: z.string().regex(snowflake) })

/** Whether a text has the format of Discord's ids. */
function isId(id: string): boolean {
  return snowflake.test(id)
}

/**
 * Whether a rate limit is an error, instead of being waited out: if it is longer than `maxWait`, or is for opening private
 * chats, of which a bot may open few in a while.
 */
export function isTooLongToWait({ route, retryAfter, sublimitTimeout }: RateLimitData): boolean {
  if (route === openingRoute) return true
  return messageRoutes.includes(route) && Math.max(retryAfter, sublimitTimeout) > maxWait
}

/** Sends and edits messages that answer nobody, such as alerts. */
export class Post {
  readonly #rest: REST
  readonly #once: Transport['once']
  /** Channels of private chats by person, cached because Discord lets a bot open few in a while. */
  readonly #privateChats = new LRUCache<string, string>({ max: maxPrivateChats })

  constructor(rest: REST, once: Transport['once']) {
    this.#rest = rest
    this.#once = once
  }

  /** Records the channel of a person's private chat. */
  notePrivateChat(person: string, channel: string): void {
    this.#privateChats.set(person, channel)
  }

  /**
   * Sends a message. If the same key is sent again within some minutes, Discord returns the first message.
   * @throws SendError
   */
  async send(to: ChatAddress, { body, files }: Rendered, key: string): Promise<Sent> {
    const nonce = createHash('sha256').update(key).digest('base64url').slice(0, maxNonce)
    const signal = AbortSignal.timeout(sendDeadline)
    return this.#withChannel(to, signal, sendError, async (channel) => {
      const sent = { ...messageRequest({ ...body, nonce, enforce_nonce: true }, files), signal }
      return {
        message: idSchema.parse(await this.#rest.post(Routes.channelMessages(channel), sent)).id,
      }
    })
  }

  /** Replaces the content of a message. @throws SendError */
  async edit(to: ChatAddress, message: string, { body, files }: Rendered): Promise<void> {
    if (!isId(message)) throw noId()
    const signal = AbortSignal.timeout(sendDeadline)
    await this.#withChannel(to, signal, editError, async (channel) => {
      const sent = { ...messageRequest(body, files), signal }
      await this.#rest.patch(Routes.channelMessage(channel, message), sent)
    })
  }

  async #withChannel<T>(
    to: ChatAddress,
    signal: AbortSignal,
    explain: (cause: unknown) => SendError,
    work: (channel: string) => Promise<T>,
  ): Promise<T> {
    if (!isId(to.id)) throw noId()
    try {
      return await this.#once(async () => work(await this.#channel(to, signal)))
    } catch (cause) {
      throw explain(this.#isStale(to, cause) ? outdated(cause) : cause)
    }
  }

  async #channel({ kind, id }: ChatAddress, signal: AbortSignal): Promise<string> {
    if (kind === 'chat') return id
    const cached = this.#privateChats.get(id)
    if (cached !== undefined) return cached
    const body = { recipient_id: id }
    const channel = idSchema.parse(
      await this.#rest.post(Routes.userChannels(), { body, signal }),
    ).id
    this.#privateChats.set(id, channel)
    return channel
  }

  /** Whether the channel of a cached private chat is gone; the next send opens it again. */
  #isStale({ kind, id }: ChatAddress, cause: unknown): boolean {
    if (kind !== 'person' || !(cause instanceof DiscordAPIError)) return false
    if (cause.code !== RESTJSONErrorCodes.UnknownChannel) return false
    return this.#privateChats.delete(id)
  }
}

function outdated(cause: unknown): SendError {
  return new SendError('The private chat has to be opened again.', { final: false, cause })
}

function noId(): SendError {
  return new SendError('That is not a Discord id.', { final: true })
}

/** Whether the person is a member of the channel's server and may write in the channel; false if Discord doesn't say. */
export async function isMemberOf(rest: REST, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(rest, chat, person)
    if (!found) return false
    const write = found.inThread ? Permission.SendMessagesInThreads : Permission.SendMessages
    return hasAll(found.permissions, Permission.ViewChannel | write)
  } catch {
    return false
  }
}

/**
 * Whether the person may manage the server, or webhooks in the channel, and so decide what programs write there.
 * @throws SendError if Discord can't be asked or the bot is not in the server
 */
export async function managesIn(rest: REST, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(rest, chat, person)
    if (!found || isTimedOut(found)) return false
    const { permissions } = found
    return (
      hasAll(permissions, Permission.ViewChannel) &&
      (permissions & (Permission.ManageGuild | Permission.ManageWebhooks)) !== 0n
    )
  } catch (cause) {
    throw sendError(cause)
  }
}

/**
 * Finds a role that a message in the channel may notify: as in Discord's app, the person needs a role that anyone may mention, or
 * the permission Mention Everyone, and so does the bot. @throws SendError if Discord can't be asked
 */
export async function mentionIn(
  rest: REST,
  chat: string,
  person: string,
  role: string,
): Promise<Mention | { refusal: Message }> {
  try {
    const [asker, bot] = await Promise.all([
      membership(rest, chat, person),
      rest.get(Routes.user()).then((user) => membership(rest, chat, idSchema.parse(user).id)),
    ])
    const found = asker?.guild.roles.find(({ id }) => id === role)
    if (!asker || !bot || !found) return { refusal: t('discord-role-unknown') }
    const isEveryone = role === asker.guild.id
    const may = ({ permissions }: Membership) =>
      (found.mentionable && !isEveryone) || hasAll(permissions, Permission.MentionEveryone)
    const name = isEveryone ? '@everyone' : `@${harmless(found.name).trim()}`
    if (!may(asker)) return { refusal: t('discord-role-not-yours', { role: name }) }
    if (!may(bot)) return { refusal: t('discord-role-not-mine', { role: name }) }
    return { role: isEveryone ? everyone : role, name }
  } catch (cause) {
    throw sendError(cause)
  }
}

/** Name of a channel, with #; undefined if it is not a server's, or Discord doesn't give it. */
export async function titleOf(rest: REST, chat: string): Promise<string | undefined> {
  if (!isId(chat)) return undefined
  try {
    const { guild_id: guild, name } = await channelOf(rest, chat)
    return guild === undefined ? undefined : `#${name}`
  } catch {
    return undefined
  }
}

const threads: readonly number[] = [
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]

const channelSchema = z.object({
  type: z.number(),
  /** Absent in private chats. */
  guild_id: z.string().optional(),
  name: z.string().nullish(),
  parent_id: z.string().nullish(),
  permission_overwrites: z
    .array(z.object({ id: z.string(), allow: z.coerce.bigint(), deny: z.coerce.bigint() }))
    .default([]),
})

const memberSchema = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
})
type Member = z.output<typeof memberSchema>

interface Membership {
  guild: Guild
  member: Member
  /** The bits of `PermissionFlagsBits`. */
  permissions: bigint
  inThread: boolean
}

/**
 * A person's permissions in a channel; undefined if the person is not a member, or the chat not a server's channel. Not
 * cached: permissions change, and without the gateway the bot is not notified.
 */
async function membership(
  rest: REST,
  chat: string,
  person: string,
): Promise<Membership | undefined> {
  if (!isId(chat) || !isId(person)) return undefined
  const channel = await channelOf(rest, chat)
  if (channel.guild_id === undefined) return undefined
  const inThread = threads.includes(channel.type)
  try {
    const [guild, member, overwrites] = await Promise.all([
      rest.get(Routes.guild(channel.guild_id)).then((each) => guildSchema.parse(each)),
      rest
        .get(Routes.guildMember(channel.guild_id, person))
        .then((each) => memberSchema.parse(each)),
      // Threads have the overwrites of their channel.
      inThread ? overwritesOf(rest, channel.parent_id) : channel.permission_overwrites,
    ])
    const permissions = permissionsOf(guild, { id: person, roles: member.roles }, overwrites)
    return { guild, member, permissions, inThread }
  } catch (error) {
    if (isNoMember(error)) return undefined
    throw error
  }
}

async function overwritesOf(rest: REST, parent: string | null | undefined): Promise<Overwrite[]> {
  return parent ? (await channelOf(rest, parent)).permission_overwrites : []
}

async function channelOf(rest: REST, id: string) {
  return channelSchema.parse(await rest.get(Routes.channel(id)))
}

function isNoMember(error: unknown): boolean {
  const codes: unknown[] = [RESTJSONErrorCodes.UnknownMember, RESTJSONErrorCodes.UnknownUser]
  return error instanceof DiscordAPIError && codes.includes(error.code)
}

/** Whether the member is in a timeout, which does not apply to administrators. */
function isTimedOut({ member, permissions }: Membership): boolean {
  const until = Date.parse(member.communication_disabled_until ?? '')
  return until > Date.now() && !hasAll(permissions, Permission.Administrator)
}

/** The parts of a server that determine permissions. */
const guildSchema = z.object({
  id: z.string(),
  owner_id: z.string(),
  roles: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissions: z.coerce.bigint(),
      mentionable: z.boolean(),
    }),
  ),
})
type Guild = z.output<typeof guildSchema>

/** A channel's permission overwrite for a role or a member. */
interface Overwrite {
  /** Id of a role (the server's own id is the role @everyone) or a member. */
  id: string
  allow: bigint
  deny: bigint
}

const everything = Object.values(Permission).reduce((all, each) => all | each, 0n)

function hasAll(permissions: bigint, wanted: bigint): boolean {
  return (permissions & wanted) === wanted
}

/**
 * Computes a member's permissions: https://docs.discord.com/developers/topics/permissions#permission-hierarchy
 * The owner and administrators have all. For others, the permissions of their roles are combined; then the channel's
 * overwrites apply: first @everyone's, then those of roles, then the member's own.
 */
function permissionsOf(
  guild: Guild,
  member: { id: string; roles: readonly string[] },
  overwrites: readonly Overwrite[],
): bigint {
  if (member.id === guild.owner_id) return everything
  const own = new Set([guild.id, ...member.roles])
  const base = guild.roles.reduce(
    (all, { id, permissions }) => (own.has(id) ? all | permissions : all),
    0n,
  )
  if (base & Permission.Administrator) return everything
  const steps = [[guild.id], member.roles, [member.id]]
  return steps.reduce((before, ids) => {
    const these = overwrites.filter(({ id }) => ids.includes(id))
    const denied = these.reduce((all, { deny }) => all | deny, 0n)
    return (before & ~denied) | these.reduce((all, { allow }) => all | allow, 0n)
  }, base)
}
