import Big from 'big.js'
import { isPlaceholder } from './address.ts'
import type { Asset, AuctionPool, BaseToken, GraduationPool } from './schema.ts'
import type { MoneyUnit, ShareUnit, TokenUnit, Units } from './units.ts'

// Own constructor: the digits of a quotient are cut, never rounded up, so that a sale is not called over early.
const Decimal = Big()
Decimal.DP = 20
Decimal.RM = Decimal.roundDown

const decimalText = /^-?\d+(?:\.\d*)?(?:e[+-]?\d{1,3})?$/iu

/** An amount as an exact decimal text, and whether it is in dollars or in the asset's numeraire. */
export interface Money {
  amount: string
  currency: 'usd' | 'numeraire'
}

/** What a card shows of an asset. Every number is an exact decimal text without exponent; what is unknown is absent. */
export interface Figures {
  /** The pool that trades now, whose price, market cap, liquidity and volume these are. */
  pool: 'auction' | 'graduation'
  price?: Money | undefined
  /** A ratio: 0.154 is +15.4 %. */
  change24h?: string | undefined
  marketCap?: Money | undefined
  liquidity?: Money | undefined
  volume24h?: Money | undefined
  /** The share of the tokens for sale that is sold, 0 to 1, cut and never rounded up. */
  progress?: string | undefined
  /** In whole tokens. */
  sold?: string | undefined
  /** In whole tokens. */
  toSell?: string | undefined
  proceeds?: Money | undefined
  minProceeds?: Money | undefined
  maxProceeds?: Money | undefined
  /** Unix seconds, as all times here. */
  startsAt?: number | undefined
  endsAt?: number | undefined
  createdAt?: number | undefined
  /** Present only where there is a graduation pool. */
  migratedAt?: number | undefined
}

/** Everything an asset card shows as numbers and times, read in the given units. */
export function figures(asset: Asset, units: Units): Figures {
  const auction = asset.auction_pool
  const graduated = graduationPool(asset)
  const pool = currentPool(asset)
  const current = pool === 'graduation' ? graduated : auction
  const market = current?.pool_market_data
  const inUnit = (field: MoneyField, value: string | undefined) => money(value, units[field])

  return {
    pool,
    price:
      inUnit('pool_price', market?.pool_price) ??
      inUnit('pool_current_price', current?.pool_current_price),
    change24h: share(market?.pool_price_change_24h, units.pool_price_change_24h)?.toFixed(),
    marketCap:
      inUnit('pool_market_cap', market?.pool_market_cap) ??
      inUnit('pool_current_market_cap', current?.pool_current_market_cap),
    liquidity:
      inUnit('pool_liquidity', market?.pool_liquidity) ??
      inUnit('pool_current_liquidity', current?.pool_current_liquidity),
    volume24h: inUnit('pool_volume_usd_24h', market?.pool_volume_usd_24h),
    ...sale(auction, units),
    createdAt: unixTime(asset.asset_creation_timestamp),
    migratedAt: graduated && migrationTime(asset, graduated),
  }
}

/** The dollars per quote token, as a decimal text, that follow from a price that an asset has in both; else undefined. */
export function dollarsPerQuote(asset: Asset, units: Units): string | undefined {
  const graduated = graduationPool(asset)
  const current = currentPool(asset) === 'graduation' ? graduated : asset.auction_pool
  const prices = [
    money(current?.pool_market_data?.pool_price, units.pool_price),
    money(current?.pool_current_price, units.pool_current_price),
  ].filter((each) => each !== undefined)
  const inDollars = prices.find(({ currency }) => currency === 'usd')
  const inQuote = prices.find(({ currency }) => currency === 'numeraire')
  if (!inDollars || !inQuote || new Decimal(inQuote.amount).lte(0)) return undefined
  return new Decimal(inDollars.amount).div(inQuote.amount).toPrecision(6)
}

/**
 * The pool that the asset graduated to. Absent also where the interface names a place-holder address instead of a pool,
 * as it does for assets that have not graduated.
 */
export function graduationPool(asset: Asset): GraduationPool | undefined {
  const pool = asset.graduation_pool
  const address = pool?.pool_address
  if (address === undefined) return pool?.pool_market_data?.pool_price ? pool : undefined
  return isPlaceholder(address) ? undefined : pool
}

/** Which pool trades now, by the interface's word where that can be true. */
export function currentPool(asset: Asset): 'auction' | 'graduation' {
  if (!graduationPool(asset)) return 'auction'
  return asset.asset_current_pool?.toLowerCase() === 'auction' ? 'auction' : 'graduation'
}

/** The status in lower case; it may be a word that the document doesn't name. */
export function statusOf(asset: Asset): string | undefined {
  return asset.asset_status?.toLowerCase()
}

/** What both pools know of the token; the auction pool's word comes first. */
export function baseToken(asset: Asset): BaseToken | undefined {
  return baseTokens(asset)[0]
}

/** What each pool says of the token, in the order in which it is believed. */
export function baseTokens(asset: Asset): BaseToken[] {
  return [asset.auction_pool?.base_token, asset.graduation_pool?.base_token].filter(
    (token) => token !== undefined,
  )
}

/** A number of the wire; absent where it is none, or so long or so far from one that showing it makes no sense. */
export function decimal(text: string | undefined): Big | undefined {
  if (text === undefined || text.length > 100 || !decimalText.test(text)) return undefined
  const value = new Decimal(text)
  return Math.abs(value.e) <= 80 ? value : undefined
}

/**
 * Unix seconds of a time on the wire, which may be ISO 8601 (in UTC where it names no zone), unix seconds or unix
 * milliseconds; absent where it is none of them or lies outside the years 2001 to 2100.
 */
export function unixTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+(?:\.\d+)?$/u.test(text) ? unixNumber(Number(text)) : isoTime(text)
  return seconds >= 1e9 && seconds < 4_102_444_800 ? Math.floor(seconds) : undefined
}

type MoneyField = {
  [Field in keyof Units]: Units[Field] extends MoneyUnit ? Field : never
}[keyof Units]

function sale(pool: AuctionPool | undefined, units: Units) {
  const sold = tokens(pool?.pool_current_total_tokens_sold, units.pool_current_total_tokens_sold)
  const toSell = tokens(pool?.pool_config_num_tokens_to_sell, units.pool_config_num_tokens_to_sell)
  return {
    progress: progress(pool, sold, toSell, units)?.toFixed(),
    sold: sold?.toFixed(),
    toSell: toSell?.toFixed(),
    proceeds: money(pool?.pool_current_total_proceeds, units.pool_current_total_proceeds),
    minProceeds: money(pool?.pool_config_min_proceeds, units.pool_config_min_proceeds),
    maxProceeds: money(pool?.pool_config_max_proceeds, units.pool_config_max_proceeds),
    startsAt: unixTime(pool?.pool_config_starting_time),
    endsAt: unixTime(pool?.pool_config_ending_time),
  }
}

// A share past the whole says that the unit is not what we think: what is sold of what is for sale knows better.
function progress(
  pool: AuctionPool | undefined,
  sold: Big | undefined,
  toSell: Big | undefined,
  units: Units,
): Big | undefined {
  const stated = share(
    pool?.pool_current_sale_progress_percentage,
    units.pool_current_sale_progress_percentage,
  )
  if (stated?.gte(0) && stated.lte(1)) return stated
  if (!sold || !toSell?.gt(0)) return undefined
  return sold.gte(toSell) ? new Decimal(1) : sold.div(toSell)
}

function money(text: string | undefined, unit: MoneyUnit): Money | undefined {
  const amount = scaled(text, unit)?.toFixed()
  return amount === undefined
    ? undefined
    : { amount, currency: unit.startsWith('usd') ? 'usd' : 'numeraire' }
}

function tokens(text: string | undefined, unit: TokenUnit): Big | undefined {
  return scaled(text, unit)
}

function scaled(text: string | undefined, unit: MoneyUnit | TokenUnit): Big | undefined {
  const value = decimal(text)
  if (!value || value.lt(0)) return undefined
  const decimals = /\d+$/u.exec(unit)?.[0] ?? '0'
  return value.times(`1e-${decimals}`)
}

function share(text: string | undefined, unit: ShareUnit): Big | undefined {
  const value = decimal(text)
  return unit === 'percent' ? value?.times('0.01') : value
}

function migrationTime(asset: Asset, pool: GraduationPool): number | undefined {
  return unixTime(pool.pool_migration_timestamp) ?? unixTime(asset.asset_migration_timestamp)
}

function unixNumber(value: number): number {
  return value >= 1e11 ? value / 1000 : value
}

function isoTime(text: string): number {
  if (!/^\d{4}-\d\d-\d\d(?:[T ][\d:.,]+)?(?:Z|[+-]\d\d:?\d\d)?$/iu.test(text)) return Number.NaN
  const zoned = /(?:Z|T.*[+-]\d\d:?\d\d)$/iu.test(text.replace(' ', 'T'))
  return Date.parse(`${text.replace(' ', 'T')}${zoned || text.length === 10 ? '' : 'Z'}`) / 1000
}
