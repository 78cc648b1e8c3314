import type { Answers } from './draft.ts'
import { formatPercent } from './questions/figures.ts'

const whole = 10n ** 18n
const protocol = whole / 20n

/** Who shares in the fees as it was asked for, in per cent: the person with what is left, the others, the protocol. */
export function feeShares({ beneficiaries = [], wallet }: Answers) {
  const isOwn = (address: string) => address.toLowerCase() === wallet?.toLowerCase()
  const others = beneficiaries.filter(({ beneficiary }) => !isOwn(beneficiary))
  const shared = others.reduce((sum, { shares }) => sum + BigInt(shares), 0n)
  return [
    { who: 'you' as const, percent: formatPercent(whole - protocol - shared) },
    ...others.map(({ beneficiary, shares }) => ({
      who: beneficiary,
      percent: formatPercent(BigInt(shares)),
    })),
    { who: 'protocol' as const, percent: formatPercent(protocol) },
  ]
}
