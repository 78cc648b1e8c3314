interface TokenBucketParts {
  /** Tokens a second on average. */
  perSecond: number
  /** Tokens that may be taken at once after a pause. */
  burst: number
  /** Milliseconds on a clock that never jumps. */
  now: () => number
}

/** Gives tokens at a rate, and some more at once after a pause. */
export class TokenBucket {
  readonly #now: () => number
  #perSecond: number
  #burst: number
  #tokens: number
  #refilledAt: number

  constructor({ perSecond, burst, now }: TokenBucketParts) {
    this.#now = now
    this.#perSecond = perSecond
    this.#burst = burst
    this.#tokens = burst
    this.#refilledAt = now()
  }

  /** Takes a token; false if there is none. */
  tryTake(): boolean {
    if (this.wait() > 0) return false
    this.#tokens -= 1
    return true
  }

  /** Milliseconds until there is a token; with `leavesReserve`, until there is one beside half of those for a burst. */
  wait(leavesReserve = false): number {
    const at = this.#now()
    const refilled = this.#tokens + ((at - this.#refilledAt) * this.#perSecond) / 1000
    this.#tokens = Math.min(this.#burst, refilled)
    this.#refilledAt = at
    // A part of a token that rounding has lost is no reason to wait.
    const missing = 1 + (leavesReserve ? Math.floor(this.#burst / 2) : 0) - this.#tokens
    return Math.max(0, (missing * 1000) / this.#perSecond - 1e-6)
  }

  /** Changes the rate from now on. */
  resize(perSecond: number, burst: number): void {
    if (perSecond === this.#perSecond && burst === this.#burst) return
    this.wait()
    this.#perSecond = perSecond
    this.#burst = burst
  }
}
