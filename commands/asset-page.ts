import { repeats } from '../src/api/asset.ts'
import type { AssetFilter } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { Text, View } from '../src/core/view.ts'
import { freshness } from '../src/views/facts.ts'
import {
  isOutOfOrder,
  type ListParts,
  leftOutNote,
  leftOutText,
  listView,
  orderNote,
  type Paging,
  pageBounds,
  pageSize,
  repeatedListText,
} from '../src/views/list.ts'
import { ignoreApiError, ignoredChainText, knownFakes } from './lookup.ts'
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
  emptyText: Text
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
    // Only read to detect repetition.
    page > 1 ? readPage(page - 1).catch(ignoreApiError) : undefined,
  ])
  const { items, unfiltered, contradictedFilters, receivedCount, chainIgnored } = read.value
  const isRepeated = before !== undefined && repeats(unfiltered, before.value.unfiltered)
  const expected = isRepeated ? [] : unfiltered.slice(0, count)
  const shown = expected.filter((each) => items.includes(each))
  const hasNext = receivedCount > count && !isLast && !isRepeated && !chainIgnored
  const whyEmpty = () => {
    // A short list that comes again may be an API that repeats its last page.
    if (isRepeated) return receivedCount > pageSize ? repeatedListText : undefined
    if (chainIgnored) return ignoredChainText([chain], services)
    if (contradictedFilters.length > 0) return leftOutText(contradictedFilters, hasNext)
    return page > 1 ? undefined : emptyText
  }
  const leftOut = shown.length > 0 ? expected.length - shown.length : 0
  const { ordering } = filter
  return listView({
    title,
    assets: shown,
    chain,
    units: services.units,
    isFake: knownFakes(chain, services),
    freshness: freshness(read, services.now()),
    paging: { page, hasNext, lineOf },
    ...(buttonRows && { buttonRows }),
    emptyText: whyEmpty(),
    notes: [
      ...(leftOut > 0 ? [leftOutNote(contradictedFilters, leftOut)] : []),
      ...(ordering && isOutOfOrder(shown, ordering, services.units) ? [orderNote(ordering)] : []),
    ],
  })
}
