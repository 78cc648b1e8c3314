import { Api, type ApiOptions } from '../api/client.ts'
import type { Units } from '../api/units.ts'
import type { Cards } from '../cards/card.ts'
import type { Platform } from '../chat/platform.ts'
import type { Logger } from '../log.ts'
import { StoredOutbox } from '../queue/outbox-rows.ts'
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
  api: Pick<ApiOptions, 'baseUrl' | 'key' | 'queryNames' | 'chains'>
  units: Units
  settings: {
    /** Seconds between two looks at a chain. */
    interval: number
    /** How many rules one chat may follow. */
    perChat: number
  }
  /** Undefined where cards carry no picture. */
  cards: Cards | undefined
  /** Filled in before the start. */
  messengers: Messengers
  log: Logger
  /** Unix milliseconds; the clock without it. */
  now?: () => number
}

/** Alerts, as the bot's other parts see them. */
export interface OpenedAlerts {
  alerts: Alerts
  /** Begins to watch, and to tell on every platform that is there. */
  start(): void
  /** Ends that: sends under way end, and what was claimed is given back. */
  stop(): Promise<void>
  /** Forgets what is old or used by nobody; returns how many rows. */
  sweep(): Promise<number>
  /** The recorded course of an asset, oldest first; none where it was never seen. */
  history(chain: number, asset: string): Promise<readonly Point[]>
  /** How long ago each chain was seen. */
  lag(): Lag[]
}

/** Puts the parts of alerts together. */
export function openAlerts(parts: AlertParts): OpenedAlerts {
  const { store, units, settings, messengers, log, now: millis = Date.now } = parts
  const now = () => Math.floor(millis() / 1000)
  const follows = new Follows({ store, now, perChat: settings.perChat })
  const assets = new WatchedAssets(store)
  const outbox = new StoredOutbox(store, millis, { log })
  const messages = new LiveMessages(store, now)
  // What commands may answer with is too old to find news in.
  const api = new Api({ ...parts.api, log, cacheMs: 1, staleMs: 0 })
  const tellers: Teller[] = []
  const finding = {
    follows,
    store,
    units,
    chains: parts.api.chains,
    interval: settings.interval,
    log,
    now,
    onNews: () => {
      for (const { delivery } of tellers) delivery.wake()
    },
  }
  const watcher = new Watcher({ ...finding, api })
  const digests = new DigestClock({ ...finding, assets })
  const views = new NewsViews({ store, assets, cards: parts.cards, units, log, now })
  const teller = (platform: Platform): Teller => {
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
    return { delivery, upkeep }
  }
  return {
    alerts: new Alerts({ follows, messengers, now }),
    start: () => {
      for (const platform of [messengers.telegram, messengers.discord]) {
        if (platform) tellers.push(teller(platform))
      }
      for (const { delivery, upkeep } of tellers) {
        delivery.start()
        upkeep.start()
      }
      watcher.start()
      digests.start()
    },
    stop: async () => {
      await Promise.all([watcher.stop(), digests.stop()])
      await Promise.all(tellers.flatMap(({ delivery, upkeep }) => [upkeep.stop(), delivery.stop()]))
      await api.close()
    },
    sweep: async () =>
      (await outbox.prune()) +
      (await follows.prune()) +
      (await messages.prune()) +
      (await assets.prune(now())),
    history: async (chain, asset) => (await assets.find(chain, asset))?.history ?? [],
    lag: () => watcher.lag(),
  }
}

/** What tells on one platform. */
interface Teller {
  delivery: Delivery
  upkeep: Upkeep
}
