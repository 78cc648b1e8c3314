import { sameListing } from '../api/asset.ts'
import type { Listing } from '../api/client.ts'
import type { QueryNames } from '../api/schema.ts'
import { ApiError, isRefused } from '../errors.ts'
import type { Asker } from './asker.ts'
import { type Finding, ok, unknown, wrong } from './finding.ts'

/** The chains that the service is known to serve (recorded in November 2026 from public clients of the API). */
const servedChains = [8453, 4663]
/** Max configured chains that are asked for. */
const maxChains = 5

/** A chain with the first page of its assets, or with why there is none. */
export interface ChainList {
  chain: number
  isConfigured: boolean
  page?: Listing
  error?: ApiError
}

/** Lists the configured chains, and those that the service serves. Ends early if the API gives no lists at all. */
export async function listChains(
  asker: Asker,
  names: QueryNames,
  configured: readonly number[],
): Promise<ChainList[]> {
  const lists: ChainList[] = []
  for (const chain of new Set([...configured.slice(0, maxChains), ...servedChains])) {
    const list = { chain, isConfigured: configured.includes(chain) }
    try {
      lists.push({ ...list, page: await asker.list(names, { chain }) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      lists.push({ ...list, error })
      if (!isRefused(error)) break
    }
  }
  return lists
}

/** A chain with assets, and the first page of them. */
export interface Home {
  chain: number
  page: Listing
}

/** Picks the chain to judge by: the first configured one that has assets, else another. */
export function homeOf(lists: readonly ChainList[]): Home | undefined {
  const [home] = lists
    .toSorted((one, other) => Number(other.isConfigured) - Number(one.isConfigured))
    .flatMap(({ chain, page }) => (page?.receivedCount ? [{ chain, page }] : []))
  return home
}

/** Says of each chain whether the key's assets are there, and what to set if they are on none of CHAINS. */
export function chainFindings(lists: readonly ChainList[]): Finding[] {
  const home = homeOf(lists)
  const own = lists.filter(({ isConfigured }) => isConfigured)
  const left = lists.filter(({ isConfigured, page }) => !isConfigured && page?.receivedCount)
  const isElsewhere = home !== undefined && own.every(({ chain }) => chain !== home.chain)
  if (isElsewhere && own.every(({ error }) => !error || isRefused(error))) {
    const set = left.map(({ chain }) => chain).join(',')
    const what = `nothing on ${own.map(({ chain }) => chain).join(', ')}`
    return [wrong('CHAINS', `${what}; this key’s assets are on ${set}: set CHAINS=${set}`)]
  }
  const others = left.filter((list) => !home || !isSameAs(home, list))
  return [
    ...own.map((list) => chainFinding(list, home)),
    ...others.map(({ chain }): Finding => {
      const detail = `${chain}: this key also has assets there, but CHAINS leaves it out`
      return { setting: 'CHAINS', verdict: 'off', detail }
    }),
  ]
}

function isSameAs(home: Home, { chain, page }: ChainList): boolean {
  return chain !== home.chain && !!page && sameListing(page.unfiltered, home.page.unfiltered)
}

function chainFinding(list: ChainList, home: Home | undefined): Finding {
  const { chain, page, error } = list
  if (error) return wrong('CHAINS', `${chain}: ${error.message}`)
  if (!page?.receivedCount) {
    return unknown('CHAINS', `${chain}: the API lists nothing there, now or at all`)
  }
  if (home && isSameAs(home, list)) {
    return wrong('CHAINS', `${chain}: the API answers with the assets of chain ${home.chain}`)
  }
  const unusable = page.receivedCount - page.unfiltered.length
  const skipped = unusable === 0 ? '' : `, ${unusable} of them unusable`
  const count = page.receivedCount === 1 ? '1 asset' : `${page.receivedCount} assets`
  return ok('CHAINS', `${chain}: ${count} on the first page${skipped}`)
}
