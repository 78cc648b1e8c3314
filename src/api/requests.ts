import { z } from 'zod'
import type { ListStatus } from './schema.ts'

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

/** Name of the chain parameter for auctions and templates. The document names no parameter for assets. */
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

/** Whether the setting accepts the name. */
export function isQueryName(name: string): boolean {
  return plainName.test(name)
}

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
