import type { Api } from '../api/client.ts'
import type { KeyBudget } from '../api/http.ts'
import { backoff, sleep, type Task } from '../core/task.ts'
import type { ApiError } from '../errors.ts'
import { OutageLog } from '../log.ts'
import { pollChain } from './chain-poll.ts'
import { PollMemory } from './poll-memory.ts'
import { type PollSummary, Recorder, type RecorderParts } from './recorder.ts'
import { WatchedAssets } from './snapshot.ts'

interface WatcherParts extends RecorderParts {
  /** A client without a cache: a cached answer has no new events. */
  api: Pick<Api, 'assets' | 'asset'>
  /** Spaces the calls after a 429; default: they are not spaced. */
  budget?: Pick<KeyBudget, 'takeTurn'> | undefined
  /** Seconds between two polls. */
  interval: number
  /** Maximum bytes of all lists in one poll of a chain; 128 MiB by default. */
  maxBytes?: number
  /** Called when there may be deliveries to send. */
  onEvents: () => void
}

/** The time since a chain was polled. */
export interface Lag {
  chain: number
  /** Seconds since the last complete poll; undefined if there was none since the start. */
  seconds: number | undefined
  /** The same, but since the start if there was none. */
  unseen: number
}

/** Polls every chain from its creation until it is stopped, and stores observed states together with the events they produce. */
export class Watcher implements Task {
  readonly #watches: ReadonlyMap<number, ChainWatch>

  constructor(parts: WatcherParts) {
    const assets = new WatchedAssets(parts.store)
    const recorder = new Recorder(parts)
    this.#watches = new Map(
      parts.chains.map((chain) => [chain, new ChainWatch({ ...parts, assets, recorder, chain })]),
    )
  }

  /** Waits for polls in progress; what they observed is stored. */
  async stop(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()))
  }

  lag(): Lag[] {
    return [...this.#watches].map(([chain, watch]) => ({ chain, ...watch.lag() }))
  }
}

interface ChainWatchParts extends Omit<WatcherParts, 'chains' | 'store' | 'subscriptions'> {
  assets: WatchedAssets
  recorder: Recorder
  chain: number
}

/** Maximum seconds between two polls while the API fails. */
const maxPause = 300
/** Maximum seconds of a Retry-After that is honoured. */
const maxRetryAfter = 3600
/** Randomises the interval by this share, so that chains and bots don't poll at the same moments. */
const jitter = 0.1

/** Polls one chain from its creation until it is stopped, less often while the API fails. */
export class ChainWatch implements Task {
  readonly #parts: ChainWatchParts
  readonly #stopping = new AbortController()
  readonly #storing: OutageLog
  readonly #reading: OutageLog
  readonly #startedAt = performance.now()
  /** Monotonic milliseconds of the last complete poll. */
  #polledAt: number | undefined
  #failures = 0
  #isOverMax = false
  /** Undefined until the first poll, and after one that could not be stored. */
  #memory: PollMemory | undefined
  readonly #polls: Promise<void>

  constructor(parts: ChainWatchParts) {
    this.#parts = parts
    const { log, chain } = parts
    this.#storing = new OutageLog({
      begins: (err) => log.error({ err, chain }, 'a poll of a chain could not be stored'),
      ends: () => log.info({ chain }, 'polls of a chain are stored again'),
    })
    this.#reading = new OutageLog({
      begins: (err) => log.warn({ err, chain }, 'some of the chain’s auctions can’t be read'),
      ends: () => log.info({ chain }, 'all of the chain’s auctions are read again'),
    })
    this.#polls = this.#run()
  }

  /** Waits for the request in progress, and stores what was observed by then. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#polls
  }

  /** Seconds since the last complete poll, and since there could have been one. */
  lag(): { seconds: number | undefined; unseen: number } {
    const unseen = (performance.now() - (this.#polledAt ?? this.#startedAt)) / 1000
    return { seconds: this.#polledAt === undefined ? undefined : unseen, unseen }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) await sleep((await this.#poll(signal)) * 1000, signal)
  }

  /** Polls once; returns the seconds until the next poll. */
  async #poll(signal: AbortSignal): Promise<number> {
    const { recorder, assets, units, chain, interval, now, onEvents } = this.#parts
    const normalPause = jittered(interval, Math.random())
    const begun = performance.now()
    try {
      const from = now()
      const { begunAt, position } = await recorder.state(chain)
      const memory = this.#memory ?? (await PollMemory.load(assets, { chain, units, position }))
      this.#memory = memory
      const { rules } = recorder
      const poll = await pollChain({ ...this.#parts, begunAt, memory, rules, signal })
      this.#report(await recorder.record(chain, { begunAt }, poll, from))
      this.#storing.worked()
      if (poll.failure) return this.#failed(poll.failure, normalPause)
      this.#succeeded(poll.partFailure)
      return pauseAfterPoll(normalPause, (performance.now() - begun) / 1000)
    } catch (error) {
      // The next poll reads and detects again what was not stored; what was stored is due.
      this.#memory = undefined
      this.#storing.failed(error)
      onEvents()
      return normalPause
    }
  }

  #succeeded(partFailure: ApiError | undefined): void {
    const { log, chain } = this.#parts
    if (this.#failures > 0)
      log.info({ chain, failures: this.#failures }, 'polls of the chain succeed again')
    this.#failures = 0
    if (partFailure) {
      this.#reading.failed(partFailure)
      return
    }
    this.#reading.worked()
    this.#polledAt = performance.now()
  }

  #failed(failure: ApiError, normalPause: number): number {
    const { log, chain } = this.#parts
    if (this.#stopping.signal.aborted) return normalPause
    if (this.#failures === 0) log.warn({ err: failure, chain }, 'polls of the chain fail')
    this.#failures += 1
    return pauseAfter(this.#failures, normalPause, failure.retryAfter)
  }

  #report({ events, deliveries, late, beyond }: PollSummary): void {
    const { log, chain, onEvents } = this.#parts
    if (beyond > 0 && !this.#isOverMax) {
      log.warn({ chain, beyond }, 'the chain has more open auctions than are watched')
    }
    this.#isOverMax = beyond > 0
    const hasEvents = Object.keys(events).length > 0 || late > 0
    log[hasEvents ? 'info' : 'debug']({ chain, ...events, deliveries, late }, 'a chain was polled')
    if (deliveries > 0) onEvents()
  }
}

/** The interval, up to a tenth longer or shorter by `chance`, a number from 0 to 1. */
export function jittered(interval: number, chance: number): number {
  return interval * (1 + jitter * (2 * chance - 1))
}

/** Seconds from a poll that took so long to the next: they begin an interval apart, but a third of it is left to others. */
export function pauseAfterPoll(interval: number, took: number): number {
  return Math.max(interval - took, interval / 3)
}

/** Seconds to wait after so many failures in a row: exponentially more, and at least the API's Retry-After, up to an hour. */
export function pauseAfter(failures: number, normalPause: number, retryAfter = 0): number {
  const pause = backoff(failures + 1, normalPause, maxPause)
  return Math.max(pause, Math.min(retryAfter, maxRetryAfter))
}
