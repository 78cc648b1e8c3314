/** Looks after an absence in which nothing is inherited: who can't connect knows so after five seconds, and looks again. */
const patientLooks = 8

/**
 * Whether a process may take what others let lapse. One that could not look at the database for a while was perhaps not
 * the only one, and neither was one that starts: who lives gets the time to keep what is theirs.
 */
export class Absence {
  readonly #longest: number
  #lookedAt = 0
  #looks = patientLooks

  /** @param longest milliseconds between two looks, after which it was away */
  constructor(longest: number) {
    this.#longest = longest
  }

  begin(): void {
    this.#lookedAt = performance.now()
    this.#looks = patientLooks
  }

  /** A look at the database succeeded. */
  looked(): void {
    this.#looks = this.#isLate() ? patientLooks : Math.max(0, this.#looks - 1)
    this.#lookedAt = performance.now()
  }

  isOver(): boolean {
    return this.#looks === 0 && !this.#isLate()
  }

  #isLate(): boolean {
    return performance.now() - this.#lookedAt > this.#longest
  }
}
