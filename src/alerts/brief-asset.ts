import { z } from 'zod'
import { nested, words } from '../api/leaf.ts'
import {
  assetSchema,
  auctionPoolSchema,
  baseTokenSchema,
  graduationPoolSchema,
  marketDataSchema,
} from '../api/schema.ts'

const token = nested(
  baseTokenSchema
    .pick({ token_image_public_url: true, token_creator_address: true })
    // More than is ever shown of them.
    .extend({
      token_name: words(200),
      token_symbol: words(100),
      token_description: words(500),
      token_uri_data: nested(z.object({ name: words(200), description: words(500) })),
    }),
)

const standing = {
  pool_address: true,
  pool_current_price: true,
  pool_current_market_cap: true,
  pool_migration_timestamp: true,
} as const
const market = nested(
  marketDataSchema.pick({
    pool_price: true,
    pool_market_cap: true,
    pool_price_change_24h: true,
  }),
)

/**
 * What alerts compare and show of an asset. Strangers write the rest, and much of it: of tens of thousands of assets it
 * would fill memory and disk.
 */
export const briefAssetSchema = assetSchema.extend({
  auction_pool: nested(
    auctionPoolSchema
      .pick({
        ...standing,
        pool_id: true,
        pool_current_total_proceeds: true,
        pool_current_total_tokens_sold: true,
        pool_current_sale_progress_percentage: true,
        pool_config_num_tokens_to_sell: true,
        pool_config_starting_time: true,
        pool_config_ending_time: true,
      })
      .extend({ pool_market_data: market, base_token: token }),
  ),
  graduation_pool: nested(
    graduationPoolSchema.pick(standing).extend({ pool_market_data: market, base_token: token }),
  ),
})
export type BriefAsset = z.output<typeof briefAssetSchema>
