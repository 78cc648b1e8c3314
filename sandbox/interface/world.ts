import type { Asset, AuctionSummary } from './asset.ts'
import { type Dialect, defaultDialect } from './dialect.ts'
import { hasten } from './hasten.ts'
import { inventToken, inventTokens, soonCourse } from './invent.ts'
import { found, type ListQuery, listed, type SearchQuery, same } from './listing.ts'
import { Random } from './random.ts'
import { showcaseTokens } from './showcase.ts'
import { age } from './tick.ts'
import { auctionPrice, type Quirk, type Token } from './token.ts'
import { toAsset, toAuctionSummary } from './wire.ts'

export interface WorldOptions {
  chains: readonly number[]
  seed: number
  /** Milliseconds since 1970 at which the world begins. */
  now: number
  /** How many tokens it begins with, over all chains; about 200 without it. */
  population?: number
  /** Milliseconds since 1970 at which what is announced or ended by hand happens; the world's own time without it. */
  clock?: () => number
  /** How assets are told. */
  dialect?: Dialect
}

/** What can be changed of a token; its price follows what is sold unless it is given, too. */
export type TokenChange = Partial<Omit<Token, 'chain' | 'address'>>

const defaultPopulation = 200
const secondsBetweenArrivals = 45
const maxArrivalsAtOnce = 20
// However fast time passes: nobody reads more than this.
const minSecondsBetweenArrivals = 8

/** About 200 invented tokens over the chains: the same for the same seed and time, until it ticks. */
export class World {
  readonly #chains: readonly number[]
  readonly #random: Random
  readonly #assets = new WeakMap<Token, Asset>()
  /** Beyond this many the oldest finished auctions leave, so that a sandbox can stay on for weeks. */
  readonly #most: number
  readonly #clock: () => number
  readonly #dialect: Dialect
  #byAddress = new Map<string, Token>()
  #tokens: Token[]
  #now: number
  #speed = 1
  #arrivals = 0

  constructor(options: WorldOptions) {
    const { chains, seed, now, population = defaultPopulation } = options
    this.#chains = chains
    this.#random = new Random(seed)
    this.#now = now / 1000
    this.#most = 2 * population
    this.#clock = options.clock ?? (() => this.now)
    this.#dialect = options.dialect ?? defaultDialect
    const each = Math.round(population / Math.max(1, chains.length))
    const invented = chains.flatMap((chain) => {
      const showcase = showcaseTokens([chain], this.#now)
      return [...showcase, ...inventTokens(this.#random, chain, each - showcase.length, this.#now)]
    })
    this.#tokens = newestFirst(invented.map((token) => this.#withDecimals(token)))
    for (const token of this.#tokens) this.#byAddress.set(keyOf(token), token)
  }

  /** The world's own time in milliseconds: its beginning plus what it ticked. */
  get now(): number {
    return this.#now * 1000
  }

  /** All tokens, newest first; meant for tests to pick from. */
  get tokens(): readonly Readonly<Token>[] {
    return this.#tokens
  }

  /** How many times faster than the clock auctions run. */
  get speed(): number {
    return this.#speed
  }

  /** From now on auctions run so many times faster than the clock; their times stay times of the clock. */
  setSpeed(speed: number): void {
    for (const token of this.#tokens) {
      hasten(token, speed / this.#speed, this.#now)
      this.#assets.delete(token)
    }
    this.#speed = speed
  }

  list(query: ListQuery): Asset[] {
    return listed(this.#tokens, query).map((token) => this.#assetOf(token))
  }

  /** Tokens whose address, symbol or name holds the term, whatever its case; an exact symbol first. */
  search(query: SearchQuery): Asset[] {
    return found(this.#tokens, query).map((token) => this.#assetOf(token))
  }

  asset(chain: number, address: string): Asset | undefined {
    const token = this.#byAddress.get(keyOf({ chain, address }))
    return token && this.#assetOf(token)
  }

  /** The summary of the auction with this pool address or pool id; the newest where assets share one. */
  auction(chain: number, pool: string): AuctionSummary | undefined {
    const held = this.#tokens.find(
      (token) =>
        token.chain === chain && (same(token.poolAddress, pool) || same(token.poolId, pool)),
    )
    return held && toAuctionSummary(held)
  }

  /** Takes in a token that somebody launched, or that is about to be sold. */
  add(token: Token): void {
    hasten(token, this.#speed, this.#now)
    this.#admit(token)
  }

  /** A new auction that nobody bought from yet, live from now or announced for then (unix seconds), with every field. */
  announce(chain: number, change: TokenChange = {}): Token {
    const now = this.#clock() / 1000
    const startsAt = change.startsAt ?? now
    const lasts = 3600 / this.#speed
    const course = {
      createdAt: now,
      startsAt,
      endsAt: startsAt + lasts,
      sold: 0,
      pace: 0.5 / lasts,
      graduatedAt: undefined,
    }
    const status = startsAt > now ? 'incoming' : 'live'
    const key = this.#nextKey()
    const invented = inventToken(this.#random, chain, key, now, { status, course })
    const token: Token = {
      ...this.#withDecimals(invented),
      timeForm: 'seconds',
      quirks: new Set<Quirk>(),
      minShare: 0.2,
      priceBefore: invented.price,
      volume: 0,
      volumeBefore: 0,
    }
    this.#admit(token)
    this.change(token, change)
    return token
  }

  /** Changes a token at once, such as what is sold of it. @throws RangeError where there is none */
  change({ chain, address }: Pick<Token, 'chain' | 'address'>, change: TokenChange): void {
    const token = this.#byAddress.get(keyOf({ chain, address }))
    if (!token) throw new RangeError(`there is no token ${address} on ${chain}`)
    const { sold } = change
    const price = sold === undefined ? {} : { price: auctionPrice(token.startPrice, sold) }
    Object.assign(token, price, change)
    this.#assets.delete(token)
  }

  /** Ends an auction at once, as a success or not. */
  end(token: Pick<Token, 'chain' | 'address'>, outcome: 'graduated' | 'stall'): void {
    const now = this.#clock() / 1000
    const graduatedAt = outcome === 'graduated' ? now : undefined
    this.change(token, { status: outcome, endsAt: now, graduatedAt })
  }

  /** Takes a token away, as if the interface had never known it. Returns what brings it back to its place. */
  remove({ chain, address }: Pick<Token, 'chain' | 'address'>): () => void {
    const key = keyOf({ chain, address })
    const removed = this.#tokens.filter((token) => keyOf(token) === key)
    this.#tokens = this.#tokens.filter((token) => !removed.includes(token))
    this.#byAddress.delete(key)
    return () => {
      this.#tokens = newestFirst([...this.#tokens, ...removed])
      for (const token of removed) this.#byAddress.set(key, token)
    }
  }

  /** Lets time pass: auctions start, sell and end, prices drift, and new auctions are announced. */
  tick(seconds: number): void {
    const before = this.#now
    this.#now += seconds
    for (const token of this.#tokens) {
      age(token, { before, now: this.#now, speed: this.#speed }, this.#random)
      this.#assets.delete(token)
    }
    this.#arrive(seconds)
    this.#forget()
  }

  #assetOf(token: Token): Asset {
    const known = this.#assets.get(token)
    if (known) return known
    const asset = toAsset(token, this.#dialect)
    this.#assets.set(token, asset)
    return asset
  }

  #admit(token: Token): void {
    this.#tokens.unshift(token)
    this.#byAddress.set(keyOf(token), token)
  }

  // Decided by the address: a drawn number would change all that is drawn after it.
  #withDecimals(token: Token): Token {
    const { tokenDecimals } = this.#dialect
    const decimals = tokenDecimals[Number(BigInt(token.address) % BigInt(tokenDecimals.length))]
    return decimals === undefined ? token : { ...token, decimals }
  }

  #nextKey(): string {
    this.#arrivals += 1
    return `arrival ${this.#arrivals}`
  }

  #arrive(seconds: number): void {
    if (this.#chains.length === 0) return
    const between = Math.max(secondsBetweenArrivals / this.#speed, minSecondsBetweenArrivals)
    const expected = Math.min(maxArrivalsAtOnce, seconds / between)
    const count = Math.floor(expected) + (this.#random.chance(expected % 1) ? 1 : 0)
    for (let index = 0; index < count; index += 1) {
      const key = this.#nextKey()
      const chain = this.#random.pick(this.#chains)
      const course = soonCourse(this.#random, this.#now)
      const wish = { status: 'incoming', course } as const
      this.add(this.#withDecimals(inventToken(this.#random, chain, key, this.#now, wish)))
    }
  }

  #forget(): void {
    let surplus = this.#tokens.length - this.#most
    if (surplus <= 0) return
    const kept: Token[] = []
    for (const token of this.#tokens.toReversed()) {
      const finished = token.status === 'graduated' || token.status === 'stall'
      if (surplus > 0 && finished && !token.showcase) {
        surplus -= 1
        this.#byAddress.delete(keyOf(token))
      } else kept.push(token)
    }
    this.#tokens = kept.reverse()
  }
}

function keyOf({ chain, address }: { chain: number; address: string }): string {
  return `${chain} ${address.toLowerCase()}`
}

function newestFirst(tokens: readonly Token[]): Token[] {
  return tokens.toSorted((left, right) => right.createdAt - left.createdAt)
}
