import { z } from 'zod'

/** Matches an address in any letter case. */
export const addressPattern = /^0x[0-9a-f]{40}$/iu

/** Matches a contract's address or a Uniswap V4 pool id. */
const addressOrPoolId = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/u
/** Matches the placeholders zero, one, `0x…dead` and `0xdeaddead…`. */
const placeholder = /^0x(?:0*(?:dead|1)?|(?:dead)+)$/u

/** Whether a pool address of the API is not one: malformed, or a placeholder. */
export function isPlaceholder(address: string): boolean {
  const text = address.trim().toLowerCase()
  return !addressOrPoolId.test(text) || placeholder.test(text)
}

/** Whether two addresses are known to differ; false if one is absent. */
export function differ(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && right !== undefined && left.toLowerCase() !== right.toLowerCase()
}

const decimal = /^[+-]?\d{1,40}(?:\.\d{1,40})?$/u

/**
 * Text for people: a string or number, cut to `max` characters; absent if blank. Lone surrogates are replaced, because
 * a platform may reject the whole message for one.
 */
export function shownText(max: number) {
  return z.transform((value): string | undefined => toShownText(value, max)).optional()
}

/** Text for machines (addresses, amounts, times, links): absent rather than cut if it is longer than `max`. */
function exactText(max: number) {
  return z.transform((value): string | undefined => toExactText(value, max)).optional()
}

/** An integer, also if it is written as text. */
const integer = z.transform(toInteger).optional()

/** An object; absent if it is anything else. */
export function nested<Schema extends z.ZodType>(schema: Schema) {
  return z
    .preprocess((value) => (isObject(value) ? value : undefined), schema.optional())
    .optional()
}

/** The first `max` items without those that `schema` rejects; absent if it is not an array. */
function list<Schema extends z.ZodType>(schema: Schema, max: number) {
  return z
    .transform((value): NonNullable<z.output<Schema>>[] | undefined => {
      if (!Array.isArray(value)) return undefined
      return value.slice(0, max).flatMap((item: unknown) => schema.safeParse(item).data ?? [])
    })
    .optional()
}

/** Whether a JSON value is an object, not null or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toShownText(value: unknown, max: number): string | undefined {
  const text = toText(value)?.toWellFormed()
  if (text === undefined || text.length <= max) return text
  // A slice would keep the long text in memory; a copy does not. The cut may leave half a surrogate pair at the end.
  return Buffer.from(text.slice(0, max))
    .toString()
    .replace(/\uFFFD$/u, '')
}

function toExactText(value: unknown, max: number): string | undefined {
  const text = toText(value)
  return text !== undefined && text.length <= max ? text.trim() : undefined
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  // Beyond 2^53 JSON.parse has rounded: no amount is better than a wrong one.
  const isExact =
    typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value))
  return isExact && Number.isFinite(value) ? String(value) : undefined
}

function toInteger(value: unknown): number | undefined {
  const isText = typeof value === 'string' && decimal.test(value.trim())
  const parsed = isText ? Number(value) : value
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) ? parsed : undefined
}

// Wire names stay as in the API document. Every documented field is optional: null, blank and wrongly typed
// values become absent, unknown fields are dropped, unknown values stay text.

const address = exactText(128)
const amount = exactText(128)
const time = exactText(64)
const kind = exactText(64)
const link = exactText(2048)
const name = shownText(1000)
const description = shownText(5000)

const tokenUriData = z.object({
  name,
  description,
  image_hash: link,
  fee_receiver: address,
  social_links: list(z.object({ label: shownText(200), url: link }), 20),
  vesting_recipients: list(z.object({ address, amount, percentage: amount }), 50),
})

/** A pool's data about its token. */
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

/** A pool's market data. */
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

/** The auction pool of a token. */
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

/** The pool in which a token trades after its auction. */
export const graduationPoolSchema = z.object({
  ...currentState,
  base_token: nested(baseTokenSchema.extend({ integrator_address: address })),
})

/** An asset (section 2.1). The address is the only required field. */
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

/** An asset with values that we added, which are not on the wire. */
export const assetSchema = wireAssetSchema.extend({
  /** Decimals of the quote token and of the token, if the chain or the bot knows them. */
  decimals: nested(z.object({ quote: integer, token: integer })),
  /** Dollars per quote token by other assets, a decimal text, if this one's market data don't say it or contradict it. */
  quote_dollars: amount,
  /** Symbol of the quote token, if it is not a well-known one, by the API or its contract: a stranger's word. */
  quote_symbol: shownText(100),
  /** Status derived from times, sale and pools, if `asset_status` is absent or unknown. */
  derived_status: kind,
})

/**
 * The answer of `GET /assets/authenticity` about an asset. The endpoint is not in the document; three public clients of the
 * API read it so in 2026.
 */
export const authenticitySchema = z.object({
  verdict: z.enum(['authentic', 'fake']),
  /** Why it is a fake, in words that may be anybody's. */
  failures: list(z.object({ message: shownText(500) }), 3),
})

/** An auction (section 2.7). */
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

const calldata = exactText(500_000)

/** A built auction (section 4.4). Only the payload is required: some answers leave out the addresses. */
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

/** A template as the API lists it. */
const listedTemplateSchema = z.object({ id: z.string().trim().min(1).max(200), name, description })
const maxTemplates = 100

/** The templates of the key's integrator, as the API lists them (not in the document); unusable ones are left out. */
export const listedTemplatesSchema = z
  .array(z.unknown())
  .transform((items) =>
    items.slice(0, maxTemplates).flatMap((item) => listedTemplateSchema.safeParse(item).data ?? []),
  )

/** Result of an upload (section 4.6): a bare CID or an ipfs: URI, unchanged. */
export const uploadResultSchema = z.string().trim().min(1).max(2048)

/** The readable fields of an asset on the wire. */
export type WireAsset = z.output<typeof wireAssetSchema>
/** The readable fields of an asset, and those that we added. */
export type Asset = z.output<typeof assetSchema>
export type AuctionPool = z.output<typeof auctionPoolSchema>
export type GraduationPool = z.output<typeof graduationPoolSchema>
export type BaseToken = z.output<typeof baseTokenSchema>
/** The answer of the auction endpoint. */
export type AuctionSummary = z.output<typeof auctionSummarySchema>
/** The payload to sign to create an auction, and its parameters. */
export type BuiltAuction = z.output<typeof builtAuctionSchema>
/** A template as the API lists it. */
export type ListedTemplate = z.output<typeof listedTemplatesSchema>[number]

/** The statuses that the list can be filtered by, in the order of an asset's life. */
export const listStatuses = ['incoming', 'live', 'graduated'] as const
/** A status that the list can be filtered by. */
export type ListStatus = (typeof listStatuses)[number]

/** The document's statuses of an asset: those that the list can be filtered by, and `stall`. */
export const statuses = [...listStatuses, 'stall'] as const
/** Status of an asset. */
export type AssetStatus = (typeof statuses)[number]
/** Maps the API's own status words, in lower case, to the document's. */
export type StatusWords = ReadonlyMap<string, AssetStatus>

/** Whether the list can be filtered by this word. */
export function isListStatus(word: string | undefined): word is ListStatus {
  return listStatuses.some((each) => each === word)
}

/** Whether this is one of the document's statuses. */
export function isStatus(word: string | undefined): word is AssetStatus {
  return statuses.some((each) => each === word)
}

const documentedWords: readonly (readonly [string, AssetStatus])[] = statuses.map((word) => [
  word,
  word,
])
/** The document's words only, without synonyms. */
export const defaultStatusWords: StatusWords = new Map(documentedWords)

const maxWord = 64

/**
 * Schema of API_STATUS: the API's own words for the document's incoming, live, graduated and stall, such as
 * `live=auction_live,live=auction_open,graduated=migrated`. The document's own words keep their meaning unless the
 * setting overrides them.
 */
export const statusWordsSchema = z.string().transform((text, context): StatusWords => {
  const words = new Map(documentedWords)
  const overrides = new Map<string, AssetStatus>()
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const [, meaning = '', word = ''] = /^([^=]*)=(.*)$/su.exec(pair) ?? []
    const status = statuses.find((each) => each === meaning.trim().toLowerCase())
    const key = word.trim().toLowerCase()
    const problem = problemOf(pair, status, key, overrides)
    if (problem !== undefined || status === undefined) {
      context.addIssue({ code: 'custom', message: problem ?? 'it is wrong' })
      return z.NEVER
    }
    overrides.set(key, status)
    words.set(key, status)
  }
  return words
})

function problemOf(
  pair: string,
  status: AssetStatus | undefined,
  key: string,
  named: ReadonlyMap<string, AssetStatus>,
): string | undefined {
  if (status === undefined) {
    return `${JSON.stringify(pair.trim())} does not look like live=auction_live; before the = comes one of ${statuses.join(', ')}`
  }
  if (key === '' || key.length > maxWord) {
    return `after ${status}= comes the API’s own word, of 1 to ${maxWord} characters`
  }
  const other = named.get(key)
  return other === undefined || other === status
    ? undefined
    : `${key} cannot mean both ${other} and ${status}`
}

/** The categories that the document names. */
export const categories = ['builder-coin', 'product-coin'] as const
/** Max page size of the API (section 8). */
export const maxLimit = 50

/** The values that section 4.1 of the API document allows for the status filter. */
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
    /** Shares are 18-decimal fractions of one as integer texts; they sum to what the template leaves open. */
    beneficiaries: readonly { beneficiary: string; shares: string }[]
  }
  debug?: boolean
}

/** Body of the request that uploads metadata (section 4.6). */
export interface TokenMetadata {
  name: string
  description: string
  image_hash: string
  social_links: readonly { label: string; url: string }[]
  /** The amount is a number of whole tokens; a percentage of the supply may stand beside it. */
  vesting_recipients: readonly { address: string; amount: number; percentage?: number }[]
  fee_receiver?: string
  categories?: readonly Category[]
}

/** Name of the chain parameter for auctions, templates and authenticity. The document names no parameter for assets. */
export const documentedChainName = 'chainId'

const plainName = /^[\w.[\]-]{1,64}$/u

// Defaults. The document publishes none of these names; the first four were seen in live clients.
const fields = {
  chain: queryName('chainId'),
  status: queryName('status'),
  limit: queryName('limit'),
  offset: queryName('offset'),
  ordering: queryName('ordering'),
  numeraire: queryName('numeraire'),
  category: queryName('category'),
  creator: queryName('creator'),
  term: queryName('term'),
}

/** The meaning of a query parameter. */
export type QueryMeaning = keyof typeof fields

/** Every meaning, as a list. */
export const queryMeanings: readonly QueryMeaning[] = z.object(fields).keyof().options

/**
 * Schema of API_QUERY_NAMES: the operator's overrides of the defaults. Its messages name the key and list the allowed
 * ones.
 */
export const queryNamesSchema = z
  .strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown name ${issue.keys.join(', ')}: allowed are ${queryMeanings.join(', ')}`
        : `a JSON object such as {"term":"q"}`,
  })
  .superRefine((names, context) => {
    for (const meaning of queryMeanings) {
      const twin = queryMeanings.find((other) => other < meaning && names[other] === names[meaning])
      if (twin === undefined) continue
      context.addIssue({
        code: 'custom',
        path: [meaning],
        message: `${meaning} and ${twin} cannot both be called ${names[meaning]}`,
      })
    }
  })

/** The API's name of each parameter. */
export type QueryNames = z.output<typeof queryNamesSchema>

/** The query names without overrides. */
export const defaultQueryNames: QueryNames = queryNamesSchema.parse({})

function queryName(fallback: string) {
  const error = (rule: string) => (issue: { path?: PropertyKey[] | undefined }) =>
    `${String(issue.path?.at(-1) ?? 'name')}: a query name is ${rule}`
  return z
    .string({ error: error('text') })
    .regex(plainName, {
      error: error('1 to 64 letters, digits, or any of _ . - [ ]'),
    })
    .default(fallback)
}
