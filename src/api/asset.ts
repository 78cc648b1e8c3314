import {
  type Asset,
  type AuctionPool,
  type BaseToken,
  differ,
  type GraduationPool,
  isPlaceholder,
  isStatus,
} from './schema.ts'
import { decimal } from './units.ts'

/**
 * Returns the pool that the asset graduated to. Undefined also if the API names a placeholder address, as it does
 * for assets that have not graduated, or if its status says that the auction is not over.
 */
export function graduationPool(asset: Asset): GraduationPool | undefined {
  const pool = asset.graduation_pool
  const address = pool?.pool_address
  if (
    pool === undefined ||
    isStillInAuction(asset) ||
    (address !== undefined && isNotPool(address, asset))
  )
    return undefined
  // The API may predict the address long before the pool exists.
  const exists = hasPrice(pool) || (address !== undefined && isReportedAsMigrated(asset, pool))
  return exists ? pool : undefined
}

/**
 * Whether the status says that the auction is not over, and there is no migration time: a status may be older than the
 * migration. Future times were removed by `withStatus`.
 */
function isStillInAuction(asset: Asset): boolean {
  return ['incoming', 'live'].includes(statusOf(asset) ?? '') && migrations(asset).length === 0
}

/** Lists the asset's migration times from all fields that have one. */
export function migrations(asset: Asset): number[] {
  return [
    asset.graduation_pool?.pool_migration_timestamp,
    asset.asset_migration_timestamp,
    asset.auction_pool?.pool_migration_timestamp,
  ]
    .map(unixTime)
    .filter((time) => time !== undefined)
}

/** Whether the address can't be the graduation pool: a placeholder, or another address of the asset. */
function isNotPool(address: string, asset: Asset): boolean {
  const { asset_address: token, asset_numeraire_address: quote, auction_pool: auction } = asset
  const others = [token, quote, auction?.pool_address, auction?.pool_id]
  return (
    isPlaceholder(address) || others.some((each) => each !== undefined && !differ(each, address))
  )
}

function hasPrice({
  pool_market_data: market,
  pool_current_price: price,
}: GraduationPool): boolean {
  return [market?.pool_price, market?.pool_market_cap, price].some((text) => decimal(text)?.gt(0))
}

function isReportedAsMigrated(asset: Asset, pool: GraduationPool): boolean {
  return (
    asset.asset_status?.toLowerCase() === 'graduated' ||
    asset.asset_current_pool?.toLowerCase() === 'graduation' ||
    [asset.asset_migration_timestamp, pool.pool_migration_timestamp].some(
      (time) => unixTime(time) !== undefined,
    )
  )
}

/** Returns the pool that trades now. */
export function tradingPool(asset: Asset): AuctionPool | GraduationPool | undefined {
  return currentPool(asset) === 'graduation' ? graduationPool(asset) : asset.auction_pool
}

/** Returns which pool trades now: as the API says, if that is possible. */
export function currentPool(asset: Asset): 'auction' | 'graduation' {
  if (!graduationPool(asset)) return 'auction'
  const stated = asset.asset_current_pool
  const { pool_address: address, pool_id: id } = asset.auction_pool ?? {}
  const isAuction =
    stated?.toLowerCase() === 'auction' ||
    (stated !== undefined && [address, id].some((each) => each && !differ(each, stated)))
  return isAuction ? 'auction' : 'graduation'
}

/**
 * Returns the status of an asset: the API's word if it is a known one, else the status derived from times, sale
 * and pools, else the API's word in lower case.
 */
export function statusOf({
  asset_status: reported,
  derived_status: derived,
}: Asset): string | undefined {
  const word = reported?.toLowerCase()
  return isStatus(word) ? word : (derived ?? word)
}

/**
 * Merges what both pools say of the token; the auction pool has priority, and the token's metadata fill in a missing
 * name and description.
 */
export function baseToken(asset: Asset): BaseToken | undefined {
  const [first, second] = baseTokens(asset)
  if (!first) return undefined
  const present = second && Object.entries(first).filter(([, value]) => value !== undefined)
  const token: BaseToken = present ? { ...second, ...Object.fromEntries(present) } : first
  const { name, description } = token.token_uri_data ?? {}
  return {
    ...token,
    token_name: token.token_name ?? name,
    token_description: token.token_description ?? description,
  }
}

/** Lists what each pool says of the token; the auction pool, which has priority, first. */
export function baseTokens(asset: Asset): BaseToken[] {
  return [asset.auction_pool?.base_token, asset.graduation_pool?.base_token].filter(
    (token) => token !== undefined,
  )
}

/**
 * Parses a time on the wire to unix seconds: ISO 8601 (UTC if it has no zone), unix seconds or milliseconds; undefined
 * if it is none of these or outside the years 2001 to 2100.
 */
export function unixTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+(?:\.\d+)?$/u.test(text) ? unixNumber(Number(text)) : isoTime(text)
  return seconds >= 1e9 && seconds < 4_102_444_800 ? Math.floor(seconds) : undefined
}

/** Returns the fields that figures are read from: of the auction's sale, and of the pool that trades now. */
export function fieldsOf(asset: Asset): Readonly<Record<string, unknown>> {
  const current = tradingPool(asset)
  return {
    ...asset.auction_pool,
    pool_current_price: current?.pool_current_price,
    pool_current_market_cap: current?.pool_current_market_cap,
    pool_current_liquidity: current?.pool_current_liquidity,
    ...current?.pool_market_data,
  }
}

export function migrationTime(asset: Asset, pool: GraduationPool): number | undefined {
  return unixTime(pool.pool_migration_timestamp) ?? unixTime(asset.asset_migration_timestamp)
}

function unixNumber(value: number): number {
  return value >= 1e11 ? value / 1000 : value
}

function isoTime(text: string): number {
  if (!/^\d{4}-\d\d-\d\d(?:[T ][\d:.,]+)?(?:Z|[+-]\d\d:?\d\d)?$/iu.test(text)) return Number.NaN
  const hasZone = /(?:Z|T.*[+-]\d\d:?\d\d)$/iu.test(text.replace(' ', 'T'))
  return Date.parse(`${text.replace(' ', 'T')}${hasZone || text.length === 10 ? '' : 'Z'}`) / 1000
}

/** Removes future migration times, unless the asset is said to have graduated. */
export function withoutFutureMigrations(asset: Asset, now: number): Asset {
  const { asset_status: status, auction_pool: auction, graduation_pool: graduation } = asset
  if (status === 'graduated' || !migrations(asset).some((time) => time > now)) return asset
  const pastOnly = (time: string | undefined) => ((unixTime(time) ?? now) > now ? undefined : time)
  const inPool = <Pool extends { pool_migration_timestamp?: string | undefined }>(pool: Pool) => ({
    ...pool,
    pool_migration_timestamp: pastOnly(pool.pool_migration_timestamp),
  })
  return {
    ...asset,
    asset_migration_timestamp: pastOnly(asset.asset_migration_timestamp),
    ...(auction && { auction_pool: inPool(auction) }),
    ...(graduation && { graduation_pool: inPool(graduation) }),
  }
}
