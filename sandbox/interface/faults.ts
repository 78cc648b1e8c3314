/** Ways in which an upstream goes wrong. */
export type FaultKind =
  | 'status'
  | 'html'
  | 'broken-json'
  | 'slow'
  | 'hang'
  | 'reset'
  | '429'
  | 'truncated'
  | 'huge'
  | 'wrong-shape'

export interface Fault {
  /** Only requests whose path below the base address begins so; without it, every request. */
  match?: string
  kind: FaultKind
  /** For `status` (500 by default) and `html` (403 by default). */
  status?: number
  /** For `status`: the body, '' for none; the service's usual JSON without it. */
  body?: string
  /** For `slow`: milliseconds to wait before the right answer; 3000 by default. */
  delayMs?: number
  /** For `429`: seconds in the Retry-After header; without it the header is absent. */
  retryAfter?: number
  /** How many requests go wrong; without it, all until `clear`. */
  times?: number
}

/** The faults in force; one for each path prefix, the longest prefix that fits decides. */
export class Faults {
  readonly #byPrefix = new Map<string, { fault: Fault; left: number }>()

  /** Puts a fault in force, in place of the one with the same `match`. */
  set(fault: Fault): void {
    this.#byPrefix.set(fault.match ?? '', { fault, left: fault.times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#byPrefix.clear()
  }

  /** The fault that befalls a request to this path, counted as used. */
  take(path: string): Fault | undefined {
    const [prefix] = [...this.#byPrefix.keys()]
      .filter((candidate) => path.startsWith(candidate))
      .sort((left, right) => right.length - left.length)
    const entry = prefix === undefined ? undefined : this.#byPrefix.get(prefix)
    if (prefix === undefined || !entry) return undefined
    entry.left -= 1
    if (entry.left <= 0) this.#byPrefix.delete(prefix)
    return entry.fault
  }
}
