import { LRUCache } from 'lru-cache'
import type { Units } from '../../api/units.ts'
import { cardFacts } from '../../cards/asset-card.ts'
import type { CardPictures } from '../../cards/card-pictures.ts'
import { chainById } from '../../chain/chains.ts'
import { defaultLocale, type Locale, localise } from '../../core/catalogue.ts'
import { type Picture, t, type View } from '../../core/view.ts'
import type { Store } from '../../db/schema.ts'
import type { Logger } from '../../log.ts'
import type { Link } from '../../setting-forms.ts'
import { withLinks } from '../../views/links.ts'
import { announcement } from '../announcements.ts'
import { readEvents, type StoredEvent } from '../events.ts'
import type { AlertKind, EventBody, ShownEvent } from '../kinds/kind.ts'
import { kindNamed, kinds } from '../kinds/list.ts'
import type { WatchedAssets } from '../snapshot.ts'

/** An event among several for one chat. */
interface EventItem {
  body: EventBody
  chain: number
}

/** The members of a kind that messages need. */
type Shown = Pick<AlertKind, 'view' | 'line' | 'rank'> & Partial<Pick<AlertKind, 'detection'>>

/** @throws if this version has no such kind; its body could not be parsed either */
function kindOf({ kind: name }: EventBody): Shown {
  if (name === announcement.id) return announcement
  const kind = kindNamed(name)
  if (kind === undefined) throw new Error(`there is no kind of alerts called ${name}`)
  return kinds[kind]
}

/** An event as a message of its own; `picture` is the card of its asset. */
export function eventView(event: ShownEvent & { picture?: Picture | undefined }): View {
  const view = kindOf(event.body).view(event)
  return event.picture ? { ...view, picture: event.picture } : view
}

/** Whether the event may share a message with others; long ones go in a message of their own. */
export function isCombinable({ body }: Pick<EventItem, 'body'>): boolean {
  return kindOf(body).line !== undefined
}

/** Whether a person has set the hour at which it comes. */
export function isTimed(body: EventBody): boolean {
  return kindOf(body).detection?.from === 'schedule'
}

/** Several events for one chat as one message, with a line each. */
export function combinedView(
  items: readonly EventItem[],
  { units, now }: { units: Units; now: number },
): View {
  const relevant = withoutSuperseded(items)
  const [only] = relevant
  if (only && relevant.length === 1) return eventView({ ...only, units, now })
  const lines = relevant.flatMap(
    ({ body, chain }) => kindOf(body).line?.({ body, chain, units, now }) ?? [],
  )
  return {
    title: [t('alerts-several', { count: relevant.length })],
    tone: lines.some(({ tone }) => tone === 'good') ? 'good' : 'neutral',
    blocks: [{ kind: 'list', first: 1, items: lines.map(({ item }) => item) }],
    buttons: [[{ label: t('alerts-button-alerts'), line: 'alerts', asNew: true }]],
  }
}

/**
 * Removes events that another one of the same asset's sale supersedes: once it has sold out or graduated, earlier
 * progress is of no interest. Events that belong to no sale always stay.
 * @param items oldest first
 */
export function withoutSuperseded<Each extends EventItem>(items: readonly Each[]): Each[] {
  const best = new Map<string, Each>()
  for (const item of items) {
    const key = saleKey(item)
    if (key === undefined) continue
    const previous = best.get(key)
    best.set(key, previous ? moreImportant(previous, item) : item)
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
  if (body.asset === undefined || rankOf(body) === undefined) return undefined
  return `${chain}:${body.asset.asset_address.toLowerCase()}`
}

/** The more important of two events, with the asset as the later one found it. */
function moreImportant<Each extends EventItem>(earlier: Each, later: Each): Each {
  const isEarlier = (rankOf(earlier.body) ?? 0) < (rankOf(later.body) ?? 0)
  return isEarlier ? { ...earlier, body: { ...earlier.body, asset: later.body.asset } } : later
}

function rankOf(body: EventBody): number | undefined {
  return kindOf(body).rank?.(body)
}

/**
 * The view, which adapters can put into a language: figures are written only then, and one that can't be would look like a
 * fault of the platform.
 * @throws if it has such a figure
 */
export function requireRenderable(view: View): View {
  localise(view, defaultLocale)
  return view
}

interface EventViewsParts {
  store: Store
  assets: WatchedAssets
  /** Undefined if pictures are disabled. */
  pictures: CardPictures | undefined
  units: Units
  /** The operator's links below each alert about one asset; none by default. */
  links?: readonly Link[]
  log: Logger
  /** Unix seconds. */
  now: () => number
}

/** An event whose body could be parsed. */
export type ReadableEvent = StoredEvent & { body: EventBody }

/** Events to cache: one event is sent to thousands of chats within minutes. */
const maxCachedEvents = 200
const maxViews = 50
const viewTtlMs = 60_000
/** Milliseconds to wait for a picture: a late picture would delay this alert and all others of the platform. */
const pictureTimeoutMs = 1500

/** Renders events as messages, each once for all chats. */
export class NotificationViews {
  readonly #parts: EventViewsParts
  readonly #events = new LRUCache<number, StoredEvent>({ max: maxCachedEvents })
  readonly #views = new LRUCache<string, Promise<View>>({ max: maxViews, ttl: viewTtlMs })

  constructor(parts: EventViewsParts) {
    this.#parts = parts
  }

  /** Reads events by id, oldest first; those that no longer exist are left out. */
  async read(ids: readonly number[]): Promise<StoredEvent[]> {
    const missing = ids.filter((id) => !this.#events.has(id))
    const read = missing.length === 0 ? [] : await readEvents(this.#parts.store, missing)
    for (const event of read) this.#events.set(event.id, event)
    const found = new Map(read.map((event) => [event.id, event]))
    return ids.flatMap((id) => found.get(id) ?? this.#events.get(id) ?? [])
  }

  /** One message for all of these events, with the picture in a language. Rejects if it can't be rendered. */
  of(events: readonly ReadableEvent[], locale: Locale): Promise<View> {
    const key = [locale, ...events.map(({ id }) => id)].join(' ')
    const cached = this.#views.get(key)
    if (cached) return cached
    const view = this.#make(events, locale).then(requireRenderable)
    // Not beyond the end of an auction: from then on the message says something else.
    const left = Math.min(...events.map(({ usefulUntil }) => usefulUntil)) - this.#parts.now()
    this.#views.set(key, view, { ttl: Math.max(1, Math.min(viewTtlMs, left * 1000)) })
    // Don't cache failures: the next chat tries again.
    view.catch(() => this.#views.delete(key))
    return view
  }

  /** Whether the event can be rendered as a message of its own. */
  canRender({ body, chain }: ReadableEvent): boolean {
    const { units, now } = this.#parts
    try {
      requireRenderable(eventView({ body, chain, units, now: now() }))
      return true
    } catch {
      return false
    }
  }

  async #make(events: readonly ReadableEvent[], locale: Locale): Promise<View> {
    const { units, links = [], now } = this.#parts
    // If one event supersedes the rest, send it as a single message.
    const [first, ...others] = withoutSuperseded(events)
    if (first === undefined || others.length > 0) return combinedView(events, { units, now: now() })
    const picture = await this.#picture(first, locale).catch((error: unknown) => {
      this.#parts.log.error({ err: error, event: first.id }, 'an alert is sent without its picture')
      return undefined
    })
    const { body, chain } = first
    const view = eventView({ body, chain, units, now: now(), ...(picture && { picture }) })
    return body.asset ? withLinks(view, body.asset, chainById(chain), links) : view
  }

  async #picture(
    { body, chain, asset }: ReadableEvent,
    locale: Locale,
  ): Promise<Picture | undefined> {
    const { pictures, assets, units, now } = this.#parts
    if (!pictures || !body.asset) return undefined
    const watched = await assets.find(chain, asset)
    const facts = cardFacts({
      asset: body.asset,
      chain: chainById(chain),
      units,
      now: now(),
      history: watched?.history ?? [],
      ...(watched && { phase: watched.phase }),
      locale,
    })
    return pictures.soon(facts, pictureTimeoutMs)
  }
}
