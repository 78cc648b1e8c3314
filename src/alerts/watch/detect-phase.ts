import { figures, graduationPool, statusOf, unixTime } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import { isListStatus } from '../../api/status.ts'
import type { Units } from '../../api/units.ts'
import type { AssetState, Phase, Seen } from '../state.ts'

/**
 * Where an asset is by the interface's word. The list that it is in says so; of one that was asked for by itself its
 * status does, and a status that is none of the lists' words is the end of its auction.
 */
export function phaseOf(
  { by, asset }: Seen,
  before: AssetState | undefined,
  { units, now }: { units: Units; now: number },
): Phase {
  if (by !== 'itself') return by
  const status = statusOf(asset)
  if (isListStatus(status)) return status
  if (status !== undefined) return 'ended'
  if (graduationPool(asset)) return 'graduated'
  const { endsAt } = figures(asset, units)
  if (endsAt !== undefined && endsAt <= now) return 'ended'
  return before?.phase ?? 'live'
}

/** Unix seconds at which an asset that has graduated did so. */
export function graduatedAt(asset: Asset, units: Units): number | undefined {
  return (
    figures(asset, units).migratedAt ??
    unixTime(asset.asset_migration_timestamp) ??
    unixTime(asset.auction_pool?.pool_migration_timestamp)
  )
}
