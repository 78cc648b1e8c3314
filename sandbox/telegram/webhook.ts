import { setTimeout as sleep } from 'node:timers/promises'
import type { Update } from 'grammy/types'
import { isFields } from './params.ts'
import { badRequest } from './refusal.ts'
import type { UpdateQueue } from './updates.ts'

export interface WebhookSettings {
  url: string
  secret: string
  maxConnections: number
}

const firstPause = 100
const maxPause = 5_000
const patience = 10_000
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
    let pause = firstPause
    while (!signal.aborted && this.#queue.pending.includes(update)) {
      const failure = await this.#deliver(settings, JSON.stringify(update), signal)
      if (failure === undefined) return this.#queue.take(update)
      if (signal.aborted) return
      this.#error = { date: Math.floor(this.#now() / 1000), message: failure }
      await sleep(pause, undefined, { signal }).catch(() => undefined)
      pause = Math.min(pause * 2, maxPause)
    }
  }

  /** Posts one update; returns what went wrong, in the words of getWebhookInfo. */
  async #deliver(
    { url, secret }: WebhookSettings,
    body: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
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
      if (!response.ok)
        return `Wrong response from the webhook: ${response.status} ${response.statusText}`
      await this.#runAnswer(answer)
      return undefined
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError'
        ? 'Read timeout expired'
        : 'Connection refused'
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
  const { message, edited_message, channel_post, edited_channel_post } = update
  const said = message ?? edited_message ?? channel_post ?? edited_channel_post
  if (said) return `chat ${said.chat.id}`
  const { callback_query, inline_query } = update
  if (callback_query) return `press ${callback_query.from.id}`
  return inline_query ? `inline ${inline_query.from.id}` : 'other'
}
