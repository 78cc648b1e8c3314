import { AsyncLocalStorage } from 'node:async_hooks'
import { type ApiCallFn, GrammyError, type Transformer } from 'grammy'
import type { ApiError } from 'grammy/types'
import { type AdapterParts, type ChatAddress, NotSentError } from '../core/adapter.ts'
import { type ChatLimit, type Priority, SendQueue } from '../core/send-queue.ts'
import { backoff, parseRetryAfter, retry } from '../core/task.ts'
import { TokenBucket } from '../core/token-bucket.ts'
import { isBroken } from './errors.ts'
import type { MessageLimits } from './platform.ts'

/** Just below Telegram's limits, because the network bunches calls up. */
const usedPart = 0.99
/** Messages at once, as a part of those of a second: few enough that bunched calls stay within what Telegram accepts. */
const burstPart = 0.27
/** Telegram permits short bursts: this many times what it permits in a second, in a little more than as many seconds. */
const personBurst = 4
const burstMs = 4_200
/** Seconds between alerts to one chat. */
const gaps = { person: 1.1, chat: 3.1 }
/** Maximum alerts that wait for an upload of the same picture; `msUntilSlot` makes further ones wait `uploadPause` ms. */
const maxWaiting = 4
const uploadPause = 25
/** Signs of typing a second: Telegram refuses these, too, where there are too many. */
const maxTyping = 20
/**
 * Maximum milliseconds for which an answer is retried after 429s and a chat is paused, and for which other calls are retried,
 * such as those that answer presses.
 */
const maxHold = 10 * 60_000
const maxShortHold = 60_000
/** Milliseconds for which an answer is retried that Telegram failed to send, or that did not reach it. */
const throughFaults = 15_000
/** Milliseconds that a background message waits for its turn: well below the time after which an alert without a result is sent again. */
const backgroundWait = 10_000

/**
 * How a call is made. An answer waits for its turn, and is retried. An interim view is left out if it would have to wait. A message
 * in the background goes behind the answers; its sender retries it.
 */
type CallPolicy = 'answer' | 'interim' | 'background'

interface PacingParts {
  limits: MessageLimits
  /** Milliseconds on a clock that never jumps. */
  now: () => number
  /** Number of calls that wait for a picture's upload. */
  uploads: { readonly waiting: number }
  share?: AdapterParts['share'] | undefined
}

/**
 * Makes the calls of an API client keep Telegram's limits. grammY's auto-retry and throttler would do that for one kind of message;
 * here answers go before alerts, which get what is left.
 */
export class Pacing {
  readonly #queue: SendQueue
  readonly #typing: TokenBucket
  readonly #uploads: { readonly waiting: number }
  readonly #now: () => number
  readonly #policy = new AsyncLocalStorage<CallPolicy>()

  constructor({ limits, now, uploads, share = () => 1 }: PacingParts) {
    this.#now = now
    this.#uploads = uploads
    this.#typing = new TokenBucket({ perSecond: maxTyping, burst: maxTyping, now })
    this.#queue = new SendQueue({
      now,
      share,
      perSecond: limits.all * usedPart,
      burst: Math.max(1, limits.all * burstPart),
      chatLimits: (chat) => limitsOf(chat, limits, share()),
    })
  }

  /** Makes the calls of `work` by this policy; all others are answers. */
  run<T>(policy: CallPolicy, work: () => Promise<T>): Promise<T> {
    return this.#policy.run(policy, work)
  }

  msUntilSlot(): number {
    return this.#uploads.waiting >= maxWaiting ? uploadPause : this.#queue.msUntilSlot()
  }

  waiting(): Record<Priority, number> {
    return this.#queue.waiting()
  }

  gap({ id }: ChatAddress): number {
    return Math.max(
      isShared(id) ? gaps.chat : gaps.person,
      this.#queue.hold('background', id) / 1_000,
    )
  }

  /** Ends all waits. */
  close(): void {
    this.#queue.close()
  }

  /**
   * For the client's `config.use`: makes each call once its turn has come. An answer is tried again after a 429, and for some
   * seconds after a fault of Telegram's or of the connection: it may come twice then, which is better than never.
   * @throws NotSentError if its turn does not come soon enough; GrammyError, HttpError
   */
  readonly transformer: Transformer = async (previous, method, payload, signal) => {
    if (method === 'getUpdates') return previous(method, payload, signal)
    if (method === 'sendChatAction' && !this.#typing.tryTake()) throw new NotSentError(1)
    const policy = this.#policy.getStore() ?? 'answer'
    const chat = isCounted(method) ? chatOf(payload) : undefined
    const startedAt = this.#now()
    const call = async () => {
      if (chat !== undefined) await this.#turn(policy, method, chat)
      const answer = await previous(method, payload, signal)
      if (chat !== undefined) this.#note(policy, chat, answer)
      if (!answer.ok) throw new GrammyError(`Call to '${method}' failed!`, answer, method, payload)
      return answer
    }
    return retry(call, {
      canRetry: (error) => {
        if (policy !== 'answer') return false
        const ms = refusedFor(error)
        const spent = this.#now() - startedAt
        if (ms !== undefined) return spent + ms <= (chat === undefined ? maxShortHold : maxHold)
        return chat !== undefined && isFault(error) && spent < throughFaults
      },
      pause: (failures, error) => {
        const ms = refusedFor(error)
        if (ms === undefined) return backoff(failures, 500, 8_000)
        // A message waits for its turn anyway.
        return chat === undefined ? ms : 0
      },
    })
  }

  #note(policy: CallPolicy, chat: string, answer: Awaited<ReturnType<ApiCallFn>>): void {
    if (answer.ok) this.#queue.accepted(chat)
    else if (answer.error_code === 429 && policy !== 'interim') {
      // However long it says: one wrong number must not silence a chat for a day.
      this.#queue.pauseChat(policy, chat, Math.min(waitOf(answer), maxHold))
    }
  }

  /** Waits for the turn of a message or edit. @throws NotSentError if it has to wait too long, an interim view if at all */
  async #turn(policy: CallPolicy, method: string, chat: string): Promise<void> {
    const background = policy === 'background'
    const wait = this.#queue.hold(background ? policy : 'answer', chat)
    if (policy === 'interim') {
      if (!this.#queue.tryAcquire(chat, true)) throw new NotSentError(wait / 1_000)
      return
    }
    if (wait > (background ? backgroundWait : maxHold)) throw new NotSentError(wait / 1_000)
    if (!background) {
      await this.#queue.acquire(method.startsWith('edit') ? 'edit' : policy, chat)
      return
    }
    const signal = AbortSignal.timeout(backgroundWait)
    await this.#queue.acquire(policy, chat, signal).catch((error: unknown) => {
      throw signal.aborted ? new NotSentError(1) : error
    })
  }
}

/** Milliseconds for which Telegram takes no further call; undefined if the error is no 429. */
function refusedFor(error: unknown): number | undefined {
  return error instanceof GrammyError && error.error_code === 429 ? waitOf(error) : undefined
}

function waitOf({ parameters }: Pick<ApiError, 'parameters'>): number {
  return (parseRetryAfter(parameters?.retry_after) ?? 1) * 1_000
}

function isFault(error: unknown): boolean {
  return isBroken(error) || (error instanceof GrammyError && error.error_code >= 500)
}

/**
 * The limits of a chat for a process that may use `share` of them. For a group's messages a minute it is that share:
 * Telegram counts them strictly. For messages a second it is twice that, because load balancers don't spread evenly.
 */
function limitsOf(chat: string, { person, group }: MessageLimits, share: number): ChatLimit[] {
  // A message that was sent through inline mode is in no chat of the bot's.
  if (chat === '') return []
  const burst = Math.floor(personBurst * person)
  const atOnce = Math.max(1, Math.min(burst, Math.ceil(2 * burst * share)))
  const aMinute = Math.max(1, Math.floor((group - 1) * share))
  return [
    { count: atOnce, ms: burstMs, reserve: 1 },
    ...(isShared(chat) ? [{ count: aMinute, ms: 61_000, reserve: Math.floor(aMinute / 2) }] : []),
  ]
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
