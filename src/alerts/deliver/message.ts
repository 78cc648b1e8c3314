import { LRUCache } from 'lru-cache'
import type { View } from '../../chat/view.ts'
import type { Claim } from '../../queue/outbox.ts'
import type { DeliveryParts } from './delivery.ts'
import type { TellableNews } from './news-views.ts'

/** A message that is ready to be sent. */
export interface Message {
  claim: Claim
  news: readonly TellableNews[]
  view: View
}

/** What can't be told can't be told to thousands: the log says so once for each piece. */
const keptComplaints = 500

/** Makes the messages of claims, and drops what can't be told, so that it keeps nothing else waiting. */
export class Messages {
  readonly #parts: Pick<DeliveryParts, 'views' | 'outbox' | 'log' | 'now'>
  readonly #complaints = new LRUCache<number, true>({ max: keptComplaints })

  constructor(parts: Pick<DeliveryParts, 'views' | 'outbox' | 'log' | 'now'>) {
    this.#parts = parts
  }

  /** What is to be sent for a claim now; undefined where none of its news is of use any more. */
  async of(claim: Claim): Promise<Message | undefined> {
    const { views, log } = this.#parts
    const read = await views.read(claim.news)
    const seconds = this.#seconds()
    const current = read.filter(({ usefulUntil }) => usefulUntil > seconds)
    // What may be there already is sent as that very message or not at all: with less in it, it would be there twice.
    const timely = claim.uncertain && current.length > 0 ? read : current
    const late = missing(claim.news, timely)
    if (late.length > 0) {
      await this.#drop(claim, late, 'too late to be of use')
      log.info({ news: late, destination: claim.destination.id }, 'an alert was dropped')
    }
    const news = timely.filter(isTellable)
    const unreadable = missing(
      timely.map(({ id }) => id),
      news,
    )
    await this.#dropBroken(claim, unreadable, new Error('this version can’t read it'))
    return this.#ofSome(claim, news)
  }

  /** A digest is long: it is a message of its own, after the others. */
  async #ofSome(claim: Claim, news: readonly TellableNews[]): Promise<Message | undefined> {
    const short = news.filter(({ body }) => body.kind !== 'digest')
    const first = short.length > 0 ? short : news.slice(0, 1)
    if (first.length === 0) return undefined
    await this.#putOff(claim, without(news, first))
    try {
      return { claim, news: first, view: await this.#parts.views.of(first) }
    } catch (error) {
      return this.#withoutBroken(claim, first, error)
    }
  }

  /** One that can't be written must not keep those waiting that were to go with it. */
  async #withoutBroken(
    claim: Claim,
    news: readonly TellableNews[],
    error: unknown,
  ): Promise<Message | undefined> {
    const [first, ...others] = news
    if (first === undefined) return undefined
    if (others.length === 0) {
      await this.#dropBroken(claim, [first.id], error)
      return undefined
    }
    const whole = news.filter((each) => this.#parts.views.canTell(each))
    await this.#dropBroken(claim, missing(ids(news), whole), error)
    // Each can be told, and all of them not: then one at a time.
    return this.#ofSome(claim, whole.length < news.length ? whole : await this.#alone(claim, whole))
  }

  async #alone(claim: Claim, [first, ...others]: readonly TellableNews[]): Promise<TellableNews[]> {
    await this.#putOff(claim, others)
    return first ? [first] : []
  }

  async #putOff(claim: Claim, news: readonly TellableNews[]): Promise<void> {
    if (news.length === 0) return
    const later = {
      kind: 'later',
      runAt: this.#seconds(),
      reason: 'in a message of its own',
    } as const
    await this.#parts.outbox.settle(claim, ids(news), later, 0)
  }

  async #dropBroken(claim: Claim, broken: readonly number[], error: unknown): Promise<void> {
    if (broken.length === 0) return
    const reason = error instanceof Error ? error.message : String(error)
    await this.#drop(claim, broken, `it can’t be told: ${reason}`)
    for (const id of broken.filter((each) => !this.#complaints.has(each))) {
      this.#complaints.set(id, true)
      this.#parts.log.error({ err: error, news: id }, 'an alert can’t be told: it is dropped')
    }
  }

  #drop(claim: Claim, news: readonly number[], reason: string): Promise<void> {
    return this.#parts.outbox.settle(claim, news, { kind: 'dropped', reason }, 0)
  }

  #seconds(): number {
    return Math.floor(this.#parts.now() / 1000)
  }
}

function isTellable<News extends { body: unknown }>(news: News): news is News & TellableNews {
  return news.body !== undefined
}

function ids(news: readonly { id: number }[]): number[] {
  return news.map(({ id }) => id)
}

function missing(wanted: readonly number[], there: readonly { id: number }[]): number[] {
  const found = new Set(ids(there))
  return wanted.filter((id) => !found.has(id))
}

function without(news: readonly TellableNews[], some: readonly TellableNews[]): TellableNews[] {
  return news.filter((each) => !some.includes(each))
}
