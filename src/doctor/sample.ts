import { isDeepStrictEqual } from 'node:util'
import Big from 'big.js'
import { baseToken, type Figures, fieldsOf, figures, readFigures } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { type MoneyField, type Units, unknownUnit } from '../api/units.ts'
import { shortAddress } from '../chain/address.ts'
import { type Chain, chainById, numeraireSymbol } from '../chain/chains.ts'
import type { Sample, SampleRow } from './report.ts'

/** An asset of the sample, and the id of the chain that it was listed on. */
export interface Sampled {
  asset: Asset
  chain: number
}

/** Picks the asset with the most values, and returns them raw and as a card shows them. */
export function sampleOf(assets: readonly Sampled[], units: Units): Sample | undefined {
  const [most] = assets.toSorted((left, right) => richness(right, units) - richness(left, units))
  if (!most) return undefined
  const { asset } = most
  const { token_name: name = '(no name)', token_symbol: symbol = '' } = baseToken(asset) ?? {}
  return {
    address: asset.asset_address,
    name: symbol === '' ? name : `${name} ($${symbol})`,
    rows: rowsOf(most, units),
  }
}

function richness({ asset }: Sampled, units: Units): number {
  const known = Object.values(figures(asset, units)).filter((value) => value !== undefined)
  return known.length
}

/** The fields of a card, with the figure that each gives; `twin` gives the same one. */
const cardFields: readonly { field: string; figure: keyof Figures; twin?: MoneyField }[] = [
  { field: 'pool_price', figure: 'price', twin: 'pool_current_price' },
  { field: 'pool_current_price', figure: 'price', twin: 'pool_price' },
  { field: 'pool_price_change_24h', figure: 'change24h' },
  { field: 'pool_market_cap', figure: 'marketCap', twin: 'pool_current_market_cap' },
  { field: 'pool_current_market_cap', figure: 'marketCap', twin: 'pool_market_cap' },
  { field: 'pool_liquidity', figure: 'liquidity', twin: 'pool_current_liquidity' },
  { field: 'pool_current_liquidity', figure: 'liquidity', twin: 'pool_liquidity' },
  { field: 'pool_volume_usd_24h', figure: 'volume24h' },
  { field: 'pool_current_sale_progress_percentage', figure: 'progress' },
  { field: 'pool_current_total_tokens_sold', figure: 'sold' },
  { field: 'pool_config_num_tokens_to_sell', figure: 'toSell' },
  { field: 'pool_current_total_proceeds', figure: 'proceeds' },
  { field: 'pool_config_min_proceeds', figure: 'minProceeds' },
  { field: 'pool_config_max_proceeds', figure: 'maxProceeds' },
  { field: 'pool_config_starting_time', figure: 'startsAt' },
  { field: 'pool_config_ending_time', figure: 'endsAt' },
  { field: 'asset_creation_timestamp', figure: 'createdAt' },
  { field: 'asset_migration_timestamp', figure: 'migratedAt' },
]

function rowsOf({ asset, chain }: Sampled, units: Units): SampleRow[] {
  const shown = figures(asset, units)
  const texts: Readonly<Record<string, unknown>> = { ...fieldsOf(asset), ...asset }
  const quote = quoteText(chainById(chain), asset.asset_numeraire_address)
  return cardFields.flatMap(({ field, figure, twin }) => {
    const raw = texts[field]
    if (typeof raw !== 'string') return []
    const value = shown[figure]
    // Of two fields a card uses the first that agrees with the others.
    const isOwn = twin === undefined || isGivenWithout(twin, figure)
    const isTwins = twin !== undefined && isGivenWithout(field, figure)
    const isFirst = !field.startsWith('pool_current')
    if (isTwins && !(isOwn && isFirst)) return [{ field, raw, shown: `(not used: ${twin} is)` }]
    const text = isOwn ? valueText(figure, value, quote) : undefined
    return [{ field, raw, shown: text ?? '(not shown)' }]
  })

  /** Whether the figure is the same if nobody knows the unit of this field. */
  function isGivenWithout(field: string, figure: keyof Figures): boolean {
    const without = figures(asset, { ...units, [field]: unknownUnit })[figure]
    return without !== undefined && isDeepStrictEqual(without, shown[figure])
  }
}

function valueText(
  figure: keyof Figures,
  value: Figures[keyof Figures],
  quote: string,
): string | undefined {
  if (typeof value === 'number') return timeText(value)
  if (typeof value === 'object') {
    return `${value.amount} ${value.currency === 'usd' ? 'USD' : quote}`
  }
  return figure === 'change24h' || figure === 'progress' ? shareText(value) : value
}

function quoteText(chain: Chain, address = ''): string {
  return numeraireSymbol(chain, address) ?? (shortAddress(address) || 'quote tokens')
}

function shareText(ratio: string | undefined): string | undefined {
  return ratio === undefined ? undefined : `${Big(ratio).times(100).toFixed()} %`
}

function timeText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Counts the assets whose figures contradict each other under these units. */
export function oddAssets(
  assets: readonly Sampled[],
  units: Units,
): { odd: number; advice: string[] } {
  const odd = assets.flatMap(({ asset }) => {
    const [field] = readFigures(asset, units).broken
    return field === undefined ? [] : [{ address: asset.asset_address, field }]
  })
  const [first] = odd
  if (!first) return { odd: 0, advice: [] }
  const advice = [
    `${odd.length} of ${assets.length} assets have figures that contradict each other, such as ${first.address} with its ` +
      `${first.field}. The bot leaves those out. If they are many, look at the units above; if they are few, there is nothing to set.`,
  ]
  return { odd: odd.length, advice }
}
