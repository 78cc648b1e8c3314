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

/** All that one message takes, with the opening of a private chat. */
const sendDeadline = 30_000
/** A bucket of messages is full again after 5 s; who has to wait for longer is told so instead. */
const maxWait = 10_000
const messageRoutes = ['/channels/:id/messages', '/channels/:id/messages/:id']
const openingRoute = '/users/@me/channels'

const maxNonce = 25
const maxPrivateChats = 50_000
const snowflake = /^\d{17,20}$/u
const made = z.object({ id: z.string().regex(snowflake) })

/** Whether this is how Discord writes ids. */
export function isId(id: string): boolean {
  return snowflake.test(id)
}

/**
 * Whether a limit of Discord's is told to who sends, rather than waited out. Private chats are opened one after the
 * other and few in a while: nobody waits for the others'.
 */
export function isTooLongToWait({ route, retryAfter, sublimitTimeout }: RateLimitData): boolean {
  if (route === openingRoute) return true
  return messageRoutes.includes(route) && Math.max(retryAfter, sublimitTimeout) > maxWait
}

/** Writes messages that nobody has asked for at that moment, and edits them. */
export class Post {
  readonly #rest: REST
  readonly #once: Transport['once']
  /** Discord lets a bot open few private chats in a while: those that are known are not opened again. */
  readonly #privateChats = new LRUCache<string, string>({ max: maxPrivateChats })

  constructor(rest: REST, once: Transport['once']) {
    this.#rest = rest
    this.#once = once
  }

  /** Takes down which channel a person's private chat is. */
  knows(person: string, channel: string): void {
    this.#privateChats.set(person, channel)
  }

  /**
   * Writes a message. Discord gives the first one back for some minutes when the same key comes again.
   * @throws SendError
   */
  async send(to: ChatAddress, { body, files }: Rendered, key: string): Promise<Sent> {
    const nonce = createHash('sha256').update(key).digest('base64url').slice(0, maxNonce)
    const signal = AbortSignal.timeout(sendDeadline)
    return this.#at(to, signal, sendError, async (channel) => {
      const sent = { body: { ...body, nonce, enforce_nonce: true }, files, signal }
      return {
        message: made.parse(await this.#rest.post(Routes.channelMessages(channel), sent)).id,
      }
    })
  }

  /** Puts a message in the place of one that was sent. @throws SendError */
  async edit(to: ChatAddress, message: string, { body, files }: Rendered): Promise<void> {
    if (!isId(message)) throw noId()
    const signal = AbortSignal.timeout(sendDeadline)
    await this.#at(to, signal, editError, async (channel) => {
      await this.#rest.patch(Routes.channelMessage(channel, message), { body, files, signal })
    })
  }

  async #at<T>(
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
    const known = this.#privateChats.get(id)
    if (known !== undefined) return known
    const body = { recipient_id: id }
    const channel = made.parse(await this.#rest.post(Routes.userChannels(), { body, signal })).id
    this.#privateChats.set(id, channel)
    return channel
  }

  /** A private chat that is none any more is opened anew the next time. */
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
