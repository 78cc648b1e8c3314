import type { Update } from 'grammy/types'
import { Refusal } from './refusal.ts'

export type UpdateKind = Exclude<keyof Update, 'update_id'>

/** An update before it has a number. */
export type Event = Omit<Update, 'update_id'>

export interface PollOptions {
  offset: number
  limit: number
  /** Seconds. */
  timeout: number
  /** Calls back when the client hangs up. */
  onHangUp: (callback: () => void) => void
}

interface Waiter {
  wake(): void
  fail(refusal: Refusal): void
}

/** The kinds that the sandbox sends or that are off unless asked for; the Bot API ignores unknown names. */
const kinds: readonly UpdateKind[] = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'inline_query',
  'chosen_inline_result',
  'callback_query',
  'my_chat_member',
  'chat_member',
  'message_reaction',
  'message_reaction_count',
]

/** Not sent unless asked for by name. */
const askedOnly: ReadonlySet<UpdateKind> = new Set([
  'chat_member',
  'message_reaction',
  'message_reaction_count',
])

const conflict = (why: string): Refusal => new Refusal(409, `Conflict: ${why}`)

/** The bot's updates in order, until `getUpdates` confirms them or the webhook took them. */
export class UpdateQueue {
  #queue: Update[] = []
  #nextId: number
  #allowed: ReadonlySet<UpdateKind> | undefined
  #waiter: Waiter | undefined
  #waking: NodeJS.Immediate | undefined
  /** Called when updates came in and a webhook is set. */
  onEvents: (() => void) | undefined

  constructor(firstId: number) {
    this.#nextId = firstId
  }

  get length(): number {
    return this.#queue.length
  }

  /** Whether a long poll is waiting right now. */
  get isWaiting(): boolean {
    return this.#waiter !== undefined
  }

  /** All that was not taken yet, in order. */
  get pending(): readonly Update[] {
    return this.#queue
  }

  get allowed(): UpdateKind[] | undefined {
    return this.#allowed && [...this.#allowed]
  }

  /** Numbers an update and hands it on, unless the bot did not ask for its kind. */
  push(news: Event): void {
    const kind = kinds.find((name) => name in news)
    if (!kind || (this.#allowed ? !this.#allowed.has(kind) : askedOnly.has(kind))) return
    this.#queue.push({ update_id: this.#nextId++, ...news })
    // Waking once a turn lets a burst leave as one batch.
    this.#waking ??= setImmediate(() => {
      this.#waking = undefined
      this.#waiter?.wake()
      this.onEvents?.()
    })
  }

  /** Which kinds to keep from now on; an empty list is the default set. */
  allow(names: readonly string[]): void {
    const known = kinds.filter((kind) => names.includes(kind))
    this.#allowed = known.length === 0 ? undefined : new Set(known)
  }

  /** Forgets an update, once the webhook took it. */
  take(update: Update): void {
    this.#queue = this.#queue.filter((each) => each !== update)
  }

  drop(): void {
    this.#queue = []
  }

  /** Ends the poll that waits, as when a webhook is set or another poll comes. */
  terminate(by: string): void {
    this.#waiter?.fail(conflict(`terminated by ${by}`))
  }

  /** Confirms what lies before `offset` and answers with what follows, waiting up to `timeout` seconds. */
  async poll(options: PollOptions): Promise<Update[]> {
    this.terminate('other getUpdates request; make sure that only one bot instance is running')
    this.#confirm(options.offset)
    if (this.#queue.length === 0 && options.timeout > 0) await this.#wait(options)
    return this.#queue.slice(0, options.limit)
  }

  stop(): void {
    if (this.#waking) clearImmediate(this.#waking)
    this.#waking = undefined
    this.#waiter?.wake()
  }

  #confirm(offset: number): void {
    if (offset < 0) this.#queue = this.#queue.slice(offset)
    else if (offset > 0) {
      const kept = this.#queue.findIndex((update) => update.update_id >= offset)
      this.#queue.splice(0, kept < 0 ? this.#queue.length : kept)
    }
  }

  #wait({ timeout, onHangUp }: PollOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer)
        if (this.#waiter === waiter) this.#waiter = undefined
        then()
      }
      const waiter: Waiter = {
        wake: () => settle(resolve),
        fail: (refusal) => settle(() => reject(refusal)),
      }
      const timer = setTimeout(waiter.wake, timeout * 1000)
      this.#waiter = waiter
      onHangUp(waiter.wake)
    })
  }
}
