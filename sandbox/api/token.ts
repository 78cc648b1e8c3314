import { createHash } from 'node:crypto'
import Big from 'big.js'
import { type Address, getAddress, type Hex } from 'viem'
import { wrappedCoin } from '../chain/modules.ts'

export type Status = 'incoming' | 'live' | 'graduated' | 'stall'

/** The values that the document gives for categories. */
export const categories = ['builder-coin', 'product-coin'] as const

/** Ways in which the API's answers about one token differ from the full set of fields. */
export type Quirk =
  | 'no-auction-pool'
  | 'no-description'
  | 'no-image'
  | 'no-status'
  | 'null-creator'
  | 'null-market-data'
  | 'null-graduation'
  | 'sentinel-graduation'
  | 'lowercase-address'
  | 'exponent-prices'
  /** Its sale has neither a least amount to raise nor an end. */
  | 'open-ended'

/** The forms in which start and end times are known to come. */
export type TimeForm = 'seconds' | 'milliseconds' | 'iso'

/** One token of the world in plain numbers: dollars, whole tokens, seconds since 1970. */
export interface Token {
  readonly chain: number
  readonly address: Address
  readonly poolAddress: Address
  readonly poolId: Hex
  readonly poolType: string
  readonly name: string
  readonly symbol: string
  readonly description: string
  readonly creator: Address
  readonly feeReceiver: Address
  readonly categories: readonly string[]
  readonly socialLinks: readonly { label: string; url: string }[]
  readonly vesting: readonly { address: Address; amount: string; percentage: string }[]
  /** The CID of its picture: a made-up one without it, no picture where it is empty. */
  readonly picture?: string
  readonly numeraire: Numeraire
  /** The decimals of its base units; 18 if absent. */
  readonly decimals?: number
  readonly supply: number
  readonly toSell: number
  /** Dollars a token at the start of the auction; the price rises with what is sold. */
  readonly startPrice: number
  /** The least share of the largest proceeds with which the auction graduates. */
  readonly minShare: number
  readonly createdAt: number
  readonly timeForm: TimeForm
  readonly quirks: ReadonlySet<Quirk>
  /** A showcase token never leaves, and its auction stays at or just above this share, 0–1. */
  readonly showcase: { readonly sold: number } | undefined
  startsAt: number
  endsAt: number
  status: Status
  /** Share of `toSell` that is sold, 0–1. */
  sold: number
  /** Share of `toSell` sold in a second, on average. */
  pace: number
  /** Dollars a token. */
  price: number
  /** The price of a day ago. */
  priceBefore: number
  /** Dollars traded in the last day. */
  volume: number
  volumeBefore: number
  /** Dollars in the pool that trades now. */
  liquidity: number
  graduatedAt: number | undefined
}

/** What holds of a token of which nothing is odd, and which nobody has traded yet. */
export const plainToken = {
  categories: [],
  socialLinks: [],
  vesting: [],
  timeForm: 'seconds',
  quirks: new Set<Quirk>(),
  showcase: undefined,
  sold: 0,
  volume: 0,
  volumeBefore: 0,
  liquidity: 0,
  graduatedAt: undefined,
} as const satisfies Partial<Token>

/** The auction's price when this share is sold: four times the start once all is. */
export function auctionPrice(startPrice: number, sold: number): number {
  return startPrice * (1 + 3 * sold)
}

/** What selling this share brought in, in dollars: the area under `auctionPrice`. */
export function proceedsOf(token: Pick<Token, 'startPrice' | 'toSell'>, sold: number): number {
  return token.startPrice * token.toSell * (sold + 1.5 * sold * sold)
}

/** A quote token, with the dollar price that this world gives it. */
interface Numeraire {
  address: Address
  name: string
  symbol: string
  decimals: number
  usd: number
}

const weth: Numeraire = {
  address: wrappedCoin,
  name: 'Wrapped Ether',
  symbol: 'WETH',
  decimals: 18,
  usd: 3200,
}

const usdcByChain = new Map<number, Address>([
  [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  [84532, '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
])

/** The quote tokens of a chain, the usual one first. */
export function numerairesOf(chain: number): Numeraire[] {
  const usdc = usdcByChain.get(chain)
  return usdc
    ? [weth, { address: usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6, usd: 1 }]
    : [weth]
}

/** Thirty-two bytes that stand for a name, the same every time. */
export function digestOf(name: string): Hex {
  return `0x${createHash('sha256').update(name).digest('hex')}`
}

/** A checksummed address that stands for a name, the same every time; nobody holds its key. */
export function addressOf(name: string): Address {
  return getAddress(`0x${digestOf(name).slice(-40)}`)
}

// Own constructor: prices of a millionth of a millionth of a quote token keep their digits.
export const Exact = Big()
Exact.DP = 60

/** As many decimals as most tokens have. */
export const defaultDecimals = 18

/** Twelve digits hide the last bits of binary fractions, so that figures agree when multiplied. */
function exact(value: number): string {
  return new Exact(Number(value.toPrecision(12))).toFixed()
}

/** Dollars as an amount of the token's quote token. */
export function inQuote(dollars: string, { numeraire }: Pick<Token, 'numeraire'>): string {
  return new Exact(dollars).div(numeraire.usd).prec(12).toFixed()
}

/**
 * What is true of a token, whatever an API says of it. Amounts are decimal texts without exponent; price, market
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
