import { anyCategory, anyChain, type RuleOptions } from '../src/alerts/alerts-rules.ts'
import type { Kind, Rule } from '../src/alerts/rule.ts'
import { categories } from '../src/api/requests.ts'
import type { Chain } from '../src/chain/chains.ts'
import { hourText, minutesText } from '../src/views/alerts/rule-text.ts'

/** A usual setting of a kind, as options of a line, and what its button says. */
export interface Usual {
  label: string
  options: RuleOptions
}

const percents = [
  [25, 50, 75, 90, 100],
  [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
  [50, 100],
  [100],
]

/** The usual settings of a kind. `scope` is what is said already; where it names an asset there are no filters to choose. */
export function usualSettings(
  kind: Kind,
  scope: Rule['scope'],
  chains: readonly Chain[],
): readonly Usual[] {
  switch (kind) {
    case 'live':
    case 'incoming':
    case 'graduated':
      return scope.asset === undefined ? filters(chains) : [{ label: 'This asset', options: {} }]
    case 'progress':
      return percents.map((percent) => ({ label: `${shortly(percent)} %`, options: { percent } }))
    case 'ending':
      return [15, 60, 180, 1440].map((minutes) => ({
        label: minutesText(minutes),
        options: { minutes },
      }))
    case 'price':
    case 'mcap':
      return [5, 10, 25, 50].map((move) => ({ label: `${move} %`, options: { move } }))
    case 'digest':
      return [7, 9, 12, 18, 21].map((hour) => ({ label: hourText(hour), options: { hour } }))
  }
}

function filters(chains: readonly Chain[]): Usual[] {
  const some = chains.length > 1 ? chains : []
  return [
    { label: 'Any auction', options: { category: anyCategory, chain: anyChain } },
    ...categories.map((category) => ({ label: category, options: { category } })),
    ...some.map(({ name, id }) => ({ label: name, options: { chain: id } })),
  ]
}

function shortly(values: readonly number[]): string {
  return values.length > 5
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

/** How another setting is typed; `deed` is what stands in front of it, as in "add price asset:OTTER". */
export function typedExample(kind: Kind, deed: string): string {
  return `/alerts ${deed} ${examples[kind]}`
}

/** Options as they stand in a line. */
export function optionsInLine(options: RuleOptions): Record<string, string | number | undefined> {
  const { percent, chain, ...rest } = options
  return {
    ...rest,
    percent: percent?.join(','),
    chain: chain === anyChain ? anyCategory : chain,
  }
}
