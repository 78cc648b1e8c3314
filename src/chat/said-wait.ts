/** Seconds to wait where a platform says that it is too much, and not in a number for how long. */
export const usualWait = 10

const longestWait = 86_400

/** The whole seconds, or parts of them, that a platform says to wait: 1 to 86,400. Undefined where it says no number. */
export function saidWait(said: unknown): number | undefined {
  const seconds = Number(said)
  return seconds > 0 ? Math.min(Math.max(seconds, 1), longestWait) : undefined
}

/** Milliseconds that may be held: none where they are no number, and a day at most. */
export function boundedHold(ms: number): number {
  return ms > 0 ? Math.min(ms, longestWait * 1_000) : 0
}
