import type { z } from 'zod'
import { ApiError } from '../errors.ts'
import {
  type AuctionSummary,
  auctionSummarySchema,
  type BuiltAuction,
  builtAuctionSchema,
  isObject,
  uploadResultSchema,
  type WireAsset,
  wireAssetSchema,
} from './schema.ts'

/** The usable assets of an answer, the number of its items, and the number of unusable ones. */
export interface ReadAssets {
  assets: WireAsset[]
  received: number
  unusable: number
}

/**
 * Reads the answer of the list and search endpoints. Ignores items beyond `limit`, in case the interface ignores it.
 * @throws ApiError `malformed` if there is no array
 */
export function readAssets(body: unknown, limit: number): ReadAssets {
  const result = resultOf(body)
  if (!Array.isArray(result)) throw new ApiError('malformed', 'the result is not a list')
  const items: unknown[] = result.slice(0, limit)
  const assets = items.flatMap((item) => {
    const parsed = wireAssetSchema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
  return { assets, received: items.length, unusable: items.length - assets.length }
}

/**
 * Reads the answer of the asset endpoint.
 * @throws ApiError `not-found` if the result is null, `malformed` if it is not an asset
 */
export function readAsset(body: unknown): WireAsset {
  return readResult(body, wireAssetSchema, 'an asset')
}

/**
 * Reads the answer of the auction endpoint.
 * @throws ApiError `not-found` if the result is null, `malformed` if it is not an auction
 */
export function readAuction(body: unknown): AuctionSummary {
  return readResult(body, auctionSummarySchema, 'an auction')
}

/**
 * Reads the answer of the template endpoint.
 * @throws ApiError `malformed` if there is no hex payload
 */
export function readBuiltAuction(body: unknown): BuiltAuction {
  return readResult(body, builtAuctionSchema, 'a built auction')
}

/** Reads the answer of the metadata upload: a CID or an ipfs: URI. */
export function readUpload(body: unknown): string {
  return readResult(body, uploadResultSchema, 'an upload')
}

function readResult<Schema extends z.ZodType>(
  body: unknown,
  schema: Schema,
  what: string,
): z.output<Schema> {
  const result = resultOf(body)
  if (result === null) throw new ApiError('not-found', 'the result is null')
  const parsed = schema.safeParse(result)
  // zod's error is not the cause: its issues can quote the interface's data.
  if (!parsed.success) throw new ApiError('malformed', `the result is not ${what}`)
  return parsed.data
}

function resultOf(body: unknown): unknown {
  if (isObject(body) && Object.hasOwn(body, 'result')) return body.result
  throw new ApiError('malformed', 'the answer has no result')
}
