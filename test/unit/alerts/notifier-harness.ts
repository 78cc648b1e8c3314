import { GrammyError } from 'grammy'
import { expect, vi } from 'vitest'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import type { Phase } from '../../../src/alerts/asset.ts'
import { storeEvents } from '../../../src/alerts/events.ts'
import type { Event } from '../../../src/alerts/kinds/kind.ts'
import { LiveMessages, LiveMessageUpdater } from '../../../src/alerts/live-messages.ts'
import { Notifier, type NotifierParts } from '../../../src/alerts/notifier.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import type { DeliveredMessage } from '../../../src/alerts/sending.ts'
import { upsertAssets, WatchedAssets } from '../../../src/alerts/snapshot.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { NotificationViews } from '../../../src/alerts/views/notification.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import type { CardPictures } from '../../../src/cards/card-pictures.ts'
import type { Adapter } from '../../../src/core/adapter.ts'
import { PlatformHealth } from '../../../src/core/platform-health.ts'
import { createLogger } from '../../../src/log.ts'
import type { Link } from '../../../src/setting-forms.ts'
import { TestDatabase } from '../../database.ts'
import { LogBook } from '../core/log-book.ts'
import { Front } from '../telegram/fault-proxy.ts'
import { connection, token } from '../telegram/telegram-chat.ts'
import { fullAsset } from '../views/sample.ts'

export const chain = 8453
const day = 86_400
/** Milliseconds after which what happened is due, and any chat can be written to again. */
const aMoment = 4000
/** Milliseconds between two checks of a condition. */
const interval = 20

/** A live auction under a name of its own. */
export function auction(name: string): Asset {
  const asset = assetSchema.parse(fullAsset)
  const pool = asset.auction_pool
  const address = `0x${Buffer.from(name).toString('hex').slice(0, 40).padStart(40, '0')}`
  return {
    ...asset,
    asset_address: address,
    asset_status: 'live',
    auction_pool: pool && { ...pool, base_token: { ...pool.base_token, token_name: name } },
    graduation_pool: undefined,
  }
}

/** Replaces parts of a bot. */
type BotChanges = Partial<
  Pick<NotifierParts, 'onDelivered' | 'onSent' | 'views' | 'drainMs' | 'quietUntil'>
> & {
  platform?: Pick<
    Adapter,
    'name' | 'localeOf' | 'send' | 'edit' | 'msUntilSlot' | 'gap' | 'startSpacing' | 'health'
  >
  pictures?: CardPictures
  links?: readonly Link[]
  onPaused?: (platform: string, loss: string) => void
}

/** Alerts to Telegram, from stored events to what people read: a database file, the stand-in, a fault proxy before it. */
export class NotifierHarness {
  readonly server: TelegramServer
  readonly front: Front
  readonly log = new LogBook()
  /** Milliseconds by which the clock is ahead. */
  ahead = 0
  /** Milliseconds by which both clocks were advanced. */
  advanced = 0
  readonly database: TestDatabase
  readonly #running: { stop(): Promise<void> }[] = []
  readonly #notifiers: Notifier[] = []
  #platform: Adapter | undefined

  private constructor(server: TelegramServer, front: Front, database: TestDatabase) {
    this.server = server
    this.front = front
    this.database = database
  }

  static async start(): Promise<NotifierHarness> {
    const server = await TelegramServer.start({ token, floodLimits: false })
    const front = new Front(server.root)
    await front.open()
    const harness = new NotifierHarness(server, front, await TestDatabase.make())
    const { platform } = connection(front.root, undefined, undefined, {
      elapsed: harness.elapsed,
      log: createLogger('debug', [], harness.log),
    })
    await platform.start()
    harness.#platform = platform
    return harness
  }

  async stop(): Promise<void> {
    for (const each of this.#running.toReversed()) await each.stop()
    await this.#platform?.stop()
    await this.front.shut()
    await this.server.stop()
    await this.database.remove()
  }

  get platform(): Adapter {
    if (!this.#platform) throw new Error('not started')
    return this.#platform
  }

  /** A platform's health on the harness's clock. */
  health(): PlatformHealth {
    const isAnswered = (cause: unknown) => cause instanceof GrammyError
    const log = createLogger('debug', [], this.log)
    return new PlatformHealth({ platform: 'telegram', log, isAnswered, now: this.elapsed })
  }

  now = () => Date.now() + this.ahead + this.advanced
  elapsed = () => performance.now() + this.advanced
  seconds = () => Math.floor(this.now() / 1000)

  /** Advances the clocks and wakes the notifiers. */
  advance(milliseconds: number): void {
    this.advanced += milliseconds
    for (const each of this.#notifiers) each.wake()
  }

  /** As `eventually`, while time goes by five times as fast as it does. */
  inTime<T>(check: () => T | Promise<T>): Promise<T> {
    return eventually(() => {
      this.advance(5 * interval)
      return check()
    })
  }

  /** The parts that notify, over the one database file; each call is as after a restart. */
  async bot(changes: BotChanges = {}) {
    const { now, seconds, elapsed, platform } = this
    const store = await this.database.open()
    const log = createLogger('debug', [], this.log)
    const outbox = new Outbox(store, now, { onPaused: changes.onPaused })
    const subscriptions = new Subscriptions({ store, now: seconds, perChat: 30 })
    const assets = new WatchedAssets(store)
    const messages = new LiveMessages(store, seconds)
    const common = { platform, pictures: undefined, units: defaultUnits, log, ...changes }
    const views = new NotificationViews({ ...common, store, assets, now: seconds })
    const onDelivered = (delivered: DeliveredMessage) => messages.onDelivered(delivered)
    const parts = { outbox, views, onDelivered, ...common }
    const notifier = new Notifier({ ...parts, now, elapsed })
    const isIdle = () => notifier.isIdle
    const timing = { editPauseMs: 1, pollEveryMs: 50 }
    const liveMessageUpdater = new LiveMessageUpdater({
      ...common,
      messages,
      assets,
      isIdle,
      now: seconds,
      ...timing,
    })
    this.#running.push({ stop: () => notifier.close() }, notifier, liveMessageUpdater)
    this.#notifiers.push(notifier)
    const begin = async (events: readonly Event[]) => {
      await store
        .transaction()
        .execute((tx) => storeEvents(tx, events, { chains: [8453], now: seconds() }))
      notifier.wake()
    }
    const enqueueDue = async (events: readonly Event[]) => {
      await begin(events)
      this.advance(aMoment)
    }
    return {
      store,
      outbox,
      views,
      subscriptions,
      assets,
      messages,
      notifier,
      liveMessageUpdater,
      /** Subscribes a chat to all that goes live. */
      subscribe: (id: number, thread?: string) =>
        subscriptions.subscribe(
          {
            platform: 'telegram',
            kind: id > 0 ? 'person' : 'chat',
            id: String(id),
            ...(thread === undefined ? {} : { thread }),
          },
          { kind: 'live', setting: {}, scope: {} },
        ),
      /** Stores that auctions go live; the deliveries are due. */
      goLive: (...names: string[]) => enqueueDue(names.map((name) => this.liveEvent(name))),
      /** Stores events whose deliveries are due. */
      enqueue: enqueueDue,
      /** Stores an auction as the watcher does. */
      seen: async (name: string, phase: Phase, sold = '25') => {
        const asset = auction(name)
        const pool = asset.auction_pool && {
          ...asset.auction_pool,
          pool_current_total_tokens_sold: `${Number(sold) * 6}${'0'.repeat(24)}`,
        }
        const state = { pastPhases: ['incoming', 'live'], absences: 0 }
        const body = JSON.stringify({ asset: { ...asset, auction_pool: pool }, ...state })
        const row = { chain, asset: asset.asset_address, phase, body, history: '[]' }
        await upsertAssets(store, [{ ...row, updated_at_s: seconds() }])
      },
      /** Changes the stored body of a live event. */
      spoil: async (name: string, change: (body: string) => string) => {
        const { key } = this.liveEvent(name)
        const stored = store.selectFrom('events').select('body').where('key', '=', key)
        const body = change((await stored.executeTakeFirstOrThrow()).body)
        await store.updateTable('events').set({ body }).where('key', '=', key).execute()
      },
      /** As `enqueue`, but the deliveries are not due yet: they wait for further events. */
      begin,
      /** How many deliveries wait for a retry. */
      deferred: async () => {
        const waits = store
          .selectFrom('deliveries')
          .select('event_id')
          .where('state', '=', 'waiting')
        return (await waits.where('reason', 'is not', null).execute()).length
      },
      /** How many deliveries are in each state. */
      states: async () => {
        const rows = await store.selectFrom('deliveries').select('state').execute()
        return Object.groupBy(
          rows.map(({ state }) => state),
          (state) => state,
        )
      },
    }
  }

  /** The event of an auction that goes live. */
  liveEvent(name: string): Event {
    const asset = auction(name)
    const at = this.seconds()
    return {
      key: `live ${name}`,
      chain,
      asset: asset.asset_address,
      at,
      usefulUntil: at + day,
      body: { kind: 'live', asset },
    }
  }

  /** What the bot wrote in a chat, oldest first. */
  texts(chat: number): string[] {
    const stored = [...(this.server.api.world.places.get(chat)?.messages.values() ?? [])]
    return stored
      .filter(({ byBot }) => byBot)
      .map(({ message }) => message.text ?? message.caption ?? '')
  }

  /** So many people without subscriptions, by their chats. */
  people(count: number): number[] {
    return Array.from({ length: count }, (_, index) => this.person(700_000 + index))
  }

  /** A person whom the bot may write to. */
  person(id: number): number {
    const known = this.server.api.world.places.get(id)
    const place =
      known ??
      this.server.api.world.addPrivateChat({ id, is_bot: false, first_name: `Guest ${id}` })
    place.started = true
    return id
  }
}

/** Waits for something to hold; a busy machine has its time. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 40_000, interval })
}

/** A number of chats have exactly these texts. */
export function expectOnce(harness: NotifierHarness, chats: readonly number[], name: string): void {
  const counts = chats.map(
    (chat) => harness.texts(chat).filter((text) => text.includes(name)).length,
  )
  expect(counts).toEqual(chats.map(() => 1))
}
