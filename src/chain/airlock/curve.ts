// Uniswap V3 and V4 mathematics for a launch: tokens in its positions, the opening price, and what buyers pay. Integers
// with the contracts' own rounding, so results match the contracts to the last base unit. Sources: TickMath,
// SqrtPriceMath and LiquidityAmounts of Uniswap's v4-core and v4-periphery; the positions are placed as in the
// protocol's Multicurve and V3 initializers.

/** A position in a pool; ticks in pool order. */
export interface Position {
  tickLower: number
  tickUpper: number
  liquidity: bigint
}

/** A fraction of two integers. */
export interface Ratio {
  numerator: bigint
  denominator: bigint
}

export const minTick = -887_272
export const maxTick = 887_272

const q96 = 1n << 96n
/** One, as a number with 18 decimals. */
export const wad = 10n ** 18n
const minSqrtPrice = 4_295_128_739n
const maxSqrtPrice = 1461446703485210103287273052203988822378723970342n

// 2^128 ÷ sqrt(1.0001)^(2^n), from TickMath.
const factors = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
]

/**
 * Returns the square root of the price at a tick, as Q64.96.
 * @throws RangeError if the tick is outside Uniswap's range
 */
export function sqrtPriceAt(tick: number): bigint {
  if (!Number.isInteger(tick) || tick < minTick || tick > maxTick) {
    throw new RangeError(`no tick of Uniswap: ${tick}`)
  }
  const size = Math.abs(tick)
  let ratio = 1n << 128n
  for (const [bit, factor] of factors.entries()) {
    if (size & (1 << bit)) ratio = (ratio * factor) >> 128n
  }
  if (tick > 0) ratio = ((1n << 256n) - 1n) / ratio
  return (ratio >> 32n) + (ratio % (1n << 32n) === 0n ? 0n : 1n)
}

/**
 * Converts a square root in pool order (Q64.96) to the token's price: base units of the quote token for one base unit.
 */
export function priceAt(sqrtPrice: bigint, isToken0: boolean): Ratio {
  const [square, one] = [sqrtPrice * sqrtPrice, q96 * q96]
  return isToken0
    ? { numerator: square, denominator: one }
    : { numerator: one, denominator: square }
}

/** Amounts of the two tokens in a price range for a liquidity. */
function amount0(lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint {
  const scaled = (liquidity << 96n) * (upper - lower)
  return up ? divideUp(divideUp(scaled, upper), lower) : scaled / upper / lower
}

function amount1(lower: bigint, upper: bigint, liquidity: bigint, up: boolean): bigint {
  const scaled = liquidity * (upper - lower)
  return up ? divideUp(scaled, q96) : scaled / q96
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

function liquidityFor(isToken0: boolean, lower: bigint, upper: bigint, amount: bigint): bigint {
  return isToken0
    ? (amount * ((lower * upper) / q96)) / (upper - lower)
    : (amount * q96) / (upper - lower)
}

/** Tokens in a position if the pool opens below all positions (in the token's price). */
function tokensIn({ tickLower, tickUpper, liquidity }: Position, isToken0: boolean): bigint {
  const [lower, upper] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  return isToken0 ? amount0(lower, upper, liquidity, true) : amount1(lower, upper, liquidity, true)
}

/** Sums the tokens in these positions, in base units. */
export function tokensTaken(positions: readonly Position[], isToken0: boolean): bigint {
  return positions.reduce((sum, position) => sum + tokensIn(position, isToken0), 0n)
}

/** A range to split into positions that all reach its far end, with equal amounts of tokens. */
interface Range {
  tickLower: number
  tickUpper: number
  tickSpacing: number
  isToken0: boolean
  numPositions: number
  /** Base units per position. */
  each: bigint
}

function splitRange({ tickLower, tickUpper, ...range }: Range): Position[] {
  const { isToken0, numPositions, tickSpacing, each } = range
  const [near, far] = isToken0 ? [tickLower, tickUpper] : [tickUpper, tickLower]
  const farPrice = sqrtPriceAt(far)
  const positions: Position[] = []
  for (let index = 0; index < numPositions; index += 1) {
    const step = Number((BigInt(index) * BigInt(tickUpper - tickLower)) / BigInt(numPositions))
    const start = alignTick(isToken0 ? near + step : near - step, tickSpacing, isToken0)
    if (start === far) continue
    const [lower, upper] = start < far ? [start, far] : [far, start]
    const [low, high] =
      start < far ? [sqrtPriceAt(start), farPrice] : [farPrice, sqrtPriceAt(start)]
    const liquidity = each > 0n ? liquidityFor(isToken0, low, high, each) : 0n
    positions.push({ tickLower: lower, tickUpper: upper, liquidity })
  }
  return positions
}

/** Rounds a tick to its spacing, towards a lower price of the token. */
function alignTick(tick: number, spacing: number, isToken0: boolean): number {
  return (isToken0 ? Math.floor(tick / spacing) : Math.ceil(tick / spacing)) * spacing
}

/** A curve with ticks as if the token were token0, and its 18-decimal share of the tokens for sale. */
interface Curve {
  tickLower: number
  tickUpper: number
  numPositions: number
  shares: bigint
}

/** Returns the positions of a multicurve on Uniswap V4. */
export function curvePositions(
  curves: readonly Curve[],
  tickSpacing: number,
  forSale: bigint,
  isToken0: boolean,
): Position[] {
  return curves.flatMap(({ tickLower, tickUpper, numPositions, shares }) => {
    const ticks = isToken0
      ? { tickLower, tickUpper }
      : { tickLower: -tickUpper, tickUpper: -tickLower }
    const each = (forSale * shares) / wad / BigInt(numPositions) - 1n
    return splitRange({ ...ticks, tickSpacing, isToken0, numPositions, each })
  })
}

/** Returns the positions of the V3 initializers: the curve, and a tail behind its far end that holds the price. */
export function v3Positions(
  data: { tickLower: number; tickUpper: number; numPositions: number; maxShareToBeSold: bigint },
  tickSpacing: number,
  forSale: bigint,
  isToken0: boolean,
): { curve: Position[]; tail: Position } {
  const { tickLower, tickUpper, numPositions, maxShareToBeSold } = data
  const sold = (forSale * maxShareToBeSold) / wad
  const each = sold / BigInt(numPositions)
  const range = { tickLower, tickUpper, numPositions, tickSpacing, isToken0, each }
  const curve = splitRange(range)
  const reserves = curve.reduce((sum, position) => sum + quoteFor(position, isToken0, false), 0n)
  const far = isToken0 ? tickUpper : tickLower
  const tail = isToken0
    ? { tickLower: far, tickUpper: alignTick(maxTick, tickSpacing, true) }
    : { tickLower: alignTick(minTick, tickSpacing, false), tickUpper: far }
  return {
    curve,
    tail: { ...tail, liquidity: tailLiquidity(far, forSale - sold, reserves, isToken0) },
  }
}

/** Liquidity of the tail: the lower of the amounts that the remaining tokens and the curve's proceeds allow. */
function tailLiquidity(
  far: number,
  remaining: bigint,
  reserves: bigint,
  isToken0: boolean,
): bigint {
  const price = sqrtPriceAt(far)
  const [have0, have1] = isToken0 ? [remaining, reserves] : [reserves, remaining]
  const by0 = liquidityFor(true, price, maxSqrtPrice, have0)
  const by1 = liquidityFor(false, minSqrtPrice, price, have1)
  return by0 < by1 ? by0 : by1
}

function quoteFor(
  { tickLower, tickUpper, liquidity }: Position,
  isToken0: boolean,
  up: boolean,
): bigint {
  const [lower, upper] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  return isToken0 ? amount1(lower, upper, liquidity, up) : amount0(lower, upper, liquidity, up)
}

/**
 * Tokens sold and quote tokens raised by these positions, in base units and without fees, if the price moved from their
 * near end to this square root (Q64.96).
 */
export function soldUntil(
  positions: readonly Position[],
  sqrtPrice: bigint,
  isToken0: boolean,
): { tokens: bigint; quote: bigint } {
  let [tokens, quote] = [0n, 0n]
  for (const { tickLower, tickUpper, liquidity } of positions) {
    const [lower, upper] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
    const price = sqrtPrice < lower ? lower : sqrtPrice > upper ? upper : sqrtPrice
    const range = isToken0 ? ([lower, price] as const) : ([price, upper] as const)
    const amounts = [amount0(...range, liquidity, false), amount1(...range, liquidity, false)]
    const [sold = 0n, paid = 0n] = isToken0 ? amounts : amounts.toReversed()
    tokens += sold
    quote += paid
  }
  return { tokens, quote }
}

/** Returns the cost of all tokens in these positions, in base units of the quote token, without fees. */
export function costOfAll(positions: readonly Position[], isToken0: boolean): bigint {
  return positions.reduce((sum, position) => sum + quoteFor(position, isToken0, true), 0n)
}

/** Returns the tokens, in base units, that this payment buys at the opening, without fees. */
export function bought(positions: readonly Position[], isToken0: boolean, paid: bigint): bigint {
  const ticks = [
    ...new Set(positions.flatMap(({ tickLower, tickUpper }) => [tickLower, tickUpper])),
  ]
  ticks.sort((one, other) => (isToken0 ? one - other : other - one))
  let left = paid
  let tokens = 0n
  for (const [index, near] of ticks.entries()) {
    const far = ticks[index + 1]
    if (far === undefined || left <= 0n) break
    const [tickLower, tickUpper] = near < far ? [near, far] : [far, near]
    const liquidity = positions
      .filter((each) => each.tickLower <= tickLower && each.tickUpper >= tickUpper)
      .reduce((sum, each) => sum + each.liquidity, 0n)
    const part = { tickLower, tickUpper, liquidity }
    const cost = quoteFor(part, isToken0, true)
    if (liquidity === 0n) continue
    tokens += cost <= left ? sold(part, isToken0) : soldFor(part, isToken0, left)
    left -= cost
  }
  return tokens
}

function sold({ tickLower, tickUpper, liquidity }: Position, isToken0: boolean): bigint {
  const [lower, upper] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  return isToken0
    ? amount0(lower, upper, liquidity, false)
    : amount1(lower, upper, liquidity, false)
}

function soldFor({ tickLower, tickUpper, liquidity }: Position, isToken0: boolean, paid: bigint) {
  if (isToken0) {
    const price = sqrtPriceAt(tickLower)
    return amount0(price, price + (paid * q96) / liquidity, liquidity, false)
  }
  const price = sqrtPriceAt(tickUpper)
  const scaled = liquidity << 96n
  return amount1(divideUp(scaled * price, scaled + paid * price), price, liquidity, false)
}

/**
 * Formats a ratio as a decimal, rounded to this many significant digits.
 * @example decimal({ numerator: 1n, denominator: 3n }) // '0.333333'
 */
export function decimal({ numerator, denominator }: Ratio, digits = 6): string {
  if (numerator <= 0n || denominator <= 0n) return '0'
  const places = digits - magnitude(numerator, denominator)
  if (places <= 0) {
    const unit = 10n ** BigInt(-places)
    return String(divideRounded(numerator, denominator * unit) * unit)
  }
  const scaled = divideRounded(numerator * 10n ** BigInt(places), denominator)
  const text = String(scaled).padStart(places + 1, '0')
  const fraction = text.slice(-places).replace(/0+$/u, '')
  return fraction === '' ? text.slice(0, -places) : `${text.slice(0, -places)}.${fraction}`
}

function divideRounded(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/** Returns the number of digits before the decimal point; 0 or less for numbers below a tenth. */
function magnitude(numerator: bigint, denominator: bigint): number {
  const wholePart = numerator / denominator
  if (wholePart > 0n) return String(wholePart).length
  return 1 - String(denominator / numerator).length
}
