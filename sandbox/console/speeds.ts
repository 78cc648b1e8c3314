/** How many times faster than the clock a person may let auctions run. */
export const speeds: readonly number[] = [1, 10, 60, 300]

export function isSpeed(value: number): boolean {
  return speeds.includes(value)
}
