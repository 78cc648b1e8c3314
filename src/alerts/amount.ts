import Big from 'big.js'
import { UserError } from '../errors.ts'

const written = /^\$?(?<digits>\d+(?:\.\d+)?|\.\d+)(?:e(?<power>[+-]?\d{1,2})|(?<unit>[kmb]))?$/iu
const powers: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 }
/** Longer ones are neither a price nor a market cap. */
const longest = 40

/**
 * An amount of money as a plain decimal, as a rule keeps it: `0.5`, `$1.50`, `1.5e-7`, `300k`, `2.5m`.
 * @throws UserError that says how to write one
 */
export function parseAmount(raw: string): string {
  const { digits, power, unit } = written.exec(raw.trim())?.groups ?? {}
  if (digits === undefined) {
    throw new UserError(
      `"${raw}" is no amount. Write it as 0.5, 1.5e-7, 300k or 2.5m, without separators for thousands.`,
    )
  }
  const exponent = power ?? powers[unit?.toLowerCase() ?? ''] ?? 0
  const amount = new Big(`${digits}e${exponent}`)
  const text = amount.toFixed()
  if (amount.eq(0) || text.length > longest) {
    throw new UserError(`"${raw}" can’t be reached. Give an amount above 0 that a price can have.`)
  }
  return text
}
