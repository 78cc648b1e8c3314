import type { Asset, AuctionPool, BaseToken, GraduationPool, MarketData } from './asset.ts'
import type { Placeholder } from './placeholder.ts'
import type { Status, TimeForm } from './token.ts'
import { unitsOf, type WireUnits } from './units.ts'

/** Query names by meaning, with the names that this stand-in goes by unless told otherwise. */
export const defaultQueryNames = {
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

/** The meaning of a query parameter. */
export type QueryMeaning = keyof typeof defaultQueryNames
/** The name of each parameter. */
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
  /** The names of query parameters that differ from the usual ones; unknown parameters are ignored. */
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
  /** The word in `asset_status` for each status; null if it is not sent. The filter keeps the document's words. */
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
  /** The graduation pool of assets that have not graduated; each token's own quirk decides if it is absent. */
  placeholder: Placeholder | undefined
  /** The name stands in `token_uri_data` alone. */
  nameOnlyInUriData: boolean
  /** `hostile`: each figure of the assets that `isHostile` names is no number, or an impossible one. */
  figures: 'well' | 'hostile'
  /** The decimals that tokens have: each token one of these. */
  tokenDecimals: readonly [number, ...number[]]
}

/** The dialect of this stand-in unless another is given. */
export const defaultDialect: Dialect = {
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
