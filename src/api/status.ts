import { graduationPool, unixTime, withoutFutureMigrations } from './asset.ts'
import { readFigures } from './figures.ts'
import { type Asset, type AssetStatus, isStatus, type StatusWords } from './schema.ts'
import type { Units } from './units.ts'

/** A derived status; `ended`: the sale is over, and the asset has not graduated. */
type Derived = Exclude<AssetStatus, 'stall'> | 'ended'

/** Settings and time for reading an asset. */
interface Reading {
  statusWords: StatusWords
  units: Units
  /** Unix seconds. */
  now: number
}

/**
 * Returns the asset with its status in the document's words. If the API's word is unknown, a status is derived
 * from times, sale and pools. Future migration times are removed: a planned migration says nothing about now.
 */
export function withStatus(read: Asset, { statusWords, units, now }: Reading): Asset {
  const reported = read.asset_status
  const word = (reported && statusWords.get(reported.toLowerCase())) ?? reported
  const asset = withoutFutureMigrations({ ...read, asset_status: word }, now)
  if (isStatus(word)) return asset
  const derived = derivedStatus(asset, units, now)
  return derived === undefined ? asset : { ...asset, derived_status: derived }
}

function derivedStatus(asset: Asset, units: Units, now: number): Derived | undefined {
  const migrated = unixTime(asset.asset_migration_timestamp)
  if (graduationPool(asset) || migrated !== undefined) return 'graduated'
  const { startsAt, endsAt, progress } = readFigures(asset, units).figures
  if (startsAt !== undefined && startsAt > now) return 'incoming'
  if (progress === '1' || (endsAt !== undefined && endsAt <= now)) return 'ended'
  return startsAt !== undefined || endsAt !== undefined || progress !== undefined
    ? 'live'
    : undefined
}
