import type { Ordering, Status } from '../src/api/requests.ts'
import { formatLine } from '../src/chat/line.ts'
import { oneOf, optional } from '../src/chat/params.ts'
import type { Button, Span } from '../src/chat/view.ts'
import { freshness } from '../src/views/freshness.ts'
import { listView, pageSize } from '../src/views/list.ts'
import { address, category, chain, limit, page } from './params.ts'
import { command, type Services } from './services.ts'

const statusNames: Record<Status, string> = {
  all: 'All',
  live: 'Live',
  incoming: 'Incoming',
  graduated: 'Graduated',
}

/** In the order of an auction's life, which is also that of the buttons. */
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
    const offset = (page - 1) * pageSize
    const room = Math.max(0, Math.min(pageSize, (limit ?? Number.POSITIVE_INFINITY) - offset))
    // One more than is shown tells whether there is a next page.
    const read = await services.api.assets({
      status,
      chain: where.id,
      limit: Math.max(1, room) + 1,
      offset,
      ordering: filter.order,
      category: filter.category,
      numeraire: filter.numeraire,
      creator: filter.creator,
    })
    const { items, received } = read.value
    const lineFor = (other: { status: Status; page: number }) =>
      formatLine('assets', other.status, {
        ...filter,
        chain: where.id,
        limit,
        page: other.page > 1 ? other.page : undefined,
      })
    const goesOn = limit === undefined || offset + pageSize < limit
    return listView({
      title: title(status, where.name),
      assets: items.slice(0, room),
      chain: where,
      units: services.units,
      freshness: freshness(read, services.now()),
      paging: {
        page,
        more: received > pageSize && goesOn,
        line: (other) => lineFor({ status, page: other }),
      },
      rows: statusRows(status, (other) => lineFor({ status: other, page: 1 })),
      empty: [emptyText(status, where.name)],
    })
  },
})

function title(status: Status, chain: string): Span[] {
  return [status === 'all' ? `Assets on ${chain}` : `${statusNames[status]} assets on ${chain}`]
}

function emptyText(status: Status, chain: string): string {
  return status === 'all'
    ? `Nothing on ${chain} fits. Leave out a filter.`
    : `Nothing on ${chain} is ${status} and fits right now.`
}

/** Two in a row: four would be cut off on a phone. */
function statusRows(current: Status, line: (status: Status) => string): Button[][] {
  const buttons = shownStatuses.map((status) => ({
    label: status === current ? `• ${statusNames[status]}` : statusNames[status],
    run: line(status),
  }))
  return [buttons.slice(0, 2), buttons.slice(2)]
}
