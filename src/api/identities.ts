import Big from 'big.js'
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
const [mostLiquidity, mostVolume] = [100, 1e3]
/** Raised as a multiple of sold × price, and the maximum as one of to sell × price. */
const raisedPerPrice = 1e5
/** The most that a quote token may be worth in dollars, or a dollar in quote tokens. */
const rate = 1e6
/** The most that raised, and the least that the minimum, may be as multiples of the maximum. */
const [mostRaised, leastMinimum] = [100, 1e-8]
/** A price that is a million times that of yesterday is none. */
const mostRise = 1e6

/** Decides which figures of one asset can be shown: each that no identity with the others speaks against. */
export class Identities {
  readonly #said: Said
  readonly #broken = new Set<UnitField>()

  constructor(said: Said) {
    this.#said = said
  }

  held(): Held {
    const { sold, toSell } = this.#tokens()
    const { price, cap, isSale } = this.#worth(toSell)
    const shownSold = isSale ? sold : undefined
    const shownToSell = isSale ? toSell : undefined
    const paid = this.#said.isAuction ? price : undefined
    const max = this.#money(this.#said.max, shownToSell, paid)
    const raised = this.#money(this.#said.raised, shownSold, paid)
    const [proceeds, maxProceeds] = this.#withinMost(raised, max)
    return {
      price: shown(price),
      marketCap: shown(cap),
      liquidity: shown(this.#beside(this.#said.liquidities, cap, mostLiquidity)),
      volume24h: shown(this.#beside(this.#said.volumes, cap, mostVolume)),
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

  /** The first price and market cap that give a supply, and whether what is for sale can be part of it. */
  #worth(toSell: Big | undefined): {
    price: Told | undefined
    cap: Told | undefined
    isSale: boolean
  } {
    const prices = this.#said.prices
      .filter((price) => this.#isPrice(price, toSell))
      .toSorted(zerosLast)
    const caps = this.#said.caps.filter((cap) => this.#isWorth(cap)).toSorted(zerosLast)
    const first = { price: prices[0], cap: caps[0], isSale: true }
    const pairs = prices.flatMap((price) =>
      caps
        .filter((cap) => cap.currency === price.currency && isSome(price) && isSome(cap))
        .map((cap) => ({ price, cap })),
    )
    if (pairs.length === 0) return first
    const supplyOf = ({ price, cap }: { price: Told; cap: Told }) =>
      Number(cap.amount) / Number(price.amount)
    const possible = pairs.filter((pair) => isWithin(supplyOf(pair), tokens))
    const fit = possible.find(
      (pair) =>
        !toSell?.gt(0) || isWithin(supplyOf(pair) / Number(toSell.toFixed()), supplyPerSale),
    )
    if (fit) return { ...fit, isSale: true }
    this.#break(...pairs.flatMap(({ price, cap }) => [price.field, cap.field]))
    // If the supply is possible, either it or the amount for sale is wrong, and nobody knows which.
    if (possible.length > 0) {
      this.#break('pool_current_total_tokens_sold', 'pool_config_num_tokens_to_sell')
    }
    return { price: undefined, cap: undefined, isSale: possible.length === 0 }
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
    return all.find(({ amount, currency, field }) => {
      const limit = cap?.currency === currency ? Number(cap.amount) * most : worth[1]
      const fits = Number(amount) <= limit
      if (!fits) this.#break(field)
      return fits
    })
  }

  /** An amount of the sale beside what so many tokens cost. */
  #money(all: readonly Told[], count: Big | undefined, price: Told | undefined): Told | undefined {
    return all.find(({ amount, currency, field }) => {
      if (Number(amount) > worth[1]) {
        this.#break(field)
        return false
      }
      if (!price || !isSome(price) || !count?.gt(0) || Number(amount) === 0) return true
      const ratio = Number(amount) / (Number(price.amount) * Number(count.toFixed()))
      const room = price.currency === currency ? raisedPerPrice : raisedPerPrice * rate
      const fits = isWithin(ratio, [1 / room, room])
      if (!fits) this.#break(field)
      return fits
    })
  }

  #withinMost(raised: Told | undefined, max: Told | undefined): (Told | undefined)[] {
    if (!raised || !max || raised.currency !== max.currency || !isSome(max)) return [raised, max]
    if (Number(raised.amount) <= Number(max.amount) * mostRaised) return [raised, max]
    this.#break(raised.field, max.field)
    return [undefined, undefined]
  }

  #minimum(max: Told | undefined): Told | undefined {
    return this.#said.min.find((min) => {
      const { amount, currency, field } = min
      const isComparable = max !== undefined && max.currency === currency && isSome(max)
      const part = isComparable ? Number(amount) / Number(max.amount) : 1
      const fits =
        Number(amount) <= worth[1] && (!isSome(min) || isWithin(part, [leastMinimum, mostRaised]))
      if (!fits) this.#break(field)
      return fits
    })
  }

  #change(): string | undefined {
    const { change } = this.#said
    if (change && (change.lt(-1) || change.gt(mostRise))) {
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

// Own constructor: the digits of a quotient are cut, never rounded up, so that a sale is not called over early.
const Decimal = Big()
Decimal.DP = 20
Decimal.RM = Decimal.roundDown

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

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most
}

function shown(told: Told | undefined): Money | undefined {
  return told && { amount: told.amount, currency: told.currency }
}
