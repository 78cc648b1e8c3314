import { setTimeout as delay } from 'node:timers/promises'

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
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
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
