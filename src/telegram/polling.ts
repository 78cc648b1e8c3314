import { setTimeout as delay } from 'node:timers/promises'
import { type RunnerHandle, run } from '@grammyjs/runner'
import { type Bot, type BotError, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { type AdapterParts, PlatformError, untilReachable } from '../core/adapter.ts'
import { withTimeout } from '../core/retry.ts'
import type { Task } from '../core/task.ts'
import { hostOf } from '../core/webhook.ts'
import { isFinal } from './errors.ts'
import { handledUpdates } from './receive.ts'

interface PollingParts extends Pick<AdapterParts, 'log' | 'onFatal'> {
  grammy: Bot
  /** Milliseconds: long enough for the second to begin a poll, which the next one of ours ends. */
  conflictPause?: number
  /**
   * Milliseconds. Who is refused within them is the second, and gives way; who has polled for longer tries again. The
   * first strikes back after its pause: three of them leave time for that, and are soon over.
   */
  newcomer?: number
}

/** Updates under way over all chats. */
const maxUnderWay = 5_000
/** How long a poll may take to end; what it brought is waited for elsewhere. */
const drainTime = 1_000
/** Two that both have been there for long would end each other's polls for ever. */
const maxConflicts = 10
/** Milliseconds without one after which those that were are over. */
const quiet = 60_000
/** Milliseconds after which an update has surely been confirmed by the poll that followed it. */
const confirmedAfter = 5_000

/** Asks Telegram for updates: one process at a time may. Updates of one chat in order, of different chats side by side. */
export class Polling implements Task {
  readonly ready: Promise<void>
  readonly #parts: Required<PollingParts>
  readonly #stopping = new AbortController()
  #since = performance.now()
  #runner: RunnerHandle | undefined
  #running: Promise<void> | undefined
  #conflicts = 0
  /** The last update that is handled here. */
  #last: { id: number; at: number } | undefined

  constructor(parts: PollingParts) {
    const { conflictPause = 3_000, newcomer = 3 * conflictPause } = parts
    this.#parts = { ...parts, conflictPause, newcomer }
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // While Telegram is out of reach the runner sleeps between its tries, longer than a stop may take.
    const polled = this.#runner?.isRunning() ?? false
    const ended = Promise.all([polled && this.#runner?.stop(), this.#running])
    const confirmed = ended.then(() => (polled ? this.#confirm() : undefined))
    await withTimeout(confirmed, drainTime)
  }

  /** Where the next poll could not say any more that updates came here, whoever polls next would answer them again. */
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
    await reach.execute(() => this.#leaveWebhook(), this.#stopping.signal)
    this.#since = performance.now()
    this.#running = this.#poll()
  }

  /** Whoever is called hears nothing any more, so it is said whom this makes deaf. */
  async #leaveWebhook(): Promise<void> {
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
    const { log, onFatal, conflictPause } = this.#parts
    while (!signal.aborted) {
      const from = performance.now()
      try {
        await this.#pollOnce()
      } catch (error) {
        // Where it was another replica that took over, the stop comes meanwhile.
        if (isConflict(error))
          await delay(conflictPause, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) return
        if (this.#isLost(error, from)) return onFatal(explainPolling(error))
        log.error('another process polled Telegram with the same token; going on')
      }
    }
  }

  #isLost(error: unknown, polledFrom: number): boolean {
    if (!isConflict(error) || isWebhook(error)) return true
    const now = performance.now()
    this.#conflicts = now - polledFrom < quiet ? this.#conflicts + 1 : 1
    return now - this.#since < this.#parts.newcomer || this.#conflicts > maxConflicts
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
        // Waits grow by 100 ms each, so that an hour's outage ends in waits of half a minute, not of an hour.
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

/** Telegram brings updates to an address, and is asked for none meanwhile. */
function isWebhook(error: unknown): boolean {
  return isConflict(error) && error instanceof GrammyError && /webhook/iu.test(error.description)
}

function explainPolling(error: unknown): PlatformError {
  return new PlatformError(explanation(error), { cause: error })
}

function explanation(error: unknown): string {
  if (isWebhook(error))
    return 'Another process set a webhook with the same TELEGRAM_TOKEN. Stop it, set TELEGRAM_UPDATES=webhook here too, or use another bot.'
  return isConflict(error)
    ? 'Another process polls Telegram with the same TELEGRAM_TOKEN. Stop it, or use another bot.'
    : 'Telegram ended the connection.'
}
