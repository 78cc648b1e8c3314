import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { chatsDue, deliveriesWaiting, type Settled } from './alerts/outbox.ts'
import type { Lag } from './alerts/watcher.ts'
import type { Call } from './api/client.ts'
import { updatesWaiting } from './cluster/update-inbox.ts'
import type { Adapter } from './core/adapter.ts'
import type { Answered } from './core/dispatch.ts'
import { withTimeout } from './core/retry.ts'
import type { Store } from './db/schema.ts'
import { type Backlog, maxCounted, type Queue } from './jobs/queue.ts'
import type { Logger } from './log.ts'

const commandBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const callBuckets = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const outcomes: readonly Settled['outcome'][] = [
  'sent',
  'later',
  'uncertain',
  'dropped',
  'given-up',
]

/**
 * Counts what happens, from the start of the process on. Every label has few values, all of them the bot's own words:
 * nothing of people, chats, assets or settings.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly #updates: Counter<'platform' | 'kind'>
  readonly #commands: Histogram<'platform' | 'command' | 'outcome'>
  readonly #calls: Histogram<'endpoint' | 'result'>
  readonly #deliveries: Counter<'platform' | 'outcome'>
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
      help: 'Time until there was an answer to show: answered, refused as typed, or failed.',
      labelNames: ['platform', 'command', 'outcome'],
      buckets: commandBuckets,
      registers,
    })
    this.#calls = new Histogram({
      name: 'gavel_upstream_call_duration_seconds',
      help: 'Time of a call of the v1 interface with all its tries, by what it came to.',
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
    this.#hidden = new Counter({
      name: 'gavel_figures_hidden_total',
      help: 'Figures of assets that are not shown because they contradict others, by field of the interface.',
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

  /** What a platform tells. What can happen there stands at 0 from now on, so that its first time is seen as growth. */
  platform(platform: Adapter['name']) {
    for (const outcome of outcomes) this.#deliveries.inc({ platform, outcome }, 0)
    this.#limited.inc({ service: platform }, 0)
    return {
      onUpdate: (kind: string) => this.#updates.inc({ platform, kind }),
      onLimited: () => this.#limited.inc({ service: platform }),
    }
  }

  /** What clients of the v1 interface tell. */
  readonly upstream = {
    onCall: ({ endpoint, result, seconds }: Call) =>
      this.#calls.observe({ endpoint, result }, seconds),
    onLimited: () => this.#limited.inc({ service: 'upstream' }),
  }

  /** A figure of an asset is not shown, as it contradicts others. */
  readonly onHidden = (field: string): void => this.#hidden.inc({ field })

  readonly onAnswered = ({ platform, command, outcome, seconds }: Answered): void =>
    this.#commands.observe({ platform, command, outcome }, seconds)

  readonly onSettled = ({ platform, outcome, deliveries }: Settled): void =>
    this.#deliveries.inc({ platform, outcome }, deliveries)
}

export interface ScrapesParts {
  registry: Registry
  platforms: readonly Pick<Adapter, 'name'>[]
  store: Store
  queue: Pick<Queue, 'backlog'>
  lag: () => readonly Lag[]
  /** Every role of replicas by its name, and whether it is this one's. */
  roles: () => ReadonlyMap<string, boolean>
  /** How many of Discord's shards no replica hears; undefined where there is nothing to say. */
  unheard: () => Promise<number | undefined>
  log: Logger
  /** Milliseconds for which an answer is given again: however often somebody asks, the database is asked as rarely. */
  keepFor?: number
}

/** What there is to count, as text that Prometheus reads. */
interface Exposition {
  type: string
  text: string
}

interface Waits {
  deliveries: number
  queues: ReadonlyMap<string, Backlog>
  unheard: number | undefined
}

/** Milliseconds. What the database takes longer for has no place in this answer. */
const maxAsked = 2_000

/** Answers scrapes: with what was counted, and what is looked up at that moment. */
export class Scrapes {
  readonly #parts: Required<ScrapesParts>
  readonly #due: Gauge<'queue'>
  readonly #oldest: Gauge<'queue'>
  readonly #waiting: Gauge
  readonly #lag: Gauge<'chain'>
  readonly #role: Gauge<'role'>
  readonly #unheard: Gauge
  #asking: Promise<Waits | undefined> | undefined
  #kept: { text: Promise<string>; until: number } | undefined

  constructor(parts: ScrapesParts) {
    this.#parts = { keepFor: 1_000, ...parts }
    const registers = [parts.registry]
    const bound = `more than ${maxCounted} are not counted`
    this.#due = new Gauge({
      name: 'gavel_queue_due',
      help: `What is due: jobs and chats of a platform to be told that nobody works on yet, updates not handled yet; ${bound}.`,
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

  /** Counts what the process itself uses, too, for as long as it runs. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#parts.registry })
  }

  /** One answer for all who ask within a moment. */
  async read(): Promise<Exposition> {
    const now = performance.now()
    if (!this.#kept || this.#kept.until < now) {
      this.#kept = { text: this.#fresh(), until: now + this.#parts.keepFor }
    }
    return { type: this.#parts.registry.contentType, text: await this.#kept.text }
  }

  async #fresh(): Promise<string> {
    const { registry, lag, roles } = this.#parts
    for (const gauge of [this.#due, this.#oldest, this.#lag]) gauge.reset()
    for (const gauge of [this.#waiting, this.#unheard]) gauge.remove()
    for (const { chain, unseen } of lag()) this.#lag.set({ chain }, unseen)
    for (const [role, isHeld] of roles()) this.#role.set({ role }, Number(isHeld))
    // One at a time, also where it takes longer than anybody waits for it.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    const found = await withTimeout(this.#asking, maxAsked)
    if (found) this.#show(found)
    return registry.metrics()
  }

  /** Undefined where the database gives no answer: the rest is worth most then. */
  async #ask(): Promise<Waits | undefined> {
    const { platforms, queue, store, unheard, log } = this.#parts
    try {
      const deliveries = await deliveriesWaiting(store)
      const queues = new Map<string, Backlog>([['jobs', await queue.backlog()]])
      queues.set('updates', await updatesWaiting(store))
      for (const { name } of platforms) queues.set(name, await chatsDue(store, name, Date.now()))
      return { deliveries, queues, unheard: await unheard() }
    } catch (error) {
      log.debug({ err: error }, 'what waits could not be counted')
      return undefined
    }
  }

  #show({ deliveries, queues, unheard }: Waits): void {
    this.#waiting.set(deliveries)
    if (unheard !== undefined) this.#unheard.set(unheard)
    for (const [queue, { due, oldest }] of queues) {
      this.#due.set({ queue }, due)
      this.#oldest.set({ queue }, oldest)
    }
  }
}
