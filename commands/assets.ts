import type { Ordering, Status } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import { formatLine, oneOf, optional } from '../src/core/command.ts'
import type { Button, Span } from '../src/core/view.ts'
import { assetPage } from './asset-page.ts'
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
  run: ({ status = 'all', chain, limit, page = 1, order, ...filter }, services) => {
    const shownChain = chain ?? services.chains[0]
    const lineFor = (shown: Status, page?: number) =>
      formatLine('assets', shown, { order, ...filter, chain: shownChain.id, limit, page })
    return assetPage(services, {
      title: title(status, shownChain.name),
      chain: shownChain,
      filter: { status, ordering: order, ...filter },
      limit,
      page,
      lineOf: (other) => lineFor(status, other),
      buttonRows: statusRows(status, (other) => lineFor(other)),
      emptyText: emptyText(status, shownChain, Object.values(filter).some(Boolean)),
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

/** Two buttons in a row: four would be cut off on a phone. */
function statusRows(current: Status, line: (status: Status) => string): Button[][] {
  const buttons = shownStatuses.map((status) => ({
    label: status === current ? `• ${statusNames[status]}` : statusNames[status],
    line: line(status),
  }))
  return [buttons.slice(0, 2), buttons.slice(2)]
}
