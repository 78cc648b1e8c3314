import { LRUCache } from 'lru-cache'

const pauseMs = 60_000

/** The tokens whose cards were shown within the last minute in groups where nobody asked for them. */
export class ShownCards {
  readonly #shown: LRUCache<string, true>

  /** @param now milliseconds on a clock that never jumps */
  constructor(now: () => number = () => performance.now()) {
    this.#shown = new LRUCache({ max: 10_000, ttl: pauseMs, ttlResolution: 0, perf: { now } })
  }

  /** Notes that a token is shown in a chat; whether it was already. */
  noteShown(chat: string, token: string): boolean {
    const key = `${chat} ${token.toLowerCase()}`
    if (this.#shown.has(key)) return true
    this.#shown.set(key, true)
    return false
  }
}
