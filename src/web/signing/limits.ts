import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/**
 * How often links may be asked for. A proxy makes everybody one address, so what is counted is each link that exists,
 * and, all together, those that don't: guessing slows down nobody else.
 */
export class LinkLimits {
  /** A page that waits asks every two seconds; several may be open. */
  readonly #known = new RateLimiterMemory({ points: 240, duration: 60 })
  readonly #unknown = new RateLimiterMemory({ points: 120, duration: 60 })

  /** Counts one request for this link; false when there were too many. */
  allows(token: string): Promise<boolean> {
    return passes(this.#known.consume(token))
  }

  /** Counts one request for a link that turned out not to exist; false when there were too many of them. */
  async allowsUnknown(token: string): Promise<boolean> {
    // A guess leaves nothing behind in memory.
    await this.#known.delete(token)
    return passes(this.#unknown.consume('all'))
  }
}

async function passes(consumed: Promise<RateLimiterRes>): Promise<boolean> {
  try {
    await consumed
    return true
  } catch (refused) {
    if (refused instanceof Error) throw refused
    return false
  }
}
