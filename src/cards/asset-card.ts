import { baseToken, statusOf } from '../api/asset.ts'
import type { Read } from '../api/client.ts'
import { type Figures, figuresOf } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import { plainText } from '../core/catalogue.ts'
import type { ShowProgress } from '../core/command.ts'
import { changePercent } from '../core/number.ts'
import { withTimeout } from '../core/task.ts'
import type { Tone, View } from '../core/view.ts'
import { assetView } from '../views/asset.ts'
import { freshness, pictureUrl, saleBar } from '../views/facts.ts'
import { type Link, withLinks } from '../views/links.ts'
import {
  chainName,
  moneyText,
  priceText,
  statusWord,
  tokenName,
  tokenSymbol,
} from '../views/token.ts'
import type { CardPictures } from './card-pictures.ts'
import type { CardFacts } from './layout.ts'

/** Milliseconds a card waits for its picture; after that it is shown with what there is. */
const pictureTimeoutMs = 600
/** Milliseconds more after which it stays so, and the next card has the picture. */
const lateTimeoutMs = 4_000

/** A price that was recorded at a time (unix seconds), as a decimal; absent if it was unknown then. */
interface PricePoint {
  at: number
  price?: string | undefined
}

interface AssetCardsParts {
  units: Units
  /** The operator's links below each card; none by default. */
  links?: readonly Link[]
  /** Draws the pictures; undefined if they are disabled. */
  pictures: CardPictures | undefined
  /** The recorded history of an asset, oldest first; absent if nothing is recorded. */
  history?: (chain: number, asset: string) => Promise<readonly PricePoint[]>
  /** Unix seconds. */
  now: () => number
}

interface CachedCard {
  view: View
  chain: Chain
  /** Unix second of the API's answer that it shows. */
  fetchedAt: number
}

/**
 * Makes the cards of assets. A card is the same object for all uses of one answer of the API, unless that is stale:
 * rendering one costs more than all other work of a command.
 */
export class AssetCards {
  readonly #parts: AssetCardsParts
  readonly #cards = new WeakMap<Asset, CachedCard>()

  constructor(parts: AssetCardsParts) {
    this.#parts = parts
  }

  /** The card, with its picture if that was ready earlier. */
  of(read: Read<Asset>, chain: Chain): View {
    return this.#of(read, chain).view
  }

  /** The card with nothing folded, and without the picture. */
  detailed(read: Read<Asset>, chain: Chain): View {
    const { units, links = [], now } = this.#parts
    const asset = read.value
    const view = assetView({ asset, chain, units, freshness: freshness(read, now()) }, true)
    return withLinks(view, asset, chain, links)
  }

  #of(read: Read<Asset>, chain: Chain): CachedCard {
    const { units, links = [], now } = this.#parts
    const asset = read.value
    const fresh = freshness(read, now())
    const { fetchedAt } = fresh
    const cached = this.#cards.get(asset)
    // Rounding may shift the second of one answer by one.
    const isOfAnswer = cached?.chain.id === chain.id && Math.abs(cached.fetchedAt - fetchedAt) <= 1
    if (cached && isOfAnswer && !read.stale) return cached
    return this.#store(asset, {
      view: withLinks(assetView({ asset, chain, units, freshness: fresh }), asset, chain, links),
      chain,
      fetchedAt,
    })
  }

  /**
   * The card with its picture, if pictures are enabled. One that is not ready within 600 ms, or still lacks the token's own
   * picture, follows a card without, which `show` shows.
   */
  async pictured(read: Read<Asset>, chain: Chain, show: ShowProgress): Promise<View> {
    const card = this.#of(read, chain)
    const { pictures, history, units, now } = this.#parts
    if (!pictures || card.view.picture) return card.view
    // Where the picture is missing, the preview of the token's own would be a link to wherever that lies.
    const { image: _, ...view } = card.view
    const asset = read.value
    const points = (await history?.(chain.id, asset.asset_address)) ?? []
    const facts = cardFacts({ asset, chain, units, now: now(), history: points })
    const drawing = pictures
      .of(facts)
      .then((picture) =>
        picture ? this.#store(asset, { ...card, view: { ...view, picture } }).view : view,
      )
    const drawn = await withTimeout(drawing, pictureTimeoutMs)
    if (drawn) return drawn
    const plain = await pictures.soon(facts, 0)
    const interim = plain ? { ...view, picture: plain } : view
    await show(interim)
    return (await withTimeout(drawing, lateTimeoutMs)) ?? interim
  }

  #store(asset: Asset, card: CachedCard): CachedCard {
    this.#cards.set(asset, card)
    return card
  }
}

/** The sources of a card's facts. */
export interface CardFactsParts {
  asset: Asset
  chain: Chain
  units: Units
  /** Unix seconds. */
  now: number
  /** The recorded history, oldest first. */
  history: readonly PricePoint[]
  /** The phase by the watcher, which is more reliable than the asset's status; that is used if it is absent. */
  phase?: 'incoming' | 'live' | 'graduated' | 'ended' | 'gone'
}

/** Less history than this is not drawn: its line could contradict the change in 24 hours. */
const minPoints = 5
const minSeconds = 600

const phases = {
  incoming: ['Upcoming', 'neutral'],
  live: ['Live', 'good'],
  graduated: ['Graduated', 'good'],
  ended: ['Ended', 'warn'],
  gone: ['No longer listed', 'bad'],
} as const

/**
 * The facts that an asset's picture shows, in the words of its card. Times are absolute, in UTC, as a picture is drawn
 * once and seen at any time.
 */
export function cardFacts(parts: CardFactsParts): CardFacts {
  const { asset, chain, units, history } = parts
  const token = baseToken(asset)
  const facts = figuresOf(asset, units)
  const numeraire = asset.asset_numeraire_address
  const image = pictureUrl(token?.token_image_public_url)
  const outcome = outcomeOf(parts, facts)
  return {
    asset: asset.asset_address.toLowerCase(),
    name: plainText(tokenName(token?.token_name)),
    symbol: tokenSymbol(token?.token_symbol) ?? '',
    chain: plainText(chainName(chain)),
    ...statusAndTone(parts),
    ...(facts.price && { price: plainText(priceText(facts.price, chain, numeraire)) }),
    ...(facts.change24h !== undefined && { change: plainText(changePercent(facts.change24h)) }),
    ...(facts.marketCap && { marketCap: plainText(moneyText(facts.marketCap, chain, numeraire)) }),
    ...(isLive(parts) && facts.progress !== undefined && { progress: barOf(facts.progress) }),
    ...(outcome !== undefined && { outcome }),
    ...priceLine(history),
    ...(image && { image: image.href }),
  }
}

function barOf(progress: string): { ratio: number; label: string } {
  const { ratio, label } = saleBar(progress)
  return { ratio, label: plainText(label) }
}

function statusAndTone({ asset, phase }: CardFactsParts): { status: string; tone: Tone } {
  if (phase) {
    const [status, tone] = phases[phase]
    return { status, tone }
  }
  const good = ['live', 'graduated'].includes(statusOf(asset) ?? '')
  return { status: plainText(statusWord(asset) ?? ''), tone: good ? 'good' : 'neutral' }
}

function isLive({ asset, phase }: CardFactsParts): boolean {
  return (phase ?? statusOf(asset)) === 'live'
}

/** When it starts or ends, or how it ended; undefined if that is unknown. */
function outcomeOf(parts: CardFactsParts, facts: Figures): string | undefined {
  const { asset, phase, now } = parts
  const { startsAt, endsAt, migratedAt } = facts
  const at = phase ?? statusOf(asset)
  if (at === 'incoming') return startsAt === undefined ? undefined : `Starts ${time(startsAt)}`
  if (at === 'graduated') return dated('Graduated', migratedAt)
  if (at === 'ended')
    return dated('Ended', endsAt !== undefined && endsAt <= now ? endsAt : undefined)
  if (at !== 'live' || endsAt === undefined) return undefined
  return `${endsAt > now ? 'Ends' : 'Ended'} ${time(endsAt)}`
}

function dated(word: string, seconds: number | undefined): string {
  return seconds === undefined ? word : `${word} ${time(seconds)}`
}

const clock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

function time(seconds: number): string {
  return `${clock.format(seconds * 1000)} UTC`
}

/** The known prices, and the time that they cover; an empty line if they are too few. */
function priceLine(history: readonly PricePoint[]): { line: number[]; span?: string } {
  const points = history.filter(
    ({ price }) => price !== undefined && Number.isFinite(Number(price)),
  )
  const seconds = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)
  if (points.length < minPoints || seconds < minSeconds) return { line: [] }
  return { line: points.map(({ price }) => Number(price)), span: `over ${duration(seconds)}` }
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
