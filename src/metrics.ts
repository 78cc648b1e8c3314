import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { chatsDue, deliveriesWaiting, type ResultCount } from './alerts/outbox.ts'
import type { Lag } from './alerts/watcher.ts'
import type { Call } from './api/client.ts'
import { type Adapter, type Loss, losses } from './core/adapter.ts'
import type { Answered } from './core/dispatch.ts'
import { withTimeout } from './core/task.ts'
import type { PlatformName, Store } from './db/schema.ts'
import { slowUpdates } from './db/slow-updates.ts'
import { type Backlog, maxCounted, type Queue } from './jobs/queue.ts'
import type { Logger } from './log.ts'

const commandBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const callBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** The label of each result of a delivery. */
const outcomes: Readonly<Record<ResultCount['result'], string>> = {
  sent: 'sent',
  retry: 'later',
  uncertain: 'uncertain',
  dropped: 'dropped',
  'given-up': 'given-up',
}

/**
 * Counters and histograms since the start of the process. Every label has few values, all of them the bot's own words:
 * no data of people, chats, assets or settings.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly #updates: Counter<'platform' | 'kind'>
  readonly #commands: Histogram<'platform' | 'command' | 'outcome'>
  readonly #calls: Histogram<'endpoint' | 'result'>
  readonly #deliveries: Counter<'platform' | 'outcome'>
  readonly #paused: Counter<'platform' | 'loss'>
  readonly #hidden: Counter<'field'>
  readonly #limited: Counter<'service'>

  constructor() {
    const registers = [this.registry]
    this.#updates = new Counter({
      name: 'gavel_updates_total',
      help: 'What the platforms said that people did, by kind.',
      labelNames: ['platform', 'kind'],
      registers,
    })
    this.#commands = new Histogram({
      name: 'gavel_command_duration_seconds',
      help: 'Time until an answer had arrived: answered, refused as typed, refused by the platform, or failed.',
      labelNames: ['platform', 'command', 'outcome'],
      buckets: commandBuckets,
      registers,
    })
    this.#calls = new Histogram({
      name: 'gavel_upstream_call_duration_seconds',
      help: 'Time of a call of the v1 API with all its tries, by what it came to.',
      labelNames: ['endpoint', 'result'],
      buckets: callBuckets,
      registers,
    })
    this.#deliveries = new Counter({
      name: 'gavel_deliveries_total',
      help: 'Alerts by what became of them; "later" are tried again.',
      labelNames: ['platform', 'outcome'],
      registers,
    })
    this.#paused = new Counter({
      name: 'gavel_chats_paused_total',
      help: 'Chats whose alerts were paused because they can’t be written to, by why.',
      labelNames: ['platform', 'loss'],
      registers,
    })
    this.#hidden = new Counter({
      name: 'gavel_figures_hidden_total',
      help: 'Figures of assets that are not shown because they contradict others, by field of the API.',
      labelNames: ['field'],
      registers,
    })
    this.#limited = new Counter({
      name: 'gavel_rate_limited_total',
      help: 'Answers with status 429, by who gave them.',
      labelNames: ['service'],
      registers,
    })
    this.#limited.inc({ service: 'upstream' }, 0)
  }

  /** Makes the callbacks of an adapter. Initializes its counters with 0, so that Prometheus sees the first increment. */
  platform(platform: PlatformName) {
    for (const outcome of Object.values(outcomes)) this.#deliveries.inc({ platform, outcome }, 0)
    for (const loss of losses) this.#paused.inc({ platform, loss }, 0)
    this.#limited.inc({ service: platform }, 0)
    return {
      onUpdate: (kind: string) => this.#updates.inc({ platform, kind }),
      onLimited: () => this.#limited.inc({ service: platform }),
    }
  }

  /** Shows the age of the newest backup, in seconds. */
  watchBackups(age: () => number): void {
    new Gauge({
      name: 'gavel_backup_age_seconds',
      help: 'How old the newest backup is; since the start, if there is none.',
      registers: [this.registry],
      collect() {
        this.set(age())
      },
    })
  }

  /** Callbacks of clients of the v1 API. */
  readonly api = {
    onCall: ({ endpoint, result, seconds }: Call) =>
      this.#calls.observe({ endpoint, result }, seconds),
    onLimited: () => this.#limited.inc({ service: 'upstream' }),
  }

  /** Counts a figure of an asset that is not shown because it contradicts others. */
  readonly onHidden = (field: string): void => this.#hidden.inc({ field })

  readonly onAnswered = ({ platform, command, outcome, seconds }: Answered): void =>
    this.#commands.observe({ platform, command, outcome }, seconds)

  readonly onResult = ({ platform, result, deliveries }: ResultCount): void =>
    this.#deliveries.inc({ platform, outcome: outcomes[result] }, deliveries)

  readonly onPaused = (platform: PlatformName, loss: Loss): void =>
    this.#paused.inc({ platform, loss })
}

export interface ScrapesParts {
  registry: Registry
  platforms: readonly Pick<Adapter, 'name' | 'waiting'>[]
  store: Store
  queue: Pick<Queue, 'backlog'>
  lag: () => readonly Lag[]
  /** Every role by its name, and whether this replica is its leader. */
  roles: () => ReadonlyMap<string, boolean>
  /** Number of Discord's shards that no replica receives; undefined if it is not known. */
  unheard: () => Promise<number | undefined>
  log: Logger
  /** Milliseconds for which an answer is cached, so that frequent scrapes don't load the database. */
  keepFor?: number
}

/** Metrics in the text format of Prometheus; `type` is the content type. */
interface Exposition {
  type: string
  text: string
}

interface QueueState {
  deliveries: number
  queues: ReadonlyMap<string, Backlog>
  unheard: number | undefined
}

/** Milliseconds for the database; counts that take longer are left out of the answer. */
const queryTimeout = 2_000

/** Answers scrapes with the counters, and gauges that are queried at that moment. */
export class Scrapes {
  readonly #parts: Required<ScrapesParts>
  readonly #due: Gauge<'queue'>
  readonly #oldest: Gauge<'queue'>
  readonly #waiting: Gauge
  readonly #messages: Gauge<'platform' | 'priority'>
  readonly #lag: Gauge<'chain'>
  readonly #role: Gauge<'role'>
  readonly #unheard: Gauge
  #querying: Promise<QueueState | undefined> | undefined
  #cached: { text: Promise<string>; until: number } | undefined

  constructor(parts: ScrapesParts) {
    this.#parts = { keepFor: 1_000, ...parts }
    const registers = [parts.registry]
    const bound = `more than ${maxCounted} are not counted`
    this.#due = new Gauge({
      name: 'gavel_queue_due',
      help: `What is due: jobs and chats of a platform to be told that nobody works on yet, updates that take long to handle; ${bound}.`,
      labelNames: ['queue'],
      registers,
    })
    this.#oldest = new Gauge({
      name: 'gavel_queue_oldest_due_seconds',
      help: 'For how long the oldest of what is due has been due.',
      labelNames: ['queue'],
      registers,
    })
    this.#waiting = new Gauge({
      name: 'gavel_deliveries_waiting',
      help: `Alerts that wait to be sent, due or not; ${bound}.`,
      registers,
    })
    this.#messages = new Gauge({
      name: 'gavel_messages_waiting',
      help: 'Messages of this replica that wait for their turn within a platform’s limits.',
      labelNames: ['platform', 'priority'],
      registers,
    })
    this.#lag = new Gauge({
      name: 'gavel_watcher_lag_seconds',
      help: 'How long ago a chain was last seen whole; on the replica that watches.',
      labelNames: ['chain'],
      registers,
    })
    this.#role = new Gauge({
      name: 'gavel_role',
      help: 'Whether this replica has a role: 1, or 0 where it stands by.',
      labelNames: ['role'],
      registers,
    })
    this.#unheard = new Gauge({
      name: 'gavel_discord_shards_unheard',
      help: 'How many of the shards that DISCORD_SHARDS counts no replica hears.',
      registers,
    })
  }

  /** Adds the default metrics of the process (CPU, memory, event loop). */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#parts.registry })
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
    const { registry, lag, roles, platforms } = this.#parts
    for (const gauge of [this.#due, this.#oldest, this.#lag]) gauge.reset()
    for (const gauge of [this.#waiting, this.#unheard]) gauge.remove()
    for (const platform of platforms) {
      for (const [priority, count] of Object.entries(platform.waiting())) {
        this.#messages.set({ platform: platform.name, priority }, count)
      }
    }
    for (const { chain, unseen } of lag()) this.#lag.set({ chain }, unseen)
    for (const [role, isHeld] of roles()) this.#role.set({ role }, Number(isHeld))
    // One query at a time, even if it outlives the scrape that began it.
    this.#querying ??= this.#query().finally(() => {
      this.#querying = undefined
    })
    const queueState = await withTimeout(this.#querying, queryTimeout)
    if (queueState) this.#setGauges(queueState)
    return registry.metrics()
  }

  /** Undefined if the database fails: the other metrics are then needed most. */
  async #query(): Promise<QueueState | undefined> {
    const { platforms, queue, store, unheard, log } = this.#parts
    try {
      const deliveries = await deliveriesWaiting(store)
      const queues = new Map<string, Backlog>([['jobs', await queue.backlog()]])
      queues.set('updates', await slowUpdates(store))
      for (const { name } of platforms) {
        // SQLite counts synchronously: other work gets a turn between.
        await yieldToOthers()
        queues.set(name, await chatsDue(store, name, Date.now()))
      }
      return { deliveries, queues, unheard: await unheard() }
    } catch (error) {
      log.debug({ err: error }, 'what waits could not be counted')
      return undefined
    }
  }

  #setGauges({ deliveries, queues, unheard }: QueueState): void {
    this.#waiting.set(deliveries)
    if (unheard !== undefined) this.#unheard.set(unheard)
    for (const [queue, { due, oldest }] of queues) {
      this.#due.set({ queue }, due)
      this.#oldest.set({ queue }, oldest)
    }
  }
}
