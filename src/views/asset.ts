import { baseToken, graduationPool, statusOf } from '../api/asset.ts'
import { figuresOf } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { isAddress, isPoolId } from '../chain/address.ts'
import { addressUrl, type Chain, tokenUrl } from '../chain/chains.ts'
import { formatLine } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import type { Block, Button, View } from '../core/view.ts'
import {
  cardLine,
  type Freshness,
  filled,
  followLine,
  graduationBlocks,
  marketBlock,
  peopleBlock,
  pictureUrl,
  saleBlocks,
  staleNote,
} from './facts.ts'
import { lookalikeBlocks } from './lookalike.ts'
import { tokenName, tokenSymbol, whereAndHow } from './token.ts'

const maxDescription = 280

/** The parts of a card. */
export interface CardParts {
  asset: Asset
  chain: Chain
  units: Units
  freshness: Freshness
}

/** The card of one asset, without what the API did not give. */
export function assetView({ asset, chain, units, freshness }: CardParts): View {
  const token = baseToken(asset)
  const facts = figuresOf(asset, units)
  const symbol = tokenSymbol(token?.token_symbol)
  const image = pictureUrl(token?.token_image_public_url)
  return {
    title: [tokenName(token?.token_name), ...(symbol ? [` ${symbol}`] : [])],
    tone: statusOf(asset) === 'live' ? 'good' : 'neutral',
    ...(image && { image: image.href }),
    blocks: filled([
      ...lookalikeBlocks(
        { name: token?.token_name, symbol: token?.token_symbol, address: asset.asset_address },
        chain,
      ),
      text(whereAndHow(asset, chain)),
      marketBlock(asset, facts, chain),
      ...saleBlocks(asset, facts, chain, freshness.now),
      ...graduationBlocks(asset, facts, chain),
      peopleBlock(asset, token, facts, chain),
      text(shorten(harmless(token?.token_description ?? '').trim(), maxDescription)),
      { kind: 'text', spans: [{ code: asset.asset_address }] },
      ...staleNote(freshness),
    ]),
    buttons: buttons(asset, chain),
  }
}

function text(content: string): Block {
  return { kind: 'text', spans: content === '' ? [] : [content] }
}

function buttons(asset: Asset, chain: Chain): Button[][] {
  const auctioned = asset.auction_pool?.pool_address ?? asset.auction_pool?.pool_id
  const current = graduationPool(asset)?.pool_address ?? asset.auction_pool?.pool_address
  const first: Button[] = [{ label: 'Refresh', line: cardLine(asset, chain) }]
  if (auctioned !== undefined && (isAddress(auctioned) || isPoolId(auctioned))) {
    const line = formatLine('auction', auctioned, { chain: chain.id })
    first.push({ label: 'Auction', line, opens: true })
  }
  first.push({ label: '🔔 Follow', line: followLine(asset, chain), opens: true })
  const second: Button[] = []
  const token = tokenUrl(chain, asset.asset_address)
  if (token !== undefined) second.push({ label: 'Explorer', url: token })
  const pool = current !== undefined && isAddress(current) ? addressUrl(chain, current) : undefined
  if (pool !== undefined) second.push({ label: 'Pool', url: pool })
  return [first, second].filter((row) => row.length > 0)
}
