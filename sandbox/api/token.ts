import { createHash } from 'node:crypto'
import Big from 'big.js'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { wrappedCoin } from '../chain/modules.ts'
import { proceedsOf } from './pool.ts'

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
  | 'no-graduation'
  | 'lowercase-address'
  | 'exponent-prices'
  /** Asked for by its address it lacks market data and categories. */
  | 'short-alone'
  /** Its pool's times are empty. */
  | 'no-times'
  /** Its sale has neither a least amount to raise nor an end. */
  | 'open-ended'

/** The forms in which start and end times are known to come. */
export type TimeForm = 'seconds' | 'milliseconds' | 'iso'

/** One token of the world in plain numbers: dollars, whole tokens, seconds since 1970. */
export interface Token {
  readonly chain: number
  readonly address: Address
  readonly poolAddress: Address
  /** Of 32 bytes, or on Robinhood Chain `4663-0x<asset>`. */
  readonly poolId: string
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
  readonly supply: number
  readonly toSell: number
  /**
   * An auction begins and ends; on the standard curve of Robinhood Chain trading is open from the first block and never
   * ends, and nothing graduates.
   */
  readonly sale: 'auction' | 'curve'
  /** Dollars a token at the start of the sale; the price follows what is sold. */
  readonly startPrice: number
  /** The market cap in dollars by the API's own figures, where these are wrong by orders of magnitude. */
  readonly misreadCap?: string
  /** A percentage that the API gives in place of the share that is sold. */
  readonly statedPercent?: number
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
  sale: 'auction',
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

/** A quote token, with the dollar price that this world gives it. */
export interface Numeraire {
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly usd: number
}

/** LONG's second chain, where every token is sold on the standard curve against a stock. */
export const robinhood = 4663

const weth = (address: Address): Numeraire => ({
  address,
  name: 'Wrapped Ether',
  symbol: 'WETH',
  decimals: 18,
  usd: 3200,
})
const usdc = (address: Address): Numeraire => ({
  address,
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
  usd: 1,
})
const quote = (symbol: string, address: Address, name: string, usd: number, decimals = 18) => ({
  address,
  name,
  symbol,
  decimals,
  usd,
})

/** Where and how a token of Robinhood Chain is sold; `hasOwnId`: its pool id is Uniswap's, not one made of the asset. */
export function hookPool(address: Address, hasOwnId = false) {
  return {
    chain: robinhood,
    address,
    // The one initializer of all of them.
    poolAddress: '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544',
    poolId: hasOwnId ? digestOf(`pool id of ${address}`) : `${robinhood}-${address.toLowerCase()}`,
    poolType: 'multicurve',
    sale: 'curve',
    status: 'live',
    minShare: 0,
    pace: 0,
    graduatedAt: undefined,
  } as const satisfies Partial<Token>
}

// Addresses, symbols and decimals on 4663 were read from the app and the chain in September 2026. Dollars are of the size
// that recorded launches opened at; AI's is its market cap of $251.7M by a billion.
const numeraires: ReadonlyMap<number, readonly Numeraire[]> = new Map([
  [8453, [weth(wrappedCoin), usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')]],
  [84532, [weth(wrappedCoin), usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e')]],
  [
    robinhood,
    [
      quote('TSLA', '0x322F0929c4625eD5bAd873c95208D54E1c003b2d', 'Tesla', 402.5),
      quote('NVDA', '0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC', 'NVIDIA', 182.4),
      quote('AAPL', '0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9', 'Apple', 247.1),
      quote('RDDT', '0x05b37Fb53A299a1b874A619e1c4C404D52C36F4C', 'Reddit', 144.6),
      quote('NET', '0x116F00968269B7bfbaD4109cE591d6E74c0601d4', 'Cloudflare', 289.9),
      quote('HIMS', '0xCceE82fE024c36fA15E1005edE3E9e4787e23D09', 'Hims & Hers Health', 41.8),
      quote('USDG', '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', 'Global Dollar', 1, 6),
      quote('ETH', zeroAddress, 'Ether', 3200),
      weth('0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73'),
      quote('AI', '0x2E8c31162b855A2ffa90F6F8634643Ad6F111e18', 'Artificial Inu', 0.251735),
    ],
  ],
])

/** The quote tokens of a chain, the usual one first. */
export function numerairesOf(chain: number): readonly Numeraire[] {
  return numeraires.get(chain) ?? [weth(wrappedCoin)]
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
