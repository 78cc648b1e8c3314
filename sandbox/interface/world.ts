import type { Asset, AuctionSummary } from './asset.ts'
import { inventToken, inventTokens, soonCourse } from './invent.ts'
import { Random } from './random.ts'
import { showcaseTokens } from './showcase.ts'
import { age } from './tick.ts'
import type { Status, Token } from './token.ts'
import { toAsset, toAuctionSummary } from './wire.ts'

/** The orders that the document knows beside the default one. */
export const orderings = [
  'market_cap_asc',
  'market_cap_desc',
  'volume_usd_asc',
  'volume_usd_desc',
] as const
export type Ordering = (typeof orderings)[number]

export interface ListQuery {
  chain: number
  status: 'all' | Exclude<Status, 'stall'>
  limit: number
  offset: number
  ordering?: Ordering | undefined
  numeraire?: string | undefined
  category?: string | undefined
  creator?: string | undefined
}

export interface SearchQuery {
  chain: number
  term: string
  limit: number
  category?: string | undefined
}

export interface WorldOptions {
  chains: readonly number[]
  seed: number
  /** Milliseconds since 1970 at which the world begins. */
  now: number
}

const population = 200
// Beyond this many the oldest finished auctions leave, so that a sandbox can stay on for weeks.
const mostTokens = 400
const secondsBetweenArrivals = 45
const mostArrivalsAtOnce = 20

/** About 200 invented tokens over the chains: the same for the same seed and time, until it ticks. */
export class World {
  readonly #chains: readonly number[]
  readonly #random: Random
  readonly #assets = new WeakMap<Token, Asset>()
  #tokens: Token[]
  #now: number
  #arrivals = 0

  constructor({ chains, seed, now }: WorldOptions) {
    this.#chains = chains
    this.#random = new Random(seed)
    this.#now = now / 1000
    const each = Math.round(population / Math.max(1, chains.length))
    const invented = chains.flatMap((chain) => {
      const showcase = showcaseTokens([chain], this.#now)
      return [...showcase, ...inventTokens(this.#random, chain, each - showcase.length, this.#now)]
    })
    this.#tokens = newestFirst(invented)
  }

  /** The world's own time in milliseconds: its beginning plus what it ticked. */
  get now(): number {
    return this.#now * 1000
  }

  /** All tokens, newest first; meant for tests to pick from. */
  get tokens(): readonly Readonly<Token>[] {
    return this.#tokens
  }

  list(query: ListQuery): Asset[] {
    const matching = this.#tokens.filter(
      (token) =>
        token.chain === query.chain &&
        (query.status === 'all' || token.status === query.status) &&
        (query.numeraire === undefined || same(token.numeraire.address, query.numeraire)) &&
        (query.category === undefined || token.categories.includes(query.category)) &&
        (query.creator === undefined || same(token.creator, query.creator)),
    )
    return ordered(matching, query.ordering)
      .slice(query.offset, query.offset + query.limit)
      .map((token) => this.#assetOf(token))
  }

  /** Tokens whose address, symbol or name holds the term, whatever its case; an exact symbol first. */
  search(query: SearchQuery): Asset[] {
    const matching = this.#tokens.filter(
      (token) =>
        token.chain === query.chain &&
        (query.category === undefined || token.categories.includes(query.category)) &&
        [token.address, token.symbol, token.name].some((text) => holds(text, query.term)),
    )
    const exact = matching.filter((token) => same(token.symbol, query.term))
    const others = matching.filter((token) => !same(token.symbol, query.term))
    return [...exact, ...others].slice(0, query.limit).map((token) => this.#assetOf(token))
  }

  asset(chain: number, address: string): Asset | undefined {
    const found = this.#tokens.find(
      (token) => token.chain === chain && same(token.address, address),
    )
    return found && this.#assetOf(found)
  }

  /** The summary of the auction with this pool address or pool id; the newest where assets share one. */
  auction(chain: number, pool: string): AuctionSummary | undefined {
    const found = this.#tokens.find(
      (token) =>
        token.chain === chain && (same(token.poolAddress, pool) || same(token.poolId, pool)),
    )
    return found && toAuctionSummary(found)
  }

  /** Takes in a token that somebody launched. */
  add(token: Token): void {
    this.#tokens.unshift(token)
  }

  /** Lets time pass: auctions start, sell and end, prices drift, and new auctions are announced. */
  tick(seconds: number): void {
    const before = this.#now
    this.#now += seconds
    for (const token of this.#tokens) {
      age(token, before, this.#now, this.#random)
      this.#assets.delete(token)
    }
    this.#announce(seconds)
    this.#forget()
  }

  #assetOf(token: Token): Asset {
    const known = this.#assets.get(token)
    if (known) return known
    const asset = toAsset(token)
    this.#assets.set(token, asset)
    return asset
  }

  #announce(seconds: number): void {
    if (this.#chains.length === 0) return
    const expected = Math.min(mostArrivalsAtOnce, seconds / secondsBetweenArrivals)
    const count = Math.floor(expected) + (this.#random.chance(expected % 1) ? 1 : 0)
    for (let index = 0; index < count; index += 1) {
      this.#arrivals += 1
      const token = inventToken(
        this.#random,
        this.#random.pick(this.#chains),
        `arrival ${this.#arrivals}`,
        this.#now,
        { status: 'incoming', course: soonCourse(this.#random, this.#now) },
      )
      this.#tokens.unshift(token)
    }
  }

  #forget(): void {
    let surplus = this.#tokens.length - mostTokens
    if (surplus <= 0) return
    const kept: Token[] = []
    for (const token of this.#tokens.toReversed()) {
      const finished = token.status === 'graduated' || token.status === 'stall'
      if (surplus > 0 && finished && !token.showcase) surplus -= 1
      else kept.push(token)
    }
    this.#tokens = kept.reverse()
  }
}

function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

function newestFirst(tokens: readonly Token[]): Token[] {
  return tokens.toSorted((left, right) => right.createdAt - left.createdAt)
}

function ordered(tokens: Token[], ordering: Ordering | undefined): Token[] {
  if (!ordering) return tokens
  const value = ordering.startsWith('market_cap')
    ? (token: Token) => token.price * token.supply
    : (token: Token) => token.volume
  const sign = ordering.endsWith('asc') ? 1 : -1
  return tokens.toSorted((left, right) => sign * (value(left) - value(right)))
}
