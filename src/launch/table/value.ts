import type { Address } from 'viem'
import { formatUnits, getAddress } from 'viem/utils'
import * as z from 'zod/mini'
import { isAddress, isNobody } from '../../chain/address.ts'
import { plain } from '../../chain/airlock/calldata.ts'
import { decimal, type Ratio, wad } from '../../chain/airlock/curve.ts'
import type { AccountOrRole, Effects, Share } from '../../chain/airlock/effects.ts'
import { isSpans } from '../../core/language.ts'
import { amount, exactly, inDollars, price } from '../../core/number.ts'
import { type Arg, type Figure, type List, type Message, type Span, t } from '../../core/view.ts'

// Schemas of the values in the table's rows, their texts, and their comparison.

/** Replaces a span, also those that messages and lists have as arguments. */
export function mapSpan(span: Span, replace: (span: Span) => Span): Span {
  if (typeof span === 'string') return span
  if ('list' in span) return { ...span, list: span.list.map((item) => mapArg(item, replace)) }
  if (!('key' in span) || !span.args) return replace(span)
  const args = Object.entries(span.args).map(([name, arg]) => [name, mapArg(arg, replace)])
  return { ...span, args: Object.fromEntries(args) }
}

function mapArg(arg: Arg, replace: (span: Span) => Span): Arg {
  if (typeof arg === 'number') return arg
  return isSpans(arg) ? arg.map((each) => mapSpan(each, replace)) : mapSpan(arg, replace)
}

export type RowGroup = 'Supply' | 'Price' | 'Fees' | 'Proceeds' | 'Control' | 'Cost'

/** The reader's accounts, and the known names and prices. */
export interface Viewpoint {
  wallet: Address
  /** The integrator of the operator or the template. */
  integrator?: Address | undefined
  /** The owner of the launch contract. */
  protocol?: Address | undefined
  /** Without a node: who gets the share of fees that is the protocol's, and is shown as it, with the address. */
  likelyProtocol?: string | undefined
  /** The integrator that a template or a payload names by itself: it is shown as it, with the address, and trusted with nothing. */
  likelyIntegrator?: string | undefined
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
  /** Whether it was launched over the API, which names the symbol. */
  launched?: true | undefined
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
  label: Message
  schema: z.ZodMiniType<Value>
  /** Returns the payload's value; undefined if it has no such row. */
  read(effects: Effects, view: Viewpoint): Value | undefined
  /**
   * Accounts are code, with their whole address: each place where a table is shown shortens and links them in its own way.
   * Times are shown in the reader's time zone.
   */
  text(value: Value, view: Viewpoint, effects?: Effects): Span
  /** Compares the asked value with the payload's; by default they must be equal. */
  isSame?(asked: Value, does: Value, view: Viewpoint, effects: Effects): boolean
  /** Returns why a value that nobody asked for is not what people expect. */
  unusualReason?(value: Value, view: Viewpoint, effects: Effects): Message | undefined
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

export function accountText(to: string, view: Viewpoint): Span {
  const role = toRole(to, view)
  switch (role) {
    case 'you':
      return t('terms-you')
    case 'nobody':
      return t('terms-nobody')
    case 'dao':
      return t('terms-dao')
    case 'contract':
      return t('terms-contract')
    case 'integrator':
      return view.integrator
        ? t('terms-integrator-account', { account: { code: view.integrator } })
        : t('terms-integrator')
    case 'protocol':
      return t('terms-protocol')
    default: {
      const account = addressText(role)
      if (isSameAddress(role, view.likelyIntegrator)) {
        return t('terms-integrator-account', { account })
      }
      return isSameAddress(role, view.likelyProtocol)
        ? t('terms-protocol-account', { account })
        : account
    }
  }
}

export function addressText(text: string): Span {
  return isHexAddress(text) ? { code: getAddress(text) } : plain(text)
}

/** Formats an amount of the token, given in base units. */
export function baseUnitsText(units: bigint): Message {
  const text = formatUnits(units, tokenDecimals)
  return t('terms-tokens', { count: Number(text), amount: rounded(text) })
}

export function tokensText(text: string): Message {
  return t('terms-tokens', { count: Number(text), amount: exactly(text) })
}

export function percentOf(part: bigint, all: bigint, digits = 6): string {
  return decimal({ numerator: part * 100n, denominator: all === 0n ? 1n : all }, digits)
}

/** Rounds a decimal text to two decimals, or to four significant digits if it is small. */
function rounded(text: string): Figure {
  const number = Number(text)
  if (number >= 1e15) return exactly(text.split('.')[0] ?? text)
  if (number === 0) return exactly('0')
  return number >= 0.01 ? exactly(number.toFixed(number >= 1 ? 2 : 4)) : price(text)
}

/** Formats a percentage: `12.5%`. */
export function percentText(text: string): Message {
  return t('terms-percent', { number: rounded(text) })
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

/** Whether an amount of the quote token is worth very little: less than a dollar, or than a thousandth of the token. */
export function tinyAmount(text: string, { usd }: Quote): 'dollar' | 'thousandth' | undefined {
  if (usd !== undefined && Number(text) * Number(usd) < 1) return 'dollar'
  // Without a price, fall back to the bare amount.
  return Number(text) < 0.001 ? 'thousandth' : undefined
}

/** The value of an amount of the quote token in dollars; undefined if unknown. */
export function dollarsText(text: string, { usd }: Quote): Figure | undefined {
  if (usd === undefined) return undefined
  const worth = Number(text) * Number(usd)
  // More than trillions are all written alike.
  return inDollars(amount(worth < 1e15 ? worth.toFixed(4) : '1000000000000000'))
}

type Moment = z.infer<typeof momentSchema>

export function momentOf(at: number, { now }: Viewpoint): Moment {
  return at <= now ? 'now' : { at }
}

export function momentText(value: Moment): Span {
  if (value === 'now') return t('terms-at-launch')
  return 'at' in value
    ? timePart(value.at)
    : t('terms-after-build', { time: durationText(value.in) })
}

/** The last second of the year 9999; some calendars can't show later dates. */
const lastTime = 253_402_300_799

export function timePart(time: number): Span {
  return time > lastTime ? t('terms-far-future') : { time, as: 'date' }
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

export function durationText(seconds: number): Message {
  if (seconds > lastTime) return t('terms-thousands-of-years')
  if (seconds >= day && seconds % day === 0) return t('terms-days', { count: seconds / day })
  if (seconds > 2 * day) return t('terms-about-days', { count: Math.floor(seconds / day) })
  if (seconds >= 3600 && seconds % 3600 === 0) return t('terms-hours', { count: seconds / 3600 })
  if (seconds >= 60 && seconds % 60 === 0) return t('terms-minutes', { count: seconds / 60 })
  return t('terms-seconds', { count: seconds })
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

export function sharesText(lines: ShareLines, view: Viewpoint): List {
  const sorted = lines.toSorted((one, other) => Number(other.percent) - Number(one.percent))
  const words = ({ to, percent }: ShareLines[number]) => shareText(percent, accountText(to, view))
  return listText(sorted, words, view.lines)
}

/** Formats `5% to 0x12…`. */
export function shareText(percent: string, account: Span): Message {
  return t('terms-share', { share: percentText(percent), account })
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

/** Joins two sentences without full stops; the second may be missing. */
export function sentences(first: Message, second: Message | undefined): Message {
  return second ? t('terms-sentences', { first, second }) : first
}

/** Joins what `words` makes of the lines; those that don't fit a message are counted. */
export function listText<Line>(
  lines: readonly Line[],
  words: (line: Line) => Span,
  maxShown = maxLines,
): List {
  const more = lines.length - maxShown
  const shown = lines.slice(0, maxShown).map(words)
  return { list: more > 0 ? [...shown, t('terms-more', { count: more })] : shown, as: 'and' }
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
