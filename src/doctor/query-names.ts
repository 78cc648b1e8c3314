import { assetKey, baseToken, creatorOf, matchesTerm, sameListing } from '../api/asset.ts'
import type { Listing } from '../api/client.ts'
import { figuresOf } from '../api/figures.ts'
import {
  type Asset,
  type AssetFilter,
  categories,
  defaultQueryNames,
  listStatuses,
  type QueryMeaning,
  type QueryNames,
} from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { ApiError, isRefused } from '../errors.ts'
import type { Asker } from './asker.ts'
import type { Home } from './key-chains.ts'

/** Whether a name has an effect, and the evidence; undefined if that can't be told. */
interface Effect {
  effect: boolean | undefined
  detail: string
}

/** The effect of a query name, and if it has none, another name that has one. */
export interface NameFinding extends Effect {
  meaning: QueryMeaning
  name: string
  better?: string
}

/** The assets by which names are judged. */
interface Trial extends Home {
  asker: Asker
  units: Units
  /** Another chain to ask for. */
  otherChain: number
}

/** A trial of some names; `list` asks for the home chain unless another is given. */
interface Asked extends Trial {
  list: (filter?: AssetFilter, chain?: number) => Promise<Listing>
  search: (term: string) => Promise<Listing>
}

/** Usual spellings of the parameters whose names nobody has seen, and of the chain. */
const spellings: Partial<Record<QueryMeaning, readonly string[]>> = {
  chain: ['chain_id'],
  ordering: ['orderBy', 'order_by', 'sort', 'sortBy'],
  numeraire: ['numeraireAddress', 'numeraire_address'],
  category: ['categories'],
  creator: ['creatorAddress', 'creator_address'],
  term: ['q', 'query', 'search', 'searchTerm'],
}

/** Says whether the name for a meaning has an effect; if it has none, tries the usual spellings. */
export async function checkName(
  trial: Trial,
  names: QueryNames,
  meaning: QueryMeaning,
): Promise<NameFinding> {
  const name = names[meaning]
  const own = await effectOf(trial, names, meaning)
  const usual = [defaultQueryNames[meaning], ...(spellings[meaning] ?? [])]
  const others = own.effect === false ? usual.filter((each) => !isTaken(each, names)) : []
  const without: string[] = []
  for (const better of others) {
    const { effect } = await effectOf(trial, { ...names, [meaning]: better }, meaning)
    if (effect) return { meaning, name, ...own, better }
    if (effect === false) without.push(better)
  }
  const rest = without.length === 0 ? '' : `; nor has ${without.join(', ')}`
  return { meaning, name, effect: own.effect, detail: `${own.detail}${rest}` }
}

function isTaken(name: string, names: QueryNames): boolean {
  return Object.values(names).includes(name)
}

async function effectOf(trial: Trial, names: QueryNames, meaning: QueryMeaning): Promise<Effect> {
  const { asker, chain } = trial
  try {
    return await effects[meaning]({
      ...trial,
      list: (filter = {}, other = chain) => asker.list(names, { ...filter, chain: other }),
      search: (term) => asker.search(names, { chain, term }),
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { effect: isRefused(error) ? false : undefined, detail: error.message }
  }
}

const effects: Readonly<Record<QueryMeaning, (asked: Asked) => Promise<Effect>>> = {
  chain: async ({ list, otherChain: chain }) => {
    const here = await list()
    try {
      const there = await list({}, chain)
      const isSame = sameListing(here.unfiltered, there.unfiltered)
      const detail = isSame ? 'the same assets' : `${there.receivedCount} assets of its own`
      return { effect: !isSame, detail: `${chain}: ${detail}` }
    } catch (error) {
      if (!isRefused(error)) throw error
      return { effect: true, detail: `${chain} is refused` }
    }
  },
  status: async ({ list }) => {
    const lists: Listing[] = []
    for (const status of listStatuses) lists.push(await list({ status }))
    const [first, ...others] = lists.map(({ unfiltered }) => unfiltered)
    const detail = listStatuses.map((status, index) => `${lists[index]?.receivedCount} ${status}`)
    if (lists.every(({ receivedCount }) => receivedCount === 0)) return open('no status has assets')
    return others.every((each) => sameListing(first ?? [], each))
      ? { effect: false, detail: 'the same assets for each' }
      : { effect: true, detail: detail.join(', ') }
  },
  limit: async ({ list, page }) => {
    if (page.receivedCount < 3) return open('fewer than three assets are listed')
    // The client cuts what is too long, so that only the size tells.
    const effect = (await list({ limit: 1 })).bytes * 2 < page.bytes
    return { effect, detail: effect ? '1: a short answer' : '1: no shorter answer' }
  },
  offset: async ({ list, page }) => {
    const offset = Math.floor(page.unfiltered.length / 2)
    if (offset === 0) return open('fewer than two assets are listed')
    const keys = (await list({ offset })).unfiltered.map(assetKey)
    const isListed = (asset: Asset | undefined) => !!asset && keys.includes(assetKey(asset))
    if (isListed(page.unfiltered[0])) return { effect: false, detail: `${offset}: the same assets` }
    return isListed(page.unfiltered[offset])
      ? { effect: true, detail: `${offset}: begins further on` }
      : open(`${offset}: other assets than those further on`)
  },
  ordering: async ({ list, page, units }) => {
    const up = await list({ ordering: 'market_cap_asc' })
    const down = await list({ ordering: 'market_cap_desc' })
    if (!isSameOrder(up, down)) return { effect: true, detail: 'up and down differ' }
    const caps = page.unfiltered.map((asset) => figuresOf(asset, units).marketCap?.amount ?? '')
    return new Set(caps).size > 1
      ? { effect: false, detail: 'up and down are the same' }
      : open('no two market caps among the assets')
  },
  numeraire: filterEffect(
    'quote tokens',
    ({ asset_numeraire_address: quote }) => listOf(quote),
    (numeraire) => ({ numeraire }),
  ),
  category: filterEffect(
    'categories',
    ({ asset_categories: own = [] }) => categories.filter((each) => own.includes(each)),
    (value) => ({ category: categories.find((each) => each === value) }),
  ),
  creator: filterEffect(
    'creators',
    (asset) => listOf(creatorOf(asset)),
    (creator) => ({ creator }),
  ),
  term: async ({ search, page }) => {
    const term = rarest(page, (asset) => listOf(baseToken(asset)?.token_symbol))
    if (term === undefined) return open('no two symbols among the assets')
    return effectIn(await search(term), 'symbols', (asset) => matchesTerm(asset, term))
  },
}

/** Filters by what only some assets of the first page have. */
function filterEffect(
  what: string,
  valuesOf: (asset: Asset) => readonly string[],
  filterOf: (value: string) => AssetFilter,
) {
  return async ({ list, page }: Asked): Promise<Effect> => {
    const value = rarest(page, valuesOf)
    if (value === undefined) return open(`no two ${what} among the assets`)
    return effectIn(await list(filterOf(value)), what, (asset) => {
      const values = valuesOf(asset).map((each) => each.toLowerCase())
      return values.length === 0 || values.includes(value.toLowerCase())
    })
  }
}

function effectIn(found: Listing, what: string, fits: (asset: Asset) => boolean): Effect {
  const { receivedCount: count, unfiltered } = found
  // An API that does not know the name may look for nothing at all.
  if (count === 0) return { effect: false, detail: 'nothing is listed for what an asset has' }
  const others = unfiltered.filter((asset) => !fits(asset)).length
  return { effect: others === 0, detail: `${count} listed, ${others || 'no'} other ${what}` }
}

/** The value that the fewest assets of a page have, of those that some lack; undefined if there is none. */
function rarest(
  { unfiltered }: Listing,
  valuesOf: (asset: Asset) => readonly string[],
): string | undefined {
  const valued = unfiltered.map(valuesOf).filter((values) => values.length > 0)
  const groups = [...Map.groupBy(valued.flat(), (value) => value.toLowerCase()).values()]
  const [fewest] = groups
    .filter((group) => group.length < valued.length)
    .toSorted((one, other) => one.length - other.length)
  return fewest?.[0]
}

/** Whether most assets are in both lists, and those that are come in one order. */
function isSameOrder({ unfiltered: one }: Listing, { unfiltered: other }: Listing): boolean {
  const keys = one.map(assetKey)
  const places = other.map((asset) => keys.indexOf(assetKey(asset))).filter((place) => place >= 0)
  return (
    sameListing(one, other) && places.every((place, index) => place > (places[index - 1] ?? -1))
  )
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value]
}

function open(detail: string): Effect {
  return { effect: undefined, detail }
}
