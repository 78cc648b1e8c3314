import { statusOf } from '../api/asset.ts'
import { dollarsPerQuote, type Figures, figuresOf } from '../api/figures.ts'
import type { Asset, Ordering } from '../api/schema.ts'
import { Decimal, type Money, type Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import { changePercent, progressPercent } from '../core/number.ts'
import { type Item, type Span, type Text, t } from '../core/view.ts'
import { tokenItem } from './list.ts'
import { moneyText, priceText } from './money.ts'

/** The figure by which tokens are ranked: money raised, market cap, volume, the price's change in 24 hours, or their age. */
export const rankings = ['raised', 'mcap', 'volume', 'moved', 'new'] as const
export type Ranking = (typeof rankings)[number]

/** Rankings of tokens of any age, with the API's order whose first tokens they are made of. The others are of new ones. */
export const orderings = {
  mcap: 'market_cap_desc',
  volume: 'volume_usd_desc',
  moved: 'volume_usd_desc',
} as const satisfies Partial<Record<Ranking, Ordering>>

/** Whether a ranking is of tokens of any age. */
export function isOfAnyAge(ranking: Ranking): ranking is keyof typeof orderings {
  return ranking in orderings
}

/** Tokens in a ranking. */
const maxRanked = 10

/** The ranked figure. */
interface RankingParts {
  assets: readonly Asset[]
  chain: Chain
  units: Units
  /** Whether it is known that the API calls an asset a fake; none by default. */
  isFake?: (asset: Asset) => boolean
  /** Unix seconds: older tokens are left out, except of rankings of any age. */
  since: number
}

interface Ranked {
  ranks: { asset: Asset; details: Span[] }[]
  /** Why tokens are missing. */
  note?: Text
}

/** The first ten of a ranking. Tokens are left out if the figure that decides is unknown, or can't be compared. */
export function ranked(
  ranking: Ranking,
  parts: RankingParts,
): { items: Item[]; assets: Asset[]; note: Text | undefined } {
  const { ranks, note } = rankers[ranking](parts)
  return {
    items: ranks.map(({ asset, details }) => tokenItem(asset, parts.chain, details, parts.isFake)),
    assets: ranks.map(({ asset }) => asset),
    note,
  }
}

const rankers: Record<Ranking, (parts: RankingParts) => Ranked> = {
  raised: raisedMost,
  mcap: (parts) => mostDollars(launched(parts), ({ marketCap }) => marketCap),
  volume: (parts) => mostDollars(parts, ({ volume24h }) => volume24h),
  moved: movedMost,
  new: newest,
}

/** Whether any of these pools says what it raised. Pools with a hook don't, which shows once they have sold something. */
export function areProceedsCounted(assets: readonly Asset[], units: Units): boolean {
  const all = assets.map((asset) => figuresOf(asset, units))
  return (
    all.some(({ proceeds }) => proceeds !== undefined) ||
    !all.some(({ progress = '0' }) => progress !== '0')
  )
}

interface Raised {
  asset: Asset
  facts: Figures
  raised: Money
}

/**
 * Amounts in different quote tokens can't be compared: they are in dollars if the API gives rates for most of them, else
 * those in the most common quote token are ranked, and the others only counted.
 */
function raisedMost(parts: RankingParts): Ranked {
  const { chain, units } = parts
  const all = launchedSince(parts).flatMap(({ asset, facts }): Raised[] => {
    const raised = facts.proceeds
    return raised && new Decimal(raised.amount).gt(0) ? [{ asset, facts, raised }] : []
  })
  const dollars = all.flatMap((each): Raised[] => {
    const raised = inDollars(each, units)
    return raised ? [{ ...each, raised }] : []
  })
  const inOne = [...Map.groupBy(all, quoteToken)]
    .filter(([token]) => token !== undefined)
    .map(([, group]) => group)
  const [comparable = []] = [dollars, ...inOne].sort((one, other) => other.length - one.length)
  const count = all.length - comparable.length
  return {
    ranks: first(comparable, ({ raised }) => raised.amount).map(({ asset, facts, raised }) => {
      const money = moneyText(raised, chain, asset)
      return { asset, details: [t('top-raised', { money }), ...sold(asset, facts)] }
    }),
    ...(count > 0 && { note: t('top-not-comparable', { count }) }),
  }
}

/** The quote token that an amount is in; undefined if it is unknown. */
function quoteToken({ asset, raised }: Raised): string | undefined {
  return raised.currency === 'usd' ? 'usd' : asset.asset_numeraire_address?.toLowerCase()
}

function inDollars({ asset, raised }: Raised, units: Units): Money | undefined {
  if (raised.currency === 'usd') return raised
  const rate = dollarsPerQuote(asset, units) ?? asset.quote_dollars
  if (rate === undefined) return undefined
  return { amount: new Decimal(raised.amount).times(rate).toFixed(), currency: 'usd' }
}

function movedMost({ assets, chain, units }: RankingParts): Ranked {
  const moved = assets.flatMap((asset) => {
    const { price, change24h, volume24h } = figuresOf(asset, units)
    // Without a trade, a change is of the quote token's own price.
    const isTraded = volume24h === undefined || new Decimal(volume24h.amount).gt(0)
    if (!price || change24h === undefined || !isTraded) return []
    const size = new Decimal(change24h).abs()
    return size.gt(0) ? [{ asset, price, change24h, volume24h, size }] : []
  })
  return {
    ranks: first(moved, ({ size }) => size.toFixed()).map(
      ({ asset, price, change24h, volume24h }) => {
        const volume = volume24h && moneyText(volume24h, chain, asset)
        const details = [
          t('asset-change-24h', { change: changePercent(change24h) }),
          priceText(price, chain, asset),
          ...(volume ? [t('top-volume', { volume })] : []),
        ]
        return { asset, details }
      },
    ),
  }
}

/** Amounts in quote tokens can't be compared with those in dollars: such tokens are only counted. */
function mostDollars(
  { assets, chain, units }: RankingParts,
  amountOf: (facts: Figures) => Money | undefined,
): Ranked {
  const all = assets.flatMap((asset) => {
    const facts = figuresOf(asset, units)
    const money = amountOf(facts)
    return money && new Decimal(money.amount).gt(0) ? [{ asset, facts, money }] : []
  })
  const inDollars = all.filter(({ money }) => money.currency === 'usd')
  const count = all.length - inDollars.length
  return {
    ranks: first(inDollars, ({ money }) => money.amount).map(({ asset, facts }) => {
      const { marketCap, volume24h, change24h } = facts
      const text = (money: Money) => moneyText(money, chain, asset)
      const details = [
        ...(marketCap ? [t('asset-mc', { amount: text(marketCap) })] : []),
        ...(change24h === undefined
          ? []
          : [t('asset-change-24h', { change: changePercent(change24h) })]),
        ...(volume24h ? [t('top-volume', { volume: text(volume24h) })] : []),
      ]
      return { asset, details }
    }),
    ...(count > 0 && { note: t('top-not-in-dollars', { count }) }),
  }
}

/** Without upcoming tokens: nobody has paid their market cap yet. */
function launched(parts: RankingParts): RankingParts {
  return { ...parts, assets: parts.assets.filter((asset) => statusOf(asset) !== 'incoming') }
}

function newest(parts: RankingParts): Ranked {
  const { chain } = parts
  return {
    ranks: first(launchedSince(parts), ({ createdAt }) => String(createdAt)).map(
      ({ asset, facts, createdAt }) => {
        const cap = facts.marketCap
        const money = cap && moneyText(cap, chain, asset)
        const details: Span[] = [
          { time: createdAt, as: 'relative' },
          ...(money ? [t('asset-mc', { amount: money })] : []),
          ...sold(asset, facts),
        ]
        return { asset, details }
      },
    ),
  }
}

function launchedSince({ assets, units, since }: RankingParts) {
  return assets.flatMap((asset) => {
    const facts = figuresOf(asset, units)
    const { createdAt } = facts
    return createdAt !== undefined && createdAt >= since ? [{ asset, facts, createdAt }] : []
  })
}

function sold(asset: Asset, { progress }: Figures): Span[] {
  if (statusOf(asset) !== 'live' || progress === undefined) return []
  return [t('asset-share-sold', { share: progressPercent(progress) })]
}

/** The ten with the largest figures, largest first. */
function first<T>(all: readonly T[], figureOf: (each: T) => string): T[] {
  return all
    .map((each) => ({ each, figure: new Decimal(figureOf(each)) }))
    .sort((one, other) => other.figure.cmp(one.figure))
    .slice(0, maxRanked)
    .map(({ each }) => each)
}
