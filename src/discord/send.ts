import { createHash } from 'node:crypto'
import {
  DiscordAPIError,
  type RateLimitData,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type ChatAddress, SendError, type Sent } from '../core/adapter.ts'
import type { Rendered } from './answer.ts'
import { editError, sendError } from './errors.ts'
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
export function isId(id: string): boolean {
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
  return new SendError('That is no id of Discord’s.', { final: true })
}
