import { createHash, timingSafeEqual } from 'node:crypto'
import { type Api, GrammyError } from 'grammy'
import type { Update, WebhookInfo } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import {
  type AdapterParts,
  hostOf,
  PlatformError,
  untilReachable,
  type Webhook,
  webhookPathOf,
} from '../core/adapter.ts'
import { bodyOf } from '../core/body.ts'
import { parseRetryAfter, retry, sleep, type Task, withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'
import { isFinal } from './errors.ts'
import { handledUpdates } from './receive.ts'

interface UpdateQueueParts {
  /** Rejects only if the process stops before the update is handled. */
  handle: (update: Update) => Promise<void>
  /** Answers that there are too many updates in a chat. Never rejects. */
  refuse: (update: Update) => Promise<void>
  /** Milliseconds after which an update may be confirmed before it is handled; 10,000 by default. */
  confirmAfterMs?: number | undefined
}

/** Maximum updates of one chat that wait: nobody types that fast, and one chat must not hold up the others. */
const maxWaiting = 20
/** Maximum updates that are remembered, because Telegram may bring them again. */
const maxRemembered = 10_000

interface ChatQueue {
  waiting: number
  /** Resolves once the last update is handled. */
  last: Promise<void>
  /** The chat was told that there are too many. */
  isNotified: boolean
}

/**
 * Handles updates: those of one chat in order, others side by side. Telegram keeps an update and brings it again until it is
 * confirmed, so a process that dies loses none that it has had in work for less than ten seconds.
 * @example
 *   await queue.take(update) // handled, or in work for ten seconds
 *   confirm(update.update_id)
 */
export class UpdateQueue {
  readonly #parts: UpdateQueueParts
  readonly #confirmAfterMs: number
  readonly #chats = new Map<string, ChatQueue>()
  /** Updates that were taken, by their numbers. */
  readonly #taken = new LRUCache<number, Promise<void>>({ max: maxRemembered })
  /** Updates under way, and what ends the wait for each. */
  readonly #underWay = new Map<Promise<void>, (reason: Error) => void>()
  #isStopping = false

  constructor(parts: UpdateQueueParts) {
    this.#parts = parts
    this.#confirmAfterMs = parts.confirmAfterMs ?? 10_000
  }

  /**
   * Takes an update. Resolves once Telegram may forget it: it was handled, or has been in work for so long that the next ones
   * must not wait for it. Rejects if Telegram has to bring it again, because the process stops.
   */
  take(update: Update): Promise<void> {
    const { update_id } = update
    const takenBefore = this.#taken.get(update_id)
    if (takenBefore) return takenBefore
    if (this.#isStopping) return Promise.reject(new Error('this process is stopping'))
    const taken = this.#confirmable(this.#inTurn(update))
    this.#taken.set(update_id, taken)
    taken.catch(() => this.#taken.delete(update_id))
    return taken
  }

  /** Takes no more updates, waits up to `ms` milliseconds for those under way, and has Telegram bring the others again. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true
    await withTimeout(Promise.allSettled(this.#underWay.keys()), ms)
    for (const giveUp of this.#underWay.values()) giveUp(new Error('this process is stopping'))
  }

  #confirmable(handled: Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#confirmAfterMs)
    this.#underWay.set(handled, reject)
    const forget = () => {
      clearTimeout(timer)
      this.#underWay.delete(handled)
    }
    handled.then(forget, forget)
    handled.then(resolve, reject)
    return promise
  }

  /** Handles an update after those before it in its chat, unless too many of them wait. */
  #inTurn(update: Update): Promise<void> {
    const { handle, refuse } = this.#parts
    const key = chatOf(update)
    const chat = this.#chats.get(key) ?? {
      waiting: 0,
      last: Promise.resolve(),
      isNotified: false,
    }
    if (chat.waiting >= maxWaiting) {
      if (chat.isNotified) return Promise.resolve()
      chat.isNotified = true
      return refuse(update)
    }
    chat.waiting += 1
    this.#chats.set(key, chat)
    const handled = chat.last.then(() => handle(update))
    const end = () => {
      chat.waiting -= 1
      if (chat.waiting === 0) this.#chats.delete(key)
    }
    chat.last = handled.then(end, end)
    return handled
  }
}

/** The ordering key of an update: its chat, or its person if it has no chat. */
function chatOf(update: Update): string {
  const { message, channel_post, callback_query, inline_query, my_chat_member } = update
  const { chat } = message ?? channel_post ?? callback_query?.message ?? my_chat_member ?? {}
  return String(chat?.id ?? callback_query?.from.id ?? inline_query?.from.id ?? '')
}

interface PollingParts extends Pick<AdapterParts, 'log' | 'onFatal'> {
  api: Api
  queue: UpdateQueue
  /** Milliseconds before polling again after a 409: long enough for the other process to begin a poll, which ours then ends. */
  conflictPauseMs?: number
  /**
   * Milliseconds after its start in which a process that gets a 409 gives up: another one was there first. One that has
   * polled for longer tries again. Default: three conflict pauses, so that the other process has time to poll again.
   */
  newcomerMs?: number
}

/** Seconds that Telegram holds a poll if there is nothing. */
const longPoll = 30
/**
 * Milliseconds after which updates that are still under way no longer hold up the next poll. That brings them again with new
 * ones; but a client that asks for the same offset twice within half a second gets a single update
 * (`process_get_updates_query` of Telegram's Bot API server).
 */
const pollAgainMs = 600
/** Telegram's maximum for one poll, and so the maximum under way. */
const maxUpdates = 100
/** Milliseconds for the updates under way when polling stops, and for the confirmation that follows. */
const drainMs = 2_000
const confirmMs = 1_000
/** Gives up after this many 409s in a row: two long-running pollers would alternate forever. */
const maxConflicts = 10
/** Milliseconds without a 409 after which the count starts again. */
const conflictsCountFor = 60_000

/**
 * Receives updates by long polling, which Telegram allows one process at a time. Each poll confirms, by its offset, what comes
 * before the first update that may not be confirmed yet. If a hundred wait from there on, which is all that a poll brings, that
 * one is confirmed earlier.
 */
export class Polling implements Task {
  readonly ready: Promise<void>
  readonly #parts: Required<PollingParts>
  readonly #stopping = new AbortController()
  /** Updates that may not be confirmed yet, in the order of their numbers. */
  readonly #open = new Map<number, Promise<void>>()
  /** Number after the last update that was received; undefined before the first. */
  #next: number | undefined
  /** Offset of the last poll. */
  #polledOffset: number | undefined
  #startedAt = performance.now()
  #running: Promise<void> | undefined
  #conflicts = 0

  constructor(parts: PollingParts) {
    const { conflictPauseMs = 3_000, newcomerMs = 3 * conflictPauseMs } = parts
    this.#parts = { ...parts, conflictPauseMs, newcomerMs }
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await withTimeout(Promise.allSettled(this.#open.values()), drainMs)
    await withTimeout(this.#confirm(), confirmMs)
  }

  /** All updates before it may be confirmed. */
  get #offset(): number | undefined {
    return this.#open.keys().next().value ?? this.#next
  }

  /** Confirms the updates that no later poll of this process will: the next poller would receive and answer them again. */
  async #confirm(): Promise<void> {
    const { api, log } = this.#parts
    const offset = this.#offset
    if (offset === undefined || offset === this.#polledOffset) return
    try {
      await api.getUpdates({ offset, limit: 1, timeout: 0 })
    } catch (error) {
      log.warn({ err: error }, 'telegram may send updates again that were already answered')
    }
  }

  async #begin(): Promise<void> {
    const { log } = this.#parts
    const reach = untilReachable('telegram', isFinal, log)
    await reach(() => this.#deleteWebhook(), this.#stopping.signal)
    this.#startedAt = performance.now()
    this.#running = this.#poll()
  }

  /** Deletes a webhook, which excludes polling, and logs its host, which gets no more updates. */
  async #deleteWebhook(): Promise<void> {
    const { api, log } = this.#parts
    const { url } = await api.getWebhookInfo()
    if (!url) return
    await api.deleteWebhook()
    log.warn(
      { host: hostOf(url) },
      'telegram sent updates to another address; from now on this bot polls for them, and nothing goes there',
    )
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    const { log, onFatal, conflictPauseMs } = this.#parts
    while (!signal.aborted) {
      const polledFrom = performance.now()
      try {
        while (!signal.aborted) await retry(() => this.#pollOnce(signal), { ...pollRetry, signal })
      } catch (error) {
        // If another process leads by now, we are stopped during this pause.
        if (isConflict(error)) await sleep(conflictPauseMs, signal)
        if (signal.aborted) return
        if (this.#isLost(error, polledFrom)) return onFatal(explainPolling(error))
        log.error('another process polled Telegram with the same token; going on')
      }
    }
  }

  #isLost(error: unknown, polledFrom: number): boolean {
    if (!isConflict(error) || isWebhook(error)) return true
    const now = performance.now()
    this.#conflicts = now - polledFrom < conflictsCountFor ? this.#conflicts + 1 : 1
    return now - this.#startedAt < this.#parts.newcomerMs || this.#conflicts > maxConflicts
  }

  async #pollOnce(signal: AbortSignal): Promise<void> {
    const offset = this.#offset
    const isSameOffset = offset !== undefined && offset === this.#polledOffset
    this.#polledOffset = offset
    const updates = await this.#parts.api.getUpdates(
      {
        ...(offset !== undefined && { offset }),
        limit: maxUpdates,
        timeout: this.#open.size === 0 ? longPoll : 0,
        allowed_updates: handledUpdates,
      },
      // grammY has the type of a polyfill for old Nodes.
      signal as Parameters<Api['getUpdates']>[1],
    )
    for (const update of updates) this.#take(update)
    // Others may wait behind these: a slow update must not hold them up.
    if (isSameOffset && updates.length === maxUpdates) this.#open.delete(offset)
    await withTimeout(Promise.allSettled(this.#open.values()), pollAgainMs)
  }

  #take(update: Update): void {
    const id = update.update_id
    // Also if it is lower: after a week without updates, Telegram's numbers begin anew, anywhere.
    this.#next = id + 1
    if (this.#open.has(id)) return
    const taken = this.#parts.queue.take(update)
    this.#open.set(id, taken)
    taken.then(
      () => this.#open.delete(id),
      // The process stops: Telegram brings it again to the next one.
      () => undefined,
    )
  }
}

/** Retries faults that may pass. Pauses grow by 100 ms each up to 30 s, which they reach after an outage of an hour. */
const pollRetry = {
  canRetry: (error: unknown) => !isFinal(error) && !isConflict(error),
  pause: (failures: number, error: unknown) => {
    const asked = error instanceof GrammyError ? error.parameters.retry_after : undefined
    return Math.min(30_000, (parseRetryAfter(asked) ?? 0) * 1_000 || failures * 100)
  },
}

/** Whether another poll, or a webhook, ended a poll. */
export function isConflict(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 409
}

/** Whether a 409 says that a webhook is set, which excludes polling. */
function isWebhook(error: unknown): boolean {
  return isConflict(error) && error instanceof GrammyError && /webhook/iu.test(error.description)
}

/** The operator's text if another process polls. */
export const polledElsewhere =
  'Another process polls Telegram with the same TELEGRAM_TOKEN. Stop it, or use another bot.'

function explainPolling(cause: unknown): PlatformError {
  const polled = isConflict(cause) ? polledElsewhere : 'Telegram ended the connection.'
  const message = isWebhook(cause)
    ? 'Another process set a webhook with the same TELEGRAM_TOKEN. Stop it, set TELEGRAM_UPDATES=webhook here too, or use another bot.'
    : polled
  return new PlatformError(message, { cause })
}

/** Path on the bot's server that Telegram calls. */
export const webhookPath = webhookPathOf('telegram')
const secretHeader = 'x-telegram-bot-api-secret-token'
/**
 * Maximum size of an update: a message and the one it replies to, of 4,096 escaped characters with 100 links each.
 * Telegram would redeliver an update that is refused.
 */
const maxBytes = 512 * 1024

const chat = z.looseObject({ chat: z.looseObject({ id: z.int() }) })
const person = z.looseObject({ from: z.looseObject({ id: z.int() }) })
const updateSchema = z.looseObject({
  update_id: z.int().nonnegative(),
  message: chat.optional(),
  channel_post: chat.optional(),
  callback_query: person.extend({ message: chat.optional() }).optional(),
  inline_query: person.optional(),
  my_chat_member: chat.optional(),
})

/** The secret token that authenticates Telegram's calls, derived from the bot's token so that all replicas have the same. */
export function webhookSecret(token: string): string {
  return createHash('sha256').update(`webhook of ${token}`).digest('base64url')
}

/** Makes the webhook handler: answers 200 once an update may be forgotten; Telegram brings the others again. */
export function webhookHandler(secret: string, queue: Pick<UpdateQueue, 'take'>): Webhook {
  return async (request) => {
    const given = request.headers[secretHeader]
    if (!isSame(String(given), secret)) return { status: 401, json: { error: 'not Telegram' } }
    const body = (await bodyOf(request, maxBytes))?.toString()
    if (body === undefined) return { status: 413, json: { error: 'too large' } }
    const update = parseUpdate(body)
    if (update === undefined) return { status: 400, json: { error: 'no update' } }
    try {
      await queue.take(update)
      return { status: 200 }
    } catch {
      // Without Retry-After, Telegram waits for up to two minutes.
      return { status: 503, json: { error: 'try again' }, retryAfter: 1 }
    }
  }
}

/** Checks only what is read here; grammY reads the rest unchecked, as with polling. */
function isUpdate(value: unknown): value is Update {
  return updateSchema.safeParse(value).success
}

/** Parses an update; undefined if it is none. */
function parseUpdate(body: string): Update | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isUpdate(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Compares in constant time; only the secret's length can be found out, which is no secret. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The leader's tasks: long polling, or keeping the webhook set. */
export const pollingRole = 'telegram updates'
export const webhookRole = 'telegram webhook'

/** Telegram's maximum of updates that it waits for at the same time. */
const webhookConnections = 100

/** Telegram ends the call of one process with a 409 if another one calls while it still tries the address. */
const webhookRetry = { canRetry: isConflict, maxTries: 21, pause: () => 1_000 }

interface KeeperParts {
  api: Api
  /** URL of the webhook. */
  url: string
  secret: string
  log: Logger
}

/** Sets the webhook, and sets it again if another process with the same token changes it. */
export class WebhookKeeper {
  readonly #parts: KeeperParts
  /** This replica keeps it: undefined if another one does. */
  #keeping: { isFirst: boolean } | undefined
  /** Unix seconds of the last delivery error that was logged. */
  #loggedErrorAt = 0

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Several replicas that start together set it one after the other: Telegram takes one call a second. */
  async set(): Promise<void> {
    const { api, url, secret, log } = this.#parts
    const settings = {
      secret_token: secret,
      allowed_updates: handledUpdates,
      max_connections: webhookConnections,
    }
    await retry(() => api.setWebhook(url, settings), webhookRetry)
    log.info({ url }, 'telegram: updates come to PUBLIC_URL')
  }

  /** Keeps the webhook as `look` sees it, until it is stopped. */
  keep(): Task {
    this.#keeping = { isFirst: true }
    const stop = async () => {
      this.#keeping = undefined
    }
    return { stop }
  }

  /** Sets the webhook again if Telegram says that it is another one, and logs what Telegram could not bring. */
  async look(info: WebhookInfo): Promise<void> {
    const { url, log } = this.#parts
    const keeping = this.#keeping
    if (!keeping) return
    const { isFirst } = keeping
    keeping.isFirst = false
    if (info.url !== url) {
      const found = info.url ? hostOf(info.url) : 'none'
      log.warn(
        { found },
        'telegram: another process with the same TELEGRAM_TOKEN, or a replica with another PUBLIC_URL, changed the webhook; this bot has set it again. Stop the other one.',
      )
      return this.set()
    }
    const { last_error_date: date = 0, last_error_message: reason, pending_update_count } = info
    if (date <= this.#loggedErrorAt) return
    this.#loggedErrorAt = date
    // After the start, an old error without waiting updates is not worth a warning.
    if (isFirst && pending_update_count === 0) return
    const last = new Date(date * 1_000).toISOString()
    log.warn(
      { reason, last, waiting: pending_update_count },
      'telegram could not deliver updates to PUBLIC_URL',
    )
  }
}
