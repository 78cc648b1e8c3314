import type { Filters } from '../api/answers.ts'
import { baseToken, statusOf } from '../api/asset.ts'
import { figuresOf } from '../api/figures.ts'
import type { Asset, Ordering } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import type { Block, Button, Item, Span, View } from '../core/view.ts'
import { cardLine, type Freshness, staleNote } from './facts.ts'
import { lookalikes } from './lookalike.ts'
import { changePercent, progressPercent } from './number.ts'
import { moneyText, statusMark, statusText, tokenLabel, tokenName, tokenSymbol } from './token.ts'

/** Assets on a page: about what a phone shows at once, with their buttons. */
export const pageSize = 10

/**
 * Returns which part of a list is on a page (the first page is 1): the offset of its first item, how many items it has at
 * most, and whether it is the last. `length` is the length of the whole list, if it is known or limited.
 * @example
 *   const { offset, count, isLast } = pageBounds(2, found.length)
 *   listView({ assets: found.slice(offset, offset + count), paging: { page: 2, hasNext: !isLast, … }, … })
 */
export function pageBounds(
  page: number,
  length = Number.POSITIVE_INFINITY,
): { offset: number; count: number; isLast: boolean } {
  const offset = (page - 1) * pageSize
  const left = Math.max(0, length - offset)
  return { offset, count: Math.min(pageSize, left), isLast: left <= pageSize }
}

/** The position of a page in its list. */
export interface Paging {
  /** The first page is 1. */
  page: number
  hasNext: boolean
  /** Returns the command line that shows another page; undefined is the first. */
  lineOf: (page: number | undefined) => string
}

/** The parts of a page of assets. */
export interface ListParts {
  title: Span[]
  assets: readonly Asset[]
  chain: Chain
  units: Units
  freshness: Freshness
  /** Absent if there is only one page. */
  paging?: Paging
  /** Above those for turning pages. */
  buttonRows?: Button[][]
  /** Shown if there are no assets; by default nothing on the first page, and "There are no more." on others. */
  emptyText?: string | undefined
  /** Remarks below the list. */
  notes?: readonly string[]
}

/** A page of assets, each with a button that opens its card. */
export function listView(parts: ListParts): View {
  const { assets, chain, units } = parts
  const { page = 1 } = parts.paging ?? {}
  const first = (page - 1) * pageSize + 1
  const items = assets.map((asset) => assetItem(asset, chain, units))
  const nothing = parts.emptyText ?? (page > 1 ? 'There are no more.' : undefined)
  return {
    title: parts.title,
    blocks: [
      items.length > 0
        ? { kind: 'list', first, items }
        : { kind: 'text', spans: nothing ? [nothing] : [] },
      ...pageNote(parts.paging),
      ...(parts.notes ?? []).map((note): Block => ({ kind: 'text', spans: [note], quiet: true })),
      ...staleNote(parts.freshness),
    ],
    buttons: [...(parts.buttonRows ?? []), turnButtons(parts.paging)].filter(
      (row) => row.length > 0,
    ),
  }
}

/** The buttons that lead to the pages before and after. */
export function turnButtons(paging: Paging | undefined): Button[] {
  if (!paging) return []
  const { page, hasNext, lineOf } = paging
  return [
    ...(page > 1 ? [{ label: '◀ Previous', line: lineOf(page > 2 ? page - 1 : undefined) }] : []),
    ...(hasNext ? [{ label: 'Next ▶', line: lineOf(page + 1) }] : []),
  ]
}

function pageNote({ page = 1, hasNext = false }: Partial<Paging> = {}): Block[] {
  return page > 1 || hasNext ? [{ kind: 'text', spans: [`Page ${page}`], quiet: true }] : []
}

/** One line: status, name, symbol, market cap, and the price's change or the sale's progress. */
function assetItem(asset: Asset, chain: Chain, units: Units): Item {
  const token = baseToken(asset)
  const facts = figuresOf(asset, units)
  const symbol = tokenSymbol(token?.token_symbol)
  const isLive = statusOf(asset) === 'live'
  const mark = statusMark(asset)
  const naming = { name: token?.token_name, symbol: token?.token_symbol }
  const isAlike = lookalikes({ ...naming, address: asset.asset_address }, chain).length > 0
  const details = [
    mark === undefined ? statusText(asset) : undefined,
    facts.marketCap && moneyText(facts.marketCap, chain, asset.asset_numeraire_address),
    isLive && facts.progress !== undefined ? `${progressPercent(facts.progress)} sold` : undefined,
    // A change means nothing without a price.
    !isLive && facts.price && facts.change24h !== undefined
      ? changePercent(facts.change24h)
      : undefined,
  ].filter((detail) => detail !== undefined)
  return {
    spans: [
      ...(mark === undefined ? [] : [`${mark} `]),
      // The card explains it.
      ...(isAlike ? ['⚠️ '] : []),
      { bold: tokenName(token?.token_name) },
      ...(symbol ? [` ${symbol}`] : []),
      ...details.map((detail) => ` · ${detail}`),
    ],
    open: {
      label: tokenLabel(asset),
      line: cardLine(asset, chain),
    },
  }
}

/** The text for a page that shows the assets of the page before it. */
export const repeatedListText =
  'This list can’t be paged: the data source gives its first assets again. A filter or /search finds others.'

const filterNames: Readonly<Partial<Record<keyof Filters, string>>> = {
  status: 'status',
  numeraire: 'quote token',
  category: 'category',
  creator: 'creator',
}

function named(filters: readonly (keyof Filters)[]): string {
  return filters.map((each) => filterNames[each] ?? each).join(' and ')
}

/** The text for a page of which every asset was left out, because it contradicts these filters. */
export function leftOutText(filters: readonly (keyof Filters)[], hasNext: boolean): string {
  const next = hasNext ? ' The next page may have some.' : ''
  return `The data source gave only assets with another ${named(filters)}.${next}`
}

/** The remark on a page of which so many assets were left out, because they contradict these filters. */
export function leftOutNote(filters: readonly (keyof Filters)[], count: number): string {
  const assets = count === 1 ? '1 asset' : `${count} assets`
  return `Left out: ${assets} that the data source gave with another ${named(filters)}.`
}

/** The remark on a page that is not in the order asked for. */
export function orderNote(order: Ordering): string {
  const by = order.startsWith('market_cap') ? 'market cap' : 'volume'
  return `Not sorted by ${by}: the data source gives its own order.`
}
