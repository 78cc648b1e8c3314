import Big from 'big.js'
import { UserError } from '../errors.ts'

const amountPattern =
  /^\$?(?<digits>\d+(?:\.\d+)?|\.\d+)(?:e(?<power>[+-]?\d{1,2})|(?<unit>[kmb]))?$/iu
const exponents: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 }
/** Maximum digits and point of a stored amount; no price or market cap needs more. */
const maxLength = 40

/**
 * Parses an amount of money into a plain decimal, as rules store it.
 * @example
 * parseAmount('$1.50') // '1.5'
 * parseAmount('1.5e-7') // '0.00000015'
 * parseAmount('300k') // '300000'
 * @throws UserError that explains the format
 */
export function parseAmount(raw: string): string {
  const { digits, power, unit } = amountPattern.exec(raw.trim())?.groups ?? {}
  if (digits === undefined) {
    throw new UserError(
      `"${raw}" is no amount. Write it as 0.5, 1.5e-7, 300k or 2.5m, without separators for thousands.`,
    )
  }
  const exponent = power ?? exponents[unit?.toLowerCase() ?? ''] ?? 0
  const amount = new Big(`${digits}e${exponent}`)
  const text = amount.toFixed()
  if (amount.eq(0) || text.length > maxLength) {
    throw new UserError(`"${raw}" can’t be reached. Give an amount above 0 that a price can have.`)
  }
  return text
}
