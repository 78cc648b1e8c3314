import { setTimeout as sleep } from 'node:timers/promises'
import { isFields } from './params.ts'
import { badRequest } from './refusal.ts'
import type { UpdateQueue } from './updates.ts'

export interface WebhookSettings {
  url: string
  secret: string
  maxConnections: number
}

const firstPause = 100
const longestPause = 5_000
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

/** Sends the queue's updates to the bot's webhook, one after another, each until it was taken with a 2xx. */
export class Webhook {
  readonly #queue: UpdateQueue
  readonly #now: () => number
  readonly #answered: (method: string, payload: Readonly<Record<string, unknown>>) => Promise<void>
  #stopping = new AbortController()
  #sending: Promise<void> | undefined
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
    queue.onNews = () => this.#send()
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
    await this.#sending
  }

  #send(): void {
    const settings = this.settings
    if (!settings || this.#sending || this.#queue.length === 0) return
    this.#sending = this.#drain(settings, this.#stopping.signal).finally(() => {
      this.#sending = undefined
    })
  }

  async #drain(settings: WebhookSettings, signal: AbortSignal): Promise<void> {
    let pause = firstPause
    for (let update = this.#queue.first; update && !signal.aborted; update = this.#queue.first) {
      const failure = await this.#deliver(settings, JSON.stringify(update), signal)
      if (failure === undefined) {
        if (this.#queue.first === update) this.#queue.shift()
        pause = firstPause
      } else if (!signal.aborted) {
        this.#error = { date: Math.floor(this.#now() / 1000), message: failure }
        await sleep(pause, undefined, { signal }).catch(() => undefined)
        pause = Math.min(pause * 2, longestPause)
      }
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
