import { LRUCache } from 'lru-cache'
import { messageOf } from '../errors.ts'
import { type Logger, OutageLog } from '../log.ts'
import {
  type ChatAddress,
  type ConnectionState,
  NotSentError,
  SendError,
  type SendHealth,
} from './adapter.ts'
import type { PlatformName } from './command.ts'
import { backoff } from './task.ts'

/** Messages in a row without an answer, or that are refused, after which it is the platform; fewer may be single messages. */
const maxFailures = 3
/** Pauses between probes (single messages) while no message is answered: doubled up to the maximum. */
const firstProbePauseMs = 1_000
const maxProbePauseMs = 30_000
/**
 * Milliseconds between probes while the connection for updates is down. It shows by itself that the platform is back, so
 * sending is rarely worth trying before.
 */
const disconnectedProbePauseMs = 600_000
/** An uncertain message has one retry left; during an outage it is not tried for this many milliseconds. */
const uncertainOutageMs = 600_000
/**
 * Milliseconds for which a platform counts as refusing after the last refusal: if nothing is sent, nothing shows that it
 * accepts again.
 */
const refusingMs = 120_000
/** Messages of a chat that are refused in a row, for reasons that are not known, until the chat counts as their cause. */
const maxRefusedByChat = 5
/** Chats that may refuse, without one that accepts, until the messages are taken for the cause. */
const maxRefusingChats = 3
const maxChats = 10_000

interface HealthParts {
  platform: PlatformName
  log: Logger
  /** Whether an error is an answer of the platform's that shows whether it takes messages, rather than none. */
  isAnswered: (cause: unknown) => boolean
  /** Milliseconds on a clock that never jumps. */
  now?: (() => number) | undefined
}

/**
 * Tracks whether a platform answers, and since when it does not, by its connection for updates and its answers to messages.
 * While it does not, only single messages are worth trying, so that an outage doesn't use up the attempts of others.
 * @example
 *   await health.watch(to, adapterSends(to, view)) // notes the outcome
 *   if (health.wait() === 0) sendTheNext()
 */
export class PlatformHealth implements SendHealth {
  readonly #now: () => number
  readonly #isAnswered: HealthParts['isAnswered']
  readonly #connectionLog: OutageLog
  readonly #answerLog: OutageLog
  readonly #acceptanceLog: OutageLog
  #connection: ConnectionState = 'starting'
  /** Messages in a row without an answer. */
  #unanswered = 0
  #lastUnansweredAt = Number.NEGATIVE_INFINITY
  #downSince: number | undefined
  #probes = 0
  #nextProbeAt = 0
  /** Messages in a row that the platform did not take. */
  #refused = 0
  #refusedAt = Number.NEGATIVE_INFINITY
  readonly #refusedByChat = new LRUCache<string, number>({ max: maxChats })
  /** Chats that have refused since one has accepted. */
  readonly #refusingChats = new Set<string>()

  constructor({ platform, log, isAnswered, now = () => performance.now() }: HealthParts) {
    this.#now = now
    this.#isAnswered = isAnswered
    this.#connectionLog = new OutageLog({
      begins: (err) => log.warn({ err }, `${platform} does not answer; trying again`),
      ends: () => log.info(`${platform} is back`),
    })
    this.#answerLog = new OutageLog({
      begins: (reason) =>
        log.warn({ platform, reason }, 'alerts wait: the platform can’t be reached'),
      ends: () => log.info({ platform }, 'alerts go out again'),
    })
    this.#acceptanceLog = new OutageLog({
      begins: (err) => log.error({ err }, `${platform} accepts none of the bot’s messages`),
      ends: () => log.info(`${platform} accepts the bot’s messages again`),
    })
  }

  /** For /healthz and /readyz. */
  get state(): ConnectionState {
    const isRefusing = this.#refused >= maxFailures && this.#now() - this.#refusedAt < refusingMs
    return isRefusing && this.#isConnected ? 'refusing' : this.#connection
  }

  /** State of the connection for updates alone. */
  get connection(): ConnectionState {
    return this.#connection
  }

  /** Whether messages get no answer. */
  get isDown(): boolean {
    return this.#downSince !== undefined
  }

  /** Time on the clock since which messages get no answer; undefined if they do. */
  get downSince(): number | undefined {
    return this.#downSince
  }

  get mayRetryUncertain(): boolean {
    return !this.isDown || this.#now() >= this.#lastUnansweredAt + uncertainOutageMs
  }

  wait(): number {
    return this.isDown ? Math.max(0, Math.ceil(this.#nextProbeAt - this.#now())) : 0
  }

  /** Notes whether the platform answers what asks for updates, or checks the connection. */
  checked(error: unknown): void {
    if (error === undefined) this.#connectionLog.worked()
    else this.#connectionLog.failed(error)
  }

  /** Notes the state of the connection for updates. */
  setConnection(state: ConnectionState): void {
    const wasConnected = this.#isConnected
    this.#connection = state
    if (wasConnected && state === 'reconnecting') this.#goDown(disconnectedProbePauseMs, state)
    if (wasConnected || !this.#isConnected || !this.isDown) return
    // Sending may work again, too.
    if (this.#unanswered < maxFailures) this.answered()
    else {
      this.#nextProbeAt = 0
      this.#lastUnansweredAt = Number.NEGATIVE_INFINITY
    }
  }

  /** Notes the outcome of a message. @throws what `sending` throws */
  async watch<T>(to: ChatAddress, sending: Promise<T>): Promise<T> {
    try {
      const sent = await sending
      this.accepted()
      this.#refusedByChat.delete(keyOf(to))
      this.#refusingChats.clear()
      return sent
    } catch (error) {
      this.failed(error)
      if (error instanceof SendError && error.isUnknown) this.#countRefusal(keyOf(to))
      throw error
    }
  }

  /** Notes that the platform took a message. */
  accepted(): void {
    this.answered()
    this.#refused = 0
    this.#acceptanceLog.worked()
  }

  /** Notes an answer of the platform, of whatever kind. */
  answered(): void {
    this.#unanswered = 0
    this.#probes = 0
    this.#downSince = undefined
    this.#answerLog.worked()
  }

  /** Notes a message that was not sent. Refusals that are about a chat or the contents say that the platform works. */
  failed(error: unknown): void {
    if (error instanceof NotSentError) return
    const isRefusal = error instanceof SendError && isAnswer(error)
    if (isRefusal) this.answered()
    else this.#countUnanswered(error)
    const cause = error instanceof SendError ? error.cause : error
    if (!this.#isAnswered(cause) || (isRefusal && !isFinalUnknown(error))) return
    this.#refused += 1
    this.#refusedAt = this.#now()
    if (this.#refused >= maxFailures) this.#acceptanceLog.failed(cause)
  }

  /** Starts to count anew once it says so. */
  isChatToBlame(to: ChatAddress): boolean {
    const chat = keyOf(to)
    if ((this.#refusedByChat.get(chat) ?? 0) < maxRefusedByChat) return false
    this.#refusedByChat.delete(chat)
    this.#refusingChats.delete(chat)
    return true
  }

  get #isConnected(): boolean {
    // On standby another process has the connection; sending does not depend on it.
    return this.#connection === 'connected' || this.#connection === 'standby'
  }

  #countUnanswered(error: unknown): void {
    this.#unanswered += 1
    this.#lastUnansweredAt = this.#now()
    if (this.#unanswered < maxFailures && !this.isDown) return
    // Messages that were under way together fail together: they make one pause.
    if (this.wait() > 0) return
    this.#probes += 1
    const pause = backoff(this.#probes, firstProbePauseMs, maxProbePauseMs)
    this.#goDown(this.#isConnected ? pause : disconnectedProbePauseMs, error)
  }

  #goDown(pauseMs: number, error: unknown): void {
    const now = this.#now()
    this.#lastUnansweredAt = now
    this.#nextProbeAt = now + pauseMs
    this.#downSince ??= now
    this.#answerLog.failed(error instanceof Error ? messageOf(error) : error)
  }

  #countRefusal(chat: string): void {
    if (this.#refusingChats.size <= maxRefusingChats) this.#refusingChats.add(chat)
    if (this.#refusingChats.size > maxRefusingChats) return
    this.#refusedByChat.set(chat, (this.#refusedByChat.get(chat) ?? 0) + 1)
  }
}

/** Whether the platform works, though it refused this message: it said so properly. */
function isAnswer({ final, retryAfter, loss, movedTo }: SendError): boolean {
  return final || retryAfter !== undefined || loss !== undefined || movedTo !== undefined
}

function isFinalUnknown({ isUnknown, loss, movedTo, retryAfter }: SendError): boolean {
  return isUnknown && loss === undefined && movedTo === undefined && retryAfter === undefined
}

function keyOf({ id, thread = '' }: ChatAddress): string {
  return `${id} ${thread}`
}
