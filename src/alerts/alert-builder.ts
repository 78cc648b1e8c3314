import { LRUCache } from 'lru-cache'
import type { Adapter } from '../core/adapter.ts'
import { withTimeout } from '../core/task.ts'
import type { View } from '../core/view.ts'
import { messageOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Chat } from './chats.ts'
import type { StoredEvent } from './events.ts'
import {
  type Claim,
  deliveryIds,
  type Outbox,
  ownMessage,
  quietHours,
  unreadable,
} from './outbox.ts'
import {
  isCombinable,
  isTimed,
  type NotificationViews,
  type ReadableEvent,
} from './views/notification.ts'

/** Events to remember for logging: an event that can't be sent fails in thousands of chats and is logged once. */
const maxLoggedEvents = 500
/** Messages of one event that are logged, unless the log's level is debug. */
const maxLines = 20

/** A message that is ready to be sent. */
export interface ReadyAlert {
  claim: Claim
  events: readonly ReadableEvent[]
  view: View
}

export interface AlertBuilderParts {
  platform: Pick<Adapter, 'localeOf'>
  views: Pick<NotificationViews, 'read' | 'of' | 'canRender'>
  outbox: Outbox
  /** Whether the API calls an asset a fake; without it none is. Never rejects. */
  isFake?: ((asset: string, chain: number) => Promise<boolean>) | undefined
  /** Unix seconds until which alerts for a chat wait; undefined if they don't. Without it they never do. */
  quietUntil?: ((chat: Chat) => number | undefined) | undefined
  log: Logger
  /** Unix milliseconds. */
  now: () => number
}

/** Seconds until an event that this version can't parse is claimed again: by then a newer version may send it. */
const unreadableRecheckSeconds = 60

/** Why a delivery was dropped: as stored. */
const tooLate = 'too late to be of use'

/** Why a delivery about a fake was dropped: as stored. */
const fake = 'the API calls it a fake'

/** The kinds that tell of new auctions. A fake is none. */
const newAuctionKinds = ['live', 'incoming']
/** Milliseconds that an alert waits for the API's word on that. */
const fakeTimeoutMs = 1_000

/** Seconds that a message may take to arrive: an alert that is of no use any more then is not sent. */
const arrivalSeconds = 10

/**
 * Builds the messages of claims. Events that can't be sent now are recorded as such, so that they don't block others.
 */
export class AlertBuilder {
  readonly #parts: AlertBuilderParts
  readonly #logged = new LRUCache<number, true>({ max: maxLoggedEvents })
  readonly #lines = new EventLines()

  constructor(parts: AlertBuilderParts) {
    this.#parts = parts
  }

  /** Builds the next message of a claim; undefined if none of its events is useful any more. */
  async next(claim: Claim): Promise<ReadyAlert | undefined> {
    const { views, log } = this.#parts
    const read = await views.read(claim.events)
    const seconds = this.#seconds()
    const current = read.filter(({ usefulUntil }) => usefulUntil > seconds + arrivalSeconds)
    // An uncertain message is resent unchanged or not at all: with fewer events it would be a second message.
    const useful = claim.uncertain && current.length > 0 ? read : current
    const late = missing(claim.events, useful)
    if (late.length > 0) {
      await this.#drop(claim, late, tooLate)
      const reason = tooLate
      const deliveries = deliveryIds(late, claim.chat)
      log[this.#lines.level(late)]({ deliveries, reason }, 'an alert was dropped')
    }
    const loud = await this.#outsideQuietHours(claim, useful)
    const real = await this.#withoutFakes(claim, loud)
    const events = await this.#readable(claim, real)
    // Long ones go in messages of their own, after the others.
    const short = events.filter(isCombinable)
    return this.#alertOf(claim, events, short.length > 0 ? short : events.slice(0, 1))
  }

  /**
   * Defers events to the end of the chat's quiet hours, where they go out together. Alerts with an hour of their own don't
   * wait, nor does a message that may have arrived.
   */
  async #outsideQuietHours(
    claim: Claim,
    events: readonly StoredEvent[],
  ): Promise<readonly StoredEvent[]> {
    const until = claim.uncertain ? undefined : this.#parts.quietUntil?.(claim.chat)
    if (until === undefined) return events
    const loud = events.filter(({ body }) => body && isTimed(body))
    const quiet = missing(ids(events), loud)
    if (quiet.length > 0) {
      await this.#defer(claim, quiet, until, quietHours)
      const deliveries = deliveryIds(quiet, claim.chat)
      this.#parts.log.debug({ deliveries }, 'an alert waits for the end of quiet hours')
    }
    return loud
  }

  /** Drops events that announce a fake as a new auction, except from a message that may have arrived. */
  async #withoutFakes(
    claim: Claim,
    events: readonly StoredEvent[],
  ): Promise<readonly StoredEvent[]> {
    const { isFake, log } = this.#parts
    if (!isFake || claim.uncertain) return events
    const found = await Promise.all(
      events.map(async ({ body, asset, chain }) => {
        if (!body || !newAuctionKinds.includes(body.kind)) return false
        return (await withTimeout(isFake(asset, chain), fakeTimeoutMs)) ?? false
      }),
    )
    const real = events.filter((_, index) => !found[index])
    const fakes = missing(ids(events), real)
    if (fakes.length > 0) {
      await this.#drop(claim, fakes, fake)
      const deliveries = deliveryIds(fakes, claim.chat)
      log[this.#lines.level(fakes)]({ deliveries, reason: fake }, 'an alert was dropped')
    }
    return real
  }

  /**
   * Defers events that this version can't parse: during a rolling update a newer version detects while this one sends.
   * The events of an uncertain message stay together.
   */
  async #readable(claim: Claim, events: readonly StoredEvent[]): Promise<readonly ReadableEvent[]> {
    const readable = events.filter(isReadable)
    const others = missing(ids(events), readable)
    if (others.length === 0) return readable
    const maySplit = !claim.uncertain
    const runAt = this.#seconds() + unreadableRecheckSeconds
    await this.#defer(claim, maySplit ? others : ids(events), runAt, unreadable)
    this.#logOnce(others, 'an alert waits for a version that can read it', new Error(unreadable))
    return maySplit ? readable : []
  }

  /** Builds a message of some of the claim's events, and defers the others. */
  async #alertOf(
    claim: Claim,
    events: readonly ReadableEvent[],
    some: readonly ReadableEvent[],
  ): Promise<ReadyAlert | undefined> {
    if (some.length === 0) return undefined
    const { views, platform } = this.#parts
    await this.#defer(claim, missing(ids(events), some), this.#seconds(), ownMessage)
    try {
      return { claim, events: some, view: await views.of(some, platform.localeOf(claim.chat)) }
    } catch (error) {
      return this.#withoutBroken(claim, some, error)
    }
  }

  /** Drops the events that can't be rendered, and builds a message of the others. */
  async #withoutBroken(
    claim: Claim,
    events: readonly ReadableEvent[],
    error: unknown,
  ): Promise<ReadyAlert | undefined> {
    const renderable =
      events.length > 1 ? events.filter((each) => this.#parts.views.canRender(each)) : []
    await this.#dropBroken(claim, missing(ids(events), renderable), error)
    // If each can be rendered but not all together, send one at a time.
    const isAllRenderable = renderable.length === events.length
    return this.#alertOf(claim, renderable, isAllRenderable ? renderable.slice(0, 1) : renderable)
  }

  async #dropBroken(claim: Claim, broken: readonly number[], error: unknown): Promise<void> {
    if (broken.length === 0) return
    const reason = messageOf(error)
    await this.#drop(claim, broken, `it can’t be rendered: ${reason}`)
    this.#logOnce(broken, 'an alert can’t be rendered: it is dropped', error)
  }

  #logOnce(events: readonly number[], text: string, error: unknown): void {
    for (const id of events.filter((each) => !this.#logged.has(each))) {
      this.#logged.set(id, true)
      this.#parts.log.error({ err: error, event: id }, text)
    }
  }

  // Neither of these sent anything, so the chat needs no pause (0) before its next message.

  /** Has events of a claim wait until `runAt` (unix seconds). */
  #defer(claim: Claim, events: readonly number[], runAt: number, reason: string): Promise<void> {
    const retry = { kind: 'retry', runAt, reason, untried: true } as const
    return this.#parts.outbox.record(claim, events, retry, 0)
  }

  #drop(claim: Claim, events: readonly number[], reason: string): Promise<void> {
    return this.#parts.outbox.record(claim, events, { kind: 'dropped', reason }, 0)
  }

  #seconds(): number {
    return Math.floor(this.#parts.now() / 1000)
  }
}

function isReadable(event: StoredEvent): event is ReadableEvent {
  return event.body !== undefined
}

function ids(events: readonly { id: number }[]): number[] {
  return events.map(({ id }) => id)
}

function missing(all: readonly number[], present: readonly { id: number }[]): number[] {
  const presentIds = new Set(ids(present))
  return all.filter((id) => !presentIds.has(id))
}

/** Counts the lines of events in the log, so that an event for many chats doesn't fill it. */
export class EventLines {
  readonly #counts = new LRUCache<number, number>({ max: maxLoggedEvents })

  /** The level of one more line about a message with these events. */
  level(events: readonly number[]): 'info' | 'debug' {
    const counts = events.map((event) => (this.#counts.get(event) ?? 0) + 1)
    for (const [index, event] of events.entries()) this.#counts.set(event, counts[index] ?? 0)
    return counts.some((count) => count <= maxLines) ? 'info' : 'debug'
  }
}
