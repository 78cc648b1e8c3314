/** Returns the value below which this share (0 to 1) of the values lies, the nearest that occurred; NaN if empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/**
 * Returns the median of the ratios of two bots' rounds: a disturbance of a round or more affects both and cancels out.
 */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.flatMap((our, round) => (theirs[round] ? [our / theirs[round]] : [])))
}

/** Rotates the items by the round, so that none is always measured first. */
export function rotated<T>(items: readonly T[], round: number): T[] {
  const from = items.length === 0 ? 0 : round % items.length
  return [...items.slice(from), ...items.slice(0, from)]
}
