import fc from 'fast-check'
import type { Scope } from '../../../src/alerts/kinds/kind.ts'
import { kindIds, kinds } from '../../../src/alerts/kinds/list.ts'
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

/** Options that exclude each other. */
const anyComparison = fc.oneof(
  anyDecimal.map((above) => ({ above })),
  anyDecimal.map((below) => ({ below })),
  fc.integer({ min: 1, max: 1000 }).map((move) => ({ move })),
)

/** Rules of every kind, as somebody may have written them. */
export const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    kind: fc.constantFrom(...kindIds),
    scope: anyScope,
    percent: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 }),
    minutes: fc.integer({ min: 5, max: 1440 }),
    comparison: anyComparison,
    hour: fc.integer({ min: 0, max: 23 }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Tokyo'),
  })
  .map(({ kind, scope, comparison, ...options }) => {
    const setting = kinds[kind].settingFrom({ ...options, ...comparison })
    return { kind, scope, setting }
  })
