import { setTimeout as sleep } from 'node:timers/promises'
import type { Update } from 'grammy/types'
import { badRequest, isFields, Refusal } from './params.ts'

type UpdateKind = Exclude<keyof Update, 'update_id'>

/** An update before it has a number. */
export type Event = Omit<Update, 'update_id'>

interface PollOptions {
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

/** The kinds that the sandbox sends; it ignores other names, as the Bot API does unknown ones. */
const kinds: readonly UpdateKind[] = [
  'message',
  'edited_message',
  'channel_post',
  'inline_query',
  'chosen_inline_result',
  'callback_query',
  'my_chat_member',
]

/** How far behind its last update the queue still knows an offset (`TQueueImpl::get` of Telegram's library). */
const maxAhead = 10

const conflict = (why: string): Refusal => new Refusal(409, `Conflict: ${why}`)

/** The bot's updates in order, until `getUpdates` confirms them or the webhook took them. */
export class UpdateQueue {
  #queue: Update[] = []
  #nextId: number
  #allowed: ReadonlySet<UpdateKind> | undefined
  #waiter: Waiter | undefined
  #waking: NodeJS.Immediate | undefined
  /** Offset and time of the last poll. */
  #polled = { offset: -1, at: 0 }
  readonly #now: () => number
  /** Called when updates came in and a webhook is set. */
  onEvents: (() => void) | undefined

  /** @param now milliseconds */
  constructor(firstId: number, now: () => number) {
    this.#nextId = firstId
    this.#now = now
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
    if (!kind || this.#allowed?.has(kind) === false) return
    this.#queue.push({ update_id: this.#nextId++, ...news })
    // Waking once a turn lets a burst leave as one batch.
    this.#waking ??= setImmediate(() => {
      this.#waking = undefined
      this.#waiter?.wake()
      this.onEvents?.()
    })
  }

  /** Numbers the next updates from here on, as Telegram does at random after a week without any. */
  beginAnew(nextId: number): void {
    this.#nextId = nextId
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

  /**
   * Confirms what lies before `offset` and answers with what follows, waiting up to `timeout` seconds. Who polls with the
   * same offset again gets one update at most within half a second, and waits for three seconds if there is none, as
   * `process_get_updates_query` of Telegram's server does.
   */
  async poll(options: PollOptions): Promise<Update[]> {
    this.terminate('other getUpdates request; make sure that only one bot instance is running')
    const now = this.#now()
    const since = options.offset === this.#polled.offset ? now - this.#polled.at : Infinity
    this.#polled = { offset: options.offset, at: now }
    const timeout = since < 3_000 ? Math.max(3, options.timeout) : options.timeout
    this.#confirm(options.offset)
    if (this.#queue.length === 0 && timeout > 0) await this.#wait({ ...options, timeout })
    return this.#queue.slice(0, since < 500 ? 1 : options.limit)
  }

  stop(): void {
    if (this.#waking) clearImmediate(this.#waking)
    this.#waking = undefined
    this.#waiter?.wake()
  }

  /** An offset that is too far ahead confirms nothing: the answer begins at the first update then, as `do_get_updates` does. */
  #confirm(offset: number): void {
    if (offset > this.#nextId + maxAhead) return
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

interface WebhookSettings {
  url: string
  secret: string
  maxConnections: number
}

/** Seconds; the first try after a failure is made at once (`on_update_error` of Telegram's `WebhookActor.cpp`). */
const firstPause = 2
const maxPause = 60
const maxRetryAfter = 3_600
/** Milliseconds. */
const patience = 60_000

/** A try that failed, and the seconds that the webhook asked to wait for; 0: none. */
interface Failure {
  message: string
  retryAfter: number
}

const ports: ReadonlySet<string> = new Set(['', '80', '88', '443', '8443'])

/** Throws the 400 that setWebhook gives: https only, but for this machine's own address. */
export function checkWebhook({ url, secret }: WebhookSettings): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed) throw badRequest('bad webhook: Invalid URL specified')
  const local = parsed.hostname === '127.0.0.1'
  if (parsed.protocol !== 'https:' && !(local && parsed.protocol === 'http:'))
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
  if (!local && !ports.has(parsed.port))
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443')
  if (secret.length > 256) throw badRequest('secret token is too long')
  if (!/^[A-Za-z0-9_-]*$/u.test(secret))
    throw badRequest('secret token contains unallowed characters')
}

/**
 * Sends the queue's updates to the bot's webhook, each until it was taken with a 2xx: those of one chat one after
 * another, of several side by side, as many as `max_connections` allows.
 */
export class Webhook {
  readonly #queue: UpdateQueue
  readonly #now: () => number
  readonly #answered: (method: string, payload: Readonly<Record<string, unknown>>) => Promise<void>
  #stopping = new AbortController()
  /** By what waits for each other. */
  readonly #sending = new Map<string, Promise<void>>()
  #error: { date: number; message: string } | undefined
  settings: WebhookSettings | undefined

  /** `answered` runs the call that a webhook may put into its answer. */
  constructor(
    queue: UpdateQueue,
    now: () => number,
    answered: (method: string, payload: Readonly<Record<string, unknown>>) => Promise<void>,
  ) {
    this.#queue = queue
    this.#now = now
    this.#answered = answered
    queue.onEvents = () => this.#send()
  }

  get lastError(): { date: number; message: string } | undefined {
    return this.#error
  }

  async set(settings: WebhookSettings | undefined): Promise<void> {
    await this.stop()
    this.#stopping = new AbortController()
    this.#error = undefined
    this.settings = settings
    this.#send()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#sending.values())
  }

  #send(): void {
    const { settings } = this
    if (!settings || this.#stopping.signal.aborted) return
    for (const update of this.#queue.pending) {
      const lane = laneOf(update)
      if (this.#sending.has(lane)) continue
      if (this.#sending.size >= settings.maxConnections) return
      const sending = this.#deliverAgain(settings, update, this.#stopping.signal).finally(() => {
        this.#sending.delete(lane)
        this.#send()
      })
      this.#sending.set(lane, sending)
    }
  }

  async #deliverAgain(
    settings: WebhookSettings,
    update: Update,
    signal: AbortSignal,
  ): Promise<void> {
    let pause = 0
    while (!signal.aborted && this.#queue.pending.includes(update)) {
      const failure = await this.#deliver(settings, JSON.stringify(update), signal)
      if (failure === undefined) return this.#queue.take(update)
      if (signal.aborted) return
      this.#error = { date: Math.floor(this.#now() / 1000), message: failure.message }
      const { retryAfter } = failure
      await sleep((retryAfter || pause) * 1_000, undefined, { signal }).catch(() => undefined)
      if (retryAfter === 0) pause = Math.min(pause * 2 || firstPause, maxPause)
    }
  }

  /** Posts one update; returns what went wrong, in the words of getWebhookInfo. */
  async #deliver(
    { url, secret }: WebhookSettings,
    body: string,
    signal: AbortSignal,
  ): Promise<Failure | undefined> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          ...(secret === '' ? {} : { 'x-telegram-bot-api-secret-token': secret }),
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      })
      const answer = await response.text()
      if (!response.ok) {
        const retryAfter = Math.trunc(Number(response.headers.get('retry-after')) || 0)
        return {
          message: `Wrong response from the webhook: ${response.status} ${response.statusText}`,
          retryAfter: Math.min(Math.max(0, retryAfter), maxRetryAfter),
        }
      }
      await this.#runAnswer(answer)
      return undefined
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      return { message: isLate ? 'Read timeout expired' : 'Connection refused', retryAfter: 0 }
    }
  }

  /** A webhook may answer with a call of its own; anything else in the body is ignored. */
  async #runAnswer(answer: string): Promise<void> {
    let call: unknown
    try {
      call = JSON.parse(answer)
    } catch {
      return
    }
    if (isFields(call) && typeof call.method === 'string') await this.#answered(call.method, call)
  }
}

/** Telegram keeps what happens in a chat in order, and beside it what one person presses or types inline. */
function laneOf(update: Update): string {
  const said = update.message ?? update.edited_message ?? update.channel_post
  if (said) return `chat ${said.chat.id}`
  const { callback_query, inline_query } = update
  if (callback_query) return `press ${callback_query.from.id}`
  return inline_query ? `inline ${inline_query.from.id}` : 'other'
}
