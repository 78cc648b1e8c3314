import type Big from 'big.js'
import { type QuoteKind, quoteKind } from '../chain/chains.ts'
import {
  baseTokens,
  currentPool,
  fieldsOf,
  graduationPool,
  migrationTime,
  saleTimes,
  tradingPool,
  unixTime,
} from './asset.ts'
import { poolPrice } from './pool-price.ts'
import type { Asset, AuctionPool, GraduationPool } from './schema.ts'
import {
  Decimal,
  type Decimals,
  decimal,
  decimalsOf,
  isInDollars,
  isInteger,
  isWithin,
  type Money,
  type MoneyField,
  type MoneyUnit,
  type NumberRange,
  overlap,
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
 * @example figuresOf(asset, defaultUnits).marketCap // { amount: '41250.5', currency: 'usd' }
 */
export function figuresOf(asset: Asset, units: Units): Figures {
  return readFigures(asset, units).figures
}

/** The figures of an asset, and the fields that are left out of them. */
interface ReadFigures {
  figures: Figures
  /** Fields that contradict others by more than markets move: their unit in API_UNITS is probably wrong. */
  broken: readonly UnitField[]
}

/**
 * As `figuresOf`, with the fields that break an identity by the scale of a unit: market cap = price × supply, the amount
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
    return read ? [{ ...read, number: Number(read.amount), field }] : []
  }
  const sale = saleOf(auction, units, decimals)
  const onChain = current && poolPrice(current, asset, decimals)
  const { broken, ...consistent } = consistentFigures({
    prices: [
      ...inUnit('pool_price', market?.pool_price),
      ...(onChain === undefined ? inUnit('pool_current_price', current?.pool_current_price) : []),
    ],
    onChain: onChain === undefined ? undefined : inQuoteToken(onChain),
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
    rates: ratesOf(asset),
    dollarsPerQuote: asset.quote_dollars,
    isLearned: quoteKind(asset.asset_numeraire_address) !== 'dollar',
    supply: supplyOf(current, units),
    ...sale,
    raised: inUnit('pool_current_total_proceeds', auction?.pool_current_total_proceeds),
    min: inUnit('pool_config_min_proceeds', limit(auction?.pool_config_min_proceeds)),
    max: inUnit('pool_config_max_proceeds', limit(auction?.pool_config_max_proceeds)),
  })
  const { startsAt, endsAt } = saleTimes(asset)
  return {
    broken: [...broken, ...fractions(asset, units, decimals)],
    figures: {
      pool,
      ...consistent,
      startsAt,
      endsAt,
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
  const onChain = current && poolPrice(current, asset, decimals)
  const prices = [
    money(current?.pool_market_data?.pool_price, units.pool_price, decimals),
    onChain === undefined
      ? money(current?.pool_current_price, units.pool_current_price, decimals)
      : inQuoteToken(onChain),
  ].filter((each) => each !== undefined)
  const inDollars = prices.find(({ currency }) => currency === 'usd')
  const inQuote = prices.find(({ currency }) => currency === 'numeraire')
  if (!inDollars || !inQuote || new Decimal(inQuote.amount).lte(0)) return undefined
  const rate = inDollars.amount === '0' ? undefined : ratio(inDollars.amount, inQuote.amount)
  return rate !== undefined && isWithin(Number(rate), ratesOf(asset)) ? rate : undefined
}

/** Returns a quotient with six significant digits, however small it is. */
function ratio(above: string, below: string): string {
  return new Decimal((Number(above) / Number(below)).toPrecision(6)).toFixed()
}

/** Plausible dollars per quote token of an asset: about those that other assets say, else by what the quote token is. */
function ratesOf({ asset_numeraire_address: quote, quote_dollars: known }: Asset): NumberRange {
  if (known === undefined) return plausibleRates[quoteKind(quote)]
  const [min, max] = plausibleRatio
  return [Number(known) * min, Number(known) * max]
}

/**
 * The supply in whole tokens, by two amounts that share a unit: market cap ÷ price of the pool, whichever unit that is. The
 * fully diluted value stands in for a market cap that is missing.
 */
function supplyOf(pool: Pool | undefined, units: Units): Big | undefined {
  const { pool_current_price: unit, pool_current_market_cap: other } = units
  if (unit !== other || unit === unknownUnit) return undefined
  const price = decimal(pool?.pool_current_price)
  const cap = decimal(pool?.pool_current_market_cap ?? pool?.pool_current_fdv)
  return price?.gt(0) && cap?.gt(0) ? cap.div(price) : undefined
}

type Pool = AuctionPool | GraduationPool

function inQuoteToken(amount: string): Money {
  return { amount, currency: 'numeraire' }
}

/** Lists the fields that should be integers in base units but have a fraction: they are not read. */
function fractions(asset: Asset, units: Units, decimals: Decimals): UnitField[] {
  const texts = fieldsOf(asset)
  return unitFields.filter((field) => {
    const [unit, text] = [units[field], texts[field]]
    if (unit === 'ratio' || unit === 'percent' || typeof text !== 'string') return false
    if (!/[.eE]/u.test(text)) return false
    const value = decimal(text)
    return value !== undefined && (decimalsOf(unit, decimals) ?? 0) > 0 && !isInteger(value)
  })
}

/** A maximum from this value on means that there is none. */
const unlimited = '1e37'

/** A minimum or maximum as it is sent; undefined if there is none, as if it is 0. */
function limit(text: string | undefined): string | undefined {
  const value = decimal(text)
  return value?.gt(0) && value.lt(unlimited) ? text : undefined
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
function decimalsIn({ decimals, ...asset }: Asset): Decimals {
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
  if (!value || isBelowZero(value)) return undefined
  if (places === undefined || places < 0 || places > 77) return undefined
  // A fraction can't be in base units, so the unit is wrong.
  if (places === 0) return value
  if (!isInteger(value)) return undefined
  return value.times(scales[places] ?? `1e-${places}`)
}

// Comparing with a number would parse that first.
function isBelowZero(value: Big): boolean {
  return value.s < 0 && value.c[0] !== 0
}

/** One base unit by its decimals. */
const scales = Array.from({ length: 78 }, (_, places) => new Decimal(`1e-${places}`))

function share(text: string | undefined, unit: ShareUnit): Big | undefined {
  if (unit === unknownUnit) return undefined
  const value = decimal(text)
  return unit === 'percent' ? value?.times('0.01') : value
}

/** An amount of money, also rounded to a number, and the field that it is from. */
interface Amount extends Money {
  number: number
  field: MoneyField
}

/** All values of an asset's figures, from every field that has one; the first plausible one is shown. */
interface AllValues {
  prices: readonly Amount[]
  caps: readonly Amount[]
  liquidities: readonly Amount[]
  volumes: readonly Amount[]
  raised: readonly Amount[]
  min: readonly Amount[]
  max: readonly Amount[]
  /** A ratio. */
  change: Big | undefined
  sold: Big | undefined
  toSell: Big | undefined
  /** Progress as stated by the API, a ratio. */
  stated: Big | undefined
  /** Whether the price is the auction's, to which `sold` and `raised` belong. */
  isAuction: boolean
  /** The price by the pool's sqrt price, which is the chain's own. */
  onChain: Money | undefined
  /** Plausible dollars per quote token. */
  rates: NumberRange
  /** Dollars per quote token by other assets, or 1 if the quote token is a dollar. */
  dollarsPerQuote: string | undefined
  /** Whether other assets say it: then it may be wrong. */
  isLearned: boolean
  /** In whole tokens, if the pool's price and market cap tell it. */
  supply: Big | undefined
}

/**
 * Figures that don't contradict each other. Numbers are exact decimal texts without exponent; unknown ones are absent.
 */
interface ConsistentFigures {
  price?: Money | undefined
  /** A ratio: 0.154 is +15.4%. */
  change24h?: string | undefined
  marketCap?: Money | undefined
  liquidity?: Money | undefined
  volume24h?: Money | undefined
  /** Share of the tokens for sale that is sold: a decimal text from 0 to 1 such as `0.42`, never rounded up. */
  progress?: string | undefined
  /** In whole tokens. */
  sold?: string | undefined
  /** In whole tokens. */
  toSell?: string | undefined
  proceeds?: Money | undefined
  minProceeds?: Money | undefined
  maxProceeds?: Money | undefined
}

type Consistent = ConsistentFigures & { broken: readonly UnitField[] }

// Bounds that no market breaks, and that a wrong unit breaks by orders of magnitude.

/** Plausible market caps, in dollars or whole quote tokens. */
const plausibleCaps = { usd: [1e-6, 1e12], numeraire: [1e-9, 1e18] } as const

/** Least value of all tokens for sale, and max price of one token. */
const [minSale, maxPrice] = [1e-9, 1e10]

/** Plausible supplies, in whole tokens. */
const plausibleSupplies = [1, 1e20] as const

/** Plausible supplies, as multiples of the amount for sale. */
const supplyPerSale = [0.9, 9e5] as const

/** The same beside the chain's own price: a market cap in another unit would give other supplies. */
const usualSupplyPerSale = [0.9, 100] as const

/** Max liquidity and max daily volume, as multiples of the market cap. */
const [maxLiquidity, maxVolume] = [100, 1e3]

/** Max factor between raised and sold × price, and between the maximum and to sell × price. */
const raisedPerPrice = 1e5

/**
 * Plausible ratios of two fields for the same figure: market data and pool data are from different moments. Wrong units
 * give larger ratios.
 */
const plausibleRatio: NumberRange = [1 / 50, 50]

/** Plausible dollars per quote token: the ratios if one field is in dollars and the other in the quote token. */
const plausibleRates: Readonly<Record<QuoteKind, NumberRange>> = {
  dollar: plausibleRatio,
  ether: [30, 300_000],
  // A token that was launched itself may be worth next to nothing.
  other: [1e-12, 1e6],
}

/** The fields of a pool's market data in money. */
const marketFields: ReadonlySet<UnitField> = new Set<UnitField>([
  'pool_price',
  'pool_market_cap',
  'pool_liquidity',
  'pool_volume_usd_24h',
])

/** Max of raised ÷ maximum, and min of minimum ÷ maximum. */
const [maxRaised, minMinimum] = [100, 1e-8]

/** Max plausible price change in a day, as a ratio. */
const maxRise = 1e6

/**
 * Decides which figures of an asset are shown: those that contradict no other. Fields that do are collected in
 * `broken`.
 */
function consistentFigures(values: AllValues): Consistent {
  return new Identities(values).consistent()
}

class Identities {
  readonly #values: AllValues
  readonly #broken = new Set<UnitField>()

  constructor(values: AllValues) {
    this.#values = values
  }

  consistent(): Consistent {
    const { sold, toSell } = this.#tokens()
    const anchor = this.#anchor(toSell)
    const { price, cap, isSale } = anchor
      ? this.#anchored(anchor, toSell)
      : this.#priceAndCap({ sold, toSell })
    // Market data are of one scale: a row whose price or market cap contradicts the chain's is wrong as a whole.
    const isRowWrong =
      anchor && (this.#broken.has('pool_price') || this.#broken.has('pool_market_cap'))
    const believed = (all: readonly Amount[]) =>
      isRowWrong ? all.filter(({ field }) => !marketFields.has(field)) : all
    const { liquidities, volumes } = this.#values
    const shownSold = isSale ? sold : undefined
    const shownToSell = isSale ? toSell : undefined
    const auctionPrice = this.#values.isAuction ? price : undefined
    const max = this.#money(this.#values.max, shownToSell, auctionPrice)
    const raised = this.#money(this.#raised(), shownSold, auctionPrice)
    const [proceeds, maxProceeds] = this.#withinMaximum(raised, max)
    return {
      ...this.#inDollars(price, cap),
      liquidity: withoutField(
        this.#withinCaps(believed(liquidities).toSorted(zerosLast), cap, maxLiquidity),
      ),
      volume24h: withoutField(this.#withinCaps(believed(volumes), cap, maxVolume)),
      change24h: this.#change(),
      progress: this.#progress(sold, toSell)?.toFixed(),
      sold: shownSold?.toFixed(),
      toSell: shownToSell?.toFixed(),
      proceeds: withoutField(proceeds),
      minProceeds: withoutField(this.#minimum(maxProceeds)),
      maxProceeds: withoutField(maxProceeds),
      broken: [...this.#broken],
    }
  }

  #break(...fields: UnitField[]): void {
    for (const field of fields) this.#broken.add(field)
  }

  #tokens(): Pick<AllValues, 'sold' | 'toSell'> {
    const { sold, toSell } = this.#values
    const isOversold = sold && toSell?.gt(0) && sold.gt(toSell.times('1.01'))
    const isTooSmall = toSell?.gt(0) && toSell.lt(plausibleSupplies[0])
    if (isOversold || isTooSmall || [sold, toSell].some((each) => each?.gt(plausibleSupplies[1]))) {
      this.#break('pool_current_total_tokens_sold', 'pool_config_num_tokens_to_sell')
      return { sold: undefined, toSell: undefined }
    }
    return { sold, toSell }
  }

  /** Returns the chain's price, which decides what is wrong if others contradict it; undefined if it is implausible. */
  #anchor(toSell: Big | undefined): Amount | undefined {
    const { onChain } = this.#values
    if (!onChain) return undefined
    const anchor = {
      ...onChain,
      number: Number(onChain.amount),
      field: 'pool_current_price',
    } as const
    return this.#isPlausiblePrice(anchor, toSell) && isAboveZero(anchor) ? anchor : undefined
  }

  /** Picks what agrees with the chain's price: the market's price, else its own, and a market cap that makes a supply of it. */
  #anchored(anchor: Amount, toSell: Big | undefined): Worth {
    const { prices, caps, rates, supply } = this.#values
    const fits = (price: Amount) => isAboveZero(price) && !areApart(price, anchor, rates)
    const price = this.#first(prices, fits) ?? anchor
    const isSupply = (range: NumberRange) =>
      overlap(range, plausibleSupplies) && isForSale(range, toSell, usualSupplyPerSale)
    const market = caps.filter((cap) => isAboveZero(cap) && this.#isPlausibleCap(cap))
    const counted = supply && Number(supply.toFixed())
    const isCounted = counted !== undefined && isSupply([counted, counted])
    // A market cap in dollars may be wrong by any scale: the pool's own supply says so.
    const [least, most] = plausibleRatio
    const supplies: NumberRange = isCounted ? [counted * least, counted * most] : plausibleSupplies
    const inMoney = this.#first(
      // A field that is in dollars by its name needs no supply; the pool's own is the price times the supply, in whatever
      // unit.
      isCounted ? market.filter(({ field }) => field === 'pool_market_cap') : market,
      (cap) => {
        const range = quotients(cap, cap.currency === price.currency ? price : anchor, rates)
        return isSupply(range) && overlap(range, supplies)
      },
    )
    const cap = inMoney ?? (isCounted && supply ? times(price, supply) : undefined)
    return { price, cap, isSale: true }
  }

  /** Returns the first amount that fits; those before it are wrong. */
  #first(all: readonly Amount[], fits: (each: Amount) => boolean): Amount | undefined {
    return all.find((each) => {
      const isRight = fits(each)
      if (!isRight && isAboveZero(each)) this.#break(each.field)
      return isRight
    })
  }

  /** Raised nothing though something was sold, or without a minimum or maximum: the pool does not count it. */
  #raised(): readonly Amount[] {
    const { raised, sold, min, max } = this.#values
    const isCounted = !sold?.gt(0) && [...min, ...max].some(isAboveZero)
    return raised.filter((each) => isAboveZero(each) || isCounted)
  }

  /**
   * Returns price and market cap in dollars if the rate is known, else as they are. Dollars of the asset's own that contradict
   * what others say are as likely to be right, so then neither is shown.
   */
  #inDollars(price: Amount | undefined, cap: Amount | undefined) {
    const { dollarsPerQuote: rate, isLearned, prices, caps } = this.#values
    const hasOwn = [...prices, ...caps].some((each) => each.currency === 'usd' && isAboveZero(each))
    const isKnown = rate !== undefined && !(isLearned && hasOwn)
    const convert = (amount: Amount | undefined): Money | undefined => {
      if (amount?.currency !== 'numeraire' || !isKnown) return withoutField(amount)
      return { amount: new Decimal(amount.amount).times(rate).toFixed(), currency: 'usd' }
    }
    const shown = { price: convert(price), marketCap: convert(cap) }
    const isTooMuch = (money: Money | undefined, max: number) =>
      money?.currency === 'usd' && Number(money.amount) > max
    if (isTooMuch(shown.price, maxPrice) || isTooMuch(shown.marketCap, plausibleCaps.usd[1])) {
      return {}
    }
    return shown
  }

  /**
   * Picks the first price and market cap whose quotient is a plausible supply; `isSale`: the amount for sale can be
   * part of it. If two fields have different prices or market caps, only one that other figures confirm is used.
   */
  #priceAndCap({ sold, toSell }: Pick<AllValues, 'sold' | 'toSell'>): Worth {
    const prices = this.#values.prices
      .filter((price) => this.#isPlausiblePrice(price, toSell))
      .toSorted(zerosLast)
    const caps = this.#values.caps.filter((cap) => this.#isPlausibleCap(cap)).toSorted(zerosLast)
    const pairs = pairsOf(prices.filter(isAboveZero), caps.filter(isAboveZero)).toSorted(
      sameCurrencyFirst,
    )
    const possible = pairs.filter((pair) => overlap(this.#supply(pair), plausibleSupplies))
    const matching = possible.filter((pair) => isForSale(this.#supply(pair), toSell))
    if (pairs.length > 0 && matching.length === 0) {
      this.#break(...pairs.flatMap(({ price, cap }) => [price.field, cap.field]))
      // The supply is plausible, so either it or the amount for sale is wrong; show neither.
      if (possible.length > 0) {
        this.#break('pool_current_total_tokens_sold', 'pool_config_num_tokens_to_sell')
      }
      return { price: undefined, cap: undefined, isSale: possible.length === 0 }
    }
    const [agreedPrices, agreedCaps] = this.#agreedWorth(prices, caps, { fits: matching, sold })
    const fit = matching.find(
      ({ price, cap }) => agreedPrices.includes(price) && agreedCaps.includes(cap),
    )
    return { ...(fit ?? { price: agreedPrices[0], cap: agreedCaps[0] }), isSale: true }
  }

  /** Range of the supply from a market cap and a price above 0, in any currencies. */
  #supply({ price, cap }: Pair): NumberRange {
    return quotients(cap, price, this.#values.rates)
  }

  /** The prices and market caps that agree with each other, or that other figures confirm. */
  #agreedWorth(
    prices: readonly Amount[],
    caps: readonly Amount[],
    { fits, sold }: { fits: readonly Pair[]; sold: Big | undefined },
  ): [prices: readonly Amount[], caps: readonly Amount[]] {
    const { raised, isAuction } = this.#values
    const isPaid = (price: Amount) =>
      !isAuction || raised.every((each) => this.#isCost(each, sold, price))
    const agreedPrices = this.#agreed(prices, [
      (price) => fits.some((pair) => pair.price === price),
      isPaid,
    ])
    const isSupplied = (cap: Amount) =>
      fits.some((pair) => pair.cap === cap && agreedPrices.includes(pair.price))
    return [agreedPrices, this.#agreed(caps, [isSupplied])]
  }

  /**
   * Resolves fields for the same figure: if they differ by the scale of a unit, one is wrong, and only one that the
   * witnesses confirm is used. A witness that confirms none of them is ignored.
   */
  #agreed(
    all: readonly Amount[],
    witnesses: readonly ((amount: Amount) => boolean)[],
  ): readonly Amount[] {
    const [first, second] = all
    if (!first || !second || !areApart(first, second, this.#values.rates)) return all
    const decisive = witnesses.filter((confirms) => all.some(confirms))
    const agreed = all.filter((each) => decisive.every((confirms) => confirms(each)))
    const remaining = agreed.length === 1 ? agreed : []
    this.#break(...all.filter((each) => !remaining.includes(each)).map(({ field }) => field))
    return remaining
  }

  /** Whether a price is plausible: all tokens for sale, and a single token, cost no more than any market. */
  #isPlausiblePrice(price: Amount, toSell: Big | undefined): boolean {
    const sum = toSell?.gt(0) ? price.number * Number(toSell.toFixed()) : 1
    // A price of 0 is a missing value if there is a market cap or money raised.
    const isPaid = [...this.#values.caps, ...this.#values.raised].some(isAboveZero)
    const isSane = isAboveZero(price)
      ? isWithin(sum, [minSale, plausibleCaps[price.currency][1]]) && price.number <= maxPrice
      : !isPaid
    if (!isSane) this.#break(price.field)
    return isSane
  }

  #isPlausibleCap(cap: Amount): boolean {
    const isSane = !isAboveZero(cap) || isWithin(cap.number, plausibleCaps[cap.currency])
    if (!isSane) this.#break(cap.field)
    return isSane
  }

  /** Returns the first amount of at most this multiple of the market cap, if that is known. */
  #withinCaps(all: readonly Amount[], cap: Amount | undefined, max: number): Amount | undefined {
    const isLittle = (each: Amount) => {
      if (!cap) return each.number <= plausibleCaps[each.currency][1]
      return (
        !isAboveZero(each) ||
        (isAboveZero(cap) && quotients(each, cap, this.#values.rates)[0] <= max)
      )
    }
    const isSane = (each: Amount) => isWithin(each.number, plausibleCaps[each.currency])
    const agreed = this.#agreed(all, [isLittle, isSane])
    return agreed.find((each) => {
      const fits = isLittle(each)
      if (!fits) this.#break(each.field)
      return fits
    })
  }

  /** Returns the first amount that is a plausible cost of this many tokens. */
  #money(
    all: readonly Amount[],
    count: Big | undefined,
    price: Amount | undefined,
  ): Amount | undefined {
    return all.find((money) => {
      const fits =
        money.number <= plausibleCaps[money.currency][1] && this.#isCost(money, count, price)
      if (!fits) this.#break(money.field)
      return fits
    })
  }

  /** Whether an amount is a plausible cost of this many tokens; true if it can't be checked. */
  #isCost(money: Amount, count: Big | undefined, price: Amount | undefined): boolean {
    if (!price || !isAboveZero(price) || !count?.gt(0) || !isAboveZero(money)) return true
    const [min, max] = quotients(money, price, this.#values.rates)
    const tokensSold = Number(count.toFixed())
    return overlap([min / tokensSold, max / tokensSold], [1 / raisedPerPrice, raisedPerPrice])
  }

  #withinMaximum(raised: Amount | undefined, max: Amount | undefined): (Amount | undefined)[] {
    if (!raised || !max || raised.currency !== max.currency || !isAboveZero(max))
      return [raised, max]
    if (raised.number <= max.number * maxRaised) return [raised, max]
    this.#break(raised.field, max.field)
    return [undefined, undefined]
  }

  #minimum(max: Amount | undefined): Amount | undefined {
    return this.#values.min.find((min) => {
      const { number, currency, field } = min
      const isComparable = max !== undefined && max.currency === currency && isAboveZero(max)
      const part = isComparable ? number / max.number : 1
      const fits =
        number <= plausibleCaps[currency][1] &&
        (!isAboveZero(min) || isWithin(part, [minMinimum, maxRaised]))
      if (!fits) this.#break(field)
      return fits
    })
  }

  #change(): string | undefined {
    const { change } = this.#values
    if (change && (change.lt(-1) || change.gt(maxRise))) {
      this.#break('pool_price_change_24h')
      return undefined
    }
    return change?.toFixed()
  }

  /** Returns sold ÷ to sell; where one of them is missing, the progress that is stated, if it is a share. */
  #progress(sold: Big | undefined, toSell: Big | undefined): Big | undefined {
    if (sold && toSell?.gt(0)) return quotient(sold, toSell)
    const { stated } = this.#values
    const isShare = stated?.gte(0) && stated.lte(1)
    if (stated && !isShare) this.#break('pool_current_sale_progress_percentage')
    return isShare ? stated : undefined
  }
}

interface Worth {
  price: Amount | undefined
  cap: Amount | undefined
  /** Whether the amount for sale can be part of the supply that these tell. */
  isSale: boolean
}

interface Pair {
  price: Amount
  cap: Amount
}

function times(price: Amount, supply: Big): Amount {
  const amount = new Decimal(price.amount).times(supply).toFixed()
  return { ...price, amount, number: Number(amount) }
}

function pairsOf(prices: readonly Amount[], caps: readonly Amount[]): Pair[] {
  return prices.flatMap((price) => caps.map((cap) => ({ price, cap })))
}

function sameCurrencyFirst(one: Pair, other: Pair): number {
  return Number(isOneCurrency(other)) - Number(isOneCurrency(one))
}

function isOneCurrency({ price, cap }: Pair): boolean {
  return price.currency === cap.currency
}

/** Whether the amount for sale can be part of the supply; true if nothing is for sale. */
function isForSale(
  [min, max]: NumberRange,
  toSell: Big | undefined,
  perSale: NumberRange = supplyPerSale,
): boolean {
  const part = Number(toSell?.toFixed() ?? 0)
  return part <= 0 || overlap([min / part, max / part], perSale)
}

/** Whether two amounts for the same figure differ by the scale of a unit. */
function areApart(one: Amount, other: Amount, rates: NumberRange): boolean {
  if (!isAboveZero(one) || !isAboveZero(other)) return false
  const ratio = one.number / other.number
  if (one.currency === other.currency) return !isWithin(ratio, plausibleRatio)
  return !isWithin(one.currency === 'usd' ? ratio : 1 / ratio, rates)
}

/** Range of the quotient of two amounts after converting to one currency. */
function quotients(above: Amount, below: Amount, rates: NumberRange): NumberRange {
  const plain = above.number / below.number
  if (above.currency === below.currency) return [plain, plain]
  const [min, max] = rates
  return above.currency === 'usd' ? [plain / max, plain / min] : [plain * min, plain * max]
}

function quotient(sold: Big, toSell: Big): Big {
  return sold.gte(toSell) ? new Decimal(1) : new Decimal(sold).div(toSell)
}

function isAboveZero({ number }: Amount): boolean {
  return number > 0
}

/** Sorts zeros last: an unset field is often 0. */
function zerosLast(one: Amount, other: Amount): number {
  return Number(isAboveZero(other)) - Number(isAboveZero(one))
}

function withoutField(given: Amount | undefined): Money | undefined {
  return given && { amount: given.amount, currency: given.currency }
}
