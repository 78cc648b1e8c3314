import fc from 'fast-check'
import {
  maxPercents,
  type RuleOptions,
  ranges,
  type Scope,
  type SettingOption,
} from '../../../src/alerts/kinds/kind.ts'
import { type Kind, kindIds, kinds } from '../../../src/alerts/kinds/list.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { hostileText } from '../../hostile.ts'

const few = ['0xaa', '0xbb', '0xCC'].map((end) => `0x${end.slice(2).padStart(40, '0')}`)

/** Some of few addresses, in any case, so that rules and assets meet. */
export const anyAddress: fc.Arbitrary<string> = fc
  .constantFrom(...few)
  .chain((address) => fc.constantFrom(address, `0x${address.slice(2).toUpperCase()}`))

/** A category as somebody might type one, or one that assets have. */
export const anyCategory: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('builder-coin', 'Builder-Coin', "it's", '%', '_', 'null'),
  hostileText.filter((text) => text !== '' && !text.includes('\0')),
)

export const anyChain: fc.Arbitrary<number> = fc.constantFrom(1, 8453)

const fullScope: fc.Arbitrary<Scope> = fc.record(
  {
    chain: anyChain,
    asset: anyAddress,
    numeraire: anyAddress,
    creator: anyAddress,
    category: anyCategory,
    name: fc.constantFrom('otter', 'moon o', '$', 'é'),
    mcap: fc.constantFrom('1', '50000', '0.5'),
    raised: fc.constantFrom('1', '2.5'),
  },
  { requiredKeys: [] },
)

const anyScope: fc.Arbitrary<Scope> = fc.oneof(
  fc.constant({}),
  anyChain.map((chain) => ({ chain })),
  anyAddress.map((creator) => ({ creator })),
  anyCategory.map((category) => ({ category })),
  fullScope,
)

/** Decimals above zero, in all the ways in which one can be written. */
const anyDecimal = fc
  .tuple(fc.constantFrom('', '0', '00'), fc.nat(999), fc.constantFrom('', '.5', '.50', '.0', '.00'))
  .map(([zeros, whole, rest]) => `${zeros}${whole}${rest}`)

const wholeIn = ([min, max]: readonly [number, number]) => fc.integer({ min, max })

/** Values of every option that makes a setting. */
const anyOption: { readonly [Option in SettingOption]: fc.Arbitrary<RuleOptions[Option]> } = {
  percent: fc.array(wholeIn(ranges.percent), { minLength: 1, maxLength: maxPercents }),
  minutes: wholeIn(ranges.minutes),
  above: anyDecimal,
  below: anyDecimal,
  move: wholeIn(ranges.move),
  hour: wholeIn(ranges.hour),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Tokyo'),
}

/** Some of the options of a kind. */
const optionsOf = (kind: Kind): fc.Arbitrary<RuleOptions> =>
  fc.record(Object.fromEntries(kinds[kind].options.map((option) => [option, anyOption[option]])), {
    requiredKeys: [],
  })

/** Rules of every kind, as somebody may have written them. */
export const anyRule: fc.Arbitrary<Rule> = fc
  .constantFrom(...kindIds)
  .chain((kind) =>
    fc.record({ kind: fc.constant(kind), scope: anyScope, options: optionsOf(kind) }),
  )
  .map(({ kind, scope, options }) => ({ kind, scope, setting: kinds[kind].settingFrom(options) }))
