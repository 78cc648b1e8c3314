/** Work that has begun and runs until it is stopped; the leader of a role runs one. */
export interface Task {
  /** Resolves once the work is under way. Absent if it is at once. */
  readonly ready?: Promise<void>
  /** Must end the work soon: the next leader may already have begun. */
  stop(): Promise<void>
}

interface PollingLoopParts {
  poll: (signal: AbortSignal) => Promise<void>
  /** Milliseconds between two polls, and before the first. */
  everyMs: number
  /** Milliseconds before the first poll, if it is not to wait for as long. */
  firstAfterMs?: number
  /** Milliseconds that `stop` waits for a poll; 1,000 by default, as polls should end when the signal is aborted. */
  drainMs?: number
  /** Called if a poll failed; polling goes on. */
  onFault: (error: unknown) => void
}

/**
 * Polls until it is stopped.
 * @example
 *   const loop = new PollingLoop({ poll: (signal) => check(signal), everyMs: 60_000, onFault: (err) => log.warn({ err }) })
 *   await loop.stop()
 */
export class PollingLoop implements Task {
  readonly #stopping = new AbortController()
  readonly #drainMs: number
  readonly #polls: Promise<void>

  constructor(parts: PollingLoopParts) {
    this.#drainMs = parts.drainMs ?? 1_000
    this.#polls = this.#run(parts)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await withTimeout(this.#polls, this.#drainMs)
  }

  async #run({ poll, everyMs, firstAfterMs = everyMs, onFault }: PollingLoopParts): Promise<void> {
    const { signal } = this.#stopping
    for (let ms = firstAfterMs; ; ms = everyMs) {
      await sleep(ms, signal)
      if (signal.aborted) return
      try {
        await poll(signal)
      } catch (error) {
        if (!signal.aborted) onFault(error)
      }
    }
  }
}

/**
 * The result of `work`, or undefined if it takes longer than this many milliseconds. The work itself goes on.
 * @example
 *   const choices = (await withTimeout(search(term), 2_000)) ?? []
 */
export async function withTimeout<T>(
  work: Promise<T>,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for so many milliseconds, or until the signal is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const timer = setTimeout(end, ms)
  signal?.addEventListener('abort', end, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', end)
}

interface RetryParts {
  /** Milliseconds before the next try, after so many failures in a row. */
  pause: (failures: number, error: unknown) => number
  /** Whether another try may succeed; default: always. */
  canRetry?: (error: unknown) => boolean
  /** Maximum tries, with the first; default: without limit. */
  maxTries?: number
  /** Ends the tries. The error of the try that it ends says less than the one before, which is thrown if there is one. */
  signal?: AbortSignal
  /** Called before each pause. */
  onRetry?: (error: unknown, failures: number) => void
}

/**
 * Tries until it works. @throws the last error; see `signal`
 * @example
 *   const me = await retry(() => api.getMe(), { pause: (failures) => backoff(failures, 500, 30_000), signal })
 */
export async function retry<T>(work: () => Promise<T>, parts: RetryParts): Promise<T> {
  const { pause, canRetry, maxTries = Number.POSITIVE_INFINITY, signal, onRetry } = parts
  let before: unknown
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted) throw before ?? error
      if (failures >= maxTries || canRetry?.(error) === false) throw error
      before = error
      onRetry?.(error, failures)
      await sleep(pause(failures, error), signal)
      if (signal?.aborted) throw error
    }
  }
}

/** The pause after the nth failure in a row: `first`, then doubled each time, up to `max`. */
export function backoff(failures: number, first: number, max: number): number {
  return Math.min(max, first * 2 ** Math.min(30, Math.max(0, failures - 1)))
}

/** Seconds to wait after a 429 that names no number. */
export const defaultRetryAfter = 10

const maxRetryAfter = 86_400

/** The seconds in a retry-after, fractions allowed, bounded to 1 to 86,400. Undefined if it is not a number. */
export function parseRetryAfter(value: unknown): number | undefined {
  const seconds = Number(value)
  return seconds > 0 ? Math.min(Math.max(seconds, 1), maxRetryAfter) : undefined
}

/** Bounds a pause in milliseconds to at most a day; 0 if it is not a number. */
export function boundedPause(ms: number): number {
  return ms > 0 ? Math.min(ms, maxRetryAfter * 1_000) : 0
}
