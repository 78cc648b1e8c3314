import { expect, vi } from 'vitest'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { type ChainPoll, pollChain } from '../../../src/alerts/chain-poll.ts'
import { PollMemory } from '../../../src/alerts/poll-memory.ts'
import { type PollSummary, Recorder } from '../../../src/alerts/recorder.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { WatchedAssets } from '../../../src/alerts/snapshot.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { Watcher } from '../../../src/alerts/watcher.ts'
import { Api } from '../../../src/api/client.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { defaultTables } from '../api/server.ts'
import { LogBook } from '../core/log-book.ts'

export const chain = 8453
export const key = 'an-api-key'

type Chains = readonly [number, ...number[]]
interface Options {
  chains?: Chains
  population?: number
  /** Under other names the stand-in minds nothing that it is asked. */
  queryNames?: { chain?: string }
  deadlineMs?: number
}

/** What bounds a watcher's polls. */
type WatcherParts = ConstructorParameters<typeof Watcher>[0]
type Bounds = Partial<Pick<WatcherParts, 'maxBytes' | 'budget'>>

/** What a watcher needs: the stand-in for the API with its own time, and a database file. */
export class WatcherHarness {
  readonly server: ApiServer
  readonly store: Store
  readonly api: Api
  readonly log = new LogBook()
  readonly subscriptions: Subscriptions
  readonly units = defaultUnits
  /** Of the leader who watches; nobody else does unless a test says so. */
  /** Seconds by which the bot's clock is ahead of the world's. */
  ahead = 0
  /** How often `onEvents` was called. */
  eventCalls = 0
  readonly #database: TestDatabase
  readonly #watchers: Watcher[] = []

  private constructor(
    server: ApiServer,
    store: Store,
    database: TestDatabase,
    { chains, deadlineMs }: { chains: Chains; deadlineMs: number | undefined },
  ) {
    this.server = server
    this.store = store
    this.#database = database
    this.subscriptions = new Subscriptions({ store, now: this.now, perChat: 10_000 })
    this.api = new Api({
      baseUrl: server.baseUrl,
      key,
      chains,
      ...defaultTables,
      log: createLogger('debug', [], this.log),
      cacheMs: 0,
      staleMs: 0,
      ...(deadlineMs && { deadlineMs }),
      halfOpenAfterMs: 20,
      retryPauseMs: 1,
    })
  }

  static async start({
    chains = [chain],
    population = 60,
    queryNames = {},
    deadlineMs,
  }: Options = {}): Promise<WatcherHarness> {
    const server = await ApiServer.start({ key, chains, population, queryNames })
    const database = await TestDatabase.make()
    const store = await database.open()
    return new WatcherHarness(server, store, database, { chains, deadlineMs })
  }

  async stop(): Promise<void> {
    await Promise.all(this.#watchers.map((watcher) => watcher.stop()))
    await this.api.close()
    await this.server.stop()
    await this.#database.remove()
  }

  get world() {
    return this.server.world
  }

  /** Unix seconds. */
  readonly now = (): number => Math.floor(this.world.now / 1000) + this.ahead

  get assets(): WatchedAssets {
    return new WatchedAssets(this.store)
  }

  /** Polls once and stores the result, as a bot that was just started. */
  async poll(
    api: Pick<Api, 'assets' | 'asset'> = this.api,
    subscriptions: Pick<Subscriptions, 'inUse'> = this.subscriptions,
  ): Promise<PollSummary> {
    const { store, units, now } = this
    const log = createLogger('debug', [], this.log)
    const recorder = new Recorder({ store, subscriptions, units, chains: [8453], now, log })
    const begun = await recorder.state(chain)
    const poll = await this.read(recorder, api)
    if (poll.failure && api === this.api) throw poll.failure
    return recorder.record(chain, begun, poll, this.now())
  }

  /** Polls once, as a bot that was just started, and stores nothing. */
  async read(
    recorder: Recorder,
    api: Pick<Api, 'assets' | 'asset'> = this.api,
    bounds: Bounds = {},
  ): Promise<ChainPoll> {
    const { assets, units, now } = this
    const { begunAt, position } = await recorder.state(chain)
    const memory = await PollMemory.load(assets, { chain, units, position })
    const { signal } = new AbortController()
    const { rules } = recorder
    return pollChain({ ...bounds, api, assets, units, now, chain, begunAt, memory, rules, signal })
  }

  /** Polls as one bot that goes on; each call returns how many requests it made. */
  poller(
    bounds: Pick<Parameters<typeof pollChain>[0], 'maxRequests' | 'maxWhole'> = {},
    api: Pick<Api, 'assets' | 'asset'> = this.api,
  ): () => Promise<number> {
    const { store, subscriptions, assets, units, now } = this
    const log = createLogger('debug', [], this.log)
    const recorder = new Recorder({ store, subscriptions, units, chains: [8453], now, log })
    let memory: PollMemory | undefined
    return async () => {
      const [from, before] = [now(), this.server.requestCount]
      const state = await recorder.state(chain)
      memory ??= await PollMemory.load(assets, { chain, units, position: state.position })
      const { signal } = new AbortController()
      const { rules } = recorder
      const { begunAt } = state
      const parts = { ...bounds, api, assets, units, now, chain, begunAt, memory, rules, signal }
      await recorder.record(chain, state, await pollChain(parts), from)
      return this.server.requestCount - before
    }
  }

  /** Starts a watcher that polls many times a second. */
  watch(
    chains: readonly number[] = [chain],
    more: Bounds & Partial<Pick<WatcherParts, 'api'>> = {},
  ): Watcher {
    const { api, subscriptions, store, units, now } = this
    const watcher = new Watcher({
      api,
      subscriptions,
      store,
      units,
      chains,
      ...more,
      interval: 0.05,
      log: createLogger('debug', [], this.log),
      now,
      onEvents: () => {
        this.eventCalls += 1
      },
    })
    this.#watchers.push(watcher)
    return watcher
  }

  subscribe(id: string, rule: Rule): Promise<'added' | 'existing'> {
    return this.subscriptions.subscribe({ platform: 'telegram', kind: 'chat', id }, rule)
  }

  /** Mutes or pauses a chat until the returned function is called. */
  async silence(id: string, how: 'muted' | 'paused'): Promise<() => Promise<void>> {
    const target = { platform: 'telegram', kind: 'chat', id } as const
    if (how === 'muted') {
      await this.subscriptions.mute(target, this.now() + 7 * 86_400)
      return () => this.subscriptions.mute(target, 0)
    }
    await this.store
      .updateTable('chats')
      .set({ paused: 'blocked' })
      .where('chat', '=', id)
      .execute()
    return () => this.subscriptions.resume(target)
  }

  /** The keys of all events, in the order in which they were found. */
  async keys(): Promise<string[]> {
    const rows = await this.store.selectFrom('events').select('key').orderBy('id').execute()
    return rows.map((row) => row.key)
  }

  async phase(address: string): Promise<string | undefined> {
    return (await this.assets.find(chain, address))?.phase
  }

  /** Waits for a complete poll that begins from now on. */
  async polled(watcher: Pick<Watcher, 'lag'>): Promise<void> {
    const at = () =>
      performance.now() - 1000 * (watcher.lag()[0]?.seconds ?? Number.POSITIVE_INFINITY)
    // One that is under way may have begun before.
    for (let polls = 0; polls < 2; polls += 1) {
      const from = performance.now()
      await vi.waitFor(() => expect(at()).toBeGreaterThan(from), { timeout: 20_000, interval: 5 })
    }
  }
}
