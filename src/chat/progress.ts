const cells = 10

/** Ten cells for a ratio of 0 to 1. Rounded down, so that a full bar means all of it; any progress shows one cell. */
export function progressBar(ratio: number): string {
  const bounded = Math.min(1, Math.max(0, ratio))
  const full = bounded > 0 ? Math.max(1, Math.floor(bounded * cells)) : 0
  return '▰'.repeat(full) + '▱'.repeat(cells - full)
}
