import { isNobody } from '../../../chain/address.ts'
import { chainById, numeraireSymbol } from '../../../chain/chains.ts'
import type { Beneficiary } from '../../../chain/launch/pool-data.ts'
import type { LaunchTerms } from '../../../chain/launch/terms.ts'
import type { Vesting } from '../../../chain/launch/token-data.ts'
import { amount, one, percent, type Term, time } from './figures.ts'
import { ruleLines } from './rules.ts'
import { type OpenRequest, sameAddress } from './wire.ts'

const day = 86_400n

/** The terms of the sale in words, from the calldata alone. */
export function termLines(request: OpenRequest, launch: LaunchTerms): Term[] {
  const { supply, numTokensToSell, numeraire, integrator, token, pool } = launch
  const paidIn = numeraireSymbol(chainById(request.chain.id), numeraire)
  const sold = `${amount(numTokensToSell)} (${percent(numTokensToSell, supply)})`
  const terms: (Term | undefined)[] = [
    { label: 'Supply', values: [{ text: amount(supply) }] },
    { label: 'For sale', values: [{ text: sold }] },
    {
      label: 'Paid in',
      values: [isNobody(numeraire) ? { text: request.chain.coin } : named(paidIn, numeraire)],
    },
    pool?.startingTime === undefined
      ? undefined
      : { label: 'Sale', values: [{ text: times(pool.startingTime, pool.endingTime) }] },
    pool
      ? { label: 'Fees', values: beneficiariesOf(pool.beneficiaries, request.wallet) }
      : {
          label: 'Fees',
          values: [
            { text: 'not recognised: these data have a layout that this page does not know' },
          ],
        },
    token
      ? { label: 'Vesting', values: vestingOf(token.vesting, supply, request.wallet) }
      : {
          label: 'Vesting',
          values: [
            { text: 'not recognised: these data have a layout that this page does not know' },
          ],
        },
    isNobody(integrator)
      ? undefined
      : {
          label: 'Integrator',
          values: [{ text: shareOf(integrator, pool?.beneficiaries), address: integrator }],
        },
    ...ruleLines(launch),
  ]
  return terms.filter((term) => term !== undefined)
}

function named(symbol: string | undefined, address: string) {
  return { text: symbol ?? 'Token', address }
}

function beneficiariesOf(
  beneficiaries: readonly Beneficiary[] | undefined,
  wallet: string,
): Term['values'] {
  if (!beneficiaries) return [{ text: 'not told in these data' }]
  if (beneficiaries.length === 0) return [{ text: 'no beneficiaries are set' }]
  return beneficiaries.map(({ beneficiary, shares }) => ({
    text: `${percent(shares, one)}${whose(beneficiary, wallet)}`,
    address: beneficiary,
  }))
}

/** What the integrator gets; that it is named alone gives it nothing. */
function shareOf(integrator: string, beneficiaries: readonly Beneficiary[] | undefined): string {
  if (!beneficiaries) return 'whether it gets a share of the fees is not told in these data'
  const own = beneficiaries.find(({ beneficiary }) => sameAddress(beneficiary, integrator))
  return own ? `gets ${percent(own.shares, one)} of the fees` : 'gets no share of these fees'
}

function vestingOf(vesting: readonly Vesting[], supply: bigint, wallet: string): Term['values'] {
  if (vesting.length === 0) return [{ text: 'none' }]
  return vesting.map((each) => ({
    text: `${amount(each.amount)} (${percent(each.amount, supply)})${over(each)}${whose(each.recipient, wallet)}`,
    address: each.recipient,
  }))
}

function whose(address: string, wallet: string): string {
  return sameAddress(address, wallet) ? ' – your wallet' : ''
}

function over({ cliff = 0n, duration = 0n }: Vesting): string {
  const parts = [
    ...(duration > 0n ? [`over ${span(duration)}`] : []),
    ...(cliff > 0n ? [`nothing before ${span(cliff)}`] : []),
  ]
  return parts.length > 0 ? `, ${parts.join(', ')}` : ''
}

function span(seconds: bigint): string {
  if (seconds >= day) return `${seconds % day === 0n ? '' : 'about '}${count(seconds / day, 'day')}`
  if (seconds >= 3600n) return `about ${count(seconds / 3600n, 'hour')}`
  return count(seconds, 'second')
}

function count(number: bigint, unit: string): string {
  return `${number} ${unit}${number === 1n ? '' : 's'}`
}

function times(start: bigint, end: bigint | undefined): string {
  return end === undefined ? `from ${time(start)}` : `${time(start)} to ${time(end)}`
}
