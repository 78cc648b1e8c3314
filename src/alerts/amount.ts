import Big from 'big.js'
import { z } from 'zod'
import type { Locale } from '../core/catalogue.ts'
import { decimalSign } from '../core/number.ts'
import { t } from '../core/view.ts'
import { UserError } from '../errors.ts'

/** Maximum digits and point of a stored amount; no figure needs more. */
const maxAmount = 40

/** A plain decimal above zero, in US dollars (in the quote token if the API gives no dollars). */
export const positive = z
  .string()
  .max(maxAmount)
  .regex(/^\d+(?:\.\d+)?$/u)
  .transform((text) => new Big(text).toFixed())

const amountPattern =
  /^\$? ?(?<digits>[\d., \u00a0\u202f]*\d)[ \u00a0\u202f]?(?:e(?<power>[+-]?\d{1,2})|(?<unit>[kmb]|mil|тыс|млн|млрд|[万亿])\.?)?(?:[ \u00a0\u202f]?\$)?$/iu
const exponents: Readonly<Record<string, number>> = {
  k: 3,
  m: 6,
  b: 9,
  mil: 3,
  тыс: 3,
  млн: 6,
  млрд: 9,
  万: 4,
  亿: 8,
}
/**
 * Parses an amount of money into a plain decimal, as rules store it.
 * @param locale the language of the person who typed it as an answer; without one, of a command line, which all languages share
 * @example
 * parseAmount('$1.50') // '1.5'
 * parseAmount('1.5e-7') // '0.00000015'
 * parseAmount('300k') // '300000'
 * parseAmount('1,5 млн', 'ru') // '1500000'
 * @throws UserError that explains the format
 */
export function parseAmount(raw: string, locale?: Locale): string {
  const { digits = '', power, unit } = amountPattern.exec(raw.trim())?.groups ?? {}
  const plain = plainDigits(digits, locale)
  if (plain === undefined) {
    throw new UserError(t('alerts-amount-unreadable', { typed: raw }))
  }
  const exponent = power ?? exponents[unit?.toLowerCase() ?? ''] ?? 0
  const amount = new Big(`${plain}e${exponent}`)
  const text = amount.toFixed()
  if (amount.eq(0) || text.length > maxAmount) {
    throw new UserError(t('alerts-amount-impossible', { typed: raw }))
  }
  return text
}

/** Thousands in groups, each with the same sign before it, and maybe a fraction with another one. */
const grouped =
  /^(?<whole>\d{1,3}(?:(?<sign>[., \u00a0\u202f])\d{3})(?:\k<sign>\d{3})*)(?:(?!\k<sign>)[.,](?<fraction>\d+))?$/u
const simple = /^(?<whole>\d*)(?:[.,](?<fraction>\d+))?$/u

/**
 * The digits with a point before the fraction; undefined if they are no number.
 * @throws UserError if a sign before three digits may mean thousands or a fraction
 */
function plainDigits(digits: string, locale: Locale | undefined): string | undefined {
  if (digits === '') return undefined
  const { whole, fraction } = simple.exec(digits)?.groups ?? {}
  const groups = grouped.exec(digits)?.groups
  if (whole !== undefined) {
    const isGroup = groups !== undefined && !whole.startsWith('0')
    const meant = isGroup ? meaningOf(digits, whole, locale) : 'fraction'
    if (meant === 'thousands') return `${whole}${fraction ?? ''}`
    return fraction === undefined ? whole : `${whole || '0'}.${fraction}`
  }
  const thousands = groups?.whole?.replaceAll(/\D/gu, '')
  return (
    thousands && (groups?.fraction === undefined ? thousands : `${thousands}.${groups.fraction}`)
  )
}

/** Returns how the language reads the sign before the last three digits. */
function meaningOf(
  digits: string,
  whole: string,
  locale: Locale | undefined,
): 'thousands' | 'fraction' {
  const own = decimalSign(locale ?? 'en')
  if (digits.includes(own)) return 'fraction'
  // In English a comma is nothing else; a point is written for a fraction in every language, too.
  if (locale !== undefined && own === '.') return 'thousands'
  throw new UserError(
    t('alerts-amount-ambiguous', {
      typed: digits,
      thousands: { code: digits.replace(/\D/u, '') },
      fraction: { code: `${whole}${own}${digits.slice(whole.length + 1)}` },
    }),
  )
}
