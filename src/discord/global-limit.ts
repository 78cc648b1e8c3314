import { setTimeout as sleep } from 'node:timers/promises'
import { type Bulletin, nobodyElse } from '../chat/bulletin.ts'
import { boundedHold } from '../chat/said-wait.ts'

/** Discord counts the bot's requests second by second: https://docs.discord.com/developers/topics/rate-limits */
const perSecond = 50
/** Its clock and ours need not run alike. */
const second = 1_002
/** Room that was given and not used by then is free again. */
const roomLasts = 250
/** A request without an answer keeps its place no longer than this. */
const longestKept = 3_000
const spacing = second / perSecond
/** How much of what was missed is made up for at once. */
const catchUp = 4 * spacing
/** More than this is no distance but a slow answer. */
const longestTrip = 500
const tripsCountFor = 60_000

interface Place {
  until: number
  begun: boolean
}

/**
 * What Discord permits the bot in all: 50 requests in any second. When within its way a request was counted is not
 * known, so a place is free again only when a second has passed since its answer (less the way there and back): then
 * no second of Discord's own clock holds more than 50, however unevenly requests arrive. A token bucket that never
 * exceeds the limit would have to stay well below it. Requests of other replicas count as they are told of.
 */
export class GlobalLimit {
  readonly #now: () => number
  readonly #bulletin: Bulletin
  #places: Place[] = []
  #heldUntil = 0
  #line: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #nextRoom = 0
  /** At first nothing is taken for the way: the very first requests also open connections. */
  #trips = { since: Number.NEGATIVE_INFINITY, quickest: 0, before: 0 }

  /** @param now milliseconds on a clock that never jumps */
  constructor(now: () => number, bulletin: Bulletin = nobodyElse) {
    this.#now = now
    this.#bulletin = bulletin
    bulletin.hear('discord', (requests) => {
      const until = this.#now() + second
      for (const _ of requests) this.#places.push({ until, begun: true })
    })
  }

  /**
   * Milliseconds until a request that nobody waits for may begin; 0 keeps its place for it. Evenly spaced, so that what
   * people wait for finds a place within one space.
   */
  room(): number {
    const now = this.#now()
    const wait = Math.max(this.#wait(now), this.#nextRoom - now, this.#waiting > 0 ? spacing : 0)
    if (wait > 0) return Math.ceil(wait)
    this.#nextRoom = Math.max(this.#nextRoom, now - catchUp) + spacing
    this.#places.push({ until: now + roomLasts, begun: false })
    return 0
  }

  /**
   * Waits until a request may begin: at once where there is room kept, else in turn and before all that asks for room.
   * What it resolves to is to be called once the request is over. @throws where the signal ends the wait
   */
  async begin(signal?: AbortSignal | null): Promise<() => void> {
    const place = this.#kept() ?? (await this.#inTurn(signal))
    const since = this.#now()
    place.begun = true
    place.until = since + longestKept
    this.#bulletin.tell('discord')
    return () => {
      const now = this.#now()
      place.until = now + second - this.#quickest(now, now - since)
    }
  }

  /** Lets nothing begin for this many milliseconds: Discord said so. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#now() + boundedHold(ms))
  }

  #kept(): Place | undefined {
    return this.#places.find(({ begun }) => !begun)
  }

  #inTurn(signal: AbortSignal | null | undefined): Promise<Place> {
    this.#waiting += 1
    const turn = this.#line.then(() => this.#next(signal))
    this.#line = turn
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1
      })
    return turn
  }

  async #next(signal: AbortSignal | null | undefined): Promise<Place> {
    signal?.throwIfAborted()
    for (;;) {
      const wait = this.#wait(this.#now())
      if (wait <= 0) break
      await sleep(Math.ceil(wait), undefined, signal ? { signal } : {})
    }
    const place = { until: Number.POSITIVE_INFINITY, begun: true }
    this.#places.push(place)
    return place
  }

  #wait(now: number): number {
    this.#places = this.#places.filter(({ until }) => until > now)
    const held = this.#heldUntil - now
    if (this.#places.length < perSecond) return held
    const earliest = Math.min(...this.#places.map(({ until }) => until - now))
    // An answer that comes in the meantime frees its place no sooner than this.
    return Math.max(held, Math.min(earliest, second - longestTrip))
  }

  /** The least way there and back of the last minutes. */
  #quickest(now: number, trip: number): number {
    const { since, quickest, before } = this.#trips
    const lasts = now - since < tripsCountFor
    this.#trips = lasts
      ? { since, quickest: Math.min(quickest, trip), before }
      : { since: now, quickest: Math.min(trip, longestTrip), before: quickest }
    return Math.min(this.#trips.quickest, this.#trips.before)
  }
}
