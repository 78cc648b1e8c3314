import type { z } from 'zod'
import { ApiError } from '../errors.ts'
import { isObject, type WireAsset, wireAssetSchema } from './schema.ts'

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
  // zod's error is not the cause: its issues can quote the interface's data.
  if (!parsed.success) throw new ApiError('malformed', 'the result is not what was asked for')
  return parsed.data
}

function resultOf(body: unknown): unknown {
  if (isObject(body) && Object.hasOwn(body, 'result')) return body.result
  throw new ApiError('malformed', 'the answer has no result')
}
