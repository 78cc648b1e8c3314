import Big from 'big.js'
import type { Kind, Rule } from '../../src/alerts/rule.ts'
import { anyCategory, anyChain, type RuleOptions } from '../../src/alerts/rules.ts'
import { hourText, minutesText } from '../../src/alerts/views/rule.ts'
import { decimal } from '../../src/api/number.ts'
import { categories } from '../../src/api/requests.ts'
import type { Money } from '../../src/api/units.ts'
import type { Chain } from '../../src/chain/chains.ts'
import { amount, price } from '../../src/views/number.ts'

/** A default setting of a kind, as options of a line, and its button's label. */
export interface DefaultSetting {
  label: string
  options: RuleOptions
}

const percentPresets = [
  [25, 50, 75, 90, 100],
  [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
  [50, 100],
  [100],
]

/**
 * The default settings of a kind. If `scope` names an asset, no filters are offered. `value` is the asset's current
 * price or market cap, to offer values near it.
 */
export function defaultSettings(
  kind: Kind,
  scope: Rule['scope'],
  chains: readonly Chain[],
  value?: Money,
): readonly DefaultSetting[] {
  switch (kind) {
    case 'live':
    case 'incoming':
    case 'graduated':
      return scope.asset === undefined ? filters(chains) : [{ label: 'This asset', options: {} }]
    case 'progress':
      return percentPresets.map((percent) => ({
        label: `${abbreviated(percent)} %`,
        options: { percent },
      }))
    case 'ending':
      return [15, 60, 180, 1440].map((minutes) => ({
        label: minutesText(minutes),
        options: { minutes },
      }))
    case 'price':
    case 'mcap':
      return [
        ...[5, 10, 25, 50].map((move) => ({ label: `${move} %`, options: { move } })),
        ...nearValues(kind, value),
      ]
    case 'digest':
      return [7, 9, 12, 18, 21].map((hour) => ({ label: hourText(hour), options: { hour } }))
  }
}

function nearValues(kind: 'price' | 'mcap', value: Money | undefined): DefaultSetting[] {
  const write = kind === 'price' ? price : amount
  const sign = value?.currency === 'usd' ? '$' : ''
  const above = rounded(value, ['1.25', '2']).map((each) => ({
    label: `▲ ${sign}${write(each)}`,
    options: { above: each },
  }))
  const below = rounded(value, ['0.8', '0.5']).map((each) => ({
    label: `▼ ${sign}${write(each)}`,
    options: { below: each },
  }))
  return [...above, ...below]
}

/** The value times each factor, to two significant digits; without those that a rule can't store. */
function rounded(value: Money | undefined, factors: readonly string[]): string[] {
  const now = decimal(value?.amount)
  if (!now?.gt(0)) return []
  return factors
    .map((factor) => new Big(now.times(factor).toPrecision(2)).toFixed())
    .filter((each) => each.length <= 40)
}

function filters(chains: readonly Chain[]): DefaultSetting[] {
  const some = chains.length > 1 ? chains : []
  return [
    { label: 'Any auction', options: { category: anyCategory, chain: anyChain } },
    ...categories.map((category) => ({ label: category, options: { category } })),
    ...some.map(({ name, id }) => ({ label: name, options: { chain: id } })),
  ]
}

function abbreviated(values: readonly number[]): string {
  return values.length > 4
    ? `${values.slice(0, 2).join(', ')} … ${values.at(-1)}`
    : values.join(', ')
}

const examples: Readonly<Record<Kind, string>> = {
  live: 'category:builder-coin chain:base',
  incoming: 'category:product-coin',
  progress: 'percent:10,50,100',
  ending: 'minutes:30',
  graduated: 'category:builder-coin',
  price: 'above:0.5',
  mcap: 'below:2.5m',
  digest: 'hour:7 zone:Berlin',
}

/** Example options in the format of a line; for price and market cap near the current `value`, if given. */
export function otherSetting(kind: Kind, value?: Money): string {
  const [near] = rounded(value, [kind === 'price' ? '1.5' : '0.75'])
  if (near !== undefined && kind === 'price') return `above:${near}`
  if (near !== undefined && kind === 'mcap') return `below:${near}`
  return examples[kind]
}

/** Options in the format of a line. */
export function optionsInLine(options: RuleOptions): Record<string, string | number | undefined> {
  const { percent, chain, ...rest } = options
  return {
    ...rest,
    percent: percent?.join(','),
    chain: chain === anyChain ? anyCategory : chain,
  }
}
