/** An address as the interface writes one, in any case. */
export const addressPattern = /^0x[0-9a-f]{40}$/iu

/** A contract's address, or the id of a pool that shares its contract with others. */
const place = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/u
/** Zero, one, `0x…dead` and `0xdeaddead…`: nothing stands there. */
const nowhere = /^0x(?:0*(?:dead|1)?|(?:dead)+)$/u

/** Whether what the interface says where a pool is named is none: no address at all, or one that stands for nothing. */
export function isPlaceholder(address: string): boolean {
  const text = address.trim().toLowerCase()
  return !place.test(text) || nowhere.test(text)
}

/** Whether two addresses are plainly not the same one; absent ones never differ. */
export function differ(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && left.toLowerCase() !== right.toLowerCase()
}
