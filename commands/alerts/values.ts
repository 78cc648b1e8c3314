import type { Rule } from '../../src/alerts/rule.ts'
import { type Figures, figures } from '../../src/api/figures.ts'
import type { Asset } from '../../src/api/schema.ts'
import type { Money } from '../../src/api/units.ts'
import { chainById } from '../../src/chain/chains.ts'
import { withTimeout } from '../../src/core/retry.ts'
import type { Button } from '../../src/core/view.ts'
import { ApiError } from '../../src/errors.ts'
import { moneyText, priceText, tokenLabel } from '../../src/views/token.ts'
import type { Services } from '../services.ts'

/** Milliseconds to wait for values, which are optional: a slow API must not delay subscribing. */
const deadlineMs = 2_000
const maxSuggested = 6

/** The current value that a price or market cap rule compares, with its text; undefined if it can't be read soon. */
export async function presentValue(
  { kind, scope }: Pick<Rule, 'kind' | 'scope'>,
  services: Services,
): Promise<{ value: Money; text: string } | undefined> {
  const { asset: address, chain: id = services.chains[0].id } = scope
  if ((kind !== 'price' && kind !== 'mcap') || address === undefined) return undefined
  const read = await ifSoon(services.api.asset(address, id))
  if (read === undefined) return undefined
  const facts: Figures = figures(read.value, services.units)
  const value = kind === 'price' ? facts.price : facts.marketCap
  const write = kind === 'price' ? priceText : moneyText
  return value && { value, text: write(value, chainById(id), numeraireOf(read.value)) }
}

/** Buttons for the newest live assets, each with the line that `lineFor` writes. */
export async function liveAssets(
  lineFor: (asset: string, chain: number) => string,
  { api, chains }: Services,
  chosen?: number,
): Promise<Button[]> {
  const chain = chosen || chains[0].id
  const filter = { status: 'live', chain, limit: maxSuggested, offset: 0 } as const
  const read = await ifSoon(api.assets(filter))
  return (read?.value.items ?? [])
    .slice(0, maxSuggested)
    .map((asset) => ({ label: tokenLabel(asset), run: lineFor(asset.asset_address, chain) }))
}

function numeraireOf(asset: Asset): string | undefined {
  return asset.asset_numeraire_address
}

/** The result, or undefined if the API fails or takes over two seconds. */
export async function ifSoon<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(read, deadlineMs)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
