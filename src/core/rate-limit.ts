import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from './command.ts'
import { boundedPause } from './task.ts'

/** Commands that are answered within ten seconds, per person and per chat. */
export interface FloodLimits {
  person: number
  chat: number
}

export interface Flood {
  /** Seconds until the next command is answered. */
  seconds: number
  /** An earlier command of this flood was already refused. */
  isRepeated: boolean
}

/** Makes a limiter that allows `points` within `seconds`; `name` keeps its keys apart from those of others. */
export type Limiters = (name: string, points: number, seconds: number) => RateLimiterAbstract

const windowSeconds = 10

/** Limiters that count in this process only. */
const inMemory: Limiters = (keyPrefix, points, duration) =>
  new RateLimiterMemory({ keyPrefix, points, duration })

/** Limits the commands of people and chats. */
export class FloodControl {
  readonly #person: RateLimiterAbstract
  readonly #chat: RateLimiterAbstract

  constructor({ person, chat }: FloodLimits, limiters = inMemory) {
    this.#person = limiters('person', person, windowSeconds)
    this.#chat = limiters('chat', chat, windowSeconds)
  }

  /** Counts a command; undefined if it may be answered. A person over their own limit does not use up that of the chat. */
  async count({ platform, user, chat }: Context): Promise<Flood | undefined> {
    return (
      (await consume(this.#person, `${platform.name}:${user}`)) ??
      (await consume(this.#chat, `${platform.name}:${chat}`))
    )
  }
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<Flood | undefined> {
  try {
    await limiter.consume(key)
    return undefined
  } catch (exceeded) {
    if (!(exceeded instanceof RateLimiterRes)) throw exceeded
    return {
      seconds: Math.ceil(exceeded.msBeforeNext / 1000),
      isRepeated: exceeded.consumedPoints > limiter.points + 1,
    }
  }
}

interface TokenBucketParts {
  /** Messages a second on average. */
  perSecond: number
  /** Messages that may be sent at once after a pause. */
  burst: number
  /** Milliseconds on a clock that never jumps. */
  now: () => number
}

/**
 * A token bucket for a platform's overall limit. Messages that people wait for are counted and sent at once; others wait
 * until there is capacity, and so yield to them.
 * @example
 *   const bucket = new TokenBucket({ perSecond: 30, burst: 8, now: () => performance.now() })
 *   bucket.tryAcquire() // an answer: sent at once
 *   const wait = bucket.available() // an alert: 0, or milliseconds to wait
 */
export class TokenBucket {
  readonly #parts: TokenBucketParts
  #tokens: number
  #refilledAt: number
  #pausedUntil = 0

  constructor(parts: TokenBucketParts) {
    this.#parts = parts
    this.#tokens = parts.burst
    this.#refilledAt = parts.now()
  }

  /**
   * Counts messages that are sent at once. The bucket never owes more than a second's worth: the platform itself would not
   * let more through.
   */
  spend(count = 1): void {
    this.#refill()
    this.#tokens = Math.max(this.#tokens - count, -this.#parts.perSecond)
  }

  /** Whole milliseconds until one more message may be sent; 0 takes a token for it. */
  tryAcquire(): number {
    const wait = this.wait()
    if (wait === 0) this.#tokens -= 1
    return wait
  }

  /** Whole milliseconds until there is a token. */
  wait(): number {
    const now = this.#refill()
    if (now < this.#pausedUntil) return Math.ceil(this.#pausedUntil - now)
    return Math.max(0, Math.ceil(((1 - this.#tokens) * 1000) / this.#parts.perSecond))
  }

  /** Gives no tokens for this many milliseconds, as the platform asked. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#parts.now() + boundedPause(ms))
  }

  #refill(): number {
    const { perSecond, burst, now } = this.#parts
    const at = now()
    this.#tokens = Math.min(burst, this.#tokens + ((at - this.#refilledAt) * perSecond) / 1000)
    this.#refilledAt = at
    return at
  }
}
