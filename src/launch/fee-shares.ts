import type { Answers } from './draft.ts'
import { formatPercent } from './questions/figures.ts'

const whole = 10n ** 18n
const protocol = whole / 20n

/** Who is promised which share of the fees, in 18-decimal fractions: what nobody was named for is the person's own. */
export function promisedFees({ beneficiaries = [], wallet }: Answers) {
  const isOwn = (address: string) => address.toLowerCase() === wallet?.toLowerCase()
  const others = beneficiaries
    .filter(({ beneficiary }) => !isOwn(beneficiary))
    .map(({ beneficiary, shares }) => ({ beneficiary, shares: BigInt(shares) }))
  const shared = others.reduce((sum, { shares }) => sum + shares, 0n)
  return { own: whole - protocol - shared, others, protocol, whole }
}

/** Who shares in the fees as it was asked for, in per cent: the person with what is left, the others, the protocol. */
export function feeShares(answers: Answers) {
  const { own, others, protocol } = promisedFees(answers)
  return [
    { who: 'you' as const, percent: formatPercent(own) },
    ...others.map(({ beneficiary, shares }) => ({
      who: beneficiary,
      percent: formatPercent(shares),
    })),
    { who: 'protocol' as const, percent: formatPercent(protocol) },
  ]
}
