import { z } from 'zod'

/** An address as the interface writes one, in any case. */
export const addressPattern = /^0x[0-9a-f]{40}$/iu

/** A contract's address, or the id of a pool that shares its contract with others. */
const place = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/u
/** Zero, one, `0x…dead` and `0xdeaddead…`: nothing stands there. */
const nowhere = /^0x(?:0*(?:dead|1)?|(?:dead)+)$/u

/** Whether what the interface says where a pool is named is none: no address at all, or one that stands for nothing. */
export function isPlaceholder(address: string): boolean {
  const text = address.trim().toLowerCase()
  return !place.test(text) || nowhere.test(text)
}

/** Whether two addresses are plainly not the same one; absent ones never differ. */
export function differ(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && left.toLowerCase() !== right.toLowerCase()
}

const decimal = /^[+-]?\d{1,40}(?:\.\d{1,40})?$/u

/**
 * Text for people: any scalar that is text or a number, cut at `max` characters; blank text is absent. Lone surrogates
 * are replaced, since a platform's encoder may refuse the whole message because of one.
 */
export function words(max: number) {
  return z.transform((value): string | undefined => toWords(value, max)).optional()
}

/** Text for machines (addresses, amounts, times, links): absent rather than cut where it is longer than `max`. */
function exact(max: number) {
  return z.transform((value): string | undefined => toExact(value, max)).optional()
}

/** A whole number, also where it is written as text. */
const integer = z.transform(toInteger).optional()

/** An object, or absent where something else stands in its place. */
export function nested<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value) => (isObject(value) ? value : undefined), schema.optional())
    .optional()
}

/** The items that `schema` accepts of the first `max`; absent where there is no array. */
function list<Schema extends z.ZodType>(schema: Schema, max: number) {
  return z
    .transform((value): NonNullable<z.output<Schema>>[] | undefined => {
      if (!Array.isArray(value)) return undefined
      return value.slice(0, max).flatMap((item: unknown) => schema.safeParse(item).data ?? [])
    })
    .optional()
}

/** Whether JSON gave an object, and neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toWords(value: unknown, max: number): string | undefined {
  const text = toText(value)?.toWellFormed()
  if (text === undefined || text.length <= max) return text
  // A slice would keep the whole of the long text in memory; the copy does not. Half a pair may be left at the end.
  return Buffer.from(text.slice(0, max))
    .toString()
    .replace(/\uFFFD$/u, '')
}

function toExact(value: unknown, max: number): string | undefined {
  const text = toText(value)
  return text !== undefined && text.length <= max ? text.trim() : undefined
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  // Past 2^53 JSON.parse has already rounded the digits away: a wrong amount is worse than none.
  const kept =
    typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value))
  return kept && Number.isFinite(value) ? String(value) : undefined
}

function toInteger(value: unknown): number | undefined {
  const isText = typeof value === 'string' && decimal.test(value.trim())
  const parsed = isText ? Number(value) : value
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) ? parsed : undefined
}

// Wire names are kept, so that the interface document stays the one vocabulary. Every documented field is optional:
// null, blank and wrongly typed values come out as absent, unknown fields are dropped, unknown values stay text.

const address = exact(128)
const amount = exact(128)
const time = exact(64)
const kind = exact(64)
const link = exact(2048)
const name = words(1000)
const description = words(5000)

const tokenUriData = z.object({
  name,
  description,
  image_hash: link,
  fee_receiver: address,
  social_links: list(z.object({ label: words(200), url: link }), 20),
  vesting_recipients: list(z.object({ address, amount, percentage: amount }), 50),
})

/** What a pool says of the token itself. */
export const baseTokenSchema = z.object({
  token_address: address,
  token_name: name,
  token_description: description,
  token_symbol: name,
  token_decimals: integer,
  token_uri_data: nested(tokenUriData),
  token_image_public_url: link,
  token_creator_address: address,
  token_fee_receiver_address: address,
  token_vesting_recipient_addresses: list(address, 50),
})

/** What a pool says of its market. */
export const marketDataSchema = z.object({
  pool_liquidity: amount,
  pool_market_cap: amount,
  pool_price: amount,
  pool_price_scale: amount,
  pool_price_change_24h: amount,
  pool_volume_change_24h: amount,
  pool_volume_usd_24h: amount,
})

const currentState = {
  pool_current_price: amount,
  pool_current_sqrt_price: amount,
  pool_current_fdv: amount,
  pool_current_liquidity: amount,
  pool_current_tick: integer,
  pool_current_market_cap: amount,
  pool_address: address,
  pool_migration_timestamp: time,
  pool_type: kind,
  pool_market_data: nested(marketDataSchema),
}

/** Where a token is sold by auction. */
export const auctionPoolSchema = z.object({
  ...currentState,
  pool_last_epoch: integer,
  pool_current_fees_accrued: amount,
  pool_current_total_proceeds: amount,
  pool_current_total_tokens_sold: amount,
  pool_last_epoch_total_tokens_sold: amount,
  pool_current_sale_progress_percentage: amount,
  pool_config_max_proceeds: amount,
  pool_config_min_proceeds: amount,
  pool_config_num_tokens_to_sell: amount,
  pool_id: address,
  pool_config_starting_time: time,
  pool_config_ending_time: time,
  base_token: nested(baseTokenSchema),
})

/** Where a token trades once its auction is over. */
export const graduationPoolSchema = z.object({
  ...currentState,
  base_token: nested(baseTokenSchema.extend({ integrator_address: address })),
})

/** Section 2.1. The address is the one field without which an asset is of no use. */
export const wireAssetSchema = z.object({
  asset_address: z.string().regex(addressPattern),
  asset_numeraire_address: address,
  asset_creation_timestamp: time,
  asset_current_pool: kind,
  asset_migration_timestamp: time,
  asset_categories: list(kind, 20),
  auction_pool: nested(auctionPoolSchema),
  graduation_pool: nested(graduationPoolSchema),
  asset_status: kind,
})

/** An asset with what was found out when it was read, which no interface tells. */
export const assetSchema = wireAssetSchema.extend({
  /** Decimals of the quote token and of the token, if the chain or the bot knows them. */
  decimals: nested(z.object({ quote: integer, token: integer })),
  /** The status by times, sale and pools, if `asset_status` is absent or no known word. */
  derived_status: kind,
})

/** Section 2.7. */
export const auctionSummarySchema = z.object({
  auction_pool_address: address,
  auction_pool_id: address,
  auction_base_token_name: name,
  auction_base_token_symbol: name,
  auction_base_token_address: address,
  auction_quote_token_name: name,
  auction_quote_token_symbol: name,
  auction_quote_token_address: address,
})

const calldata = exact(500_000)

/** The result of section 4.4. Only the payload is sure to be there: some answers leave out the addresses. */
export const builtAuctionSchema = z.object({
  encoded_payload: z
    .string()
    .max(500_000)
    .regex(/^0x(?:[0-9a-f]{2})+$/iu),
  params: nested(
    z.object({
      governance_factory: address,
      governance_factory_data: calldata,
      pool_initializer: address,
      pool_initializer_data: calldata,
      liquidity_migrator: address,
      liquidity_migrator_data: calldata,
      integrator: address,
      salt: address,
      initial_supply: amount,
      num_tokens_to_sell: amount,
      numeraire: address,
      token_factory: address,
      token_factory_data: calldata,
    }),
  ),
  hook_address: address,
  token_address: address,
})

/** The result of section 4.6: a bare CID or an ipfs: URI, as the interface gave it. */
export const uploadResultSchema = z.string().trim().min(1).max(2048)

/** An asset as far as the answer was usable, in the words of the interface. */
export type WireAsset = z.output<typeof wireAssetSchema>
/** An asset as far as the answer was usable, and what was found out when it was read. */
export type Asset = z.output<typeof assetSchema>
export type AuctionPool = z.output<typeof auctionPoolSchema>
export type GraduationPool = z.output<typeof graduationPoolSchema>
export type BaseToken = z.output<typeof baseTokenSchema>
/** What the auction endpoint says of a pool. */
export type AuctionSummary = z.output<typeof auctionSummarySchema>
/** What to sign to create an auction, and what it was made of. */
export type BuiltAuction = z.output<typeof builtAuctionSchema>
