import { Counter, Histogram, Registry } from 'prom-client'
import type { Call } from '../api/client.ts'
import type { Answered } from '../chat/dispatch.ts'
import type { Platform } from '../chat/platform.ts'
import type { Settled } from '../queue/outbox-rows.ts'

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
  platform(platform: Platform['name']) {
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
