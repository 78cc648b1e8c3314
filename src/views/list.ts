import { baseToken, type Filters, statusOf } from '../api/asset.ts'
import { figuresOf } from '../api/figures.ts'
import type { Asset, Ordering } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import { changePercent, progressPercent } from '../core/number.ts'
import {
  type Block,
  type Button,
  type Item,
  type Message,
  type Span,
  type Text,
  t,
  unbroken,
  type View,
} from '../core/view.ts'
import { cardLine, type Freshness, staleNote } from './facts.ts'
import { lookalikes } from './lookalike.ts'
import { moneyText, quoteDetails } from './money.ts'
import { fakeStatus, statusMark, statusText, tokenLabel, tokenName, tokenSymbol } from './token.ts'

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

type IsFake = (asset: Asset) => boolean
const noFakes: IsFake = () => false

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
  /** Whether it is known that the API calls an asset a fake; none by default. */
  isFake?: IsFake
  freshness: Freshness
  /** Absent if there is only one page. */
  paging?: Paging
  /** Above those for turning pages. */
  buttonRows?: Button[][]
  /** Shown if there are no assets. Default: no text on the first page; on others, that there are no more. */
  emptyText?: Text | undefined
  /** Remarks below the list. */
  notes?: readonly Text[]
}

/** A page of assets, each with a button that opens its card. */
export function listView(parts: ListParts): View {
  const { assets, isFake } = parts
  const { page = 1 } = parts.paging ?? {}
  const first = (page - 1) * pageSize + 1
  const items = assets.map((asset) => assetItem(asset, parts))
  const nothing = parts.emptyText ?? (page > 1 ? t('list-no-more') : undefined)
  return {
    title: parts.title,
    blocks: [
      items.length > 0
        ? { kind: 'list', first, items }
        : { kind: 'text', spans: nothing ? [nothing] : [] },
      ...legend(assets, isFake),
      ...pageNote(parts.paging),
      ...(parts.notes ?? []).map((note): Block => ({ kind: 'text', spans: [note], small: true })),
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
    ...(page > 1
      ? [{ label: t('list-previous'), line: lineOf(page > 2 ? page - 1 : undefined) }]
      : []),
    ...(hasNext ? [{ label: t('list-next'), line: lineOf(page + 1) }] : []),
  ]
}

/** Explains the signs of the statuses that occur, if there are several or a fake. */
export function legend(assets: readonly Asset[], isFake = noFakes): Block[] {
  const statuses = new Map(
    assets.map((asset) =>
      isFake(asset) ? [fakeStatus.mark, fakeStatus.text] : [statusMark(asset), statusText(asset)],
    ),
  )
  statuses.delete(undefined)
  const texts = [...statuses.values()].filter((text) => text !== undefined)
  const spans = texts.flatMap((text, index): Span[] => (index === 0 ? [text] : [' · ', text]))
  return texts.length > 1 || statuses.has(fakeStatus.mark)
    ? [{ kind: 'text', spans, small: true }]
    : []
}

function pageNote({ page = 1, hasNext = false }: Partial<Paging> = {}): Block[] {
  return page > 1 || hasNext
    ? [{ kind: 'text', spans: [t('list-page', { page })], small: true }]
    : []
}

/** One line: status, name, symbol, market cap, and the price's change or the sale's progress. */
function assetItem(asset: Asset, { chain, units, isFake }: ListParts): Item {
  const facts = figuresOf(asset, units)
  const isLive = statusOf(asset) === 'live'
  const details = [
    statusMark(asset) === undefined ? statusText(asset) : undefined,
    facts.marketCap &&
      t('asset-mc', {
        amount: moneyText(facts.marketCap, chain, asset),
      }),
    isLive && facts.progress !== undefined
      ? t('asset-share-sold', { share: progressPercent(facts.progress) })
      : undefined,
    // A change means nothing without a price.
    !isLive && facts.price && facts.change24h !== undefined
      ? t('asset-change-24h', { change: changePercent(facts.change24h) })
      : undefined,
  ].filter((detail) => detail !== undefined)
  return tokenItem(asset, chain, details, isFake)
}

/** One line of a list: the status's sign, name, symbol and these details; it opens the token's card. */
export function tokenItem(
  asset: Asset,
  chain: Chain,
  details: readonly Span[],
  isFake = noFakes,
): Item {
  const token = baseToken(asset)
  const symbol = tokenSymbol(token?.token_symbol)
  const mark = isFake(asset) ? fakeStatus.mark : statusMark(asset)
  const naming = { name: token?.token_name, symbol: token?.token_symbol }
  const isAlike = lookalikes({ ...naming, address: asset.asset_address }, chain).length > 0
  return {
    spans: [
      ...(mark === undefined ? [] : [`${mark} `]),
      ...(chain.testnet ? [t('list-testnet'), ' '] : []),
      // The card explains it.
      ...(isAlike ? ['⚠️ '] : []),
      { bold: tokenName(token?.token_name) },
      ...(symbol ? [` ${symbol}`] : []),
      ...separated([...details, ...quoteDetails(asset, chain)]),
    ],
    open: {
      label: tokenLabel(asset),
      line: cardLine(asset, chain),
    },
  }
}

/** Details behind something in its line. Between them a phone may start a new one, and not inside. */
export function separated(details: readonly Span[]): Span[] {
  return details.flatMap((detail) => [' · ', unbroken(detail)])
}

/** The text for a page that shows the assets of the page before it. */
export const repeatedListText = t('list-repeats')

const filterNames: Readonly<Record<keyof Filters, Text>> = {
  status: t('filter-status'),
  numeraire: t('filter-numeraire'),
  category: t('filter-category'),
  creator: t('filter-creator'),
  term: t('filter-term'),
}

function named(filters: readonly (keyof Filters)[]): Text {
  return { list: filters.map((each) => filterNames[each]), as: 'and' }
}

/** The text for a page of which every asset was left out, because it contradicts these filters. */
export function leftOutText(filters: readonly (keyof Filters)[], hasNext: boolean): Message {
  const names = named(filters)
  return hasNext
    ? t('list-all-left-out-see-next', { filters: names })
    : t('list-all-left-out', { filters: names })
}

/** The remark on a page of which so many assets were left out, because they contradict these filters. */
export function leftOutNote(filters: readonly (keyof Filters)[], count: number): Message {
  return t('list-left-out', { count, filters: named(filters) })
}

/** The remark on a page that is not in the order asked for. */
export function orderNote(order: Ordering): Message {
  return order.startsWith('market_cap') ? t('list-not-by-market-cap') : t('list-not-by-volume')
}

/** Market caps and volumes within this factor may have swapped since the API sorted them. */
const tolerance = 1.1

/**
 * Whether assets are not in the requested order: more than a quarter of the comparable neighbours are the wrong way
 * around. Only figures in dollars are compared.
 */
export function isOutOfOrder(assets: readonly Asset[], ordering: Ordering, units: Units): boolean {
  const values = assets.flatMap((asset) => {
    const { marketCap, volume24h } = figuresOf(asset, units)
    const money = ordering.startsWith('market_cap') ? marketCap : volume24h
    return money?.currency === 'usd' ? [Number(money.amount)] : []
  })
  const descending = ordering.endsWith('desc') ? values : values.toReversed()
  const pairs = descending
    .slice(1)
    .map((value, index) => [descending[index] ?? value, value] as const)
  const wrong = pairs.filter(([left, right]) => right > left * tolerance)
  return wrong.length * 4 > pairs.length
}
