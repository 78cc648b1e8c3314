import { figures } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import { formatLine } from '../chat/line.ts'
import type { Block, Button, Item, Span, View } from '../chat/view.ts'
import { type Freshness, staleNote } from './freshness.ts'
import { changePercent, progressPercent } from './number.ts'
import {
  baseToken,
  moneyText,
  statusMark,
  statusText,
  tokenLabel,
  tokenName,
  tokenSymbol,
} from './token.ts'

/** Assets on one page; more don't fit beside their controls. */
export const pageSize = 10

export interface ListParts {
  title: Span[]
  assets: readonly Asset[]
  chain: Chain
  units: Units
  freshness: Freshness
  /** From 1. */
  page: number
  more: boolean
  /** The command line of another page. */
  pageLine: (page: number) => string
  /** Rows above those for turning pages. */
  rows?: Button[][]
  /** What to read where there is nothing to list. */
  empty: Span[]
}

/** A page of assets, each with a control that opens its card. */
export function listView(parts: ListParts): View {
  const { assets, chain, page, more, pageLine } = parts
  const turn: Button[] = [
    ...(page > 1 ? [{ label: '◀ Previous', run: pageLine(page - 1) }] : []),
    ...(more ? [{ label: 'Next ▶', run: pageLine(page + 1) }] : []),
  ]
  return {
    title: parts.title,
    blocks: [
      assets.length === 0
        ? { kind: 'text', spans: parts.empty }
        : {
            kind: 'list',
            first: (page - 1) * pageSize + 1,
            items: assets.map((asset) => assetItem(asset, chain, parts.units)),
          },
      ...pageNote(page, more),
      ...staleNote(parts.freshness),
    ],
    buttons: [...(parts.rows ?? []), turn].filter((row) => row.length > 0),
  }
}

function pageNote(page: number, more: boolean): Block[] {
  return page > 1 || more ? [{ kind: 'text', spans: [`Page ${page}`], quiet: true }] : []
}

/** One line of a list: status, name, symbol, what it is worth, and how its price or its sale goes. */
function assetItem(asset: Asset, chain: Chain, units: Units): Item {
  const token = baseToken(asset)
  const facts = figures(asset, units)
  const symbol = tokenSymbol(token?.token_symbol)
  const isLive = asset.asset_status?.toLowerCase() === 'live'
  const mark = statusMark(asset.asset_status)
  const details = [
    mark === undefined ? statusText(asset.asset_status) : undefined,
    facts.marketCap && moneyText(facts.marketCap, chain, asset.asset_numeraire_address),
    isLive && facts.progress !== undefined ? `${progressPercent(facts.progress)} sold` : undefined,
    !isLive && facts.change24h !== undefined ? changePercent(facts.change24h) : undefined,
  ].filter((detail) => detail !== undefined)
  return {
    spans: [
      ...(mark === undefined ? [] : [`${mark} `]),
      { bold: tokenName(token?.token_name) },
      ...(symbol ? [` ${symbol}`] : []),
      ...details.map((detail) => ` · ${detail}`),
    ],
    open: {
      label: tokenLabel(asset),
      run: formatLine('asset', asset.asset_address, { chain: chain.id }),
    },
  }
}
