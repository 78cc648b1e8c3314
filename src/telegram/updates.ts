import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type RunnerHandle, run } from '@grammyjs/runner'
import { type Api, type Bot, type BotError, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import {
  type AdapterParts,
  bodyOf,
  hostOf,
  PlatformError,
  untilReachable,
  webhookConflict,
  webhookPathOf,
} from '../core/adapter.ts'
import type { Inbox } from '../core/inbox.ts'
import { PollingLoop, type Task, withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'
import { isFinal } from './errors.ts'
import { handledUpdates } from './receive.ts'

interface PollingParts extends Pick<AdapterParts, 'log' | 'onFatal'> {
  grammy: Bot
  /** Milliseconds before polling again after a 409: long enough for the other process to begin a poll, which ours then ends. */
  conflictPauseMs?: number
  /**
   * Milliseconds after its start in which a process that gets a 409 gives up: another one was there first. One that has
   * polled for longer tries again. Default: three conflict pauses, so that the other process has time to poll again.
   */
  newcomerMs?: number
}

/** Maximum updates under way in all chats. */
const maxUnderWay = 5_000
/** Milliseconds that a poll may take to end at a stop; `UnderWay` waits for its updates. */
const drainTime = 1_000
/** Gives up after this many 409s in a row: two long-running pollers would alternate forever. */
const maxConflicts = 10
/** Milliseconds without a 409 after which the count starts again. */
const conflictsCountFor = 60_000
/** Milliseconds after which an update has been confirmed by the poll that followed it. */
const confirmedAfter = 5_000

/** Receives updates by long polling, which Telegram allows one process at a time. */
export class Polling implements Task {
  readonly ready: Promise<void>
  readonly #parts: Required<PollingParts>
  readonly #stopping = new AbortController()
  #startedAt = performance.now()
  #runner: RunnerHandle | undefined
  #running: Promise<void> | undefined
  #conflicts = 0
  /** The last update that was received. */
  #last: { id: number; at: number } | undefined

  constructor(parts: PollingParts) {
    const { conflictPauseMs = 3_000, newcomerMs = 3 * conflictPauseMs } = parts
    this.#parts = { ...parts, conflictPauseMs, newcomerMs }
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // While Telegram can't be reached, the runner sleeps between retries for longer than a stop may take.
    const wasPolling = this.#runner?.isRunning() ?? false
    const ended = Promise.all([wasPolling && this.#runner?.stop(), this.#running])
    const confirmed = ended.then(() => (wasPolling ? this.#confirm() : undefined))
    await withTimeout(confirmed, drainTime)
  }

  /** Confirms the last update if no later poll has: the next poller would receive and answer it again. */
  async #confirm(): Promise<void> {
    const { grammy, log } = this.#parts
    const last = this.#last
    if (last === undefined || performance.now() - last.at > confirmedAfter) return
    try {
      await grammy.api.getUpdates({ offset: last.id + 1, limit: 1, timeout: 0 })
    } catch (error) {
      log.warn({ err: error }, 'telegram may bring updates again that were answered')
    }
  }

  async #begin(): Promise<void> {
    const { log } = this.#parts
    const reach = untilReachable(isFinal, (err) =>
      log.warn({ err }, 'telegram can’t be reached; trying again'),
    )
    await reach.execute(() => this.#deleteWebhook(), this.#stopping.signal)
    this.#startedAt = performance.now()
    this.#running = this.#poll()
  }

  /** Deletes a webhook, which excludes polling, and logs its host, which gets no more updates. */
  async #deleteWebhook(): Promise<void> {
    const { grammy, log } = this.#parts
    const { url } = await grammy.api.getWebhookInfo()
    if (!url) return
    await grammy.api.deleteWebhook()
    log.warn(
      { host: hostOf(url) },
      'telegram brought updates to another address; from now on this bot asks for them, and nothing comes there',
    )
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    const { log, onFatal, conflictPauseMs } = this.#parts
    while (!signal.aborted) {
      const polledFrom = performance.now()
      try {
        await this.#pollOnce()
      } catch (error) {
        // If another replica took the lease, we are stopped during this pause.
        if (isConflict(error))
          await delay(conflictPauseMs, undefined, { signal }).catch(() => undefined)
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

  #pollOnce(): Promise<void> {
    const { grammy } = this.#parts
    const bot = {
      api: grammy.api,
      init: () => grammy.init(),
      handleUpdate: (update: Update) => {
        this.#last = { id: update.update_id, at: performance.now() }
        return grammy.handleUpdate(update)
      },
      errorHandler: (error: BotError) => grammy.errorHandler(error),
    }
    this.#runner = run(bot, {
      sink: { concurrency: maxUnderWay },
      runner: {
        fetch: { allowed_updates: handledUpdates },
        silent: true,
        // Pauses grow by 100 ms each: after an outage of an hour they are 30 s. Exponential ones would be an hour.
        retryInterval: 'quadratic',
        maxRetryTime: Number.MAX_SAFE_INTEGER,
      },
    })
    return this.#runner.task() ?? Promise.resolve()
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 409
}

/** Whether a 409 says that a webhook is set, which excludes polling. */
function isWebhook(error: unknown): boolean {
  return isConflict(error) && error instanceof GrammyError && /webhook/iu.test(error.description)
}

function explainPolling(cause: unknown): PlatformError {
  const polled = isConflict(cause)
    ? 'Another process polls Telegram with the same TELEGRAM_TOKEN. Stop it, or use another bot.'
    : 'Telegram ended the connection.'
  const message = isWebhook(cause)
    ? 'Another process set a webhook with the same TELEGRAM_TOKEN. Stop it, set TELEGRAM_UPDATES=webhook here too, or use another bot.'
    : polled
  return new PlatformError(message, { cause })
}

/** Path on the bot's server that Telegram calls. */
export const webhookPath = webhookPathOf('telegram')
const secretHeader = 'x-telegram-bot-api-secret-token'
/**
 * Maximum size of an update: a message and the one it replies to, of 4,096 escaped UTF-16 units with 100 links each.
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
})

/** The secret token that authenticates Telegram's calls, derived from the bot's token so that all replicas have the same. */
export function webhookSecret(token: string): string {
  return createHash('sha256').update(`webhook of ${token}`).digest('base64url')
}

/** Makes the webhook handler: answers 200 once an update is stored; Telegram redelivers the others. */
export function webhook(
  secret: string,
  inbox: Pick<Inbox, 'put'>,
  log: Logger,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isSame(request.headers.get(secretHeader) ?? '', secret)) {
      return Response.json({ error: 'not Telegram' }, { status: 401 })
    }
    const body = (await bodyOf(request, maxBytes))?.toString()
    if (body === undefined) return Response.json({ error: 'too large' }, { status: 413 })
    const read = updateSchema.safeParse(parseJson(body))
    if (!read.success) return Response.json({ error: 'no update' }, { status: 400 })
    try {
      await inbox.put({ id: read.data.update_id, lane: laneOf(read.data), body })
      return new Response()
    } catch (error) {
      log.error({ err: error }, 'an update of Telegram’s could not be kept; it brings it again')
      return Response.json({ error: 'try again' }, { status: 503 })
    }
  }
}

/** Checks only what is read here; grammY reads the rest unchecked, as with polling. */
const storedSchema = z.custom<Update>((value) => updateSchema.safeParse(value).success)

/** Parses a stored update. @throws Error if it is none */
export function parseStoredUpdate(body: string): Update {
  return storedSchema.parse(JSON.parse(body))
}

/** The ordering key of an update: its chat, as with polling. */
function laneOf(update: z.output<typeof updateSchema>): string {
  const { message, channel_post, callback_query, inline_query } = update
  const located = message ?? channel_post ?? callback_query?.message
  return String(located?.chat.id ?? callback_query?.from.id ?? inline_query?.from.id ?? '')
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Compares in constant time, by digests, which have the same length. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

/** Lease names for long polling and for webhook upkeep. */
export const pollingRole = 'telegram updates'
export const webhookRole = 'telegram webhook'

/** Telegram's maximum; a call takes only as long as storing an update. */
const webhookConnections = 100

interface KeeperParts {
  api: Api
  /** URL of the webhook. */
  url: string
  secret: string
  log: Logger
  /** Milliseconds between two checks. */
  every: number
}

/** Sets the webhook, and sets it again if another process with the same token changes it. */
export class WebhookKeeper {
  readonly #parts: KeeperParts
  /** Unix seconds of the last delivery error that was logged. */
  #loggedErrorAt = 0

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /**
   * Checks that running replicas have not set another webhook. `held` are the roles that replicas lead, read before this
   * call: the leader of `webhookRole` has set its address. @throws PlatformError if they have
   */
  async check(held: readonly string[]): Promise<void> {
    if (!held.includes(webhookRole)) return
    const { api, url } = this.#parts
    const { url: current = '' } = await api.getWebhookInfo()
    if (current !== '' && current !== url) throw webhookConflict('Telegram', current, url)
  }

  async set(): Promise<void> {
    const { api, url, secret, log } = this.#parts
    await api.setWebhook(url, {
      secret_token: secret,
      allowed_updates: handledUpdates,
      max_connections: webhookConnections,
    })
    log.info({ url }, 'telegram: updates come to PUBLIC_URL')
  }

  keep(): Task {
    const { every, log } = this.#parts
    let isFirst = true
    return new PollingLoop({
      poll: async (signal) => {
        await this.#check(signal, isFirst)
        isFirst = false
      },
      everyMs: every,
      onFault: (err) => log.warn({ err }, 'telegram: where updates go can’t be seen or set'),
    })
  }

  async #check(signal: AbortSignal, isFirst: boolean): Promise<void> {
    const { api, url, log } = this.#parts
    const info = await api.getWebhookInfo()
    if (signal.aborted) return
    if (info.url !== url) {
      const found = info.url ? hostOf(info.url) : 'none'
      log.warn(
        { found },
        'telegram: another process with the same TELEGRAM_TOKEN, or a replica with another PUBLIC_URL, changed the webhook; it is set again. Stop the other one.',
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
      'telegram could not bring updates to PUBLIC_URL',
    )
  }
}

/**
 * Checks that all replicas on a database receive updates in the same way: polling would delete the webhook of the others.
 * `held` are the roles that replicas lead. @throws PlatformError if they don't
 */
export function checkMode(ours: 'polling' | 'webhook', held: readonly string[]): void {
  const theirs = ours === 'polling' ? 'webhook' : 'polling'
  if (!held.includes(theirs === 'webhook' ? webhookRole : pollingRole)) return
  throw new PlatformError(
    `Another replica on this database has TELEGRAM_UPDATES=${theirs}, and this one ${ours}. Set it alike, or stop all replicas before it is changed; after a kill, wait ten seconds.`,
  )
}
