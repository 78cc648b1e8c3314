import { formatUnits } from 'viem'
import { grouped } from './text.ts'

/** One line of what the launch does: words, and the account that they are of. */
export interface Term {
  label: string
  values: readonly { text: string; address?: string }[]
}

/** Tokens, sizes and shares all have 18 decimals. */
const decimals = 18
export const one = 10n ** 18n

/** Unix seconds in the words of the place where the page is read. */
export function time(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000)
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : format.format(date)
}

/** Base units as tokens. */
export function amount(units: bigint): string {
  const [whole = '0', fraction] = formatUnits(units, decimals).split('.')
  return fraction ? `${grouped(whole)}.${fraction}` : grouped(whole)
}

/** With at most four decimals, rounded down. */
export function percent(part: bigint, whole: bigint): string {
  if (whole === 0n) return 'unknown share'
  const millionths = (part * 1_000_000n) / whole
  if (millionths === 0n && part > 0n) return 'less than 0.0001 %'
  return `${formatUnits(millionths, 4)} %`
}
