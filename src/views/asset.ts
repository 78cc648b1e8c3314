import { baseToken, graduationPool, poolName, statusOf } from '../api/asset.ts'
import { type Figures, figuresOf } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { isAddress } from '../chain/address.ts'
import { addressUrl, type Chain, tokenUrl } from '../chain/chains.ts'
import { formatLine } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import { type Block, type Button, type Span, t, type View } from '../core/view.ts'
import {
  auctionButtons,
  barLine,
  cardLine,
  creatorOf,
  type Freshness,
  fakeBlocks,
  filled,
  followLine,
  linkLines,
  marketFields,
  peopleFields,
  pictureUrl,
  type Risk,
  riskLines,
  saleLines,
  staleNote,
  worthLine,
} from './facts.ts'
import { lookalikeBlocks } from './lookalike.ts'
import { quoteLines } from './money.ts'
import { tokenName, tokenSymbol, whereAndHow } from './token.ts'

const maxDescription = 280

/** The parts of a card. */
export interface CardParts {
  asset: Asset
  chain: Chain
  units: Units
  freshness: Freshness
  /** Known facts about the token's creator and symbol. */
  risk?: Risk | undefined
}

/**
 * The card of one asset, without what the API did not give: what a phone shows at once, and the rest folded.
 * @param showsDetails the rest is not folded, for platforms that fold nothing
 */
export function assetView(
  { asset, chain, units, freshness, risk }: CardParts,
  showsDetails = false,
): View {
  const token = baseToken(asset)
  const facts = figuresOf(asset, units)
  const symbol = tokenSymbol(token?.token_symbol)
  const image = pictureUrl(token?.token_image_public_url)
  const details = detailLines(asset, facts, chain)
  return {
    title: [tokenName(token?.token_name), ...(symbol ? [` ${symbol}`] : [])],
    tone: risk?.fake ? 'bad' : statusOf(asset) === 'live' ? 'good' : 'neutral',
    ...(image && { image: image.href }),
    blocks: filled([
      ...fakeBlocks(risk),
      ...lookalikeBlocks(
        { name: token?.token_name, symbol: token?.token_symbol, address: asset.asset_address },
        chain,
      ),
      ...headBlocks(asset, facts, chain, risk?.fake !== undefined),
      {
        kind: 'lines',
        lines: [
          ...quoteLines(asset, chain),
          ...saleLines(asset, facts, chain, freshness.now),
          ...riskLines(asset, risk),
        ],
      },
      { kind: 'copy', text: asset.asset_address },
      { kind: 'lines', lines: linkLines(token) },
      showsDetails
        ? { kind: 'lines', lines: details }
        : {
            kind: 'details',
            lines: details,
            open: { label: t('asset-button-details'), line: cardLine(asset, chain, 'details') },
          },
      ...staleNote(freshness),
    ]),
    buttons: buttons(asset, chain),
  }
}

/** The facts that the picture shows, too: chain and status, price and market cap, the share sold. A testnet is named twice. */
function headBlocks(asset: Asset, facts: Figures, chain: Chain, isFake: boolean): Block[] {
  const bar = statusOf(asset) === 'live' && facts.progress ? [barLine(facts.progress)] : []
  const where = [whereAndHow(asset, chain, isFake)]
  const worth = [worthLine(asset, facts, chain), ...bar].filter((line) => line.length > 0)
  return chain.testnet
    ? [
        { kind: 'lines', lines: [where] },
        { kind: 'lines', isPictured: true, lines: worth },
      ]
    : [{ kind: 'lines', isPictured: true, lines: [where, ...worth] }]
}

/** Details that few people need: the other figures, the creator, and the beneficiaries. */
function detailLines(asset: Asset, facts: Figures, chain: Chain): Span[][] {
  const token = baseToken(asset)
  const about = shorten(harmless(token?.token_description ?? '').trim(), maxDescription)
  return [
    ...(about === '' ? [] : [[about]]),
    ...marketFields(asset, facts, chain),
    ...peopleFields(asset, token, facts, chain),
  ]
}

function buttons(asset: Asset, chain: Chain): Button[][] {
  const current = poolName(graduationPool(asset) ?? asset.auction_pool ?? {})
  const first: Button[] = [
    { label: t('asset-button-copy'), copy: asset.asset_address },
    { label: t('asset-button-refresh'), line: cardLine(asset, chain) },
  ]
  const alerts = { label: t('asset-button-alerts'), line: followLine(asset, chain), asNew: true }
  const second = auctionButtons(asset, chain)
  const token = tokenUrl(chain, asset.asset_address)
  if (token !== undefined) second.push({ label: t('asset-button-explorer'), url: token })
  const pool = current !== undefined && isAddress(current) ? addressUrl(chain, current) : undefined
  if (pool !== undefined) second.push({ label: t('asset-button-pool'), url: pool })
  return [first, [alerts, ...personButtons(asset, chain)], second].filter((row) => row.length > 0)
}

/** Actions with a token: watch it, follow its creator, share it. Each line fits into a button. */
function personButtons(asset: Asset, chain: Chain): Button[] {
  const on = { chain: chain.id }
  const token = asset.asset_address
  const creator = creatorOf(asset)
  const watch = { label: t('asset-button-watch'), line: formatLine('watch', token, on) }
  const share = { label: t('asset-button-share'), line: formatLine('share', token, on) }
  return [
    { ...watch, asNew: true },
    ...(creator !== undefined
      ? [
          {
            label: t('asset-button-creator'),
            line: formatLine('by', creator, on),
            asNew: true,
          },
        ]
      : []),
    ...(tokenUrl(chain, token) === undefined ? [] : [{ ...share, asNew: true }]),
  ]
}
