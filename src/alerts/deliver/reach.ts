import type { ConnectionState } from '../../chat/platform.ts'
import type { Logger } from '../../log.ts'

interface ReachParts {
  /** As it is called in the log. */
  platform: string
  log: Logger
  /** Milliseconds on a clock that never jumps. */
  now: () => number
}

/** Faults in a row after which it is the platform that fails, not a message. */
const faultsUntilDown = 3
const firstPauseMs = 1000
const longestPauseMs = 30_000
/** What brings updates back tells when it is over: until then only rarely is a message risked. */
const disconnectedPauseMs = 600_000
/** While others can be tried, or for so long, what may be there already keeps the one try that it has left. */
const uncertainPauseMs = 600_000

/**
 * Whether a platform takes messages at all. While it does not, one is tried from time to time and the others wait,
 * so that an outage uses up nobody's tries; the log says once that it began and once that it ended.
 */
export class Reach {
  readonly #parts: ReachParts
  #faults = 0
  #pauseMs = firstPauseMs
  #nextTry = 0
  #failedAt = 0
  #isDown = false
  #isConnected = true

  constructor(parts: ReachParts) {
    this.#parts = parts
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** Whether what may be there already can be sent once more: not to find out that the platform is still down. */
  get mayRepeat(): boolean {
    return !this.#isDown || this.#parts.now() >= this.#failedAt + uncertainPauseMs
  }

  /** Milliseconds until the next message may be tried; 0 is now. */
  wait(state: ConnectionState): number {
    // On standby it is another replica that hears of an outage first; what is sent here goes its own way.
    const isConnected = state === 'connected' || state === 'standby'
    if (this.#isConnected && !isConnected) this.#goDown(disconnectedPauseMs, state)
    const isBack = !this.#isConnected && isConnected
    this.#isConnected = isConnected
    if (isBack) this.#reconnected()
    return Math.max(0, Math.ceil(this.#nextTry - this.#parts.now()))
  }

  /** A message got no answer, or one that tells of a fault of the platform's own. */
  failed(reason: string): void {
    this.#faults += 1
    this.#failedAt = this.#parts.now()
    if (this.#faults < faultsUntilDown && !this.#isDown) return
    // Several were under way at once: they failed of the same.
    if (this.#parts.now() < this.#nextTry) return
    this.#goDown(this.#isConnected ? this.#pauseMs : disconnectedPauseMs, reason)
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2)
  }

  /** The platform took a message, or said properly why not. */
  answered(): void {
    this.#faults = 0
    this.#pauseMs = firstPauseMs
    this.#nextTry = 0
    if (!this.#isDown) return
    this.#isDown = false
    const { platform, log } = this.#parts
    log.info({ platform }, 'alerts go out again')
  }

  /** What brings updates is back: so may be what takes messages. */
  #reconnected(): void {
    if (this.#faults < faultsUntilDown) this.answered()
    else {
      this.#nextTry = 0
      this.#failedAt = Number.NEGATIVE_INFINITY
    }
  }

  #goDown(pauseMs: number, reason: string): void {
    this.#failedAt = this.#parts.now()
    this.#nextTry = this.#failedAt + pauseMs
    if (this.#isDown) return
    this.#isDown = true
    const { platform, log } = this.#parts
    log.warn({ platform, reason }, 'alerts wait: the platform can’t be reached')
  }
}
