import type { z } from 'zod'
import { compositePoolId, isAddress, isPoolId } from '../chain/address.ts'
import { isModule } from '../chain/airlock/module-addresses.ts'
import { ApiError } from '../errors.ts'
import {
  type Asset,
  type AuctionPool,
  type BaseToken,
  differ,
  type GraduationPool,
  isListStatus,
  isObject,
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
function migrations(asset: Asset): number[] {
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

/**
 * Returns a pool's identifier: its address or, if that is a contract that auctions share, its id. Undefined if it has no
 * valid one.
 */
export function poolName({
  pool_address: address,
  pool_id: id,
}: Pick<AuctionPool, 'pool_address' | 'pool_id'>): string | undefined {
  const name = address === undefined || isModule(address) ? id : address
  if (name === undefined) return undefined
  return isAddress(name) || isPoolId(name) || compositePoolId(name) ? name : undefined
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

/**
 * Returns when a sale starts and ends, in unix seconds. An end that is not after the start and the creation is none: of
 * pools that never end the API says the time of their creation.
 */
export function saleTimes({ auction_pool: pool, asset_creation_timestamp: creation }: Asset): {
  startsAt: number | undefined
  endsAt: number | undefined
} {
  const startsAt = unixTime(pool?.pool_config_starting_time)
  const end = unixTime(pool?.pool_config_ending_time)
  const begin = Math.max(startsAt ?? 0, unixTime(creation) ?? 0)
  return { startsAt, endsAt: end !== undefined && end > begin ? end : undefined }
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

/**
 * Reads the answer of the list and search endpoints. Ignores items beyond `limit`, in case the API ignores it.
 * @throws ApiError `malformed` if there is no array
 */
export function readItems(body: unknown, limit: number): unknown[] {
  const result = resultOf(body)
  if (!Array.isArray(result)) throw new ApiError('malformed', 'the result is not a list')
  return result.slice(0, limit)
}

/**
 * Reads the answer of an endpoint with one result.
 * @example readResult(body, wireAssetSchema)
 * @throws ApiError `not-found` if the result is null, `malformed` if it is not what the schema says
 */
export function readResult<Schema extends z.ZodType>(
  body: unknown,
  schema: Schema,
): z.output<Schema> {
  const result = resultOf(body)
  if (result === null) throw new ApiError('not-found', 'the result is null')
  const parsed = schema.safeParse(result)
  // zod's error is not the cause: its issues can quote the API's data.
  if (!parsed.success) throw new ApiError('malformed', 'the result is not what was asked for')
  return parsed.data
}

function resultOf(body: unknown): unknown {
  if (isObject(body) && Object.hasOwn(body, 'result')) return body.result
  throw new ApiError('malformed', 'the answer has no result')
}

/** The filters of a question that an item can contradict. */
export interface Filters {
  status?: string | undefined
  numeraire?: string | undefined
  category?: string | undefined
  creator?: string | undefined
  term?: string | undefined
}

/**
 * Returns the filter that an item contradicts, if any; absent fields contradict nothing. Prevents wrong results if the
 * API ignores a query name.
 */
export function contradiction(asset: Asset, filters: Filters): keyof Filters | undefined {
  if (wrongStatus(asset, filters.status)) return 'status'
  if (differ(asset.asset_numeraire_address, filters.numeraire)) return 'numeraire'
  if (wrongCategory(asset, filters.category)) return 'category'
  if (filters.creator !== undefined && differ(creatorOf(asset), filters.creator)) return 'creator'
  if (filters.term !== undefined && !matchesTerm(asset, filters.term)) return 'term'
  return undefined
}

/**
 * Whether a term, or each of its words, occurs in an address, the symbol or the name of an asset, ignoring case,
 * diacritics, spaces, punctuation and currency signs.
 */
export function matchesTerm(asset: Asset, term: string): boolean {
  const texts = searchedTexts(asset).map(normalize)
  const occurs = (part: string) => texts.some((text) => text.includes(part))
  return occurs(normalize(term)) || term.split(/\s+/u).map(normalize).every(occurs)
}

/**
 * Whether two lists are the same except for recent changes: at least half of the shorter one's assets are in the other.
 */
export function sameListing(left: readonly Asset[], right: readonly Asset[]): boolean {
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left]
  const keys = new Set(longer.map(assetKey))
  const shared = shorter.filter((asset) => keys.has(assetKey(asset))).length
  return shorter.length > 0 && shared * 2 >= shorter.length
}

/**
 * Whether a page repeats the one before it: the API ignores the offset, or the list has ended. A page that was
 * shifted by new assets starts differently, even if it has only one asset.
 */
export function repeats(page: readonly Asset[], before: readonly Asset[]): boolean {
  const size = Math.min(page.length, before.length)
  return sameListing(page.slice(0, size), before.slice(0, size))
}

/** Returns a key for an asset; the creation time distinguishes assets with the same address on two chains. */
export function assetKey(asset: Asset): string {
  return `${asset.asset_address.toLowerCase()} ${asset.asset_creation_timestamp ?? ''}`
}

function wrongStatus(asset: Asset, wanted: string | undefined): boolean {
  // Only the words of the filter exclude each other. Other words, such as `stall`, contradict nothing. A derived status
  // can't contradict the question: only the API's own word can.
  const status = asset.asset_status?.toLowerCase()
  if (status === undefined || wanted === undefined || status === wanted) return false
  return isListStatus(status) && isListStatus(wanted)
}

function wrongCategory(asset: Asset, wanted: string | undefined): boolean {
  const categories = asset.asset_categories
  if (!categories?.length || wanted === undefined) return false
  return !categories.some((category) => category.toLowerCase() === wanted.toLowerCase())
}

/** Returns the account that created an asset, as far as the API names it. */
export function creatorOf(asset: Asset): string | undefined {
  return baseTokens(asset).find((token) => token.token_creator_address)?.token_creator_address
}

function searchedTexts(asset: Asset): string[] {
  const texts = [
    asset.asset_address,
    asset.auction_pool?.pool_address,
    asset.auction_pool?.pool_id,
    asset.graduation_pool?.pool_address,
    ...baseTokens(asset).flatMap((token) => [token.token_symbol, token.token_name]),
  ]
  // By an address that auctions share each of them would be found.
  return texts.filter((text) => text !== undefined).filter((text) => !isModule(text))
}

// Keeps emoji: a name may consist of them.
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{P}\p{Z}\p{C}\p{Sc}\p{Sk}]/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
}
