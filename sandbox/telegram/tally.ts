import type { World } from './world.ts'

/** What the bot got through, counted for as long as the stand-in runs: messages are forgotten, these are not. */
export class Tally {
  readonly #messages = new Map<number, number>()
  #total = 0
  #edits = 0
  #refused = 0
  #span: { first: number; last: number } | undefined

  constructor({ events }: World) {
    events.on('stored', ({ chat }, { byBot }) => {
      if (byBot) this.#count(chat.id)
    })
    events.on('edited', (_, { byBot }) => {
      if (byBot) this.#edits += 1
    })
  }

  /** How many messages of the bot a chat got. */
  in(chat: number): number {
    return this.#messages.get(chat) ?? 0
  }

  /** The counts of all chats that got one. */
  get chats(): ReadonlyMap<number, number> {
    return this.#messages
  }

  get messages(): number {
    return this.#total
  }

  get edits(): number {
    return this.#edits
  }

  /** Calls that were answered with a 429. */
  get refused(): number {
    return this.#refused
  }

  /** When the first and the last message came, in milliseconds of `performance.now()`. */
  get span(): { first: number; last: number } | undefined {
    return this.#span && { ...this.#span }
  }

  refuse(): void {
    this.#refused += 1
  }

  reset(): void {
    this.#messages.clear()
    this.#total = 0
    this.#edits = 0
    this.#refused = 0
    this.#span = undefined
  }

  #count(chat: number): void {
    this.#messages.set(chat, this.in(chat) + 1)
    this.#total += 1
    const last = performance.now()
    this.#span = { first: this.#span?.first ?? last, last }
  }
}

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
