import { setImmediate as others } from 'node:timers/promises'
import Big from 'big.js'
import { baseToken, baseTokens, figures } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import type { Units } from '../../api/units.ts'
import type { DigestEntry, NewsBodyOf } from '../news.ts'
import type { Scope } from '../rule.ts'
import { storable, storableShare } from '../storable.ts'

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
/** Assets that are worked out before others of the process have their turn. */
const atATime = 100
const longest = { name: 300, symbol: 100 }

/** What a digest says. */
export type DigestContent = Omit<
  NewsBodyOf<'digest'>,
  'kind' | 'filter' | 'scope' | 'date' | 'zone'
>

/** An asset with what a digest says of it, which is worked out once for all digests. */
interface Read {
  listed: Listed
  entry: DigestEntry
}

/** Returns what a digest says of the assets in its scope; a quiet day has zeros. */
export async function digestsOf(
  of: DayOfAssets,
  { units, now }: { units: Units; now: number },
): Promise<(scope: Scope) => DigestContent> {
  const wentLive = await readAll(of.wentLive, units)
  const graduated = await readAll(of.graduated, units)
  const live = await readAll(of.live, units)
  const trading = await readAll(of.trading, units)
  const ending = live
    .filter(({ entry: { endsAt = 0 } }) => endsAt > now && endsAt <= now + day)
    .sort((one, other) => (one.entry.endsAt ?? 0) - (other.entry.endsAt ?? 0))
  const movers = [...live, ...trading]
    .map((each) => ({ ...each, share: Big(each.entry.change24h ?? '0').abs() }))
    .filter(({ share }) => !share.eq(0))
    .sort((one, other) => other.share.cmp(one.share))
  return (scope) => {
    const inScope = (all: readonly Read[]) => all.filter(({ listed }) => isIn(scope, listed))
    const top = (all: readonly Read[]) => firstIn(scope, all)
    return {
      counts: {
        wentLive: inScope(wentLive).length,
        graduated: inScope(graduated).length,
        live: inScope(live).length,
      },
      endingSoon: top(ending),
      newest: top(wentLive),
      graduated: top(graduated),
      movers: top(movers),
    }
  }
}

async function readAll(all: readonly Listed[], units: Units): Promise<Read[]> {
  const read: Read[] = []
  for (const listed of all) {
    if (read.length % atATime === 0) await others()
    read.push({ listed, entry: entryOf(listed, units) })
  }
  return read
}

function firstIn(scope: Scope, all: readonly Read[]): DigestEntry[] {
  const found: DigestEntry[] = []
  for (const { listed, entry } of all) {
    if (found.length === mostEntries) break
    if (isIn(scope, listed)) found.push(entry)
  }
  return found
}

function isIn(scope: Scope, { chain, asset }: Listed): boolean {
  const isSame = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || wanted.toLowerCase() === value?.toLowerCase()
  const { asset_categories: categories = [] } = asset
  return (
    (scope.chain === undefined || scope.chain === chain) &&
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
