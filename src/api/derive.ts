import { graduationPool, readFigures, unixTime } from './figures.ts'
import type { Asset } from './schema.ts'
import { type AssetStatus, isStatus, type StatusWords } from './status.ts'
import type { Units } from './units.ts'

/** A status that was derived; `ended`: the sale is over, and the asset has not graduated. */
type Derived = Exclude<AssetStatus, 'stall'> | 'ended'

/** The settings and the time that an asset is read with. */
export interface Reading {
  statusWords: StatusWords
  units: Units
  /** Unix seconds. */
  now: number
}

/**
 * An asset with its status in the document's words, as far as the setting knows the interface's; where that leaves none,
 * its times, its sale and its pools say whether a sale is on.
 */
export function withStatus(read: Asset, { statusWords, units, now }: Reading): Asset {
  const said = read.asset_status
  const asset = { ...read, asset_status: (said && statusWords.get(said.toLowerCase())) ?? said }
  if (isStatus(asset.asset_status)) return asset
  const derived = derivedStatus(asset, units, now)
  return derived === undefined ? asset : { ...asset, derived_status: derived }
}

function derivedStatus(asset: Asset, units: Units, now: number): Derived | undefined {
  const migrated = unixTime(asset.asset_migration_timestamp)
  if (graduationPool(asset) || (migrated !== undefined && migrated <= now)) return 'graduated'
  const { startsAt, endsAt, progress } = readFigures(asset, units).figures
  if (startsAt !== undefined && startsAt > now) return 'incoming'
  if (progress === '1' || (endsAt !== undefined && endsAt <= now)) return 'ended'
  return startsAt !== undefined || endsAt !== undefined || progress !== undefined
    ? 'live'
    : undefined
}
