import { type Context, type Difference, detect } from '../../../src/alerts/detect.ts'
import type { AssetState, Observation } from '../../../src/alerts/snapshot.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'

/** Unix seconds at which the looks of these tests begin; the chain was first looked at a day before. */
export const now = 1_790_000_000
export const begunAt = now - 86_400
export const address = '0x4200000000000000000000000000000000000aaa'

interface Facts {
  address?: string
  status?: string | null
  /** Per cent. */
  sold?: number | string | null
  startsAt?: number | string | null
  endsAt?: number | string | null
  createdAt?: number | null
  price?: string | null
  marketCap?: string | null
  change?: string
  /** Present where there is a graduation pool; its migration time. */
  migratedAt?: number | null
  graduationPool?: string
  /** Of the asset itself. */
  assetMigratedAt?: number
  categories?: string[]
  numeraire?: string
  creator?: string
  name?: string
}

const iso = (seconds: number | null | undefined) =>
  typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : seconds

/** An asset as the interface gives it; what is not said is absent. */
export function auction(facts: Facts = {}): Asset {
  const market = {
    pool_price: facts.price,
    pool_market_cap: facts.marketCap,
    pool_price_change_24h: facts.change,
  }
  const hasGraduation = facts.migratedAt !== undefined || facts.graduationPool !== undefined
  return assetSchema.parse({
    asset_address: facts.address ?? address,
    asset_status: facts.status,
    asset_numeraire_address: facts.numeraire,
    asset_categories: facts.categories,
    asset_creation_timestamp: iso(facts.createdAt),
    asset_migration_timestamp: iso(facts.assetMigratedAt),
    auction_pool: {
      pool_current_sale_progress_percentage: facts.sold,
      pool_config_starting_time: facts.startsAt,
      pool_config_ending_time: facts.endsAt,
      pool_market_data: market,
      base_token: {
        token_name: facts.name ?? 'Moon Otter',
        token_symbol: 'OTTER',
        token_creator_address: facts.creator,
      },
    },
    graduation_pool: hasGraduation
      ? {
          pool_address: facts.graduationPool ?? `0x${'9'.repeat(40)}`,
          pool_migration_timestamp: iso(facts.migratedAt),
          pool_market_data: market,
        }
      : undefined,
  })
}

export const seen = (
  by: 'incoming' | 'live' | 'graduated' | 'itself',
  facts?: Facts,
): Observation => ({
  by,
  asset: auction(facts),
})
export const absent: Observation = { by: 'absence' }

export const context: Context = {
  chain: 8453,
  now,
  begunAt,
  units: defaultUnits,
  percents: [25, 50, 75, 90, 100],
  minutes: [10, 60],
}

/** One look; the state goes through its JSON as through the database. */
export function look(
  before: AssetState | undefined,
  observation: Observation,
  change: Partial<Context> = {},
): Difference | undefined {
  const kept: AssetState | undefined = before && JSON.parse(JSON.stringify(before))
  return detect(kept, observation, { ...context, ...change })
}

/** The keys of what several looks tell one after the other, a minute apart. */
export function told(
  observations: readonly Observation[],
  change: Partial<Context> = {},
): { keys: string[][]; state: AssetState | undefined } {
  let state: AssetState | undefined
  const keys = observations.map((observation, index) => {
    const found = look(state, observation, { ...change, now: (change.now ?? now) + index * 60 })
    state = found?.after
    return found?.news.map(({ key }) => key) ?? []
  })
  return { keys, state }
}
