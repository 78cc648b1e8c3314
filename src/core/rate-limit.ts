import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from './command.ts'
import { boundedPause } from './retry.ts'

/** How many commands are heard within ten seconds. */
export interface FloodLimits {
  person: number
  chat: number
}

export interface Flood {
  /** Until the next command is heard. */
  seconds: number
  /** The same was said already since the flood began. */
  told: boolean
}

/** Makes what counts: `points` within so many seconds, under names of its own. */
export type Limiters = (name: string, points: number, seconds: number) => RateLimiterAbstract

const window = 10

/** Counts in this process alone. */
const inMemory: Limiters = (keyPrefix, points, duration) =>
  new RateLimiterMemory({ keyPrefix, points, duration })

/** Counts what people and chats send, and says who sends too much. */
export class FloodControl {
  readonly #person: RateLimiterAbstract
  readonly #chat: RateLimiterAbstract

  constructor({ person, chat }: FloodLimits, limiters = inMemory) {
    this.#person = limiters('person', person, window)
    this.#chat = limiters('chat', chat, window)
  }

  /** Undefined where the turn may be heard. A person over their own limit does not use up that of the chat. */
  async count({ platform, user, chat }: Context): Promise<Flood | undefined> {
    return (
      (await consumed(this.#person, `${platform}:${user}`)) ??
      (await consumed(this.#chat, `${platform}:${chat}`))
    )
  }
}

async function consumed(limiter: RateLimiterAbstract, key: string): Promise<Flood | undefined> {
  try {
    await limiter.consume(key)
    return undefined
  } catch (limit) {
    if (!(limit instanceof RateLimiterRes)) throw limit
    return {
      seconds: Math.ceil(limit.msBeforeNext / 1000),
      told: limit.consumedPoints > limiter.points + 1,
    }
  }
}

interface TokenBucketParts {
  /** How many messages a second, in the long run. */
  perSecond: number
  /** How many may go at once after a pause. */
  burst: number
  /** Milliseconds on a clock that never jumps. */
  now: () => number
}

/**
 * What a platform permits a bot to send in all, as a token bucket. What people wait for is counted and goes at once;
 * what nobody waits for asks for room, and so yields to it.
 */
export class TokenBucket {
  readonly #parts: TokenBucketParts
  #left: number
  #at: number
  #heldUntil = 0

  constructor(parts: TokenBucketParts) {
    this.#parts = parts
    this.#left = parts.burst
    this.#at = parts.now()
  }

  /**
   * Counts messages that go at once. What is owed to them is never more than a second's worth: more than that the
   * platform itself would not let through.
   */
  tryAcquire(count = 1): void {
    this.#refill()
    this.#left = Math.max(this.#left - count, -this.#parts.perSecond)
  }

  /** Whole milliseconds until one more message may begin; 0 takes that place. */
  available(): number {
    const wait = this.wait()
    if (wait === 0) this.#left -= 1
    return wait
  }

  /** Whole milliseconds until there is room. */
  wait(): number {
    const now = this.#refill()
    if (now < this.#heldUntil) return Math.ceil(this.#heldUntil - now)
    return Math.max(0, Math.ceil(((1 - this.#left) * 1000) / this.#parts.perSecond))
  }

  /** Gives no room for this many milliseconds: the platform said so. */
  pause(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#parts.now() + boundedPause(ms))
  }

  #refill(): number {
    const { perSecond, burst, now } = this.#parts
    const at = now()
    this.#left = Math.min(burst, this.#left + ((at - this.#at) * perSecond) / 1000)
    this.#at = at
    return at
  }
}
