import { createHash } from 'node:crypto'
import {
  type Client,
  DiscordAPIError,
  type GuildMember,
  PermissionFlagsBits as Permission,
  type PermissionsBitField,
  type RateLimitData,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type ChatAddress, type Mention, SendError, type Sent } from '../core/adapter.ts'
import { harmless } from '../core/text.ts'
import { type Message, t } from '../core/view.ts'
import { editError, sendError } from './errors.ts'
import { everyone } from './render.ts'
import type { Rendered } from './reply.ts'

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
  /** Channels of private chats by person, cached because Discord lets a bot open few in a while. */
  readonly #privateChats = new LRUCache<string, string>({ max: maxPrivateChats })

  /** @param rest without retries of its own */
  constructor(rest: REST) {
    this.#rest = rest
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
      const sent = { body: { ...body, nonce, enforce_nonce: true }, files, signal }
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
      await this.#rest.patch(Routes.channelMessage(channel, message), { body, files, signal })
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
      return await work(await this.#channel(to, signal))
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
export async function isMemberOf(client: Client, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(client, chat, person)
    if (!found) return false
    const write = found.inThread ? Permission.SendMessagesInThreads : Permission.SendMessages
    return found.permissions.has([Permission.ViewChannel, write])
  } catch {
    return false
  }
}

/**
 * Whether the person may manage the server, or webhooks in the channel, and so decide what programs write there.
 * @throws SendError if Discord can't be asked or the bot is not in the server
 */
export async function managesIn(client: Client, chat: string, person: string): Promise<boolean> {
  try {
    const found = await membership(client, chat, person)
    if (!found) return false
    const { member, permissions } = found
    // A timeout does not apply to administrators.
    if (member.isCommunicationDisabled() && !permissions.has(Permission.Administrator)) return false
    return (
      permissions.has(Permission.ViewChannel) &&
      permissions.any([Permission.ManageGuild, Permission.ManageWebhooks])
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
  client: Client,
  chat: string,
  { person, bot }: { person: string; bot: string },
  role: string,
): Promise<Mention | { refusal: Message }> {
  try {
    const [asker, own] = [
      await membership(client, chat, person),
      await membership(client, chat, bot),
    ]
    const found = asker?.member.guild.roles.cache.get(role)
    if (!asker || !own || !found) return { refusal: t('discord-role-unknown') }
    const isEveryone = role === asker.member.guild.id
    const may = ({ permissions }: Membership) =>
      (found.mentionable && !isEveryone) || permissions.has(Permission.MentionEveryone)
    const name = isEveryone ? '@everyone' : `@${harmless(found.name).trim()}`
    if (!may(asker)) return { refusal: t('discord-role-not-yours', { role: name }) }
    if (!may(own)) return { refusal: t('discord-role-not-mine', { role: name }) }
    return { role: isEveryone ? everyone : role, name }
  } catch (cause) {
    throw sendError(cause)
  }
}

/** Name of a channel, with #; undefined if it is not a server's, or Discord doesn't give it. */
export async function titleOf(client: Client, chat: string): Promise<string | undefined> {
  if (!isId(chat)) return undefined
  const channel = await fetchChannel(client, chat).catch(() => undefined)
  return channel && `#${channel.name}`
}

/** A member of a server, and what it may do in one of its channels. */
interface Membership {
  member: GuildMember
  permissions: Readonly<PermissionsBitField>
  inThread: boolean
}

/** Everything anew, and past the cache: this process may not be the one that the gateway tells of changes. */
const anew = { force: true, cache: false }

/** Undefined if the person is not a member, or the chat not a server's channel. */
async function membership(
  client: Client,
  chat: string,
  person: string,
): Promise<Membership | undefined> {
  if (!isId(chat) || !isId(person)) return undefined
  const place = await fetchChannel(client, chat)
  if (!place) return undefined
  try {
    const guild = await client.guilds.fetch({ guild: place.guildId, ...anew })
    const member = await guild.members.fetch({ user: person, ...anew })
    const inThread = place.isThread()
    // A thread has the permissions of its channel.
    const channel = await guild.channels.fetch((inThread && place.parentId) || chat, anew)
    const permissions = channel?.permissionsFor(member)
    return permissions && { member, permissions, inThread }
  } catch (error) {
    if (isNoMember(error)) return undefined
    throw error
  }
}

/** A server's channel or thread; undefined for any other chat. */
async function fetchChannel(client: Client, id: string) {
  const channel = await client.channels.fetch(id, { ...anew, allowUnknownGuild: true })
  return channel && !channel.isDMBased() ? channel : undefined
}

function isNoMember(error: unknown): boolean {
  const codes: unknown[] = [RESTJSONErrorCodes.UnknownMember, RESTJSONErrorCodes.UnknownUser]
  return error instanceof DiscordAPIError && codes.includes(error.code)
}
