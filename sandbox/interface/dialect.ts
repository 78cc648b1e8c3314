import type { Asset, AuctionPool, BaseToken, GraduationPool, MarketData } from './asset.ts'
import type { Placeholder } from './placeholder.ts'
import type { Status, TimeForm } from './token.ts'
import { unitsOf, type WireUnits } from './units.ts'

/** Query names by meaning, with the names that this stand-in goes by unless told otherwise. */
export const usualQueryNames = {
  chain: 'chainId',
  status: 'status',
  limit: 'limit',
  offset: 'offset',
  ordering: 'ordering',
  numeraire: 'numeraire',
  category: 'category',
  creator: 'creator',
  term: 'term',
} as const

/** What a query parameter means. */
export type QueryMeaning = keyof typeof usualQueryNames
/** What each parameter is called. */
export type QueryNames = Record<QueryMeaning, string>

/** Any field of an asset, wherever in it. */
export type WireField =
  | keyof Asset
  | keyof AuctionPool
  | keyof GraduationPool
  | keyof MarketData
  | keyof BaseToken

/** All that the document leaves open, as one interface may have settled it. */
export interface Dialect {
  /** The unit of each numeric field. */
  units: WireUnits
  /** What query parameters are called, where not as usual; those that it does not know are ignored. */
  queryNames: Partial<QueryNames>
  /** Parameters without which the endpoints that take them refuse to answer. */
  required: readonly QueryMeaning[]
  /** Refuses to list with a limit and no offset, and the other way around. */
  limitNeedsOffset: boolean
  /** Refuses names that the endpoint does not take, in place of ignoring them. */
  refusesUnknown: boolean
  /** Whether a refusal says which parameter it is about. */
  errors: 'named' | 'mute'
  /** The listing gives its last page again where there are no more. */
  lastPageRepeats: boolean
  /** What `asset_status` says, by what it means; null where it is not sent. The filter keeps the document's words. */
  status: Readonly<Record<Status, string>> | null
  /** Whether `asset_current_pool` says which of the two it is, or its address. */
  currentPool: 'word' | 'address'
  /** Fields that are never sent, or sent as null. */
  absent: Partial<Record<WireField, 'missing' | 'null'>>
  /** Numbers as the document has them, most of them as text; or all of them as bare JSON numbers, with all digits. */
  numbers: 'text' | 'json'
  /** ".5" in place of "0.5", always as text. */
  bareFractions: boolean
  /** "1.5e+21", integers too. */
  exponents: boolean
  /** The form of the times at which sales begin and end; as each token has it without it. */
  times: TimeForm | undefined
  /** The form of the times of creation and of migration. */
  stamps: TimeForm
  /** How the graduation pool looks of what has not graduated; as each token has it without it. */
  placeholder: Placeholder | undefined
  /** The name stands in `token_uri_data` alone. */
  nameOnlyInUriData: boolean
  /** Where hostile, each figure of the assets that `isHostile` names is something that is none. */
  figures: 'well' | 'hostile'
  /** How many decimals tokens have, some the one and some the other. */
  tokenDecimals: readonly [number, ...number[]]
}

/** What this stand-in speaks unless told otherwise. */
export const usualDialect: Dialect = {
  units: unitsOf({
    market: 'usd',
    volume: 'usd',
    pool: 'usd18',
    raised: 'numeraire-base',
    tokens: 'tokens18',
    change: 'ratio',
    progress: 'percent',
  }),
  queryNames: {},
  required: [],
  limitNeedsOffset: false,
  refusesUnknown: false,
  errors: 'named',
  lastPageRepeats: false,
  status: { incoming: 'incoming', live: 'live', graduated: 'graduated', stall: 'stall' },
  currentPool: 'word',
  absent: {},
  numbers: 'text',
  bareFractions: false,
  exponents: false,
  times: undefined,
  stamps: 'iso',
  placeholder: undefined,
  nameOnlyInUriData: false,
  figures: 'well',
  tokenDecimals: [18],
}
