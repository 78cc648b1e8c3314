import type { Address } from 'viem'
import { formatUnits, getAddress } from 'viem/utils'
import * as z from 'zod/mini'
import { isAddress, isNobody } from '../../chain/address.ts'
import { plain } from '../../chain/airlock/calldata.ts'
import { decimal, type Ratio, wad } from '../../chain/airlock/curve.ts'
import type { AccountOrRole, Effects, Share } from '../../chain/airlock/effects.ts'
import { price } from '../../views/number.ts'

// Schemas of the values in the table's rows, their texts, and their comparison.

/** A part of a row's text. Each view formats accounts in its own way, and times in the reader's time zone. */
type TextPart = string | { account: Address } | { time: number }
export type RowText = readonly TextPart[]

export type RowGroup = 'Supply' | 'Price' | 'Fees' | 'Proceeds' | 'Control' | 'Cost'

/** The reader's accounts, and the known names and prices. */
export interface Viewpoint {
  wallet: Address
  /** The integrator of the operator or the template. */
  integrator?: Address | undefined
  /** The owner of the launch contract. */
  protocol?: Address | undefined
  quote: Quote
  /** Known names of modules by lower-case address. */
  modules?: ReadonlyMap<string, string>
  /** Unix seconds of the check; a start before that means immediately. */
  now: number
  /** Max accounts of a list that are named; the others are counted. */
  lines?: number | undefined
}

/** The token that buyers pay with. */
export interface Quote {
  /** Absent at the review, before a payload names it. */
  address?: Address
  symbol: string
  /** Whether the symbol is from the bot's own table instead of the token's contract. */
  known: boolean
  decimals?: number | undefined
  /** Price in dollars as a decimal text; undefined if unknown. */
  usd?: string | undefined
}

export const tokenDecimals = 18
/** Decimals that turn an 18-decimal fraction into percent. */
export const percentDecimals = 16
export const day = 86_400

export const roles = '(?:you|nobody|dao|contract|integrator|protocol|0x[0-9a-fA-F]{40})'
/** An account or its role. */
export const accountSchema = z.string().check(z.regex(new RegExp(`^${roles}$`, 'u')))
export const textSchema = z.string()
/** A decimal text: percent, whole tokens or a price. */
export const decimalSchema = z.string().check(z.regex(/^\d+(?:\.\d+)?$/u))

export const sharesSchema = z.array(z.object({ to: accountSchema, percent: decimalSchema }))
/** `now`, `at` a unix second, or `in` so many seconds after the check. */
export const momentSchema = z.union([
  z.object({ at: z.number() }),
  z.object({ in: z.number() }),
  z.literal('now'),
])

/** A row of the table: how its value is read from the effects, put into words and compared. */
interface RowDefinition<Value> {
  group: RowGroup
  label: string
  schema: z.ZodMiniType<Value>
  /** Returns the payload's value; undefined if it has no such row. */
  read(effects: Effects, view: Viewpoint): Value | undefined
  text(value: Value, view: Viewpoint, effects?: Effects): RowText
  /** Compares the asked value with the payload's; by default they must be equal. */
  isSame?(asked: Value, does: Value, view: Viewpoint, effects: Effects): boolean
  /** Returns why a value that nobody asked for is not what people expect. */
  unusualReason?(value: Value, view: Viewpoint, effects: Effects): string | undefined
  /** Whether to show it first even if it was asked for. */
  isShownFirst?(value: Value): boolean
  /** Whether the asked value leaves something open that may be unusual. */
  leavesOpen?(asked: Value): boolean
}

/** Makes a row's functions take any JSON value, which its schema parses. */
export function defineRow<Value>(row: RowDefinition<Value>) {
  const { schema, isSame, unusualReason, isShownFirst, leavesOpen } = row
  return {
    ...row,
    text: (value: unknown, view: Viewpoint, effects?: Effects) =>
      row.text(schema.parse(value), view, effects),
    isSame: (asked: unknown, does: unknown, view: Viewpoint, effects: Effects) =>
      isSame
        ? isSame(schema.parse(asked), schema.parse(does), view, effects)
        : canonical(schema.parse(asked), view) === canonical(schema.parse(does), view),
    unusualReason: (value: unknown, view: Viewpoint, effects: Effects) =>
      unusualReason?.(schema.parse(value), view, effects),
    isShownFirst: (value: unknown) => isShownFirst?.(schema.parse(value)) ?? false,
    leavesOpen: (asked: unknown) => leavesOpen?.(schema.parse(asked)) ?? false,
  }
}

export function roleOf(account: AccountOrRole, view: Viewpoint): string {
  if (account === 'nobody' || account === 'dao' || account === 'contract') return account
  if (
    isNobody(account) ||
    /^0x0{36}dead$|^0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead$/iu.test(account)
  )
    return 'nobody'
  if (isSameAddress(account, view.wallet)) return 'you'
  if (isSameAddress(account, view.integrator)) return 'integrator'
  return isSameAddress(account, view.protocol) ? 'protocol' : account.toLowerCase()
}

/** Returns whether a role is a stranger to anything but fees: the integrator may get a share of fees only. */
export function isStranger(role: string): boolean {
  return isAddress(role) || role === 'integrator'
}

export function isSameAddress(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}

export function isSameAccount(one: string, other: string, view: Viewpoint): boolean {
  return toRole(one, view) === toRole(other, view)
}

export function toRole(text: string, view: Viewpoint): string {
  return isHexAddress(text) ? roleOf(text, view) : text
}

function isHexAddress(text: string): text is Address {
  return isAddress(text)
}

export function accountText(to: string, view: Viewpoint): RowText {
  const role = toRole(to, view)
  switch (role) {
    case 'you':
      return ['you']
    case 'nobody':
      return ['nobody (burned)']
    case 'dao':
      return ['the token’s DAO']
    case 'contract':
      return ['the launch contract']
    case 'integrator':
      return ['the integrator', ...(view.integrator ? [' ', { account: view.integrator }] : [])]
    case 'protocol':
      return ['the protocol']
    default:
      return addressText(role)
  }
}

export function addressText(text: string): RowText {
  return isHexAddress(text) ? [{ account: getAddress(text) }] : [plain(text)]
}

/** Formats an amount of the token, given in base units. */
export function baseUnitsText(amount: bigint): string {
  return tokensText(roundDecimal(formatUnits(amount, tokenDecimals)))
}

export function tokensText(amount: string): string {
  return `${withThousands(amount)} ${amount === '1' ? 'token' : 'tokens'}`
}

export function percentOf(part: bigint, all: bigint, digits = 6): string {
  return decimal({ numerator: part * 100n, denominator: all === 0n ? 1n : all }, digits)
}

/** Rounds a decimal text to two decimals, or to four significant digits if it is small. */
export function roundDecimal(text: string): string {
  const number = Number(text)
  if (number >= 1e15) return text.split('.')[0] ?? text
  if (number === 0) return '0'
  if (number >= 0.01) return trimmed(number.toFixed(number >= 1 ? 2 : 4))
  return price(text)
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/u, '') : text
}

export function withThousands(text: string): string {
  const [integer = '0', fraction] = text.split('.')
  const digits = integer.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')
  return fraction ? `${digits}.${fraction}` : digits
}

export function isClose(one: string, other: string, part: number): boolean {
  const [left, right] = [Number(one), Number(other)]
  return Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) * part + 1e-15
}

export function toBaseUnits(text: string, places: number): bigint {
  const [integer = '0', fraction = ''] = text.split('.')
  return BigInt(integer + fraction.slice(0, places).padEnd(places, '0'))
}

export function inQuoteUnits({ numerator, denominator }: Ratio, quoteDecimals: number): Ratio {
  return { numerator: numerator * wad, denominator: denominator * 10n ** BigInt(quoteDecimals) }
}

/** Describes an amount of the quote token that is worth very little; undefined for any other. */
export function tinyAmountReason(amount: string, { usd }: Quote): string | undefined {
  if (usd !== undefined && Number(amount) * Number(usd) < 1) return 'less than a dollar'
  // Without a price, fall back to the bare amount.
  return Number(amount) < 0.001 ? 'less than a thousandth of a quote token' : undefined
}

export function dollarsText(amount: string | undefined, { usd }: Quote): string {
  if (usd === undefined || amount === undefined) return ''
  const worth = Number(amount) * Number(usd)
  const format = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
  return `, about $${worth < 0.01 ? '0' : format.format(worth)}`
}

type Moment = z.infer<typeof momentSchema>

export function momentOf(at: number, { now }: Viewpoint): Moment {
  return at <= now ? 'now' : { at }
}

export function momentText(value: Moment): RowText {
  if (value === 'now') return ['the launch']
  return 'at' in value ? [timePart(value.at)] : [`${durationText(value.in)} after it is built`]
}

/** The last second of the year 9999; some calendars can't show later dates. */
const lastTime = 253_402_300_799

export function timePart(time: number): TextPart {
  return time > lastTime ? 'the far future' : { time }
}

/** Tolerance in seconds for a start that was asked for relative to the build. */
const startTolerance = 900

export function isSameMoment(asked: Moment, does: Moment, { now }: Viewpoint): boolean {
  const [expected, actual] = [timeOf(asked, now), timeOf(does, now)]
  const isLoose = typeof asked === 'object' && 'in' in asked
  return isLoose ? Math.abs(expected - actual) <= startTolerance : expected === actual
}

export function timeOf(value: Moment, now: number): number {
  if (value === 'now') return now
  return 'at' in value ? value.at : now + value.in
}

export function durationText(seconds: number): string {
  if (seconds > lastTime) return 'thousands of years'
  const units = [
    ['day', day],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  for (const [unit, size] of units) {
    if (seconds >= size && seconds % size === 0) return countText(seconds / size, unit)
  }
  if (seconds > 2 * day) return `about ${countText(Math.floor(seconds / day), 'day')}`
  return countText(seconds, 'second')
}

export function countText(number: number, unit: string): string {
  return `${withThousands(String(number))} ${unit}${number === 1 ? '' : 's'}`
}

export type ShareLines = readonly { to: string; percent: string }[]

export function sharesValue(
  lines: readonly Share[],
  view: Viewpoint,
): { to: string; percent: string }[] {
  return lines.map(({ to, share }) => ({
    to: roleOf(to, view),
    percent: formatUnits(share, percentDecimals),
  }))
}

export function sharesText(
  lines: readonly { to: string; percent: string }[],
  view: Viewpoint,
): RowText {
  const sorted = lines.toSorted((one, other) => Number(other.percent) - Number(one.percent))
  return listText(
    sorted,
    ({ to, percent }) => [`${roundDecimal(percent)}% `, ...accountText(to, view)],
    ', ',
    view.lines,
  )
}

/** Returns whether strangers get shares. If the protocol's address is unknown, up to 5% may be the protocol's. */
export function paysStrangers(lines: ShareLines, { protocol }: Viewpoint): boolean {
  const strangers = lines.filter(({ to }) => isAddress(to))
  const sum = strangers.reduce((total, { percent }) => total + Number(percent), 0)
  return sum > (protocol === undefined ? 5 : 0)
}

/** Prefix of the account that gets liquidity when its lock ends. */
export const afterLock = /^locked /u

/** Max lines of a list that fit a message. */
const maxLines = 6

export function listText<Line>(
  lines: readonly Line[],
  words: (line: Line) => RowText,
  between = '; ',
  maxShown = maxLines,
): RowText {
  const shown = lines
    .slice(0, maxShown)
    .flatMap((line, index) => [...(index > 0 ? [between] : []), ...words(line)])
  const more = lines.length - maxShown
  return more > 0 ? [...shown, ` and ${more} more`] : shown
}

/** Serializes a value independently of key order and of the case of addresses. */
export function canonical(value: unknown, view: Viewpoint): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'string') {
      const [before = ''] = afterLock.exec(each) ?? []
      return before + toRole(each.replace(afterLock, ''), view)
    }
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
