import type { z } from 'zod'
import { ApiError } from '../errors.ts'
import { baseTokens } from './asset.ts'
import { figuresOf } from './figures.ts'
import {
  type Asset,
  differ,
  isListStatus,
  isObject,
  type Ordering,
  type WireAsset,
  wireAssetSchema,
} from './schema.ts'
import type { Units } from './units.ts'

/** The usable assets of an answer, and the number of its items. */
export interface ReadAssets {
  assets: WireAsset[]
  received: number
}

/**
 * Reads the answer of the list and search endpoints. Ignores items beyond `limit`, in case the API ignores it.
 * @throws ApiError `malformed` if there is no array
 */
export function readAssets(body: unknown, limit: number): ReadAssets {
  const items = readItems(body, limit)
  const assets = items.flatMap((item) => wireAssetSchema.safeParse(item).data ?? [])
  return { assets, received: items.length }
}

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

/** Market caps and volumes within this factor may have swapped since the API sorted them. */
const tolerance = 1.1

/**
 * Whether assets are not in the requested order: more than a quarter of the comparable neighbours are the wrong way
 * around. Only figures in dollars are compared.
 */
export function isOutOfOrder(assets: readonly Asset[], ordering: Ordering, units: Units): boolean {
  const values = assets.flatMap((asset) => {
    const { marketCap, volume24h } = figuresOf(asset, units)
    const money = ordering.startsWith('market_cap') ? marketCap : volume24h
    return money?.currency === 'usd' ? [Number(money.amount)] : []
  })
  const descending = ordering.endsWith('desc') ? values : values.toReversed()
  const pairs = descending
    .slice(1)
    .map((value, index) => [descending[index] ?? value, value] as const)
  const wrong = pairs.filter(([left, right]) => right > left * tolerance)
  return wrong.length * 4 > pairs.length
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
  return [
    asset.asset_address,
    asset.auction_pool?.pool_address,
    asset.auction_pool?.pool_id,
    asset.graduation_pool?.pool_address,
    ...baseTokens(asset).flatMap((token) => [token.token_symbol, token.token_name]),
  ].filter((text) => text !== undefined)
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
