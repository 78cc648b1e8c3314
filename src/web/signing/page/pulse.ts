/** Milliseconds between two polls (`gap`), and for how long before polls get rarer (`lasts`). */
const brisk = { gap: 1_500, lasts: 60_000 }
const eager = { first: 2_000, max: 15_000, growth: 1.3 }
const calm = 20_000

/** `brisk` polls evenly for a minute and then continues as `eager`. */
export type Pace = 'brisk' | 'eager' | 'calm' | 'stopped'

/** Polls less and less often, and not at all while the page is hidden. */
export class Poller {
  readonly #poll: () => Promise<Pace>
  #pace: Pace = 'calm'
  #gap = eager.first
  #since = Date.now()
  #timer: number | undefined
  #isPolling = false
  /** Whether something happened during the running poll that requires another one. */
  #pollAgain = false

  constructor(poll: () => Promise<Pace>) {
    this.#poll = poll
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) clearTimeout(this.#timer)
      else void this.now()
    })
    window.addEventListener('online', () => void this.now())
  }

  /** Polls now, and then often again. */
  now(): Promise<void> {
    this.#gap = eager.first
    this.#since = Date.now()
    return this.#run()
  }

  async #run(): Promise<void> {
    if (this.#isPolling) {
      this.#pollAgain = true
      return
    }
    this.#isPolling = true
    clearTimeout(this.#timer)
    try {
      this.#pace = await this.#poll()
    } finally {
      this.#isPolling = false
      if (this.#pollAgain) {
        this.#pollAgain = false
        void this.#run()
      } else {
        this.#schedule()
      }
    }
  }

  #schedule(): void {
    if (this.#pace === 'stopped' || document.hidden) return
    this.#timer = window.setTimeout(() => void this.#run(), this.#nextGap())
  }

  #nextGap(): number {
    if (this.#pace === 'calm') return calm
    if (this.#pace === 'brisk' && Date.now() - this.#since < brisk.lasts) return brisk.gap
    const gap = this.#gap
    this.#gap = Math.min(gap * eager.growth, eager.max)
    return gap
  }
}
