import type { Address } from 'viem'
import type { Api } from '../api/client.ts'
import { dollarsPerQuote } from '../api/figures.ts'
import type { Units } from '../api/units.ts'
import { chainById, numeraireSymbol } from '../chain/chains.ts'
import { ApiError } from '../errors.ts'

/** Max relative difference between assets' rates; more points to a wrong unit. */
const maxApart = 0.1

/**
 * Derives a quote token's price in dollars from the API's assets that are sold for it.
 * @returns undefined if no asset has a price, the prices disagree, or the API fails
 */
export async function quoteUsd(
  { api, units }: { api: Pick<Api, 'assets'>; units: Units },
  chain: number,
  quote: Address,
): Promise<string | undefined> {
  if (numeraireSymbol(chainById(chain), quote) === 'USDC') return '1'
  try {
    const { value } = await api.assets({ chain, numeraire: quote, limit: 20 })
    const rates = value.items
      .map((asset) => dollarsPerQuote(asset, units))
      .filter((rate) => rate !== undefined)
      .map(Number)
      .sort((one, other) => one - other)
    const middle = rates[Math.floor(rates.length / 2)]
    const [low, high] = [
      rates[Math.floor(rates.length / 4)],
      rates[Math.floor((rates.length * 3) / 4)],
    ]
    if (middle === undefined || low === undefined || high === undefined) return undefined
    return high - low <= middle * maxApart ? String(middle) : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
