import type { Transformer } from 'grammy'
import { LRUCache } from 'lru-cache'
import type { Destination } from '../core/adapter.ts'
import type { Bulletin } from '../core/pubsub.ts'
import { Allowance } from '../core/rate-limit.ts'
import { saidWait } from '../core/retry.ts'

/** Telegram permits 30 messages a second in all: https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
const perSecond = 29.7
/** Little enough that calls which the network bunches up stay within what Telegram lets through at once. */
const burst = 8
/** Seconds: one message a second to a person, and 20 a minute to a group or channel. */
const gaps = { person: 1.1, chat: 3.1 }
/** A group's or channel's own 20 a minute, of which answers there may leave little. */
const inChat = { perSecond: 0.32, burst: 16 }
const mostChats = 10_000
/** Milliseconds without alerts after a refusal that may be one chat's own. */
const shortHold = 1_000
/** More chats than this that are refused within so many milliseconds were not refused each for itself. */
const mostByChance = 2
const refusalsCountFor = 2_000
/** What is wanted for longer than this is said again; and nothing that is said wrongly stops alerts for good. */
const longestHold = 60_000
/** Alerts that wait for the same upload; the next ones are asked to come again instead of piling up behind it. */
const mostWaiting = 4
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
  bulletin: Bulletin
}

/**
 * Keeps what nobody waits for within what Telegram permits, after all that people wait for, here and in other
 * replicas: one of them alone sends what asks for room.
 */
export class Pacing {
  readonly #now: () => number
  readonly #allowance: Allowance
  readonly #chats = new LRUCache<string, Allowance>({ max: mostChats })
  readonly #uploads: { readonly waiting: number }
  readonly #bulletin: Bulletin
  /** Places that were taken and not used yet. */
  #granted = 0
  #refused: readonly Refusal[] = []

  constructor({ now, uploads, bulletin }: PacingParts) {
    this.#now = now
    this.#uploads = uploads
    this.#bulletin = bulletin
    this.#allowance = new Allowance({ perSecond, burst, now })
    bulletin.hear('telegram', (chats) => {
      for (const chat of chats) this.#count(chat)
    })
  }

  room(): number {
    if (this.#uploads.waiting >= mostWaiting) return uploadPause
    const wait = this.#allowance.room()
    if (wait === 0) this.#granted += 1
    return wait
  }

  gap({ id }: Destination): number {
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
      this.#refuse(chatOf(payload), (saidWait(answer.parameters?.retry_after) ?? 1) * 1_000)
    }
    return answer
  }

  #countOwn(chat: string): void {
    this.#count(chat)
    this.#bulletin.tell('telegram', chat)
  }

  #count(chat: string): void {
    this.#allowance.take()
    this.#countIn(chat)
  }

  #countIn(chat: string): void {
    if (!isShared(chat)) return
    const allowance = this.#chats.get(chat) ?? new Allowance({ ...inChat, now: this.#now })
    allowance.take()
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
    const isForAll = this.#refused.length > mostByChance
    this.#allowance.hold(Math.min(ms, isForAll ? longestHold : shortHold))
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
