/** Tries until a job is given up. */
export const tries = 12
/**
 * Seconds for which the key of a job that ended is remembered. No key may come again later than that: what is watched
 * ends a week after its payload, and what is told is given up three days after it happened.
 */
export const remembered = 90 * 86_400

const firstPause = 2
const longestPause = 600
const longestReason = 500

/** Seconds to wait after the nth failure: 2, 4, 8 … up to ten minutes. */
export function doubling(failures: number): number {
  return Math.min(longestPause, firstPause * 2 ** (failures - 1))
}

/** Why a job failed, as it is kept. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, longestReason)
}
