import type { Listing } from '../src/api/client.ts'
import { type Filters, isOutOfOrder, repeats } from '../src/api/listing.ts'
import type { Ordering, Status } from '../src/api/requests.ts'
import type { Chain } from '../src/chain/chains.ts'
import { formatLine, oneOf, optional } from '../src/core/command.ts'
import type { Button, Span } from '../src/core/view.ts'
import { ApiError } from '../src/errors.ts'
import { freshness } from '../src/views/freshness.ts'
import { listView, pageOf, pageSize } from '../src/views/list.ts'
import { mixedUp } from './lookup.ts'
import { address, category, chain, limit, page } from './params.ts'
import { command, type Services } from './services.ts'

const statusNames: Record<Status, string> = {
  all: 'All',
  live: 'Live',
  incoming: 'Incoming',
  graduated: 'Graduated',
}

/** In the order of an auction's life, which is also the order of the buttons. */
const shownStatuses: readonly Status[] = ['all', 'incoming', 'live', 'graduated']

const orders: { value: Ordering; label: string }[] = [
  { value: 'market_cap_desc', label: 'Market cap, highest first' },
  { value: 'market_cap_asc', label: 'Market cap, lowest first' },
  { value: 'volume_usd_desc', label: 'Volume, highest first' },
  { value: 'volume_usd_asc', label: 'Volume, lowest first' },
]

export const assets = command({
  name: 'assets',
  about: 'List assets: all, live, incoming or graduated',
  params: {
    status: optional(
      oneOf<Status, Services>(
        'Which assets',
        shownStatuses.map((value) => ({ value, label: statusNames[value] })),
      ),
    ),
    order: optional(oneOf<Ordering, Services>('Order; without it the newest come first', orders)),
    category: optional(category()),
    numeraire: optional(address('Only with this quote token')),
    creator: optional(address('Only by this creator')),
    chain: optional(chain()),
    limit: optional(limit()),
    page: optional(page()),
  },
  run: async ({ status = 'all', chain, limit, page = 1, ...filter }, services) => {
    const where = chain ?? services.chains[0]
    const readPage = (page: number) => {
      const { offset, count } = pageOf(page, limit)
      return services.api.assets({
        status,
        chain: where.id,
        // Ask for one more than is shown, to know whether there is a next page.
        limit: Math.max(1, count) + 1,
        offset,
        ordering: filter.order,
        category: filter.category,
        numeraire: filter.numeraire,
        creator: filter.creator,
      })
    }
    const { count, isLast } = pageOf(page, limit)
    const [read, before] = await Promise.all([
      readPage(page),
      page > 1 ? readPage(page - 1).catch(ignoreApiError) : undefined,
    ])
    const { items, given, contradicted, received, chainIgnored } = read.value
    const isRepeated = before !== undefined && repeats(given, before.value.given)
    const expected = isRepeated ? [] : given.slice(0, count)
    const shown = expected.filter((each) => items.includes(each))
    const lineFor = (other: { status: Status; page: number }) =>
      formatLine('assets', other.status, {
        ...filter,
        chain: where.id,
        limit,
        page: other.page > 1 ? other.page : undefined,
      })
    const more = received > pageSize && !isLast && !isRepeated && !chainIgnored
    const emptyListText = () => {
      if (isRepeated) return repeatedText(read.value)
      if (chainIgnored) return mixedUp([where], services)
      if (contradicted.length > 0) return misfitsText(read.value, more)
      const hasFilter = [filter.category, filter.numeraire, filter.creator].some(Boolean)
      return page > 1 ? undefined : emptyText(status, where, hasFilter)
    }
    return listView({
      title: title(status, where.name),
      assets: shown,
      chain: where,
      units: services.units,
      freshness: freshness(read, services.now()),
      paging: {
        page,
        more,
        line: (other) => lineFor({ status, page: other }),
      },
      rows: statusRows(status, (other) => lineFor({ status: other, page: 1 })),
      empty: shown.length > 0 ? undefined : emptyListText(),
      notes: [
        ...(shown.length > 0 ? leftOutNote(expected.length - shown.length, read.value) : []),
        ...(filter.order && isOutOfOrder(shown, filter.order, services.units)
          ? [orderNote(filter.order)]
          : []),
      ],
    })
  },
})

function title(status: Status, chain: string): Span[] {
  return [status === 'all' ? `Assets on ${chain}` : `${statusNames[status]} assets on ${chain}`]
}

function emptyText(status: Status, { name }: Chain, hasFilter: boolean): string {
  if (status === 'all') {
    return hasFilter
      ? `Nothing on ${name} fits. Leave out a filter.`
      : `Nothing is listed on ${name}.`
  }
  return `Nothing on ${name} is ${status}${hasFilter ? ' and fits' : ''} right now.`
}

/**
 * The text for a page that repeats the one before it; undefined if that page was not full, as then the list has just
 * ended.
 */
function repeatedText({ received }: Listing): string | undefined {
  if (received <= pageSize) return undefined
  return 'This list can’t be paged: the data source gives its first assets again. A filter or /search finds others.'
}

const filterWords: Readonly<Partial<Record<keyof Filters, string>>> = {
  status: 'status',
  numeraire: 'quote token',
  category: 'category',
  creator: 'creator',
}

function filtersOf({ contradicted }: Listing): string {
  return contradicted.map((each) => filterWords[each] ?? each).join(' and ')
}

/** The text if every asset of the page was left out for contradicting the filter. */
function misfitsText(listing: Listing, more: boolean): string {
  const next = more ? ' The next page may have some.' : ''
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

/** Two buttons in a row: four would be cut off on a phone. */
function statusRows(current: Status, line: (status: Status) => string): Button[][] {
  const buttons = shownStatuses.map((status) => ({
    label: status === current ? `• ${statusNames[status]}` : statusNames[status],
    run: line(status),
  }))
  return [buttons.slice(0, 2), buttons.slice(2)]
}
