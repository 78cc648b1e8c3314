import { Api, type ApiOptions } from '../api/client.ts'
import type { Units } from '../api/units.ts'
import type { Cards } from '../cards/card.ts'
import type { Adapter } from '../core/adapter.ts'
import type { PubSub } from '../core/pubsub.ts'
import type { Task } from '../core/task.ts'
import type { Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import { Alerts } from './alerts.ts'
import { DigestScheduler } from './digest.ts'
import { EventViews } from './event-views.ts'
import { LiveMessages, LiveMessageUpdater, rememberLive } from './live-messages.ts'
import { Notifier } from './notifier.ts'
import { type Settled, StoredOutbox } from './outbox.ts'
import { type Point, WatchedAssets } from './snapshot.ts'
import { Subscriptions } from './subscriptions.ts'
import { type Lag, Watcher } from './watcher.ts'

type Messengers = Readonly<Record<Adapter['name'], Adapter | undefined>>

/** What alerts are put together from. */
export interface AlertParts {
  store: Store
  /** How the interface is asked. */
  api: Pick<
    ApiOptions,
    'baseUrl' | 'key' | 'queryNames' | 'chains' | 'onCall' | 'onLimited' | 'health'
  >
  units: Units
  settings: {
    /** Seconds between two looks at a chain. */
    interval: number
    /** How many rules one chat may follow. */
    perChat: number
  }
  /** Undefined where cards carry no picture. */
  cards: Cards | undefined
  /** Filled in before anything is told. */
  adapters: Messengers
  /** By it those who tell learn of what others watch. */
  pubsub: PubSub
  log: Logger
  /** Unix milliseconds; the clock without it. */
  now?: () => number
  /** Hears what became of deliveries. */
  onSettled?: (settled: Settled) => void
}

/** Alerts, as the bot's other parts see them. */
export interface OpenedAlerts {
  alerts: Alerts
  /** Looks at every chain; one replica at a time does. */
  startWatcher(): Task
  /** Writes daily summaries; one replica at a time does. */
  startDigest(): Task
  /** Tells on a platform: one replica at a time does, so that what the platform permits is kept to. */
  startNotifier(platform: Adapter): Task
  /** Forgets what is old or used by nobody; returns how many rows. */
  sweep(): Promise<number>
  /** The recorded course of an asset, oldest first; none where it was never seen. */
  history(chain: number, asset: string): Promise<readonly Point[]>
  /** How long ago each chain was seen, where this replica watches. */
  lag(): Lag[]
  /** At the end of the process, once all duties have ended: what is sent then and can't be stored may be sent again. */
  close(): Promise<void>
}

/** Puts the parts of alerts together. */
export function openAlerts(parts: AlertParts): OpenedAlerts {
  const { store, units, settings, adapters, pubsub, log, now: millis = Date.now } = parts
  const now = () => Math.floor(millis() / 1000)
  const follows = new Subscriptions({ store, now, perChat: settings.perChat })
  const assets = new WatchedAssets(store)
  const outbox = new StoredOutbox(store, millis, { log, onSettled: parts.onSettled })
  const messages = new LiveMessages(store, now)
  // What commands may answer with is too old to find news in.
  const api = new Api({ ...parts.api, log, cacheMs: 1, staleMs: 0 })
  // Of each platform one, however often it falls to this replica: it knows what is still to be stored from the last time.
  const tellers = new Map<Adapter, Notifier>()
  const wake = () => {
    for (const delivery of tellers.values()) delivery.wake()
  }
  pubsub.subscribe('news', wake)
  const finding = {
    follows,
    store,
    units,
    chains: parts.api.chains,
    interval: settings.interval,
    log,
    now,
    onEvents: () => {
      wake()
      pubsub.publish('news')
    },
  }
  let watcher: Watcher | undefined
  const views = new EventViews({ store, assets, cards: parts.cards, units, log, now })
  const onTold = rememberLive(messages)
  const telling = (platform: Adapter): Task => {
    const common = { platform, log }
    const delivery =
      tellers.get(platform) ?? new Notifier({ ...common, outbox, views, onTold, now: millis })
    tellers.set(platform, delivery)
    const isIdle = () => delivery.isIdle
    const liveMessageUpdater = new LiveMessageUpdater({
      ...common,
      messages,
      assets,
      cards: parts.cards,
      units,
      isIdle,
      now,
    })
    delivery.start()
    liveMessageUpdater.start()
    const stop = async () => {
      await Promise.all([liveMessageUpdater.stop(), delivery.stop()])
    }
    return { stop }
  }
  return {
    alerts: new Alerts({ follows, messengers: adapters, now }),
    startWatcher: () => {
      const begun = new Watcher({ ...finding, api })
      watcher = begun
      begun.start()
      const stop = () => {
        // From now on others may watch, and what this one saw says nothing any more.
        if (watcher === begun) watcher = undefined
        return begun.stop()
      }
      return { stop }
    },
    startDigest: () => {
      const digests = new DigestScheduler({ ...finding, assets })
      digests.start()
      return digests
    },
    startNotifier: telling,
    sweep: async () =>
      (await outbox.prune()) +
      (await follows.prune()) +
      (await messages.prune()) +
      (await assets.prune(now())),
    history: async (chain, asset) => (await assets.find(chain, asset))?.history ?? [],
    lag: () => watcher?.lag() ?? [],
    close: async () => {
      await Promise.all([...tellers.values()].map((delivery) => delivery.close()))
      await api.close()
    },
  }
}
