import Big from 'big.js'
import { baseToken, baseTokens, figures } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { storable, storableShare } from './amounts.ts'
import type { DigestEntry, NewsBodyOf } from './news.ts'
import type { Scope } from './rule.ts'

/** An asset as a digest needs it. */
export interface Listed {
  chain: number
  asset: Asset
}

/** What happened in the day before a digest and how things stand, on all chains. */
export interface DayOfAssets {
  /** The newest first. */
  wentLive: readonly Listed[]
  /** The newest first. */
  graduated: readonly Listed[]
  live: readonly Listed[]
  /** Graduated assets whose price moved lately. */
  trading: readonly Listed[]
}

const day = 86_400
const mostEntries = 5
const longest = { name: 300, symbol: 100 }

/** What a digest says of the assets in its scope; a quiet day has zeros. */
export function digestOf(
  of: DayOfAssets,
  scope: Scope,
  { units, now }: { units: Units; now: number },
): Omit<NewsBodyOf<'digest'>, 'kind' | 'filter' | 'date' | 'zone'> {
  const inScope = (listed: readonly Listed[]) => listed.filter((each) => isIn(scope, each))
  const wentLive = inScope(of.wentLive)
  const graduated = inScope(of.graduated)
  const live = inScope(of.live)
  const entries = (listed: readonly Listed[]) => listed.map((each) => entryOf(each, units))
  const ending = entries(live)
    .filter(({ endsAt = 0 }) => endsAt > now && endsAt <= now + day)
    .sort((one, other) => (one.endsAt ?? 0) - (other.endsAt ?? 0))
  const movers = entries([...live, ...inScope(of.trading)])
    .filter(({ change24h }) => change24h !== undefined && !Big(change24h).eq(0))
    .sort((one, other) => share(other).cmp(share(one)))
  return {
    counts: { wentLive: wentLive.length, graduated: graduated.length, live: live.length },
    endingSoon: ending.slice(0, mostEntries),
    newest: entries(wentLive.slice(0, mostEntries)),
    graduated: entries(graduated.slice(0, mostEntries)),
    movers: movers.slice(0, mostEntries),
  }
}

function share({ change24h = '0' }: DigestEntry): Big {
  return Big(change24h).abs()
}

function isIn(scope: Scope, { chain, asset }: Listed): boolean {
  const isSame = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || wanted.toLowerCase() === value?.toLowerCase()
  const { asset_categories: categories = [] } = asset
  return (
    (scope.chain === undefined || scope.chain === chain) &&
    isSame(scope.asset, asset.asset_address) &&
    isSame(scope.numeraire, asset.asset_numeraire_address) &&
    isSame(scope.creator, baseToken(asset)?.token_creator_address) &&
    (scope.category === undefined || categories.some((each) => isSame(scope.category, each)))
  )
}

function entryOf({ chain, asset }: Listed, units: Units): DigestEntry {
  const facts = figures(asset, units)
  const tokens = baseTokens(asset)
  const text = (field: 'name' | 'symbol') =>
    (tokens.find((token) => token[`token_${field}`])?.[`token_${field}`] ?? '')
      .slice(0, longest[field])
      .toWellFormed()
  return {
    asset: asset.asset_address.toLowerCase(),
    chain,
    name: text('name'),
    symbol: text('symbol'),
    price: storable(facts.price),
    marketCap: storable(facts.marketCap),
    numeraire: asset.asset_numeraire_address,
    change24h: storableShare(facts.change24h),
    progress: storableShare(facts.progress),
    endsAt: facts.endsAt,
  }
}
