/** An address as the interface writes one, in any case. */
export const addressPattern = /^0x[0-9a-f]{40}$/iu

/** What stands for "no pool" where a graduation is announced but has not happened. */
const placeholders = new Set([
  '',
  '0',
  '0x',
  '0x0',
  'none',
  'null',
  'undefined',
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
  '0x0000000000000000000000000000000000000000',
])

/** Whether the interface says this where there is no contract yet. */
export function isPlaceholder(address: string): boolean {
  return placeholders.has(address.trim().toLowerCase())
}

/** Whether two addresses are plainly not the same one; absent ones never differ. */
export function differ(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && left.toLowerCase() !== right.toLowerCase()
}
