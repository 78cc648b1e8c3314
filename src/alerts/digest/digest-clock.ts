import { setImmediate as others } from 'node:timers/promises'
import { z } from 'zod'
import type { Units } from '../../api/units.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/database.ts'
import type { Follows } from '../follow/follows.ts'
import type { DigestFilter } from '../follow/in-use.ts'
import { type News, newsBodySchema } from '../news.ts'
import type { Scope } from '../rule.ts'
import { storedJson } from '../stored-json.ts'
import { type Piece, storePieces } from '../storing.ts'
import type { WatchedAssets } from '../watched-assets.ts'
import { type DayOfAssets, type DigestContent, digestsOf, type Listed } from './digest.ts'
import { DigestTimes, type Due, daysBetween } from './digest-time.ts'

interface DigestClockParts {
  store: Store
  assets: WatchedAssets
  follows: Pick<Follows, 'inUse' | 'remember'>
  units: Units
  chains: readonly number[]
  /** Seconds between two looks at the clock. */
  interval: number
  log: Logger
  /** Unix seconds. */
  now: () => number
  onNews: () => void
}

/** What becomes of one digest: the date that is done with it, whether it is told, and how many came too late for that. */
interface DigestStep {
  filter: DigestFilter
  date: string
  due: Due | undefined
  late: number
}

type Contents = (scope: Scope) => Promise<DigestContent>

const day = 86_400
/** Seconds for which a digest is told though it is late. */
const useful = 6 * 3_600
/** Digests that are written before they are stored. */
const together = 100
/** News that is read before others of the process have their turn. */
const atATime = 50
/** No look at the clock is later than this after the other (seconds). */
const longestPause = 60
/** Assets of a day that are looked at, of each chain; beyond these a digest's counts are not exact. */
const most = { live: 5000, trading: 500, news: 2000 }

const dateSchema = z.object({ date: z.string() })

/** Writes the daily digests when they are due, each once: also after a downtime, unless it is over six hours late. */
export class DigestClock {
  readonly #parts: DigestClockParts
  readonly #times = new DigestTimes()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #running = false

  constructor(parts: DigestClockParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#running = false
    clearTimeout(this.#timer)
    await this.#looking
  }

  #wake(): void {
    const pause = Math.min(longestPause, this.#parts.interval) * 1000
    this.#looking = this.#look().then(() => {
      if (this.#running) this.#timer = setTimeout(() => this.#wake(), pause)
    })
  }

  async #look(): Promise<void> {
    const { follows, log, now: clock, onNews } = this.#parts
    try {
      const { digests } = await follows.inUse()
      const now = clock()
      const steps: DigestStep[] = []
      for (const [index, filter] of digests.entries()) {
        if (index % together === 0) await others()
        const step = this.#step(filter, now)
        if (step) steps.push(step)
      }
      const told = steps.filter(({ due }) => due !== undefined).length
      const late = steps.reduce((sum, step) => sum + step.late, 0)
      const content = told > 0 ? await this.#contents(now) : undefined
      let deliveries = 0
      for (let index = 0; index < steps.length; index += together) {
        deliveries += await this.#store(steps.slice(index, index + together), content, now)
      }
      if (told + late > 0) log.info({ digest: told, deliveries, late }, 'digests')
      if (deliveries > 0) onNews()
    } catch (error) {
      // The next look finds again what was not stored; what was is due.
      log.error({ err: error }, 'digests could not be stored')
      onNews()
    }
  }

  /** Undefined where nothing is due. The first look only takes note of the day. */
  #step(filter: DigestFilter, now: number): DigestStep | undefined {
    const { setting, memory } = filter
    const date = this.#times.lastDate(setting, now)
    const known = dateOf(memory)
    if (date === undefined) return undefined
    if (known === undefined || isAhead(known, date)) {
      return { filter, date, due: undefined, late: 0 }
    }
    if (known >= date) return undefined
    const at = this.#times.dueAt(setting, date, now)
    const due = at + useful > now ? { date, at } : undefined
    return { filter, date, due, late: daysBetween(known, date) - (due ? 1 : 0) }
  }

  async #day(now: number): Promise<DayOfAssets> {
    const { assets, chains } = this.#parts
    const live: Listed[] = []
    const trading: Listed[] = []
    const lately = { since: now - day, most: most.trading }
    for (const chain of chains) {
      live.push(...(await assets.ofPhase(chain, 'live', { most: most.live })))
      trading.push(...(await assets.ofPhase(chain, 'graduated', lately)))
    }
    return {
      live,
      trading,
      wentLive: await this.#told('live', now),
      graduated: await this.#told('graduated', now),
    }
  }

  async #told(kind: 'live' | 'graduated', now: number): Promise<Listed[]> {
    const { store, chains } = this.#parts
    const rows = await store
      .selectFrom('news')
      .select(['chain', 'body'])
      .where('kind', '=', kind)
      .where('at', '>', now - day)
      .orderBy('at', 'desc')
      .limit(most.news * chains.length)
      .execute()
    const told: Listed[] = []
    for (const [index, { chain, body }] of rows.entries()) {
      if (index % atATime === 0) await others()
      const read = newsBodySchema.safeParse(storedJson(body)).data
      if (read && 'asset' in read) told.push({ chain, asset: read.asset })
    }
    return this.#asOfNow(told)
  }

  /** One digest gives one figure of an asset, and its news has that of its own time. */
  async #asOfNow(told: readonly Listed[]): Promise<Listed[]> {
    const { assets, chains } = this.#parts
    const known = new Map<number, Awaited<ReturnType<WatchedAssets['known']>>>()
    for (const chain of chains) {
      const own = told.filter((each) => each.chain === chain)
      known.set(chain, await assets.known(chain, own.map(addressOf)))
    }
    return told.map((each) => {
      const kept = known.get(each.chain)?.get(addressOf(each))
      return kept?.state ? { ...each, asset: kept.state.asset } : each
    })
  }

  /** What a digest of now says, worked out once for each scope. */
  async #contents(now: number): Promise<Contents> {
    const contentOf = await digestsOf(await this.#day(now), { units: this.#parts.units, now })
    const known = new Map<string, DigestContent>()
    return async (scope) => {
      const key = JSON.stringify(scope)
      const content = known.get(key) ?? contentOf(scope)
      if (!known.has(key)) await others()
      known.set(key, content)
      return content
    }
  }

  async #store(
    steps: readonly DigestStep[],
    contentOf: Contents | undefined,
    now: number,
  ): Promise<number> {
    const { store, follows } = this.#parts
    const pieces: Piece[] = []
    for (const { filter, date, due } of steps) {
      const after = JSON.stringify({ date })
      const memory = { filter: filter.id, before: filter.memory, after }
      const news =
        due && contentOf ? [digestNews(filter, due, await contentOf(filter.scope), now)] : []
      pieces.push({ memory, news })
    }
    return storePieces({ store, follows, now }, pieces)
  }
}

function addressOf({ asset }: Listed): string {
  return asset.asset_address.toLowerCase()
}

function digestNews(
  { id, scope, setting: { zone } }: DigestFilter,
  { date, at }: Due,
  content: DigestContent,
  now: number,
): News {
  return {
    key: `digest:${id}:${date}`,
    chain: scope.chain ?? 0,
    asset: '',
    at: now,
    usefulUntil: at + useful,
    body: { kind: 'digest', filter: id, scope, date, zone, ...content },
  }
}

/** Of a clock that ran ahead: a day is what one set back by an hour makes of it. */
function isAhead(known: string, date: string): boolean {
  return daysBetween(date, known) > 1
}

function dateOf(memory: string): string | undefined {
  return dateSchema.safeParse(storedJson(memory)).data?.date
}
