import Big from 'big.js'
import { zeroAddress } from 'viem'
import type { Asset, AuctionPool, BaseToken, GraduationPool, MarketData } from './asset.ts'
import { hostileFigure, isHostile } from './invent.ts'
import type { Status, TimeForm, Token } from './token.ts'

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

type Scale = '' | '6' | '8' | '18'
type UsdUnit = `usd${Scale}`

/**
 * The unit of an amount of money. A number after the name says how many decimals the integer on the wire has:
 * "1500000" in usd6 is 1.5 dollars. `numeraire-base` has as many as the quote token.
 */
export type MoneyUnit = UsdUnit | `numeraire${Scale}` | 'numeraire-base'
/** The unit of an amount of tokens; `tokens-base` has as many decimals as the token. */
type TokenUnit = `tokens${Scale}` | 'tokens-base'
/** The forms of a share: 0.42 or 42. */
export type ShareUnit = 'ratio' | 'percent'

/** The unit of each numeric field of the wire. */
export interface WireUnits {
  pool_price: MoneyUnit
  pool_market_cap: MoneyUnit
  pool_liquidity: MoneyUnit
  pool_volume_usd_24h: UsdUnit
  pool_price_change_24h: ShareUnit
  pool_current_price: MoneyUnit
  pool_current_market_cap: MoneyUnit
  pool_current_fdv: MoneyUnit
  pool_current_liquidity: MoneyUnit
  pool_current_fees_accrued: MoneyUnit
  pool_current_total_proceeds: MoneyUnit
  pool_config_min_proceeds: MoneyUnit
  pool_config_max_proceeds: MoneyUnit
  pool_current_total_tokens_sold: TokenUnit
  pool_last_epoch_total_tokens_sold: TokenUnit
  pool_config_num_tokens_to_sell: TokenUnit
  pool_current_sale_progress_percentage: ShareUnit
}

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

/** The unit of each field where groups of them have the same. */
export function unitsOf(groups: UnitGroups): WireUnits {
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

// Own constructor: prices of a millionth of a millionth of a quote token keep their digits.
const Exact = Big()
Exact.DP = 60

/** As many decimals as most tokens have. */
export const defaultDecimals = 18

/** An amount of money as a decimal text, in dollars or in the token's quote token. */
interface Money {
  amount: string
  currency: 'usd' | 'numeraire'
}

/** Twelve digits hide the last bits of binary fractions, so that figures agree when multiplied. */
export function exact(value: number): string {
  return new Exact(Number(value.toPrecision(12))).toFixed()
}

/** Dollars as an amount of the token's quote token. */
export function inQuote(dollars: string, { numeraire }: Pick<Token, 'numeraire'>): string {
  return new Exact(dollars).div(numeraire.usd).prec(12).toFixed()
}

/** Money as it is written in a unit: as an integer where it is scaled, as a decimal else. */
export function writeMoney({ amount, currency }: Money, unit: MoneyUnit, token: Token): string {
  const { usd, decimals } = token.numeraire
  const inDollars = unit.startsWith('usd')
  if (inDollars === (currency === 'usd')) return write(amount, unit, decimals)
  const changed = inDollars ? new Exact(amount).times(usd).toFixed() : inQuote(amount, token)
  return write(changed, unit, decimals)
}

/** Whole tokens as they are written in a unit. */
export function writeTokens(amount: string, unit: TokenUnit, { decimals }: Token): string {
  return write(amount, unit, decimals ?? defaultDecimals)
}

/** A ratio as it is written in a unit. */
export function writeShare(ratio: string, unit: ShareUnit): string {
  return unit === 'percent' ? new Exact(ratio).times(100).toFixed() : ratio
}

/** Whether amounts in a unit are integers. */
export function isScaled(unit: string): boolean {
  return /(?:\d|-base)$/u.test(unit)
}

/** The same number in scientific notation, with all of its digits. */
export function withExponent(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(text) ?? []
  const digits = `${whole}${fraction}`
  const first = digits.search(/[1-9]/u)
  if (first === -1) return text
  const [lead, ...others] = digits.slice(first).replace(/0+$/u, '')
  const exponent = whole.length - 1 - first
  const mantissa = others.length === 0 ? lead : `${lead}.${others.join('')}`
  return `${sign}${mantissa}e${exponent < 0 ? '' : '+'}${exponent}`
}

function scaled(amount: string, decimals: number): string {
  return new Exact(amount).times(new Exact(10).pow(decimals)).toFixed(0)
}

function write(amount: string, unit: MoneyUnit | TokenUnit, ownDecimals: number): string {
  if (unit.endsWith('-base')) return scaled(amount, ownDecimals)
  const decimals = /\d+$/u.exec(unit)?.[0]
  return decimals === undefined ? amount : scaled(amount, Number(decimals))
}

/** A number of a body, digit by digit: JavaScript's own would lose some. */
class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const figureNames: ReadonlySet<string> = new Set(Object.keys(defaultDialect.units))
/** Other numeric fields, which have no unit. */
const otherNumbers: ReadonlySet<string> = new Set([
  'pool_current_sqrt_price',
  'pool_price_scale',
  'pool_volume_change_24h',
  'pool_config_starting_time',
  'pool_config_ending_time',
  'asset_creation_timestamp',
  'asset_migration_timestamp',
  'pool_migration_timestamp',
  // The fields of a vesting recipient.
  'amount',
  'percentage',
])
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/u

/** The JSON text of an asset whose units and times are those of the dialect; the rest follows it here. */
export function speak(asset: Asset, dialect: Dialect): string {
  return json(new Speaker(asset, dialect).say(reshaped(asset, dialect)))
}

/** Says the values of one asset. */
class Speaker {
  readonly #dialect: Dialect
  readonly #absent: Readonly<Record<string, 'missing' | 'null' | undefined>>
  readonly #address: string
  readonly #hostile: boolean

  constructor({ asset_address: address }: Asset, dialect: Dialect) {
    this.#dialect = dialect
    this.#absent = dialect.absent
    this.#address = address
    this.#hostile = dialect.figures === 'hostile' && isHostile(address)
  }

  say(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.say(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !this.#isMissing(name))
        .map(([name, each]) => [name, this.#absent[name] === 'null' ? null : this.#of(name, each)]),
    )
  }

  #isMissing(name: string): boolean {
    return (
      this.#absent[name] === 'missing' || (name === 'token_name' && this.#dialect.nameOnlyInUriData)
    )
  }

  #of(name: string, value: unknown): unknown {
    if (figureNames.has(name)) {
      return this.#hostile ? hostileFigure(this.#address, name) : this.#figure(value)
    }
    return otherNumbers.has(name) ? this.#number(value) : this.say(value)
  }

  #figure(value: unknown): unknown {
    const { bareFractions, exponents } = this.#dialect
    if (!bareFractions && !exponents) return this.#number(value)
    if (typeof value !== 'number' && typeof value !== 'string') return value
    const text = Big(value).toFixed()
    if (bareFractions) return text.replace(/^(-?)0\./u, '$1.')
    return this.#number(withExponent(text))
  }

  #number(value: unknown): unknown {
    const bare = this.#dialect.numbers === 'json' && typeof value === 'string'
    return bare && jsonNumber.test(value) ? new Digits(value) : value
  }
}

function reshaped(asset: Asset, dialect: Dialect): unknown {
  const { asset_status: status, asset_current_pool: current, ...rest } = asset
  const words: Readonly<Record<string, string>> = dialect.status ?? {}
  const pool = current === 'graduation' ? asset.graduation_pool : asset.auction_pool
  const hasGraduated = asset.asset_migration_timestamp !== null
  const { placeholder } = dialect
  return {
    ...rest,
    asset_current_pool: dialect.currentPool === 'address' ? pool?.pool_address : current,
    ...(placeholder !== undefined &&
      !hasGraduated && { graduation_pool: placeholderPool(placeholder, asset) }),
    ...(status !== undefined && { asset_status: words[status] }),
  }
}

function json(value: unknown): string {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return `[${value.map((each) => json(each)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${json(each)}`).join(',')}}`
}

/** Where a pool that does not graduate points; it stands for "no pool". */
const deadAddress = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'

/** The kinds of graduation pools of assets that have not graduated. */
const placeholders = {
  absent: () => undefined,
  null: () => null,
  empty: () => ({}),
  zero: (asset: Asset) => poolAt(zeroAddress, asset),
  dead: (asset: Asset) => poolAt(deadAddress, asset),
  none: (asset: Asset) => poolAt('none', asset),
  '0x': (asset: Asset) => poolAt('0x', asset),
  blank: (asset: Asset) => poolAt('', asset),
  'null-address': (asset: Asset) => poolAt(null, asset),
  'null-address-zeros': (asset: Asset) => zerosAt(null, asset),
  'zero-zeros': (asset: Asset) => zerosAt(zeroAddress, asset),
  // With the figures of the auction itself.
  'dead-copy': ({ auction_pool: auction }: Asset) => ({ ...auction, pool_address: deadAddress }),
}

/** The name of a way in which a pool that is none may look. */
type Placeholder = keyof typeof placeholders

/** Makes the graduation pool of an asset that has not graduated. */
function placeholderPool(placeholder: Placeholder, asset: Asset): unknown {
  return placeholders[placeholder](asset)
}

/** A graduation pool of which nothing is known. */
export function deadPool(base: BaseToken) {
  return {
    pool_current_price: null,
    pool_current_sqrt_price: null,
    pool_current_fdv: null,
    pool_current_liquidity: null,
    pool_current_tick: null,
    pool_current_market_cap: null,
    pool_address: deadAddress,
    pool_migration_timestamp: null,
    pool_type: null,
    pool_market_data: null,
    base_token: base,
  }
}

function poolAt(address: string | null, { auction_pool: auction }: Asset) {
  const base = auction && { base_token: auction.base_token }
  return { pool_address: address, pool_migration_timestamp: null, pool_market_data: null, ...base }
}

function zerosAt(address: string | null, asset: Asset) {
  return {
    ...poolAt(address, asset),
    pool_current_price: '0',
    pool_current_sqrt_price: '0',
    pool_current_fdv: '0',
    pool_current_liquidity: '0',
    pool_current_tick: 0,
    pool_current_market_cap: '0',
    pool_market_data: {
      pool_liquidity: '0',
      pool_market_cap: '0',
      pool_price: '0',
      pool_price_scale: '0',
      pool_price_change_24h: '0',
      pool_volume_change_24h: '0',
      pool_volume_usd_24h: '0',
    },
  }
}
