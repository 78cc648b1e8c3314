import { statusOf } from '../api/asset.ts'
import { figuresOf } from '../api/figures.ts'
import type { Asset, AuctionSummary } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { compositePoolId, isAddress, isPoolId } from '../chain/address.ts'
import { addressUrl, type Chain } from '../chain/chains.ts'
import { formatLine } from '../core/command.ts'
import { type Block, type Button, type Span, type Text, t, type View } from '../core/view.ts'
import {
  type Freshness,
  fakeBlocks,
  graduationBlocks,
  marketBlock,
  saleBlocks,
  staleNote,
} from './facts.ts'
import { lookalikeBlocks } from './lookalike.ts'
import { quoteSymbol } from './money.ts'
import { addressSpan, nameAndSymbol, tokenName, whereAndHow } from './token.ts'

/** The parts of an auction's view. */
interface AuctionParts {
  auction: AuctionSummary
  /** The pool's address or id, as the person typed it. */
  pool: string
  chain: Chain
  freshness: Freshness
  units: Units
  /** The asset that is sold, if the API knows it. */
  asset: Asset | undefined
  /** Why the API calls the token a fake; undefined if it doesn't. */
  fake?: readonly string[] | undefined
}

/** The summary of an auction pool (section 2.7 of the API's document), and the figures of its asset. */
export function auctionView(parts: AuctionParts): View {
  const { auction, pool, chain, asset, fake } = parts
  const token = auction.auction_base_token_address
  const isNamedAbove = [auction.auction_pool_id, token].some(
    (each) => each?.toLowerCase() === pool.toLowerCase(),
  )
  const fields: [Text, Span[]][] = [
    [t('auction-sells'), named(auction.auction_base_token_name, auction.auction_base_token_symbol)],
    [t('auction-sold-for'), quoteToken(auction, chain)],
    [t('auction-token'), addresses(chain, token)],
    [t('auction-quote-token'), addresses(chain, auction.auction_quote_token_address)],
    [t('auction-pool-id'), wholeId(auction.auction_pool_id)],
    [t('asset-button-pool'), isNamedAbove ? [] : [{ code: pool }]],
  ]
  return {
    title: [t('auction-title', { name: tokenName(auction.auction_base_token_name) })],
    tone: fake ? 'bad' : asset && statusOf(asset) === 'live' ? 'good' : 'neutral',
    blocks: [
      ...fakeBlocks({ fake }),
      ...lookalikeBlocks(
        {
          name: auction.auction_base_token_name,
          symbol: auction.auction_base_token_symbol,
          address: token,
        },
        chain,
      ),
      { kind: 'fields', fields: fields.filter(([, value]) => value.length > 0) },
      ...assetBlocks(parts),
      ...staleNote(parts.freshness),
    ],
    buttons: buttons(pool, token, chain),
  }
}

function named(name: string | undefined, symbol: string | undefined): Span[] {
  return name === undefined && symbol === undefined ? [] : [nameAndSymbol(name, symbol)]
}

/** The quote token of an auction; by its symbol, as on cards, if the API does not say its name. */
function quoteToken(auction: AuctionSummary, chain: Chain): Span[] {
  const { auction_quote_token_name: name, auction_quote_token_symbol: symbol } = auction
  if (name !== undefined) return named(name, symbol)
  const address = auction.auction_quote_token_address
  const shown = quoteSymbol({ asset_numeraire_address: address, quote_symbol: symbol }, chain)
  return shown === undefined ? [] : [shown]
}

function addresses(chain: Chain, address: string | undefined): Span[] {
  return address === undefined ? [] : [addressSpan(chain, address)]
}

/** The whole id, so that it can be copied into a command. */
function wholeId(id: string | undefined): Span[] {
  return id !== undefined && (isPoolId(id) || compositePoolId(id)) ? [{ code: id }] : []
}

/** Adds the fields that the summary lacks: status, price, market cap and the state of the sale. */
function assetBlocks({ asset, units, chain, fake, freshness: { now } }: AuctionParts): Block[] {
  if (!asset) return []
  const facts = figuresOf(asset, units)
  return [
    { kind: 'text', spans: [whereAndHow(asset, chain, fake !== undefined)] },
    marketBlock(asset, facts, chain),
    ...saleBlocks(asset, facts, chain, now),
    ...graduationBlocks(asset, facts, chain),
  ]
}

function buttons(pool: string, token: string | undefined, chain: Chain): Button[][] {
  const row: Button[] = [
    { label: t('asset-button-refresh'), line: formatLine('auction', pool, { chain: chain.id }) },
  ]
  if (token !== undefined && isAddress(token)) {
    const line = formatLine('asset', token, { chain: chain.id })
    row.push({ label: t('asset-button-asset'), line, asNew: true })
  }
  const url = isAddress(pool) ? addressUrl(chain, pool) : undefined
  if (url !== undefined) row.push({ label: t('asset-button-explorer'), url })
  return [row]
}
