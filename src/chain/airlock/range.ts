/** From the least to the most that is possible. */
export interface Range {
  least: bigint
  most: bigint
}

/** The most of something that nothing limits. */
export const endless = 2n ** 256n - 1n
/** None of something. */
export const nothing: Range = { least: 0n, most: 0n }

export function exactly(amount: bigint): Range {
  return { least: amount, most: amount }
}

export function negative({ least, most }: Range): Range {
  return { least: -most, most: -least }
}

export function positive({ least, most }: Range): Range {
  return { least: larger(least, 0n), most: larger(most, 0n) }
}

export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
