import Big from 'big.js'

/** Its own constructor: the digits of a quotient are cut, never rounded up, so that a sale is not called over early. */
export const Decimal = Big()
Decimal.DP = 20
Decimal.RM = Decimal.roundDown

const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/iu

/** A number of the wire; absent where it is none, or so long or so far from one that showing it makes no sense. */
export function decimal(text: string | undefined): Big | undefined {
  if (text === undefined || text.length > 100 || !decimalText.test(text)) return undefined
  // The parser knows no plus before a number.
  const value = new Decimal(text.replace(/^\+/u, ''))
  return Math.abs(value.e) <= 80 ? value : undefined
}

/** Whether a number has no digits behind its point but zeros. */
export function isWhole(value: Big): boolean {
  return value.round(0, Decimal.roundDown).eq(value)
}

/** The least and the most that a number may be. */
export type Span = readonly [least: number, most: number]

/** Whether a number lies between two others or is one of them. */
export function isWithin(value: number, [least, most]: Span): boolean {
  return value >= least && value <= most
}

/** Whether two spans have a number in common. */
export function meet([least, most]: Span, [from, to]: Span): boolean {
  return least <= to && most >= from
}
