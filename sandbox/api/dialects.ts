import {
  type Dialect,
  defaultDialect,
  type UnitGroups,
  unitsOf,
  type WireUnits,
} from './dialect.ts'

/** All numbers as decimals, in dollars, whole tokens and quote tokens: the plainest reading of the document. */
const plain: UnitGroups = {
  market: 'usd',
  volume: 'usd',
  pool: 'usd',
  raised: 'numeraire',
  tokens: 'tokens',
  change: 'ratio',
  progress: 'percent',
}

/** All numbers as integers in base units; dollars have 18 decimals. */
const base: UnitGroups = {
  market: 'usd18',
  volume: 'usd18',
  pool: 'usd18',
  raised: 'numeraire-base',
  tokens: 'tokens-base',
  change: 'ratio',
  progress: 'percent',
}

const strict = {
  required: ['chain', 'status', 'limit', 'offset'],
  limitNeedsOffset: true,
  refusesUnknown: true,
} as const satisfies Partial<Dialect>

const otherNames = {
  chain: 'network',
  status: 'state',
  limit: 'pageSize',
  offset: 'start',
  ordering: 'sortBy',
  numeraire: 'quoteToken',
  category: 'asset_category',
  creator: 'creatorAddress',
  term: 'q',
} as const

const sparseFields: readonly string[] = [
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
]

/** The usual dialect but for what is given. */
function dialect(differences: Partial<Dialect>): Dialect {
  return { ...defaultDialect, ...differences }
}

function absent(fields: readonly string[], how: 'missing' | 'null'): Dialect['absent'] {
  return Object.fromEntries(fields.map((field) => [field, how]))
}

function units(groups: UnitGroups, others: Partial<WireUnits> = {}): Pick<Dialect, 'units'> {
  return { units: { ...unitsOf(groups), ...others } }
}

/** The dialects of this stand-in, by name. */
export const dialects = {
  usual: defaultDialect,

  // Units.
  literal: dialect(units(plain)),
  usd18: dialect(units(base)),
  weth: dialect(units({ ...plain, pool: 'numeraire' })),
  'weth-base': dialect(units({ ...base, market: 'usd', volume: 'usd', pool: 'numeraire-base' })),
  'quote-18': dialect(
    units({ ...base, pool: 'numeraire18', raised: 'numeraire18', tokens: 'tokens18' }),
  ),
  'market-in-quote': dialect(units({ ...plain, market: 'numeraire', pool: 'usd' })),
  // The prices alone have more decimals: with six they would be nothing.
  usd6: dialect(
    units(
      { ...base, market: 'usd6', volume: 'usd6', pool: 'usd6', raised: 'usd6' },
      { pool_price: 'usd', pool_current_price: 'usd18' },
    ),
  ),
  // Coarse: the price of what costs less than a hundredth of a millionth is 0.
  usd8: dialect(units({ ...base, market: 'usd8', volume: 'usd8', pool: 'usd8', raised: 'usd8' })),
  'quote-8': dialect(units({ ...plain, raised: 'numeraire8', tokens: 'tokens8' })),
  'tokens-6': dialect(units({ ...plain, raised: 'numeraire6', tokens: 'tokens6' })),
  percents: dialect(units({ ...plain, change: 'percent', progress: 'ratio' })),
  'all-percent': dialect(units({ ...base, change: 'percent' })),
  'all-ratio': dialect(units({ ...base, progress: 'ratio' })),
  mixed: dialect(
    units(plain, {
      pool_market_cap: 'usd6',
      pool_current_price: 'numeraire18',
      pool_current_liquidity: 'usd8',
      pool_config_max_proceeds: 'numeraire-base',
      pool_config_num_tokens_to_sell: 'tokens18',
    }),
  ),
  decimals: dialect({ ...units(base), tokenDecimals: [18, 6, 9] }),
  'decimals-unsaid': dialect({
    ...units(base),
    tokenDecimals: [18, 6, 9],
    absent: { token_decimals: 'missing' },
  }),
  'decimals-unused': dialect({ ...units(plain), tokenDecimals: [18, 6, 9] }),

  // Names, and what is asked for.
  names: dialect({
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
  }),
  // Nobody could guess these.
  'own-names': dialect({
    queryNames: {
      chain: 'on',
      status: 'phase',
      limit: 'atMost',
      offset: 'beyond',
      ordering: 'by',
      numeraire: 'pairedWith',
      category: 'tag',
      creator: 'mintedBy',
      term: 'needle',
    },
  }),
  // The same where a list is refused without them: what a refusal spells out is all that leads to them.
  'required-own-names': dialect({
    ...strict,
    refusesUnknown: false,
    queryNames: {
      chain: 'cid',
      status: 'mode',
      limit: 'atMost',
      offset: 'beyond',
      term: 'needle',
    },
  }),
  strict: dialect(strict),
  'strict-mute': dialect({ ...strict, errors: 'mute' }),
  'strict-names': dialect({ ...strict, refusesUnknown: false, queryNames: otherNames }),
  'strict-names-mute': dialect({
    ...strict,
    refusesUnknown: false,
    errors: 'mute',
    queryNames: otherNames,
  }),
  'strict-unknown-names': dialect({ ...strict, queryNames: otherNames }),
  'requires-chain': dialect({ required: ['chain'], errors: 'mute' }),
  'requires-status': dialect({ required: ['status'], errors: 'mute' }),
  'pairs-limit': dialect({ limitNeedsOffset: true, errors: 'mute' }),
  'known-names': dialect({ refusesUnknown: true, errors: 'mute' }),
  'repeated-page': dialect({ lastPageRepeats: true }),

  // The look of numbers.
  'json-numbers': dialect({ ...units(base), numbers: 'json' }),
  'json-decimals': dialect({ ...units(plain), numbers: 'json' }),
  'bare-fractions': dialect({ ...units({ ...plain, progress: 'ratio' }), bareFractions: true }),
  exponents: dialect({ ...units(base), exponents: true }),
  'json-exponents': dialect({ ...units(base), numbers: 'json', exponents: true }),
  seconds: dialect({ times: 'seconds', stamps: 'seconds' }),
  milliseconds: dialect({ times: 'milliseconds', stamps: 'milliseconds', numbers: 'json' }),
  iso: dialect({ times: 'iso' }),

  // Missing and odd parts.
  sparse: dialect({ absent: absent(sparseFields, 'missing') }),
  nulls: dialect({ absent: absent(sparseFields, 'null') }),
  'no-pool-figures': dialect({
    absent: absent(
      ['pool_current_price', 'pool_current_market_cap', 'pool_current_liquidity'],
      'missing',
    ),
  }),
  'no-sale-figures': dialect({
    absent: absent(['pool_current_total_tokens_sold', 'pool_config_num_tokens_to_sell'], 'missing'),
  }),
  hostile: dialect({ figures: 'hostile' }),
  // The name stands in `token_uri_data` alone.
  'uri-names': dialect({ absent: { token_name: 'missing' } }),
  statuses: dialect({
    status: {
      incoming: 'scheduled',
      live: 'auction_live',
      graduated: 'migrated',
      stall: 'failed',
    },
  }),
  'loud-statuses': dialect({
    status: { incoming: 'UPCOMING', live: 'ACTIVE', graduated: 'TRADING', stall: 'STALLED' },
  }),
  // One word for what is over, whatever came of it.
  'few-statuses': dialect({
    status: { incoming: 'open', live: 'open', graduated: 'closed', stall: 'closed' },
  }),
  // The document's own words, each for something else.
  'turned-statuses': dialect({
    status: { incoming: 'graduated', live: 'incoming', graduated: 'live', stall: 'stall' },
  }),
  'no-status': dialect({ status: null }),
  'pool-addresses': dialect({ currentPool: 'address' }),
  'pool-absent': dialect({ placeholder: 'absent' }),
  'pool-null': dialect({ placeholder: 'null' }),
  'pool-empty': dialect({ placeholder: 'empty' }),
  'pool-zero': dialect({ placeholder: 'zero' }),
  'pool-dead': dialect({ placeholder: 'dead' }),
  'pool-none': dialect({ placeholder: 'none' }),
  'pool-0x': dialect({ placeholder: '0x' }),
  'pool-blank': dialect({ placeholder: 'blank' }),
  'pool-null-address': dialect({ placeholder: 'null-address' }),
  'pool-null-zeros': dialect({ placeholder: 'null-address-zeros' }),
  'pool-zero-zeros': dialect({ placeholder: 'zero-zeros' }),
  'pool-dead-copy': dialect({ placeholder: 'dead-copy' }),
  // Much of the above at once.
  everything: dialect({
    ...strict,
    ...units({ ...base, pool: 'numeraire-base', change: 'percent', progress: 'ratio' }),
    errors: 'mute',
    refusesUnknown: false,
    queryNames: otherNames,
    status: null,
    numbers: 'json',
    times: 'milliseconds',
    placeholder: 'zero-zeros',
    absent: { token_name: 'missing' },
    lastPageRepeats: true,
    tokenDecimals: [18, 6, 9],
  }),
} as const satisfies Record<string, Dialect>

/** The name of a dialect. */
export type DialectName = keyof typeof dialects
