import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import type { Token } from '../../sandbox/api/token.ts'
import type { TokenChange } from '../../sandbox/api/world.ts'
import type { Bot } from '../../sandbox/bot.ts'
import type { Rule } from '../../src/alerts/rule.ts'
import { Subscriptions } from '../../src/alerts/subscriptions.ts'
import { openStore } from '../../src/db/database.ts'
import type { Store } from '../../src/db/schema.ts'
import { discordText } from './discord-message.ts'
import { type Harness, type HarnessOptions, startHarness } from './harness.ts'
import { ageMemories, digestsToBegin } from './rule-memories.ts'
import { unseen } from './users.ts'

const chain = 8453

const health = z.object({
  parts: z.object({ watcher: z.array(z.object({ seconds: z.number().optional() })) }),
})
const live: Rule = { kind: 'live', setting: {}, scope: {} }

/** Somebody to be told: a chat's or a person's id. */
export interface Subscriber {
  platform: 'telegram' | 'discord'
  kind: 'person' | 'chat'
  id: string
}

/** A harness whose bot looks at the API every second and tells what it finds. */
export class AlertHarness {
  readonly harness: Harness
  /** As `DATABASE_URL` names it. */
  readonly database: string
  readonly #folder: string
  readonly #store: Store
  #auctions = 0

  private constructor(harness: Harness, folder: string, database: string, store: Store) {
    this.harness = harness
    this.database = database
    this.#folder = folder
    this.#store = store
  }

  static async start(options: HarnessOptions = {}): Promise<AlertHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'gavel-alerts-'))
    const file = join(folder, 'gavel.db')
    const harness = await startHarness({
      ...options,
      apiServer: { chains: [chain], ...options.apiServer },
      env: {
        CHAINS: String(chain),
        WATCH_INTERVAL: '1',
        ...(!options.replicas && { DATABASE_URL: `file:${file}` }),
        LOG_LEVEL: 'debug',
        ...options.env,
      },
    })
    const database = harness.database?.address ?? options.replicas?.database ?? file
    const alerts = new AlertHarness(harness, folder, database, await openStore(database))
    await alerts.watched()
    return alerts
  }

  async stop(): Promise<void> {
    await this.#store.destroy()
    await this.harness.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Starts the bot anew, and waits until it has looked. */
  async startBot(): Promise<void> {
    await this.harness.startBot()
    await this.watched()
  }

  /** Resolves once the bot has seen the chain: from now on what is new is news. */
  watched(): Promise<void> {
    return eventually(async () => {
      const seen = await Promise.all(this.harness.running().map(lags))
      expect(seen.flat()).not.toEqual([])
      expect(seen.flat()).not.toContain(undefined)
    })
  }

  /** Lets somebody follow what goes live, as if they had asked for it before. */
  async follows(subscribers: readonly Subscriber[], rule = live): Promise<void> {
    const now = () => Math.floor(Date.now() / 1000)
    const subscriptions = new Subscriptions({ store: this.#store, now, perChat: 10 })
    for (const subscriber of subscribers) await subscriptions.subscribe(subscriber, rule)
  }

  /** Mutes somebody for a day, as if they had asked for it. */
  async mutes(subscriber: Subscriber): Promise<void> {
    const now = () => Math.floor(Date.now() / 1000)
    await new Subscriptions({ store: this.#store, now, perChat: 10 }).mute(
      subscriber,
      now() + 86_400,
    )
  }

  /** People on both platforms to whom the bot may write. */
  crowd(each: number): Subscriber[] {
    const { telegram, discord } = this.harness
    const onTelegram = telegram.circumstances.crowd(each)
    const guests = Array.from({ length: each }, (_, index) => discord.world.join(`guest${index}`))
    return [
      ...onTelegram.map((id) => ({ platform: 'telegram', kind: 'person', id: `${id}` }) as const),
      ...guests.map((guest) => {
        return {
          platform: 'discord',
          kind: 'chat',
          id: discord.world.dm(guest).channel.id,
        } as const
      }),
    ]
  }

  /** How often each of them has the news. */
  counts(some: readonly Subscriber[], name: string): number[] {
    return some.map((each) => this.messagesWith(each, name).length)
  }

  /** Each of them has the news exactly once. */
  everybodyHas(some: readonly Subscriber[], name: string): Promise<void> {
    return eventually(() => expect(this.counts(some, name)).toEqual(some.map(() => 1)), 120_000)
  }

  /** How many lines of the bot's log have all these words. */
  logged(...words: string[]): number {
    const lines = this.harness.output().split('\n')
    return lines.filter((line) => words.every((each) => line.includes(each))).length
  }

  /** Why a subscriber hears nothing. */
  async paused(subscriber: Subscriber): Promise<string | undefined> {
    const subscriptions = new Subscriptions({ store: this.#store, now: () => 0, perChat: 10 })
    return (await subscriptions.of(subscriber)).paused
  }

  /** How many rules a subscriber follows. */
  async followed(subscriber: Subscriber): Promise<number> {
    const subscriptions = new Subscriptions({ store: this.#store, now: () => 0, perChat: 10 })
    return (await subscriptions.of(subscriber)).subscriptions.length
  }

  /** How many deliveries still wait. */
  async waiting(): Promise<number> {
    const row = await this.#waiting().executeTakeFirstOrThrow()
    return row.count
  }

  /** How many deliveries to one chat still wait. */
  async waitingFor({ platform, id }: Subscriber): Promise<number> {
    const row = await this.#waiting()
      .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
      .where('platform', '=', platform)
      .where('chat', '=', id)
      .executeTakeFirstOrThrow()
    return row.count
  }

  #waiting() {
    return this.#store
      .selectFrom('deliveries')
      .select((each) => each.fn.countAll<number>().as('count'))
      .where('state', '=', 'waiting')
  }

  /** An auction goes live; returns the name by which it is told. */
  goesLive(): string {
    return this.announces().name
  }

  /** An auction of a name of its own goes live, or is announced. */
  announces(change: TokenChange = {}): Token {
    this.#auctions += 1
    const name = `Premiere${this.#auctions}x`
    const symbol = `P${this.#auctions}`
    return this.harness.apiServer.world.announce(chain, { name, symbol, ...change })
  }

  /** Something of an auction changes, such as what is sold of it. */
  changes(token: Token, to: TokenChange): void {
    this.harness.apiServer.world.change(token, to)
  }

  /** An auction ends at once. */
  ends(token: Token, outcome: 'graduated' | 'stall'): void {
    this.harness.apiServer.world.end(token, outcome)
  }

  /** Resolves once the bot has polled the present state and stored its events. */
  async polled(): Promise<void> {
    const before = this.#polls()
    // The second begins when the first is stored.
    await eventually(() => expect(this.#polls()).toBeGreaterThanOrEqual(before + 2))
  }

  /** Number of polls of the chain that have begun. */
  #polls(): number {
    const first = this.harness.apiServer.requests.filter(
      ({ path, query }) =>
        path === '/assets/' && query.status === 'incoming' && query.offset === '0',
    )
    return first.length
  }

  /** A day goes by while the bot is stopped: that is how old what it remembers is when it starts. */
  async dayPasses(): Promise<void> {
    await this.harness.bot.stop()
    await ageMemories(this.#store)
    await this.startBot()
  }

  /** Resolves once the bot has taken note of the day on which each digest begins. */
  async digestsBegin(): Promise<void> {
    await eventually(async () => expect(await digestsToBegin(this.#store)).toBe(0))
  }

  /** The usual pause between two edits of the messages about a live auction is over. */
  async mayEdit({ address }: Pick<Token, 'address'>): Promise<void> {
    await this.#store
      .updateTable('live_messages')
      .set({ due_at_s: 0 })
      .where('asset', '=', address.toLowerCase())
      .execute()
  }

  /** The bot's messages there that contain this, oldest first. */
  messagesWith(subscriber: Subscriber, part: string): string[] {
    return this.written(subscriber).filter((text) => text.includes(part))
  }

  /** All of the bot's messages there, as they are now, oldest first. */
  written({ platform, id }: Subscriber): string[] {
    const { telegram, discord } = this.harness
    if (platform === 'discord') {
      const room = discord.world.chats.get(id)
      return [...(room?.messages.values() ?? [])]
        .filter(({ message }) => message.author.bot)
        .map(({ message }) => discordText(message))
    }
    const place = telegram.api.world.places.get(Number(id))
    return [...(place?.messages.values() ?? [])]
      .filter(({ byBot }) => byBot)
      .map(({ message }) => (message.text ?? message.caption ?? '').replace(unseen, ''))
  }
}

/** How long ago this one saw each chain; none where another watches. */
async function lags({ healthUrl }: Bot): Promise<(number | undefined)[]> {
  const answer = await fetch(healthUrl ?? '')
  return health.parse(await answer.json()).parts.watcher.map(({ seconds }) => seconds)
}

/** Waits for something to hold; a busy machine has its time. */
export function eventually<T>(check: () => T | Promise<T>, timeout = 30_000): Promise<T> {
  return vi.waitFor(check, { timeout, interval: 100 })
}
