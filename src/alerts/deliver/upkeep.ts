import { setTimeout as delay, setImmediate as others } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Units } from '../../api/units.ts'
import type { Cards } from '../../cards/card.ts'
import { cardFacts } from '../../cards/facts.ts'
import { chainById } from '../../chain/chains.ts'
import { type Platform, SendError } from '../../chat/platform.ts'
import type { View } from '../../chat/view.ts'
import { within } from '../../chat/within.ts'
import type { Logger } from '../../log.ts'
import { liveView } from '../../views/alerts/news.ts'
import type { WatchedAsset, WatchedAssets } from '../watched-assets.ts'
import { digestOf, type LiveMessage, type LiveMessages } from './live-messages.ts'
import { destinationOf } from './sending.ts'

export interface UpkeepParts {
  platform: Pick<Platform, 'name' | 'edit' | 'room' | 'gap'>
  messages: LiveMessages
  assets: Pick<WatchedAssets, 'find'>
  /** Undefined where cards carry no picture. */
  cards: Cards | undefined
  units: Units
  /** No alert waits to be sent, and the platform can be reached. */
  isIdle: () => boolean
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Milliseconds between two edits: at most a fifth of what either platform permits. */
  editPauseMs?: number
  /** Milliseconds between two looks where nothing is due. */
  lookEveryMs?: number
}

const usualEditPauseMs = 200
const usualLookEveryMs = 5000
const together = 20
/** One auction's message stands in many chats. */
const keptViews = 50
const drainMs = 5000

/** Keeps the messages of `live` alerts up to date while nothing else is to be told, and closes them in the end. */
export class Upkeep {
  readonly #parts: Required<UpkeepParts>
  readonly #stopping = new AbortController()
  readonly #views = new LRUCache<string, Promise<View>>({ max: keptViews, ttl: 60_000 })
  #running: Promise<void> | undefined

  constructor(parts: UpkeepParts) {
    this.#parts = { editPauseMs: usualEditPauseMs, lookEveryMs: usualLookEveryMs, ...parts }
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Lets an edit under way end. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#running) await within(this.#running, drainMs)
  }

  async #run(): Promise<void> {
    const { log, lookEveryMs, platform } = this.#parts
    while (!this.#isStopping) {
      try {
        await this.#look()
      } catch (error) {
        log.error({ err: error, platform: platform.name }, 'live messages could not be looked at')
      }
      await this.#pause(lookEveryMs)
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Goes on while there is something due and nothing more urgent. */
  async #look(): Promise<void> {
    const { platform, messages } = this.#parts
    while (this.#mayEdit()) {
      await messages.hasten()
      const due = await messages.due(platform.name, together)
      if (due.length === 0) return
      for (const message of due) {
        if (!this.#mayEdit()) return
        await this.#refresh(message)
        // Where nothing is to be edited nothing else is waited for either.
        await others()
      }
    }
  }

  #mayEdit(): boolean {
    return !this.#isStopping && this.#parts.isIdle()
  }

  async #refresh(message: LiveMessage): Promise<void> {
    const { assets, messages } = this.#parts
    const watched = await assets.find(message.chain, message.asset)
    if (!watched) return messages.forget(message)
    const view = await this.#view(watched).catch((error: unknown) => {
      this.#parts.log.error({ err: error, asset: message.asset }, 'a live message can’t be written')
      return undefined
    })
    // One that can't be written must not keep the others from their turn.
    if (!view) return messages.putOff(message)
    const shown = digestOf(view)
    if (shown !== message.shown) {
      if (!(await this.#hasPlace())) return
      try {
        await this.#edit(message, view)
      } catch (error) {
        return this.#failed(message, error)
      }
    }
    if (messages.isFinal(message, watched.phase)) return messages.forget(message)
    await messages.putOff(message, shown)
    if (watched.phase === 'live') await messages.reopen(message)
  }

  async #edit(message: LiveMessage, view: View): Promise<void> {
    const { platform, messages, editPauseMs } = this.#parts
    const to = destinationOf(message.to)
    await messages.quiet(message, platform.gap(to))
    await platform.edit(to, message.message, view)
    await this.#pause(editPauseMs)
  }

  async #failed(message: LiveMessage, error: unknown): Promise<void> {
    const { log, messages, platform } = this.#parts
    log.debug({ err: error, platform: platform.name }, 'a live message could not be edited')
    if (!(error instanceof SendError)) return messages.putOff(message)
    const isLost = error.final || error.loss !== undefined || error.movedTo !== undefined
    if (isLost) return messages.forget(message)
    await messages.putOff(message, message.shown, error.retryAfter)
  }

  /** Waits for a place within what the platform permits; false where an alert is in more need of it. */
  async #hasPlace(): Promise<boolean> {
    while (this.#mayEdit()) {
      const ms = this.#parts.platform.room()
      if (ms === 0) return true
      await this.#pause(Math.min(ms, 1000))
    }
    return false
  }

  #view(watched: WatchedAsset): Promise<View> {
    const { chain, asset, phase, updatedAt } = watched
    const key = `${chain} ${asset.asset_address} ${phase} ${updatedAt}`
    const known = this.#views.get(key)
    if (known) return known
    const view = this.#make(watched)
    this.#views.set(key, view)
    view.catch(() => this.#views.delete(key))
    return view
  }

  async #make({ asset, chain, history, phase }: WatchedAsset): Promise<View> {
    const { cards, units, now } = this.#parts
    const facts = { asset, chain: chainById(chain), units, now: now(), history, phase }
    const picture = await cards?.of(cardFacts(facts))
    return liveView({ asset, chain, units, now: now(), phase, ...(picture && { picture }) })
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }
}
