import { LRUCache } from 'lru-cache'
import { baseToken, statusOf } from '../api/asset.ts'
import type { Read } from '../api/client.ts'
import { type Figures, figuresOf } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import { type Locale, plainText } from '../core/catalogue.ts'
import type { ShowProgress } from '../core/command.ts'
import { changePercent } from '../core/number.ts'
import { withTimeout } from '../core/task.ts'
import { type Message, type Picture, type Text, type Tone, t, type View } from '../core/view.ts'
import type { Link } from '../setting-forms.ts'
import { assetView } from '../views/asset.ts'
import { freshness, pictureUrl, type Risk, saleBar } from '../views/facts.ts'
import { withLinks } from '../views/links.ts'
import { moneyText, priceText } from '../views/money.ts'
import { chainName, fakeStatus, statusWord, tokenName, tokenSymbol } from '../views/token.ts'
import type { CardPictures } from './card-pictures.ts'
import type { CardFacts } from './layout.ts'
import type { Risks } from './risks.ts'

/** Milliseconds a card waits for its picture; after that it is shown as it is. */
const pictureTimeoutMs = 600
/**
 * Milliseconds that a card waits for what the API says of its token's risk, so as not to be shown twice: that costs twice as much,
 * and the card changes while it is read.
 */
const riskTimeoutMs = 300
/** Milliseconds that a card which was shown without something waits for it; what comes later is left to the next card. */
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
  /** Looks up creators and symbols; without it cards say nothing of other tokens. */
  risks?: Pick<Risks, 'known' | 'search'>
  /** The recorded history of an asset, oldest first; absent if nothing is recorded. */
  history?: (chain: number, asset: string) => Promise<readonly PricePoint[]>
  /** Unix seconds. */
  now: () => number
}

/** The card of one answer of the API, with its pictures. */
interface CachedCard {
  /** Without a picture. */
  view: View
  chain: Chain
  risk: Risk | undefined
  /** The finished pictures of that answer; their words are in the reader's language. */
  pictures: Map<Locale, Picture>
  /** The last view with a picture, or where one is missing, by the language of its words. */
  pictured: Map<Locale, View>
}

/**
 * Makes the cards of assets. A card is the same object for as long as the client caches the answer that it was made of, and what
 * is known of its risk is the same.
 */
export class AssetCards {
  readonly #parts: AssetCardsParts
  readonly #cards = new WeakMap<Asset, CachedCard>()

  constructor(parts: AssetCardsParts) {
    this.#parts = parts
  }

  /** The card without a picture. */
  of(read: Read<Asset>, chain: Chain): View {
    return this.#of(read, chain).view
  }

  /** The card with nothing folded, and without the picture. */
  detailed(read: Read<Asset>, chain: Chain): View {
    const { units, links = [], risks, now } = this.#parts
    const asset = read.value
    const risk = risks?.known(asset, chain)
    const view = assetView({ asset, chain, units, freshness: freshness(read, now()), risk }, true)
    return withLinks(view, asset, chain, links)
  }

  #of(read: Read<Asset>, chain: Chain): CachedCard {
    const { units, links = [], risks, now } = this.#parts
    const asset = read.value
    const fresh = freshness(read, now())
    const risk = risks?.known(asset, chain)
    const last = this.#cards.get(asset)
    const cached = !fresh.stale && last?.chain.id === chain.id ? last : undefined
    if (cached && cached.risk === risk) return cached
    const view = assetView({ asset, chain, units, freshness: fresh, risk })
    const card: CachedCard = {
      view: withLinks(view, asset, chain, links),
      chain,
      risk,
      // A picture shows that a token is a fake.
      pictures: cached && !cached.risk?.fake === !risk?.fake ? cached.pictures : new Map(),
      pictured: new Map(),
    }
    if (!fresh.stale) this.#cards.set(asset, card)
    return card
  }

  /**
   * The card with its picture in a language, if pictures are enabled. If the picture is not ready within 600 ms, or what the API says
   * of the token's risk within 300 ms more, `show` is called with the card as it is, and the result has what came some seconds later.
   * Without `show` the risk is left out if it is not known when the picture is.
   */
  async pictured(
    read: Read<Asset>,
    chain: Chain,
    locale: Locale,
    show?: ShowProgress,
  ): Promise<View> {
    const { risks } = this.#parts
    const isFake = () => this.#of(read, chain).risk?.fake !== undefined
    const wasFake = isFake()
    const searching = risks?.search(read.value, chain)?.then(() => true)
    const view = (picture: Picture | undefined) =>
      this.#with(picture, this.#of(read, chain), locale)
    const picture = await this.#drawn(read, chain, locale, async (interim) => {
      await show?.(view(interim))
    })
    if (searching && show && !(await withTimeout(searching, riskTimeoutMs))) {
      await show(view(picture))
      await withTimeout(searching, lateTimeoutMs)
    }
    // The picture was drawn before that was known, and calls the fake live.
    if (isFake() && !wasFake) return view(await this.#drawn(read, chain, locale))
    return view(picture)
  }

  /**
   * The picture. If it is late, `onLate` is called with one that lacks the token's own picture, if there is one by then, and if it
   * does not come within some seconds more, that one is returned.
   */
  async #drawn(
    read: Read<Asset>,
    chain: Chain,
    locale: Locale,
    onLate?: (interim: Picture | undefined) => Promise<void>,
  ): Promise<Picture | undefined> {
    const { pictures, history, units, now } = this.#parts
    const asset = read.value
    const card = this.#of(read, chain)
    const earlier = card.pictures.get(locale)
    if (!pictures || earlier) return earlier
    const points = (await history?.(chain.id, asset.asset_address)) ?? []
    const isFake = card.risk?.fake !== undefined
    const facts = cardFacts({ asset, chain, units, now: now(), history: points, locale, isFake })
    const drawing = pictures.of(facts).then((picture) => {
      if (picture) card.pictures.set(locale, picture)
      return { picture }
    })
    const drawn = await withTimeout(drawing, pictureTimeoutMs)
    if (drawn) return drawn.picture
    const interim = await pictures.soon(facts, 0)
    await onLate?.(interim)
    const late = await withTimeout(drawing, lateTimeoutMs)
    return late?.picture ?? interim
  }

  #with(picture: Picture | undefined, card: CachedCard, locale: Locale): View {
    if (!this.#parts.pictures) return card.view
    const cached = card.pictured.get(locale)
    if (cached && cached.picture?.key === picture?.key) return cached
    // Without the card's picture, a preview of the token's own would be a link to its unknown host.
    const { image: _, ...plain } = card.view
    const view = picture ? { ...plain, picture } : plain
    card.pictured.set(locale, view)
    return view
  }
}

/** The sources of a card's facts. */
interface CardFactsParts {
  asset: Asset
  chain: Chain
  units: Units
  /** Unix seconds. */
  now: number
  /** The recorded history, oldest first. */
  history: readonly PricePoint[]
  /** The phase by the watcher, which is more reliable than the asset's status; that is used if it is absent. */
  phase?: 'incoming' | 'live' | 'graduated' | 'ended' | 'gone'
  /** The API calls it a fake: its picture, the loudest part of a card, says so in place of the status. */
  isFake?: boolean
  /** The reader's language. */
  locale: Locale
}

/** Less history than this is not drawn: its line could contradict the change in 24 hours. */
const minPoints = 5
const minSeconds = 600

const phases: Record<NonNullable<CardFactsParts['phase']>, [status: Message, tone: Tone]> = {
  incoming: [t('status-upcoming-word'), 'neutral'],
  live: [t('status-live-word'), 'good'],
  graduated: [t('status-graduated-word'), 'good'],
  ended: [t('status-ended-word'), 'warn'],
  gone: [t('card-gone'), 'bad'],
}

/**
 * The facts that an asset's picture shows, in the words of its card. Times are absolute, in UTC, as a picture is drawn
 * once and seen at any time.
 */
export function cardFacts(parts: CardFactsParts): CardFacts {
  const { asset, chain, units, history, locale } = parts
  const token = baseToken(asset)
  const facts = figuresOf(asset, units)
  const image = pictureUrl(token?.token_image_public_url)
  const say = (text: Text) => plainText(text, locale)
  const outcome = outcomeOf(parts, facts)
  const [status, tone] = statusAndTone(parts)
  return {
    asset: asset.asset_address.toLowerCase(),
    name: say(tokenName(token?.token_name)),
    symbol: tokenSymbol(token?.token_symbol) ?? '',
    chain: say(chainName(chain)),
    status: say(status),
    tone,
    words: { marketCap: say(t('asset-market-cap')), change: say(t('card-in-a-day')) },
    ...(facts.price && { price: say(priceText(facts.price, chain, asset)) }),
    ...(facts.change24h !== undefined && { change: say(changePercent(facts.change24h)) }),
    ...(facts.marketCap && { marketCap: say(moneyText(facts.marketCap, chain, asset)) }),
    ...(isLive(parts) && facts.progress !== undefined && { progress: barOf(facts.progress, say) }),
    ...(outcome !== undefined && { outcome: say(outcome) }),
    ...priceLine(history, say),
    ...(image && { image: image.href }),
  }
}

function barOf(progress: string, say: (text: Text) => string): { ratio: number; label: string } {
  const { ratio, label } = saleBar(progress)
  return { ratio, label: say(label) }
}

function statusAndTone({ asset, phase, isFake }: CardFactsParts): [status: Text, tone: Tone] {
  if (isFake) return [fakeStatus.word, 'bad']
  if (phase) return phases[phase]
  const status = statusOf(asset)
  // Shorter than in a text: the name stands beside it.
  if (status === 'stall') return [t('card-not-graduated'), 'neutral']
  const good = ['live', 'graduated'].includes(status ?? '')
  return [statusWord(asset) ?? '', good ? 'good' : 'neutral']
}

function isLive({ asset, phase }: CardFactsParts): boolean {
  return (phase ?? statusOf(asset)) === 'live'
}

/** When it starts or ends, or how it ended; undefined if that is unknown. */
function outcomeOf(parts: CardFactsParts, facts: Figures): Text | undefined {
  const { asset, phase, now, locale } = parts
  const { startsAt, endsAt, migratedAt } = facts
  const at = phase ?? statusOf(asset)
  const when = (seconds: number) => `${clockOf(locale).format(seconds * 1000)} UTC`
  const ended = (seconds: number) => t('card-ended', { when: when(seconds) })
  if (at === 'incoming') {
    return startsAt === undefined ? undefined : t('card-starts', { when: when(startsAt) })
  }
  if (at === 'graduated') {
    return migratedAt === undefined
      ? t('asset-graduated')
      : t('card-graduated', { when: when(migratedAt) })
  }
  if (at === 'ended') {
    return endsAt !== undefined && endsAt <= now ? ended(endsAt) : t('asset-ended')
  }
  if (at !== 'live' || endsAt === undefined) return undefined
  return endsAt > now ? t('card-ends', { when: when(endsAt) }) : ended(endsAt)
}

const clocks = new Map<Locale, Intl.DateTimeFormat>()

function clockOf(locale: Locale): Intl.DateTimeFormat {
  const cached = clocks.get(locale)
  if (cached) return cached
  const clock = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  })
  clocks.set(locale, clock)
  return clock
}

/** The known prices, and the time that they cover; an empty line if they are too few. */
function priceLine(
  history: readonly PricePoint[],
  say: (text: Text) => string,
): { line: number[]; span?: string } {
  const points = history.filter(
    ({ price }) => price !== undefined && Number.isFinite(Number(price)),
  )
  const seconds = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0)
  if (points.length < minPoints || seconds < minSeconds) return { line: [] }
  return { line: points.map(({ price }) => Number(price)), span: say(spanText(seconds)) }
}

function spanText(seconds: number): Message {
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return t('card-over-minutes', { count: minutes })
  const hours = Math.round(minutes / 60)
  if (hours < 48) return t('card-over-hours', { count: hours })
  return t('card-over-days', { count: Math.round(hours / 24) })
}

const pauseMs = 60_000

/** The tokens whose cards were shown within the last minute in groups where nobody asked for them. */
export class ShownCards {
  readonly #shown: LRUCache<string, true>

  /** @param now milliseconds on a clock that never jumps */
  constructor(now: () => number = () => performance.now()) {
    this.#shown = new LRUCache({ max: 10_000, ttl: pauseMs, ttlResolution: 0, perf: { now } })
  }

  /** Notes that a token is shown in a chat; whether it was already. */
  noteShown(chat: string, token: string): boolean {
    const key = `${chat} ${token.toLowerCase()}`
    if (this.#shown.has(key)) return true
    this.#shown.set(key, true)
    return false
  }
}
