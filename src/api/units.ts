import { z } from 'zod'

/**
 * A number after the name says how many decimals the integer on the wire has: "1500000" in usd6 is 1.5 dollars. `base`:
 * as many as the quote token itself has, 6 for USDC and 18 for WETH.
 */
export const moneyUnits = [
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
/** The units of what is in dollars by its name. */
export const dollarUnits = ['usd', 'usd6', 'usd8', 'usd18'] as const
/** `base`: as many decimals as `token_decimals` says. */
export const tokenUnits = ['tokens', 'tokens6', 'tokens8', 'tokens18', 'tokens-base'] as const
/** How a share of a whole may be written: 0.42 or 42. */
export const shareUnits = ['ratio', 'percent'] as const

type Unknown = typeof unknownUnit

/** The unit of an amount of money. */
export type MoneyUnit = (typeof moneyUnits)[number] | Unknown
/** The unit of an amount of tokens. */
export type TokenUnit = (typeof tokenUnits)[number] | Unknown
/** The unit of a share. */
export type ShareUnit = (typeof shareUnits)[number] | Unknown

/** Marks a field whose unit nobody knows: it is not shown. */
export const unknownUnit = 'unknown'

const money = (fallback: MoneyUnit) => unit([...moneyUnits, unknownUnit]).default(fallback)
const tokens = (fallback: TokenUnit) => unit([...tokenUnits, unknownUnit]).default(fallback)
const share = (fallback: ShareUnit) => unit([...shareUnits, unknownUnit]).default(fallback)

// The document gives no units. Market data are plain dollars and the change is a ratio (inferred); amounts of the pool
// are integers, its values in dollars with 18 decimals as captures of a sibling interface show, what it raised in base
// units of the quote token and what it sold in those of the token, as on the chain, where every launched token has 18.
const fields = {
  pool_price: money('usd'),
  pool_market_cap: money('usd'),
  pool_liquidity: money('usd'),
  pool_volume_usd_24h: unit([...dollarUnits, unknownUnit]).default('usd'),
  pool_price_change_24h: share('ratio'),
  pool_current_price: money('usd18'),
  pool_current_market_cap: money('usd18'),
  pool_current_liquidity: money('usd18'),
  pool_current_total_proceeds: money('numeraire-base'),
  pool_config_min_proceeds: money('numeraire-base'),
  pool_config_max_proceeds: money('numeraire-base'),
  pool_current_total_tokens_sold: tokens('tokens18'),
  pool_config_num_tokens_to_sell: tokens('tokens18'),
  pool_current_sale_progress_percentage: share('percent'),
}

/** The operator's overrides on top of the defaults (API_UNITS); its messages name the field and list what is allowed. */
export const unitsSchema = z.strictObject(fields, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `unknown field ${issue.keys.join(', ')}: allowed are ${Object.keys(fields).join(', ')}`
      : `a JSON object such as {"pool_current_sale_progress_percentage":"ratio"}`,
})

/** Which unit each numeric field of the wire is in. */
export type Units = z.output<typeof unitsSchema>

/** The unit table where the operator overrides nothing. */
export const defaultUnits: Units = unitsSchema.parse({})

/** A field of the wire that holds money. */
export type MoneyField = {
  [Field in keyof Units]: Units[Field] extends MoneyUnit ? Field : never
}[keyof Units]
/** A field of the wire that has a unit. */
export type UnitField = keyof Units
/** Any unit of any field. */
export type Unit = Units[UnitField]

/** Every field that has a unit. */
export const unitFields: readonly UnitField[] = unitsSchema.keyof().options

/** The decimals that stand for `base`; undefined where nobody knows them. */
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
  return Number(/\d+$/u.exec(unit)?.[0] ?? 0)
}

/** An amount as an exact decimal text, and whether it is in dollars or in the asset's numeraire. */
export interface Money {
  amount: string
  currency: 'usd' | 'numeraire'
}

/** Whether an amount in this unit is in dollars; else it is in the quote token. */
export function isInDollars(unit: MoneyUnit): boolean {
  return unit.startsWith('usd')
}

function unit<const Allowed extends readonly [string, ...string[]]>(allowed: Allowed) {
  return z.enum(allowed, {
    error: (issue) =>
      `${String(issue.path?.at(-1) ?? 'unit')}: ${JSON.stringify(issue.input)} is not a unit; allowed are ${allowed.join(', ')}`,
  })
}
