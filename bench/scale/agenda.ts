/** A scheduler on a simulated clock, in milliseconds: it never really waits. */
export class Agenda {
  #now = 0
  readonly #events: { at: number; run: () => void }[] = []

  readonly now = (): number => this.#now

  /** Schedules an action; actions for the same time run in the order in which they were added. */
  add(at: number, run: () => void): void {
    let place = this.#events.length
    while (place > 0 && (this.#events[place - 1]?.at ?? 0) > at) place -= 1
    this.#events.splice(place, 0, { at, run })
  }

  /** Returns the time of the next action. */
  next(): number {
    return this.#events[0]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Runs all actions until a time, and sets the clock to it. */
  until(moment: number): void {
    for (let first = this.#events[0]; first && first.at <= moment; first = this.#events[0]) {
      this.#events.shift()
      this.#now = Math.max(this.#now, first.at)
      first.run()
    }
    this.#now = Math.max(this.#now, moment)
  }
}

/** Makes a generator of numbers from 0 to 1 that depend only on the seed. */
export function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
