import Big from 'big.js'
import type { Token } from './token.ts'

type Scale = '' | '6' | '8' | '18'
type UsdUnit = `usd${Scale}`

/**
 * The unit of an amount of money. A number after the name says how many decimals the integer on the wire has:
 * "1500000" in usd6 is 1.5 dollars. `numeraire-base` has as many as the quote token.
 */
export type MoneyUnit = UsdUnit | `numeraire${Scale}` | 'numeraire-base'
/** The unit of an amount of tokens; `tokens-base` has as many decimals as the token. */
export type TokenUnit = `tokens${Scale}` | 'tokens-base'
/** The forms of a share: 0.42 or 42. */
export type ShareUnit = 'ratio' | 'percent'

/** The unit of each numeric field of the wire. */
export interface WireUnits {
  pool_price: MoneyUnit
  pool_market_cap: MoneyUnit
  pool_liquidity: MoneyUnit
  pool_volume_usd_24h: UsdUnit
  pool_price_change_24h: ShareUnit
  pool_current_price: MoneyUnit
  pool_current_market_cap: MoneyUnit
  pool_current_fdv: MoneyUnit
  pool_current_liquidity: MoneyUnit
  pool_current_fees_accrued: MoneyUnit
  pool_current_total_proceeds: MoneyUnit
  pool_config_min_proceeds: MoneyUnit
  pool_config_max_proceeds: MoneyUnit
  pool_current_total_tokens_sold: TokenUnit
  pool_last_epoch_total_tokens_sold: TokenUnit
  pool_config_num_tokens_to_sell: TokenUnit
  pool_current_sale_progress_percentage: ShareUnit
}

/** The units of fields that mostly go together, by what they are. */
export interface UnitGroups {
  /** Price, market cap and liquidity of the market data. */
  market: MoneyUnit
  /** Dollars traded, in the market data. */
  volume: UsdUnit
  /** Price, market cap, diluted value, liquidity and fees of the pool itself. */
  pool: MoneyUnit
  /** The unit of raised, minimum and maximum. */
  raised: MoneyUnit
  tokens: TokenUnit
  change: ShareUnit
  progress: ShareUnit
}

/** The unit of each field where groups of them have the same. */
export function unitsOf(groups: UnitGroups): WireUnits {
  const { market, volume, pool, raised, tokens, change, progress } = groups
  return {
    pool_price: market,
    pool_market_cap: market,
    pool_liquidity: market,
    pool_volume_usd_24h: volume,
    pool_price_change_24h: change,
    pool_current_price: pool,
    pool_current_market_cap: pool,
    pool_current_fdv: pool,
    pool_current_liquidity: pool,
    pool_current_fees_accrued: pool,
    pool_current_total_proceeds: raised,
    pool_config_min_proceeds: raised,
    pool_config_max_proceeds: raised,
    pool_current_total_tokens_sold: tokens,
    pool_last_epoch_total_tokens_sold: tokens,
    pool_config_num_tokens_to_sell: tokens,
    pool_current_sale_progress_percentage: progress,
  }
}

// Own constructor: prices of a millionth of a millionth of a quote token keep their digits.
const Exact = Big()
Exact.DP = 60

/** As many decimals as most tokens have. */
export const defaultDecimals = 18

/** An amount of money as a decimal text, in dollars or in the token's quote token. */
export interface Money {
  amount: string
  currency: 'usd' | 'numeraire'
}

/** Twelve digits hide the last bits of binary fractions, so that figures agree when multiplied. */
export function exact(value: number): string {
  return new Exact(Number(value.toPrecision(12))).toFixed()
}

/** Dollars as an amount of the token's quote token. */
export function inQuote(dollars: string, { numeraire }: Pick<Token, 'numeraire'>): string {
  return new Exact(dollars).div(numeraire.usd).prec(12).toFixed()
}

/** Money as it is written in a unit: as an integer where it is scaled, as a decimal else. */
export function writeMoney({ amount, currency }: Money, unit: MoneyUnit, token: Token): string {
  const { usd, decimals } = token.numeraire
  const inDollars = unit.startsWith('usd')
  if (inDollars === (currency === 'usd')) return write(amount, unit, decimals)
  const changed = inDollars ? new Exact(amount).times(usd).toFixed() : inQuote(amount, token)
  return write(changed, unit, decimals)
}

/** Whole tokens as they are written in a unit. */
export function writeTokens(amount: string, unit: TokenUnit, { decimals }: Token): string {
  return write(amount, unit, decimals ?? defaultDecimals)
}

/** A ratio as it is written in a unit. */
export function writeShare(ratio: string, unit: ShareUnit): string {
  return unit === 'percent' ? new Exact(ratio).times(100).toFixed() : ratio
}

/** Whether amounts in a unit are integers. */
export function isScaled(unit: string): boolean {
  return /(?:\d|-base)$/u.test(unit)
}

/** The same number in scientific notation, with all of its digits. */
export function withExponent(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(text) ?? []
  const digits = `${whole}${fraction}`
  const first = digits.search(/[1-9]/u)
  if (first === -1) return text
  const [lead, ...others] = digits.slice(first).replace(/0+$/u, '')
  const exponent = whole.length - 1 - first
  const mantissa = others.length === 0 ? lead : `${lead}.${others.join('')}`
  return `${sign}${mantissa}e${exponent < 0 ? '' : '+'}${exponent}`
}

function scaled(amount: string, decimals: number): string {
  return new Exact(amount).times(new Exact(10).pow(decimals)).toFixed(0)
}

function write(amount: string, unit: MoneyUnit | TokenUnit, ownDecimals: number): string {
  if (unit.endsWith('-base')) return scaled(amount, ownDecimals)
  const decimals = /\d+$/u.exec(unit)?.[0]
  return decimals === undefined ? amount : scaled(amount, Number(decimals))
}
