import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { chatsDue, chatsPaused, deliveriesWaiting } from '../alerts/delivery-queries.ts'
import type { Lag } from '../alerts/watcher.ts'
import { type Adapter, losses } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import { withTimeout } from '../core/task.ts'
import type { Store } from '../db/schema.ts'
import type { ConnectionPool } from '../db/sql.ts'
import { type Backlog, type JobBacklog, maxCounted, type Queue } from '../jobs/queue.ts'
import { countLaunches, type LaunchCount } from '../launch/counts.ts'
import type { Logger } from '../log.ts'

export interface ScrapesParts {
  registry: Registry
  platforms: readonly Pick<Adapter, 'name' | 'waiting' | 'pendingUpdates'>[]
  store: Store
  /** The connections to PostgreSQL; undefined with SQLite. */
  pool?: ConnectionPool | undefined
  queue: Pick<Queue, 'backlog'>
  lag: () => readonly Lag[]
  /** Whether this process leads. */
  isLeader: () => boolean
  log: Logger
  /** Milliseconds for which an answer is cached, so that frequent scrapes don't load the database. */
  keepFor?: number
}

/** Metrics in the text format of Prometheus; `type` is the content type. */
interface Exposition {
  type: string
  text: string
}

/** Figures from the database. */
interface Counts {
  deliveries: number
  jobs: JobBacklog
  queues: ReadonlyMap<string, Backlog>
  paused: ReadonlyMap<PlatformName, ReadonlyMap<string, number>>
  launches: readonly LaunchCount[]
}

/** Milliseconds for the database; counts that take longer are left out of the answer. */
const queryTimeout = 2_000

/** Answers scrapes with the counters, and gauges that are queried at that moment. */
export class Scrapes {
  readonly #parts: ScrapesParts & { keepFor: number }
  readonly #live: LiveGauges
  readonly #stored: StoredGauges
  #counting: Promise<Counts | undefined> | undefined
  #cached: { text: Promise<string>; until: number } | undefined

  constructor(parts: ScrapesParts) {
    this.#parts = { keepFor: 1_000, ...parts }
    this.#live = new LiveGauges(this.#parts)
    this.#stored = new StoredGauges(parts.registry)
  }

  /**
   * Adds the default metrics of the process: CPU, memory, event loop. The percentiles of its lag are the times between ticks of a timer
   * of 50 ms: 0.05 s at rest, and a shorter stop may not show.
   */
  watchProcess(): void {
    const { registry: register } = this.#parts
    // By default it wakes the process a hundred times a second, which was most of what a replica at rest took of the processor.
    collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 50 })
  }

  /** The current metrics, cached for `keepFor` milliseconds. */
  async read(): Promise<Exposition> {
    const now = performance.now()
    if (!this.#cached || this.#cached.until < now) {
      this.#cached = { text: this.#collect(), until: now + this.#parts.keepFor }
    }
    return { type: this.#parts.registry.contentType, text: await this.#cached.text }
  }

  async #collect(): Promise<string> {
    this.#live.set()
    // One count at a time, even if it outlives the scrape that began it.
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined
    })
    this.#stored.set(await withTimeout(this.#counting, queryTimeout))
    return this.#parts.registry.metrics()
  }

  /** Undefined if the database fails: the other metrics are then needed most. */
  async #count(): Promise<Counts | undefined> {
    const { platforms, queue, store, log } = this.#parts
    try {
      const deliveries = await deliveriesWaiting(store)
      const jobs = await queue.backlog()
      const queues = new Map<string, Backlog>([['jobs', jobs]])
      const paused = new Map<PlatformName, ReadonlyMap<string, number>>()
      for (const { name } of platforms) {
        // SQLite counts synchronously: other work gets a turn between.
        await yieldToOthers()
        queues.set(name, await chatsDue(store, name, Date.now()))
        await yieldToOthers()
        paused.set(name, await chatsPaused(store, name))
      }
      await yieldToOthers()
      const launches = await countLaunches(store, Math.floor(Date.now() / 1000), maxCounted)
      return { deliveries, jobs, queues, paused, launches }
    } catch (error) {
      log.debug({ err: error }, 'the backlog could not be counted')
      return undefined
    }
  }
}

/** Figures of this process itself. */
class LiveGauges {
  readonly #parts: ScrapesParts
  readonly #messages: Gauge<'platform' | 'priority'>
  readonly #pending: Gauge<'platform'>
  readonly #lag: Gauge<'chain'>
  readonly #leader: Gauge
  readonly #connections: Gauge<'state'>

  constructor(parts: ScrapesParts) {
    this.#parts = parts
    const registers = [parts.registry]
    this.#messages = new Gauge({
      name: 'gavel_messages_waiting',
      help: 'Messages of this replica that wait for their turn within a platform’s limits.',
      labelNames: ['platform', 'priority'],
      registers,
    })
    this.#pending = new Gauge({
      name: 'gavel_pending_updates',
      help: 'Updates that wait at a platform for the bot, as the platform last reported.',
      labelNames: ['platform'],
      registers,
    })
    this.#lag = new Gauge({
      name: 'gavel_watcher_lag_seconds',
      help: 'How long ago a chain was last polled without a failure; on the replica that watches.',
      labelNames: ['chain'],
      registers,
    })
    this.#leader = new Gauge({
      name: 'gavel_leader',
      help: 'Whether this process does the background work: 1, or 0 where another one does.',
      registers,
    })
    this.#connections = new Gauge({
      name: 'gavel_database_connections',
      help: 'Connections of this replica to PostgreSQL that are in use, idle, or can still be opened; queries that wait for one.',
      labelNames: ['state'],
      registers,
    })
  }

  set(): void {
    const { platforms, lag, isLeader, pool } = this.#parts
    this.#pending.reset()
    for (const platform of platforms) {
      const pending = platform.pendingUpdates?.()
      if (pending !== undefined) this.#pending.set({ platform: platform.name }, pending)
      for (const [priority, count] of Object.entries(platform.waiting())) {
        this.#messages.set({ platform: platform.name, priority }, count)
      }
    }
    this.#lag.reset()
    for (const { chain, unseen } of lag()) this.#lag.set({ chain }, unseen)
    this.#leader.set(Number(isLeader()))
    if (!pool) return
    this.#connections.set({ state: 'in use' }, pool.open - pool.idle)
    this.#connections.set({ state: 'idle' }, pool.idle)
    this.#connections.set({ state: 'unopened' }, pool.max - pool.open)
    this.#connections.set({ state: 'waited for' }, pool.waiting)
  }
}

/** Figures from the database, which are the same for all replicas. */
class StoredGauges {
  readonly #due: Gauge<'queue'>
  readonly #oldest: Gauge<'queue'>
  readonly #jobs: Gauge<'state'>
  readonly #deliveries: Gauge
  readonly #paused: Gauge<'platform' | 'loss'>
  readonly #launches: Gauge<'state'>
  readonly #launchAge: Gauge<'state'>

  constructor(registry: Registry) {
    const registers = [registry]
    const bound = `more than ${maxCounted} are not counted`
    this.#due = new Gauge({
      name: 'gavel_queue_due',
      help: `Due work: jobs that nobody works on yet or whose last try failed, and chats of a platform with due alerts that nobody works on yet; ${bound}.`,
      labelNames: ['queue'],
      registers,
    })
    this.#oldest = new Gauge({
      name: 'gavel_queue_oldest_due_seconds',
      help: 'How long the oldest due work has been due.',
      labelNames: ['queue'],
      registers,
    })
    this.#jobs = new Gauge({
      name: 'gavel_jobs',
      help: `Jobs that wait, due or not, and those that are tried again because their last try failed; ${bound}.`,
      labelNames: ['state'],
      registers,
    })
    this.#deliveries = new Gauge({
      name: 'gavel_deliveries_waiting',
      help: `Alerts that wait to be sent, due or not; ${bound}.`,
      registers,
    })
    this.#paused = new Gauge({
      name: 'gavel_paused_chats',
      help: `Chats whose alerts are paused because they can’t be written to, by reason; ${bound}.`,
      labelNames: ['platform', 'loss'],
      registers,
    })
    this.#launches = new Gauge({
      name: 'gavel_launches',
      help: `Launches by state; ${bound}.`,
      labelNames: ['state'],
      registers,
    })
    this.#launchAge = new Gauge({
      name: 'gavel_launch_oldest_seconds',
      help: 'How long the launch that has waited longest has been in a state; 0 if there is none.',
      labelNames: ['state'],
      registers,
    })
  }

  /** Leaves everything out if `counts` is undefined: an unknown figure must not look like zero. */
  set(counts: Counts | undefined): void {
    this.#clear()
    if (!counts) return
    const { deliveries, jobs, queues, paused, launches } = counts
    this.#deliveries.set(deliveries)
    for (const [queue, { due, oldest }] of queues) {
      this.#due.set({ queue }, due)
      this.#oldest.set({ queue }, oldest)
    }
    this.#jobs.set({ state: 'waiting' }, jobs.waiting)
    this.#jobs.set({ state: 'retrying' }, jobs.retrying)
    for (const [platform, counted] of paused) {
      for (const loss of losses) this.#paused.set({ platform, loss }, counted.get(loss) ?? 0)
    }
    for (const { state, count, oldest } of launches) {
      this.#launches.set({ state }, count)
      if (oldest !== undefined) this.#launchAge.set({ state }, oldest)
    }
  }

  #clear(): void {
    const labelled = [
      this.#due,
      this.#oldest,
      this.#jobs,
      this.#paused,
      this.#launches,
      this.#launchAge,
    ]
    for (const gauge of labelled) gauge.reset()
    this.#deliveries.remove()
  }
}
