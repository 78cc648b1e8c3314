import { randomBytes } from 'node:crypto'
import { badRequest } from './refusal.ts'

/** How long Telegram waits for the bot's answer, in milliseconds; afterwards the query's id is worth nothing. */
export const callbackPatience = 15_000
export const inlinePatience = 30_000

const tooOld = (): Error =>
  badRequest('query is too old and response timeout expired or query ID is invalid')

interface Waiting<Question, Answer> {
  question: Question
  expires: number
  finish(answer: Answer | undefined): void
}

/** Queries that wait for the bot's one answer: button presses and inline queries. */
export class PendingQueries<Question, Answer> {
  readonly #waiting = new Map<string, Waiting<Question, Answer>>()
  readonly #now: () => number
  readonly #patience: number

  constructor(now: () => number, patience: number) {
    this.#now = now
    this.#patience = patience
  }

  /** Opens a query; `done` gets the answer, or undefined when none came within `timeoutMs`. */
  open(question: Question, timeoutMs: number, done: (answer: Answer | undefined) => void): string {
    const id = BigInt(`0x${randomBytes(7).toString('hex')}`).toString()
    const timer = setTimeout(() => done(undefined), timeoutMs)
    this.#waiting.set(id, {
      question,
      expires: this.#now() + this.#patience,
      finish: (answer) => {
        clearTimeout(timer)
        done(answer)
      },
    })
    this.#forgetExpired()
    return id
  }

  /** What was asked under the id; throws the 400 for an unknown, answered or expired one. */
  question(id: string): Question {
    return this.#find(id).question
  }

  answer(id: string, answer: Answer): void {
    const waiting = this.#find(id)
    this.#waiting.delete(id)
    waiting.finish(answer)
  }

  /** Ends every wait without an answer. */
  stop(): void {
    for (const waiting of this.#waiting.values()) waiting.finish(undefined)
    this.#waiting.clear()
  }

  #find(id: string): Waiting<Question, Answer> {
    const waiting = this.#waiting.get(id)
    if (!waiting || waiting.expires < this.#now()) throw tooOld()
    return waiting
  }

  #forgetExpired(): void {
    const now = this.#now()
    for (const [id, { expires }] of this.#waiting) {
      if (expires >= now) return
      this.#waiting.delete(id)
    }
  }
}
