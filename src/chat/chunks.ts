/** The items in order, in rows of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const rows: T[][] = []
  for (let at = 0; at < items.length; at += size) rows.push(items.slice(at, at + size))
  return rows
}
