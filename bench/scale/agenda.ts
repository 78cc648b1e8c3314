/** What happens at which moment of a clock of its own: nothing is waited for. Milliseconds. */
export class Agenda {
  #now = 0
  readonly #events: { at: number; run: () => void }[] = []

  readonly now = (): number => this.#now

  /** What is added for one moment happens in the order in which it was added. */
  add(at: number, run: () => void): void {
    let place = this.#events.length
    while (place > 0 && (this.#events[place - 1]?.at ?? 0) > at) place -= 1
    this.#events.splice(place, 0, { at, run })
  }

  /** When something happens next. */
  next(): number {
    return this.#events[0]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Lets all happen until a moment, at which it is then. */
  until(moment: number): void {
    for (let first = this.#events[0]; first && first.at <= moment; first = this.#events[0]) {
      this.#events.shift()
      this.#now = Math.max(this.#now, first.at)
      first.run()
    }
    this.#now = Math.max(this.#now, moment)
  }
}

/** Numbers from 0 to 1 that depend on the seed alone. */
export function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
