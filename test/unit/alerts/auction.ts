import { expect } from 'vitest'
import {
  type AssetState,
  type Observation,
  parseState,
  stateJson,
} from '../../../src/alerts/asset.ts'
import {
  type DetectContext,
  detect,
  detectorsFor,
  type StateChange,
} from '../../../src/alerts/detect.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'

/** Unix seconds at which the polls of these tests begin; the chain was first polled a day before. */
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

/** An asset as the API gives it; what is not said is absent. */
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

export const found = (
  source: 'incoming' | 'live' | 'graduated' | 'fetch',
  facts?: Facts,
): Observation => ({ source, asset: auction(facts) })
export const absent: Observation = { source: 'none' }

/** A rule that somebody subscribed to. */
type Subscribed = Pick<Rule, 'kind' | 'setting'> & Partial<Rule>

interface PollChanges extends Partial<Omit<DetectContext, 'detectors'>> {
  rules?: readonly Subscribed[]
}

const defaultRules: readonly Subscribed[] = [
  { kind: 'progress', setting: { percents: [25, 50, 75, 90, 100] } },
  ...[10, 60].map((minutes): Subscribed => ({ kind: 'ending', setting: { minutes } })),
]

/** The state as it is read again after a restart. */
export const reread = (state: AssetState): AssetState =>
  parseState(state.phase, stateJson(state)) ?? expect.unreachable()

/** Detects the events of one poll; the state goes through its JSON as through the database. */
export function poll(
  before: AssetState | undefined,
  observation: Observation,
  { rules = defaultRules, ...changes }: PollChanges = {},
): StateChange | undefined {
  const detectors = detectorsFor(rules.map((rule) => ({ scope: {}, ...rule })))
  const context = { chain: 8453, now, begunAt, units: defaultUnits, detectors }
  const stored = before && { state: reread(before), history: [] }
  return detect(stored, observation, { ...context, ...changes })
}

/** The keys of a poll's events. */
export function keysOf(change: StateChange | undefined): string[] | undefined {
  return change?.events.map(({ key }) => key)
}

/** The state after several polls, a minute apart, and the keys of the events of each. */
export function polls(observations: readonly Observation[], changes: PollChanges = {}) {
  let state: AssetState | undefined
  const keys = observations.map((observation, index) => {
    const change = poll(state, observation, { now: now + index * 60, ...changes })
    state = change?.after
    return keysOf(change) ?? []
  })
  return { keys, state }
}
