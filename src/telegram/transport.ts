import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { autoRetry } from '@grammyjs/auto-retry'
import type { ApiClientOptions, Transformer } from 'grammy'
import { LRUCache } from 'lru-cache'
import { Pool } from 'undici'
import { type ChatAddress, readUpTo } from '../core/adapter.ts'
import type { PubSub } from '../core/pubsub.ts'
import { TokenBucket } from '../core/rate-limit.ts'
import { parseRetryAfter } from '../core/task.ts'

export interface Transport {
  fetch: NonNullable<ApiClientOptions['fetch']>
  /**
   * Downloads the file at a path below the root, without following redirects; undefined, without reading on, if it has
   * more than `maxBytes`. Its errors never contain the path, which contains the token.
   */
  download(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** Enough for thousands of calls a second at 40 ms each, and bounded so that a burst does not open as many sockets. */
const maxConnections = 256
/** Milliseconds; long polls stay open for 30 s. */
const answerTimeout = 30_000
const pollTimeout = 60_000

/** A call of grammY: JSON, or a multipart stream if there is a file. */
interface Call {
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

/**
 * Makes grammY's transport of an undici pool, which has more than twice the throughput of grammY's own
 * (docs/performance.md). `onLimited` is called for each answer with status 429.
 */
export function poolTransport(apiRoot: string, onLimited?: () => void): Transport {
  const { origin, pathname } = new URL(apiRoot)
  const prefix = pathname.replace(/\/$/u, '')
  const pool = new Pool(origin, {
    connections: maxConnections,
    connect: { timeout: 10_000 },
  })
  return {
    // grammY's types for this function are those of node-fetch, which ships none.
    fetch: async (input: string | URL, { body: sent, headers, signal }: Call = {}) => {
      if (typeof sent !== 'string' && !(sent instanceof Readable)) {
        throw new TypeError('a call is text or a stream')
      }
      // grammY's URL is the root, as it was given, and the method.
      const path = prefix + String(input).slice(apiRoot.length)
      const timeout = path.endsWith('/getUpdates') ? pollTimeout : answerTimeout
      const { statusCode, body } = await pool.request({
        path,
        method: 'POST',
        headersTimeout: timeout,
        bodyTimeout: timeout,
        headers: { 'content-type': headers?.['content-type'] ?? 'application/json' },
        body: sent,
        signal: signal ?? null,
      })
      if (statusCode === 429) onLimited?.()
      // All that grammY uses of an answer; making a Response would take 5 % of a command’s time.
      return { json: () => body.json() }
    },
    download: async (path, maxBytes, signal) => {
      const { statusCode, headers, body } = await pool.request({
        path: prefix + path,
        method: 'GET',
        signal,
      })
      // An error event without a listener would end the process.
      body.on('error', () => undefined)
      if (statusCode !== 200) {
        body.destroy()
        throw new Error(`a download was answered with status ${statusCode}`)
      }
      if (Number(headers['content-length'] ?? 0) > maxBytes) {
        body.destroy()
        return undefined
      }
      return readUpTo(maxBytes, body)
    },
    close: () => pool.destroy(),
  }
}

/** Just below Telegram's overall limit of 30 messages a second: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
const perSecond = 29.7
/** Small enough that calls which the network bunches up stay within what Telegram accepts at once. */
const burst = 8
/** Seconds between messages. Telegram's limits are one a second to a person, and 20 a minute to a group or channel. */
const gaps = { person: 1.1, chat: 3.1 }
/** Token bucket of a group or channel (20 messages a minute), which answers there use too. */
const inChat = { perSecond: 0.32, burst: 16 }
const maxChats = 10_000
/** Maximum milliseconds of a pause after a 429 that may concern one chat only. */
const chatPause = 1_000
/** If more chats than this get a 429 within `refusalsCountFor` milliseconds, the overall limit is exceeded. */
const maxRefusedChats = 2
const refusalsCountFor = 2_000
/** Maximum milliseconds of a pause for all alerts: if it is too short, Telegram answers 429 again. */
const maxPause = 60_000
/** Maximum alerts that wait for an upload of the same picture; `capacity` makes further ones wait `uploadPause` ms. */
const maxWaiting = 4
const uploadPause = 25

/**
 * How a call is made that is no answer. An answer is retried after a 429; an interim view, which can be left out, and a
 * message that nobody waits for, which its sender retries, are not.
 */
type CallPolicy = 'interim' | 'background'

interface TooManyRequests {
  chat: string
  at: number
}

interface PacingParts {
  /** Milliseconds on a clock that never jumps. */
  now: () => number
  /** Number of calls that wait for a picture's upload. */
  uploads: { readonly waiting: number }
  pubsub: PubSub
}

/**
 * Makes the calls of an API client keep Telegram's limits. Answers of all replicas are counted and never wait; alerts, which one replica at
 * a time sends, get the remaining capacity.
 */
export class Pacing {
  readonly #now: () => number
  readonly #overall: TokenBucket
  readonly #chats = new LRUCache<string, TokenBucket>({ max: maxChats })
  readonly #uploads: { readonly waiting: number }
  readonly #pubsub: PubSub
  /** Slots that `capacity` granted and no call has used yet. */
  #reserved = 0
  #refusals: readonly TooManyRequests[] = []
  readonly #policy = new AsyncLocalStorage<CallPolicy>()

  constructor({ now, uploads, pubsub }: PacingParts) {
    this.#now = now
    this.#uploads = uploads
    this.#pubsub = pubsub
    this.#overall = new TokenBucket({ perSecond, burst, now })
    pubsub.subscribe('telegram', (chats) => {
      for (const chat of chats) this.#countMessage(chat)
    })
  }

  /** Makes the calls of `work` by this policy; all others are answers. */
  run<T>(policy: CallPolicy, work: () => Promise<T>): Promise<T> {
    return this.#policy.run(policy, work)
  }

  /** For the client's `config.use`, in this order. */
  get transformers(): Transformer[] {
    return [this.#count, this.#retry]
  }

  capacity(): number {
    if (this.#uploads.waiting >= maxWaiting) return uploadPause
    const wait = this.#overall.tryAcquire()
    if (wait === 0) this.#reserved += 1
    return wait
  }

  gap({ id }: ChatAddress): number {
    if (!isShared(id)) return gaps.person
    return Math.max(gaps.chat, (this.#chats.get(id)?.wait() ?? 0) / 1_000)
  }

  /**
   * Counts what is sent, except background messages whose slot `capacity` has counted already. Only their 429s pause the
   * sending: those of answers may be caused by one person who asks for many.
   */
  readonly #count: Transformer = async (previous, method, payload, signal) => {
    if (!isCounted(method)) return previous(method, payload, signal)
    const chat = chatOf(payload)
    const isBackground = this.#policy.getStore() === 'background'
    if (isBackground && this.#reserved > 0) {
      this.#reserved -= 1
      this.#countInChat(chat)
    } else {
      this.#countMessage(chat)
      this.#pubsub.publish('telegram', chat)
    }
    const answer = await previous(method, payload, signal)
    if (isBackground && !answer.ok && answer.error_code === 429) {
      this.#onRefusal(chat, (parseRetryAfter(answer.parameters?.retry_after) ?? 1) * 1_000)
    }
    return answer
  }

  /** Other errors are not retried: a message may have been sent despite a timeout or a status 5xx. */
  readonly #retry: Transformer = (previous, method, payload, signal) =>
    method === 'getUpdates' || this.#policy.getStore() !== undefined
      ? previous(method, payload, signal)
      : retryLater(previous, method, payload, signal)

  #countMessage(chat: string): void {
    this.#overall.spend()
    this.#countInChat(chat)
  }

  #countInChat(chat: string): void {
    if (!isShared(chat)) return
    const bucket = this.#chats.get(chat) ?? new TokenBucket({ ...inChat, now: this.#now })
    bucket.spend()
    this.#chats.set(chat, bucket)
  }

  /** Pauses after a 429, which does not say whether it is for the chat or the bot: if several chats get one, it is the bot. */
  #onRefusal(chat: string, ms: number): void {
    // The answers in this group have used up its own limit.
    if ((this.#chats.get(chat)?.wait() ?? 0) > 0) return
    const now = this.#now()
    const others = this.#refusals.filter(
      (each) => each.chat !== chat && now - each.at < refusalsCountFor,
    )
    this.#refusals = [...others, { chat, at: now }]
    const isOverall = this.#refusals.length > maxRefusedChats
    this.#overall.pause(Math.min(ms, isOverall ? maxPause : chatPause))
  }
}

/** Retries after a 429, if the wait is at most 30 s. */
const retryLater = autoRetry({
  maxRetryAttempts: 3,
  maxDelaySeconds: 30,
  rethrowHttpErrors: true,
  rethrowInternalServerErrors: true,
})

/** Groups and channels have negative ids. */
function isShared(chat: string): boolean {
  return chat.startsWith('-')
}

function isCounted(method: string): boolean {
  return /^(?:send|edit|copy|forward)/u.test(method) && method !== 'sendChatAction'
}

function chatOf(payload: object): string {
  return 'chat_id' in payload ? String(payload.chat_id) : ''
}
