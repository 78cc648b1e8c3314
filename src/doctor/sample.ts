import Big from 'big.js'
import { baseToken, type Figures, figures, readFigures, tradingPool } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Money, Units } from '../api/units.ts'
import type { Sample, SampleRow } from './report.ts'

/** The raw values of one asset beside what a card makes of them; the asset that says most is taken. */
export function sampleOf(assets: readonly Asset[], units: Units): Sample | undefined {
  const [asset] = assets.toSorted((left, right) => richness(right, units) - richness(left, units))
  if (!asset) return undefined
  const { token_name: name = '(no name)', token_symbol: symbol = '' } = baseToken(asset) ?? {}
  return {
    address: asset.asset_address,
    name: symbol === '' ? name : `${name} ($${symbol})`,
    rows: rowsOf(asset, figures(asset, units)),
  }
}

function richness(asset: Asset, units: Units): number {
  const known = Object.values(figures(asset, units)).filter((value) => value !== undefined)
  return known.length
}

function rowsOf(asset: Asset, shown: Figures): SampleRow[] {
  const auction = asset.auction_pool
  const pool = tradingPool(asset)
  const market = pool?.pool_market_data
  const raw: [field: string, value: string | undefined, text: string | undefined][] = [
    ['pool_price', market?.pool_price, market?.pool_price && moneyText(shown.price)],
    [
      'pool_current_price',
      pool?.pool_current_price,
      market?.pool_price ? '(not used)' : moneyText(shown.price),
    ],
    ['pool_price_change_24h', market?.pool_price_change_24h, shareText(shown.change24h)],
    ['pool_market_cap', market?.pool_market_cap, moneyText(shown.marketCap)],
    ['pool_liquidity', market?.pool_liquidity, moneyText(shown.liquidity)],
    ['pool_volume_usd_24h', market?.pool_volume_usd_24h, moneyText(shown.volume24h)],
    [
      'pool_current_sale_progress_percentage',
      auction?.pool_current_sale_progress_percentage,
      shareText(shown.progress),
    ],
    ['pool_current_total_tokens_sold', auction?.pool_current_total_tokens_sold, shown.sold],
    ['pool_config_num_tokens_to_sell', auction?.pool_config_num_tokens_to_sell, shown.toSell],
    [
      'pool_current_total_proceeds',
      auction?.pool_current_total_proceeds,
      moneyText(shown.proceeds),
    ],
    ['pool_config_min_proceeds', auction?.pool_config_min_proceeds, moneyText(shown.minProceeds)],
    ['pool_config_max_proceeds', auction?.pool_config_max_proceeds, moneyText(shown.maxProceeds)],
    ['pool_config_starting_time', auction?.pool_config_starting_time, timeText(shown.startsAt)],
    ['pool_config_ending_time', auction?.pool_config_ending_time, timeText(shown.endsAt)],
    ['asset_creation_timestamp', asset.asset_creation_timestamp, timeText(shown.createdAt)],
    ['asset_migration_timestamp', asset.asset_migration_timestamp, timeText(shown.migratedAt)],
  ]
  return raw.flatMap(([field, value, text]) =>
    value === undefined ? [] : [{ field, raw: value, shown: text ?? '(not shown)' }],
  )
}

function moneyText(money: Money | undefined): string | undefined {
  return money && `${money.amount} ${money.currency}`
}

function shareText(ratio: string | undefined): string | undefined {
  return ratio === undefined ? undefined : `${Big(ratio).times(100).toFixed()} %`
}

function timeText(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().slice(0, 19)
}

/** Counts the assets whose figures contradict each other under these units, and says so. */
export function oddAssets(
  assets: readonly Asset[],
  units: Units,
): { odd: number; advice: string[] } {
  const odd = assets.flatMap((asset) => {
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
