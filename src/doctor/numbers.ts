import Big from 'big.js'
import {
  baseToken,
  currentPool,
  decimal,
  type Figures,
  figures,
  graduationPool,
  type Money,
} from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { moneyUnits, shareUnits, type Units } from '../api/units.ts'
import type { Sample, SampleRow, UnitFinding } from './report.ts'

/** Numbers whose unit in the table does not fit what other fields of the same assets say. */
export function judgeUnits(assets: readonly Asset[], units: Units): UnitFinding[] {
  return [
    progressFinding(assets, units),
    moneyFinding(assets, units, 'pool_current_price', 'pool_price'),
    moneyFinding(assets, units, 'pool_current_market_cap', 'pool_market_cap'),
    moneyFinding(assets, units, 'pool_current_liquidity', 'pool_liquidity'),
  ].filter((finding) => finding !== undefined)
}

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

function progressFinding(assets: readonly Asset[], units: Units): UnitFinding | undefined {
  const field = 'pool_current_sale_progress_percentage'
  const cases = assets.flatMap((asset) => {
    const pool = asset.auction_pool
    const stated = decimal(pool?.[field])
    const bare = pool && { ...asset, auction_pool: { ...pool, [field]: undefined } }
    const sold = bare && figures(bare, units).progress
    // Near the ends the two readings look alike.
    const telling = sold !== undefined && Number(sold) > 0.02 && Number(sold) < 0.98
    return stated && telling ? [{ stated, sold }] : []
  })
  const fits = (unit: string) =>
    cases.filter(({ stated, sold }) =>
      stated
        .times(unit === 'percent' ? '0.01' : '1')
        .minus(sold)
        .abs()
        .lt('0.02'),
    )
  const better = bestFit(shareUnits, units[field], cases.length, (unit) => fits(unit).length)
  const example = better === undefined ? undefined : fits(better)[0]
  if (better === undefined || !example) return undefined
  const sold = Number(Big(example.sold).times(100).toFixed(2))
  const detail = `says ${example.stated.toFixed()} where sold ÷ to sell says ${sold} %`
  return { field, verdict: 'wrong', better, detail }
}

function moneyFinding(
  assets: readonly Asset[],
  units: Units,
  field: 'pool_current_price' | 'pool_current_market_cap' | 'pool_current_liquidity',
  marketField: 'pool_price' | 'pool_market_cap' | 'pool_liquidity',
): UnitFinding | undefined {
  if (units[field].startsWith('numeraire') || units[marketField] !== 'usd') return undefined
  const cases = assets.flatMap((asset) => {
    const pool = currentPool(asset) === 'auction' ? asset.auction_pool : graduationPool(asset)
    const raw = decimal(pool?.[field])
    const dollars = decimal(pool?.pool_market_data?.[marketField])
    return raw?.gt(0) && dollars?.gt(0) ? [{ raw, dollars }] : []
  })
  const inDollars = moneyUnits.filter((unit) => unit.startsWith('usd'))
  const better = bestFit(inDollars, units[field], cases.length, (unit) => {
    const scale = Big(10).pow(-Number(unit.slice(3)))
    return cases.filter(({ raw, dollars }) => near(raw.times(scale), dollars)).length
  })
  const [example] = cases
  if (better === undefined || !example) return undefined
  const detail = `says ${example.raw.toFixed()} where ${marketField} says ${example.dollars.toFixed()}`
  return { field, verdict: 'wrong', better, detail }
}

/** The unit that fits most cases, where that is not the present one, which fits fewer than half. */
function bestFit<Unit extends string>(
  candidates: readonly Unit[],
  present: Unit,
  cases: number,
  fits: (unit: Unit) => number,
): Unit | undefined {
  if (cases === 0 || fits(present) * 2 >= cases) return undefined
  return candidates.find((unit) => unit !== present && fits(unit) * 2 > cases)
}

function near(left: Big, right: Big): boolean {
  return left.lt(right.times(3)) && left.times(3).gt(right)
}

function richness(asset: Asset, units: Units): number {
  const known = Object.values(figures(asset, units)).filter((value) => value !== undefined)
  return known.length
}

function rowsOf(asset: Asset, shown: Figures): SampleRow[] {
  const auction = asset.auction_pool
  const pool = shown.pool === 'auction' ? auction : graduationPool(asset)
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
