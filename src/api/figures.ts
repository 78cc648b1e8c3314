import type Big from 'big.js'
import { LRUCache } from 'lru-cache'
import { quoteKind } from '../chain/chains.ts'
import { type Amount, type ConsistentFigures, consistentFigures, isRate } from './consistency.ts'
import {
  type Asset,
  type AssetStatus,
  type AuctionPool,
  type BaseToken,
  differ,
  type GraduationPool,
  isPlaceholder,
  isStatus,
  type StatusWords,
} from './schema.ts'
import {
  Decimal,
  type Decimals,
  decimal,
  decimalsOf,
  isInDollars,
  isInteger,
  type Money,
  type MoneyField,
  type MoneyUnit,
  type ShareUnit,
  type TokenUnit,
  type UnitField,
  type Units,
  unitFields,
  unknownUnit,
} from './units.ts'

/** The numbers and times on the card of an asset. */
export interface Figures extends ConsistentFigures {
  /** The pool that trades now, to which price, market cap, liquidity and volume belong. */
  pool: 'auction' | 'graduation'
  /** Unix seconds, like all times here. */
  startsAt?: number | undefined
  endsAt?: number | undefined
  createdAt?: number | undefined
  /** Absent if there is no graduation pool. */
  migratedAt?: number | undefined
}

/**
 * Returns the numbers and times of an asset card, read in the given units.
 * @example figures(asset, defaultUnits).marketCap // { amount: '41250.5', currency: 'usd' }
 */
export function figures(asset: Asset, units: Units): Figures {
  return readFigures(asset, units).figures
}

/** The figures of an asset, and the fields that are left out of them. */
interface ReadFigures {
  figures: Figures
  /** Fields that contradict others by more than markets move: their unit in API_UNITS is probably wrong. */
  broken: readonly UnitField[]
}

/**
 * As `figures`, with the fields that break an identity by the scale of a unit: market cap = price × supply, the amount
 * for sale is part of the supply, raised ≈ sold × price, and no price falls by more than 100%.
 */
export function readFigures(asset: Asset, units: Units): ReadFigures {
  const auction = asset.auction_pool
  const graduated = graduationPool(asset)
  const pool = currentPool(asset)
  const current = tradingPool(asset)
  const market = current?.pool_market_data
  const decimals = decimalsIn(asset)
  const inUnit = (field: MoneyField, value: string | undefined): Amount[] => {
    const read = money(value, units[field], decimals)
    return read ? [{ ...read, field }] : []
  }
  const sale = saleOf(auction, units, decimals)
  const { broken, ...consistent } = consistentFigures({
    prices: [
      ...inUnit('pool_price', market?.pool_price),
      ...inUnit('pool_current_price', current?.pool_current_price),
    ],
    caps: [
      ...inUnit('pool_market_cap', market?.pool_market_cap),
      ...inUnit('pool_current_market_cap', current?.pool_current_market_cap),
    ],
    liquidities: [
      ...inUnit('pool_liquidity', market?.pool_liquidity),
      ...inUnit('pool_current_liquidity', current?.pool_current_liquidity),
    ],
    volumes: inUnit('pool_volume_usd_24h', market?.pool_volume_usd_24h),
    change: share(market?.pool_price_change_24h, units.pool_price_change_24h),
    isAuction: pool === 'auction',
    quote: quoteKind(asset.asset_numeraire_address),
    ...sale,
    raised: inUnit('pool_current_total_proceeds', auction?.pool_current_total_proceeds),
    min: inUnit('pool_config_min_proceeds', auction?.pool_config_min_proceeds),
    max: inUnit('pool_config_max_proceeds', belowUnlimited(auction?.pool_config_max_proceeds)),
  })
  return {
    broken: [...broken, ...fractions(asset, units, decimals)],
    figures: {
      pool,
      ...consistent,
      startsAt: unixTime(auction?.pool_config_starting_time),
      endsAt: unixTime(auction?.pool_config_ending_time),
      createdAt: unixTime(asset.asset_creation_timestamp),
      migratedAt: graduated && migrationTime(asset, graduated),
    },
  }
}

/**
 * Derives the dollars per quote token, as a decimal text, from an asset with a price in both; undefined if it has not,
 * or if the rate is implausible for the quote token.
 */
export function dollarsPerQuote(asset: Asset, units: Units): string | undefined {
  const current = tradingPool(asset)
  const decimals = decimalsIn(asset)
  const prices = [
    money(current?.pool_market_data?.pool_price, units.pool_price, decimals),
    money(current?.pool_current_price, units.pool_current_price, decimals),
  ].filter((each) => each !== undefined)
  const inDollars = prices.find(({ currency }) => currency === 'usd')
  const inQuote = prices.find(({ currency }) => currency === 'numeraire')
  if (!inDollars || !inQuote || new Decimal(inQuote.amount).lte(0)) return undefined
  const rate = new Decimal(inDollars.amount).div(inQuote.amount).toPrecision(6)
  return isRate(Number(rate), quoteKind(asset.asset_numeraire_address)) ? rate : undefined
}

/**
 * Returns the pool that the asset graduated to. Undefined also if the API names a placeholder address, as it does
 * for assets that have not graduated, or if its status says that the auction is not over.
 */
export function graduationPool(asset: Asset): GraduationPool | undefined {
  const pool = asset.graduation_pool
  const address = pool?.pool_address
  if (
    pool === undefined ||
    isStillInAuction(asset) ||
    (address !== undefined && isNotPool(address, asset))
  )
    return undefined
  // The API may predict the address long before the pool exists.
  const exists = hasPrice(pool) || (address !== undefined && isReportedAsMigrated(asset, pool))
  return exists ? pool : undefined
}

/**
 * Whether the status says that the auction is not over, and there is no migration time: a status may be older than the
 * migration. Future times were removed by `withStatus`.
 */
function isStillInAuction(asset: Asset): boolean {
  return ['incoming', 'live'].includes(statusOf(asset) ?? '') && migrations(asset).length === 0
}

/** Lists the asset's migration times from all fields that have one. */
function migrations(asset: Asset): number[] {
  return [
    asset.graduation_pool?.pool_migration_timestamp,
    asset.asset_migration_timestamp,
    asset.auction_pool?.pool_migration_timestamp,
  ]
    .map(unixTime)
    .filter((time) => time !== undefined)
}

/** Whether the address can't be the graduation pool: a placeholder, or another address of the asset. */
function isNotPool(address: string, asset: Asset): boolean {
  const { asset_address: token, asset_numeraire_address: quote, auction_pool: auction } = asset
  const others = [token, quote, auction?.pool_address, auction?.pool_id]
  return (
    isPlaceholder(address) || others.some((each) => each !== undefined && !differ(each, address))
  )
}

function hasPrice({
  pool_market_data: market,
  pool_current_price: price,
}: GraduationPool): boolean {
  return [market?.pool_price, market?.pool_market_cap, price].some((text) => decimal(text)?.gt(0))
}

function isReportedAsMigrated(asset: Asset, pool: GraduationPool): boolean {
  return (
    asset.asset_status?.toLowerCase() === 'graduated' ||
    asset.asset_current_pool?.toLowerCase() === 'graduation' ||
    [asset.asset_migration_timestamp, pool.pool_migration_timestamp].some(
      (time) => unixTime(time) !== undefined,
    )
  )
}

/** Returns the pool that trades now. */
function tradingPool(asset: Asset): AuctionPool | GraduationPool | undefined {
  return currentPool(asset) === 'graduation' ? graduationPool(asset) : asset.auction_pool
}

/** Returns which pool trades now: as the API says, if that is possible. */
export function currentPool(asset: Asset): 'auction' | 'graduation' {
  if (!graduationPool(asset)) return 'auction'
  const stated = asset.asset_current_pool
  const { pool_address: address, pool_id: id } = asset.auction_pool ?? {}
  const isAuction =
    stated?.toLowerCase() === 'auction' ||
    (stated !== undefined && [address, id].some((each) => each && !differ(each, stated)))
  return isAuction ? 'auction' : 'graduation'
}

/**
 * Returns the status of an asset: the API's word if it is a known one, else the status derived from times, sale
 * and pools, else the API's word in lower case.
 */
export function statusOf({
  asset_status: reported,
  derived_status: derived,
}: Asset): string | undefined {
  const word = reported?.toLowerCase()
  return isStatus(word) ? word : (derived ?? word)
}

/**
 * Merges what both pools say of the token; the auction pool has priority, and the token's metadata fill in a missing
 * name and description.
 */
export function baseToken(asset: Asset): BaseToken | undefined {
  const [first, second] = baseTokens(asset)
  if (!first) return undefined
  const present = Object.entries(first).filter(([, value]) => value !== undefined)
  const token: BaseToken = { ...second, ...Object.fromEntries(present) }
  const { name, description } = token.token_uri_data ?? {}
  return {
    ...token,
    token_name: token.token_name ?? name,
    token_description: token.token_description ?? description,
  }
}

/** Lists what each pool says of the token; the auction pool, which has priority, first. */
export function baseTokens(asset: Asset): BaseToken[] {
  return [asset.auction_pool?.base_token, asset.graduation_pool?.base_token].filter(
    (token) => token !== undefined,
  )
}

/**
 * Parses a time on the wire to unix seconds: ISO 8601 (UTC if it has no zone), unix seconds or milliseconds; undefined
 * if it is none of these or outside the years 2001 to 2100.
 */
export function unixTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+(?:\.\d+)?$/u.test(text) ? unixNumber(Number(text)) : isoTime(text)
  return seconds >= 1e9 && seconds < 4_102_444_800 ? Math.floor(seconds) : undefined
}

/** Returns the fields that figures are read from: of the auction's sale, and of the pool that trades now. */
export function fieldsOf(asset: Asset): Readonly<Record<string, unknown>> {
  const current = tradingPool(asset)
  return {
    ...asset.auction_pool,
    pool_current_price: current?.pool_current_price,
    pool_current_market_cap: current?.pool_current_market_cap,
    pool_current_liquidity: current?.pool_current_liquidity,
    ...current?.pool_market_data,
  }
}

/** Lists the fields that should be integers in base units but have a fraction: they are not read. */
function fractions(asset: Asset, units: Units, decimals: Decimals): UnitField[] {
  const texts = fieldsOf(asset)
  return unitFields.filter((field) => {
    const [unit, text] = [units[field], texts[field]]
    if (unit === 'ratio' || unit === 'percent' || typeof text !== 'string') return false
    const value = decimal(text)
    return value !== undefined && (decimalsOf(unit, decimals) ?? 0) > 0 && !isInteger(value)
  })
}

/** A maximum from this value on means that there is none. */
const unlimited = '1e37'

function belowUnlimited(maximum: string | undefined): string | undefined {
  return decimal(maximum)?.gte(unlimited) ? undefined : maximum
}

/** The amounts of an asset's sale, read in their units. */
function saleOf(pool: AuctionPool | undefined, units: Units, decimals: Decimals) {
  return {
    sold: scaled(
      pool?.pool_current_total_tokens_sold,
      units.pool_current_total_tokens_sold,
      decimals,
    ),
    toSell: scaled(
      pool?.pool_config_num_tokens_to_sell,
      units.pool_config_num_tokens_to_sell,
      decimals,
    ),
    stated: share(
      pool?.pool_current_sale_progress_percentage,
      units.pool_current_sale_progress_percentage,
    ),
  }
}

/** Returns the decimals of an asset's tokens: from the asset, else those looked up when it was read. */
export function decimalsIn({ decimals, ...asset }: Asset): Decimals {
  const token = baseTokens(asset).find((each) => each.token_decimals !== undefined)
  return { quote: decimals?.quote, token: token?.token_decimals ?? decimals?.token }
}

function money(text: string | undefined, unit: MoneyUnit, decimals: Decimals): Money | undefined {
  const amount = scaled(text, unit, decimals)?.toFixed()
  return amount === undefined
    ? undefined
    : { amount, currency: isInDollars(unit) ? 'usd' : 'numeraire' }
}

function scaled(
  text: string | undefined,
  unit: MoneyUnit | TokenUnit,
  decimals: Decimals,
): Big | undefined {
  const value = decimal(text)
  const places = decimalsOf(unit, decimals)
  if (!value || value.lt(0) || places === undefined || places < 0 || places > 77) return undefined
  // A fraction can't be in base units, so the unit is wrong.
  if (places > 0 && !isInteger(value)) return undefined
  return value.times(`1e-${places}`)
}

function share(text: string | undefined, unit: ShareUnit): Big | undefined {
  if (unit === unknownUnit) return undefined
  const value = decimal(text)
  return unit === 'percent' ? value?.times('0.01') : value
}

function migrationTime(asset: Asset, pool: GraduationPool): number | undefined {
  return unixTime(pool.pool_migration_timestamp) ?? unixTime(asset.asset_migration_timestamp)
}

function unixNumber(value: number): number {
  return value >= 1e11 ? value / 1000 : value
}

function isoTime(text: string): number {
  if (!/^\d{4}-\d\d-\d\d(?:[T ][\d:.,]+)?(?:Z|[+-]\d\d:?\d\d)?$/iu.test(text)) return Number.NaN
  const hasZone = /(?:Z|T.*[+-]\d\d:?\d\d)$/iu.test(text.replace(' ', 'T'))
  return Date.parse(`${text.replace(' ', 'T')}${hasZone || text.length === 10 ? '' : 'Z'}`) / 1000
}

/** A derived status; `ended`: the sale is over, and the asset has not graduated. */
type Derived = Exclude<AssetStatus, 'stall'> | 'ended'

/** Settings and time for reading an asset. */
interface Reading {
  statusWords: StatusWords
  units: Units
  /** Unix seconds. */
  now: number
}

/**
 * Returns the asset with its status in the document's words. If the API's word is unknown, a status is derived
 * from times, sale and pools. Future migration times are removed: a planned migration says nothing about now.
 */
export function withStatus(read: Asset, { statusWords, units, now }: Reading): Asset {
  const reported = read.asset_status
  const word = (reported && statusWords.get(reported.toLowerCase())) ?? reported
  const asset = withoutFutureMigrations({ ...read, asset_status: word }, now)
  if (isStatus(word)) return asset
  const derived = derivedStatus(asset, units, now)
  return derived === undefined ? asset : { ...asset, derived_status: derived }
}

/** Returns the unix second from which `withStatus` may give another asset: the next of its times. */
export function statusChangesAt(asset: Asset, now: number): number {
  const { pool_config_starting_time: start, pool_config_ending_time: end } =
    asset.auction_pool ?? {}
  const times = [unixTime(start), unixTime(end)].filter((time) => time !== undefined)
  return Math.min(...[...migrations(asset), ...times].filter((time) => time > now))
}

function derivedStatus(asset: Asset, units: Units, now: number): Derived | undefined {
  const migrated = unixTime(asset.asset_migration_timestamp)
  if (graduationPool(asset) || migrated !== undefined) return 'graduated'
  const { startsAt, endsAt, progress } = readFigures(asset, units).figures
  if (startsAt !== undefined && startsAt > now) return 'incoming'
  if (progress === '1' || (endsAt !== undefined && endsAt <= now)) return 'ended'
  return startsAt !== undefined || endsAt !== undefined || progress !== undefined
    ? 'live'
    : undefined
}

/** Removes future migration times, unless the asset is said to have graduated. */
function withoutFutureMigrations(asset: Asset, now: number): Asset {
  const { asset_status: status, auction_pool: auction, graduation_pool: graduation } = asset
  if (status === 'graduated') return asset
  const pastOnly = (time: string | undefined) => ((unixTime(time) ?? now) > now ? undefined : time)
  const inPool = <Pool extends { pool_migration_timestamp?: string | undefined }>(pool: Pool) => ({
    ...pool,
    pool_migration_timestamp: pastOnly(pool.pool_migration_timestamp),
  })
  return {
    ...asset,
    asset_migration_timestamp: pastOnly(asset.asset_migration_timestamp),
    ...(auction && { auction_pool: inPool(auction) }),
    ...(graduation && { graduation_pool: inPool(graduation) }),
  }
}

/** Options of `FigureWatch`. */
interface FigureWatchOptions {
  units: Units
  /** Called for each field of an asset that is not shown because it contradicts others. */
  onHidden?: ((field: UnitField) => void) | undefined
}

/** Max assets in the sample: those read last. */
const maxAssets = 200
/**
 * A single contradictory token says nothing about the settings: this part of the sample, and this number, must be odd.
 */
const minOddPart = 0.1
const minOdd = 2

/** Detects assets whose figures contradict each other. If there are many, a unit in API_UNITS is probably wrong. */
export class FigureWatch {
  readonly #options: FigureWatchOptions
  /** Whether each asset in the sample has contradictory figures. */
  readonly #oddAssets = new LRUCache<string, boolean>({ max: maxAssets })
  /** The contradictory fields by asset: most are the same object as in the last answer. */
  readonly #broken = new WeakMap<Asset, readonly UnitField[]>()

  constructor(options: FigureWatchOptions) {
    this.#options = options
  }

  /** Adds the assets of one answer to the sample. */
  check(assets: readonly Asset[]): void {
    const { units, onHidden } = this.#options
    for (const asset of assets) {
      const broken = this.#broken.get(asset) ?? readFigures(asset, units).broken
      this.#broken.set(asset, broken)
      for (const field of broken) onHidden?.(field)
      this.#oddAssets.set(asset.asset_address.toLowerCase(), broken.length > 0)
    }
  }

  /** Returns the state for /healthz. */
  state(): 'ok' | 'run the doctor' {
    const samples = [...this.#oddAssets.values()]
    const odd = samples.filter((isOdd) => isOdd).length
    return odd >= minOdd && odd >= samples.length * minOddPart ? 'run the doctor' : 'ok'
  }
}
