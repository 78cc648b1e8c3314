import type { Transformer } from 'grammy'
import { LRUCache } from 'lru-cache'
import type { ChatAddress } from '../core/adapter.ts'
import type { PubSub } from '../core/pubsub.ts'
import { TokenBucket } from '../core/rate-limit.ts'
import { parseRetryAfter } from '../core/retry.ts'

/** Telegram permits 30 messages a second in all: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
const perSecond = 29.7
/** Little enough that calls which the network bunches up stay within what Telegram lets through at once. */
const burst = 8
/** Seconds: one message a second to a person, and 20 a minute to a group or channel. */
const gaps = { person: 1.1, chat: 3.1 }
/** A group's or channel's own 20 a minute, of which answers there may leave little. */
const inChat = { perSecond: 0.32, burst: 16 }
const maxChats = 10_000
/** Milliseconds without alerts after a refusal that may be one chat's own. */
const shortHold = 1_000
/** More chats than this that are refused within so many milliseconds were not refused each for itself. */
const maxByChance = 2
const refusalsCountFor = 2_000
/** What is wanted for longer than this is said again; and nothing that is said wrongly stops alerts for good. */
const maxHold = 60_000
/** Alerts that wait for the same upload; the next ones are asked to come again instead of piling up behind it. */
const maxWaiting = 4
const uploadPause = 25

interface Refusal {
  chat: string
  at: number
}

interface PacingParts {
  /** Milliseconds on a clock that never jumps. */
  now: () => number
  /** How many calls wait for a picture that is on its way up. */
  uploads: { readonly waiting: number }
  pubsub: PubSub
}

/**
 * Keeps what nobody waits for within what Telegram permits, after all that people wait for, here and in other
 * replicas: one of them alone sends what asks for room.
 */
export class Pacing {
  readonly #now: () => number
  readonly #allowance: TokenBucket
  readonly #chats = new LRUCache<string, TokenBucket>({ max: maxChats })
  readonly #uploads: { readonly waiting: number }
  readonly #pubsub: PubSub
  /** Places that were taken and not used yet. */
  #granted = 0
  #refused: readonly Refusal[] = []

  constructor({ now, uploads, pubsub }: PacingParts) {
    this.#now = now
    this.#uploads = uploads
    this.#pubsub = pubsub
    this.#allowance = new TokenBucket({ perSecond, burst, now })
    pubsub.subscribe('telegram', (chats) => {
      for (const chat of chats) this.#count(chat)
    })
  }

  room(): number {
    if (this.#uploads.waiting >= maxWaiting) return uploadPause
    const wait = this.#allowance.available()
    if (wait === 0) this.#granted += 1
    return wait
  }

  gap({ id }: ChatAddress): number {
    if (!isShared(id)) return gaps.person
    return Math.max(gaps.chat, (this.#chats.get(id)?.wait() ?? 0) / 1_000)
  }

  /** Counts the calls that people wait for. */
  readonly asked: Transformer = (previous, method, payload, signal) => {
    if (isCounted(method)) this.#countOwn(chatOf(payload))
    return previous(method, payload, signal)
  }

  /**
   * Counts the calls that nobody waits for: those for which there was room are counted already. Their refusals alone
   * say anything of the bot as a whole: whoever asks for many answers is refused for that.
   */
  readonly unasked: Transformer = async (previous, method, payload, signal) => {
    if (!isCounted(method)) return previous(method, payload, signal)
    if (this.#granted > 0) {
      this.#granted -= 1
      this.#countIn(chatOf(payload))
    } else {
      this.#countOwn(chatOf(payload))
    }
    const answer = await previous(method, payload, signal)
    if (!answer.ok && answer.error_code === 429) {
      this.#refuse(chatOf(payload), (parseRetryAfter(answer.parameters?.retry_after) ?? 1) * 1_000)
    }
    return answer
  }

  #countOwn(chat: string): void {
    this.#count(chat)
    this.#pubsub.publish('telegram', chat)
  }

  #count(chat: string): void {
    this.#allowance.tryAcquire()
    this.#countIn(chat)
  }

  #countIn(chat: string): void {
    if (!isShared(chat)) return
    const allowance = this.#chats.get(chat) ?? new TokenBucket({ ...inChat, now: this.#now })
    allowance.tryAcquire()
    this.#chats.set(chat, allowance)
  }

  /** A 429 does not say whether it is for one chat or for the bot: several chats within a moment say so. */
  #refuse(chat: string, ms: number): void {
    // Answers have used up what this group is permitted.
    if ((this.#chats.get(chat)?.wait() ?? 0) > 0) return
    const now = this.#now()
    const others = this.#refused.filter(
      (each) => each.chat !== chat && now - each.at < refusalsCountFor,
    )
    this.#refused = [...others, { chat, at: now }]
    const isForAll = this.#refused.length > maxByChance
    this.#allowance.pause(Math.min(ms, isForAll ? maxHold : shortHold))
  }
}

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
