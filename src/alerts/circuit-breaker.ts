import { LRUCache } from 'lru-cache'
import type { ConnectionState } from '../core/adapter.ts'
import type { Logger } from '../log.ts'

interface CircuitBreakerParts {
  /** The platform's name in the log. */
  platform: string
  log: Logger
  /** Milliseconds of a monotonic clock. */
  now: () => number
}

/** Consecutive faults after which the platform counts as down; fewer may be due to single messages. */
const faultsUntilDown = 3
/** Pauses between probes (single messages) while sends fail: doubled up to the maximum. */
const firstProbePauseMs = 1000
const maxProbePauseMs = 30_000
/**
 * Milliseconds between probes while the platform's update connection is down. It reports its own recovery, so
 * sending is rarely worth trying before.
 */
const disconnectedProbePauseMs = 600_000
/** An uncertain delivery has one retry left; during an outage it is not tried for this many milliseconds. */
const uncertainOutageMs = 600_000

/**
 * Stops sending while a platform is unreachable. Only single messages are tried from time to time, so that an outage
 * doesn't use up the attempts of the others. Logs when an outage begins and when it ends.
 */
export class CircuitBreaker {
  readonly #parts: CircuitBreakerParts
  #faults = 0
  #probePauseMs = firstProbePauseMs
  #nextProbe = 0
  #failedAt = 0
  #isDown = false
  #isConnected = true

  constructor(parts: CircuitBreakerParts) {
    this.#parts = parts
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** Whether an uncertain delivery may be tried again now, rather than saved until the platform answers. */
  get mayRetryUncertain(): boolean {
    return !this.#isDown || this.#parts.now() >= this.#failedAt + uncertainOutageMs
  }

  /** Milliseconds until the next message may be tried; 0 for now. */
  wait(state: ConnectionState): number {
    // On standby another replica holds the update connection; sending does not depend on it. One that refuses messages takes
    // them again some day, which shows by sending.
    const isConnected = ['connected', 'standby', 'refusing'].includes(state)
    if (this.#isConnected && !isConnected) this.#goDown(disconnectedProbePauseMs, state)
    const isBack = !this.#isConnected && isConnected
    this.#isConnected = isConnected
    if (isBack) this.#reconnected()
    return Math.max(0, Math.ceil(this.#nextProbe - this.#parts.now()))
  }

  /** Records a send without an answer, or with one that shows a fault of the platform. */
  failed(reason: string): void {
    this.#faults += 1
    this.#failedAt = this.#parts.now()
    if (this.#faults < faultsUntilDown && !this.#isDown) return
    // Several sends were in progress at once and failed for the same reason; count the pause once.
    if (this.#parts.now() < this.#nextProbe) return
    this.#goDown(this.#isConnected ? this.#probePauseMs : disconnectedProbePauseMs, reason)
    this.#probePauseMs = Math.min(maxProbePauseMs, this.#probePauseMs * 2)
  }

  /** Records an answer of the platform, be it acceptance or a proper refusal. */
  answered(): void {
    this.#faults = 0
    this.#probePauseMs = firstProbePauseMs
    this.#nextProbe = 0
    if (!this.#isDown) return
    this.#isDown = false
    const { platform, log } = this.#parts
    log.info({ platform }, 'alerts go out again')
  }

  /** The update connection is back, so sending may work again. */
  #reconnected(): void {
    if (this.#faults < faultsUntilDown) this.answered()
    else {
      this.#nextProbe = 0
      this.#failedAt = Number.NEGATIVE_INFINITY
    }
  }

  #goDown(pauseMs: number, reason: string): void {
    this.#failedAt = this.#parts.now()
    this.#nextProbe = this.#failedAt + pauseMs
    if (this.#isDown) return
    this.#isDown = true
    const { platform, log } = this.#parts
    log.warn({ platform, reason }, 'alerts wait: the platform can’t be reached')
  }
}

/** Messages of a chat that are refused in a row, for reasons that are not known, until it is paused. */
const maxRefused = 5
/**
 * Chats that may refuse, without one that accepts, until the messages are taken for the cause: a mistake in them must not pause
 * every chat.
 */
const maxRefusing = 3
const maxCounted = 10_000

/** Counts messages that were refused for reasons that are not known, by the row of their chat, since the start of the process. */
export class Refusals {
  readonly #inARow = new LRUCache<number, number>({ max: maxCounted })
  /** Chats that have refused since one has accepted. */
  readonly #refusing = new Set<number>()

  /** Counts a refusal; returns whether the chat is to be paused. */
  count(chat: number): boolean {
    if (this.#refusing.size <= maxRefusing) this.#refusing.add(chat)
    if (this.#refusing.size > maxRefusing) return false
    const count = (this.#inARow.get(chat) ?? 0) + 1
    this.#inARow.set(chat, count)
    if (count < maxRefused) return false
    this.#inARow.delete(chat)
    this.#refusing.delete(chat)
    return true
  }

  /** Starts anew: the chat has accepted a message. */
  accepted(chat: number): void {
    this.#inARow.delete(chat)
    this.#refusing.clear()
  }
}
