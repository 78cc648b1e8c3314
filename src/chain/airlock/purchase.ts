import type { Address } from 'viem'
import type { Bundle } from './calldata.ts'

/** A purchase in the transaction of the launch. Amounts in base units. */
export interface FirstPurchase {
  /** Whether the coin of the chain is paid, which becomes the quote token. */
  paid: bigint
  /** The least that has to come for it. */
  least: bigint
  to: Address | 'sender'
}

/** Reads the commands of a first purchase; what is not read is a problem in words. */
export function readPurchase(
  _bundle: Bundle,
  _quote: Address,
  _token: Address | undefined,
): { purchase: FirstPurchase; value: bigint; problems: readonly string[] } {
  return {
    purchase: { paid: 0n, least: 0n, to: 'sender' },
    value: 0n,
    problems: ['the commands of its first purchase are not read'],
  }
}
