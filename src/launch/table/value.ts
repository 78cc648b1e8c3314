import type { Address } from 'viem'
import { formatUnits, getAddress } from 'viem/utils'
import * as z from 'zod/mini'
import { isAddress, isNobody } from '../../chain/address.ts'
import { plain } from '../../chain/airlock/calldata.ts'
import { decimal, type Ratio } from '../../chain/airlock/curve.ts'
import type { Effects, Share, Who } from '../../chain/airlock/effects.ts'
import { price } from '../../views/number.ts'

// The parts that the rows of the table are made of: schemas of values, their words, and how they compare.

/** A part of a row's text. Each view formats accounts in its own way, and times in the reader's time zone. */
export type Word = string | { account: Address } | { time: number }
export type Words = readonly Word[]

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

export const decimals = 18
/** Decimals that turn an 18-decimal fraction into percent. */
export const percentDecimals = 16
export const whole = 10n ** 18n
export const day = 86_400

export const roles = '(?:you|nobody|dao|contract|integrator|protocol|0x[0-9a-fA-F]{40})'
/** An account or its role. */
export const who = z.string().check(z.regex(new RegExp(`^${roles}$`, 'u')))
export const text = z.string()
/** A decimal text: percent, whole tokens or a price. */
export const figure = z.string().check(z.regex(/^\d+(?:\.\d+)?$/u))

export const shares = z.array(z.object({ to: who, percent: figure }))
/** `now`, `at` a unix second, or `in` so many seconds after the check. */
export const moment = z.union([
  z.object({ at: z.number() }),
  z.object({ in: z.number() }),
  z.literal('now'),
])

interface Definition<Value> {
  group: RowGroup
  label: string
  schema: z.ZodMiniType<Value>
  of(effects: Effects, view: Viewpoint): Value | undefined
  words(value: Value, view: Viewpoint, effects?: Effects): Words
  same?(asked: Value, does: Value, view: Viewpoint, effects: Effects): boolean
  /** Returns why a value that nobody asked for is not what people expect. */
  unusual?(value: Value, view: Viewpoint, effects: Effects): string | undefined
  /** Whether to show it first even if it was asked for. */
  isFirst?(value: Value): boolean
  /** Whether the asked value leaves something open that may be unusual. */
  isOpen?(asked: Value): boolean
}

export function define<Value>(definition: Definition<Value>) {
  const { schema, of, words, same, unusual, isFirst, isOpen, ...rest } = definition
  const read = (value: unknown): Value => schema.parse(value)
  return {
    ...rest,
    schema,
    of,
    words: (value: unknown, view: Viewpoint, effects?: Effects) =>
      words(read(value), view, effects),
    same: (asked: unknown, does: unknown, view: Viewpoint, effects: Effects) =>
      same
        ? same(read(asked), read(does), view, effects)
        : canonical(read(asked), view) === canonical(read(does), view),
    unusual: (value: unknown, view: Viewpoint, effects: Effects) =>
      unusual?.(read(value), view, effects),
    isFirst: (value: unknown) => isFirst?.(read(value)) ?? false,
    isOpen: (asked: unknown) => isOpen?.(read(asked)) ?? false,
  }
}

export function roleOf(account: Who, view: Viewpoint): string {
  if (account === 'nobody' || account === 'dao' || account === 'contract') return account
  if (
    isNobody(account) ||
    /^0x0{36}dead$|^0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead$/iu.test(account)
  )
    return 'nobody'
  if (is(account, view.wallet)) return 'you'
  if (is(account, view.integrator)) return 'integrator'
  return is(account, view.protocol) ? 'protocol' : account.toLowerCase()
}

/** Returns whether a role is a stranger to anything but fees: the integrator may get a share of fees only. */
export function isStranger(role: string): boolean {
  return isAddress(role) || role === 'integrator'
}

export function is(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}

export function sameWho(one: string, other: string, view: Viewpoint): boolean {
  return asRole(one, view) === asRole(other, view)
}

export function asRole(text: string, view: Viewpoint): string {
  return isHexAddress(text) ? roleOf(text, view) : text
}

function isHexAddress(text: string): text is Address {
  return isAddress(text)
}

export function whoWords(to: string, view: Viewpoint): Words {
  const role = asRole(to, view)
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
      return address(role)
  }
}

export function address(text: string): Words {
  return isHexAddress(text) ? [{ account: getAddress(text) }] : [plain(text)]
}

/** Formats an amount of the token, given in base units. */
export function tokens(amount: bigint): string {
  return inTokens(round(formatUnits(amount, decimals)))
}

export function inTokens(amount: string): string {
  return `${grouped(amount)} ${amount === '1' ? 'token' : 'tokens'}`
}

export function percentOf(part: bigint, all: bigint, digits = 6): string {
  return decimal({ numerator: part * 100n, denominator: all === 0n ? 1n : all }, digits)
}

/** Rounds a decimal text to two decimals, or to four significant digits if it is small. */
export function round(text: string): string {
  const number = Number(text)
  if (number >= 1e15) return text.split('.')[0] ?? text
  if (number === 0) return '0'
  if (number >= 0.01) return trimmed(number.toFixed(number >= 1 ? 2 : 4))
  return price(text)
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/u, '') : text
}

export function grouped(text: string): string {
  const [integer = '0', fraction] = text.split('.')
  const digits = integer.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')
  return fraction ? `${digits}.${fraction}` : digits
}

export function near(one: string, other: string, part: number): boolean {
  const [left, right] = [Number(one), Number(other)]
  return Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) * part + 1e-15
}

export function units(text: string, places: number): bigint {
  const [integer = '0', fraction = ''] = text.split('.')
  return BigInt(integer + fraction.slice(0, places).padEnd(places, '0'))
}

export function inQuote({ numerator, denominator }: Ratio, quoteDecimals: number): Ratio {
  return { numerator: numerator * whole, denominator: denominator * 10n ** BigInt(quoteDecimals) }
}

/** Describes an amount of the quote token that is worth very little; undefined for any other. */
export function littleWords(amount: string, { usd }: Quote): string | undefined {
  if (usd !== undefined && Number(amount) * Number(usd) < 1) return 'less than a dollar'
  // Without a price, fall back to the bare amount.
  return Number(amount) < 0.001 ? 'less than a thousandth of a quote token' : undefined
}

export function dollars(amount: string | undefined, { usd }: Quote): string {
  if (usd === undefined || amount === undefined) return ''
  const worth = Number(amount) * Number(usd)
  const format = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })
  return `, about $${worth < 0.01 ? '0' : format.format(worth)}`
}

type Moment = z.infer<typeof moment>

export function momentOf(at: number, { now }: Viewpoint): Moment {
  return at <= now ? 'now' : { at }
}

export function momentWords(value: Moment): Words {
  if (value === 'now') return ['the launch']
  return 'at' in value ? [timeWord(value.at)] : [`${span(value.in)} after it is built`]
}

/** The last second of the year 9999; some calendars can't show later dates. */
const lastTime = 253_402_300_799

export function timeWord(time: number): Word {
  return time > lastTime ? 'the far future' : { time }
}

/** Tolerance in seconds for a start that was asked for relative to the build. */
const leeway = 900

export function sameMoment(asked: Moment, does: Moment, { now }: Viewpoint): boolean {
  const [expected, actual] = [timeOf(asked, now), timeOf(does, now)]
  const isLoose = typeof asked === 'object' && 'in' in asked
  return isLoose ? Math.abs(expected - actual) <= leeway : expected === actual
}

export function timeOf(value: Moment, now: number): number {
  if (value === 'now') return now
  return 'at' in value ? value.at : now + value.in
}

export function span(seconds: number): string {
  if (seconds > lastTime) return 'thousands of years'
  const units = [
    ['day', day],
    ['hour', 3600],
    ['minute', 60],
  ] as const
  for (const [unit, size] of units) {
    if (seconds >= size && seconds % size === 0) return count(seconds / size, unit)
  }
  if (seconds > 2 * day) return `about ${count(Math.floor(seconds / day), 'day')}`
  return count(seconds, 'second')
}

export function count(number: number, unit: string): string {
  return `${grouped(String(number))} ${unit}${number === 1 ? '' : 's'}`
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

export function sharesWords(
  lines: readonly { to: string; percent: string }[],
  view: Viewpoint,
): Words {
  const sorted = lines.toSorted((one, other) => Number(other.percent) - Number(one.percent))
  return listed(
    sorted,
    ({ to, percent }) => [`${round(percent)}% `, ...whoWords(to, view)],
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

export function listed<Line>(
  lines: readonly Line[],
  words: (line: Line) => Words,
  between = '; ',
  maxShown = maxLines,
): Words {
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
      return before + asRole(each.replace(afterLock, ''), view)
    }
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}
