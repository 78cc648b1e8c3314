import Big from 'big.js'
import { figures } from '../../api/figures.ts'
import { decimal } from '../../api/number.ts'
import type { Asset } from '../../api/schema.ts'
import type { Money, Units } from '../../api/units.ts'
import { type Chain, chainById } from '../../chain/chains.ts'
import { formatLine } from '../../core/command.ts'
import type { Block, Item, Picture, Span, Tone, View } from '../../core/view.ts'
import {
  aboutBlocks,
  cardLine,
  eventButtons,
  filled,
  followLine,
  proceedsFields,
  soldBlocks,
  whereBlock,
  worthFields,
} from '../../views/facts.ts'
import { changePercent, progressPercent } from '../../views/number.ts'
import { moneyText, priceText, tokenLabel, tokenName, tokenSymbol } from '../../views/token.ts'
import type { DigestEntry, EventBody, EventBodyOf } from '../event.ts'
import type { Phase } from '../snapshot.ts'
import { counted, digestScope } from './rule.ts'

/** Maximum events in one message. */
const maxEvents = 10

/** An event as a message of its own; `picture` is the card of its asset. */
export function eventView(event: ShownEvent & { picture?: Picture | undefined }): View {
  const { body, picture } = event
  const view =
    body.kind === 'digest' ? digestView({ ...event, body }) : assetEvent({ ...event, body })
  return withPicture(view, picture)
}

function withPicture(view: View, picture: Picture | undefined): View {
  return picture ? { ...view, picture } : view
}

function assetEvent(event: ShownEvent<AssetEvent>): View {
  const { body, units, now } = event
  if (body.kind === 'live') return liveContent({ ...event, asset: body.asset, phase: 'live' })
  const { asset } = body
  const chain = chainById(event.chain)
  const head = headline(event)
  // The Alerts button opens the list for kinds about any auction, else the asset's own subscriptions.
  const alerts = body.kind === 'incoming' ? 'alerts' : followLine(asset, chain)
  return {
    title: headlineSpans(head, asset),
    tone: head.tone,
    blocks: filled([
      whereBlock(asset, chain),
      ...eventBlocks(body, chain, units, now),
      ...aboutBlocks(asset, chain),
    ]),
    buttons: eventButtons(asset, chain, alerts),
  }
}

function eventBlocks(
  body: Exclude<AssetEvent, EventBodyOf<'live'>>,
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

/** The figure that moved, from and to; then the other figure. */
function moveFields(
  body: EventBodyOf<'price' | 'mcap'>,
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

/** The parts of a message about a live auction. */
interface LiveParts {
  asset: Asset
  chain: number
  units: Units
  /** Unix seconds. */
  now: number
  phase: Phase
}

/** The message of a `live` alert: progress and time left while the auction is live, then its outcome. */
export function liveView(parts: LiveParts & { picture?: Picture | undefined }): View {
  return withPicture(liveContent(parts), parts.picture)
}

function liveContent(parts: LiveParts): View {
  const { asset, units, now, phase } = parts
  const chain = chainById(parts.chain)
  const facts = figures(asset, units)
  const isOpen = phase === 'live' || phase === 'incoming'
  const ends = facts.progress === '1' ? [] : timeAhead('Ends', facts.endsAt, now)
  const figureFields = [
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
      fields(phase === 'gone' ? [] : figureFields),
      ...aboutBlocks(asset, chain),
    ]),
    buttons: eventButtons(asset, chain, isOpen ? 'alerts' : followLine(asset, chain)),
  }
}

/** Whether the share sold is shown. Once the auction is over only a full one means anything beside the outcome. */
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

/** How the auction went; undefined while it is not over. */
function outcome(phase: Phase, progress: string | undefined): string | undefined {
  const at = progress === undefined ? '' : ` at ${progressPercent(progress)}`
  if (phase === 'graduated') {
    return progress === '1' ? 'Sold out and graduated.' : 'The auction is over: it graduated.'
  }
  if (phase === 'ended') return `Ended without graduating${at}.`
  return phase === 'gone' ? 'The data source does not list it any more.' : undefined
}

/** Several events for one chat as one message, with a line each. */
export function combinedView(
  items: readonly EventItem[],
  { units, now }: { units: Units; now: number },
): View {
  const relevant = withoutSuperseded(items)
  const [only] = relevant
  if (only && relevant.length === 1) return eventView({ ...only, units, now })
  const shown = relevant.slice(0, maxEvents)
  const more = relevant.length - shown.length
  const rest: Block[] =
    more > 0 ? [{ kind: 'text', quiet: true, spans: [`${counted(more, 'more alert')}.`] }] : []
  const tones = shown.map(({ body, chain }) =>
    body.kind === 'digest' ? 'neutral' : headline({ body, chain, now }).tone,
  )
  return {
    title: [`🔔 ${counted(relevant.length, 'alert')}`],
    tone: tones.includes('good') ? 'good' : 'neutral',
    blocks: [
      { kind: 'list', first: 1, items: shown.map((item) => eventItem({ ...item, units, now })) },
      ...rest,
    ],
    buttons: [[{ label: '🔔 Alerts', run: 'alerts', opens: true }]],
  }
}

/** One line: what happened to which asset, and its most important figure. */
function eventItem({ body, chain: id, units, now }: ShownEvent): Item {
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

function itemDetail(body: AssetEvent, chain: Chain, units: Units, now: number): Span[] {
  if (body.kind === 'price' || body.kind === 'mcap') {
    return [` · now ${moveMoney(body, body.value, chain.id)}`]
  }
  const facts = figures(body.asset, units)
  const [worth] = worthFields(body.asset, { ...facts, price: undefined }, chain)
  const isSale = body.kind === 'live' || (body.kind === 'progress' && !isSoldOut(body))
  const when = [
    ...(body.kind === 'incoming' ? aheadSpans('starts', facts.startsAt, now) : []),
    ...(body.kind === 'ending' ? aheadSpans('ends', body.endsAt, now) : []),
    ...(isSale && facts.progress !== '1' ? aheadSpans('ends', facts.endsAt, now) : []),
  ]
  const { progress = '0' } = facts
  const sold =
    body.kind === 'live' && progress !== '0' ? [` · ${progressPercent(progress)} sold`] : []
  return [...(worth ? [' · ', ...worth[1]] : []), ...sold, ...when]
}

function fields(all: [string, Span[]][]): Block {
  return { kind: 'fields', fields: all }
}

/** Nothing for a time that has passed. */
function timeAhead(label: string, time: number | undefined, now: number): [string, Span[]][] {
  return time === undefined || time <= now ? [] : [[label, [{ time, as: 'relative' }]]]
}

function isSoldOut(body: AssetEvent): boolean {
  return body.kind === 'progress' && body.to === '1'
}

function aheadSpans(word: string, time: number | undefined, now: number): Span[] {
  return timeAhead(word, time, now).flatMap(([, spans]) => [` · ${word} `, ...spans])
}

/** An event to show, with its chain and the time of showing. */
interface ShownEvent<B extends EventBody = EventBody> {
  body: B
  chain: number
  units: Units
  /** Unix seconds. */
  now: number
}

/** Seconds; a longer time is given in hours, of which there are at least two. */
const soonSeconds = 5400

/** The words for what happened, to be put before the asset's name. */
interface Headline {
  mark: string
  words: string
  tone: Tone
}

type AssetEvent = Exclude<EventBody, { kind: 'digest' }>

function headline({
  body,
  chain,
  now,
}: Pick<ShownEvent<AssetEvent>, 'body' | 'chain' | 'now'>): Headline {
  switch (body.kind) {
    case 'live':
      return { mark: '🟢', words: 'Live now', tone: 'good' }
    case 'incoming':
      return { mark: '🕒', words: 'Coming up', tone: 'neutral' }
    case 'progress':
      return soldHeadline(body.to)
    case 'ending':
      return { mark: '⏳', words: endingWords(body.endsAt - now), tone: 'neutral' }
    case 'graduated':
      return { mark: '🎓', words: 'Graduated', tone: 'good' }
    case 'price':
    case 'mcap':
      return moveHeadline(body, chain)
  }
}

/** Example: `🟢 Live now: Moon Otter $OTTER` */
function headlineSpans({ mark, words }: Headline, asset: Asset): Span[] {
  return [`${mark} ${words}: `, tokenLabel(asset)]
}

/** "Soon" is for what can't wait. */
function endingWords(left: number): string {
  return left <= soonSeconds ? 'Ending soon' : `Ends in ${Math.round(left / 3600)} hours`
}

function soldHeadline(sold: string): Headline {
  if (sold === '1') return { mark: '✅', words: 'Sold out', tone: 'good' }
  return { mark: '📈', words: `${progressPercent(sold)} sold`, tone: 'good' }
}

type Move = EventBodyOf<'price' | 'mcap'>

function moveHeadline(body: Move, chain: number): Headline {
  const up = body.direction === 'up'
  const tone = up ? 'good' : 'neutral'
  const mark = up ? '▲' : '▼'
  const what = body.kind === 'price' ? 'Price' : 'Market cap'
  if (body.by === 'crossing') {
    const words = `${what} ${up ? 'above' : 'below'} ${moveMoney(body, body.reference, chain)}`
    return { mark, words, tone }
  }
  const change = changeBetween(body.reference, body.value)?.replace(/^[▲▼] /u, '')
  const by = change === undefined ? (up ? 'up' : 'down') : `${up ? 'up' : 'down'} ${change}`
  return { mark, words: `${what} ${by}`, tone }
}

/** An amount in the format of its kind: prices with all their zeros, market caps rounded. */
function moveMoney({ kind, asset }: Move, money: Money, chain: number): string {
  const write = kind === 'price' ? priceText : moneyText
  return write(money, chainById(chain), asset.asset_numeraire_address)
}

/** The change between two amounts, such as `▲ 12.4 %`; undefined if they can't be compared. */
function changeBetween(before: Money, after: Money): string | undefined {
  const [from, to] = [decimal(before.amount), decimal(after.amount)]
  if (!from?.gt(0) || !to || before.currency !== after.currency) return undefined
  return changePercent(to.minus(from).div(from).toFixed())
}

type Digest = EventBodyOf<'digest'>

/** The daily digest: counts, what ends soon, what is new, what graduated and what moved most. */
function digestView({ body, now }: ShownEvent<Digest>): View {
  const sections = [
    ['Ending within 24 hours', body.endingSoon, (entry: DigestEntry) => endsDetail(entry, now)],
    ['Newest', body.newest, worthDetail],
    ['Graduated', body.graduated, worthDetail],
    ['Moved most', body.movers, changeDetail],
  ] as const
  let first = 1
  const blocks = sections.flatMap(([label, entries, detail]): Block[] => {
    if (entries.length === 0) return []
    const items = entries.map((entry) => entryItem(entry, detail(entry)))
    const list: Block = { kind: 'list', first, items }
    first += items.length
    return [{ kind: 'text', spans: [{ bold: label }] }, list]
  })
  return {
    title: [`🗓 ${nameOf(body)}, ${body.date}`],
    blocks: [
      { kind: 'text', spans: [countsText(body)] },
      ...blocks,
      { kind: 'text', quiet: true, spans: [`Days as in ${body.zone}.`] },
    ],
    buttons: [
      [
        { label: 'Live auctions', run: 'assets live', opens: true },
        { label: '🔔 Alerts', run: 'alerts', opens: true },
      ],
    ],
  }
}

/** A digest as one line among other events. */
function digestItem(body: Digest): Item {
  return {
    spans: ['🗓 ', { bold: nameOf(body) }, `: ${countsText(body)}`],
    open: { label: 'Live auctions', run: 'assets live' },
  }
}

/** Names the digest's scope, as one chat may subscribe to several. */
function nameOf({ scope = {} }: Digest): string {
  return `Daily summary${digestScope(scope)}`
}

function countsText({ counts: { live, wentLive, graduated } }: Digest): string {
  return `${live} live · ${wentLive} went live · ${graduated} graduated`
}

function entryItem(entry: DigestEntry, detail: readonly Span[]): Item {
  const symbol = tokenSymbol(entry.symbol)
  const name = tokenName(entry.name)
  return {
    spans: [{ bold: name }, ...(symbol ? [` ${symbol}`] : []), ...detail],
    open: {
      label: [name, symbol].filter(Boolean).join(' '),
      run: formatLine('asset', entry.asset, { chain: entry.chain }),
    },
  }
}

function endsDetail({ progress, endsAt }: DigestEntry, now: number): Span[] {
  return [
    ...(progress === undefined ? [] : [` · ${progressPercent(progress)} sold`]),
    ...(endsAt === undefined || endsAt <= now
      ? []
      : [' · ends ', { time: endsAt, as: 'relative' } satisfies Span]),
  ]
}

function worthDetail(entry: DigestEntry): Span[] {
  const { marketCap, progress } = entry
  return [
    ...(marketCap ? [` · ${moneyText(marketCap, chainOf(entry), entry.numeraire)}`] : []),
    ...(progress === undefined || progress === '1' ? [] : [` · ${progressPercent(progress)} sold`]),
  ]
}

function changeDetail(entry: DigestEntry): Span[] {
  const { change24h, marketCap } = entry
  return [
    ...(change24h === undefined ? [] : [` · ${changePercent(change24h)}`]),
    ...(marketCap ? [` · ${moneyText(marketCap, chainOf(entry), entry.numeraire)}`] : []),
  ]
}

function chainOf({ chain }: DigestEntry): Chain {
  return chainById(chain)
}

/** An event among several for one chat. */
interface EventItem {
  body: EventBody
  chain: number
}

/** Lower ranks are more important: of two events of one asset's sale only the more important one is shown. */
const ranks: Readonly<Partial<Record<EventBody['kind'], number>>> = {
  graduated: 0,
  live: 2,
  ending: 3,
  progress: 4,
  incoming: 5,
}
const soldOut = 1

/**
 * Removes events that another one of the same asset's sale supersedes: once it has sold out or graduated, earlier
 * progress is of no interest. Price and market cap events always stay.
 */
export function withoutSuperseded<Each extends EventItem>(items: readonly Each[]): Each[] {
  const best = new Map<string, Each>()
  for (const item of items) {
    const key = saleKey(item)
    if (key === undefined) continue
    const previous = best.get(key)
    best.set(key, previous ? combined(previous, item) : item)
  }
  return items.flatMap((item) => {
    const key = saleKey(item)
    if (key === undefined) return [item]
    const chosen = best.get(key)
    best.delete(key)
    return chosen ? [chosen] : []
  })
}

function saleKey({ body, chain }: EventItem): string | undefined {
  if (body.kind === 'digest' || ranks[body.kind] === undefined) return undefined
  return `${chain}:${body.asset.asset_address.toLowerCase()}`
}

/** Keeps the more important of two events; a `live` event takes over the later progress. */
function combined<Each extends EventItem>(one: Each, other: Each): Each {
  const important = moreImportant(one, other)
  const later = important === one ? other.body : one.body
  if (important.body.kind !== 'live' || later.kind !== 'progress') return important
  return { ...important, body: { ...important.body, asset: later.asset } }
}

function moreImportant<Each extends EventItem>(one: Each, other: Each): Each {
  const [before, after] = [rankOf(one), rankOf(other)]
  if (before !== after) return before < after ? one : other
  return share(one).gt(share(other)) ? one : other
}

function rankOf({ body }: EventItem): number {
  if (body.kind === 'progress' && body.to === '1') return soldOut
  return ranks[body.kind] ?? Number.POSITIVE_INFINITY
}

function share({ body }: EventItem): Big {
  return Big(body.kind === 'progress' ? body.to : 0)
}
