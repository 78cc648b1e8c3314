import Big from 'big.js'
import { baseToken, figures, readFigures, tradingPool } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { type Money, type MoneyField, type Units, unknownUnit } from '../api/units.ts'
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

type Row = [field: string, raw: string | undefined, shown: string | undefined]

function rowsOf({ asset, chain }: Sampled, units: Units): SampleRow[] {
  const shown = figures(asset, units)
  const auction = asset.auction_pool
  const pool = tradingPool(asset)
  const market = pool?.pool_market_data
  const quote = quoteText(chainById(chain), asset.asset_numeraire_address)
  const moneyText = (money: Money | undefined) =>
    money && `${money.amount} ${money.currency === 'usd' ? 'USD' : quote}`
  const [price, currentPrice] = toldTwice('price', 'pool_price', 'pool_current_price')
  const [cap, currentCap] = toldTwice('marketCap', 'pool_market_cap', 'pool_current_market_cap')
  const [liquidity, currentLiquidity] = toldTwice(
    'liquidity',
    'pool_liquidity',
    'pool_current_liquidity',
  )
  const rows: Row[] = [
    ['pool_price', market?.pool_price, price],
    ['pool_current_price', pool?.pool_current_price, currentPrice],
    ['pool_price_change_24h', market?.pool_price_change_24h, shareText(shown.change24h)],
    ['pool_market_cap', market?.pool_market_cap, cap],
    ['pool_current_market_cap', pool?.pool_current_market_cap, currentCap],
    ['pool_liquidity', market?.pool_liquidity, liquidity],
    ['pool_current_liquidity', pool?.pool_current_liquidity, currentLiquidity],
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
  return rows.flatMap(([field, raw, text]) =>
    raw === undefined ? [] : [{ field, raw, shown: text ?? '(not shown)' }],
  )

  /** Shows a figure that two fields have: a card uses the first that agrees with the others. */
  function toldTwice(
    figure: 'price' | 'marketCap' | 'liquidity',
    first: MoneyField,
    second: MoneyField,
  ): (string | undefined)[] {
    const used = shown[figure]
    const told = [
      figures(asset, { ...units, [second]: unknownUnit })[figure],
      figures(asset, { ...units, [first]: unknownUnit })[figure],
    ]
    const index = told.findIndex((each) => each && used && isSame(each, used))
    return [first, second].map((_, place) => {
      if (index === -1) return undefined
      return place === index ? moneyText(used) : `(not used: ${index === 0 ? first : second} is)`
    })
  }
}

function isSame(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency
}

function quoteText(chain: Chain, address = ''): string {
  return numeraireSymbol(chain, address) ?? (shortAddress(address) || 'quote tokens')
}

function shareText(ratio: string | undefined): string | undefined {
  return ratio === undefined ? undefined : `${Big(ratio).times(100).toFixed()} %`
}

function timeText(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined
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
