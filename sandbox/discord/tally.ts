/** Counts what the bot wrote and what was refused it, for load tests; it grows with the channels written to alone. */
export class Tally {
  readonly #now: () => number
  /** New messages of the bot's by channel. */
  readonly sent = new Map<string, number>()
  /** Answers of 429 by route, and `global` for those of the limit on all. */
  readonly limited = new Map<string, number>()
  /** Messages that came again under their nonce. */
  repeated = 0
  edited = 0
  /** When the first and the last message were written, by the world's clock. */
  firstAt: number | undefined
  lastAt: number | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** All new messages. */
  get total(): number {
    return sum(this.sent)
  }

  /** All answers of 429. */
  get refusals(): number {
    return sum(this.limited)
  }

  countSent(channelId: string): void {
    this.sent.set(channelId, (this.sent.get(channelId) ?? 0) + 1)
    this.lastAt = this.#now()
    this.firstAt ??= this.lastAt
  }

  countLimited(route: string): void {
    this.limited.set(route, (this.limited.get(route) ?? 0) + 1)
  }

  /** Begins anew, for the next run. */
  clear(): void {
    this.sent.clear()
    this.limited.clear()
    this.repeated = 0
    this.edited = 0
    this.firstAt = undefined
    this.lastAt = undefined
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
