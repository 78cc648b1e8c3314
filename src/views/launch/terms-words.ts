import { formatUnits } from 'viem/utils'
import { shortAddress } from '../../chain/address.ts'
import { addressUrl, type Chain } from '../../chain/chains.ts'
import type { Span } from '../../chat/view.ts'

export type Fields = [label: string, value: Span[]][]

/** Whose view of a chain it is: the accounts of the person are called theirs. */
export interface Viewpoint {
  chain: Chain
  /** The accounts of the person. */
  own: readonly string[]
}

const decimals = 18
const day = 86_400n

const exact = new Intl.NumberFormat('en', { maximumFractionDigits: decimals })

/** An account in short, as a link into the chain's explorer where there is one. */
export function account(chain: Chain, address: string): Span {
  const url = addressUrl(chain, address)
  return url === undefined ? { code: shortAddress(address) } : { link: shortAddress(address), url }
}

/** The same, and that it is the person's own. */
export function whose(address: string, { own, chain }: Viewpoint): Span[] {
  return isOwn(own, address)
    ? [{ bold: 'you' }, ' (', account(chain, address), ')']
    : [account(chain, address)]
}

/** Whether an address is one of these, whatever the case of its letters. */
export function isOwn(own: readonly string[], address: string): boolean {
  return own.some((each) => same(each, address))
}

/** Whether two addresses are the same, whatever the case of their letters. */
export function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Base units as whole tokens, to the last digit. */
export function tokens(amount: bigint): string {
  return decimal(formatUnits(amount, decimals))
}

/** An 18-decimal fraction of one as per cent, to the last digit. */
export function percent(fraction: bigint): string {
  return `${decimal(formatUnits(fraction, decimals - 2))} %`
}

/** A whole number, its digits in groups. */
export function grouped(number: bigint | number): string {
  return exact.format(number)
}

/** Seconds in words. */
export function span(seconds: bigint): string {
  if (seconds % day === 0n) return seconds === day ? '1 day' : `${seconds / day} days`
  return seconds > 2n * day ? `about ${seconds / day} days` : `${seconds} s`
}

// Intl formats decimal texts exactly; its types want to see that it is one.
function decimal(text: string): string {
  return /^\d+(?:\.\d+)?$/u.test(text) ? exact.format(text as `${number}`) : text
}
