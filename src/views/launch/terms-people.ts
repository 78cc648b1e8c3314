import { isNobody } from '../../chain/address.ts'
import type { Beneficiary } from '../../chain/launch/pool-data.ts'
import type { LaunchTerms } from '../../chain/launch/terms.ts'
import type { Vesting } from '../../chain/launch/token-data.ts'
import type { Span } from '../../chat/view.ts'
import {
  account,
  type Fields,
  isOwn,
  percent,
  same,
  span,
  tokens,
  type Viewpoint,
  whose,
} from './terms-words.ts'

interface PeopleParts extends Viewpoint {
  /** The integrator that the operator set. */
  integrator: string | undefined
}

/** So many rows each; the rest is summed up, and the raw payload has them all. */
const mostRows = 6
/** So many rows of the person's own come before larger ones: a crowd of them hides nobody else. */
const mostOwn = 2

/** Who gets what: the person's own first, then the largest. */
export function peopleFields({ integrator, token, pool }: LaunchTerms, parts: PeopleParts): Fields {
  return [
    ...(token ? vestingFields(token.vesting, parts) : unknownData('Vesting')),
    ...(pool ? feeFields(pool.beneficiaries, integrator, parts) : unknownData('Fees')),
    ['Integrator', integratorSpans(integrator, parts)],
  ]
}

/** Says that these data have a layout that is not known. */
export function unknownData(label: string): Fields {
  return [[label, ['not recognised: these data have a layout that this bot does not know']]]
}

function vestingFields(vesting: readonly Vesting[], parts: PeopleParts): Fields {
  const all = vesting.map(
    (row): Row => ({
      who: row.recipient,
      part: row.amount,
      spans: () => vestingSpans(row, parts),
    }),
  )
  const sum = (part: bigint) => `${tokens(part)} tokens`
  return rows('Vesting', all, { parts, sum, nobody: 'nobody' })
}

function feeFields(
  beneficiaries: readonly Beneficiary[] | undefined,
  integrator: string,
  parts: PeopleParts,
): Fields {
  if (beneficiaries === undefined) return [['Fees', ['not told in these data']]]
  const all = beneficiaries.map(
    (row): Row => ({
      who: row.beneficiary,
      part: row.shares,
      spans: () => feeSpans(row, integrator, parts),
    }),
  )
  return rows('Fees', all, { parts, sum: percent, nobody: 'no beneficiaries are set' })
}

interface Row {
  who: string
  part: bigint
  spans: () => Span[]
}

interface Rows {
  parts: PeopleParts
  sum: (part: bigint) => string
  nobody: string
}

function rows(label: string, all: readonly Row[], { parts, sum, nobody }: Rows): Fields {
  if (all.length === 0) return [[label, [nobody]]]
  const sorted = inOrder(all, parts)
  const shown: Fields = sorted
    .slice(0, mostRows)
    .map((row, index) => [all.length === 1 ? label : `${label} ${index + 1}`, row.spans()])
  const cut = sorted.slice(mostRows)
  if (cut.length === 0) return shown
  const together = sum(cut.reduce((total, { part }) => total + part, 0n))
  return [...shown, [label, [`${cut.length} more: ${together} together, in the raw payload`]]]
}

function inOrder(all: readonly Row[], { own }: PeopleParts): Row[] {
  const sorted = all.toSorted((one, other) =>
    one.part > other.part ? -1 : Number(one.part < other.part),
  )
  const first = sorted.filter(({ who }) => isOwn(own, who)).slice(0, mostOwn)
  return [...first, ...sorted.filter((row) => !first.includes(row))]
}

function vestingSpans({ recipient, amount, cliff, duration }: Vesting, parts: Viewpoint): Span[] {
  const over =
    duration === undefined ? '' : duration === 0n ? ', at once' : `, over ${span(duration)}`
  const after = cliff === undefined || cliff === 0n ? '' : `, none before ${span(cliff)}`
  return [`${tokens(amount)} to `, ...whose(recipient, parts), `${over}${after}`]
}

function feeSpans(
  { beneficiary, shares }: Beneficiary,
  integrator: string,
  parts: Viewpoint,
): Span[] {
  const role = same(beneficiary, integrator) ? ' (the integrator)' : ''
  return [`${percent(shares)} to `, ...whose(beneficiary, parts), role].filter(
    (each) => each !== '',
  )
}

function integratorSpans(integrator: string, { integrator: set, chain }: PeopleParts): Span[] {
  if (isNobody(integrator)) return ['nobody']
  const known = set !== undefined && same(set, integrator)
  return [account(chain, integrator), known ? ' (the one that is set for this bot)' : '']
}
