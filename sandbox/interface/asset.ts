/** The shapes of section 2 of the interface document as this stand-in sends them. */
export interface MarketData {
  pool_liquidity: string
  pool_market_cap: string
  pool_price: string
  pool_price_scale: string
  pool_price_change_24h: string
  pool_volume_change_24h: string
  pool_volume_usd_24h: string
}

export interface BaseToken {
  token_address: string
  token_name: string
  token_description?: string
  token_symbol: string
  token_decimals: number
  token_uri_data: {
    name: string
    description: string
    image_hash: string
    fee_receiver: string
    social_links: { label: string; url: string }[]
    vesting_recipients: { address: string; amount: string; percentage: string }[]
  }
  token_image_public_url: string | null
  token_creator_address: string | null
  token_fee_receiver_address: string
  token_vesting_recipient_addresses: string[]
  integrator_address?: string
}

export interface AuctionPool {
  pool_current_price: string
  pool_current_sqrt_price: string
  pool_current_fdv: string
  pool_current_liquidity: string
  pool_current_tick: number
  pool_last_epoch: number
  pool_current_market_cap: string
  pool_current_fees_accrued: string
  pool_current_total_proceeds: string
  pool_current_total_tokens_sold: string
  pool_last_epoch_total_tokens_sold: string
  pool_current_sale_progress_percentage: number
  pool_config_max_proceeds: string
  pool_config_min_proceeds: string
  pool_config_num_tokens_to_sell: string
  pool_id: string
  pool_address: string
  pool_config_starting_time: string
  pool_config_ending_time: string
  pool_migration_timestamp: string | null
  pool_type: string
  pool_market_data: MarketData | null
  base_token: BaseToken
}

export interface GraduationPool {
  pool_current_price: string | null
  pool_current_sqrt_price: string | null
  pool_current_fdv: string | null
  pool_current_liquidity: string | null
  pool_current_tick: number | null
  pool_current_market_cap: string | null
  pool_address: string
  pool_migration_timestamp: string | null
  pool_type: string | null
  pool_market_data: MarketData | null
  base_token: BaseToken
}

export interface Asset {
  asset_address: string
  asset_numeraire_address: string
  asset_creation_timestamp: string
  asset_current_pool: string
  asset_migration_timestamp: string | null
  asset_categories: string[]
  auction_pool?: AuctionPool
  graduation_pool?: GraduationPool | null
  asset_status?: string
}

export interface AuctionSummary {
  auction_pool_address: string
  auction_pool_id: string
  auction_base_token_name: string
  auction_base_token_symbol: string
  auction_base_token_address: string
  auction_quote_token_name: string
  auction_quote_token_symbol: string
  auction_quote_token_address: string
}
