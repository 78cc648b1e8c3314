import { type Filters, isOutOfOrder, repeats } from '../src/api/answers.ts'
import type { Listing } from '../src/api/client.ts'
import type { AssetFilter, Ordering } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { View } from '../src/core/view.ts'
import { ApiError } from '../src/errors.ts'
import { freshness } from '../src/views/facts.ts'
import { type ListParts, listView, type Paging, pageBounds, pageSize } from '../src/views/list.ts'
import { ignoredChainText } from './lookup.ts'
import type { Services } from './services.ts'

/** A page of what the API lists. */
interface AssetPage
  extends Pick<ListParts, 'title' | 'buttonRows'>,
    Pick<Paging, 'page' | 'lineOf'> {
  chain: Chain
  filter: Omit<AssetFilter, 'chain' | 'limit' | 'offset'>
  /** Max assets on all pages; without it as many as the API lists. */
  limit?: number | undefined
  /** Shown if the first page is empty. */
  emptyText: string
}

/**
 * Reads a page of assets from the API and shows it, with a remark if the API left out, repeated or mixed up what was
 * asked for.
 * @throws ApiError
 */
export async function assetPage(
  services: Services,
  { title, chain, filter, page, limit, lineOf, buttonRows, emptyText }: AssetPage,
): Promise<View> {
  const readPage = (number: number) => {
    const { offset, count } = pageBounds(number, limit)
    // One more than is shown, to know whether there is a next page; beyond the limit there is nothing to show.
    return services.api.assets({
      ...filter,
      chain: chain.id,
      limit: Math.max(1, count) + 1,
      offset,
    })
  }
  const { count, isLast } = pageBounds(page, limit)
  const [read, before] = await Promise.all([
    readPage(page),
    page > 1 ? readPage(page - 1).catch(ignoreApiError) : undefined,
  ])
  const { items, unfiltered, contradictedFilters, receivedCount, chainIgnored } = read.value
  const isRepeated = before !== undefined && repeats(unfiltered, before.value.unfiltered)
  const expected = isRepeated ? [] : unfiltered.slice(0, count)
  const shown = expected.filter((each) => items.includes(each))
  const hasNext = receivedCount > count && !isLast && !isRepeated && !chainIgnored
  const whyEmpty = () => {
    if (isRepeated) return repeatedText(read.value)
    if (chainIgnored) return ignoredChainText([chain], services)
    if (contradictedFilters.length > 0) return misfitsText(read.value, hasNext)
    return page > 1 ? undefined : emptyText
  }
  const { ordering } = filter
  return listView({
    title,
    assets: shown,
    chain,
    units: services.units,
    freshness: freshness(read, services.now()),
    paging: { page, hasNext, lineOf },
    ...(buttonRows && { buttonRows }),
    emptyText: shown.length > 0 ? undefined : whyEmpty(),
    notes: [
      ...(shown.length > 0 ? leftOutNote(expected.length - shown.length, read.value) : []),
      ...(ordering && isOutOfOrder(shown, ordering, services.units) ? [orderNote(ordering)] : []),
    ],
  })
}

/**
 * The text for a page that repeats the one before it; undefined if that page was not full, as
 * the list may just have ended.
 */
function repeatedText({ receivedCount }: Listing): string | undefined {
  if (receivedCount <= pageSize) return undefined
  return 'This list can’t be paged: the data source gives its first assets again. A filter or /search finds others.'
}

const filterWords: Readonly<Partial<Record<keyof Filters, string>>> = {
  status: 'status',
  numeraire: 'quote token',
  category: 'category',
  creator: 'creator',
}

function filtersOf({ contradictedFilters }: Listing): string {
  return contradictedFilters.map((each) => filterWords[each] ?? each).join(' and ')
}

/** The text if every asset of the page was left out for contradicting the filter. */
function misfitsText(listing: Listing, hasNext: boolean): string {
  const next = hasNext ? ' The next page may have some.' : ''
  return `The data source gave only assets with another ${filtersOf(listing)}.${next}`
}

function leftOutNote(count: number, listing: Listing): string[] {
  if (count === 0) return []
  const assets = count === 1 ? '1 asset' : `${count} assets`
  return [`Left out: ${assets} that the data source gave with another ${filtersOf(listing)}.`]
}

function orderNote(order: Ordering): string {
  const by = order.startsWith('market_cap') ? 'market cap' : 'volume'
  return `Not sorted by ${by}: the data source gives its own order.`
}

/** The page before is only read to detect repetition, so a failure of the API is ignored. */
function ignoreApiError(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
