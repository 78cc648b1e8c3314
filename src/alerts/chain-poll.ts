import Big from 'big.js'
import type { Api, Listing } from '../api/client.ts'
import { figuresOf } from '../api/figures.ts'
import { isTooLong, type KeyBudget, defaultMaxBytes as maxBytesOfOne } from '../api/http.ts'
import { type ListStatus, listStatuses, maxLimit, type Ordering } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { sleep } from '../core/task.ts'
import { ApiError } from '../errors.ts'
import type { AssetState, FoundAsset, Observation, TrimmedAsset } from './asset.ts'
import { hour, type Minimum, reachedBy } from './kinds/kind.ts'
import { type Kind, kindIds, kinds } from './kinds/list.ts'
import { type KnownAsset, listStart, type PollMemory } from './poll-memory.ts'
import type { Rule } from './rule.ts'
import type { StoredAsset, WatchedAssets } from './snapshot.ts'

/** The result of polling a chain once. */
export interface ChainPoll {
  /** By lower-case address. */
  observations: ReadonlyMap<string, Observation>
  /** The stored state of the observed assets; those never seen are absent. */
  stored: ReadonlyMap<string, StoredAsset>
  memory: PollMemory
  /** Why the poll ended early; undefined if it did not. */
  failure: ApiError | undefined
  /** Why a list or an asset could not be read, while others could; undefined if all could. */
  partFailure: ApiError | undefined
}

interface PollParts {
  api: Pick<Api, 'assets' | 'asset'>
  budget?: Pick<KeyBudget, 'takeTurn'> | undefined
  assets: Pick<WatchedAssets, 'read' | 'trimmed' | 'followed'>
  units: Units
  /** Unix seconds. */
  now: () => number
  chain: number
  /** Unix seconds of the first poll after which all lists had been read; undefined before it. */
  begunAt: number | undefined
  memory: PollMemory
  /** The rules in use: they decide what is looked at more often. */
  rules: readonly Rule[]
  /** Seconds between two polls; the default of its setting if undefined. */
  interval?: number | undefined
  /** Ends the poll before its next request. */
  signal: AbortSignal
  /** Maximum bytes of all lists together; 128 MiB by default. */
  maxBytes?: number | undefined
  /**
   * Requests of a poll at the default interval; of a longer one as many as would be made meanwhile. 25 by default. Where all
   * is read to the end there are 20 more, for single assets.
   */
  maxRequests?: number | undefined
  /** Incoming and live assets on no more pages than this are read to the end in each poll; 20 by default. */
  maxWhole?: number | undefined
}

/** A page to read; without an ordering the newest assets come first. */
interface Page {
  status: ListStatus
  offset: number
  ordering?: Ordering | undefined
}

/** A page that was read. */
interface ReadPage {
  /** In lower case. */
  addresses: readonly string[]
  items: readonly TrimmedAsset[]
  /** Items in the answer, usable or not. */
  received: number
  /** Returns the addresses that are stored in any list's phase. */
  known: ReadonlySet<string>
  /** Whether it has an asset that is not stored in this phase. */
  isNew: boolean
}

/** The progress of reading a list in this poll. */
interface ListReading {
  /** The offset of the next page. */
  at: number
  isEnd: boolean
  /** Whether nothing was left out from the first page on. */
  isWhole: boolean
  /** The addresses on the pages that were read, with their offsets. */
  found: Map<string, number>
  /** Number of assets that no poll had found before. */
  added: number
}

/** Seconds, as `config.ts` has them. */
const defaultInterval = 15
/** Seconds in which the window passes a whole list, if the requests suffice. */
const roundSeconds = 1800
/** Requests that are kept for the first pages of the lists that come after this one, and for one more of graduated assets. */
const keptFor: Readonly<Record<ListStatus, number>> = { incoming: 3, live: 2, graduated: 0 }
/**
 * Assets that are fetched by their address in a poll that reads all others to the end, whatever its pages left: with 25
 * pages it makes 45 requests.
 */
const maxFetched = 20
/** Nearly twice the size of 400 pages, at the usual 3 kB per asset. */
const defaultMaxBytes = 128 * 2 ** 20
/** Places that a page has at least before and after the assets that it is read for: they may have moved in their list. */
const margin = 2
/** Pages of each list in the order of a figure: per poll, and at most until it starts again. */
const orderedPages = { perPoll: 2, byCap: 40, byVolume: 4 }
/** Seconds until an order is tried again for which the API failed. */
const failurePause = 120
/** The orders by which assets are found that have reached a minimum. */
const orderings: readonly (readonly [Minimum, Ordering])[] = [
  ['mcap', 'market_cap_desc'],
  ['raised', 'volume_usd_desc'],
]

/**
 * Polls a chain once. From each list the newest assets are read until nothing is new, and then a window of pages that
 * passes the rest in turn: of few assets it covers all in each poll, of many it takes half an hour. Then come those that
 * are waited for: assets that somebody follows, those whose time has come, and those that their list lacks. They are read
 * by the page where they were last, if others are on it, or by their address. No asset is skipped for longer than a
 * round, however pages shift or are ordered.
 *
 * The order of the lists is that of an auction's life, so that an asset that moves on meanwhile is seen twice rather than
 * missed. The number of requests is limited, and does not depend on how many chats subscribe.
 * @throws what is no ApiError; an ApiError ends the poll early
 */
export async function pollChain(parts: PollParts): Promise<ChainPoll> {
  const poll = new Poll(parts)
  try {
    await poll.run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    poll.failed(error)
  }
  return poll.result()
}

class Poll {
  readonly #parts: PollParts
  readonly #observations = new Map<string, Observation>()
  readonly #stored = new Map<string, StoredAsset>()
  /** Lists that were read from the first to the last page. */
  readonly #complete = new Set<ListStatus>()
  /** The first page of each list. */
  readonly #tops = new Map<ListStatus, ReadPage>()
  readonly #now: number
  /** Seconds since the last poll. */
  readonly #elapsed: number
  readonly #isWhole: boolean
  /** Assets that somebody follows, by lower-case address. */
  #followed: readonly string[] = []
  /** Whether an asset's time has come, by each kind that has one. */
  readonly #dueKinds: readonly ((state: Pick<AssetState, 'ending'>) => boolean)[]
  /** Requests that are left. */
  #left: number
  #failure: ApiError | undefined
  #partFailure: ApiError | undefined
  /** Bytes of lists read so far. */
  #bytes = 0

  constructor(parts: PollParts) {
    this.#parts = parts
    const { memory, interval = defaultInterval, maxRequests = 25, maxWhole = 20 } = parts
    this.#now = parts.now()
    const elapsed = this.#now - (memory.polledAt ?? this.#now - interval)
    this.#elapsed = Math.min(Math.max(1, elapsed), roundSeconds)
    this.#isWhole = memory.pages('incoming') + memory.pages('live') <= maxWhole
    this.#left = Math.max(maxRequests, Math.round((maxRequests * interval) / defaultInterval))
    this.#dueKinds = kindIds.flatMap((id) => dueByRules(id, parts.rules, this.#now))
    memory.begin(this.#now)
  }

  result(): ChainPoll {
    const { memory } = this.#parts
    return {
      observations: this.#observations,
      stored: this.#stored,
      memory,
      failure: this.#failure,
      partFailure: this.#partFailure,
    }
  }

  failed(error: ApiError): void {
    this.#failure = error
  }

  async run(): Promise<void> {
    this.#followed = await this.#findFollowed()
    await this.#readLists()
    try {
      await this.#readOrdered()
      if (this.#isWhole) this.#left = maxFetched
      await this.#readWanted()
    } catch (error) {
      if (!this.#isPartial(error)) throw error
      this.#partFailure ??= error
    }
  }

  /** Whether an error concerns a part only, after lists could be read: not the key, the limits or the end of the poll. */
  #isPartial(error: unknown): error is ApiError {
    const { signal, maxBytes = defaultMaxBytes } = this.#parts
    if (!(error instanceof ApiError) || signal.aborted || this.#bytes > maxBytes) return false
    return !['unauthorised', 'forbidden', 'blocked', 'rate-limited'].includes(error.kind)
  }

  /**
   * Reads all lists. Those that failed in the last poll come last: after an outage the API is asked with a single request, and
   * if that one fails no other is made.
   * @throws ApiError if the API can't be asked, or fails for each list
   */
  async #readLists(): Promise<void> {
    const { failedLists } = this.#parts.memory
    const last = new Set(failedLists)
    failedLists.clear()
    const others = listStatuses.filter((status) => !last.has(status))
    for (const status of [...others, ...last]) {
      await this.#tryList(status, () => this.#readList(status))
    }
    if (failedLists.size === listStatuses.length) throw this.#partFailure
  }

  /** Goes on if a list fails, as others may not. */
  async #tryList(status: ListStatus, read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      this.#parts.memory.failedLists.add(status)
      if (!this.#isPartial(error)) throw error
      // Nothing may be there to ask, unless it answered this request or another one.
      if (!concernsOneRequest(error) && this.#tops.size === 0) throw error
      this.#partFailure ??= error
    }
  }

  /** Reads what is new in a list, and the pages below it whose turn it is. */
  async #readList(status: ListStatus): Promise<void> {
    const { memory, begunAt } = this.#parts
    const position = memory.position.lists[status]
    const list: ListReading = { at: 0, isEnd: false, isWhole: true, found: new Map(), added: 0 }
    // At first all is new: then each poll goes on where the last one ended.
    const goesOn = begunAt === undefined && position.next > 0
    try {
      const isNewOnTop = goesOn ? false : await this.#readTop(status, list)
      if (!isNewOnTop && !list.isEnd) await this.#readBelow(status, list)
      if (list.isEnd) this.#ended(status, list)
    } finally {
      memory.found(status, list)
    }
  }

  /** Reads the newest assets of a list; returns whether there may be more new ones below. */
  async #readTop(status: ListStatus, list: ListReading): Promise<boolean> {
    const { memory, begunAt } = this.#parts
    const position = memory.position.lists[status]
    const before = { ...position }
    const isUnreadBelow = before.unread && before.next > 0
    const isFirst = begunAt === undefined && before.unread
    const isAll = isFirst || (this.#isWhole && status !== 'graduated')
    while (this.#left > keptFor[status]) {
      const { isNew } = await this.#readNext(status, list)
      if (list.isEnd || !(isNew || isAll)) {
        Object.assign(position, before)
        return false
      }
      // The next poll goes on here, also if the next page can't be read now.
      if (!isUnreadBelow) Object.assign(position, { next: list.at, unread: true })
    }
    return true
  }

  /** Reads the pages below the newest whose turn it is, and first of all those that were never read. */
  async #readBelow(status: ListStatus, list: ListReading): Promise<void> {
    const { memory, begunAt } = this.#parts
    const position = memory.position.lists[status]
    list.isWhole = position.next <= list.at && list.at > 0
    list.at = Math.max(list.at, position.next)
    const pages = this.#share(status)
    for (let read = 0; read < pages && !list.isEnd; read += 1) {
      // A page that can't be read must not block those below it. At first it is read again: nothing may be missed then.
      if (begunAt !== undefined) position.next = list.at + maxLimit
      const { isNew, bounds } = await this.#readNext(status, list, position.bounds)
      Object.assign(position, { next: list.at, bounds })
      if (!position.unread || isNew || begunAt === undefined) continue
      position.unread = false
      return
    }
  }

  /** The end of a list was read: the next round begins. */
  #ended(status: ListStatus, { at, isWhole }: ListReading): void {
    const { memory } = this.#parts
    if (isWhole) this.#complete.add(status)
    else memory.roundEnded(status)
    memory.ended(status, at)
    Object.assign(memory.position.lists[status], listStart)
  }

  /** Pages to read below the newest: of what was never read as many as there may be, else those whose turn it is. */
  #share(status: ListStatus): number {
    const { memory, begunAt, rules } = this.#parts
    const { unread } = memory.position.lists[status]
    const room = this.#left - keptFor[status]
    // At first a list that was read to its end leaves the requests to the others.
    if (begunAt === undefined) return unread ? room : 0
    // The other half is for assets that are waited for.
    const share = Math.max(Math.floor(room / 2), room - this.#followed.length)
    if (unread || (status === 'live' && rules.some(isAboutMany))) return share
    return Math.min(share, Math.ceil((memory.pages(status) * this.#elapsed) / roundSeconds))
  }

  /** Reads the next page of a list. Past the end some APIs repeat their last page; one that ignores the offset repeats the first. */
  async #readNext(
    status: ListStatus,
    list: ListReading,
    boundsBefore = '',
  ): Promise<ReadPage & { bounds: string }> {
    const { at, found } = list
    const page = await this.#page({ status, offset: at })
    const { addresses, received, known } = page
    const bounds = boundsOf(addresses)
    if (at === 0) this.#tops.set(status, page)
    list.isEnd =
      received < maxLimit || addresses.every((each) => found.has(each)) || bounds === boundsBefore
    list.at = at + received
    if (this.#parts.begunAt !== undefined) {
      list.added += addresses.filter((each) => !known.has(each) && !found.has(each)).length
    }
    for (const [index, address] of addresses.entries()) found.set(address, at + index)
    return { ...page, bounds }
  }

  async #page({ status, offset, ordering }: Page): Promise<ReadPage> {
    const { memory, assets } = this.#parts
    const { items, receivedCount: received } = await this.#read(
      { status, offset, ordering },
      maxLimit,
    )
    const trimmed = items.map((asset) => assets.trimmed(asset))
    const addresses = trimmed.map((asset) => asset.asset_address.toLowerCase())
    await this.#readStored(addresses)
    const known = new Set(addresses.filter((each) => memory.get(each)?.phase !== undefined))
    for (const asset of trimmed) this.#observe({ source: status, asset })
    const isNew = addresses.some((each) => this.#stored.get(each)?.state?.phase !== status)
    return { items: trimmed, addresses, received, known, isNew }
  }

  async #readStored(addresses: readonly string[]): Promise<void> {
    const { assets, chain } = this.#parts
    const missing = addresses.filter((address) => !this.#stored.has(address))
    for (const [address, stored] of await assets.read(chain, missing))
      this.#stored.set(address, stored)
  }

  /** Splits a page in halves if it is too long for one answer: large texts in a few assets must not hide the others. */
  async #read(page: Page, limit: number): Promise<Pick<Listing, 'items' | 'receivedCount'>> {
    const { api, chain } = this.#parts
    await this.#turn()
    try {
      const { value, stale } = await api.assets({ chain, ...page, limit })
      rejectUncertain(value, stale)
      this.#count(value.bytes)
      return value
    } catch (error) {
      if (!isTooLong(error) || limit === 1) throw error
      this.#count(maxBytesOfOne)
    }
    const half = Math.ceil(limit / 2)
    const first = await this.#read(page, half)
    if (first.receivedCount < half) return first
    const second = await this.#read({ ...page, offset: page.offset + half }, limit - half)
    return {
      items: [...first.items, ...second.items],
      receivedCount: first.receivedCount + second.receivedCount,
    }
  }

  /**
   * Reads the assets with the largest figures, in turn, while somebody is told only once an asset has reached a minimum:
   * the window alone would find that late. An order that the API ignores or refuses is tried again after an hour, and one
   * that failed after two minutes.
   */
  async #readOrdered(): Promise<void> {
    for (const status of listStatuses) {
      if (this.#complete.has(status)) continue
      for (const [minimum, ordering] of orderings) await this.#tryOrder(status, minimum, ordering)
    }
  }

  async #tryOrder(status: ListStatus, minimum: Minimum, ordering: Ordering): Promise<void> {
    const least = leastOf(this.#parts.rules, status, minimum)
    if (least === undefined) return
    try {
      await this.#readOrder(status, ordering, least)
    } catch (error) {
      if (!(error instanceof ApiError && concernsOneAsset(error))) throw error
      this.#pauseOrder(status, ordering, error.kind === 'invalid' ? hour : failurePause)
    }
  }

  async #readOrder(status: ListStatus, ordering: Ordering, least: string): Promise<void> {
    const { memory, units } = this.#parts
    const turn = memory.ordered(`${status} ${ordering}`)
    if (this.#now < turn.pausedUntil) return
    const isByCap = ordering === 'market_cap_desc'
    const end = maxLimit * (isByCap ? orderedPages.byCap : orderedPages.byVolume)
    for (let pages = 0; pages < orderedPages.perPoll && this.#left > 0; pages += 1) {
      const { addresses, items, received } = await this.#page({
        status,
        offset: turn.next,
        ordering,
      })
      const last = items.at(-1)
      const cap = last && reachedBy(figuresOf(last, units)).mcap
      const isBelow = isByCap && (cap === undefined || Big(cap).lt(least))
      if (turn.next === 0 && boundsOf(addresses) === boundsOf(this.#tops.get(status)?.addresses)) {
        this.#pauseOrder(status, ordering, hour)
        return
      }
      turn.next += maxLimit
      if (received >= maxLimit && !isBelow && turn.next < end) continue
      turn.next = 0
      return
    }
  }

  #pauseOrder(status: ListStatus, ordering: Ordering, seconds: number): void {
    const turn = this.#parts.memory.ordered(`${status} ${ordering}`)
    Object.assign(turn, { next: 0, pausedUntil: this.#now + seconds })
  }

  /** The assets that a rule names or a message shows, unless nothing can come of it in their phase. */
  async #findFollowed(): Promise<string[]> {
    const { assets, chain, memory } = this.#parts
    const found = await assets.followed(chain, this.#now)
    // One that is in no list's phase has ended, or was never seen: then it may be an asset of another chain.
    const others = [...found.keys()].filter((each) => memory.get(each)?.phase === undefined)
    await this.#readStored(others)
    return [...found].flatMap(([address, { kinds: named, isHere, isShown }]) => {
      const phase = memory.get(address)?.phase
      if (phase === undefined) return isHere && !this.#stored.has(address) ? [address] : []
      return isShown || named.some((kind) => !kinds[kind].isOver(phase)) ? [address] : []
    })
  }

  /**
   * Reads the assets that are waited for, one of each sort after the other: those whose time has come, those that are followed,
   * and those that their list lacks.
   */
  async #readWanted(): Promise<void> {
    const { memory } = this.#parts
    const { due, followed, overlooked } = this.#wanted()
    const { lastFollowed, lastMissing } = memory.position
    const queues = [
      { addresses: memory.byWaiting(due), turn: undefined },
      { addresses: memory.byPlace(followed, lastFollowed), turn: 'lastFollowed' },
      { addresses: memory.byWaiting(overlooked, lastMissing), turn: 'lastMissing' },
    ] as const
    const waiting = new Set([...due, ...followed])
    const length = Math.max(...queues.map(({ addresses }) => addresses.length))
    for (let index = 0; index < length; index += 1) {
      for (const { addresses, turn } of queues) {
        const address = addresses[index]
        if (address === undefined || this.#observations.has(address)) continue
        if (this.#left <= 0) return
        // Advance first: an asset that makes the poll fail must not block those behind it.
        if (turn) memory.position[turn] = address
        await this.#readOne(address, waiting)
      }
    }
  }

  /** The assets that are waited for and were on none of the pages read. */
  #wanted(): Record<'due' | 'followed' | 'overlooked', Set<string>> {
    const { memory } = this.#parts
    const isUnseen = (address: string) => !this.#observations.has(address)
    const followed = new Set(this.#followed.filter(isUnseen))
    const due = new Set<string>()
    const overlooked = new Set<string>()
    for (const [address, known] of memory.entries()) {
      const { phase } = known
      if (!phase || phase === 'graduated' || !isUnseen(address)) continue
      if (this.#isDue(known)) due.add(address)
      else if (followed.has(address)) continue
      else if (this.#complete.has(phase) || memory.isOverlooked(known)) overlooked.add(address)
    }
    return { due, followed, overlooked }
  }

  /** Whether an asset has to be read because a time has come: later and later, if the API says that nothing has changed. */
  #isDue({ phase, startsAt, ending, seenAt }: Readonly<KnownAsset>): boolean {
    const now = this.#now
    const at = phase === 'incoming' ? startsAt : ending?.endsAt
    if (at !== undefined && at <= now) return seenAt === undefined || seenAt - at < (now - at) / 2
    return phase === 'live' && this.#dueKinds.some((isDue) => isDue({ ending }))
  }

  /** Reads an asset by the page where it should be, if others that are waited for are there too, or by its address. */
  async #readOne(address: string, waiting: ReadonlySet<string>): Promise<void> {
    const { memory } = this.#parts
    memory.asked(address)
    const status = memory.get(address)?.phase
    // The last request is for the asset itself, which may not be on that page: it would wait for a whole round.
    const hasRoom = this.#left > 1 && waiting.has(address)
    if (status && hasRoom && !memory.failedLists.has(status)) {
      await this.#tryList(status, () => this.#readPageOf(address, status, waiting))
    }
    if (this.#observations.has(address) || this.#left <= 0) return
    const observation = await this.#fetch(address)
    if (observation?.source === 'fetch') this.#observe(observation)
    else if (observation) this.#observations.set(address, observation)
  }

  /**
   * Reads the page on which an asset and those after it should be, unless no other that is waited for is there. They are
   * in the middle of it: the more the list may have shifted meanwhile, by auctions that ended, without one being missed.
   */
  async #readPageOf(
    address: string,
    status: ListStatus,
    waiting: ReadonlySet<string>,
  ): Promise<void> {
    const { memory } = this.#parts
    const place = memory.offsetOf(address)
    if (place === undefined) return
    const expected = [...waiting].filter((each) => {
      const at = memory.offsetOf(each)
      const isHere = memory.get(each)?.phase === status && !this.#observations.has(each)
      return isHere && at !== undefined && at >= place && at < place + maxLimit - 2 * margin
    })
    if (expected.length < 2) return
    const last = Math.max(...expected.map((each) => memory.offsetOf(each) ?? place))
    const offset = Math.max(0, Math.ceil((place + last + 1 - maxLimit) / 2))
    const { addresses } = await this.#page({ status, offset })
    const found = new Map(addresses.map((each, index) => [each, offset + index]))
    memory.found(status, { found, added: 0 })
    // An asset that is not there is read by address, and has a place again once a page shows it.
    for (const each of expected) if (!this.#observations.has(each)) memory.misplaced(each)
  }

  /** Undefined if the API fails for this asset alone. */
  async #fetch(address: string): Promise<Observation | undefined> {
    const { api, assets, chain } = this.#parts
    await this.#readStored([address])
    await this.#turn()
    try {
      const { value: asset, stale } = await api.asset(address, chain)
      if (stale) throw new ApiError('unavailable', 'the API returned an outdated asset')
      return { source: 'fetch', asset: assets.trimmed(asset) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.kind === 'not-found') return { source: 'none' }
      if (concernsOneAsset(error)) return undefined
      throw error
    }
  }

  #count(bytes: number): void {
    const { maxBytes = defaultMaxBytes } = this.#parts
    this.#bytes += bytes
    if (this.#bytes <= maxBytes) return
    throw new ApiError('malformed', `the lists of one poll are longer than ${maxBytes} bytes`)
  }

  /** Waits until the next request may be made. @throws ApiError if the poll was ended */
  async #turn(): Promise<void> {
    const { budget, signal } = this.#parts
    const ms = budget?.takeTurn() ?? 0
    if (ms > 0) await sleep(ms, signal)
    if (signal.aborted) throw new ApiError('unavailable', 'the poll was ended')
    this.#left -= 1
  }

  #observe(found: FoundAsset): void {
    const address = found.asset.asset_address.toLowerCase()
    this.#observations.set(address, found)
    this.#parts.memory.saw(address, found.source, this.#now)
  }
}

function boundsOf(addresses: readonly string[] = []): string {
  return `${addresses[0] ?? ''} ${addresses.at(-1) ?? ''}`
}

/** Whether events of many assets come from their figures: those have to be read, while a time needs no reading. */
function isAboutMany({ kind, scope }: Rule): boolean {
  const { detection } = kinds[kind]
  return scope.asset === undefined && detection.from === 'asset-and-settings' && !detection.isDue
}

/** Whether an asset's time has come by the settings of the rules of a kind; empty if that kind goes by no time. */
function dueByRules(id: Kind, rules: readonly Rule[], now: number) {
  const { detection } = kinds[id]
  const settings = rules.filter(({ kind }) => kind === id).map(({ setting }) => setting)
  if (detection.from !== 'asset-and-settings' || settings.length === 0) return []
  return [(state: Pick<AssetState, 'ending'>) => detection.isDue?.(state, now, settings) === true]
}

/** The smallest minimum that rules about the beginning of a phase ask for; undefined if none does. */
function leastOf(rules: readonly Rule[], status: ListStatus, minimum: Minimum): string | undefined {
  const all = rules.flatMap(({ kind, scope }) => (kind === status && scope[minimum]) || [])
  return all.toSorted((one, other) => Big(one).cmp(other))[0]
}

/** Whether the error concerns this asset alone, rather than the API being unreachable or refusing the bot. */
function concernsOneAsset({ kind, status }: ApiError): boolean {
  if (kind === 'unavailable') return status !== undefined
  return kind === 'invalid' || kind === 'malformed'
}

/** Whether the API answered this request with a failure that others need not have. */
function concernsOneRequest({ kind, status }: ApiError): boolean {
  return status !== undefined && ['unavailable', 'invalid', 'not-found'].includes(kind)
}

/** Treats a listing that may be outdated or of another chain as a failure. */
function rejectUncertain({ chainIgnored }: Listing, stale: boolean): void {
  if (stale) throw new ApiError('unavailable', 'the API returned an outdated list')
  if (chainIgnored) throw new ApiError('invalid', 'the API ignores the chain')
}
