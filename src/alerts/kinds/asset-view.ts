import type { Figures } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import { progressPercent } from '../../core/number.ts'
import { type Block, type Span, type Text, type Tone, t, type View } from '../../core/view.ts'
import {
  aboutBlocks,
  cardLine,
  eventButtons,
  filled,
  followLine,
  whereBlock,
} from '../../views/facts.ts'
import { separated } from '../../views/list.ts'
import { moneyText, quoteDetails, quoteLines } from '../../views/money.ts'
import { tokenLabel } from '../../views/token.ts'
import type { TrimmedAsset } from '../asset.ts'
import type { EventBody, EventLine, ShownEvent } from './kind.ts'

type AssetBody = EventBody & { asset: TrimmedAsset }

/** What happened, with the asset's name: `🟢 Live now: Moon Otter`. */
export interface Headline {
  text(token: Span): Text
  tone: Tone
}

/** An event about an asset, with the chain it is on. */
export interface AssetEvent<Body> extends Omit<ShownEvent, 'body' | 'chain'> {
  body: Body
  chain: Chain
}

interface AssetEventParts<Body> {
  headline(event: AssetEvent<Body>): Headline
  /** Returns the blocks between the asset's chain and its description. */
  blocks(event: AssetEvent<Body>): Block[]
  /** Returns the most important figures, which follow the asset's name in a line of several events. */
  details(event: AssetEvent<Body>): Text[]
  /** Opens the list of all alerts with the Alerts button, instead of those about the asset. */
  opensList?: boolean
}

/** Makes the view and the line of a kind whose events are about one asset. */
export function assetEventViews<Body extends AssetBody>(parts: AssetEventParts<Body>) {
  const withChain = (event: ShownEvent<Body>): AssetEvent<Body> => ({
    ...event,
    chain: chainById(event.chain),
  })
  return {
    view: (shown: ShownEvent<Body>): View => {
      const event = withChain(shown)
      return assetView({
        asset: event.body.asset,
        chain: event.chain,
        headline: parts.headline(event),
        blocks: parts.blocks(event),
        opensList: parts.opensList ?? false,
      })
    },
    line: (shown: ShownEvent<Body>): EventLine => {
      const event = withChain(shown)
      const { asset } = event.body
      const { text, tone } = parts.headline(event)
      const label = tokenLabel(asset)
      const figures = [...parts.details(event), ...quoteDetails(asset, event.chain)]
      const mark = event.chain.testnet ? [t('list-testnet'), ' '] : []
      const spans = [...mark, text({ bold: label }), ...separated(figures)]
      return { item: { spans, open: { label, line: cardLine(asset, event.chain) } }, tone }
    },
  }
}

/** A message about an asset: the headline, its figures, what it is, and buttons. */
export function assetView(parts: {
  asset: Asset
  chain: Chain
  headline: Headline
  blocks: readonly Block[]
  opensList: boolean
}): View {
  const { asset, chain, headline, blocks, opensList } = parts
  return {
    title: [headline.text(tokenLabel(asset))],
    tone: headline.tone,
    blocks: filled([
      whereBlock(asset, chain),
      { kind: 'lines', lines: quoteLines(asset, chain) },
      ...blocks,
      ...aboutBlocks(asset, chain),
    ]),
    buttons: eventButtons(asset, chain, opensList ? 'alerts' : followLine(asset, chain)),
  }
}

/** A time to come as a field; nothing for one that has passed. */
export function timeAhead(label: Text, time: number | undefined, now: number): [Text, Span[]][] {
  return time === undefined || time <= now ? [] : [[label, [{ time, as: 'relative' }]]]
}

/** An end to come in a line; nothing for one that has passed. */
export function endDetail(time: number | undefined, now: number): Text[] {
  if (time === undefined || time <= now) return []
  return [t('alerts-detail-ends', { time: { time, as: 'relative' } })]
}

/** The market cap in a line; nothing if it is unknown. */
export function capDetail(asset: Asset, { marketCap }: Figures, chain: Chain): Text[] {
  if (!marketCap) return []
  const amount = moneyText(marketCap, chain, asset)
  return [t('asset-mc', { amount })]
}

/** The share sold in a line. */
export function soldDetail(progress: string): Text {
  return t('asset-share-sold', { share: progressPercent(progress) })
}
