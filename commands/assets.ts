import type { Ordering, Status } from '../src/api/schema.ts'
import { type Chain, numeraireSymbol } from '../src/chain/chains.ts'
import { formatLine, oneOf, optional } from '../src/core/command.ts'
import { type Button, type Message, type Text, t } from '../src/core/view.ts'
import { chainName } from '../src/views/token.ts'
import { assetPage } from './asset-page.ts'
import { chainsToSearch } from './lookup.ts'
import { address, category, chain, limit, page, quoteToken, quoteTokenOn } from './params.ts'
import { command, type Services } from './services.ts'

const statusNames: Record<Status, Message> = {
  all: t('assets-all'),
  live: t('status-live-word'),
  incoming: t('status-upcoming-word'),
  graduated: t('status-graduated-word'),
}

const titles = {
  all: (chain: Text) => t('assets-title-all', { chain }),
  live: (chain: Text) => t('assets-title-live', { chain }),
  incoming: (chain: Text) => t('assets-title-upcoming', { chain }),
  graduated: (chain: Text) => t('assets-title-graduated', { chain }),
} satisfies Record<Status, (chain: Text) => Message>

const emptyTexts = {
  all: (chain: Text) => t('assets-none', { chain }),
  live: (chain: Text) => t('assets-none-live', { chain }),
  incoming: (chain: Text) => t('assets-none-upcoming', { chain }),
  graduated: (chain: Text) => t('assets-none-graduated', { chain }),
} satisfies Record<Status, (chain: Text) => Message>

/** In the order of an auction's life, which is also the order of the buttons. */
const shownStatuses: readonly Status[] = ['all', 'incoming', 'live', 'graduated']

const orders: { value: Ordering; label: Message }[] = [
  { value: 'market_cap_desc', label: t('order-market-cap-highest') },
  { value: 'market_cap_asc', label: t('order-market-cap-lowest') },
  { value: 'volume_usd_desc', label: t('order-volume-highest') },
  { value: 'volume_usd_asc', label: t('order-volume-lowest') },
]

export const assets = command({
  name: 'assets',
  about: t('assets-about'),
  params: {
    status: optional(
      oneOf<Status, Services>(
        t('param-status'),
        shownStatuses.map((value) => ({
          value,
          label: statusNames[value],
          ...(value === 'incoming' && { word: 'upcoming' }),
        })),
      ),
    ),
    order: optional(oneOf<Ordering, Services>(t('param-order'), orders)),
    category: optional(category()),
    numeraire: optional(quoteToken(t('param-numeraire'))),
    creator: optional(address(t('param-creator'))),
    chain: optional(chain()),
    limit: optional(limit()),
    page: optional(page()),
  },
  run: async ({ status = 'all', chain, limit, page = 1, order, ...typed }, services) => {
    const [shownChain] = chainsToSearch(chain, services)
    const quote = typed.numeraire && (await quoteTokenOn(typed.numeraire, [shownChain], services))
    const filter = { ...typed, ...(quote && { numeraire: quote.address }) }
    const lineFor = (shown: Status, page?: number, ordering: string | undefined = order) =>
      formatLine('assets', shown, {
        order: ordering === newest ? undefined : ordering,
        ...filter,
        chain: shownChain.id,
        limit,
        page,
      })
    return assetPage(services, {
      title: [titles[status](chainName(shownChain))],
      chain: shownChain,
      filter: { status, ordering: order, ...filter },
      limit,
      page,
      lineOf: (other) => lineFor(status, other),
      buttonRows: [
        statusRow(status, (other) => lineFor(other)),
        orderRow(order, (other) => lineFor(status, undefined, other)),
      ],
      emptyText:
        elsewhereText(filter.numeraire, shownChain, services) ??
        emptyText(status, shownChain, Object.values(filter).some(Boolean)),
    })
  },
})

function emptyText(status: Status, chain: Chain, isFiltered: boolean): Text {
  const name = chainName(chain)
  if (status === 'graduated' && chain.neverGraduates)
    return t('assets-never-graduate', { chain: name })
  return isFiltered ? t('assets-none-with-filters', { chain: name }) : emptyTexts[status](name)
}

/** Says which chain a quote token that was given by its address belongs to, if it is not on this one. */
function elsewhereText(
  address: string | undefined,
  shown: Chain,
  { chains }: Services,
): Text | undefined {
  if (numeraireSymbol(shown, address) !== undefined) return undefined
  for (const chain of chains) {
    const symbol = numeraireSymbol(chain, address)
    if (symbol === undefined) continue
    const option = { code: `chain:${chain.slug}` }
    const names = { chain: chain.name, chains: shown.name }
    return t('quote-token-elsewhere', { typed: symbol, option, ...names })
  }
  return undefined
}

/** Stands for no order on a button. */
const newest = 'newest'
const orderButtons = [
  { value: newest, label: t('order-button-newest') },
  { value: 'market_cap_desc', label: t('order-button-market-cap') },
  { value: 'volume_usd_desc', label: t('order-button-volume') },
] as const

function orderRow(
  current: Ordering | undefined,
  line: (order: (typeof orderButtons)[number]['value']) => string,
): Button[] {
  return orderButtons.map(({ value, label }) => ({
    label: value === (current ?? newest) ? t('chosen', { label }) : label,
    line: line(value),
  }))
}

function statusRow(current: Status, line: (status: Status) => string): Button[] {
  return shownStatuses.map((status) => ({
    label: status === current ? t('chosen', { label: statusNames[status] }) : statusNames[status],
    line: line(status),
  }))
}
