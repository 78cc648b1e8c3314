import { z } from 'zod'

/** A number after the name says how many decimals the integer on the wire has: "1500000" in usd6 is 1.5 dollars. */
export const moneyUnits = [
  'usd',
  'usd6',
  'usd8',
  'usd18',
  'numeraire',
  'numeraire6',
  'numeraire8',
  'numeraire18',
] as const
const tokenUnits = ['tokens', 'tokens6', 'tokens8', 'tokens18'] as const
/** How a share of a whole may be written: 0.42 or 42. */
export const shareUnits = ['ratio', 'percent'] as const

/** The unit of an amount of money. */
export type MoneyUnit = (typeof moneyUnits)[number]
/** The unit of an amount of tokens. */
export type TokenUnit = (typeof tokenUnits)[number]
/** The unit of a share. */
export type ShareUnit = (typeof shareUnits)[number]

const money = (fallback: MoneyUnit) => unit(moneyUnits).default(fallback)
const tokens = (fallback: TokenUnit) => unit(tokenUnits).default(fallback)
const share = (fallback: ShareUnit) => unit(shareUnits).default(fallback)

// The document gives no units. Market data are plain dollars and the change is a ratio (inferred); amounts of the pool
// are 18-decimal integers, its values in dollars as captures of a sibling interface show, its takings in the numeraire.
const fields = {
  pool_price: money('usd'),
  pool_market_cap: money('usd'),
  pool_liquidity: money('usd'),
  pool_volume_usd_24h: money('usd'),
  pool_price_change_24h: share('ratio'),
  pool_current_price: money('usd18'),
  pool_current_market_cap: money('usd18'),
  pool_current_liquidity: money('usd18'),
  pool_current_total_proceeds: money('numeraire18'),
  pool_config_min_proceeds: money('numeraire18'),
  pool_config_max_proceeds: money('numeraire18'),
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

function unit<const Allowed extends readonly [string, ...string[]]>(allowed: Allowed) {
  return z.enum(allowed, {
    error: (issue) =>
      `${String(issue.path?.at(-1) ?? 'unit')}: ${JSON.stringify(issue.input)} is not a unit; allowed are ${allowed.join(', ')}`,
  })
}
