import { LRUCache } from 'lru-cache'
import type { Units } from '../api/units.ts'
import type { Cards } from '../cards/cards.ts'
import { cardFacts } from '../cards/facts.ts'
import { chainById } from '../chain/chains.ts'
import type { Picture, View } from '../core/view.ts'
import type { Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import type { EventBody } from './event.ts'
import { readEvents, type StoredEvent } from './matching.ts'
import type { WatchedAssets } from './snapshot.ts'
import { combinedView, eventView, withoutSuperseded } from './views/event.ts'

export interface EventViewsParts {
  store: Store
  assets: WatchedAssets
  /** Undefined if pictures are disabled. */
  cards: Cards | undefined
  units: Units
  log: Logger
  /** Unix seconds. */
  now: () => number
}

/** An event whose body could be parsed. */
export type ReadableEvent = StoredEvent & { body: EventBody }

/** Events to cache: one event is sent to thousands of chats within minutes. */
const maxEvents = 200
const maxViews = 50
const viewTtlMs = 60_000
/** Milliseconds to wait for a picture: a late picture would delay this alert and all others of the platform. */
const pictureTimeoutMs = 1500

/** Renders events as messages, each once for all chats. */
export class EventViews {
  readonly #parts: EventViewsParts
  readonly #events = new LRUCache<number, StoredEvent>({ max: maxEvents })
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

  /** One message for all of these events. */
  of(events: readonly ReadableEvent[]): Promise<View> {
    const key = events.map(({ id }) => id).join(' ')
    const cached = this.#views.get(key)
    if (cached) return cached
    const view = this.#make(events)
    this.#views.set(key, view)
    // Don't cache failures: the next chat tries again.
    view.catch(() => this.#views.delete(key))
    return view
  }

  /** Whether the event can be rendered as a message of its own. */
  canRender({ body, chain }: ReadableEvent): boolean {
    const { units, now } = this.#parts
    try {
      eventView({ body, chain, units, now: now() })
      return true
    } catch {
      return false
    }
  }

  async #make(events: readonly ReadableEvent[]): Promise<View> {
    const { units, now } = this.#parts
    // If one event supersedes the rest, send it as a single message.
    const [first, ...others] = withoutSuperseded(events)
    if (first === undefined || others.length > 0) return combinedView(events, { units, now: now() })
    const picture = await this.#picture(first).catch((error: unknown) => {
      this.#parts.log.error({ err: error, news: first.id }, 'an alert goes without its picture')
      return undefined
    })
    const { body, chain } = first
    return eventView({ body, chain, units, now: now(), ...(picture && { picture }) })
  }

  async #picture({ body, chain, asset }: ReadableEvent): Promise<Picture | undefined> {
    const { cards, assets, units, now } = this.#parts
    if (!cards || !body.asset) return undefined
    const watched = await assets.find(chain, asset)
    const facts = cardFacts({
      asset: body.asset,
      chain: chainById(chain),
      units,
      now: now(),
      history: watched?.history ?? [],
      ...(watched && { phase: watched.phase }),
    })
    return cards.soon(facts, pictureTimeoutMs)
  }
}
