import { setTimeout as delay } from 'node:timers/promises'
import { type RunnerHandle, run } from '@grammyjs/runner'
import { type Bot, type BotError, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { type AdapterParts, hostOf, PlatformError, untilReachable } from '../core/adapter.ts'
import { withTimeout } from '../core/retry.ts'
import type { Task } from '../core/task.ts'
import { isFinal } from './errors.ts'
import { handledUpdates } from './receive.ts'

interface PollingParts extends Pick<AdapterParts, 'log' | 'onFatal'> {
  grammy: Bot
  /** Milliseconds before polling again after a 409: long enough for the other process to begin a poll, which ours then ends. */
  conflictPause?: number
  /**
   * Milliseconds after its start in which a process that gets a 409 gives up: another one was there first. One that has
   * polled for longer tries again. Default: three conflict pauses, so that the other process has time to poll again.
   */
  newcomer?: number
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
    const { conflictPause = 3_000, newcomer = 3 * conflictPause } = parts
    this.#parts = { ...parts, conflictPause, newcomer }
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
    const { log, onFatal, conflictPause } = this.#parts
    while (!signal.aborted) {
      const polledFrom = performance.now()
      try {
        await this.#pollOnce()
      } catch (error) {
        // If another replica took the lease, we are stopped during this pause.
        if (isConflict(error))
          await delay(conflictPause, undefined, { signal }).catch(() => undefined)
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
    return now - this.#startedAt < this.#parts.newcomer || this.#conflicts > maxConflicts
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
