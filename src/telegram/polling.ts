import { type Api, type Bot, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { type AdapterParts, hostOf, PlatformError, untilReachable } from '../core/adapter.ts'
import { parseRetryAfter, sleep, type Task, withTimeout } from '../core/task.ts'
import { isConflict, isFinal, isWebhookConflict } from './errors.ts'
import { handledUpdates } from './handlers.ts'

interface PollingParts extends Pick<AdapterParts, 'log' | 'onFatal'> {
  bot: Pick<Bot, 'api' | 'handleUpdate'>
  /** Called after each poll, with the error if it failed. */
  onPolled?: (error?: unknown) => void
  /** Milliseconds after which an update may be confirmed before it is handled. */
  confirmAfterMs?: number | undefined
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
/** Gives up after this many 409s, each less than `conflictsCountFor` ms after the last: two pollers would alternate forever. */
const maxConflicts = 10
const conflictsCountFor = 60_000

/**
 * Receives updates by long polling, which Telegram allows one process at a time. Each poll confirms, by its offset, what comes
 * before the first update that is still under way. `bot.start()` would handle one update after the other, and the runner's `run`
 * confirms them before they are handled, so that a process that dies loses them.
 */
export class Polling implements Task {
  readonly ready: Promise<void>
  readonly #parts: PollingParts
  readonly #stopping = new AbortController()
  /** Updates that may not be confirmed yet, in the order of their numbers. */
  readonly #open = new Map<number, Promise<void>>()
  /** Number after the last update that was received; undefined before the first. */
  #next: number | undefined
  /** Offset of the last poll. */
  #polledOffset: number | undefined
  #startedAt = performance.now()
  #running: Promise<void> | undefined
  /** Polls that failed in a row. */
  #failures = 0
  #conflicts = { count: 0, last: 0 }

  constructor(parts: PollingParts) {
    this.#parts = parts
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  /** Confirms what no later poll of this process will: the next poller would receive and answer it again. */
  async stop(): Promise<void> {
    const { bot, log } = this.#parts
    this.#stopping.abort()
    await this.#running
    await withTimeout(Promise.allSettled(this.#open.values()), drainMs)
    const offset = this.#offset
    if (offset === undefined || offset === this.#polledOffset) return
    const confirmed = bot.api.getUpdates({ offset, limit: 1, timeout: 0 }).catch((err: unknown) => {
      log.warn({ err }, 'telegram may send updates again that were already answered')
    })
    await withTimeout(confirmed, confirmMs)
  }

  /** All updates before it may be confirmed. */
  get #offset(): number | undefined {
    return this.#open.keys().next().value ?? this.#next
  }

  async #begin(): Promise<void> {
    const reach = untilReachable('telegram', isFinal, this.#parts.log)
    await reach(() => this.#deleteWebhook(), this.#stopping.signal)
    this.#startedAt = performance.now()
    this.#running = this.#run()
  }

  /** Deletes a webhook, which excludes polling, and logs its host, which gets no more updates. */
  async #deleteWebhook(): Promise<void> {
    const { bot, log } = this.#parts
    const { url } = await bot.api.getWebhookInfo()
    if (!url) return
    await bot.api.deleteWebhook()
    log.warn(
      { host: hostOf(url) },
      'telegram sent updates to another address; from now on this bot polls for them, and nothing goes there',
    )
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#poll(signal)
        this.#failures = 0
        this.#parts.onPolled?.()
        await withTimeout(Promise.allSettled(this.#open.values()), pollAgainMs)
      } catch (error) {
        if (signal.aborted || !(await this.#goesOn(error, signal))) return
      }
    }
  }

  /** Pauses after a poll that failed. Returns whether to poll again. */
  async #goesOn(error: unknown, signal: AbortSignal): Promise<boolean> {
    const { log, onFatal, onPolled, conflictPauseMs = 3_000 } = this.#parts
    this.#failures += 1
    onPolled?.(error)
    // If another process leads by now, we are stopped during this pause.
    await sleep(isConflict(error) ? conflictPauseMs : this.#pauseAfter(error), signal)
    if (signal.aborted) return false
    if (!isFinal(error)) return true
    if (this.#outlasts(error)) {
      log.error('another process polled Telegram with the same token; going on')
      return true
    }
    onFatal(explainPolling(error))
    return false
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const offset = this.#offset
    const isSameOffset = offset !== undefined && offset === this.#polledOffset
    this.#polledOffset = offset
    const isLong = this.#open.size === 0 && this.#failures === 0
    const updates: unknown = await this.#parts.bot.api.getUpdates(
      {
        ...(offset !== undefined && { offset }),
        limit: maxUpdates,
        // After a failure, a long poll would take up to 30 s to show that Telegram is back.
        timeout: isLong ? longPoll : 0,
        allowed_updates: handledUpdates,
      },
      // grammY has the type of a polyfill for old Nodes.
      signal as Parameters<Api['getUpdates']>[1],
    )
    if (!Array.isArray(updates)) throw new TypeError('updates are no list')
    for (const update of updates) this.#take(update)
    // Others may wait behind a hundred, which is all that a poll brings: the first is confirmed before it is handled.
    if (isSameOffset && updates.length === maxUpdates) this.#open.delete(offset)
  }

  #take(update: Update): void {
    const { bot, confirmAfterMs = 10_000 } = this.#parts
    const id = update.update_id
    // Also if it is lower: after a week without updates, Telegram's numbers begin anew, anywhere.
    this.#next = id + 1
    if (this.#open.has(id)) return
    const handled = withTimeout(bot.handleUpdate(update), confirmAfterMs)
    this.#open.set(id, handled)
    handled.then(
      () => this.#open.delete(id),
      // The process stops: Telegram brings it again to the next one.
      () => undefined,
    )
  }

  /** Pauses grow by 100 ms each up to 30 s, which they reach after an outage of an hour. */
  #pauseAfter(error: unknown): number {
    const asked = error instanceof GrammyError ? error.parameters.retry_after : undefined
    return Math.min(30_000, (parseRetryAfter(asked) ?? 0) * 1_000 || this.#failures * 100)
  }

  /** Whether to go on after a refusal: after the poll of a process that should give way. */
  #outlasts(error: unknown): boolean {
    if (!isConflict(error) || isWebhookConflict(error)) return false
    const { conflictPauseMs = 3_000, newcomerMs = 3 * conflictPauseMs } = this.#parts
    const now = performance.now()
    const { count, last } = this.#conflicts
    this.#conflicts = { count: now - last < conflictsCountFor ? count + 1 : 1, last: now }
    return now - this.#startedAt >= newcomerMs && this.#conflicts.count <= maxConflicts
  }
}

/** The operator's text if another process polls. */
export const polledElsewhere =
  'Another process polls Telegram with the same TELEGRAM_TOKEN. Stop it, or use another bot.'

function explainPolling(cause: unknown): PlatformError {
  const polled = isConflict(cause) ? polledElsewhere : 'Telegram ended the connection.'
  const message = isWebhookConflict(cause)
    ? 'Another process set a webhook with the same TELEGRAM_TOKEN. Stop it, set TELEGRAM_UPDATES=webhook here too, or use another bot.'
    : polled
  return new PlatformError(message, { cause })
}
