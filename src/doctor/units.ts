import { currentPool, fieldsOf } from '../api/asset.ts'
import { decimalsIn } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import {
  type Decimals,
  decimal,
  decimalsOf,
  defaultUnits,
  dollarUnits,
  isInDollars,
  isInteger,
  type MoneyUnit,
  moneyUnits,
  type NumberRange,
  overlap,
  shareUnits,
  type TokenUnit,
  tokenUnits,
  type Unit,
  type UnitField,
  type Units,
  unknownUnit,
} from '../api/units.ts'
import { quoteKind } from '../chain/chains.ts'
import type { ChainFacts, RecordedChanges } from './facts.ts'

// Proves units by arithmetic. Each identity below holds for the right units over nearly all assets of a sample, and a
// wrong unit breaks it by orders of magnitude. All units of all fields are tried together; a unit is proved if it is
// the only one of its field with which every identity can hold.

/**
 * Result for the unit of a field. `ok`: proved. `unknown`: several would fit, or none does. `wrong`: it breaks an
 * identity; `better` is the only one that breaks none, or `unknown` if several break none: a wrong figure is better
 * hidden.
 */
export interface UnitFinding {
  field: UnitField
  /** The configured unit. */
  unit: Unit
  verdict: 'ok' | 'wrong' | 'unknown'
  /** Whether every identity holds with the configured unit. */
  fits: boolean
  /** The deciding identities, for people. */
  detail: string
  better?: Unit
}

const prices = ['pool_price', 'pool_current_price'] as const
const caps = ['pool_market_cap', 'pool_current_market_cap'] as const
const liquidities = ['pool_liquidity', 'pool_current_liquidity'] as const
const volume = 'pool_volume_usd_24h'
const toSell = 'pool_config_num_tokens_to_sell'
const sold = 'pool_current_total_tokens_sold'
const progress = 'pool_current_sale_progress_percentage'
const change = 'pool_price_change_24h'
const raised = 'pool_current_total_proceeds'
const maximum = 'pool_config_max_proceeds'
const minimum = 'pool_config_min_proceeds'

/** Core fields in the order in which units are tried: those that rule out most combinations first. */
const coreFields: readonly UnitField[] = [
  ...prices,
  ...caps,
  toSell,
  sold,
  progress,
  raised,
  maximum,
]
/** Fields that no identity between core fields uses; each group is solved on its own. */
const outerFields: readonly (readonly UnitField[])[] = [[minimum], liquidities, [volume], [change]]

const moneyFields = [...prices, ...caps, raised, maximum, minimum, ...liquidities] as const
const candidates: ReadonlyMap<UnitField, readonly Unit[]> = new Map<UnitField, readonly Unit[]>([
  ...moneyFields.map((field) => [field, moneyUnits] as const),
  [volume, dollarUnits],
  [toSell, tokenUnits],
  [sold, tokenUnits],
  [progress, shareUnits],
  [change, shareUnits],
])

/** The values that fields are compared with: the chain's figures (`price` and `raised` in quote tokens), and the bot's records; 0 if unknown. */
interface Facts {
  supply: number
  toSell: number
  sold: number
  price: number
  raised: number
  /** Price change in about a day that the bot recorded, as a ratio. */
  recorded: number
}

type Term = UnitField | { fact: keyof Facts }

/** One asset of the sample: the raw values, and facts about its tokens. */
interface Row {
  quote: string
  /** Plausible dollars per quote token. */
  rate: NumberRange
  decimals: Decimals
  /** Whether its price is the auction's, so that sold and raised belong to it. */
  isAuction: boolean
  raw: ReadonlyMap<UnitField, { text: string; number: number; isInteger: boolean }>
  facts: Facts
}

type Assignment = ReadonlyMap<UnitField, Unit>
type Measure = (row: Row, units: Assignment) => NumberRange | undefined
/** The values of a measure over all rows that have one. */
type Values = readonly { quote: string; span: NumberRange }[]
/** Undefined if there are too few values to decide. */
type Test = (values: Values) => boolean | undefined

/** An identity between fields: what is measured in each asset, and what must hold for the values. */
interface Identity {
  words: string
  fields: readonly UnitField[]
  measure: Measure
  tests: readonly Test[]
}

// Bounds with a wide margin. Quantities that only have to be of the same magnitude may differ by a factor of a
// thousand: no two units but usd6 and usd8 are closer.

/** The part of the sample that has to satisfy an identity: some assets have nonsensical figures on purpose. */
const minPart = 0.8
/** Min assets that can prove an identity; a single one whose figures the chain has. */
const minRows = 5
const byChain = { rows: 1 }
const sameValue: NumberRange = [1 / 1.5, 1.5]
const supplies: NumberRange = [1, 1e18]
/** A maximum from this value on means that there is none. */
const unlimited = 1e37
/** Min recorded change to compare with. */
const minChange = 0.02

const identities: readonly Identity[] = [
  ...caps.flatMap((cap) => [
    quotient(
      'a market cap is between a dollar and billions',
      [cap],
      [nearlyAll([1e-2, 1e12]), quantile(0.5, [1, 1e10])],
    ),
    // The more assets of each quote token, the closer their medians.
    quotient(
      'a market cap is alike for all quote tokens',
      [cap],
      [alikeForAllQuotes(1e4), alikeForAllQuotes(300, 15)],
    ),
  ]),
  ...(
    [
      [prices, 'price of the market data = price of the pool'],
      [caps, 'both market caps are the same'],
      [liquidities, 'both liquidities are the same'],
    ] as const
  ).map(([fields, words]) =>
    quotient(`${words}, or one rate apart`, fields, [nearlyAll(sameValue), oneRate]),
  ),
  ...prices.flatMap((price) => [
    ...caps.flatMap((cap) => [
      // At least a tenth of all assets sell at least a hundredth of the supply.
      quotient(
        'market cap = price × supply, of which at least a hundredth is for sale',
        [cap, price, toSell],
        [nearlyAll([0.999, 1e5]), quantile(0.1, [0, 100])],
      ),
      quotient(
        'market cap ÷ price ÷ to sell is alike for all quote tokens',
        [cap, price, toSell],
        [alikeForAllQuotes(30)],
      ),
      quotient(
        'market cap ÷ price = supply on the chain',
        [cap, price, { fact: 'supply' }],
        [nearlyAll([0.95, 1.05], byChain)],
      ),
      quotient('market cap ÷ price is a supply', [cap, price], [nearlyAll(supplies)]),
    ]),
    // The mean price differs from the last one.
    ...duringAuction('raised ≈ sold × price', [raised, price, sold], [0.02, 50]),
    ...duringAuction('maximum ≈ to sell × price', [maximum, price, toSell], [0.015, 70]),
    quotient(
      'the price as the chain’s pool has it',
      [price, { fact: 'price' }],
      [nearlyAll(sameValue, byChain)],
    ),
  ]),
  {
    words: 'progress = sold ÷ to sell',
    fields: [toSell, sold, progress],
    measure: (row, units) => {
      const [all, part] = [read(row, toSell, units), read(row, sold, units)]
      const stated = read(row, progress, units)
      if (!all || part === undefined || stated === undefined) return undefined
      return pointRange(Math.abs(part / all - stated) / (0.01 + 0.02 * stated))
    },
    tests: [nearlyAll([0, 1])],
  },
  quotient('sold is part of what is for sale', [sold, toSell], [nearlyAll([0, 1.0001])]),
  quotient('at least one token is for sale', [toSell], [nearlyAll(supplies)]),
  quotient('progress is between nothing and all', [progress], [nearlyAll([0, 1.0001])]),
  {
    words: 'what graduated has sold more than a twentieth',
    fields: [progress],
    measure: (row, units) => (row.isAuction ? undefined : quotientOf(row, [progress], units)),
    tests: [nearlyAll([0.05, Number.POSITIVE_INFINITY])],
  },
  quotient(
    'nothing falls by more than 100%',
    [change],
    [nearlyAll([-1.0001, Number.POSITIVE_INFINITY], { part: 0.98 })],
  ),
  {
    words: 'the change in 24 h is of the size of what this bot recorded',
    fields: [change],
    measure: (row, units) => {
      const { recorded } = row.facts
      const stated = read(row, change, units)
      if (Math.abs(recorded) < minChange || stated === undefined) return undefined
      return pointRange(Math.abs(stated / recorded))
    },
    tests: [quantile(0.5, [0.2, 5], 4)],
  },
  quotient('raised is at most the maximum', [raised, maximum], [nearlyAll([0, 1.05])]),
  quotient('minimum is part of the maximum', [minimum, maximum], [nearlyAll([1e-6, 1.0001])]),
  quotient(
    'minimum ÷ maximum is alike for all quote tokens',
    [minimum, maximum],
    [alikeForAllQuotes(30)],
  ),
  ...caps.flatMap((cap) => [
    ...liquidities.flatMap((liquidity) => [
      quotient('liquidity is at most the market cap', [liquidity, cap], [nearlyAll([1e-7, 3])]),
      quotient(
        'liquidity ÷ market cap is alike for all quote tokens',
        [liquidity, cap],
        [alikeForAllQuotes(1000)],
      ),
    ]),
    quotient(
      'a day’s volume is within a thousand market caps',
      [volume, cap],
      [nearlyAll([1e-9, 1e3])],
    ),
  ]),
  quotient(
    'to sell as the chain says',
    [toSell, { fact: 'toSell' }],
    [nearlyAll(sameValue, byChain)],
  ),
  quotient('sold as the chain says', [sold, { fact: 'sold' }], [nearlyAll(sameValue, byChain)]),
  quotient(
    'raised as the chain says',
    [raised, { fact: 'raised' }],
    [nearlyAll(sameValue, byChain)],
  ),
]

/** Makes an identity about the first term divided by the others. */
function quotient(words: string, terms: readonly Term[], tests: readonly Test[]): Identity {
  const fields = terms.filter((term) => typeof term === 'string')
  return { words, fields, measure: (row, units) => quotientOf(row, terms, units), tests }
}

/** Requires an amount of money to be of the size of count × price, while the auction goes on. */
function duringAuction(
  words: string,
  terms: readonly [UnitField, UnitField, UnitField],
  bounds: NumberRange,
): Identity[] {
  const measure: Measure = (row, units) =>
    row.isAuction ? quotientOf(row, terms, units) : undefined
  const alike = `${words.replace('≈', '÷').replace('×', '÷')} is alike for all quote tokens`
  return [
    { words, fields: terms, measure, tests: [nearlyAll(bounds)] },
    { words: alike, fields: terms, measure, tests: [alikeForAllQuotes(30)] },
  ]
}

/** Requires nearly all values to be within these bounds. */
function nearlyAll(bounds: NumberRange, { part = minPart, rows = minRows } = {}): Test {
  return (values) => {
    if (values.length < rows) return undefined
    return values.filter(({ span }) => overlap(span, bounds)).length >= values.length * part
  }
}

/** Requires the value that this share of all is below to be within these bounds. */
function quantile(share: number, bounds: NumberRange, rows = minRows): Test {
  return (values) => (values.length < rows ? undefined : overlap(quantileOf(values, share), bounds))
}

/** Requires the median to be alike for all quote tokens; with a wrong currency it is not. */
function alikeForAllQuotes(maxFactor: number, rows = minRows): Test {
  return (values) => {
    const medians = byQuote(values)
      .filter(({ length }) => length >= rows)
      .map((each) => quantileOf(each, 0.5))
    if (medians.length < 2) return undefined
    const [least, most] = [0, 1].map((end) => medians.map((span) => span[end] ?? 0))
    return Math.max(...(least ?? [])) <= Math.min(...(most ?? [])) * maxFactor
  }
}

/** Requires quotients of dollars and quote tokens to have one rate per quote token. */
function oneRate(values: Values): boolean | undefined {
  const mixed = values.filter(({ span: [least, most] }) => least !== most)
  return byQuote(mixed).every((each) => {
    const sorted = each.map(({ span }) => span[0]).sort((one, other) => one - other)
    const low = sorted[Math.floor(sorted.length * 0.1)] ?? 1
    const high = sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 1
    return high <= low * 1.5
  })
}

function byQuote(values: Values): Values[] {
  return [...Map.groupBy(values, ({ quote }) => quote).values()]
}

function quantileOf(values: Values, share: number): NumberRange {
  const at = Math.floor(values.length * share)
  const end = (index: 0 | 1) =>
    values.map(({ span }) => span[index]).sort((one, other) => one - other)[at] ?? Number.NaN
  return [end(0), end(1)]
}

/**
 * Judges the unit of each numeric field in the sample.
 * @example checkUnits(assets, defaultUnits).filter(({ verdict }) => verdict === 'wrong')
 */
export function checkUnits(
  assets: readonly Asset[],
  units: Units,
  {
    chainFacts = [],
    recorded = new Map(),
  }: { chainFacts?: readonly ChainFacts[]; recorded?: RecordedChanges | undefined } = {},
): UnitFinding[] {
  const byAsset = new Map(chainFacts.map((facts) => [facts.asset.toLowerCase(), facts]))
  const rows = assets.map((asset) => {
    const address = asset.asset_address.toLowerCase()
    return rowOf(asset, byAsset.get(address), recorded.get(address))
  })
  const configured = new Map([...candidates.keys()].map((field) => [field, units[field]] as const))
  const solver = new Solver(rows, configured)
  const core = solver.solve(coreFields, [new Map()])
  const outer = outerFields.flatMap((fields) => solver.solve(fields, core.solutions).findings)
  return solver.checkCombination([...core.findings, ...outer])
}

/** Max solutions; with more the search ends undecided. */
const maxSolutions = 20_000

class Solver {
  readonly #rows: readonly Row[]
  readonly #configured: Assignment
  readonly #results = new Map<string, boolean | undefined>()

  constructor(rows: readonly Row[], configured: Assignment) {
    this.#rows = rows
    this.#configured = configured
  }

  /** Finds all assignments of these fields that extend one of `from`, and the finding for each field. */
  solve(
    fields: readonly UnitField[],
    from: readonly Assignment[],
  ): { solutions: readonly Assignment[]; findings: UnitFinding[] } {
    const domains = new Map(
      fields
        .filter((field) => this.#rows.some(({ raw }) => raw.has(field)))
        .map((field) => [field, this.#domain(field)]),
    )
    const present = [...domains.keys()]
    const complete = this.#extend(from, domains, identities)
    if (!complete)
      return { solutions: from, findings: present.map((field) => this.#undecided(field)) }
    const solutions = complete.length > 0 ? complete : this.#withoutOne(from, domains)
    return {
      solutions: solutions.length > 0 ? solutions : from,
      findings: present.map((field) => this.#finding(field, solutions, complete.length > 0)),
    }
  }

  /**
   * Corrects findings of fields whose units fit one by one, each with other units of the rest, but not as they are
   * configured together.
   */
  checkCombination(findings: readonly UnitFinding[]): UnitFinding[] {
    const fitting = new Set(findings.filter(({ fits }) => fits).map(({ field }) => field))
    const conflicts = new Map(
      identities
        .filter(({ fields }) => fields.every((field) => fitting.has(field)))
        .filter((each) => this.#holds(each, this.#configured) === false)
        .flatMap(({ fields, words }) => fields.map((field) => [field, words] as const)),
    )
    return findings.map((finding) => {
      const words = conflicts.get(finding.field)
      if (words === undefined || finding.verdict === 'ok') return finding
      const detail = `breaks, as others are set: ${words}; ${finding.detail}`
      return { ...finding, fits: false, detail }
    })
  }

  /** Finds the assignments that satisfy all identities but those of one kind. */
  #withoutOne(
    from: readonly Assignment[],
    domains: ReadonlyMap<UnitField, readonly Unit[]>,
  ): readonly Assignment[] {
    const relevant = identities.filter(({ fields }) => fields.some((field) => domains.has(field)))
    const kinds = new Set(relevant.map(({ words }) => words))
    return [...kinds].flatMap((kind) => {
      const others = identities.filter(({ words }) => words !== kind)
      return this.#extend(from, domains, others) ?? []
    })
  }

  /** Extends the assignments by these fields; undefined if there are too many. */
  #extend(
    from: readonly Assignment[],
    domains: ReadonlyMap<UnitField, readonly Unit[]>,
    all: readonly Identity[],
  ): readonly Assignment[] | undefined {
    let found = from
    for (const [field, domain] of domains) {
      const relevant = all.filter(({ fields }) => fields.includes(field))
      const next: Assignment[] = []
      for (const assignment of found) {
        for (const unit of domain) {
          const units = new Map(assignment).set(field, unit)
          if (relevant.every((each) => this.#holds(each, units) !== false)) next.push(units)
        }
        if (next.length > maxSolutions) return undefined
      }
      found = next
    }
    return found
  }

  #holds(identity: Identity, units: Assignment): boolean | undefined {
    const chosen = identity.fields.map((field) => units.get(field))
    // An identity is not judged until all its fields have a unit; fields that the sample lacks never get one.
    if (chosen.includes(undefined)) return undefined
    const key = `${identities.indexOf(identity)} ${chosen.join(' ')}`
    if (!this.#results.has(key)) this.#results.set(key, this.#test(identity, units))
    return this.#results.get(key)
  }

  #test({ measure, tests }: Identity, units: Assignment): boolean | undefined {
    const values = this.#rows.flatMap((row) => {
      const span = measure(row, units)
      return span ? [{ quote: row.quote, span }] : []
    })
    const results = tests.map((test) => test(values)).filter((each) => each !== undefined)
    return results.length === 0 ? undefined : results.every(Boolean)
  }

  /** Returns one unit of each class that reads the sample alike, preferring the configured one. */
  #domain(field: UnitField): readonly Unit[] {
    const preferred = [
      this.#configured.get(field),
      defaultUnits[field],
      ...(candidates.get(field) ?? []),
    ].filter((unit) => unit !== undefined && unit !== unknownUnit)
    const classes = new Map<string, Unit>()
    for (const unit of preferred) {
      const key = this.#readingKey(field, unit)
      if (key !== undefined && !classes.has(key)) classes.set(key, unit)
    }
    return [...classes.values()]
  }

  /** A key that is equal for units which read the sample alike; undefined if the field can't be in this unit. */
  #readingKey(field: UnitField, unit: Unit): string | undefined {
    // Dollars and quote tokens are equivalent only if every quote token is worth a dollar.
    const isAlike = this.#rows.every(({ rate }) => rate === plausibleRates.dollar)
    const currency = isMoney(unit) && (isInDollars(unit) || isAlike ? 'usd' : 'quote')
    const readings = this.#rows.flatMap((row) => {
      const raw = row.raw.get(field)
      const places = placesOf(row, unit)
      return raw && places !== undefined ? [{ places, isInteger: raw.isInteger }] : []
    })
    // Base units of tokens whose decimals nobody knows.
    if (readings.length === 0) return unit
    const integers = readings.filter(({ places, isInteger }) => places === 0 || isInteger)
    if (integers.length < readings.length * minPart) return undefined
    return `${currency} ${unit === 'percent'} ${readings.map(({ places }) => places).join()}`
  }

  #finding(field: UnitField, solutions: readonly Assignment[], isComplete: boolean): UnitFinding {
    const fitting = [...new Set(solutions.map((units) => units.get(field)))].filter(
      (unit) => unit !== undefined,
    )
    const unit = this.#unitOf(field)
    const isOwn = fitting.includes(unit)
    const result = (verdict: UnitFinding['verdict'], detail: string, better?: Unit) => ({
      field,
      unit,
      verdict,
      fits: isComplete && isOwn,
      detail,
      ...(better !== undefined && better !== unit && { better }),
    })
    const [only, ...others] = fitting
    if (!isComplete || only === undefined) {
      const detail = `no unit fits: ${this.#broken(field, solutions)}`
      return result('unknown', detail, only === undefined || isOwn ? undefined : unknownUnit)
    }
    if (isOwn) {
      if (others.length === 0) return result('ok', this.#proof(field, solutions))
      const rest = fitting.filter((each) => each !== unit).join(', ')
      return result('unknown', `can’t tell: ${rest} would fit, too`)
    }
    const which = `can’t tell which it is: ${fitting.join(', ')}`
    if (unit === unknownUnit) {
      return others.length === 0
        ? result('wrong', 'not shown so far, but it can be told', only)
        : result('unknown', `not shown: ${which}`)
    }
    const breaks = `“${unit}” breaks: ${this.#broken(field, solutions)}`
    return others.length === 0
      ? result('wrong', breaks, only)
      : result('wrong', `${breaks}; ${which}`, unknownUnit)
  }

  #undecided(field: UnitField): UnitFinding {
    const detail = 'can’t tell: too little is said of it'
    return { field, unit: this.#unitOf(field), verdict: 'unknown', fits: true, detail }
  }

  #unitOf(field: UnitField): Unit {
    return this.#configured.get(field) ?? unknownUnit
  }

  /** Describes the first identity that the configured unit breaks, given the other fields' solutions. */
  #broken(field: UnitField, solutions: readonly Assignment[]): string {
    const own = this.#unitOf(field)
    if (own !== unknownUnit) {
      const example = this.#example(field)
      if (this.#readingKey(field, own) === undefined) {
        return `${example} is no whole number of base units`
      }
      for (const solution of [...solutions.slice(0, 50), this.#configured]) {
        const units = new Map(solution).set(field, own)
        const broken = identities.find(
          (each) => each.fields.includes(field) && this.#holds(each, units) === false,
        )
        if (broken) return `${broken.words} (${example})`
      }
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

/** Integers below this were truncated too much to use. */
const minDigits = 1000

const plausibleRates = {
  dollar: [0.8, 1.25],
  ether: [100, 100_000],
  other: [1e-9, 1e9],
} as const satisfies Record<string, NumberRange>

function rowOf(asset: Asset, onChain: ChainFacts | undefined, recorded: number | undefined): Row {
  const known = decimalsIn(asset)
  const texts = fieldsOf(asset)
  const raw = [...candidates.keys()].flatMap((field) => {
    const text = texts[field]
    const value = typeof text === 'string' ? decimal(text) : undefined
    // A change may be negative, an amount may not.
    if (typeof text !== 'string' || !value || (value.lt(0) && field !== change)) return []
    if (field === maximum && value.gte(unlimited)) return []
    const whole = isInteger(value)
    const isShare = field === progress || field === change
    if (whole && value.gt(0) && value.lt(minDigits) && !isShare) return []
    return [[field, { text, number: Number(value), isInteger: whole }] as const]
  })
  return {
    quote: asset.asset_numeraire_address?.toLowerCase() ?? '',
    rate: plausibleRates[quoteKind(asset.asset_numeraire_address)],
    decimals: {
      quote: known.quote ?? onChain?.quoteDecimals,
      token: known.token ?? onChain?.tokenDecimals,
    },
    isAuction: currentPool(asset) === 'auction',
    raw: new Map(raw),
    facts: {
      supply: Number(onChain?.supply ?? 0),
      toSell: Number(onChain?.toSell ?? 0),
      sold: Number(onChain?.sold ?? 0),
      price: Number(onChain?.price ?? 0),
      raised: Number(onChain?.raised ?? 0),
      recorded: recorded ?? 0,
    },
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

/** Reads the number that a field of a row holds in its unit, or a fact. */
function read(row: Row, term: Term, units: Assignment): number | undefined {
  if (typeof term !== 'string') return row.facts[term.fact]
  const raw = row.raw.get(term)
  const unit = units.get(term)
  if (!raw || unit === undefined) return undefined
  if (unit === 'percent') return raw.number / 100
  const places = placesOf(row, unit)
  return places === undefined ? undefined : raw.number / 10 ** places
}

/**
 * Divides the first term by the others, in dollars where it is money: a range of what it can be if amounts in quote
 * tokens don't cancel out. Undefined if a term is missing, or is an amount of 0.
 */
function quotientOf(row: Row, terms: readonly Term[], units: Assignment): NumberRange | undefined {
  const values = terms.map((term) => read(row, term, units)).filter((each) => each !== undefined)
  const isShare = terms[0] === progress || terms[0] === change
  const [first, ...others] = values
  if (first === undefined || values.length < terms.length) return undefined
  if (values.includes(0) && !isShare) return undefined
  const value = others.reduce((result, each) => result / each, first)
  const [isAbove, ...below] = terms.map((term) => isInQuote(term, units))
  const quotes = Number(isAbove) - below.filter(Boolean).length
  const [least, most] = row.rate
  if (quotes === 0) return pointRange(value)
  return quotes > 0 ? [value * least, value * most] : [value / most, value / least]
}

function isInQuote(term: Term, units: Assignment): boolean {
  if (typeof term !== 'string') return term.fact === 'price' || term.fact === 'raised'
  const unit = units.get(term)
  return unit !== undefined && isMoney(unit) && !isInDollars(unit)
}

function pointRange(value: number): NumberRange {
  return [value, value]
}
