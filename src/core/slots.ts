/** More wait than may: the work was not begun. */
export class TooManyWaitError extends Error {
  override readonly name = 'TooManyWaitError'
}

/**
 * Runs only so much at once. The rest waits, in order, and beyond a maximum is refused: what waits holds memory, and somebody
 * waits for it.
 * @example
 *   const slots = new Slots(2, 20)
 *   const picture = await slots.run(() => decode(bytes))
 */
export class Slots {
  readonly #count: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(count: number, maxWaiting: number) {
    this.#count = count
    this.#maxWaiting = maxWaiting
  }

  get isIdle(): boolean {
    return this.#taken === 0
  }

  /** @throws TooManyWaitError */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#count) this.#taken += 1
    else await this.#turn()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The slot stays taken: nothing that comes now overtakes what waits.
      if (next) next()
      else this.#taken -= 1
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) throw new TooManyWaitError('too much waits')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    return promise
  }
}
