import type { NewsBodyOf } from '../../alerts/news.ts'
import type { Phase } from '../../alerts/state.ts'
import { figures } from '../../api/figures.ts'
import type { Asset } from '../../api/schema.ts'
import type { Units } from '../../api/units.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import type { Block, Item, Picture, Span, View } from '../../chat/view.ts'
import { progressPercent } from '../number.ts'
import { tokenLabel } from '../token.ts'
import { digestItem, digestView } from './digest.ts'
import {
  type AssetNews,
  changeBetween,
  headline,
  headlineSpans,
  moveMoney,
  type Told,
} from './headline.ts'
import {
  aboutBlocks,
  cardLine,
  filled,
  followLine,
  newsButtons,
  proceedsFields,
  soldBlocks,
  whereBlock,
  worthFields,
} from './pieces.ts'
import { type Piece, telling } from './telling.ts'
import { counted } from './words.ts'

/** Pieces of news in one message; more would not be read. */
const mostTogether = 10

/** A piece of news as a message of its own; `picture` is the card of its asset. */
export function newsView(told: Told & { picture?: Picture | undefined }): View {
  const { body, picture } = told
  const view = body.kind === 'digest' ? digestView({ ...told, body }) : assetNews({ ...told, body })
  return withPicture(view, picture)
}

function withPicture(view: View, picture: Picture | undefined): View {
  return picture ? { ...view, picture } : view
}

function assetNews(told: Told<AssetNews>): View {
  const { body, units, now } = told
  if (body.kind === 'live') return liveWords({ ...told, asset: body.asset, phase: 'live' })
  const { asset } = body
  const chain = chainById(told.chain)
  const head = headline(told)
  // What is about any auction is changed in the list, what is mostly about one in that asset's own.
  const alerts = body.kind === 'incoming' ? 'alerts' : followLine(asset, chain)
  return {
    title: headlineSpans(head, asset),
    tone: head.tone,
    blocks: filled([
      whereBlock(asset, chain),
      ...newsBlocks(body, chain, units, now),
      ...aboutBlocks(asset, chain),
    ]),
    buttons: newsButtons(asset, chain, alerts),
  }
}

function newsBlocks(
  body: Exclude<AssetNews, NewsBodyOf<'live'>>,
  chain: Chain,
  units: Units,
  now: number,
): Block[] {
  const { asset } = body
  const facts = figures(asset, units)
  const worth = worthFields(asset, facts, chain)
  const ends = isSoldOut(body) ? [] : timeAhead('Ends', facts.endsAt, now)
  switch (body.kind) {
    case 'incoming':
      return [fields(timeAhead('Starts', facts.startsAt, now))]
    case 'progress':
      return [
        ...soldBlocks(body.to),
        fields([...worth, ...proceedsFields(asset, facts, chain), ...ends]),
      ]
    case 'ending':
      return [
        ...soldBlocks(facts.progress),
        fields([
          ...timeAhead('Ends', body.endsAt, now),
          ...worth,
          ...proceedsFields(asset, facts, chain),
        ]),
      ]
    case 'graduated':
      return [fields(worth)]
    case 'price':
    case 'mcap':
      return [fields(moveFields(body, chain, worth)), ...soldBlocks(liveShare(asset, units))]
  }
}

/** What moved, from where to where; then the other figure. */
function moveFields(
  body: NewsBodyOf<'price' | 'mcap'>,
  chain: Chain,
  worth: readonly [string, Span[]][],
): [string, Span[]][] {
  const label = body.kind === 'price' ? 'Price' : 'Market cap'
  const change = changeBetween(body.reference, body.value)
  const before = moveMoney(body, body.reference, chain.id)
  const since = body.by === 'movement' && change !== undefined ? `  ${change} from ${before}` : ''
  const now: Span[] = [{ bold: moveMoney(body, body.value, chain.id) }, since]
  return [[label, now], ...worth.filter(([other]) => other !== label)]
}

function liveShare(asset: Asset, units: Units): string | undefined {
  const { pool, progress } = figures(asset, units)
  return pool === 'auction' ? progress : undefined
}

/** What a message about a live auction is made of. */
export interface LiveParts {
  asset: Asset
  chain: number
  units: Units
  /** Unix seconds. */
  now: number
  phase: Phase
}

/** The message of a `live` alert: while the auction lives with its progress and time left, then with its outcome. */
export function liveView(parts: LiveParts & { picture?: Picture | undefined }): View {
  return withPicture(liveWords(parts), parts.picture)
}

function liveWords(parts: LiveParts): View {
  const { asset, units, now, phase } = parts
  const chain = chainById(parts.chain)
  const facts = figures(asset, units)
  const isOpen = phase === 'live' || phase === 'incoming'
  const ends = facts.progress === '1' ? [] : timeAhead('Ends', facts.endsAt, now)
  const figuresOf = [
    ...worthFields(asset, facts, chain),
    ...proceedsFields(asset, facts, chain),
    ...(isOpen ? ends : []),
  ]
  const { mark, words, tone } = phases[phase]
  return {
    title: headlineSpans({ mark, words, tone }, asset),
    tone,
    blocks: filled([
      whereBlock(asset, chain),
      ...outcomeBlocks(phase, facts.progress),
      ...(showsShare(phase, facts.progress) ? soldBlocks(facts.progress) : []),
      fields(phase === 'gone' ? [] : figuresOf),
      ...aboutBlocks(asset, chain),
    ]),
    buttons: newsButtons(asset, chain, isOpen ? 'alerts' : followLine(asset, chain)),
  }
}

/** A share that was last seen before an auction was over says nothing beside how that went. */
function showsShare(phase: Phase, progress: string | undefined): boolean {
  return phase === 'graduated' ? progress === '1' : phase !== 'gone'
}

const phases = {
  incoming: { mark: '🕒', words: 'Coming up', tone: 'neutral' },
  live: { mark: '🟢', words: 'Live now', tone: 'good' },
  graduated: { mark: '🎓', words: 'Graduated', tone: 'good' },
  ended: { mark: '⏹️', words: 'Ended', tone: 'neutral' },
  gone: { mark: '⏹️', words: 'No longer listed', tone: 'neutral' },
} as const

function outcomeBlocks(phase: Phase, progress: string | undefined): Block[] {
  const words = outcome(phase, progress)
  return words === undefined ? [] : [{ kind: 'text', spans: [{ bold: words }] }]
}

/** How the auction went, once that is known. */
function outcome(phase: Phase, progress: string | undefined): string | undefined {
  const at = progress === undefined ? '' : ` at ${progressPercent(progress)}`
  if (phase === 'graduated') {
    return progress === '1' ? 'Sold out and graduated.' : 'The auction is over: it graduated.'
  }
  if (phase === 'ended') return `Ended without graduating${at}.`
  return phase === 'gone' ? 'The data source does not list it any more.' : undefined
}

/** Several pieces of news that are due to one chat, as one message with a line each. */
export function combinedView(
  items: readonly Piece[],
  { units, now }: { units: Units; now: number },
): View {
  const told = telling(items)
  const [only] = told
  if (only && told.length === 1) return newsView({ ...only, units, now })
  const shown = told.slice(0, mostTogether)
  const more = told.length - shown.length
  const rest: Block[] =
    more > 0 ? [{ kind: 'text', quiet: true, spans: [`${counted(more, 'more alert')}.`] }] : []
  const tones = shown.map(({ body, chain }) =>
    body.kind === 'digest' ? 'neutral' : headline({ body, chain, now }).tone,
  )
  return {
    title: [`🔔 ${counted(told.length, 'alert')}`],
    tone: tones.includes('good') ? 'good' : 'neutral',
    blocks: [
      { kind: 'list', first: 1, items: shown.map((item) => newsItem({ ...item, units, now })) },
      ...rest,
    ],
    buttons: [[{ label: '🔔 Alerts', run: 'alerts', opens: true }]],
  }
}

/** One line: what happened to whom, and the figure that says most about it. */
function newsItem({ body, chain: id, units, now }: Told): Item {
  if (body.kind === 'digest') return digestItem(body)
  const { asset } = body
  const chain = chainById(id)
  const { mark, words } = headline({ body, chain: id, now })
  const label = tokenLabel(asset)
  return {
    spans: [`${mark} ${words}: `, { bold: label }, ...itemDetail(body, chain, units, now)],
    open: { label, run: cardLine(asset, chain) },
  }
}

function itemDetail(body: AssetNews, chain: Chain, units: Units, now: number): Span[] {
  if (body.kind === 'price' || body.kind === 'mcap') {
    return [` · now ${moveMoney(body, body.value, chain.id)}`]
  }
  const facts = figures(body.asset, units)
  const [worth] = worthFields(body.asset, { ...facts, price: undefined }, chain)
  const isSale = body.kind === 'live' || (body.kind === 'progress' && !isSoldOut(body))
  const when = [
    ...(body.kind === 'incoming' ? ahead('starts', facts.startsAt, now) : []),
    ...(body.kind === 'ending' ? ahead('ends', body.endsAt, now) : []),
    ...(isSale && facts.progress !== '1' ? ahead('ends', facts.endsAt, now) : []),
  ]
  const { progress = '0' } = facts
  const sold =
    body.kind === 'live' && progress !== '0' ? [` · ${progressPercent(progress)} sold`] : []
  return [...(worth ? [' · ', ...worth[1]] : []), ...sold, ...when]
}

function fields(all: [string, Span[]][]): Block {
  return { kind: 'fields', fields: all }
}

/** Of what has passed nothing is said. */
function timeAhead(label: string, time: number | undefined, now: number): [string, Span[]][] {
  return time === undefined || time <= now ? [] : [[label, [{ time, as: 'relative' }]]]
}

function isSoldOut(body: AssetNews): boolean {
  return body.kind === 'progress' && body.to === '1'
}

function ahead(word: string, time: number | undefined, now: number): Span[] {
  return timeAhead(word, time, now).flatMap(([, spans]) => [` · ${word} `, ...spans])
}
