import { z } from 'zod'
import {
  assetSchema,
  auctionPoolSchema,
  baseTokenSchema,
  graduationPoolSchema,
  marketDataSchema,
  nested,
  words,
} from '../api/schema.ts'
import { type Kind, scopeSchema } from './rule.ts'

const token = nested(
  baseTokenSchema
    .pick({ token_image_public_url: true, token_creator_address: true })
    // Longer than anything that is shown of them.
    .extend({
      token_name: words(200),
      token_symbol: words(100),
      token_description: words(500),
      token_uri_data: nested(z.object({ name: words(200), description: words(500) })),
    }),
)

const poolFields = {
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
 * The fields of an asset that alerts compare and show. Everything else is left out: third parties write it without a
 * limit, and tens of thousands of assets are stored and held in memory.
 */
export const briefAssetSchema = assetSchema.extend({
  auction_pool: nested(
    auctionPoolSchema
      .pick({
        ...poolFields,
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
    graduationPoolSchema.pick(poolFields).extend({ pool_market_data: market, base_token: token }),
  ),
})
export type BriefAsset = z.output<typeof briefAssetSchema>

const decimal = z.string().max(120)
const money = z.object({ amount: decimal, currency: z.enum(['usd', 'numeraire']) })
const address = z.string().max(128)

const digestEntry = z.object({
  asset: address,
  chain: z.number(),
  name: z.string().max(300),
  symbol: z.string().max(100),
  price: money.optional(),
  marketCap: money.optional(),
  numeraire: address.optional(),
  /** A ratio: 0.1 is +10 percent. */
  change24h: decimal.optional(),
  /** 0 to 1. */
  progress: decimal.optional(),
  endsAt: z.number().optional(),
})
export type DigestEntry = z.output<typeof digestEntry>

/** An event's body, by kind. `asset` is the asset as the API returned it at that time. */
export const eventBodySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('live'), asset: briefAssetSchema }),
  z.object({ kind: z.literal('incoming'), asset: briefAssetSchema }),
  z.object({
    kind: z.literal('progress'),
    asset: briefAssetSchema,
    /** Shares sold in the last stored state and now, 0 to 1. */
    from: decimal,
    to: decimal,
  }),
  z.object({
    kind: z.literal('ending'),
    asset: briefAssetSchema,
    /** Minutes to the end at the last observation (absent at the first) and now; rounded up. */
    fromMinutes: z.number().optional(),
    minutes: z.number(),
    endsAt: z.number(),
  }),
  z.object({ kind: z.literal('graduated'), asset: briefAssetSchema }),
  z.object({
    kind: z.enum(['price', 'mcap']),
    asset: briefAssetSchema,
    /** The id of the one filter whose subscribers are notified. */
    filter: z.number(),
    value: money,
    /** The value compared with: the mark, or the value of the last notification. */
    reference: money,
    direction: z.enum(['up', 'down']),
    /** Whether it crossed a mark, or moved by a percentage. */
    by: z.enum(['crossing', 'movement']),
  }),
  z.object({
    kind: z.literal('digest'),
    filter: z.number(),
    /** The digest's scope; absent in events that older versions stored. */
    scope: scopeSchema.optional(),
    /** Local date, such as 2026-11-21. */
    date: z.string().max(10),
    zone: z.string().max(64),
    counts: z.object({ wentLive: z.number(), graduated: z.number(), live: z.number() }),
    endingSoon: z.array(digestEntry).max(5),
    newest: z.array(digestEntry).max(5),
    graduated: z.array(digestEntry).max(5),
    movers: z.array(digestEntry).max(5),
  }),
])
export type EventBody = z.output<typeof eventBodySchema>
export type EventBodyOf<K extends Kind> = Extract<EventBody, { kind: K }>

/** Something that happened, before it is matched with subscriptions. */
export interface Event {
  /** Unique and permanent: if the same thing is detected twice it has the same key. */
  key: string
  /** 0 if it is not about a single chain. */
  chain: number
  /** Lower-case address; '' if it is not about a single asset. */
  asset: string
  /** Unix seconds. */
  at: number
  /** Unix seconds; nobody is notified after it. */
  usefulUntil: number
  body: EventBody
}
