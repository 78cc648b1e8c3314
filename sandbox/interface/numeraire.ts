import type { Address } from 'viem'
import { wrappedCoin } from '../chain/modules.ts'

/** A quote token, with the dollar price that this world gives it. */
export interface Numeraire {
  address: Address
  name: string
  symbol: string
  decimals: number
  usd: number
}

const weth: Numeraire = {
  address: wrappedCoin,
  name: 'Wrapped Ether',
  symbol: 'WETH',
  decimals: 18,
  usd: 3200,
}

const usdcByChain = new Map<number, Address>([
  [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  [84532, '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
])

/** The quote tokens of a chain, the usual one first. */
export function numerairesOf(chain: number): Numeraire[] {
  const usdc = usdcByChain.get(chain)
  return usdc
    ? [weth, { address: usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6, usd: 1 }]
    : [weth]
}
