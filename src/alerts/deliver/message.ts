import { LRUCache } from 'lru-cache'
import type { View } from '../../chat/view.ts'
import type { Logger } from '../../log.ts'
import type { Claim, Outbox } from '../../queue/outbox.ts'
import type { StoredNews } from './matching.ts'
import type { NewsViews, TellableNews } from './news-views.ts'

/** A message that is ready to be sent. */
export interface Message {
  claim: Claim
  news: readonly TellableNews[]
  view: View
}

export interface MessagesParts {
  views: Pick<NewsViews, 'read' | 'of' | 'canTell'>
  outbox: Outbox
  log: Logger
  /** Unix milliseconds. */
  now: () => number
}

/** What can't be told can't be told to thousands: the log says so once for each piece. */
const keptComplaints = 500
/** Seconds until it is looked at again whether what this version can't read can be told: by then a newer one may tell. */
const unreadablePause = 60

/** Makes the messages of claims, and puts aside what can't be told, so that it keeps nothing else waiting. */
export class Messages {
  readonly #parts: MessagesParts
  readonly #complaints = new LRUCache<number, true>({ max: keptComplaints })

  constructor(parts: MessagesParts) {
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
    const news = await this.#readable(claim, timely)
    // A digest is long: it is a message of its own, after the others.
    const short = news.filter(({ body }) => body.kind !== 'digest')
    return this.#ofSome(claim, news, short.length > 0 ? short : news.slice(0, 1))
  }

  /**
   * Leaves to a newer version what this one can't read, while two of them run side by side: the newer one watches, and
   * this one tells. What may be there already stays together.
   */
  async #readable(claim: Claim, news: readonly StoredNews[]): Promise<readonly TellableNews[]> {
    const readable = news.filter(isTellable)
    const unread = missing(ids(news), readable)
    if (unread.length === 0) return readable
    const isSplit = !claim.uncertain
    const reason = 'this version can’t read it'
    const runAt = this.#seconds() + unreadablePause
    const later = { kind: 'later', runAt, reason, untried: true } as const
    await this.#parts.outbox.settle(claim, isSplit ? unread : ids(news), later, 0)
    this.#complain(unread, 'an alert waits for a version that can read it', new Error(reason))
    return isSplit ? readable : []
  }

  /** A message of some of the news; the others go later. */
  async #ofSome(
    claim: Claim,
    news: readonly TellableNews[],
    some: readonly TellableNews[],
  ): Promise<Message | undefined> {
    if (some.length === 0) return undefined
    await this.#putOff(claim, missing(ids(news), some))
    try {
      return { claim, news: some, view: await this.#parts.views.of(some) }
    } catch (error) {
      return this.#withoutBroken(claim, some, error)
    }
  }

  /** One that can't be written must not keep those waiting that were to go with it. */
  async #withoutBroken(
    claim: Claim,
    news: readonly TellableNews[],
    error: unknown,
  ): Promise<Message | undefined> {
    const whole = news.length > 1 ? news.filter((each) => this.#parts.views.canTell(each)) : []
    await this.#dropBroken(claim, missing(ids(news), whole), error)
    // Each can be told, and all of them not: then one at a time.
    const isWhole = whole.length === news.length
    return this.#ofSome(claim, whole, isWhole ? whole.slice(0, 1) : whole)
  }

  async #putOff(claim: Claim, news: readonly number[]): Promise<void> {
    if (news.length === 0) return
    const reason = 'in a message of its own'
    const later = { kind: 'later', runAt: this.#seconds(), reason } as const
    await this.#parts.outbox.settle(claim, news, later, 0)
  }

  async #dropBroken(claim: Claim, broken: readonly number[], error: unknown): Promise<void> {
    if (broken.length === 0) return
    const reason = error instanceof Error ? error.message : String(error)
    await this.#drop(claim, broken, `it can’t be told: ${reason}`)
    this.#complain(broken, 'an alert can’t be told: it is dropped', error)
  }

  #complain(news: readonly number[], text: string, error: unknown): void {
    for (const id of news.filter((each) => !this.#complaints.has(each))) {
      this.#complaints.set(id, true)
      this.#parts.log.error({ err: error, news: id }, text)
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
