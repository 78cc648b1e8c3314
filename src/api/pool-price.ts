import { type Asset, type AuctionPool, addressPattern, type GraduationPool } from './schema.ts'
import { Decimal, type Decimals } from './units.ts'

/** Sqrt prices that a pool can have: MIN_SQRT_PRICE and MAX_SQRT_PRICE of Uniswap's TickMath. */
const [minSqrt, maxSqrt] = [
  4_295_128_739n,
  1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n,
]

/** Significant digits of a price. */
const digits = 18

/** Launched tokens have 18 decimals. */
export const launchedDecimals = 18
/** More decimals than a token can have whose supply fits into 256 bits. */
const maxDecimals = 77

/** `pool_current_tick` is the same price's, rounded, usually down. */
const maxTicksApart = 1.001

/**
 * Returns the price of one token in quote tokens by `pool_current_sqrt_price`, as a decimal text: the chain's own
 * number, √(token 1 ÷ token 0) × 2^96 in base units, where token 0 is the lower address. It needs no unit, only both tokens'
 * decimals. Undefined if one of these is missing, the price is impossible, or `pool_current_tick` is another's.
 * @example poolPrice({ pool_current_sqrt_price: String(2n ** 97n) }, asset, { quote: 18, token: 18 }) // '4' or '0.25'
 */
export function poolPrice(
  { pool_current_sqrt_price: text = '', pool_current_tick: tick }: AuctionPool | GraduationPool,
  { asset_address: token, asset_numeraire_address: quote = '' }: Asset,
  decimals: Decimals,
): string | undefined {
  const { quote: ofQuote = -1, token: ofToken = launchedDecimals } = decimals
  const areKnown = [ofQuote, ofToken].every((each) => each >= 0 && each <= maxDecimals)
  if (!areKnown || !addressPattern.test(quote) || !/^\d{1,49}$/u.test(text)) return undefined
  const sqrt = BigInt(text)
  if (sqrt < minSqrt || sqrt > maxSqrt) return undefined
  if (tick !== undefined && Math.abs(tickOf(sqrt) - tick) > maxTicksApart) return undefined
  const [above, below] = [sqrt * sqrt, 1n << 192n]
  const isFirst = token.toLowerCase() < quote.toLowerCase()
  return quotient(isFirst ? [above, below] : [below, above], ofToken - ofQuote)
}

/** Neighbouring ticks are prices 0.01% apart. */
function tickOf(sqrt: bigint): number {
  return (2 * Math.log(Number(sqrt) / 2 ** 96)) / Math.log(1.0001)
}

/** Returns `above ÷ below × 10^shift`, cut off after the digits that count. */
function quotient([above, below]: readonly [bigint, bigint], shift: number): string {
  const places = Math.max(0, digits - (above.toString().length - below.toString().length))
  const scaled = (above * 10n ** BigInt(places)) / below
  return new Decimal(scaled.toString()).times(`1e${shift - places}`).toFixed()
}
