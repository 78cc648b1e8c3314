import type { Logger } from '../log.ts'

/**
 * Seconds by which a row's `updated_at` may be ahead of this machine's clock: clocks of machines differ, and are
 * corrected by a little. A row further ahead was written by a clock that was wrong, and so were the times in it.
 */
export const tolerance = 60

interface ClockWatchParts {
  /** Unix milliseconds. */
  now: () => number
  /** Milliseconds of a monotonic clock. */
  elapsed: () => number
  /** Corrects the rows that a clock ahead of `now` (unix milliseconds) has written; returns how many. */
  correct: (now: number) => Promise<number>
  /** Logs the jumps. */
  log: Logger | undefined
}

/** Detects jumps of the wall clock. If it went back, has the times corrected that were stored before. */
export class ClockWatch {
  readonly #parts: ClockWatchParts
  #latest: number | undefined
  /** Wall clock minus monotonic clock at the last check, in milliseconds. */
  #offset = 0
  #checking: Promise<void> | undefined

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
  }

  /** To be called before stored times are compared with the clock. The first check always corrects. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<void> {
    const { now: clock, elapsed, correct, log } = this.#parts
    const [now, before] = [clock(), this.#latest]
    const offset = now - elapsed()
    const wentBack = before !== undefined && now < before - tolerance * 1000
    if (before === undefined || wentBack) {
      const rows = await correct(now)
      if (wentBack) {
        const seconds = Math.round((before - now) / 1000)
        log?.warn({ seconds, rows }, 'the clock went back: what it had put off is due now')
      } else if (rows > 0) {
        log?.warn({ rows }, 'the clock had run ahead: what it had put off is due now')
      }
    } else if (offset > this.#offset + tolerance * 1000) {
      const seconds = Math.round((offset - this.#offset) / 1000)
      log?.warn({ seconds }, 'the clock went ahead: what waits is due sooner')
    }
    this.#latest = before === undefined || wentBack ? now : Math.max(before, now)
    this.#offset = offset
  }
}
