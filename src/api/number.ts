import Big from 'big.js'

/**
 * A constructor of our own: quotients are truncated, never rounded up, so that a sale is not reported as sold out too
 * early.
 */
export const Decimal = Big()
Decimal.DP = 20
Decimal.RM = Decimal.roundDown

const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/iu

/** Parses a number of the wire; undefined if it is not one, or is too long or too large or small to show. */
export function decimal(text: string | undefined): Big | undefined {
  if (text === undefined || text.length > 100 || !decimalText.test(text)) return undefined
  // The parser rejects a leading plus.
  const value = new Decimal(text.replace(/^\+/u, ''))
  return Math.abs(value.e) <= 80 ? value : undefined
}

/** Whether a number is an integer. */
export function isWhole(value: Big): boolean {
  return value.round(0, Decimal.roundDown).eq(value)
}

/** An inclusive range of numbers. */
export type Span = readonly [least: number, most: number]

/** Whether a number is in a range. */
export function isWithin(value: number, [least, most]: Span): boolean {
  return value >= least && value <= most
}

/** Whether two ranges overlap. */
export function meet([least, most]: Span, [from, to]: Span): boolean {
  return least <= to && most >= from
}
