import { createHash } from 'node:crypto'
import { countCharacters, graphemesOf, harmless, shorten } from '../core/text.ts'
import type { Tone } from '../core/view.ts'

/**
 * Everything that a card shows, in the reader's language. Texts come from third parties and may be anything; absent fields
 * are left out.
 */
export interface CardFacts {
  /** The asset's address, from which the avatar is derived if there is no picture. */
  asset: string
  name: string
  symbol: string
  chain: string
  /** Such as "Live", "Graduated", "Ended". */
  status: string
  tone: 'neutral' | 'good' | 'warn' | 'bad'
  /** The labels above the market cap, and after the change of the price: "Market cap", "in 24 h". */
  words: { marketCap: string; change: string }
  /** Formatted texts, such as "$0.0₆1234", "▲ 12.3%". */
  price?: string
  change?: string
  marketCap?: string
  /** 0 to 1, and its text. */
  progress?: { ratio: number; label: string }
  /** The start, end or result, such as "Ends 22 Nov, 14:30 UTC" or "Graduated". */
  outcome?: string
  /** Prices, oldest first; as numbers, since they are only drawn. */
  line: readonly number[]
  /** The time that the line covers, such as "over 3 h". */
  span?: string
  /** The URL of the token's own picture. */
  image?: string
}

export const cardWidth = 1200
export const cardHeight = 630

const edge = 52
const picture = 148
const gap = 36
const chartWidth = 560
const chartHeight = 196

/** Sanitises facts: harmless lines of bounded length, whatever the source. */
export function drawable(facts: CardFacts): CardFacts {
  const { price, change, marketCap, progress, outcome, span } = facts
  return {
    ...facts,
    name: plain(facts.name, 48) || 'Unnamed',
    symbol: plain(facts.symbol, 18),
    chain: plain(facts.chain, 28),
    status: plain(facts.status, 20),
    ...(price !== undefined && { price: plain(price, 32) }),
    ...(change !== undefined && { change: plain(change, 16) }),
    ...(marketCap !== undefined && { marketCap: plain(marketCap, 32) }),
    ...(outcome !== undefined && { outcome: plain(outcome, 40) }),
    ...(span !== undefined && { span: plain(span, 24) }),
    ...(progress && {
      progress: { ratio: share(progress.ratio), label: plain(progress.label, 24) },
    }),
    line: facts.line.slice(-200),
  }
}

function plain(content: string, maxLength: number): string {
  return shorten(harmless(content).trim(), maxLength)
}

function share(ratio: number): number {
  return Number.isFinite(ratio) ? Math.min(Math.max(ratio, 0), 1) : 0
}

/** The card as a tree of elements; `image` is the token's own picture as a data URL. */
export function card(facts: CardFacts, image: string | undefined): Element {
  const [accent] = colours(facts.asset)
  const { price, marketCap, outcome } = facts
  // Without figures, the outcome is the main content.
  const figures = price !== undefined || marketCap !== undefined || facts.line.length > 1
  const lower = figures
    ? [middle(facts), foot(facts)]
    : [announcement(outcome), foot({ ...facts, outcome: '' })]
  return box(
    {
      flexDirection: 'column',
      width: cardWidth,
      height: cardHeight,
      padding: edge,
      justifyContent: 'center',
      fontFamily: 'Inter',
      fontWeight: 500,
      color: ink,
      backgroundColor: '#0d1322',
      backgroundImage: 'linear-gradient(150deg, #18233b 0%, #0d1322 70%)',
      borderBottom: `10px solid ${accent}`,
    },
    head(facts, image),
    ...lower,
  )
}

function announcement(outcome: string | undefined): Element | undefined {
  if (outcome === undefined) return undefined
  return box(
    { flexGrow: 1, alignItems: 'center' },
    text(outcome, { fontSize: 60, fontWeight: 700 }),
  )
}

/** Fills the remaining width and clips wider content. */
const remaining = {
  flexGrow: 1,
  flexShrink: 1,
  flexBasis: 0,
  minWidth: 0,
  overflow: 'hidden',
} as const

function head(facts: CardFacts, image: string | undefined): Element {
  const about = { fontSize: 32, color: quiet }
  return box(
    { alignItems: 'center', width: '100%', flexShrink: 0 },
    image === undefined ? avatar(facts) : ownPicture(image),
    box(
      { ...remaining, flexDirection: 'column', marginLeft: gap },
      text(facts.name, { fontSize: nameSize(facts.name), fontWeight: 700, lineHeight: 1.15 }, 2),
      box(
        { marginTop: 4, alignItems: 'baseline' },
        // Separate elements: a right-to-left symbol must not reverse the line.
        facts.symbol === ''
          ? undefined
          : text(facts.symbol, { ...about, minWidth: 0, marginRight: 18 }),
        text(facts.chain, { ...about, flexShrink: 0, opacity: 0.8 }),
      ),
    ),
    facts.status === '' ? undefined : pill(facts),
  )
}

function nameSize(name: string): number {
  const characters = countCharacters(name) + wideCount(name)
  if (characters <= 12) return 68
  return characters <= 30 ? 54 : 46
}

const wideCharacters =
  /[\p{Ideographic}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]|\p{RGI_Emoji}/gv

/** East Asian characters and emoji are twice as wide; counts them. */
function wideCount(name: string): number {
  return name.match(wideCharacters)?.length ?? 0
}

function ownPicture(image: string): Element {
  return {
    type: 'img',
    props: {
      src: image,
      width: picture,
      height: picture,
      style: { borderRadius: 36, flexShrink: 0 },
    },
  }
}

function avatar({ asset, symbol, name }: CardFacts): Element {
  const [from, to] = colours(asset)
  const [first] = graphemesOf(symbol.replace(/^\$/u, '') || name)
  return box(
    {
      width: picture,
      height: picture,
      borderRadius: 36,
      flexShrink: 0,
      alignItems: 'center',
      justifyContent: 'center',
      backgroundImage: `linear-gradient(135deg, ${from}, ${to})`,
    },
    text((first?.segment ?? '').toUpperCase(), { fontSize: 84, fontWeight: 700 }),
  )
}

function pill({ status, tone }: CardFacts): Element {
  const colour = tones[tone]
  return box(
    {
      alignItems: 'center',
      alignSelf: 'flex-start',
      flexShrink: 0,
      marginLeft: gap,
      padding: '12px 26px',
      borderRadius: 40,
      border: `3px solid ${colour}`,
      color: colour,
    },
    box({ width: 18, height: 18, borderRadius: 9, marginRight: 14, backgroundColor: colour }),
    text(status, { fontSize: 32, fontWeight: 700 }),
  )
}

function middle(facts: CardFacts): Element {
  const line = chart(facts.line)
  const price =
    facts.price === undefined ? undefined : priceLines(facts.price, facts, Boolean(line))
  const worth =
    facts.marketCap === undefined ? undefined : stat(facts.words.marketCap, facts.marketCap)
  const figures = line
    ? [
        box({ flexDirection: 'column', flexGrow: 1, flexShrink: 1, flexBasis: 0 }, price, worth),
        box({ flexDirection: 'column', alignItems: 'flex-end' }, line, scale(facts.span)),
      ]
    : [price, worth]
  return box(
    { flexGrow: 1, alignItems: 'center', justifyContent: 'space-between', width: '100%' },
    ...figures,
  )
}

/** The time that the line covers, which is not that of the 24 h change. */
function scale(span: string | undefined): Element | undefined {
  return span === undefined ? undefined : text(span, { fontSize: 24, color: quiet })
}

function priceLines(price: string, { change, words }: CardFacts, narrow: boolean): Element {
  const maxLength = narrow ? 9 : 12
  const size =
    price.length <= maxLength ? 76 : Math.max(36, Math.floor((76 * maxLength) / price.length))
  return box(
    { flexDirection: 'column' },
    text(price, { fontSize: size, fontWeight: 700, lineHeight: 1.1 }),
    change === undefined ? undefined : changeLine(change, words.change),
  )
}

function changeLine(change: string, period: string): Element {
  const colour = change.startsWith('▲') ? rising : change.startsWith('▼') ? falling : quiet
  return box(
    { alignItems: 'baseline', marginTop: 4 },
    text(change, { fontSize: 38, fontWeight: 700, color: colour }),
    text(period, { fontSize: 30, color: quiet, marginLeft: 16 }),
  )
}

function stat(label: string, value: string): Element {
  return box(
    { flexDirection: 'column', marginTop: 12 },
    text(label, { fontSize: 26, color: quiet }),
    text(value, { fontSize: 40, fontWeight: 700, lineHeight: 1.2 }),
  )
}

function foot({ progress, outcome = '', asset }: CardFacts): Element | undefined {
  if (!progress && outcome === '') return undefined
  const words: Child[] = [
    progress ? text(progress.label, { fontSize: 34, fontWeight: 700 }) : undefined,
    outcome === '' ? undefined : text(outcome, { fontSize: 32, color: quiet }),
  ]
  return box(
    { flexDirection: 'column', width: '100%', flexShrink: 0 },
    progress ? bar(progress.ratio, asset) : undefined,
    box({ justifyContent: 'space-between', alignItems: 'baseline', marginTop: 12 }, ...words),
  )
}

const barWidth = cardWidth - 2 * edge

/** A sale that has begun shows at least a sliver, and one that is not over is never full. */
function bar(ratio: number, asset: string): Element {
  const [from, to] = colours(asset)
  const height = 28
  const filled = ratio >= 1 ? barWidth : Math.min(Math.round(barWidth * ratio), barWidth - 6)
  return box(
    {
      width: barWidth,
      height,
      borderRadius: height / 2,
      backgroundColor: track,
      overflow: 'hidden',
    },
    box({
      width: ratio > 0 ? Math.max(filled, 6) : 0,
      height,
      backgroundImage: `linear-gradient(90deg, ${to}, ${from})`,
    }),
  )
}

const stroke = 6

/** A line chart with a shaded area; undefined for fewer than two prices. */
function chart(prices: readonly number[]): Element | undefined {
  const finite = prices.filter((price) => Number.isFinite(price))
  if (finite.length < 2) return undefined
  const points = linePoints(finite, chartWidth, chartHeight)
  const line = points.map(([x, y]) => `${x} ${y}`).join(' L ')
  const [lastX = 0, lastY = 0] = points.at(-1) ?? []
  const colour = (finite.at(-1) ?? 0) < (finite[0] ?? 0) ? falling : rising
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${chartWidth}" height="${chartHeight}">
    <linearGradient id="shade" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${colour}" stop-opacity="0.4"/>
      <stop offset="1" stop-color="${colour}" stop-opacity="0"/>
    </linearGradient>
    <path d="M ${line} L ${lastX} ${chartHeight} L ${stroke} ${chartHeight} Z" fill="url(#shade)"/>
    <path d="M ${line}" fill="none" stroke="${colour}" stroke-width="${stroke}" stroke-linejoin="round" stroke-linecap="round"/>
    <circle cx="${lastX}" cy="${lastY}" r="${stroke * 1.6}" fill="${colour}"/>
  </svg>`
  const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return { type: 'img', props: { src, width: chartWidth, height: chartHeight } }
}

/** The points of the line. A constant price runs through the middle. */
function linePoints(prices: readonly number[], width: number, height: number): [number, number][] {
  const low = Math.min(...prices)
  const range = Math.max(...prices) - low
  const edge = stroke * 2
  const step = (width - 2 * edge) / (prices.length - 1)
  return prices.map((price, index) => {
    const share = range > 0 ? (price - low) / range : 0.5
    return [rounded(edge + index * step), rounded(height - edge - share * (height - 2 * edge))]
  })
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** The part of React's elements that satori needs. */
interface Element {
  type: string
  props: { style?: Style; children?: Child | readonly Child[]; [attribute: string]: unknown }
}

type Child = Element | string | undefined
type Style = Readonly<Record<string, string | number>>

/** A flex container. Without `boxSizing` satori clips children of a box with border or padding. */
function box(style: Style, ...children: readonly Child[]): Element {
  return {
    type: 'div',
    props: { style: { display: 'flex', boxSizing: 'border-box', ...style }, children },
  }
}

// `lineClamp: 1` would break the line at any opportunity, such as after the dots of a short address.
const oneLine = { whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' } as const

/** Text that is cut after `lines` lines. Right-to-left text keeps its direction, but is aligned left. */
function text(content: string, style: Style, lines = 1): Element {
  return {
    type: 'div',
    props: {
      style: {
        display: 'block',
        boxSizing: 'border-box',
        ...(lines === 1 ? oneLine : { lineClamp: lines, wordBreak: 'break-word' }),
        direction: direction(content),
        textAlign: 'left',
        ...style,
      },
      children: content,
    },
  }
}

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function direction(content: string): 'ltr' | 'rtl' {
  const [first = ''] = /\p{L}/u.exec(content) ?? []
  return rightToLeft.test(first) ? 'rtl' : 'ltr'
}

const ink = '#f8fafc'
const quiet = '#94a3b8'
const track = '#26324a'
const rising = '#34d399'
const falling = '#f87171'

const tones: Record<Tone, string> = {
  neutral: '#93b4ff',
  good: rising,
  warn: '#fbbf24',
  bad: falling,
}

/** A pair of colours derived from the asset's address. */
function colours(asset: string): readonly [from: string, to: string] {
  const [first = 0, second = 0, third = 0] = createHash('sha256')
    .update(asset.toLowerCase())
    .digest()
  const hue = Math.round(((first * 256 + second) / 65_536) * 360)
  const other = (hue + 40 + Math.round((third / 256) * 60)) % 360
  return [`hsl(${hue}, 75%, 58%)`, `hsl(${other}, 70%, 42%)`]
}
