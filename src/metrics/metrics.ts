import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ResultCount } from '../alerts/outbox.ts'
import { type Call, endpoints } from '../api/client.ts'
import { unitFields } from '../api/units.ts'
import { type Loss, losses, type SendFailure, sendFailures } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import { type Answered, commandOutcomes } from '../core/dispatch.ts'
import type { DatabaseWatch } from '../db/sql.ts'
import { apiErrorKinds } from '../errors.ts'

// People notice a second, and give up after a few: 1, 2 and 3 s are what alerts are made of.
const commandBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30]
const callBuckets = [0.025, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30]
const latencyBuckets = [1, 2, 3, 5, 10, 30, 60, 120, 300, 900, 3600]
const queryBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 10]

/** The label of each result of a delivery. */
const outcomes: Readonly<Record<ResultCount['result'], string>> = {
  sent: 'sent',
  retry: 'later',
  uncertain: 'uncertain',
  dropped: 'dropped',
  'given-up': 'given-up',
}

/** The allowed labels of a platform. */
export interface PlatformLabels {
  /** Kinds of update. */
  updates: readonly string[]
  /** The names of the commands. */
  commands: readonly string[]
}

/**
 * Counters and histograms since the start of the process. Every label has few values, all of them the bot's own words:
 * no data of people, chats, assets or settings. Every series is there from the start, at 0: Prometheus sees the first
 * increment then, and an alert on what does not grow can fire.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly #updates: Counter<'platform' | 'kind'>
  readonly #commands: Histogram<'platform' | 'command' | 'outcome'>
  readonly #calls: Histogram<'endpoint' | 'result'>
  readonly #deliveries: Counter<'platform' | 'outcome'>
  readonly #latency: Histogram<'platform'>
  readonly #sendsFailed: Counter<'platform' | 'reason'>
  readonly #paused: Counter<'platform' | 'loss'>
  readonly #hidden: Counter<'field'>
  readonly #limited: Counter<'service'>
  readonly #jobsGivenUp: Counter
  readonly #queries: Histogram
  readonly #queriesFailed: Counter

  /** @param version of the bot */
  constructor(version: string) {
    const registers = [this.registry]
    const build = new Gauge({
      name: 'gavel_build_info',
      help: 'The version of the bot and of Node.js; always 1.',
      labelNames: ['version', 'node'],
      registers,
    })
    build.set({ version, node: process.versions.node }, 1)
    this.#updates = new Counter({
      name: 'gavel_updates_total',
      help: 'Updates from the platforms, by kind.',
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
      help: 'Time of a call of the v1 API with all its tries, by outcome.',
      labelNames: ['endpoint', 'result'],
      buckets: callBuckets,
      registers,
    })
    this.#deliveries = new Counter({
      name: 'gavel_deliveries_total',
      help: 'Alerts by outcome; "later" are tried again.',
      labelNames: ['platform', 'outcome'],
      registers,
    })
    this.#latency = new Histogram({
      name: 'gavel_delivery_latency_seconds',
      help: 'Time from an event to its alert in a chat; without those that waited for the end of quiet hours.',
      labelNames: ['platform'],
      buckets: latencyBuckets,
      registers,
    })
    this.#sendsFailed = new Counter({
      name: 'gavel_sends_failed_total',
      help: 'Messages that answer nobody, such as alerts, that a platform refused, by reason; each try counts.',
      labelNames: ['platform', 'reason'],
      registers,
    })
    this.#paused = new Counter({
      name: 'gavel_chats_paused_total',
      help: 'Chats whose alerts were paused because they can’t be written to, by reason.',
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
      help: 'Answers with status 429, by service.',
      labelNames: ['service'],
      registers,
    })
    this.#jobsGivenUp = new Counter({
      name: 'gavel_jobs_given_up_total',
      help: 'Jobs that failed so often that they are not tried again.',
      registers,
    })
    this.#queries = new Histogram({
      name: 'gavel_database_query_duration_seconds',
      help: 'Time of a query, without the wait for a connection.',
      buckets: queryBuckets,
      registers,
    })
    this.#queriesFailed = new Counter({
      name: 'gavel_database_queries_failed_total',
      help: 'Queries that the database refused or did not answer.',
      registers,
    })
    this.#limited.inc({ service: 'upstream' }, 0)
    for (const field of unitFields) this.#hidden.inc({ field }, 0)
    for (const endpoint of endpoints) {
      for (const result of ['ok', ...apiErrorKinds, 'unknown']) {
        this.#calls.zero({ endpoint, result })
      }
    }
  }

  /** Begins the series of a platform, and makes the callbacks of its adapter. */
  platform(platform: PlatformName, { updates, commands }: PlatformLabels) {
    for (const kind of updates) this.#updates.inc({ platform, kind }, 0)
    for (const command of [...commands, 'words', 'other']) {
      for (const outcome of commandOutcomes) this.#commands.zero({ platform, command, outcome })
    }
    for (const outcome of Object.values(outcomes)) this.#deliveries.inc({ platform, outcome }, 0)
    for (const reason of sendFailures) this.#sendsFailed.inc({ platform, reason }, 0)
    for (const loss of losses) this.#paused.inc({ platform, loss }, 0)
    this.#latency.zero({ platform })
    this.#limited.inc({ service: platform }, 0)
    return {
      onUpdate: (kind: string) => this.#updates.inc({ platform, kind }),
      onLimited: () => this.#limited.inc({ service: platform }),
      onSendFailed: (reason: SendFailure) => this.#sendsFailed.inc({ platform, reason }),
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

  readonly onSent = (platform: PlatformName, seconds: number): void =>
    this.#latency.observe({ platform }, seconds)

  readonly onGivenUp = (): void => this.#jobsGivenUp.inc()

  readonly onQuery: NonNullable<DatabaseWatch['onQuery']> = ({ seconds, failed }) => {
    this.#queries.observe(seconds)
    if (failed) this.#queriesFailed.inc()
  }
}
