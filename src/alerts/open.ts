import { Api, type ApiOptions } from '../api/client.ts'
import type { Units } from '../api/units.ts'
import type { CardPictures } from '../cards/card-pictures.ts'
import type { Adapter, ChatChange, Loss } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import type { Task } from '../core/task.ts'
import { chunks } from '../core/text.ts'
import type { QuietHours } from '../db/chat-settings.ts'
import type { Store } from '../db/schema.ts'
import type { Logger } from '../log.ts'
import type { Link } from '../setting-forms.ts'
import type { AlertBuilderParts } from './alert-builder.ts'
import type { Point } from './asset.ts'
import { ChatAlerts, ManagedChats } from './chat-alerts.ts'
import { chatRows, resumeChats } from './chats.ts'
import { pruneEvents } from './delivery-queries.ts'
import { DigestScheduler } from './digest-scheduler.ts'
import { LiveMessages, LiveMessageUpdater } from './live-messages.ts'
import { LocalClock } from './local-time.ts'
import { Notifier } from './notifier.ts'
import { Outbox, type ResultCount } from './outbox.ts'
import type { DeliveredMessage } from './sending.ts'
import { WatchedAssets } from './snapshot.ts'
import { Subscriptions } from './subscriptions.ts'
import { NotificationViews } from './views/notification.ts'
import { type Lag, Watcher } from './watcher.ts'

/** Dependencies of the alerts. */
interface AlertParts {
  store: Store
  /** Options of the API client. */
  api: Omit<ApiOptions, 'log'>
  units: Units
  settings: {
    /** Seconds between two polls of a chain. */
    interval: number
    /** Maximum subscriptions of one chat. */
    perChat: number
  }
  /** Whether the API calls an asset a fake, which is not told as a new auction; without it none is. */
  isFake?: AlertBuilderParts['isFake']
  /** The operator's links below alerts. */
  links: readonly Link[]
  /** The quiet hours of a chat; undefined if it has none. */
  quietHours?: (platform: PlatformName, chat: string) => QuietHours | undefined
  /** Undefined if pictures are disabled. */
  pictures: CardPictures | undefined
  /** Must be complete before anything is sent. */
  adapters: Readonly<Record<PlatformName, Adapter | undefined>>
  log: Logger
  onPermitted?: ConstructorParameters<typeof ChatAlerts>[0]['onPermitted']
  /** Unix milliseconds; `Date.now` by default. */
  now?: () => number
  /** Called with the results of deliveries, for metrics. */
  onResult?: (results: ResultCount) => void
  /** Called for each chat whose alerts are paused, for metrics. */
  onPaused?: (platform: PlatformName, loss: Loss) => void
  /** Called with the seconds from each event to its message in a chat, for metrics. */
  onSent?: (platform: PlatformName, seconds: number) => void
}

/** Alerts, as the rest of the bot uses them. */
export interface OpenedAlerts {
  alerts: ChatAlerts
  /** Polls every chain; only the leader does. */
  startWatcher(): Task
  /** Writes daily digests; only the leader does. */
  startDigest(): Task
  /** Sends notifications on a platform; only the leader does. */
  startNotifier(platform: Adapter): Task
  /** Pauses, resumes or moves alerts as their chats change. */
  onChatChange(platform: PlatformName, change: ChatChange): Promise<void>
  /** Sends what waits for the end of a chat's quiet hours when they end now. */
  onQuietHours(platform: PlatformName, chat: string): Promise<void>
  /** Deletes old and unused rows, deliveries this many days after they were of use; returns how many. */
  prune(days: number): Promise<number>
  /** The recorded history of an asset, oldest first; empty if it was never seen. */
  history(chain: number, asset: string): Promise<readonly Point[]>
  /** The time since each chain was polled; empty if this process does not poll. */
  lag(): Lag[]
  /**
   * Ends everything. To be called when the process ends, once all tasks have stopped: a send in progress whose result
   * can't be stored then may be repeated.
   */
  close(): Promise<void>
}

/** Creates the parts of alerts and connects them. Nothing runs until a `start…` method is called. */
export function openAlerts(parts: AlertParts): OpenedAlerts {
  const { store, units, settings, adapters, log, now: millis = Date.now } = parts
  const now = () => Math.floor(millis() / 1000)
  const subscriptions = new Subscriptions({ store, now, perChat: settings.perChat })
  const assets = new WatchedAssets(store)
  const managed = new ManagedChats(store, now)
  const outbox = new Outbox(store, millis, parts)
  const messages = new LiveMessages(store, now)
  // A client of its own without a cache: answers that are good enough for commands are too old to detect events.
  const api = new Api({ ...parts.api, log, cacheMs: 0, staleMs: 0 })
  const clock = new LocalClock()
  // One notifier per platform, reused when this process becomes the leader again: it may still hold results that are not
  // stored.
  const notifiers = new Map<Adapter, Notifier>()
  const wake = () => {
    for (const notifier of notifiers.values()) notifier.wake()
  }
  const shared = {
    subscriptions,
    store,
    units,
    chains: parts.api.chains,
    interval: settings.interval,
    log,
    now,
    onEvents: wake,
  }
  let watcher: Watcher | undefined
  const views = new NotificationViews({
    store,
    assets,
    pictures: parts.pictures,
    units,
    links: parts.links,
    log,
    now,
  })
  const onDelivered = (delivered: DeliveredMessage) => messages.onDelivered(delivered)
  const startNotifier = (platform: Adapter): Task => {
    const common = { platform, log }
    const notifier =
      notifiers.get(platform) ??
      new Notifier({
        ...common,
        outbox,
        views,
        onDelivered,
        onSent: parts.onSent,
        isFake: parts.isFake,
        quietUntil: ({ id }) => {
          const hours = parts.quietHours?.(platform.name, id)
          return hours && clock.quietUntil(hours, now())
        },
        now: millis,
      })
    notifiers.set(platform, notifier)
    const isIdle = () => notifier.isIdle
    const liveMessageUpdater = new LiveMessageUpdater({
      ...common,
      messages,
      assets,
      pictures: parts.pictures,
      units,
      links: parts.links,
      isIdle,
      now,
    })
    notifier.start()
    liveMessageUpdater.start()
    const stop = async () => {
      await Promise.all([liveMessageUpdater.stop(), notifier.stop()])
    }
    return { stop }
  }
  return {
    alerts: new ChatAlerts({
      subscriptions,
      managed,
      adapters,
      onPermitted: parts.onPermitted,
      now,
    }),
    startWatcher: () => {
      const started = new Watcher({ ...shared, api, budget: parts.api.budget })
      watcher = started
      const stop = () => {
        // Another process may poll from now on, so the lag of this one means nothing any more.
        if (watcher === started) watcher = undefined
        return started.stop()
      }
      return { stop }
    },
    startDigest: () => new DigestScheduler({ ...shared, assets }),
    startNotifier,
    onChatChange: (platform, change) => applyChatChange({ store, outbox, log }, platform, change),
    onQuietHours: async (platform, chat) => {
      try {
        await outbox.endQuiet(platform, chat)
        wake()
      } catch (err) {
        log.warn({ err }, 'held alerts keep the old end of quiet hours')
      }
    },
    prune: async (days) =>
      (await pruneEvents(store, now() - days * 86_400)) +
      (await subscriptions.prune()) +
      (await messages.prune()) +
      (await managed.prune()) +
      (await assets.prune(now())),
    history: async (chain, asset) => (await assets.find(chain, asset))?.history ?? [],
    lag: () => watcher?.lag() ?? [],
    close: async () => {
      await Promise.all([...notifiers.values()].map((notifier) => notifier.close()))
      await api.close()
    },
  }
}

interface ChatChangeParts {
  store: Store
  outbox: Pick<Outbox, 'pause' | 'migrate'>
  log: Logger
}

/** Chats per statement. */
const batchSize = 500

/**
 * Lets the alerts of chats follow what became of them, without waiting for one that can't be sent: those of lost chats are
 * paused, those of chats that are back are resumed, and those of a migrated chat go to its new id.
 */
export async function applyChatChange(
  { store, outbox, log }: ChatChangeParts,
  platform: PlatformName,
  change: ChatChange,
): Promise<void> {
  if (change.kind === 'migrated') {
    const { chat, to } = change
    const rows = await chatRows(store, platform, [chat])
    for (const { id } of rows) await outbox.migrate(id, to)
    // The bot is in the new one, whatever became of the old one.
    await resumeChats(store, platform, [to])
    const numbers = rows.map(({ id }) => id)
    if (rows.length > 0) log.info({ platform, chats: numbers }, 'a chat has migrated to another id')
    return
  }
  for (const chats of chunks(change.chats, batchSize)) {
    if (change.kind === 'back') {
      const resumed = await resumeChats(store, platform, chats)
      if (resumed > 0)
        log.info({ platform, count: resumed }, 'chats are reachable again: their alerts resume')
      continue
    }
    const { loss } = change
    const rows = await chatRows(store, platform, chats)
    const reached = rows.filter(({ paused }) => paused === null)
    for (const { id } of reached) await outbox.pause(id, loss)
    if (reached.length === 0) continue
    const numbers = reached.map(({ id }) => id)
    log.info({ platform, loss, chats: numbers }, 'chats are unreachable: their alerts are paused')
  }
}
