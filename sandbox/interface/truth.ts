import { defaultDecimals, exact, inQuote } from './dialect.ts'
import { proceedsOf, type Status, type Token } from './token.ts'

/**
 * What is true of a token, whatever an interface says of it. Amounts are decimal texts without exponent; price, market
 * cap, liquidity and volume are those of the pool that trades now.
 */
export interface TokenTruth {
  phase: Status
  decimals: number
  quoteDecimals: number
  /** In whole tokens, as all amounts of tokens here. */
  supply: string
  priceUsd: string
  /** Quote tokens a token. */
  priceInQuote: string
  marketCapUsd: string
  liquidityUsd: string
  /** Dollars traded in the last day. */
  volumeUsd: string
  /** A ratio, as all shares here: 0.154 is +15.4%. */
  change: string
  volumeChange: string
  /** The share of what is for sale that is sold. */
  progress: string
  sold: string
  /** The tokens that were sold before the present epoch began. */
  soldBefore: string
  toSell: string
  /** In quote tokens, as are the least and the most that the sale can raise. */
  raised: string
  minRaised: string
  maxRaised: string
  /** The fees that the pool took, in dollars. */
  feesUsd: string
  /** Unix seconds, as all times here. */
  createdAt: number
  startsAt: number
  endsAt: number
  graduatedAt: number | undefined
}

const epochSeconds = 200

/** The number of epochs that have passed, by the share that is sold. */
export function epochOf(token: Token): number {
  return Math.floor((token.sold * (token.endsAt - token.startsAt)) / epochSeconds)
}

/** The true figures of a token, from the world alone. */
export function truthOf(token: Token): TokenTruth {
  const { price, supply, sold, toSell } = token
  const soFar = proceedsOf(token, sold)
  const largest = proceedsOf(token, 1)
  const raised = (dollars: number) => inQuote(exact(dollars), token)
  return {
    phase: token.status,
    decimals: token.decimals ?? defaultDecimals,
    quoteDecimals: token.numeraire.decimals,
    supply: exact(supply),
    priceUsd: exact(price),
    priceInQuote: inQuote(exact(price), token),
    marketCapUsd: exact(price * supply),
    liquidityUsd: exact(token.liquidity),
    volumeUsd: exact(token.volume),
    change: exact(growth(price, token.priceBefore)),
    volumeChange: exact(growth(token.volume, token.volumeBefore)),
    progress: exact(Number(sold.toFixed(8))),
    sold: exact(toSell * sold),
    soldBefore: exact(toSell * (sold - Math.min(sold, token.pace * epochSeconds))),
    toSell: exact(toSell),
    raised: raised(soFar),
    minRaised: raised(largest * token.minShare),
    maxRaised: raised(largest),
    feesUsd: exact(soFar * 0.01),
    createdAt: Math.floor(token.createdAt),
    startsAt: Math.floor(token.startsAt),
    endsAt: Math.floor(token.endsAt),
    graduatedAt: token.graduatedAt === undefined ? undefined : Math.floor(token.graduatedAt),
  }
}

function growth(now: number, before: number): number {
  return before === 0 ? 0 : now / before - 1
}
