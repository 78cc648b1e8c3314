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
 * its times, its sale and its pools say whether a sale is on. Of its times of migration only those are left that have
 * passed: one that is planned says nothing of what is.
 */
export function withStatus(read: Asset, { statusWords, units, now }: Reading): Asset {
  const said = read.asset_status
  const word = (said && statusWords.get(said.toLowerCase())) ?? said
  const asset = withoutPlans({ ...read, asset_status: word }, now)
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

/** Leaves out times of migration that are still to come, but for an asset that is said to have graduated. */
function withoutPlans(asset: Asset, now: number): Asset {
  const { asset_status: status, auction_pool: auction, graduation_pool: graduation } = asset
  if (status === 'graduated') return asset
  const past = (time: string | undefined) => ((unixTime(time) ?? now) > now ? undefined : time)
  const inPool = <Pool extends { pool_migration_timestamp?: string | undefined }>(pool: Pool) => ({
    ...pool,
    pool_migration_timestamp: past(pool.pool_migration_timestamp),
  })
  return {
    ...asset,
    asset_migration_timestamp: past(asset.asset_migration_timestamp),
    ...(auction && { auction_pool: inPool(auction) }),
    ...(graduation && { graduation_pool: inPool(graduation) }),
  }
}
