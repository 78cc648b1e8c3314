import Big from 'big.js'
import { currentPool, decimalsIn, tradingPool } from '../api/figures.ts'
import { decimal, isWithin, meet, type Span } from '../api/number.ts'
import type { Asset } from '../api/schema.ts'
import {
  type Decimals,
  decimalsOf,
  defaultUnits,
  dollarUnits,
  isInDollars,
  type MoneyUnit,
  moneyUnits,
  shareUnits,
  type TokenUnit,
  tokenUnits,
  type Unit,
  type UnitField,
  type Units,
  unknownUnit,
} from '../api/units.ts'
import { quoteKind } from '../chain/chains.ts'
import type { SeenChanges } from './seen.ts'
import type { Truth } from './truth.ts'

// Proves units by arithmetic. Each identity below holds for the right units over nearly all assets of a sample, and a
// wrong unit breaks it by orders of magnitude. All units of all fields are tried together; a unit is proved if it is
// the only one of its field with which every identity can hold.

const moneyFields = [
  'pool_price',
  'pool_current_price',
  'pool_market_cap',
  'pool_current_market_cap',
  'pool_current_total_proceeds',
  'pool_config_max_proceeds',
  'pool_config_min_proceeds',
  'pool_liquidity',
  'pool_current_liquidity',
  'pool_volume_usd_24h',
] as const
const tokenFields = ['pool_config_num_tokens_to_sell', 'pool_current_total_tokens_sold'] as const
const shareFields = ['pool_current_sale_progress_percentage', 'pool_price_change_24h'] as const

/**
 * Result for the unit of a field. `well`: proved. `unknown`: several would fit, or none does. `wrong`: it breaks an
 * identity; `better` is the only one that breaks none, or `unknown` if several break none: a wrong figure is better
 * hidden.
 */
export interface UnitFinding {
  field: UnitField
  /** The configured unit. */
  unit: Unit
  verdict: 'well' | 'wrong' | 'unknown'
  /** Whether every identity holds with the configured unit. */
  fits: boolean
  /** The deciding identities, for people. */
  detail: string
  better?: Unit
}

/** Core fields in the order in which units are tried: those that rule out most combinations first. */
const coreFields: readonly UnitField[] = [
  'pool_price',
  'pool_current_price',
  'pool_market_cap',
  'pool_current_market_cap',
  ...tokenFields,
  'pool_current_sale_progress_percentage',
  'pool_current_total_proceeds',
  'pool_config_max_proceeds',
]
/** Fields that no identity between core fields uses; each group is solved on its own. */
const outerFields: readonly (readonly UnitField[])[] = [
  ['pool_config_min_proceeds'],
  ['pool_liquidity', 'pool_current_liquidity'],
  ['pool_volume_usd_24h'],
  ['pool_price_change_24h'],
]

const candidates: ReadonlyMap<UnitField, readonly Unit[]> = new Map<UnitField, readonly Unit[]>([
  ...moneyFields.map((field) => [field, moneyUnits] as const),
  ['pool_volume_usd_24h', dollarUnits],
  ...tokenFields.map((field) => [field, tokenUnits] as const),
  ...shareFields.map((field) => [field, shareUnits] as const),
])

/** One asset of the sample: the raw values, and facts about its tokens. */
interface Row {
  asset: string
  quote: string
  /** Plausible dollars per quote token. */
  rate: Span
  decimals: Decimals
  /** Whether its price is the auction's, so that sold and raised belong to it. */
  isAuction: boolean
  raw: ReadonlyMap<UnitField, { text: string; number: number; isWhole: boolean }>
  truth: Truth | undefined
  /** Price change in about a day that the bot recorded, as a ratio. */
  seen: number | undefined
}

type Assignment = ReadonlyMap<UnitField, Unit>

/** An identity between fields. `holds` returns undefined if the sample can't decide it. */
interface Identity {
  words: string
  fields: readonly UnitField[]
  holds(sample: Sample, units: Assignment): boolean | undefined
}

// Bounds with a wide margin. Quantities that only have to be of the same magnitude may differ by a factor of a
// thousand: no two units but usd6 and usd8 are closer.

const sameValue: Span = [1 / 1.5, 1.5]
/** Raised ÷ (sold × price): the mean price ÷ the last one. */
const meanPerPrice: Span = [0.02, 50]
/** Max proceeds ÷ (amount for sale × price). */
const maxPerPrice: Span = [0.015, 70]
/** Supply ÷ amount for sale; at least a tenth of all assets sell at least a hundredth of the supply. */
const supplyPerSale: Span = [0.999, 1e5]
const commonSupplyPerSale = 100
const supplies: Span = [1, 1e18]
/** Range in dollars of the median market cap, and of nearly all. */
const [medianCap, anyCap]: Span[] = [
  [1, 1e10],
  [1e-2, 1e12],
]
const minPerMax: Span = [1e-6, 1.0001]
const liquidityPerCap: Span = [1e-7, 3]
const volumePerCap: Span = [1e-9, 1e3]
const matchingChain: Span = [0.95, 1.05]
/** The part of the sample that has to satisfy an identity: some assets have nonsensical figures on purpose. */
const minPart = 0.8
/** Min assets that can prove an identity. */
const minRows = 5
/**
 * Min change, and min number of changes, to compare with the bot's records; the median quotient must be in
 * `likeChange`.
 */
const minChange = 0.02
const minChanges = 4
const plausibleChange: Span = [0.2, 5]
/** A maximum from this value on means that there is none. */
const unlimited = 1e37
/** A group needs this many assets before its median is compared with that of other quote tokens. */
const minEach = 5

const identities: readonly Identity[] = [
  ...moneyFields.flatMap(capIdentities),
  sameQuantity('pool_price', 'pool_current_price', 'price of the market data = price of the pool'),
  sameQuantity('pool_market_cap', 'pool_current_market_cap', 'both market caps are the same'),
  sameQuantity('pool_liquidity', 'pool_current_liquidity', 'both liquidities are the same'),
  ...(['pool_price', 'pool_current_price'] as const).flatMap((price) => [
    ...(['pool_market_cap', 'pool_current_market_cap'] as const).flatMap((cap) => [
      ...supplyIdentities(price, cap),
      supplyMatchesChain(price, cap),
      ratio(cap, price, supplies, 'market cap ÷ price is a supply'),
    ]),
    ...costIdentities(
      [price, 'pool_current_total_proceeds', 'pool_current_total_tokens_sold'],
      meanPerPrice,
      'raised ≈ sold × price',
    ),
    ...costIdentities(
      [price, 'pool_config_max_proceeds', 'pool_config_num_tokens_to_sell'],
      maxPerPrice,
      'maximum ≈ to sell × price',
    ),
    priceMatchesChain(price),
  ]),
  {
    words: 'progress = sold ÷ to sell',
    fields: [...tokenFields, 'pool_current_sale_progress_percentage'],
    holds: (sample, units) =>
      sample.nearlyAll((row) => {
        const [toSell, sold] = tokenFields.map((field) => numberOf(row, field, units))
        const stated = numberOf(row, 'pool_current_sale_progress_percentage', units)
        if (toSell === undefined || sold === undefined || stated === undefined || toSell === 0) {
          return undefined
        }
        return Math.abs(sold / toSell - stated) <= 0.01 + 0.02 * stated
      }),
  },
  {
    words: 'sold is part of what is for sale',
    fields: tokenFields,
    holds: (sample, units) =>
      sample.nearlyAll((row) => {
        const [toSell, sold] = tokenFields.map((field) => numberOf(row, field, units))
        return toSell === undefined || sold === undefined ? undefined : sold <= toSell * 1.0001
      }),
  },
  {
    words: 'at least one token is for sale',
    fields: ['pool_config_num_tokens_to_sell'],
    holds: (sample, units) =>
      sample.nearlyAll((row) => {
        const toSell = numberOf(row, 'pool_config_num_tokens_to_sell', units)
        return toSell === undefined || toSell === 0 ? undefined : isWithin(toSell, supplies)
      }),
  },
  {
    words: 'progress is between nothing and all',
    fields: ['pool_current_sale_progress_percentage'],
    holds: (sample, units) =>
      sample.nearlyAll((row) => {
        const stated = numberOf(row, 'pool_current_sale_progress_percentage', units)
        return stated === undefined ? undefined : stated >= 0 && stated <= 1.0001
      }),
  },
  {
    words: 'what graduated has sold more than a twentieth',
    fields: ['pool_current_sale_progress_percentage'],
    holds: (sample, units) =>
      sample.nearlyAll((row) => {
        const stated = numberOf(row, 'pool_current_sale_progress_percentage', units)
        return stated === undefined || row.isAuction ? undefined : stated >= 0.05
      }),
  },
  {
    words: 'nothing falls by more than 100%',
    fields: ['pool_price_change_24h'],
    holds: (sample, units) =>
      sample.nearlyAll(
        (row) => {
          const change = numberOf(row, 'pool_price_change_24h', units)
          return change === undefined ? undefined : change >= -1.0001
        },
        { least: 0.98 },
      ),
  },
  {
    words: 'the change in 24 h is of the size of what this bot recorded',
    fields: ['pool_price_change_24h'],
    holds: (sample, units) => {
      const changes = sample.measured((row) => {
        const change = numberOf(row, 'pool_price_change_24h', units)
        if (row.seen === undefined || Math.abs(row.seen) < minChange) return undefined
        return change === undefined ? undefined : Math.abs(change / row.seen)
      })
      if (changes.length < minChanges) return undefined
      return isWithin(median(changes), plausibleChange)
    },
  },
  ratio(
    'pool_current_total_proceeds',
    'pool_config_max_proceeds',
    [0, 1.05],
    'raised is at most the maximum',
  ),
  ratio(
    'pool_config_min_proceeds',
    'pool_config_max_proceeds',
    minPerMax,
    'minimum is part of the maximum',
  ),
  ratioAlikeForAllQuotes(
    'pool_config_min_proceeds',
    'pool_config_max_proceeds',
    30,
    'minimum ÷ maximum',
  ),
  ...(['pool_market_cap', 'pool_current_market_cap'] as const).flatMap((cap) => [
    ratio('pool_liquidity', cap, liquidityPerCap, 'liquidity is at most the market cap'),
    ratio('pool_current_liquidity', cap, liquidityPerCap, 'liquidity is at most the market cap'),
    ratioAlikeForAllQuotes('pool_liquidity', cap, 1000, 'liquidity ÷ market cap'),
    ratioAlikeForAllQuotes('pool_current_liquidity', cap, 1000, 'liquidity ÷ market cap'),
    ratio(
      'pool_volume_usd_24h',
      cap,
      volumePerCap,
      'a day’s volume is within a thousand market caps',
    ),
  ]),
  amountMatchesChain('pool_config_num_tokens_to_sell', 'toSell', 'to sell as the chain says'),
  amountMatchesChain('pool_current_total_tokens_sold', 'sold', 'sold as the chain says'),
  raisedMatchesChain('pool_current_total_proceeds'),
]

/**
 * Judges the unit of each numeric field in the sample.
 * @example judgeUnits(assets, defaultUnits).filter(({ verdict }) => verdict === 'wrong')
 */
export function judgeUnits(
  assets: readonly Asset[],
  units: Units,
  {
    truths = [],
    seen = new Map(),
  }: { truths?: readonly Truth[]; seen?: SeenChanges | undefined } = {},
): UnitFinding[] {
  const sample = new Sample(assets, truths, seen)
  const present: Assignment = new Map(fieldsOf(units))
  const core = sample.solve(coreFields, [new Map()], present)
  const outer = outerFields.flatMap(
    (fields) => sample.solve(fields, core.solutions, present).findings,
  )
  return sample.together([...core.findings, ...outer], present)
}

function* fieldsOf(units: Units): Iterable<[UnitField, Unit]> {
  for (const field of candidates.keys()) yield [field, units[field]]
}

/** Max solutions; with more the search ends undecided. */
const maxSolutions = 20_000

class Sample {
  readonly #rows: readonly Row[]
  readonly #results = new Map<string, boolean | undefined>()

  constructor(assets: readonly Asset[], truths: readonly Truth[], seen: SeenChanges) {
    const byAsset = new Map(truths.map((truth) => [truth.asset.toLowerCase(), truth]))
    this.#rows = assets.map((asset) => {
      const address = asset.asset_address.toLowerCase()
      return rowOf(asset, byAsset.get(address), seen.get(address))
    })
  }

  /** Whether nearly all rows that a test can decide pass it; undefined if there are too few. */
  nearlyAll(
    test: (row: Row) => boolean | undefined,
    { least = minPart, rows = minRows }: { least?: number; rows?: number } = {},
  ): boolean | undefined {
    const results = this.#rows.map(test).filter((each) => each !== undefined)
    if (results.length < rows) return undefined
    return results.filter(Boolean).length >= results.length * least
  }

  /** Returns the values of a measure over all rows, sorted. */
  measured(measure: (row: Row) => number | undefined): number[] {
    return this.#rows
      .map(measure)
      .filter((each): each is number => each !== undefined && Number.isFinite(each))
      .sort((one, other) => one - other)
  }

  /** Returns the values of a measure, sorted, per quote token. */
  byQuote(measure: (row: Row) => number | undefined): number[][] {
    const groups = Map.groupBy(
      this.#rows.flatMap((row) => {
        const value = measure(row)
        return value === undefined || !Number.isFinite(value) ? [] : [{ quote: row.quote, value }]
      }),
      ({ quote }) => quote,
    )
    return [...groups.values()].map((all) =>
      all.map(({ value }) => value).sort((one, other) => one - other),
    )
  }

  /** Finds all assignments of these fields that extend one of `from`, and the finding for each field. */
  solve(
    fields: readonly UnitField[],
    from: readonly Assignment[],
    present: Assignment,
  ): { solutions: readonly Assignment[]; findings: UnitFinding[] } {
    const presentFields = fields.filter((field) => this.#rows.some(({ raw }) => raw.has(field)))
    const domains = new Map(presentFields.map((field) => [field, this.#domain(field, present)]))
    const full = this.#extend(from, presentFields, domains, identities)
    if (!full)
      return {
        solutions: from,
        findings: presentFields.map((field) => undecidedFinding(field, present)),
      }
    const solutions = full.length > 0 ? full : this.#withoutOne(from, presentFields, domains)
    const findings = presentFields.map((field) =>
      this.#finding(field, solutions, present, full.length > 0),
    )
    return { solutions: solutions.length > 0 ? solutions : from, findings }
  }

  /**
   * Corrects findings of fields whose units fit one by one, each with other units of the rest, but not as they are
   * configured together.
   */
  together(findings: readonly UnitFinding[], present: Assignment): UnitFinding[] {
    const conflicts = new Map<UnitField, string>()
    for (const each of identities) {
      const ownFindings = each.fields.map((field) =>
        findings.find((finding) => finding.field === field),
      )
      if (ownFindings.some((finding) => !finding?.fits) || this.#holds(each, present) !== false)
        continue
      for (const field of each.fields) conflicts.set(field, each.words)
    }
    return findings.map((finding) => {
      const words = conflicts.get(finding.field)
      if (words === undefined || finding.verdict === 'well') return finding
      return {
        ...finding,
        fits: false,
        detail: `breaks, as others are set: ${words}; ${finding.detail}`,
      }
    })
  }

  /** Finds the assignments that satisfy all identities but those of one kind. */
  #withoutOne(
    from: readonly Assignment[],
    fields: readonly UnitField[],
    domains: ReadonlyMap<UnitField, readonly Unit[]>,
  ): readonly Assignment[] {
    const relevant = identities.filter((each) => each.fields.some((one) => fields.includes(one)))
    const kinds = new Set(relevant.map(({ words }) => words))
    return [...kinds].flatMap((kind) => {
      const others = identities.filter(({ words }) => words !== kind)
      return this.#extend(from, fields, domains, others) ?? []
    })
  }

  /** Extends the assignments by these fields; undefined if there are too many. */
  #extend(
    from: readonly Assignment[],
    fields: readonly UnitField[],
    domains: ReadonlyMap<UnitField, readonly Unit[]>,
    all: readonly Identity[],
  ): readonly Assignment[] | undefined {
    let found = from
    for (const field of fields) {
      const here = all.filter((each) => each.fields.includes(field))
      const next: Assignment[] = []
      for (const assignment of found) {
        for (const unit of domains.get(field) ?? []) {
          const units = new Map(assignment).set(field, unit)
          if (here.every((each) => this.#holds(each, units) !== false)) next.push(units)
        }
        if (next.length > maxSolutions) return undefined
      }
      found = next
    }
    return found
  }

  #holds(identity: Identity, units: Assignment): boolean | undefined {
    const chosenUnits = identity.fields.map((field) => units.get(field))
    // An identity is not judged until all its fields have a unit; fields that the sample lacks never get one.
    if (chosenUnits.includes(undefined)) return undefined
    const key = `${identities.indexOf(identity)} ${chosenUnits.join(' ')}`
    if (!this.#results.has(key)) this.#results.set(key, identity.holds(this, units))
    return this.#results.get(key)
  }

  /** Returns one unit of each class that reads the sample alike, preferring the configured one. */
  #domain(field: UnitField, present: Assignment): readonly Unit[] {
    const own = present.get(field)
    const preferred = [own, defaultUnits[field], ...(candidates.get(field) ?? [])].filter(
      (unit) => unit !== undefined && unit !== unknownUnit,
    )
    const classes = new Map<string, Unit>()
    for (const unit of preferred) {
      const key = this.#readingKey(field, unit) ?? this.#ownClass(field, unit)
      if (key !== undefined && !classes.has(key)) classes.set(key, unit)
    }
    return [...classes.values()]
  }

  /** A key that is equal for units which read the sample alike; undefined if the field can't be in this unit. */
  #readingKey(field: UnitField, unit: Unit): string | undefined {
    const rows = this.#rows.filter(({ raw }) => raw.has(field))
    // Dollars and quote tokens are equivalent only if every quote token is worth a dollar.
    const isAlike = this.#rows.every(({ rate }) => rate === plausibleRates.dollar)
    const readings = rows.map((row) => {
      const places = placesOf(row, unit)
      const isDollar = isMoney(unit) && (isInDollars(unit) || isAlike)
      return {
        places,
        text: `${places} ${isMoney(unit) ? isDollar : ''} ${unit === 'percent'}`,
        row,
      }
    })
    const readable = readings.filter(({ places }) => places !== undefined)
    if (readable.length === 0) return undefined
    const integers = readable.filter(
      ({ places, row }) => places === 0 || row.raw.get(field)?.isWhole === true,
    )
    if (integers.length < readable.length * minPart) return undefined
    return readable.map(({ text }) => text).join()
  }

  /** Returns the unit itself if it is in base units of tokens whose decimals are unknown. */
  #ownClass(field: UnitField, unit: Unit): string | undefined {
    const rows = this.#rows.filter(({ raw }) => raw.has(field))
    return rows.every((row) => placesOf(row, unit) === undefined) ? unit : undefined
  }

  #finding(
    field: UnitField,
    solutions: readonly Assignment[],
    present: Assignment,
    isWhole: boolean,
  ): UnitFinding {
    const fits = [...new Set(solutions.map((units) => units.get(field)))].filter(
      (unit) => unit !== undefined,
    )
    const own = present.get(field) ?? unknownUnit
    const [only] = fits
    const isOwn = fits.includes(own)
    const hide = own === unknownUnit ? {} : ({ better: unknownUnit } as const)
    if (!isWhole || fits.length === 0) {
      const broken = this.#broken(field, solutions, present)
      const detail = `no unit fits: ${broken}`
      const isHidden = fits.length > 0 && !isOwn
      return {
        field,
        unit: own,
        verdict: 'unknown',
        fits: false,
        detail,
        ...(isHidden && hide),
      }
    }
    if (own === unknownUnit && fits.length > 1) {
      const detail = `not shown: can’t tell which it is: ${fits.join(', ')}`
      return { field, unit: own, verdict: 'unknown', fits: false, detail }
    }
    if (fits.length === 1 && isOwn) {
      return {
        field,
        unit: own,
        verdict: 'well',
        fits: true,
        detail: this.#proof(field, solutions),
      }
    }
    if (isOwn) {
      const others = fits.filter((unit) => unit !== own).join(', ')
      return {
        field,
        unit: own,
        verdict: 'unknown',
        fits: true,
        detail: `can’t tell: ${others} would fit, too`,
      }
    }
    const breaks =
      own === unknownUnit
        ? 'not shown so far, but it can be told'
        : `“${own}” breaks: ${this.#broken(field, solutions, present)}`
    return fits.length === 1 && only !== undefined
      ? { field, unit: own, verdict: 'wrong', fits: false, detail: breaks, better: only }
      : {
          field,
          unit: own,
          verdict: 'wrong',
          fits: false,
          detail: `${breaks}; can’t tell which it is: ${fits.join(', ')}`,
          ...hide,
        }
  }

  /** Describes the first identity that the configured unit breaks, given the other fields' solutions. */
  #broken(field: UnitField, solutions: readonly Assignment[], present: Assignment): string {
    const own = present.get(field)
    if (own === undefined) return 'it has no unit'
    if (own === unknownUnit) return 'what the other figures say'
    if (this.#readingKey(field, own) === undefined) {
      return `${this.#example(field)} is no whole number of base units`
    }
    for (const solution of [...solutions.slice(0, 50), present]) {
      const units = new Map(solution).set(field, own)
      const broken = identities.find(
        (each) => each.fields.includes(field) && this.#holds(each, units) === false,
      )
      if (broken) return `${broken.words} (${this.#example(field)})`
    }
    return 'what the other figures say'
  }

  #proof(field: UnitField, [solution]: readonly Assignment[]): string {
    const holding = identities.filter(
      (each) => each.fields.includes(field) && solution && this.#holds(each, solution) === true,
    )
    const words = [...new Set(holding.map((each) => each.words))].slice(0, 2)
    return words.length > 0
      ? words.join('; ')
      : 'the only unit that is left; not shown where nobody says how many decimals a token has'
  }

  #example(field: UnitField): string {
    const row = this.#rows.find(({ raw }) => (raw.get(field)?.number ?? 0) !== 0) ?? this.#rows[0]
    return `${field} ${row?.raw.get(field)?.text ?? ''}`
  }
}

function undecidedFinding(field: UnitField, present: Assignment): UnitFinding {
  const unit = present.get(field) ?? unknownUnit
  return {
    field,
    unit,
    verdict: 'unknown',
    fits: true,
    detail: 'can’t tell: too little is said of it',
  }
}

/** Integers below this were truncated too much to use. */
const minDigits = 1000

function isShare(field: UnitField): boolean {
  return shareFields.some((each) => each === field)
}

const plausibleRates = {
  dollar: [0.8, 1.25],
  ether: [100, 100_000],
  other: [1e-9, 1e9],
} as const satisfies Record<string, Span>

function rowOf(asset: Asset, truth: Truth | undefined, seen: number | undefined): Row {
  const pool = currentPool(asset)
  const auction = asset.auction_pool
  const current = tradingPool(asset)
  const rawTexts: Partial<Record<UnitField, string | undefined>> = {
    ...current?.pool_market_data,
    pool_current_price: current?.pool_current_price,
    pool_current_market_cap: current?.pool_current_market_cap,
    pool_current_liquidity: current?.pool_current_liquidity,
    pool_current_total_proceeds: auction?.pool_current_total_proceeds,
    pool_config_min_proceeds: auction?.pool_config_min_proceeds,
    pool_config_max_proceeds: auction?.pool_config_max_proceeds,
    pool_current_total_tokens_sold: auction?.pool_current_total_tokens_sold,
    pool_config_num_tokens_to_sell: auction?.pool_config_num_tokens_to_sell,
    pool_current_sale_progress_percentage: auction?.pool_current_sale_progress_percentage,
  }
  const raw = [...candidates.keys()].flatMap((field) => {
    const text = rawTexts[field]
    const value = decimal(text)
    // A change may be negative, an amount may not.
    if (text === undefined || !value || (value.lt(0) && field !== 'pool_price_change_24h'))
      return []
    const isWhole = value.round(0, Big.roundDown).eq(value)
    if (isWhole && value.gt(0) && value.lt(minDigits) && !isShare(field)) return []
    return [[field, { text, number: Number(value), isWhole }] as const]
  })
  const known = decimalsIn(asset)
  return {
    asset: asset.asset_address,
    quote: asset.asset_numeraire_address?.toLowerCase() ?? '',
    rate: plausibleRates[quoteKind(asset.asset_numeraire_address)],
    decimals: {
      quote: known.quote ?? truth?.quoteDecimals,
      token: known.token ?? truth?.tokenDecimals,
    },
    isAuction: pool === 'auction',
    raw: new Map(raw),
    truth,
    seen,
  }
}

function isMoney(unit: Unit): unit is MoneyUnit {
  return moneyUnits.some((each) => each === unit)
}

function isTokens(unit: Unit): unit is TokenUnit {
  return tokenUnits.some((each) => each === unit)
}

function placesOf({ decimals }: Row, unit: Unit): number | undefined {
  return isMoney(unit) || isTokens(unit) ? decimalsOf(unit, decimals) : 0
}

/** The number that a field of a row holds in its unit. */
function numberOf(row: Row, field: UnitField, units: Assignment): number | undefined {
  const raw = row.raw.get(field)
  const unit = units.get(field)
  if (!raw || unit === undefined) return undefined
  if (unit === 'percent') return raw.number / 100
  const places = placesOf(row, unit)
  return places === undefined ? undefined : raw.number / 10 ** places
}

/** Range of an amount in dollars; wide if it is in quote tokens. */
function dollarsOf(row: Row, field: UnitField, units: Assignment): Span | undefined {
  const value = numberOf(row, field, units)
  const unit = units.get(field)
  if (value === undefined || value === 0 || unit === undefined || !isMoney(unit)) return undefined
  return isInDollars(unit) ? [value, value] : [value * row.rate[0], value * row.rate[1]]
}

function inDollars(field: UnitField, units: Assignment): boolean {
  const unit = units.get(field)
  return unit !== undefined && isMoney(unit) && isInDollars(unit)
}

/** Quotient of two amounts of money; a range if only one is in dollars. */
function quotientOf(
  row: Row,
  [upper, lower]: readonly [UnitField, UnitField],
  units: Assignment,
): Span | undefined {
  const [above, below] = [numberOf(row, upper, units), numberOf(row, lower, units)]
  if (above === undefined || below === undefined || above === 0 || below === 0) return undefined
  const plain = above / below
  const [upperUsd, lowerUsd] = [inDollars(upper, units), inDollars(lower, units)]
  if (upperUsd === lowerUsd) return [plain, plain]
  const [least, most] = row.rate
  return upperUsd ? [plain / most, plain / least] : [plain * least, plain * most]
}

function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Identities for a market cap's magnitude; other fields have none of their own. */
function capIdentities(field: UnitField): Identity[] {
  if (!field.endsWith('market_cap')) return []
  return [
    {
      words: 'a market cap is between a dollar and billions',
      fields: [field],
      holds: (sample, units) => {
        const isAny = sample.nearlyAll((row) => {
          const cap = dollarsOf(row, field, units)
          return cap && meet(cap, anyCap ?? cap)
        })
        const ends = [0, 1].map((end) =>
          sample
            .byQuote((row) => dollarsOf(row, field, units)?.[end])
            .flat()
            .sort((one, other) => one - other),
        )
        const [least = [], most = []] = ends
        if (isAny === undefined || least.length === 0) return undefined
        return isAny && meet([median(least), median(most)], medianCap ?? [0, 0])
      },
    },
    alikeForAllQuotes([field], 1e4, 'a market cap', (row, units) => dollarsOf(row, field, units)),
    alikeForAllQuotes(
      [field],
      300,
      'a market cap',
      (row, units) => dollarsOf(row, field, units),
      15,
    ),
  ]
}

/** Requires two fields for one quantity to be equal; in different currencies, up to one rate per quote token. */
function sameQuantity(one: UnitField, other: UnitField, words: string): Identity {
  return {
    words: `${words}, or one rate apart`,
    fields: [one, other],
    holds: (sample, units) => {
      const isSame = sample.nearlyAll((row) => {
        const quotient = quotientOf(row, [one, other], units)
        return quotient && meet(quotient, sameValue)
      })
      if (isSame !== true || inDollars(one, units) === inDollars(other, units)) return isSame
      const implied = sample.byQuote((row) => {
        const [left, right] = [numberOf(row, one, units), numberOf(row, other, units)]
        return left && right ? left / right : undefined
      })
      return implied.every((sorted) => {
        const low = sorted[Math.floor(sorted.length * 0.1)] ?? 1
        const high = sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 1
        return high <= low * 1.5
      })
    },
  }
}

function supplyIdentities(price: UnitField, cap: UnitField): Identity[] {
  const toSell = 'pool_config_num_tokens_to_sell'
  const perSale = (row: Row, units: Assignment) =>
    perToken(quotientOf(row, [cap, price], units), numberOf(row, toSell, units))
  return [
    {
      words: 'market cap = price × supply, of which at least a hundredth is for sale',
      fields: [price, cap, toSell],
      holds: (sample, units) => {
        const isPart = sample.nearlyAll((row) => {
          const part = perSale(row, units)
          return part && meet(part, supplyPerSale)
        })
        const least = sample.measured((row) => perSale(row, units)?.[0])
        const common = least[Math.floor(least.length * 0.1)] ?? 0
        return isPart && common <= commonSupplyPerSale
      },
    },
    alikeForAllQuotes([price, cap, toSell], 30, 'market cap ÷ price ÷ to sell', perSale),
  ]
}

/** Requires an amount of money to be of the size of count × price, while the auction goes on. */
function costIdentities(
  [price, money, count]: readonly [UnitField, UnitField, UnitField],
  bounds: Span,
  words: string,
): Identity[] {
  const perPrice = (row: Row, units: Assignment) =>
    row.isAuction && (row.raw.get(money)?.number ?? 0) < unlimited
      ? perToken(quotientOf(row, [money, price], units), numberOf(row, count, units))
      : undefined
  return [
    {
      words,
      fields: [price, money, count],
      holds: (sample, units) =>
        sample.nearlyAll((row) => {
          const part = perPrice(row, units)
          return part && meet(part, bounds)
        }),
    },
    alikeForAllQuotes(
      [price, money, count],
      30,
      words.replace('≈', '÷').replace('×', '÷'),
      perPrice,
    ),
  ]
}

function perToken(span: Span | undefined, count: number | undefined): Span | undefined {
  return span && count ? [span[0] / count, span[1] / count] : undefined
}

function ratio(upper: UnitField, lower: UnitField, bounds: Span, words: string): Identity {
  return {
    words,
    fields: [upper, lower],
    holds: (sample, units) =>
      sample.nearlyAll((row) => {
        if ((row.raw.get(lower)?.number ?? 0) >= unlimited) return undefined
        const quotient = quotientOf(row, [upper, lower], units)
        return quotient && meet(quotient, bounds)
      }),
  }
}

/** Requires the median of a quotient to be alike for all quote tokens; with a wrong currency it is not. */
function alikeForAllQuotes(
  fields: readonly UnitField[],
  maxFactor: number,
  what: string,
  quotient: (row: Row, units: Assignment) => Span | undefined,
  rows = minEach,
): Identity {
  return {
    words: `${what} is alike for all quote tokens`,
    fields,
    holds: (sample, units) => {
      const [least = [], most = []] = [0, 1].map((end) =>
        sample
          .byQuote((row) => quotient(row, units)?.[end])
          .filter(({ length }) => length >= rows)
          .map(median),
      )
      if (least.length < 2) return undefined
      return Math.max(...least) <= Math.min(...most) * maxFactor
    },
  }
}

function ratioAlikeForAllQuotes(
  upper: UnitField,
  lower: UnitField,
  apart: number,
  what: string,
): Identity {
  return alikeForAllQuotes([upper, lower], apart, what, (row, units) =>
    quotientOf(row, [upper, lower], units),
  )
}

function supplyMatchesChain(price: UnitField, cap: UnitField): Identity {
  return {
    words: 'market cap ÷ price = supply on the chain',
    fields: [price, cap],
    holds: (sample, units) =>
      sample.nearlyAll(
        (row) => {
          const supply = quotientOf(row, [cap, price], units)
          const known = Number(row.truth?.supply ?? 0)
          return supply && known > 0 ? meet(scaled(supply, known), matchingChain) : undefined
        },
        { rows: 1 },
      ),
  }
}

function priceMatchesChain(price: UnitField): Identity {
  return {
    words: 'the price as the chain’s pool has it',
    fields: [price],
    holds: (sample, units) =>
      sample.nearlyAll(
        (row) => {
          const known = Number(row.truth?.price ?? 0)
          const value = numberOf(row, price, units)
          if (!value || known <= 0) return undefined
          const quotient = value / known
          return inDollars(price, units)
            ? isWithin(quotient, row.rate)
            : isWithin(quotient, sameValue)
        },
        { rows: 1 },
      ),
  }
}

function amountMatchesChain(field: UnitField, part: 'toSell' | 'sold', words: string): Identity {
  return {
    words,
    fields: [field],
    holds: (sample, units) =>
      sample.nearlyAll(
        (row) => {
          const known = Number(row.truth?.[part] ?? 0)
          const value = numberOf(row, field, units)
          return value && known > 0 ? isWithin(value / known, sameValue) : undefined
        },
        { rows: 1 },
      ),
  }
}

function raisedMatchesChain(field: UnitField): Identity {
  return {
    words: 'raised as the chain says',
    fields: [field],
    holds: (sample, units) =>
      sample.nearlyAll(
        (row) => {
          const known = Number(row.truth?.raised ?? 0)
          const value = numberOf(row, field, units)
          if (!value || known <= 0) return undefined
          return isWithin(value / known, inDollars(field, units) ? row.rate : sameValue)
        },
        { rows: 1 },
      ),
  }
}

function scaled([least, most]: Span, by: number): Span {
  return [least / by, most / by]
}
