import type { ListStatus } from './status.ts'

/** The categories that the document names. */
export const categories = ['builder-coin', 'product-coin'] as const
/** Max page size of the interface (section 8). */
export const maxLimit = 50

/** The values that section 4.1 of the interface document allows for the status filter. */
export type Status = 'all' | ListStatus
/** The values that section 4.1 allows for the ordering; without one the newest assets come first. */
export type Ordering = 'market_cap_asc' | 'market_cap_desc' | 'volume_usd_asc' | 'volume_usd_desc'
/** One of the categories that the document names. */
export type Category = (typeof categories)[number]

/** The filters of a list; the chain defaults to the first configured one, the limit to `maxLimit`. */
export interface AssetFilter {
  chain?: number | undefined
  status?: Status | undefined
  limit?: number | undefined
  offset?: number | undefined
  ordering?: Ordering | undefined
  numeraire?: string | undefined
  category?: Category | undefined
  creator?: string | undefined
}

/** A search; the chain defaults to the first configured one, the limit to `maxLimit`. */
export interface SearchFilter {
  term: string
  chain?: number | undefined
  limit?: number | undefined
  category?: Category | undefined
}

/** Body of the request that builds an auction (section 4.4). */
export interface AuctionTemplate {
  template_id: string
  metadata: {
    token_name: string
    token_symbol: string
    user_address: string
    /** An ipfs: URI. */
    token_uri: string
    beneficiaries: readonly { beneficiary: string; shares: string }[]
  }
  debug?: boolean
}

/** Body of the request that uploads metadata (section 4.6). */
export interface TokenMetadata {
  name: string
  description: string
  image_hash: string
  social_links?: readonly { label: string; url: string }[]
  vesting_recipients?: readonly { address: string; amount?: string; percentage?: string }[]
  fee_receiver?: string
  categories?: readonly Category[]
}
