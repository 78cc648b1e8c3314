import { LRUCache } from 'lru-cache'
import { quoteKind } from '../chain/chains.ts'
import { baseToken } from './asset.ts'
import { dollarsPerQuote } from './figures.ts'
import { launchedDecimals } from './pool-price.ts'
import type { Asset, AuctionPool, GraduationPool, WireAsset } from './schema.ts'
import { isWithin, type Units } from './units.ts'

/** Max quote tokens whose rates are kept, and max rates of each. */
const [maxQuoteTokens, maxRates] = [1_000, 200]
/** A rate that fewer assets imply is not believed: the price in dollars of one may be old, or wrong. */
const minRates = 3
/** Most of the rates must be within this factor of the median: a few assets must not decide it for all others. */
const maxSpread = 1.5
const maxRateAgeMs = 600_000
/** Rates that are closer are the same one: otherwise each asset without market data would change with each answer. */
const maxDrift = 0.002

const [maxListed, maxListedAgeMs] = [3_000, 60_000]
const maxTokens = 20_000

/** A token as the API knows it. */
export interface KnownToken {
  decimals: number
  /** Written by a stranger. */
  symbol: string | undefined
}

/**
 * Data about other assets in the API's last answers: the dollars per quote token, fields that lists have of an asset and its
 * own answer lacks, and the launched tokens, which others may be sold for. Shared by all clients with one key.
 */
export class RecentAnswers {
  readonly #now: () => number
  readonly #units: Units
  /** By quote token, then by asset. */
  readonly #rates = new LRUCache<string, LRUCache<string, { rate: string; at: number }>>({
    max: maxQuoteTokens,
  })
  /** The last rate of each quote token that was returned. */
  readonly #returned = new LRUCache<string, string>({ max: maxQuoteTokens })
  readonly #listed: LRUCache<string, WireAsset>
  readonly #tokens = new LRUCache<string, KnownToken>({ max: maxTokens })

  /** @param now monotonic clock in milliseconds */
  constructor(units: Units, now: () => number = () => performance.now()) {
    this.#units = units
    this.#now = now
    this.#listed = new LRUCache({
      max: maxListed,
      ttl: maxListedAgeMs,
      perf: { now },
      ttlResolution: 0,
    })
  }

  /** Notes the assets of one answer as they are sent; `areListed`: the answer is a list. */
  note(chain: number, assets: readonly WireAsset[], areListed: boolean): void {
    for (const asset of assets) {
      const key = keyOf(chain, asset.asset_address)
      const token = baseToken(asset)
      const { token_decimals: decimals = launchedDecimals, token_symbol: symbol } = token ?? {}
      this.#tokens.set(key, { decimals, symbol })
      if (areListed) this.#listed.set(key, asset)
    }
  }

  /** Notes what assets, with their decimals, imply of the dollars per quote token. */
  noteRates(chain: number, assets: readonly Asset[]): void {
    for (const asset of assets) {
      const { asset_address: address, asset_numeraire_address: quote } = asset
      const rate = quote && dollarsPerQuote(asset, this.#units)
      if (!rate) continue
      const key = keyOf(chain, quote)
      const rates = this.#rates.get(key) ?? new LRUCache({ max: maxRates })
      this.#rates.set(key, rates)
      rates.set(keyOf(chain, address), { rate, at: this.#now() })
    }
  }

  /** Adds to an asset's own answer the market data and categories that it lacks, if a list of the last minute had them. */
  filled(chain: number, asset: WireAsset): WireAsset {
    const listed = this.#listed.get(keyOf(chain, asset.asset_address))
    if (!listed) return asset
    const { auction_pool: auction, graduation_pool: graduation, asset_categories: own } = asset
    const categories = own ?? listed.asset_categories
    return {
      ...asset,
      ...(categories && { asset_categories: categories }),
      ...(auction && { auction_pool: withMarketData(auction, listed.auction_pool) }),
      ...(graduation && { graduation_pool: withMarketData(graduation, listed.graduation_pool) }),
    }
  }

  /**
   * Returns the dollars per quote token, as a decimal text: the median of what at least three assets imply, not older than ten
   * minutes, if most of them agree. A token that is known to be a dollar needs no others.
   */
  dollarsPerQuote(chain: number, quote: string): string | undefined {
    if (quoteKind(quote) === 'dollar') return '1'
    const key = keyOf(chain, quote)
    const since = this.#now() - maxRateAgeMs
    const recent = [...(this.#rates.get(key)?.values() ?? [])].filter(({ at }) => at >= since)
    const sorted = recent.map(({ rate }) => rate).sort((one, other) => Number(one) - Number(other))
    const median = sorted[Math.floor((sorted.length - 1) / 2)]
    if (median === undefined || sorted.length < minRates) return undefined
    const near = [1 / maxSpread, maxSpread] as const
    const agreeing = sorted.filter((rate) => isWithin(Number(rate) / Number(median), near))
    if (agreeing.length * 2 <= sorted.length) return undefined
    const last = this.#returned.get(key)
    if (last !== undefined && Math.abs(Number(median) / Number(last) - 1) < maxDrift) return last
    this.#returned.set(key, median)
    return median
  }

  /** Returns a token that an answer had. */
  token(chain: number, address: string): KnownToken | undefined {
    return this.#tokens.get(keyOf(chain, address))
  }
}

function withMarketData<Pool extends AuctionPool | GraduationPool>(
  pool: Pool,
  listed: Pool | undefined,
): Pool {
  const has = Object.values(pool.pool_market_data ?? {}).some((value) => value !== undefined)
  const market = has ? pool.pool_market_data : listed?.pool_market_data
  return market ? { ...pool, pool_market_data: market } : pool
}

function keyOf(chain: number, address: string): string {
  return `${chain} ${address.toLowerCase()}`
}
