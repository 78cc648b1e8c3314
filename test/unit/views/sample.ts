import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { chainById } from '../../../src/chain/chains.ts'
import type { CardParts } from '../../../src/views/asset.ts'

export const now = 1_700_000_000
export const address = '0x4200000000000000000000000000000000000aaa'
export const base = chainById(8453)

const account = (digit: string) => `0x${digit.repeat(40)}`
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

const token = {
  token_address: address,
  token_name: 'Moon Otter',
  token_description: 'Night patrols on three rivers.',
  token_symbol: 'OTTER',
  token_decimals: 18,
  token_uri_data: {
    name: 'Moon Otter',
    description: 'Night patrols on three rivers.',
    image_hash: 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
    fee_receiver: account('2'),
    social_links: [
      { label: 'Website', url: 'https://moonotter.example/' },
      { label: 'X', url: 'https://x.com/moonotter_example' },
    ],
    vesting_recipients: [{ address: account('3'), amount: '50', percentage: '5' }],
  },
  token_image_public_url: 'https://images.example/otter.png',
  token_creator_address: account('1'),
  token_fee_receiver_address: account('2'),
  token_vesting_recipient_addresses: [account('3')],
}

const market = {
  pool_liquidity: '1100000',
  pool_market_cap: '12345678.9',
  pool_price: '0.01234',
  pool_price_scale: '1',
  pool_price_change_24h: '0.154',
  pool_volume_change_24h: '0.2',
  pool_volume_usd_24h: '24000',
}

const state = {
  // Of the market's price, with WETH at $2,500.
  pool_current_price: '4936000000000',
  pool_current_sqrt_price: '35660876076363693117127520436188',
  pool_current_fdv: '1',
  pool_current_liquidity: '1',
  pool_current_tick: 122195,
  pool_current_market_cap: '1',
  pool_migration_timestamp: iso(now - 3600),
  pool_type: 'multicurve',
  pool_market_data: market,
}

/** An asset with each field that the API document names, as it stands on the wire. */
export const fullAsset = {
  asset_address: address,
  asset_numeraire_address: '0x4200000000000000000000000000000000000006',
  asset_creation_timestamp: iso(now - 86_400),
  asset_current_pool: 'auction',
  asset_migration_timestamp: iso(now - 3600),
  asset_categories: ['builder-coin', 'product-coin'],
  auction_pool: {
    ...state,
    pool_last_epoch: 3,
    pool_current_fees_accrued: '1',
    pool_current_total_proceeds: '12500000000000000000',
    pool_current_total_tokens_sold: '252000000000000000000000000',
    pool_last_epoch_total_tokens_sold: '1',
    pool_current_sale_progress_percentage: 42,
    pool_config_max_proceeds: '40000000000000000000',
    pool_config_min_proceeds: '5000000000000000000',
    pool_config_num_tokens_to_sell: '600000000000000000000000000',
    pool_id: `0x${'c'.repeat(64)}`,
    pool_address: account('a'),
    pool_config_starting_time: String(now - 7200),
    pool_config_ending_time: String(now + 7200),
    base_token: token,
  },
  graduation_pool: {
    ...state,
    pool_market_data: { ...market },
    pool_address: account('b'),
    base_token: { ...token, integrator_address: account('4') },
  },
  asset_status: 'live',
}

/** What the API client makes of it. */
export function asset(wire: object): Asset {
  return assetSchema.parse({ decimals: { quote: 18, token: 18 }, ...wire })
}

/** The same object with one value changed, by its path. */
export function withValue<T extends object>(wire: T, path: readonly string[], value: unknown): T {
  const copy = structuredClone(wire)
  let at: object = copy
  for (const key of path.slice(0, -1)) {
    const next: unknown = Reflect.get(at, key)
    if (typeof next !== 'object' || next === null) throw new TypeError(path.join('.'))
    at = next
  }
  Reflect.set(at, path.at(-1) ?? '', value)
  return copy
}

/** The paths of all fields of an object, outer ones first. */
export function paths(wire: unknown, above: readonly string[] = []): string[][] {
  if (typeof wire !== 'object' || wire === null) return []
  return Object.entries(wire).flatMap(([key, value]) => {
    const path = [...above, key]
    return [path, ...paths(value, path)]
  })
}

export function cardParts(wire: object): CardParts {
  return {
    asset: asset(wire),
    chain: base,
    units: defaultUnits,
    freshness: { fetchedAt: now, stale: false, now },
  }
}
