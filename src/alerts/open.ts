import { Api, type ApiOptions } from '../api/client.ts'
import type { Units } from '../api/units.ts'
import type { Cards } from '../cards/card.ts'
import type { Platform } from '../chat/platform.ts'
import type { Logger } from '../log.ts'
import { type Settled, StoredOutbox } from '../queue/outbox-rows.ts'
import type { Bulletin } from '../replicas/bulletin.ts'
import type { Duty } from '../replicas/roles.ts'
import type { Store } from '../store/database.ts'
import { Delivery } from './deliver/delivery.ts'
import { LiveMessages, rememberLive } from './deliver/live-messages.ts'
import { NewsViews } from './deliver/news-views.ts'
import { Upkeep } from './deliver/upkeep.ts'
import { DigestClock } from './digest/digest-clock.ts'
import { Alerts } from './follow/alerts.ts'
import { Follows } from './follow/follows.ts'
import type { Point } from './point.ts'
import { type Lag, Watcher } from './watch/watcher.ts'
import { WatchedAssets } from './watched-assets.ts'

type Messengers = Readonly<Record<Platform['name'], Platform | undefined>>

/** What alerts are put together from. */
export interface AlertParts {
  store: Store
  /** How the interface is asked. */
  api: Pick<ApiOptions, 'baseUrl' | 'key' | 'queryNames' | 'chains' | 'onCall' | 'onLimited'>
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
  messengers: Messengers
  /** By it those who tell learn of what others watch. */
  bulletin: Bulletin
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
  watching(): Duty
  /** Writes daily summaries; one replica at a time does. */
  summing(): Duty
  /** Tells on a platform: one replica at a time does, so that what the platform permits is kept to. */
  telling(platform: Platform): Duty
  /** Forgets what is old or used by nobody; returns how many rows. */
  sweep(): Promise<number>
  /** The recorded course of an asset, oldest first; none where it was never seen. */
  history(chain: number, asset: string): Promise<readonly Point[]>
  /** How long ago each chain was seen, where this replica watches. */
  lag(): Lag[]
  /** Once nothing is under way any more. */
  close(): Promise<void>
}

/** Puts the parts of alerts together. */
export function openAlerts(parts: AlertParts): OpenedAlerts {
  const { store, units, settings, messengers, bulletin, log, now: millis = Date.now } = parts
  const now = () => Math.floor(millis() / 1000)
  const follows = new Follows({ store, now, perChat: settings.perChat })
  const assets = new WatchedAssets(store)
  const outbox = new StoredOutbox(store, millis, { log, onSettled: parts.onSettled })
  const messages = new LiveMessages(store, now)
  // What commands may answer with is too old to find news in.
  const api = new Api({ ...parts.api, log, cacheMs: 1, staleMs: 0 })
  const tellers = new Set<Delivery>()
  const wake = () => {
    for (const delivery of tellers) delivery.wake()
  }
  bulletin.hear('news', wake)
  const finding = {
    follows,
    store,
    units,
    chains: parts.api.chains,
    interval: settings.interval,
    log,
    now,
    onNews: () => {
      wake()
      bulletin.tell('news')
    },
  }
  let watcher: Watcher | undefined
  const views = new NewsViews({ store, assets, cards: parts.cards, units, log, now })
  const telling = (platform: Platform): Duty => {
    const common = { platform, log }
    const onTold = rememberLive(messages)
    const delivery = new Delivery({ ...common, outbox, views, onTold, now: millis })
    const isIdle = () => delivery.isIdle
    const upkeep = new Upkeep({
      ...common,
      messages,
      assets,
      cards: parts.cards,
      units,
      isIdle,
      now,
    })
    delivery.start()
    upkeep.start()
    tellers.add(delivery)
    const stop = async () => {
      tellers.delete(delivery)
      await Promise.all([upkeep.stop(), delivery.stop()])
    }
    return { stop }
  }
  return {
    alerts: new Alerts({ follows, messengers, now }),
    watching: () => {
      const begun = new Watcher({ ...finding, api })
      watcher = begun
      begun.start()
      return begun
    },
    summing: () => {
      const digests = new DigestClock({ ...finding, assets })
      digests.start()
      return digests
    },
    telling,
    sweep: async () =>
      (await outbox.prune()) +
      (await follows.prune()) +
      (await messages.prune()) +
      (await assets.prune(now())),
    history: async (chain, asset) => (await assets.find(chain, asset))?.history ?? [],
    lag: () => watcher?.lag() ?? [],
    close: () => api.close(),
  }
}
