import { zeroAddress } from 'viem'
import type { Asset, BaseToken } from './asset.ts'

/** Where a pool that does not graduate points; it stands for "no pool". */
const deadAddress = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'

/** The kinds of graduation pools of assets that have not graduated. */
const placeholders = {
  absent: () => undefined,
  null: () => null,
  empty: () => ({}),
  zero: (asset: Asset) => poolAt(zeroAddress, asset),
  dead: (asset: Asset) => poolAt(deadAddress, asset),
  none: (asset: Asset) => poolAt('none', asset),
  '0x': (asset: Asset) => poolAt('0x', asset),
  blank: (asset: Asset) => poolAt('', asset),
  'null-address': (asset: Asset) => poolAt(null, asset),
  'null-address-zeros': (asset: Asset) => zerosAt(null, asset),
  'zero-zeros': (asset: Asset) => zerosAt(zeroAddress, asset),
  // With the figures of the auction itself.
  'dead-copy': ({ auction_pool: auction }: Asset) => ({ ...auction, pool_address: deadAddress }),
}

/** The name of a way in which a pool that is none may look. */
export type Placeholder = keyof typeof placeholders

/** Makes the graduation pool of an asset that has not graduated. */
export function placeholderPool(placeholder: Placeholder, asset: Asset): unknown {
  return placeholders[placeholder](asset)
}

/** A graduation pool of which nothing is known. */
export function deadPool(base: BaseToken) {
  return {
    pool_current_price: null,
    pool_current_sqrt_price: null,
    pool_current_fdv: null,
    pool_current_liquidity: null,
    pool_current_tick: null,
    pool_current_market_cap: null,
    pool_address: deadAddress,
    pool_migration_timestamp: null,
    pool_type: null,
    pool_market_data: null,
    base_token: base,
  }
}

function poolAt(address: string | null, { auction_pool: auction }: Asset) {
  const base = auction && { base_token: auction.base_token }
  return { pool_address: address, pool_migration_timestamp: null, pool_market_data: null, ...base }
}

function zerosAt(address: string | null, asset: Asset) {
  return {
    ...poolAt(address, asset),
    pool_current_price: '0',
    pool_current_sqrt_price: '0',
    pool_current_fdv: '0',
    pool_current_liquidity: '0',
    pool_current_tick: 0,
    pool_current_market_cap: '0',
    pool_market_data: {
      pool_liquidity: '0',
      pool_market_cap: '0',
      pool_price: '0',
      pool_price_scale: '0',
      pool_price_change_24h: '0',
      pool_volume_change_24h: '0',
      pool_volume_usd_24h: '0',
    },
  }
}
