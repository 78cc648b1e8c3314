import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Turn } from './command.ts'

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
export class Floods {
  readonly #person: RateLimiterAbstract
  readonly #chat: RateLimiterAbstract

  constructor({ person, chat }: FloodLimits, limiters = inMemory) {
    this.#person = limiters('person', person, window)
    this.#chat = limiters('chat', chat, window)
  }

  /** Undefined where the turn may be heard. A person over their own limit does not use up that of the chat. */
  async count({ platform, person, place }: Turn): Promise<Flood | undefined> {
    return (
      (await consumed(this.#person, `${platform}:${person}`)) ??
      (await consumed(this.#chat, `${platform}:${place}`))
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
