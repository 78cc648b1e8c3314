/** A file that a service took. */
export interface Pin {
  cid: string
  name: string
  type: string
  bytes: Buffer
  /** Where the service tells: whether all the world can have it. */
  network?: 'public' | 'private'
}

/** What a service took, oldest first; the oldest go once there are many. */
export class Pins {
  readonly #pins: Pin[] = []
  readonly #most = 500

  get all(): readonly Pin[] {
    return this.#pins
  }

  add(pin: Pin): void {
    this.#pins.push(pin)
    if (this.#pins.length > this.#most) this.#pins.shift()
  }

  find(cid: string): Pin | undefined {
    return this.#pins.find((pin) => pin.cid === cid)
  }
}
