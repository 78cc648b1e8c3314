import { setImmediate as yieldToOthers } from 'node:timers/promises'
import Big from 'big.js'
import { z } from 'zod'
import { baseToken, baseTokens } from '../api/asset.ts'
import { type Figures, figuresOf } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import { PollingLoop, type Task } from '../core/task.ts'
import { chunks } from '../core/text.ts'
import type { Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import { type Reached, storable, storableShare, storedJson } from './asset.ts'
import { type ChangeSet, readBody, storeChanges } from './events.ts'
import {
  type DigestBody,
  type DigestEntry,
  type DigestSetting,
  digest,
  digestSetting,
} from './kinds/digest.ts'
import { day, type Event, hasReached, isNamed, reachedBy, type Scope } from './kinds/kind.ts'
import { LocalClock, step } from './local-time.ts'
import { chainsOfAny } from './rule.ts'
import type { WatchedAssets } from './snapshot.ts'
import type { SubscribedRule, Subscriptions } from './subscriptions.ts'

interface DigestSchedulerParts {
  store: Store
  assets: WatchedAssets
  subscriptions: Pick<Subscriptions, 'inUse'>
  units: Units
  chains: readonly number[]
  /** Seconds between two checks for due digests. */
  interval: number
  log: Logger
  /** Unix seconds. */
  now: () => number
  onEvents: () => void
}

/**
 * The work due for one digest rule: the date to store, the digest to write (undefined if none), and how many were
 * missed.
 */
interface DigestStep {
  rule: DigestRule
  date: string
  due: Due | undefined
  late: number
}

/** A rule for a digest, with its setting parsed. */
interface DigestRule extends Pick<SubscribedRule, 'id' | 'scope' | 'memory'> {
  setting: DigestSetting
}

type Contents = (scope: Scope) => Promise<DigestContent>

/** Seconds for which an overdue digest is still sent. */
const maxLateness = 6 * 3_600
/** Digests that are prepared before each pause and stored in one call. */
const batchSize = 100
/** Events that are parsed before other work gets a turn. */
const eventsPerTurn = 50
/** Maximum seconds between two polls. */
const maxPause = 60
const drainMs = 5000
/** Maximum rows that are read per chain; beyond these, the counts of a digest are not exact. */
const maxRows = { live: 5000, trading: 500, events: 2000 }

const dateSchema = z.object({ date: z.string() })

/**
 * Writes daily digests when they are due, each once, from its creation until it is stopped. After a downtime missed ones
 * are still written, if they are less than six hours late.
 */
export class DigestScheduler implements Task {
  readonly #parts: DigestSchedulerParts
  readonly #times = new DigestTimes()
  readonly #loop: PollingLoop

  constructor(parts: DigestSchedulerParts) {
    this.#parts = parts
    const { interval, log, onEvents } = parts
    this.#loop = new PollingLoop({
      poll: () => this.#poll(),
      everyMs: Math.min(maxPause, interval) * 1000,
      firstAfterMs: 0,
      drainMs,
      onFault: (error) => {
        // The next poll repeats what was not stored; what was stored is due.
        log.error({ err: error }, 'digests could not be stored')
        onEvents()
      },
    })
  }

  /** Waits for digests that are being stored, 5 seconds at most. */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #poll(): Promise<void> {
    const { subscriptions, log, now: clock, onEvents } = this.#parts
    const rules = (await subscriptions.inUse()).flatMap(digestRule)
    const now = clock()
    const steps: DigestStep[] = []
    for (const [index, rule] of rules.entries()) {
      if (index % batchSize === 0) await yieldToOthers()
      const step = this.#step(rule, now)
      if (step) steps.push(step)
    }
    const dueCount = steps.filter(({ due }) => due !== undefined).length
    const late = steps.reduce((sum, step) => sum + step.late, 0)
    const content = dueCount > 0 ? await this.#contents(now) : undefined
    // Announcements are sent although no chain can be polled.
    const { store, chains } = this.#parts
    let deliveries = await storeChanges({ store, chains, now, log }, [])
    for (const batch of chunks(steps, batchSize)) {
      deliveries += await this.#store(batch, content, now)
    }
    if (dueCount + late > 0) log.info({ digest: dueCount, deliveries, late }, 'digests')
    if (deliveries > 0) onEvents()
  }

  /** Undefined if nothing is due. The first poll of a rule only stores the date. */
  #step(rule: DigestRule, now: number): DigestStep | undefined {
    const { setting, memory } = rule
    const date = this.#times.lastDate(setting, now)
    const lastDate = dateOf(memory)
    if (date === undefined) return undefined
    if (lastDate === undefined) return { rule, date, due: undefined, late: 0 }
    if (lastDate >= date) return undefined
    const at = this.#times.dueAt(setting, date, now)
    const due = at + maxLateness > now ? { date, at } : undefined
    return { rule, date, due, late: daysBetween(lastDate, date) - (due ? 1 : 0) }
  }

  async #day(now: number): Promise<DayOfAssets> {
    const { assets, chains } = this.#parts
    const live: ChainAsset[] = []
    const trading: ChainAsset[] = []
    const recent = { since: now - day, limit: maxRows.trading }
    for (const chain of chains) {
      live.push(...(await assets.ofPhase(chain, 'live', { limit: maxRows.live })))
      trading.push(...(await assets.ofPhase(chain, 'graduated', recent)))
    }
    return {
      live,
      trading,
      wentLive: await this.#assetsWithEvent('live', now),
      graduated: await this.#assetsWithEvent('graduated', now),
    }
  }

  async #assetsWithEvent(kind: 'live' | 'graduated', now: number): Promise<ChainAsset[]> {
    const { store, chains } = this.#parts
    const rows = await store
      .selectFrom('events')
      .select(['chain', 'body'])
      .where('kind', '=', kind)
      .where('happened_at_s', '>', now - day)
      .whereRef('useful_until_s', '>', 'found_at_s')
      .orderBy('happened_at_s', 'desc')
      .limit(maxRows.events * chains.length)
      .execute()
    const listed: ChainAsset[] = []
    for (const [index, { chain, body }] of rows.entries()) {
      if (index % eventsPerTurn === 0) await yieldToOthers()
      const asset = readBody(kind, body)?.asset
      if (asset) listed.push({ chain, asset })
    }
    return this.#withCurrentState(listed)
  }

  /** Replaces assets in old events by their current state: a digest must not show two figures of one asset. */
  async #withCurrentState(listed: readonly ChainAsset[]): Promise<ChainAsset[]> {
    const { assets, chains } = this.#parts
    const statesByChain = new Map<number, Awaited<ReturnType<WatchedAssets['read']>>>()
    for (const chain of chains) {
      const ofChain = listed.filter((each) => each.chain === chain)
      statesByChain.set(chain, await assets.read(chain, ofChain.map(addressOf)))
    }
    return listed.map((each) => {
      const stored = statesByChain.get(each.chain)?.get(addressOf(each))
      return stored?.state ? { ...each, asset: stored.state.asset } : each
    })
  }

  /** A function that returns the contents of a digest for a scope, computed once per scope. */
  async #contents(now: number): Promise<Contents> {
    const contentOf = await digestsOf(await this.#day(now), {
      units: this.#parts.units,
      isAny: chainsOfAny(this.#parts.chains),
      now,
    })
    const cache = new Map<string, DigestContent>()
    return async (scope) => {
      const key = JSON.stringify(scope)
      const content = cache.get(key) ?? contentOf(scope)
      if (!cache.has(key)) await yieldToOthers()
      cache.set(key, content)
      return content
    }
  }

  async #store(
    steps: readonly DigestStep[],
    contentOf: Contents | undefined,
    now: number,
  ): Promise<number> {
    const { store, chains, log } = this.#parts
    const changeSets: ChangeSet[] = []
    for (const { rule, date, due } of steps) {
      const after = JSON.stringify({ date })
      const memory = { rule: rule.id, before: rule.memory, after }
      const events =
        due && contentOf ? [digestEvent(rule, due, await contentOf(rule.scope), now)] : []
      changeSets.push({ memory, events })
    }
    return storeChanges({ store, chains, now, log }, changeSets)
  }
}

function digestRule({ kind, setting, ...rule }: SubscribedRule): DigestRule[] {
  const read = kind === digest.id ? digestSetting.safeParse(setting).data : undefined
  return read ? [{ ...rule, setting: read }] : []
}

function addressOf({ asset }: ChainAsset): string {
  return asset.asset_address.toLowerCase()
}

function digestEvent(
  { id, scope, setting: { zone } }: DigestRule,
  { date, at }: Due,
  content: DigestContent,
  now: number,
): Event {
  return {
    key: `digest:${id}:${date}`,
    chain: scope.chain ?? 0,
    asset: '',
    rule: id,
    at: now,
    usefulUntil: at + maxLateness,
    body: { kind: digest.id, scope, date, zone, ...content },
  }
}

/** The date of the last summary of a rule that is done with, by its memory; undefined before the first. */
function dateOf(memory: string): string | undefined {
  return dateSchema.safeParse(storedJson(memory)).data?.date
}

/** An asset and its chain. */
interface ChainAsset {
  chain: number
  asset: Asset
}

/** The events of the last 24 hours and the current state, over all chains. */
export interface DayOfAssets {
  /** Newest first. */
  wentLive: readonly ChainAsset[]
  /** Newest first. */
  graduated: readonly ChainAsset[]
  live: readonly ChainAsset[]
  /** Graduated assets whose price moved lately. */
  trading: readonly ChainAsset[]
}

const maxEntries = 5
/** Assets that are processed before other work gets a turn. */
const assetsPerTurn = 100
const maxLength = { name: 300, symbol: 100 }

/** The body of a digest event, without what identifies the digest. */
type DigestContent = Omit<DigestBody, 'kind' | 'scope' | 'date' | 'zone'>

/** An asset with its digest entry, computed once for all digests. */
interface ScopedEntry {
  listed: ChainAsset
  reached: Reached
  entry: DigestEntry
}

interface DigestParts {
  units: Units
  /** Whether a scope without a chain includes this one. */
  isAny: (chain: number) => boolean
  /** Unix seconds. */
  now: number
}

/** Computes digest entries, and returns a function that selects those of a scope. A day without events has zeros. */
export async function digestsOf(
  assets: DayOfAssets,
  { units, isAny, now }: DigestParts,
): Promise<(scope: Scope) => DigestContent> {
  const wentLive = await scopedEntries(assets.wentLive, units)
  const graduated = await scopedEntries(assets.graduated, units)
  const live = await scopedEntries(assets.live, units)
  const trading = await scopedEntries(assets.trading, units)
  const ending = live
    .filter(({ entry: { endsAt = 0 } }) => endsAt > now && endsAt <= now + day)
    .sort((one, other) => (one.entry.endsAt ?? 0) - (other.entry.endsAt ?? 0))
  const movers = [...live, ...trading]
    .map((each) => ({ ...each, share: Big(each.entry.change24h ?? '0').abs() }))
    .filter(({ share }) => !share.eq(0))
    .sort((one, other) => other.share.cmp(one.share))
  return (scope) => {
    const isIncluded = ({ listed, reached }: ScopedEntry) =>
      isIn(scope, listed, isAny) && hasReached(scope, reached)
    const inScope = (all: readonly ScopedEntry[]) => all.filter(isIncluded)
    const top = (all: readonly ScopedEntry[]) => firstWhere(isIncluded, all)
    return {
      counts: {
        wentLive: inScope(wentLive).length,
        graduated: inScope(graduated).length,
        live: inScope(live).length,
      },
      endingSoon: top(ending),
      newest: top(wentLive),
      graduated: top(graduated),
      movers: top(movers),
    }
  }
}

async function scopedEntries(all: readonly ChainAsset[], units: Units): Promise<ScopedEntry[]> {
  const entries: ScopedEntry[] = []
  for (const listed of all) {
    if (entries.length % assetsPerTurn === 0) await yieldToOthers()
    const figures = figuresOf(listed.asset, units)
    entries.push({ listed, reached: reachedBy(figures), entry: entryOf(listed, figures) })
  }
  return entries
}

function firstWhere(
  isIncluded: (each: ScopedEntry) => boolean,
  all: readonly ScopedEntry[],
): DigestEntry[] {
  const found: DigestEntry[] = []
  for (const each of all) {
    if (found.length === maxEntries) break
    if (isIncluded(each)) found.push(each.entry)
  }
  return found
}

function isIn(
  scope: Scope,
  { chain, asset }: ChainAsset,
  isAny: (chain: number) => boolean,
): boolean {
  const isSame = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || wanted.toLowerCase() === value?.toLowerCase()
  const { asset_categories: categories = [] } = asset
  return (
    (scope.chain === undefined ? isAny(chain) : scope.chain === chain) &&
    isNamed(scope, asset) &&
    isSame(scope.numeraire, asset.asset_numeraire_address) &&
    isSame(scope.creator, baseToken(asset)?.token_creator_address) &&
    (scope.category === undefined || categories.some((each) => isSame(scope.category, each)))
  )
}

function entryOf({ chain, asset }: ChainAsset, figures: Figures): DigestEntry {
  const tokens = baseTokens(asset)
  const text = (field: 'name' | 'symbol') =>
    (tokens.find((token) => token[`token_${field}`])?.[`token_${field}`] ?? '')
      .slice(0, maxLength[field])
      .toWellFormed()
  return {
    asset: asset.asset_address.toLowerCase(),
    chain,
    name: text('name'),
    symbol: text('symbol'),
    price: storable(figures.price),
    marketCap: storable(figures.marketCap),
    numeraire: asset.asset_numeraire_address,
    quoteSymbol: asset.quote_symbol?.slice(0, maxLength.symbol).toWellFormed(),
    change24h: storableShare(figures.change24h),
    progress: storableShare(figures.progress),
    endsAt: figures.endsAt,
  }
}

interface Due {
  /** Local date, such as 2026-11-21. */
  date: string
  /** Unix seconds at which it became due. */
  at: number
}

/** Computes when digests are due in their time zones. */
export class DigestTimes {
  readonly #clock = new LocalClock()

  /**
   * The local date of the digest that became due last at `now` (unix seconds): today's if its hour has begun, else
   * yesterday's. Undefined if the zone is unknown.
   */
  lastDate({ hour, zone }: DigestSetting, now: number): string | undefined {
    const local = this.#clock.at(zone, now)
    return local && (local.hour >= hour ? local.date : dayBefore(local.date))
  }

  /**
   * Unix seconds at which a date's digest became due: the first time on that date at its hour or later. An hour that
   * daylight saving skips is due at the next one; an hour that it repeats is due the first time.
   */
  dueAt({ hour, zone }: DigestSetting, date: string, now: number): number {
    const isDue = (at: number) => {
      const local = this.#clock.at(zone, at)
      return local?.date === date && local.hour >= hour
    }
    const earliest = now - 3 * day
    let at = Math.floor(now / step) * step
    while (!isDue(at) && at > earliest) at -= step
    while (isDue(at - step)) at -= step
    return at
  }
}

/** Days from one date (such as 2026-11-21) to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / (day * 1000))
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - day * 1000).toISOString().slice(0, 10)
}
