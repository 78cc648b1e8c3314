// Where a token is sold: an auction whose price rises with what is sold, or a pool of Uniswap with LONG's standard
// curve; and the numbers that Uniswap keeps of a pool.

/** What the price of a sale depends on. */
interface Sale {
  readonly sale: 'auction' | 'curve'
  /** Dollars a token at the start. */
  readonly startPrice: number
  readonly toSell: number
}

// The standard curve of Robinhood Chain: one position holds 991 of 1000 tokens, 110,440 ticks wide (-157944 to -47504 in a
// launch against RDDT), another the rest, up to the last tick. Recorded in November 2026 from launches on chain 4663.
const firstShare = 0.991
const [firstTicks, allTicks] = [110_440, 887_264 + 157_944]
const inverse = (ticks: number) => 1.0001 ** (-ticks / 2)
// Of a position from price 1 to R, 1 − 1/√P is sold at the price P in proportion to 1 − 1/√R.
const [firstEnd, end] = [inverse(firstTicks), inverse(allTicks)]

/** Dollars a token when this share of what is for sale is sold, 0–1: in an auction four times the start once all is. */
export function priceAt({ sale, startPrice }: Omit<Sale, 'toSell'>, sold: number): number {
  if (sale === 'auction') return startPrice * (1 + 3 * sold)
  const root =
    sold <= firstShare
      ? 1 - (sold / firstShare) * (1 - firstEnd)
      : firstEnd - ((Math.min(sold, 1) - firstShare) / (1 - firstShare)) * (firstEnd - end)
  return startPrice / Math.max(root, end) ** 2
}

/** The share that is sold on the standard curve at a price, 0–1. */
export function soldAt({ startPrice }: Pick<Sale, 'startPrice'>, price: number): number {
  const root = Math.sqrt(startPrice / Math.max(startPrice, price))
  if (root >= firstEnd) return (firstShare * (1 - root)) / (1 - firstEnd)
  return firstShare + ((1 - firstShare) * (firstEnd - Math.max(end, root))) / (firstEnd - end)
}

/** What selling this share brought in, in dollars: the area under `priceAt`. */
export function proceedsOf(token: Sale, sold: number): number {
  const { sale, startPrice, toSell } = token
  if (sale === 'auction') return startPrice * toSell * (sold + 1.5 * sold * sold)
  const part = (share: number, from: number, to: number) =>
    share === 0 ? 0 : (startPrice * toSell * share) / (from * to)
  const root = Math.sqrt(startPrice / priceAt(token, sold))
  const first = Math.min(sold, firstShare)
  return part(first, 1, Math.max(root, firstEnd)) + part(sold - first, firstEnd, root)
}

/** What of a pool its numbers depend on: prices in dollars, decimals of both tokens. */
interface Pool extends Sale {
  readonly price: number
  readonly liquidity: number
  readonly numeraire: { readonly usd: number; readonly decimals: number }
}

/** The decimals of every token that is sold here. */
export const tokenDecimals = 18

/** Uniswap's liquidity of a pool: √(amount0 × amount1) in base units of both tokens. It is no amount of money. */
export function rawLiquidity(pool: Pool): bigint {
  const { sale, startPrice, toSell, price, liquidity, numeraire } = pool
  const scale = 10 ** ((tokenDecimals + numeraire.decimals) / 2)
  const raw =
    sale === 'curve'
      ? ((toSell * firstShare) / (1 - firstEnd)) * Math.sqrt(startPrice / numeraire.usd) * scale
      : (liquidity / 2 / Math.sqrt(price * numeraire.usd)) * scale
  return BigInt(Math.floor(raw))
}

/**
 * Uniswap's square root of a pool's price, with 96 binary places: the price of token 0, which has the lower address, in
 * base units of token 1. `priceInQuote` is a decimal text, in whole tokens.
 */
export function sqrtPriceX96(
  priceInQuote: string,
  quoteDecimals: number,
  isToken0: boolean,
): bigint {
  const [whole = '', fraction = ''] = priceInQuote.split('.')
  const quote = BigInt(whole + fraction) * 10n ** BigInt(quoteDecimals)
  const asset = 10n ** BigInt(fraction.length + tokenDecimals)
  if (quote === 0n) return 0n
  const [above, below] = isToken0 ? [quote, asset] : [asset, quote]
  return rootOf((above << 192n) / below)
}

/** The whole part of a square root, by Newton's method. */
function rootOf(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** Uniswap's tick of a square root: the last one whose price is not above it. */
export function tickAt(sqrtPrice: bigint): number {
  const tick = (2 * Math.log(Number(sqrtPrice) / 2 ** 96)) / Math.log(1.0001)
  const nearest = Math.round(tick)
  // A price that is a tick's own may come out a hair below it.
  return Math.abs(tick - nearest) < 1e-10 ? nearest : Math.floor(tick)
}

/** Dollars at which a launch opens on the standard curve: about $20K for a billion, at a tick that the pool may use. */
export function openingPrice({ usd, decimals }: Pool['numeraire']): number {
  const units = 10 ** (decimals - tokenDecimals)
  const tick = 8 * Math.round(Math.log((2e-5 / usd) * units) / Math.log(1.0001) / 8)
  return (1.0001 ** tick * usd) / units
}
