import { defaultDecimals, Exact, inQuote, type Status, type TimeForm, type Token } from './token.ts'

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
type QueryMeaning = keyof typeof defaultQueryNames
/** The name of each parameter. */
export type QueryNames = Record<QueryMeaning, string>

/** Ways in which the graduation pool of an asset looks that has not graduated. */
export type Placeholder =
  | ('absent' | 'null' | 'empty' | 'zero' | 'dead' | 'none' | '0x' | 'blank')
  | ('null-address' | 'null-address-zeros' | 'zero-zeros' | 'dead-copy')

/** All that the document leaves open, as one API may have settled it. */
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
  absent: Readonly<Record<string, 'missing' | 'null'>>
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
  figures: 'well',
  tokenDecimals: [18],
}

type Scale = '' | '6' | '8' | '18'
type UsdUnit = `usd${Scale}`

/**
 * The unit of an amount of money. A number after the name says how many decimals the integer on the wire has:
 * "1500000" in usd6 is 1.5 dollars. `numeraire-base` has as many as the quote token.
 */
type MoneyUnit = UsdUnit | `numeraire${Scale}` | 'numeraire-base'
/** The unit of an amount of tokens; `tokens-base` has as many decimals as the token. */
type TokenUnit = `tokens${Scale}` | 'tokens-base'
/** The forms of a share: 0.42 or 42. */
type ShareUnit = 'ratio' | 'percent'

/** The units of fields that mostly go together, by what they are. */
export interface UnitGroups {
  /** Price, market cap and liquidity of the market data. */
  market: MoneyUnit
  /** Dollars traded, in the market data. */
  volume: UsdUnit
  /** Price, market cap, diluted value, liquidity and fees of the pool itself. */
  pool: MoneyUnit
  /** The unit of raised, minimum and maximum. */
  raised: MoneyUnit
  tokens: TokenUnit
  change: ShareUnit
  progress: ShareUnit
}

/** The unit of each numeric field of the wire. */
export type WireUnits = ReturnType<typeof unitsOf>

/** The unit of each field where groups of them have the same. */
export function unitsOf(groups: UnitGroups) {
  const { market, volume, pool, raised, tokens, change, progress } = groups
  return {
    pool_price: market,
    pool_market_cap: market,
    pool_liquidity: market,
    pool_volume_usd_24h: volume,
    pool_price_change_24h: change,
    pool_current_price: pool,
    pool_current_market_cap: pool,
    pool_current_fdv: pool,
    pool_current_liquidity: pool,
    pool_current_fees_accrued: pool,
    pool_current_total_proceeds: raised,
    pool_config_min_proceeds: raised,
    pool_config_max_proceeds: raised,
    pool_current_total_tokens_sold: tokens,
    pool_last_epoch_total_tokens_sold: tokens,
    pool_config_num_tokens_to_sell: tokens,
    pool_current_sale_progress_percentage: progress,
  }
}

/**
 * What is true of a token as it is written in a unit, as an integer where that is scaled: whole tokens, a ratio, or
 * money, in dollars unless `currency` says otherwise.
 */
export function writeFigure(
  amount: string,
  unit: MoneyUnit | TokenUnit | ShareUnit,
  { numeraire, decimals = defaultDecimals }: Token,
  currency: 'usd' | 'numeraire' = 'usd',
): string {
  if (unit === 'ratio') return amount
  if (unit === 'percent') return new Exact(amount).times(100).toFixed()
  if (unit.startsWith('tokens')) return scaledTo(unit, amount, decimals)
  const isChanged = unit.startsWith('usd') !== (currency === 'usd')
  if (!isChanged) return scaledTo(unit, amount, numeraire.decimals)
  const changed =
    currency === 'usd'
      ? inQuote(amount, { numeraire })
      : new Exact(amount).times(numeraire.usd).toFixed()
  return scaledTo(unit, changed, numeraire.decimals)
}

/** Whether amounts in a unit are integers. */
export function isScaled(unit: string): boolean {
  return /(?:\d|-base)$/u.test(unit)
}

/** The same number in scientific notation, with all of its digits. */
export function withExponent(text: string): string {
  const number = new Exact(text)
  return number.eq(0) ? text : number.toExponential()
}

function scaledTo(unit: string, amount: string, ownDecimals: number): string {
  if (!isScaled(unit)) return amount
  const decimals = unit.endsWith('-base') ? ownDecimals : Number(/\d+$/u.exec(unit)?.[0])
  return new Exact(amount).times(new Exact(10).pow(decimals)).toFixed(0)
}
