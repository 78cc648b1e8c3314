const cells = 10

/** From here on the first cell is nearer to the truth than none. */
const firstCell = 0.05

/** Ten cells for a ratio of 0 to 1. Rounded down, so that a full bar means all of it; the first comes from 5 % on. */
export function progressBar(ratio: number): string {
  const bounded = Math.min(1, Math.max(0, ratio))
  const full = Math.max(bounded < firstCell ? 0 : 1, Math.floor(bounded * cells))
  return '▰'.repeat(full) + '▱'.repeat(cells - full)
}
