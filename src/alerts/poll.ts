import { graduationPool, statusOf } from '../api/asset.ts'
import type { Api, Listing } from '../api/client.ts'
import { type Figures, figuresOf } from '../api/figures.ts'
import { isTooLong, type KeyBudget, defaultMaxBytes as maxBytesOfOne } from '../api/http.ts'
import { isListStatus, type ListStatus, listStatuses, maxLimit } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { sleep } from '../core/task.ts'
import { ApiError } from '../errors.ts'
import type { AssetState, FoundAsset, Observation, Phase, Reached, TrimmedAsset } from './asset.ts'
import {
  type AssetPoll,
  type Detected,
  day,
  type Event,
  hasReached,
  highestOf,
  minimums,
  reachedBy,
  type Scope,
} from './kinds/kind.ts'
import { kindIds, kinds, kindsWhere } from './kinds/list.ts'
import { graduatedAt } from './kinds/phase.ts'
import type { Rule } from './rule.ts'
import type { StoredAsset, WatchedAssets } from './snapshot.ts'

/** The position in round-robin reading, stored between polls. */
export interface PollPosition {
  /** The next page of graduated assets. */
  graduatedPage: number
  /** First and last address of the graduated page that was read last: if it comes again, the list has ended. */
  lastBounds: string
  /** The last open asset that was fetched by its address. */
  lastOpen: string
  /** The last graduated asset with a subscribed figure that was fetched. */
  lastSubscribed: string
}

/** The result of polling a chain once. */
export interface ChainPoll {
  /** By lower-case address. */
  observations: ReadonlyMap<string, Observation>
  /** The stored state of the assets; those never seen are absent. */
  stored: ReadonlyMap<string, StoredAsset>
  position: PollPosition
  /** Why the poll was incomplete; undefined if it was complete. */
  failure: ApiError | undefined
}

interface PollParts {
  api: Pick<Api, 'assets' | 'asset'>
  budget?: Pick<KeyBudget, 'takeTurn'> | undefined
  assets: WatchedAssets
  units: Units
  /** Unix seconds. */
  now: () => number
  chain: number
  position: PollPosition
  /** Ends the poll before its next request. */
  signal: AbortSignal
  /** Maximum bytes of all lists together; 128 MiB by default. */
  maxBytes?: number | undefined
}

/**
 * The result of reading a list: how many pages, first and last address of the last one, and whether the list ended
 * there.
 */
interface ReadList {
  pages: number
  bounds: string
  reachedEnd: boolean
}

/** Maximum pages of each list per poll. Live assets beyond them are fetched by address, others in later polls. */
const maxPages = { incoming: 40, live: 400, graduated: 40 }
/** Open assets that are fetched by address per poll, and as many graduated ones with a subscribed figure. */
const maxFetched = 20
/** Nearly twice the size of all these pages, at the usual 3 kB per asset. */
const defaultMaxBytes = 128 * 2 ** 20
/** Candidates for the assets to fetch; more, because some of them are on the pages that were read. */
const maxCandidates = 200
/** Kinds that notify of graduated assets, too: those must be fetched, as their list is not read to the end. */
const comparedKinds = kindsWhere(({ detection }) => detection.from === 'rule-memory')

/**
 * Polls a chain once: all live assets, new incoming and graduated ones, one more page of graduated ones in turn, each
 * asset that was open but is in no list now, and graduated assets with a subscribed figure. The order is that of an
 * auction's life, so that an asset that moves on meanwhile is seen twice rather than missed. The number of requests
 * depends on the auctions and, up to a limit, on which assets have subscriptions, but not on how many chats subscribe.
 * @throws what is no ApiError; an ApiError makes the poll incomplete
 */
export async function pollChain(parts: PollParts): Promise<ChainPoll> {
  const poll = new Poll(parts)
  try {
    await poll.run()
    return poll.result(undefined)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return poll.result(error)
  }
}

class Poll {
  readonly #parts: PollParts
  readonly #observations = new Map<string, Observation>()
  readonly #stored = new Map<string, StoredAsset>()
  #position: PollPosition
  /** Bytes of lists read so far. */
  #bytes = 0

  constructor(parts: PollParts) {
    this.#parts = parts
    this.#position = parts.position
  }

  result(failure: ApiError | undefined): ChainPoll {
    const [observations, stored, position] = [this.#observations, this.#stored, this.#position]
    return { observations, stored, position, failure }
  }

  async run(): Promise<void> {
    const { assets, chain } = this.#parts
    const open = await assets.open(chain)
    for (const [address, stored] of open) this.#stored.set(address, stored)
    const incoming = await this.#list('incoming')
    await this.#list('live')
    const graduated = await this.#list('graduated')
    if (!graduated.reachedEnd) await this.#readNextGraduated(graduated)
    await this.#fetchAbsent(open, incoming.reachedEnd)
    await this.#fetchSubscribed()
  }

  /** Reads a list from the newest: live assets to the end, others until a page has nothing new. */
  async #list(status: ListStatus): Promise<ReadList> {
    const listed = new Set<string>()
    let bounds = ''
    for (let page = 0; page < maxPages[status]; page += 1) {
      const { received, addresses, isNew } = await this.#page(status, page)
      bounds = boundsOf(addresses)
      if (received < maxLimit) return { pages: page + 1, bounds, reachedEnd: true }
      const before = listed.size
      for (const address of addresses) listed.add(address)
      // Past the end some APIs repeat their last page; one that ignores the offset repeats the first.
      if (listed.size === before) return { pages: page + 1, bounds, reachedEnd: true }
      if (status !== 'live' && !isNew) return { pages: page + 1, bounds, reachedEnd: false }
    }
    return { pages: maxPages[status], bounds, reachedEnd: false }
  }

  async #page(status: ListStatus, page: number) {
    const { chain, assets } = this.#parts
    const { items, receivedCount: received } = await this.#read(status, page * maxLimit, maxLimit)
    const addresses = items.map((asset) => asset.asset_address.toLowerCase())
    const missing = addresses.filter((address) => !this.#stored.has(address))
    for (const [address, stored] of await assets.read(chain, missing))
      this.#stored.set(address, stored)
    for (const asset of items) this.#observe({ source: status, asset: assets.trimmed(asset) })
    const isNew = addresses.some((each) => this.#stored.get(each)?.state?.phase !== status)
    return { received, addresses, isNew }
  }

  /** Splits a page in halves if it is too long for one answer: large texts in a few assets must not hide the others. */
  async #read(
    status: ListStatus,
    offset: number,
    limit: number,
  ): Promise<Pick<Listing, 'items' | 'receivedCount'>> {
    const { api, chain } = this.#parts
    await this.#turn()
    try {
      const { value, stale } = await api.assets({ chain, status, offset, limit })
      rejectUncertain(value, stale)
      this.#count(value.bytes)
      return value
    } catch (error) {
      if (!isTooLong(error) || limit === 1) throw error
      this.#count(maxBytesOfOne)
    }
    const half = Math.ceil(limit / 2)
    const first = await this.#read(status, offset, half)
    if (first.receivedCount < half) return first
    const second = await this.#read(status, offset + half, limit - half)
    return {
      items: [...first.items, ...second.items],
      receivedCount: first.receivedCount + second.receivedCount,
    }
  }

  /** Reads the next page of graduated assets, in turn. */
  async #readNextGraduated({ pages: first, bounds }: ReadList): Promise<void> {
    const page = Math.max(first, this.#position.graduatedPage)
    const before = page === first ? bounds : this.#position.lastBounds
    const { received, addresses } = await this.#page('graduated', page)
    const lastBounds = boundsOf(addresses)
    const isEnd = received < maxLimit || lastBounds === before
    this.#position = { ...this.#position, graduatedPage: isEnd ? 0 : page + 1, lastBounds }
  }

  /** Fetches assets that were open but are in no list, some per poll, in turn. */
  async #fetchAbsent(
    open: ReadonlyMap<string, StoredAsset>,
    allIncomingRead: boolean,
  ): Promise<void> {
    const absent = [...open]
      .filter(
        ([address, stored]) =>
          !this.#observations.has(address) && this.#mustFetch(stored, allIncomingRead),
      )
      .map(([address]) => address)
    await this.#fetchAll('lastOpen', nextInRound(absent, this.#position.lastOpen))
  }

  /** Fetches assets with a subscribed figure that are on none of the pages read. */
  async #fetchSubscribed(): Promise<void> {
    const { assets, chain } = this.#parts
    const last = this.#position.lastSubscribed
    const subscribed = await assets.withRules(comparedKinds, chain, { last, limit: maxCandidates })
    const unlisted = subscribed.filter((each) => !this.#observations.has(each))
    const chosen = nextInRound(unlisted, last)
    for (const [address, stored] of await assets.read(chain, chosen))
      this.#stored.set(address, stored)
    await this.#fetchAll('lastSubscribed', chosen)
  }

  async #fetchAll(
    last: 'lastOpen' | 'lastSubscribed',
    addresses: readonly string[],
  ): Promise<void> {
    for (const address of addresses) {
      // Advance first: an asset that makes the poll fail must not block those behind it.
      this.#position = { ...this.#position, [last]: address }
      const observation = await this.#fetch(address)
      if (observation) this.#observations.set(address, observation)
    }
  }

  /**
   * Whether an open asset that was not listed must be fetched. An incoming one may be on a page that was not read,
   * unless its start has passed.
   */
  #mustFetch({ state }: StoredAsset, allIncomingRead: boolean): boolean {
    if (!state) return false
    if (state.phase === 'live' || allIncomingRead) return true
    const { startsAt } = figuresOf(state.asset, this.#parts.units)
    return startsAt === undefined || startsAt <= this.#parts.now()
  }

  /** Undefined if the API fails for this asset alone. */
  async #fetch(address: string): Promise<Observation | undefined> {
    const { api, assets, chain } = this.#parts
    await this.#turn()
    try {
      const { value: asset, stale } = await api.asset(address, chain)
      if (stale) throw new ApiError('unavailable', 'the API gave an old asset')
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
  }

  #observe(found: FoundAsset): void {
    this.#observations.set(found.asset.asset_address.toLowerCase(), found)
  }
}

function boundsOf(addresses: readonly string[]): string {
  return `${addresses[0] ?? ''} ${addresses.at(-1) ?? ''}`
}

/** The first addresses after `last` in a round, as many as are fetched per poll. */
function nextInRound(addresses: readonly string[], last: string): string[] {
  const sorted = addresses.toSorted()
  const round = [...sorted.filter((each) => each > last), ...sorted.filter((each) => each <= last)]
  return round.slice(0, maxFetched)
}

/** Whether the error concerns this asset alone, rather than the API being unreachable or refusing the bot. */
function concernsOneAsset({ kind, status }: ApiError): boolean {
  if (kind === 'unavailable') return status !== undefined
  return kind === 'invalid' || kind === 'malformed'
}

/** Treats a listing that may be outdated or of another chain as a failure. */
function rejectUncertain({ chainIgnored }: Listing, stale: boolean): void {
  if (stale) throw new ApiError('unavailable', 'the API gave an old listing')
  if (chainIgnored) throw new ApiError('invalid', 'the API ignores the chain')
}

/** Finds the events of one poll of an asset. It is made for the rules that have subscribers at that moment. */
type Detector = (poll: AssetPoll) => Detected

/** The inputs of the detection beside the two states of the asset. */
export interface DetectContext {
  chain: number
  /** Unix seconds. */
  now: number
  /**
   * Unix seconds of the first complete poll of the chain; undefined before it and during it. Until then nobody is notified
   * that an asset entered a phase: all assets are new to the bot.
   */
  begunAt: number | undefined
  units: Units
  detectors: readonly Detector[]
}

/** An asset's new state, and the events that led to it. */
export interface StateChange {
  after: AssetState
  events: Event[]
}

/** Absences in a row until an asset counts as gone: a single "not found" may be a glitch. */
const absencesUntilGone = 3

/** The detectors of all kinds that compare the states of assets. */
export function detectorsFor(rules: readonly Rule[]): Detector[] {
  const own = kindIds.flatMap((id): Detector[] => {
    const { detection } = kinds[id]
    if (detection.from === 'asset') return [(poll) => detection.detect(poll)]
    if (detection.from !== 'asset-and-settings') return []
    return [detection.detector(rules.filter(({ kind }) => kind === id).map((rule) => rule.setting))]
  })
  return [...own, lateDetector(rules)]
}

/** An event of a phase that comes late: in it the asset has reached what a rule asks for at least. */
function lateDetector(rules: readonly Pick<Rule, 'kind' | 'scope'>[]): Detector {
  const scopes = new Map<string, Scope[]>()
  for (const { kind, scope } of rules) {
    if (minimums.every((minimum) => scope[minimum] === undefined)) continue
    scopes.set(kind, [...(scopes.get(kind) ?? []), scope])
  }
  return (poll) => {
    const { phase, before, now } = poll
    if (poll.entered !== undefined || before?.phase !== phase || !isListStatus(phase)) return {}
    const { detection } = kinds[phase]
    const [earlier, later] = [highestBefore(poll), highestNow(poll)]
    const isNew = (scope: Scope) => hasReached(scope, later) && !hasReached(scope, earlier)
    if (detection.from !== 'asset' || !scopes.get(phase)?.some(isNew)) return {}
    const { event } = detection.detect({ ...poll, entered: phase })
    if (event === undefined) return {}
    const key = `${event.key}:${later.mcap ?? ''}:${later.raised ?? ''}`
    return { event: { ...event, key, at: now, reached: { now: later, before: earlier } } }
  }
}

/** The highest figures that were observed in the present phase before this poll. */
function highestBefore({ before, phase, units }: AssetPoll): Reached {
  if (before?.phase !== phase) return {}
  return before.highest ?? reachedBy(figuresOf(before.asset, units))
}

function highestNow(poll: AssetPoll): Reached {
  return highestOf(highestBefore(poll), reachedBy(poll.figures))
}

/**
 * Compares an asset with what is stored of it. Returns the new state and the events; undefined if the asset was never
 * seen and is absent. Each event has a unique, permanent key, and a `usefulUntil` that may have passed already.
 */
export function detect(
  stored: Pick<StoredAsset, 'state' | 'history'> | undefined,
  observation: Observation,
  context: DetectContext,
): StateChange | undefined {
  const before = stored?.state
  if (observation.source === 'none') return before && { after: markAbsent(before), events: [] }
  const { asset } = observation
  const { chain, now, units, begunAt, detectors } = context
  const figures = figuresOf(asset, units)
  const phase = phaseOf(observation, before, figures, now)
  const past = before?.pastPhases ?? []
  const isFirst = isListStatus(phase) && !past.includes(phase)
  const shouldNotify =
    isFirst && (before ? begunAt !== undefined : isNew(phase, asset, figures, context))
  const poll: AssetPoll = {
    chain,
    now,
    asset,
    figures,
    units,
    phase,
    entered: shouldNotify ? phase : undefined,
    before,
    history: stored?.history ?? [],
    isFirstSeenLate: before === undefined && !shouldNotify,
  }
  const detected = detectors.map((detector) => detector(poll))
  const after = {
    ...before,
    phase,
    asset,
    pastPhases: pastPhases(phase, past),
    highest: highestNow(poll),
    absences: 0,
  }
  const reached = { now: reachedBy(figures) }
  return {
    after: Object.assign(after, ...detected.map(({ state }) => state)),
    events: detected.flatMap(({ event }) => (event ? [{ reached, ...event }] : [])),
  }
}

function markAbsent(before: AssetState): AssetState {
  const absences = before.absences + 1
  return { ...before, absences, phase: absences >= absencesUntilGone ? 'gone' : before.phase }
}

/** The phases that produce no event any more: an asset in one has been through those before it. */
function pastPhases(phase: Phase, before: readonly ListStatus[]): ListStatus[] {
  const order: readonly Phase[] = listStatuses
  const reached = order.indexOf(phase)
  return listStatuses.filter((each, index) => index <= reached || before.includes(each))
}

/**
 * Whether an asset that is seen for the first time appeared after the chain's first poll, by the asset's own
 * timestamps.
 */
function isNew(
  phase: ListStatus,
  asset: TrimmedAsset,
  figures: Figures,
  { begunAt, now }: DetectContext,
): boolean {
  if (begunAt === undefined) return false
  if (phase === 'graduated') {
    const at = graduatedAt(asset, figures)
    return at !== undefined && at >= begunAt && at > now - day
  }
  const { startsAt, createdAt } = figures
  const since = phase === 'live' ? (startsAt ?? createdAt) : createdAt
  return since === undefined || since >= begunAt
}

/**
 * The phase of an asset by the API: the list it was found in or, if it was fetched by its address, its status. A status
 * that is none of the lists' means that its auction has ended.
 */
export function phaseOf(
  { source, asset }: FoundAsset,
  before: AssetState | undefined,
  { endsAt }: Figures,
  now: number,
): Phase {
  if (source !== 'fetch') return source
  const status = statusOf(asset)
  if (isListStatus(status)) return status
  if (status !== undefined) return 'ended'
  if (graduationPool(asset)) return 'graduated'
  if (endsAt !== undefined && endsAt <= now) return 'ended'
  return before?.phase ?? 'live'
}
