import { isDeepStrictEqual } from 'node:util'
import { baseToken, fieldsOf, unixTime } from '../api/asset.ts'
import { type Figures, figuresOf, readFigures } from '../api/figures.ts'
import { type Asset, assetSchema } from '../api/schema.ts'
import {
  Decimal,
  decimal,
  type UnitField,
  type Units,
  unitFields,
  unknownUnit,
} from '../api/units.ts'
import { type Chain, chainById } from '../chain/chains.ts'
import { plainText } from '../core/catalogue.ts'
import { amount, changePercent, progressPercent } from '../core/number.ts'
import type { Text } from '../core/view.ts'
import { moneyText, priceText } from '../views/money.ts'
import { statusText, tokenLabel } from '../views/token.ts'
import { clipped } from './text.ts'

/** One asset's fields, each as it came and as a card shows it. */
export interface CardSample {
  title: string
  rows: readonly CardRow[]
  /** Fields that the answer lacks, but for the time of a migration: most assets have none. */
  absent: readonly string[]
}

interface CardRow {
  field: string
  raw: string
  shown: string
}

const migration = 'asset_migration_timestamp'

/** The fields of each figure of a card, the preferred one first. */
const fieldsOfFigures: readonly [figure: keyof Figures, fields: readonly string[]][] = [
  ['price', ['pool_price', 'pool_current_sqrt_price', 'pool_current_price']],
  ['change24h', ['pool_price_change_24h']],
  ['marketCap', ['pool_market_cap', 'pool_current_market_cap']],
  ['liquidity', ['pool_liquidity', 'pool_current_liquidity']],
  ['volume24h', ['pool_volume_usd_24h']],
  ['progress', ['pool_current_sale_progress_percentage']],
  ['sold', ['pool_current_total_tokens_sold']],
  ['toSell', ['pool_config_num_tokens_to_sell']],
  ['proceeds', ['pool_current_total_proceeds']],
  ['minProceeds', ['pool_config_min_proceeds']],
  ['maxProceeds', ['pool_config_max_proceeds']],
  ['startsAt', ['pool_config_starting_time']],
  ['endsAt', ['pool_config_ending_time']],
  ['createdAt', ['asset_creation_timestamp']],
  ['migratedAt', [migration]],
]

/** Returns the number of figures that a card of this asset shows. */
export function figureCount(asset: Asset, units: Units): number {
  return Object.values(figuresOf(asset, units)).filter((value) => value !== undefined).length
}

/** Says of each field of an asset what a card shows of it, and if nothing, why. */
export function cardSample(asset: Asset, chain: number, units: Units): CardSample {
  const texts: Readonly<Record<string, unknown>> = { ...fieldsOf(asset), ...asset }
  const known = fieldsOfFigures.flatMap(([figure, fields]) => {
    const given = fields.flatMap((field) => {
      const raw = texts[field]
      return typeof raw === 'string' ? [{ field, raw }] : []
    })
    const used = usedField(asset, { figure, fields: given.map(({ field }) => field) }, units)
    return given.map(({ field, raw }): CardRow => {
      const isUsed = used === field
      const shown = isUsed
        ? figureText(figure, asset, { units, chain: chainById(chain) })
        : notShown({ field, raw, used }, asset, units)
      return { field, raw: clipped(raw, 30), shown: clipped(shown, 50) }
    })
  })
  const { asset_status: word } = asset
  const status = statusText(asset)
  const row: CardRow[] =
    word === undefined || status === undefined
      ? []
      : [{ field: 'asset_status', raw: clipped(word, 30), shown: plainText(status) }]
  const rows = [...row, ...known]
  const all = ['asset_status', ...fieldsOfFigures.flatMap(([, fields]) => fields)]
  const label = `${plainText(tokenLabel(asset))}  ${asset.asset_address}`
  return {
    title: clipped(baseToken(asset) ? label : asset.asset_address, 96),
    rows,
    absent: all.filter(
      (field) => field !== migration && !rows.some((each) => each.field === field),
    ),
  }
}

/** Which of these fields a figure is read from: without it the card would be another. */
function usedField(
  asset: Asset,
  { figure, fields }: { figure: keyof Figures; fields: readonly string[] },
  units: Units,
): string | undefined {
  const { figures, broken } = readFigures(asset, units)
  const isGivenWithout = (left: readonly string[]) =>
    isDeepStrictEqual(figuresOf(without(asset, left), units)[figure], figures[figure])
  if (figures[figure] === undefined || isGivenWithout(fields)) return undefined
  const needed = fields.find((field) => !isGivenWithout([field]))
  return needed ?? fields.find((field) => !broken.some((each) => each === field))
}

/** The asset as if the API had not sent these fields. */
function without(asset: Asset, fields: readonly string[]): Asset {
  const text = JSON.stringify(asset, (name, value: unknown) =>
    fields.includes(name) ? undefined : value,
  )
  return assetSchema.parse(JSON.parse(text))
}

interface Unused {
  field: string
  raw: string
  /** The field that the figure is read from instead. */
  used: string | undefined
}

/** Says why a card does not show a field, by the first reason that holds. */
function notShown({ field, raw, used }: Unused, asset: Asset, units: Units): string {
  const { figures, broken } = readFigures(asset, units)
  const unitField = unitFields.find((each): each is UnitField => each === field)
  const unit = unitField && units[unitField]
  const number = unit || field === 'pool_current_sqrt_price' ? decimal(raw) : new Decimal(1)
  const created = unixTime(asset.asset_creation_timestamp) ?? Number.NEGATIVE_INFINITY
  const reasons: readonly (readonly [holds: boolean | undefined, reason: string])[] = [
    [
      unit === unknownUnit && field === 'pool_current_liquidity',
      'not shown: raw liquidity isn’t money',
    ],
    [unit === unknownUnit, 'not shown: its unit is unknown'],
    [unitField && broken.includes(unitField), 'not shown: contradicts the others'],
    [used !== undefined, `not used: ${used} is`],
    [
      field === 'pool_current_sale_progress_percentage' && figures.progress !== undefined,
      'not used: sold ÷ to sell is',
    ],
    [
      field === 'pool_config_ending_time' && (unixTime(raw) ?? created) <= created,
      'not shown: not after the creation',
    ],
    [field === migration, 'not shown: no graduation pool'],
    [number === undefined, 'not shown: not a number'],
    [number?.eq(0), 'not shown: 0 says nothing here'],
    [
      unit === 'numeraire-base' && asset.decimals?.quote === undefined,
      'not shown: decimals unknown (RPC_URLS)',
    ],
  ]
  return reasons.find(([holds]) => holds)?.[1] ?? 'not shown'
}

function figureText(
  figure: keyof Figures,
  asset: Asset,
  { units, chain }: { units: Units; chain: Chain },
): string {
  const value = figuresOf(asset, units)[figure]
  if (typeof value === 'number') return timeText(value)
  return value === undefined ? 'not shown' : plainText(textOf(value))

  function textOf(known: NonNullable<Exclude<typeof value, number>>): Text {
    if (typeof known === 'object') {
      const text = figure === 'price' ? priceText : moneyText
      return text(known, chain, asset)
    }
    if (figure === 'change24h') return changePercent(known)
    return figure === 'progress' ? progressPercent(known) : amount(known)
  }
}

function timeText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
