import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** What a link is asked for. */
export type Purpose = 'request' | 'progress' | 'picture' | 'qr' | 'claim' | 'report'

/**
 * How often links may be asked for. A proxy makes everybody one address, so what is counted is each link that exists,
 * and, all together, those that don't: guessing slows down nobody else. Each purpose is counted by itself: pages that
 * wait don't use up what the launcher needs to open the link, to ask, and to report.
 */
export class LinkLimits {
  /** A page that waits asks every two seconds; several may be open. */
  readonly #known = new RateLimiterMemory({ points: 240, duration: 60 })
  readonly #unknown = new RateLimiterMemory({ points: 120, duration: 60 })

  /** Counts one request for this link; false when there were too many with this purpose. */
  allows(token: string, purpose: Purpose): Promise<boolean> {
    return passes(this.#known.consume(`${purpose} ${token}`))
  }

  /** Counts one request for a link that turned out not to exist; false when there were too many of them. */
  async allowsUnknown(token: string, purpose: Purpose): Promise<boolean> {
    // A guess leaves nothing behind in memory.
    await this.#known.delete(`${purpose} ${token}`)
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
