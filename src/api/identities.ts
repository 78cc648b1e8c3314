import type Big from 'big.js'
import type { QuoteKind } from '../chain/chains.ts'
import { Decimal, isWithin, meet, type Span } from './number.ts'
import type { Money, MoneyField, UnitField } from './units.ts'

/** An amount of money, and the field that told it. */
export interface Told extends Money {
  field: MoneyField
}

/** The figures of an asset, each from every field that tells it; the first that holds is shown. */
interface Said {
  prices: readonly Told[]
  caps: readonly Told[]
  liquidities: readonly Told[]
  volumes: readonly Told[]
  raised: readonly Told[]
  min: readonly Told[]
  max: readonly Told[]
  /** A ratio. */
  change: Big | undefined
  sold: Big | undefined
  toSell: Big | undefined
  /** The progress as the interface states it, a ratio. */
  stated: Big | undefined
  /** Whether the price is that of the auction, which sold and raised belong to. */
  isAuction: boolean
  /** The worth of the quote token. */
  quote: QuoteKind
}

/** Figures that hold together. Every number is an exact decimal text without exponent; what is unknown is absent. */
export interface HeldFigures {
  price?: Money | undefined
  /** A ratio: 0.154 is +15.4 %. */
  change24h?: string | undefined
  marketCap?: Money | undefined
  liquidity?: Money | undefined
  volume24h?: Money | undefined
  /** The share of the tokens for sale that is sold, 0 to 1, cut and never rounded up. */
  progress?: string | undefined
  /** In whole tokens. */
  sold?: string | undefined
  /** In whole tokens. */
  toSell?: string | undefined
  proceeds?: Money | undefined
  minProceeds?: Money | undefined
  maxProceeds?: Money | undefined
}

type Held = HeldFigures & { broken: readonly UnitField[] }

// Bounds that no market breaks, and that a wrong unit breaks by orders of magnitude.

/** No market cap is above ten trillion, or worth less than a millionth, of dollars or of whole quote tokens. */
const worth = [1e-6, 1e13] as const
/** The same bounds for all that is for sale, and the most for one token. */
const sale = [1e-9, 1e13] as const
const dearest = 1e10
/** Tokens there can be. */
const tokens = [1, 1e20] as const
/** The supply, as a multiple of what is for sale. */
const supplyPerSale = [0.9, 9e5] as const
/** The liquidity and a day's volume, as multiples of the market cap. */
const [maxLiquidity, maxVolume] = [100, 1e3]
/** Raised as a multiple of sold × price, and the maximum as one of to sell × price. */
const raisedPerPrice = 1e5
/**
 * Two fields that tell one figure may be this far apart: what the market says and what the pool says are not of the same
 * moment. Units are further apart.
 */
const alike: Span = [1 / 50, 50]
/** The same where one is in dollars and the other in the quote token: the first ÷ the second. */
const rates: Readonly<Record<QuoteKind, Span>> = {
  dollar: alike,
  ether: [30, 300_000],
  other: [1e-6, 1e6],
}
/** The most that raised, and the least that the minimum, may be as multiples of the maximum. */
const [maxRaised, minMinimum] = [100, 1e-8]
/** A price that is a million times that of yesterday is none. */
const maxRise = 1e6

/** Decides which figures of one asset can be shown: each that no identity with the others speaks against. */
export class Identities {
  readonly #said: Said
  readonly #broken = new Set<UnitField>()

  constructor(said: Said) {
    this.#said = said
  }

  held(): Held {
    const { sold, toSell } = this.#tokens()
    const { price, cap, isSale } = this.#worth({ sold, toSell })
    const shownSold = isSale ? sold : undefined
    const shownToSell = isSale ? toSell : undefined
    const paid = this.#said.isAuction ? price : undefined
    const max = this.#money(this.#said.max, shownToSell, paid)
    const raised = this.#money(this.#said.raised, shownSold, paid)
    const [proceeds, maxProceeds] = this.#withinMost(raised, max)
    return {
      price: shown(price),
      marketCap: shown(cap),
      liquidity: shown(this.#beside(this.#said.liquidities, cap, maxLiquidity)),
      volume24h: shown(this.#beside(this.#said.volumes, cap, maxVolume)),
      change24h: this.#change(),
      progress: this.#progress(sold, toSell)?.toFixed(),
      sold: shownSold?.toFixed(),
      toSell: shownToSell?.toFixed(),
      proceeds: shown(proceeds),
      minProceeds: shown(this.#minimum(maxProceeds)),
      maxProceeds: shown(maxProceeds),
      broken: [...this.#broken],
    }
  }

  #break(...fields: UnitField[]): void {
    for (const field of fields) this.#broken.add(field)
  }

  #tokens(): Pick<Said, 'sold' | 'toSell'> {
    const { sold, toSell } = this.#said
    const isMore = sold && toSell?.gt(0) && sold.gt(toSell.times('1.01'))
    const isLittle = toSell?.gt(0) && toSell.lt(tokens[0])
    if (isMore || isLittle || [sold, toSell].some((each) => each?.gt(tokens[1]))) {
      this.#break('pool_current_total_tokens_sold', 'pool_config_num_tokens_to_sell')
      return { sold: undefined, toSell: undefined }
    }
    return { sold, toSell }
  }

  /**
   * The first price and market cap that give a supply, and whether what is for sale can be part of it. Where two fields
   * tell different prices or market caps, only the one that the rest speaks for is taken.
   */
  #worth({ sold, toSell }: Pick<Said, 'sold' | 'toSell'>): {
    price: Told | undefined
    cap: Told | undefined
    isSale: boolean
  } {
    const prices = this.#said.prices
      .filter((price) => this.#isPrice(price, toSell))
      .toSorted(zerosLast)
    const caps = this.#said.caps.filter((cap) => this.#isWorth(cap)).toSorted(zerosLast)
    const pairs = pairsOf(prices.filter(isSome), caps.filter(isSome)).toSorted(sameCurrencyFirst)
    const possible = pairs.filter((pair) => meet(this.#supply(pair), tokens))
    const fits = possible.filter((pair) => isForSale(this.#supply(pair), toSell))
    if (pairs.length > 0 && fits.length === 0) {
      this.#break(...pairs.flatMap(({ price, cap }) => [price.field, cap.field]))
      // If the supply is possible, either it or the amount for sale is wrong, and nobody knows which.
      if (possible.length > 0) {
        this.#break('pool_current_total_tokens_sold', 'pool_config_num_tokens_to_sell')
      }
      return { price: undefined, cap: undefined, isSale: possible.length === 0 }
    }
    const [heldPrices, heldCaps] = this.#agreedWorth(prices, caps, { fits, sold })
    const fit = fits.find(({ price, cap }) => heldPrices.includes(price) && heldCaps.includes(cap))
    return { ...(fit ?? { price: heldPrices[0], cap: heldCaps[0] }), isSale: true }
  }

  /** What the supply can be by a market cap and a price above 0, be they in the same currency or not. */
  #supply({ price, cap }: Pair): Span {
    return quotients(cap, price, this.#said.quote)
  }

  /** The prices and market caps between which nothing has to choose, or which alone the rest speaks for. */
  #agreedWorth(
    prices: readonly Told[],
    caps: readonly Told[],
    { fits, sold }: { fits: readonly Pair[]; sold: Big | undefined },
  ): [prices: readonly Told[], caps: readonly Told[]] {
    const { raised, isAuction } = this.#said
    const isPaid = (price: Told) =>
      !isAuction || raised.every((each) => this.#isCost(each, sold, price))
    const heldPrices = this.#agreed(prices, [
      (price) => fits.some((pair) => pair.price === price),
      isPaid,
    ])
    const isSupplied = (cap: Told) =>
      fits.some((pair) => pair.cap === cap && heldPrices.includes(pair.price))
    return [heldPrices, this.#agreed(caps, [isSupplied])]
  }

  /**
   * What is left of the fields that tell one figure: where they are apart by the scale of a unit one of them is wrong, and
   * only one that alone is spoken for is shown. A witness that speaks for none of them says nothing.
   */
  #agreed(all: readonly Told[], witnesses: readonly ((told: Told) => boolean)[]): readonly Told[] {
    const [first, second] = all
    if (!first || !second || !areApart(first, second, this.#said.quote)) return all
    const telling = witnesses.filter((speaksFor) => all.some(speaksFor))
    const held = all.filter((told) => telling.every((speaksFor) => speaksFor(told)))
    const left = held.length === 1 ? held : []
    this.#break(...all.filter((each) => !left.includes(each)).map(({ field }) => field))
    return left
  }

  /** Whether a price is possible: no sale is worth more than any market, and no single token costs more than `dearest`. */
  #isPrice(price: Told, toSell: Big | undefined): boolean {
    const sum = toSell?.gt(0) ? Number(price.amount) * Number(toSell.toFixed()) : 1
    // A price of 0 beside a market cap or money raised is a missing value.
    const isPaid = [...this.#said.caps, ...this.#said.raised].some(isSome)
    const isSane = isSome(price) ? isWithin(sum, sale) && Number(price.amount) <= dearest : !isPaid
    if (!isSane) this.#break(price.field)
    return isSane
  }

  #isWorth(cap: Told): boolean {
    const isSane = !isSome(cap) || isWithin(Number(cap.amount), worth)
    if (!isSane) this.#break(cap.field)
    return isSane
  }

  /** The first amount that is no more than so many times the market cap, as far as that is known. */
  #beside(all: readonly Told[], cap: Told | undefined, most: number): Told | undefined {
    const isLittle = (told: Told) => {
      if (!cap) return Number(told.amount) <= worth[1]
      return !isSome(told) || (isSome(cap) && quotients(told, cap, this.#said.quote)[0] <= most)
    }
    const isSane = (told: Told) => isWithin(Number(told.amount), worth)
    const held = this.#agreed(all, [isLittle, isSane])
    return held.find((each) => {
      const fits = isLittle(each)
      if (!fits) this.#break(each.field)
      return fits
    })
  }

  /** An amount of the sale beside what so many tokens cost. */
  #money(all: readonly Told[], count: Big | undefined, price: Told | undefined): Told | undefined {
    return all.find((money) => {
      const fits = Number(money.amount) <= worth[1] && this.#isCost(money, count, price)
      if (!fits) this.#break(money.field)
      return fits
    })
  }

  /** Whether so many tokens may cost an amount; true where nothing says so. */
  #isCost(money: Told, count: Big | undefined, price: Told | undefined): boolean {
    if (!price || !isSome(price) || !count?.gt(0) || !isSome(money)) return true
    const [least, most] = quotients(money, price, this.#said.quote)
    const tokensSold = Number(count.toFixed())
    return meet([least / tokensSold, most / tokensSold], [1 / raisedPerPrice, raisedPerPrice])
  }

  #withinMost(raised: Told | undefined, max: Told | undefined): (Told | undefined)[] {
    if (!raised || !max || raised.currency !== max.currency || !isSome(max)) return [raised, max]
    if (Number(raised.amount) <= Number(max.amount) * maxRaised) return [raised, max]
    this.#break(raised.field, max.field)
    return [undefined, undefined]
  }

  #minimum(max: Told | undefined): Told | undefined {
    return this.#said.min.find((min) => {
      const { amount, currency, field } = min
      const isComparable = max !== undefined && max.currency === currency && isSome(max)
      const part = isComparable ? Number(amount) / Number(max.amount) : 1
      const fits =
        Number(amount) <= worth[1] && (!isSome(min) || isWithin(part, [minMinimum, maxRaised]))
      if (!fits) this.#break(field)
      return fits
    })
  }

  #change(): string | undefined {
    const { change } = this.#said
    if (change && (change.lt(-1) || change.gt(maxRise))) {
      this.#break('pool_price_change_24h')
      return undefined
    }
    return change?.toFixed()
  }

  /**
   * As stated, unless that is past the whole or a hundred times what sold ÷ to sell says: then its unit is not what we
   * think, and what is sold of what is for sale knows better.
   */
  #progress(sold: Big | undefined, toSell: Big | undefined): Big | undefined {
    const { stated } = this.#said
    const counted = sold && toSell?.gt(0) ? quotient(sold, toSell) : undefined
    const isShare = stated?.gte(0) && stated.lte(1)
    const isOff =
      isShare && counted?.gt(0) && stated?.gt(0)
        ? !isWithin(Number(stated.toFixed()) / Number(counted.toFixed()), [1 / 50, 50]) &&
          Math.abs(Number(stated.toFixed()) - Number(counted.toFixed())) > 0.005
        : false
    if (stated && isShare && !isOff) return stated
    if (stated) this.#break('pool_current_sale_progress_percentage')
    return counted
  }
}

interface Pair {
  price: Told
  cap: Told
}

function pairsOf(prices: readonly Told[], caps: readonly Told[]): Pair[] {
  return prices.flatMap((price) => caps.map((cap) => ({ price, cap })))
}

function sameCurrencyFirst(one: Pair, other: Pair): number {
  return Number(isOneCurrency(other)) - Number(isOneCurrency(one))
}

function isOneCurrency({ price, cap }: Pair): boolean {
  return price.currency === cap.currency
}

/** Whether what is for sale can be part of a supply; true if nothing is for sale. */
function isForSale([least, most]: Span, toSell: Big | undefined): boolean {
  const part = Number(toSell?.toFixed() ?? 0)
  return part <= 0 || meet([least / part, most / part], supplyPerSale)
}

/** Whether two amounts that should be one are apart by the scale of a unit. */
function areApart(one: Told, other: Told, quote: QuoteKind): boolean {
  if (!isSome(one) || !isSome(other)) return false
  const ratio = Number(one.amount) / Number(other.amount)
  if (one.currency === other.currency) return !isWithin(ratio, alike)
  return !isRate(one.currency === 'usd' ? ratio : 1 / ratio, quote)
}

/** What an amount ÷ another can come to if both are told in one currency. */
function quotients(above: Told, below: Told, quote: QuoteKind): Span {
  const plain = Number(above.amount) / Number(below.amount)
  if (above.currency === below.currency) return [plain, plain]
  const [least, most] = rates[quote]
  return above.currency === 'usd' ? [plain / most, plain / least] : [plain * least, plain * most]
}

/** Whether a price in dollars ÷ one in the quote token can be what the quote token is worth. */
export function isRate(dollars: number, quote: QuoteKind): boolean {
  return isWithin(dollars, rates[quote])
}

function quotient(sold: Big, toSell: Big): Big {
  return sold.gte(toSell) ? new Decimal(1) : new Decimal(sold).div(toSell)
}

function isSome({ amount }: Money): boolean {
  return Number(amount) > 0
}

/** Sorts zeros last: a field that is not set is often 0. */
function zerosLast(one: Told, other: Told): number {
  return Number(isSome(other)) - Number(isSome(one))
}

function shown(told: Told | undefined): Money | undefined {
  return told && { amount: told.amount, currency: told.currency }
}
