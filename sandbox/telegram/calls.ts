/** One call of the Bot API as the log keeps it. */
export interface LoggedCall {
  method: string
  payload: Readonly<Record<string, unknown>>
  /** 0 while the call is under way. */
  status: number
  /** The description of a refused call. */
  description?: string
}

/** The latest calls, oldest first; older ones are dropped so that a long run does not grow. */
export class CallLog {
  readonly #limit: number
  #calls: LoggedCall[] = []

  constructor(limit = 2_000) {
    this.#limit = limit
  }

  /** Notes a call before it has any effect, so that whoever sees an effect finds its call here. */
  begin(method: string, payload: LoggedCall['payload'] = {}): LoggedCall {
    const call = { method, payload, status: 0 }
    this.#calls.push(call)
    if (this.#calls.length >= this.#limit * 2) this.#calls = this.#calls.slice(-this.#limit)
    return call
  }

  get all(): readonly LoggedCall[] {
    return this.#calls.slice(-this.#limit)
  }

  /** The calls of one method. */
  of(method: string): LoggedCall[] {
    return this.all.filter((call) => call.method === method)
  }

  clear(): void {
    this.#calls = []
  }
}
