import { type Asset, toAsset, toAuctionSummary } from './asset.ts'
import { inventToken, inventTokens, Random, soonCourse } from './invent.ts'
import { priceAt, proceedsOf, soldAt } from './pool.ts'
import { type ListQuery, listed, SearchIndex, type SearchQuery, same } from './query.ts'
import { showcaseTokens } from './showcase.ts'
import type { Quirk, Token } from './token.ts'

interface WorldOptions {
  chains: readonly number[]
  seed: number
  /** Milliseconds since 1970 at which the world begins. */
  now: number
  /** How many tokens it begins with, over all chains; about 200 without it. */
  population?: number
  /** Milliseconds since 1970 at which what is announced or ended by hand happens; the world's own time without it. */
  clock?: () => number
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
  readonly #tokenOf = new WeakMap<Asset, Token>()
  /** Beyond this many the oldest finished auctions leave, so that a sandbox can stay on for weeks. */
  readonly #maxTokens: number
  readonly #clock: () => number
  #byAddress = new Map<string, Token>()
  #tokens: Token[]
  /** Made for the first search after a token came, went or was renamed. */
  #index: SearchIndex | undefined
  #now: number
  #speed = 1
  #arrivals = 0

  constructor(options: WorldOptions) {
    const { chains, seed, now, population = defaultPopulation } = options
    this.#chains = chains
    this.#random = new Random(seed)
    this.#now = now / 1000
    this.#maxTokens = 2 * population
    this.#clock = options.clock ?? (() => this.now)
    const each = Math.round(population / Math.max(1, chains.length))
    const invented = chains.flatMap((chain) => {
      const showcase = showcaseTokens([chain], this.#now)
      return [...showcase, ...inventTokens(this.#random, chain, each - showcase.length, this.#now)]
    })
    this.#tokens = newestFirst(invented)
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
      speedUp(token, speed / this.#speed, this.#now)
      this.#assets.delete(token)
    }
    this.#speed = speed
  }

  list(query: ListQuery): Asset[] {
    return listed(this.#tokens, query).map((token) => this.#assetOf(token))
  }

  /** Tokens whose address, symbol or name holds the term, whatever its case; an exact symbol first. */
  search(query: SearchQuery): Asset[] {
    this.#index ??= new SearchIndex(this.#tokens)
    return this.#index.find(query).map((token) => this.#assetOf(token))
  }

  asset(chain: number, address: string): Asset | undefined {
    const token = this.#byAddress.get(keyOf({ chain, address }))
    return token && this.#assetOf(token)
  }

  /** The token that an asset tells of. */
  tokenOf(asset: Asset): Readonly<Token> | undefined {
    return this.#tokenOf.get(asset)
  }

  /** Whether the API leaves fields out where it is asked for this asset alone. */
  isShortAlone(chain: number, address: string): boolean {
    return this.#byAddress.get(keyOf({ chain, address }))?.quirks.has('short-alone') === true
  }

  /** The summary of the auction with this pool address or pool id; the newest where assets share one. */
  auction(chain: number, pool: string): ReturnType<typeof toAuctionSummary> | undefined {
    const held = this.#tokens.find(
      (token) =>
        token.chain === chain && (same(token.poolAddress, pool) || same(token.poolId, pool)),
    )
    return held && toAuctionSummary(held)
  }

  /** Takes in a token that somebody launched, or that is about to be sold. */
  add(token: Token): void {
    speedUp(token, this.#speed, this.#now)
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
      ...invented,
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

  /**
   * Changes a token at once, such as what is sold of it. As the world ticks, a live auction's sales change its figures again.
   * @throws RangeError where there is none
   */
  change({ chain, address }: Pick<Token, 'chain' | 'address'>, change: TokenChange): void {
    const token = this.#byAddress.get(keyOf({ chain, address }))
    if (!token) throw new RangeError(`there is no token ${address} on ${chain}`)
    const { sold, price } = change
    if (sold !== undefined) token.price = priceAt(token, sold)
    if (price !== undefined && token.sale === 'curve') token.sold = soldAt(token, price)
    Object.assign(token, change)
    this.#assets.delete(token)
    if ('name' in change || 'symbol' in change) this.#index = undefined
  }

  /** Ends an auction at once, as a success or not. */
  end(token: Pick<Token, 'chain' | 'address'>, outcome: 'graduated' | 'stall'): void {
    const now = this.#clock() / 1000
    const graduatedAt = outcome === 'graduated' ? now : undefined
    this.change(token, { status: outcome, endsAt: now, graduatedAt })
  }

  /** Takes a token away, as if the API had never known it. Returns what brings it back to its place. */
  remove({ chain, address }: Pick<Token, 'chain' | 'address'>): () => void {
    const key = keyOf({ chain, address })
    const removed = this.#tokens.filter((token) => keyOf(token) === key)
    this.#setTokens(this.#tokens.filter((token) => !removed.includes(token)))
    this.#byAddress.delete(key)
    return () => {
      this.#setTokens(newestFirst([...this.#tokens, ...removed]))
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
    this.#prune()
  }

  #assetOf(token: Token): Asset {
    const known = this.#assets.get(token)
    if (known) return known
    const asset = toAsset(token)
    this.#assets.set(token, asset)
    this.#tokenOf.set(asset, token)
    return asset
  }

  #setTokens(tokens: Token[]): void {
    this.#tokens = tokens
    this.#index = undefined
  }

  #admit(token: Token): void {
    this.#tokens.unshift(token)
    this.#index = undefined
    this.#byAddress.set(keyOf(token), token)
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
      const wanted = { status: 'incoming', course } as const
      this.add(inventToken(this.#random, chain, key, this.#now, wanted))
    }
  }

  #prune(): void {
    let surplus = this.#tokens.length - this.#maxTokens
    if (surplus <= 0) return
    const kept: Token[] = []
    for (const token of this.#tokens.toReversed()) {
      const finished =
        token.status === 'graduated' || token.status === 'stall' || token.sale === 'curve'
      if (surplus > 0 && finished && !token.showcase) {
        surplus -= 1
        this.#byAddress.delete(keyOf(token))
      } else kept.push(token)
    }
    this.#setTokens(kept.reverse())
  }
}

function keyOf({ chain, address }: { chain: number; address: string }): string {
  return `${chain} ${address.toLowerCase()}`
}

function newestFirst(tokens: readonly Token[]): Token[] {
  return tokens.toSorted((left, right) => right.createdAt - left.createdAt)
}

const day = 86_400

/** A step of time, in seconds since 1970, in which auctions run so many times faster than the clock. */
interface Step {
  before: number
  now: number
  speed: number
}

/** Moves one token through a step of time: it starts, sells, ends or drifts. */
function age(token: Token, { before, now, speed }: Step, random: Random): void {
  if (token.status === 'stall') return
  if (token.status === 'incoming' && now >= token.startsAt) token.status = 'live'
  if (token.status === 'incoming') return
  const passed = (now - before) * speed
  if (token.sale === 'curve') {
    if (!token.showcase) trade(token, { passed, now }, random)
    return
  }
  if (token.showcase && token.status === 'live') {
    wander(token, token.showcase.sold, { passed, now }, random)
    return
  }
  const priceThen = token.price
  if (token.status === 'live') sell(token, before, now, random)
  else drift(token, passed, random)
  updateDayBefore(token, priceThen, passed, random)
}

function sell(token: Token, before: number, now: number, random: Random): void {
  const seconds = Math.max(0, Math.min(now, token.endsAt) - Math.max(before, token.startsAt))
  const share = token.pace * seconds * random.between(0.5, 1.5)
  token.sold = Math.min(1, token.sold + share)
  token.price = priceAt(token, token.sold)
  token.liquidity = proceedsOf(token, token.sold) * 0.8
  token.volume += (proceedsOf(token, token.sold) - proceedsOf(token, token.sold - share)) * 1.2
  if (token.sold < 1 && now < token.endsAt) return
  const enough = proceedsOf(token, token.sold) >= proceedsOf(token, 1) * token.minShare
  token.status = enough ? 'graduated' : 'stall'
  if (enough) token.graduatedAt = Math.min(now, token.endsAt)
}

// The showcase auction trades both ways around its share and is prolonged, so it is there tomorrow.
function wander(
  token: Token,
  home: number,
  { passed, now }: { passed: number; now: number },
  random: Random,
): void {
  const step = random.normal() * 0.0004 * Math.sqrt(Math.min(passed, day))
  token.sold = Math.min(home + 0.02, Math.max(home, token.sold + step))
  token.price = priceAt(token, token.sold)
  token.endsAt = Math.max(token.endsAt, now + day / 2)
}

// On the standard curve: restless on its first day, then as all else, and never below where it opened.
function trade(
  token: Token,
  { passed, now }: { passed: number; now: number },
  random: Random,
): void {
  const priceThen = token.price
  const restless = now - token.createdAt < day ? 3 : 0.3
  const deviation = restless * Math.sqrt(Math.min(passed, day) / day)
  token.price = Math.max(token.startPrice, priceThen * Math.exp(random.normal() * deviation))
  token.sold = soldAt(token, token.price)
  token.liquidity = 2 * proceedsOf(token, token.sold)
  updateDayBefore(token, priceThen, passed, random)
}

function drift(token: Token, seconds: number, random: Random): void {
  const deviation = 0.3 * Math.sqrt(seconds / day)
  const price = token.price * Math.exp(random.normal() * deviation)
  token.price = Math.min(1e6, Math.max(1e-12, price))
  token.liquidity = Math.min(token.liquidity, token.price * token.supply)
}

// The figures of "24 hours ago" follow today's with a day's delay.
function updateDayBefore(token: Token, priceThen: number, seconds: number, random: Random): void {
  const passed = Math.min(1, seconds / day)
  token.priceBefore += (priceThen - token.priceBefore) * passed
  token.volumeBefore += (token.volume - token.volumeBefore) * passed
  const usual = token.price * token.supply * 0.05
  token.volume += (usual * random.between(0, 2) - token.volume) * passed
}

// Somebody who has just opened the sandbox sees one go live, sell past every threshold and graduate, and one end unsold.
const firstAuctions = [
  { startsIn: 15, lasts: 1200, sells: 5 },
  { startsIn: 40, lasts: 360, sells: 0.04 },
  { startsIn: 75, lasts: 900, sells: 1.5 },
] as const

/** Announces auctions that go live within a minute or two: `sells` is the share that would be sold in `lasts` seconds. */
export function announceFirst(world: World, chain: number): void {
  const now = world.now / 1000
  for (const { startsIn, lasts, sells } of firstAuctions) {
    const startsAt = now + startsIn / world.speed
    const endsAt = startsAt + lasts / world.speed
    world.announce(chain, { startsAt, endsAt, pace: sells / (endsAt - startsAt) })
  }
}

/**
 * Lets what is left of an auction pass so many times faster: its times stay times of the real clock, and come sooner.
 * `now` is in seconds since 1970. The showcase stays as it is.
 */
function speedUp(token: Token, factor: number, now: number): void {
  if (token.showcase || token.status === 'graduated' || token.status === 'stall') return
  const sooner = (time: number) => (time > now ? now + (time - now) / factor : time)
  token.startsAt = sooner(token.startsAt)
  token.endsAt = sooner(token.endsAt)
  token.pace *= factor
}
