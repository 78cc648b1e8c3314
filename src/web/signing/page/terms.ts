import { formatUnits } from 'viem'
import { isNobody } from '../../../chain/address.ts'
import { chainById, numeraireSymbol } from '../../../chain/chains.ts'
import type { Beneficiary } from '../../../chain/launch/pool-data.ts'
import type { LaunchTerms } from '../../../chain/launch/terms.ts'
import type { Vesting } from '../../../chain/launch/token-data.ts'
import { grouped } from './text.ts'
import { type OpenRequest, sameAddress } from './wire.ts'

/** One line of what the launch does: words, and the account that they are of. */
export interface Term {
  label: string
  values: readonly { text: string; address?: string }[]
}

/** Tokens, sizes and shares all have 18 decimals. */
const decimals = 18
const one = 10n ** 18n
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
      ? { label: 'Fees go to', values: beneficiariesOf(pool.beneficiaries, request.wallet) }
      : { label: 'Fees go to', values: [{ text: 'not recognised in this kind of pool' }] },
    token
      ? { label: 'Vesting', values: vestingOf(token.vesting, supply, request.wallet) }
      : { label: 'Vesting', values: [{ text: 'not recognised in this kind of token' }] },
    isNobody(integrator)
      ? undefined
      : {
          label: 'Integrator',
          values: [{ text: 'takes its part of the fees', address: integrator }],
        },
  ]
  return terms.filter((term) => term !== undefined)
}

function named(symbol: string | undefined, address: string) {
  return { text: symbol ?? 'Token', address }
}

function beneficiariesOf(beneficiaries: readonly Beneficiary[], wallet: string): Term['values'] {
  if (beneficiaries.length === 0) return [{ text: 'nobody by name' }]
  return beneficiaries.map(({ beneficiary, shares }) => ({
    text: `${percent(shares, one)}${whose(beneficiary, wallet)}`,
    address: beneficiary,
  }))
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

function time(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000)
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : format.format(date)
}

function amount(units: bigint): string {
  const [whole = '0', fraction] = formatUnits(units, decimals).split('.')
  return fraction ? `${grouped(whole)}.${fraction}` : grouped(whole)
}

/** With at most four decimals, rounded down. */
function percent(part: bigint, whole: bigint): string {
  if (whole === 0n) return 'unknown share'
  const millionths = (part * 1_000_000n) / whole
  if (millionths === 0n && part > 0n) return 'less than 0.0001 %'
  return `${formatUnits(millionths, 4)} %`
}
