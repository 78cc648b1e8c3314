import type { Figures } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import type { Block, Span, Tone, View } from '../../core/view.ts'
import {
  aboutBlocks,
  cardLine,
  eventButtons,
  filled,
  followLine,
  whereBlock,
} from '../../views/facts.ts'
import { moneyText, tokenLabel } from '../../views/token.ts'
import type { TrimmedAsset } from '../asset.ts'
import type { EventBody, EventLine, ShownEvent } from './kind.ts'

type AssetBody = EventBody & { asset: TrimmedAsset }

/** The words for what happened, put before the asset's name: `🟢 Live now`. */
export interface Headline {
  mark: string
  words: string
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
  /** Returns the asset's most important figure, which follows its name in a line of several events. */
  detail(event: AssetEvent<Body>): Span[]
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
      const { mark, words, tone } = parts.headline(event)
      const label = tokenLabel(asset)
      const spans = [`${mark} ${words}: `, { bold: label }, ...parts.detail(event)]
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
    title: [`${headline.mark} ${headline.words}: `, tokenLabel(asset)],
    tone: headline.tone,
    blocks: filled([whereBlock(asset, chain), ...blocks, ...aboutBlocks(asset, chain)]),
    buttons: eventButtons(asset, chain, opensList ? 'alerts' : followLine(asset, chain)),
  }
}

/** A time to come as a field; nothing for one that has passed. */
export function timeAhead(
  label: string,
  time: number | undefined,
  now: number,
): [string, Span[]][] {
  return time === undefined || time <= now ? [] : [[label, [{ time, as: 'relative' }]]]
}

/** A time to come at the end of a line: ` · ends in 3 hours`; nothing for one that has passed. */
export function timeDetail(word: string, time: number | undefined, now: number): Span[] {
  return timeAhead('', time, now).flatMap(([, spans]) => [` · ${word} `, ...spans])
}

/** The market cap at the beginning of a line's detail; nothing if it is unknown. */
export function worthDetail(asset: Asset, { marketCap }: Figures, chain: Chain): Span[] {
  return marketCap ? [` · ${moneyText(marketCap, chain, asset.asset_numeraire_address)}`] : []
}
