import { Exact, inQuote, type Status, type Token } from './token.ts'

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

/** How the API writes what it tells; the default is what is known of LONG's, the others are what settings are tested with. */
export interface Dialect {
  /** The unit of each numeric field. */
  units: WireUnits
  /** The names of query parameters that differ from the usual ones; unknown parameters are ignored. */
  queryNames: Partial<QueryNames>
  /** The word in `asset_status` for each status. The filter keeps the document's words. */
  status: Readonly<Record<Status, string>>
  /** Fields that are never sent. */
  absent: readonly string[]
  /** `hostile`: each figure of the assets that `isHostile` names is no number, or an impossible one. */
  figures: 'well' | 'hostile'
}

type UsdUnit = 'usd' | 'usd6' | 'usd18'
/**
 * The unit of an amount of money. A number after the name says how many decimals the integer on the wire has:
 * "1500000" in usd6 is 1.5 dollars. `numeraire-base` has as many as the quote token.
 */
type MoneyUnit = UsdUnit | 'numeraire' | 'numeraire18' | 'numeraire-base'
type TokenUnit = 'tokens' | 'tokens18'
/** The forms of a share: 0.42 or 42. */
type ShareUnit = 'ratio' | 'percent'

/** The units of fields that mostly go together, by what they are. */
interface UnitGroups {
  /** Price, market cap and liquidity of the market data. */
  market: MoneyUnit
  /** Dollars traded, in the market data. */
  volume: UsdUnit
  /** Price, market cap and diluted value of the pool itself. */
  pool: MoneyUnit
  /** Of the pool itself; `raw` is Uniswap's liquidity, no amount of money. */
  liquidity: MoneyUnit | 'raw'
  /** The unit of fees, raised, minimum and maximum. */
  raised: MoneyUnit
  tokens: TokenUnit
  change: ShareUnit
  progress: ShareUnit
}

/** The unit of each numeric field of the wire. */
export type WireUnits = ReturnType<typeof unitsOf>

/** The unit of each field where groups of them have the same. */
function unitsOf(groups: UnitGroups) {
  const { market, volume, pool, liquidity, raised, tokens, change, progress } = groups
  return {
    pool_price: market,
    pool_market_cap: market,
    pool_liquidity: market,
    pool_volume_usd_24h: volume,
    pool_price_change_24h: change,
    pool_current_price: pool,
    pool_current_market_cap: pool,
    pool_current_fdv: pool,
    pool_current_liquidity: liquidity,
    pool_current_fees_accrued: raised,
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
  { numeraire }: Token,
  currency: 'usd' | 'numeraire' = 'usd',
): string {
  if (unit === 'ratio') return amount
  if (unit === 'percent') return new Exact(amount).times(100).toFixed()
  if (unit.startsWith('tokens')) return scaledTo(unit, amount)
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

function scaledTo(unit: string, amount: string, quoteDecimals = 0): string {
  if (!isScaled(unit)) return amount
  const decimals = unit.endsWith('-base') ? quoteDecimals : Number(/\d+$/u.exec(unit)?.[0])
  return new Exact(amount).times(new Exact(10).pow(decimals)).toFixed(0)
}

/** What is known of the real API: docs/api.md. */
export const defaultDialect: Dialect = {
  units: unitsOf({
    market: 'usd',
    volume: 'usd',
    pool: 'numeraire18',
    liquidity: 'raw',
    raised: 'numeraire-base',
    tokens: 'tokens18',
    change: 'ratio',
    progress: 'percent',
  }),
  queryNames: {},
  status: { incoming: 'incoming', live: 'live', graduated: 'graduated', stall: 'stall' },
  absent: [],
  figures: 'well',
}

/** The dialects of this stand-in, by name. */
export const dialects = {
  usual: defaultDialect,
  units: {
    ...defaultDialect,
    units: unitsOf({
      market: 'usd18',
      volume: 'usd6',
      pool: 'usd18',
      liquidity: 'usd18',
      raised: 'numeraire',
      tokens: 'tokens',
      change: 'percent',
      progress: 'ratio',
    }),
  },
  names: {
    ...defaultDialect,
    queryNames: {
      chain: 'chain_id',
      status: 'assetStatus',
      limit: 'per_page',
      offset: 'skip',
      ordering: 'order_by',
      numeraire: 'quote_token',
      category: 'categories',
      creator: 'user_address',
      term: 'search_term',
    },
  },
  statuses: {
    ...defaultDialect,
    status: { incoming: 'UPCOMING', live: 'ACTIVE', graduated: 'TRADING', stall: 'STALLED' },
  },
  sparse: {
    ...defaultDialect,
    absent: [
      'asset_status',
      'asset_current_pool',
      'asset_migration_timestamp',
      'pool_market_data',
      'pool_current_price',
      'pool_current_fdv',
      'pool_current_sale_progress_percentage',
      'pool_config_min_proceeds',
      'token_decimals',
      'token_description',
      'token_uri_data',
      'token_image_public_url',
    ],
  },
  hostile: { ...defaultDialect, figures: 'hostile' },
} as const satisfies Record<string, Dialect>

/** The name of a dialect. */
export type DialectName = keyof typeof dialects
