/** What `work` comes to if it does so within this many milliseconds, else undefined; the work itself goes on. */
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

/** Seconds to wait where a platform says that it is too much, and not in a number for how long. */
export const defaultRetryAfter = 10

const maxRetryAfter = 86_400

/** The whole seconds, or parts of them, that a platform says to wait: 1 to 86,400. Undefined where it says no number. */
export function parseRetryAfter(said: unknown): number | undefined {
  const seconds = Number(said)
  return seconds > 0 ? Math.min(Math.max(seconds, 1), maxRetryAfter) : undefined
}

/** Milliseconds that may be held: none where they are no number, and a day at most. */
export function boundedPause(ms: number): number {
  return ms > 0 ? Math.min(ms, maxRetryAfter * 1_000) : 0
}
