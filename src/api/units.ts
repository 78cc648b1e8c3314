import Big from 'big.js'
import { z } from 'zod'

/**
 * Units of money. A number in the name is the decimals of the integer on the wire: "1500000" in usd6 is 1.5 dollars.
 * `base`: the quote token's own decimals, such as 6 for USDC and 18 for WETH.
 */
const moneyUnits = [
  'usd',
  'usd6',
  'usd8',
  'usd18',
  'numeraire',
  'numeraire6',
  'numeraire8',
  'numeraire18',
  'numeraire-base',
] as const
/** Units of fields that are in dollars by their name. */
const dollarUnits = ['usd', 'usd6', 'usd8', 'usd18'] as const
/** Units of amounts of tokens. `base`: the decimals in `token_decimals`. */
const tokenUnits = ['tokens', 'tokens6', 'tokens8', 'tokens18', 'tokens-base'] as const
/** Units of a share: 0.42 or 42. */
const shareUnits = ['ratio', 'percent'] as const

type UnknownUnit = typeof unknownUnit

/** The unit of an amount of money. */
export type MoneyUnit = (typeof moneyUnits)[number] | UnknownUnit
/** The unit of an amount of tokens. */
export type TokenUnit = (typeof tokenUnits)[number] | UnknownUnit
/** The unit of a share. */
export type ShareUnit = (typeof shareUnits)[number] | UnknownUnit

/** Marks a field whose unit nobody knows: it is not shown. */
export const unknownUnit = 'unknown'

const money = (fallback: MoneyUnit) => unit([...moneyUnits, unknownUnit]).default(fallback)
const tokens = (fallback: TokenUnit) => unit([...tokenUnits, unknownUnit]).default(fallback)
const share = (fallback: ShareUnit) => unit([...shareUnits, unknownUnit]).default(fallback)

// Defaults. The API's document gives no units; these are the real service's, as docs/api.md says with its sources. Market
// data are plain dollars, and the change is a ratio. The pool's price and market cap are in quote tokens with 18 decimals,
// its liquidity is Uniswap's L, which is no amount of money; proceeds are in base units of the quote token, and
// sold tokens in those of the token, which has 18 decimals if it was launched.
const fields = {
  pool_price: money('usd'),
  pool_market_cap: money('usd'),
  pool_liquidity: money('usd'),
  pool_volume_usd_24h: unit([...dollarUnits, unknownUnit]).default('usd'),
  pool_price_change_24h: share('ratio'),
  pool_current_price: money('numeraire18'),
  pool_current_market_cap: money('numeraire18'),
  pool_current_liquidity: money(unknownUnit),
  pool_current_total_proceeds: money('numeraire-base'),
  pool_config_min_proceeds: money('numeraire-base'),
  pool_config_max_proceeds: money('numeraire-base'),
  pool_current_total_tokens_sold: tokens('tokens18'),
  pool_config_num_tokens_to_sell: tokens('tokens18'),
  pool_current_sale_progress_percentage: share('percent'),
}

/**
 * Schema of API_UNITS: the operator's overrides of the defaults. Its messages name the field and list the allowed
 * units.
 */
export const unitsSchema = z.strictObject(fields, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `unknown field ${issue.keys.join(', ')}: allowed are ${Object.keys(fields).join(', ')}`
      : `a JSON object such as {"pool_current_sale_progress_percentage":"ratio"}`,
})

/** The unit of each numeric field of the wire. */
export type Units = z.output<typeof unitsSchema>

/** The units without overrides. */
export const defaultUnits: Units = unitsSchema.parse({})

/** A field of the wire that holds money. */
export type MoneyField = {
  [Field in keyof Units]: Units[Field] extends MoneyUnit ? Field : never
}[keyof Units]
/** A field of the wire that has a unit. */
export type UnitField = keyof Units

/** Every field that has a unit. */
export const unitFields: readonly UnitField[] = unitsSchema.keyof().options

/** The decimals that `base` means; undefined if unknown. */
export interface Decimals {
  quote: number | undefined
  token: number | undefined
}

/** The number of decimals of an integer on the wire in this unit; undefined if unknown. */
export function decimalsOf(
  unit: MoneyUnit | TokenUnit,
  { quote, token }: Decimals,
): number | undefined {
  if (unit === unknownUnit) return undefined
  if (unit === 'numeraire-base') return quote
  if (unit === 'tokens-base') return token
  return unitDecimals.get(unit)
}

const unitDecimals: ReadonlyMap<string, number> = new Map(
  [...moneyUnits, ...tokenUnits].map((unit) => [unit, Number(/\d+$/u.exec(unit)?.[0] ?? 0)]),
)

/** An amount as an exact decimal text, in dollars or in the asset's quote token. */
export interface Money {
  amount: string
  currency: 'usd' | 'numeraire'
}

/** Whether a unit is in dollars; otherwise it is in the quote token. */
export function isInDollars(unit: MoneyUnit): boolean {
  return unit.startsWith('usd')
}

function unit<const Allowed extends readonly [string, ...string[]]>(allowed: Allowed) {
  return z.enum(allowed, {
    error: (issue) =>
      `${String(issue.path?.at(-1) ?? 'unit')}: ${JSON.stringify(issue.input)} is not a unit; allowed are ${allowed.join(', ')}`,
  })
}

/**
 * A constructor of our own: quotients are truncated, never rounded up, so that a sale is not reported as sold out too
 * early.
 */
export const Decimal = Big()
Decimal.DP = 20
Decimal.RM = Decimal.roundDown

const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/u

/** Parses a number of the wire; undefined if it is not one, or is too long or too large or small to show. */
export function decimal(text: string | undefined): Big | undefined {
  if (text === undefined || text.length > 100 || !decimalText.test(text)) return undefined
  // The parser rejects a leading plus.
  const value = new Decimal(text.startsWith('+') ? text.slice(1) : text)
  return Math.abs(value.e) <= 80 ? value : undefined
}

/** Whether a number is an integer. */
export function isInteger(value: Big): boolean {
  // Its digits end before the point: there are no trailing zeros.
  return value.c.length <= value.e + 1
}

/** An inclusive range of numbers. */
export type NumberRange = readonly [min: number, max: number]

/** Whether a number is in a range. */
export function isWithin(value: number, [min, max]: NumberRange): boolean {
  return value >= min && value <= max
}

/** Whether two ranges overlap. */
export function overlap([min, max]: NumberRange, [from, to]: NumberRange): boolean {
  return min <= to && max >= from
}
