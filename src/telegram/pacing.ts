import { AsyncLocalStorage } from 'node:async_hooks'
import { autoRetry } from '@grammyjs/auto-retry'
import type { Transformer } from 'grammy'
import { LRUCache } from 'lru-cache'
import type { ChatAddress } from '../core/adapter.ts'
import type { PubSub } from '../core/pubsub.ts'
import { TokenBucket } from '../core/rate-limit.ts'
import { parseRetryAfter } from '../core/retry.ts'

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
 * How a call is made that is no answer. An answer is retried after a 429; an interim view, which can be left out, and a message that nobody
 * waits for, which its sender retries, are not.
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
