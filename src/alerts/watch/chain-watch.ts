import type { Api } from '../../api/client.ts'
import type { Units } from '../../api/units.ts'
import type { ApiError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { WatchedAssets } from '../watched-assets.ts'
import { lookAt } from './pass.ts'
import type { Recorded, Recorder } from './recording.ts'

interface ChainWatchParts {
  api: Pick<Api, 'assets' | 'asset'>
  assets: WatchedAssets
  recorder: Recorder
  units: Units
  chain: number
  /** Seconds from look to look. */
  interval: number
  /** Bytes of all lists in one look; 128 MiB without it. */
  mostBytes?: number
  log: Logger
  /** Unix seconds. */
  now: () => number
  onNews: () => void
  /** Anything from 0 to 1; `Math.random` without it. */
  chance?: () => number
}

/** Seconds between two tries where the interface keeps failing. */
const longestPause = 300
/** Seconds for which the interface is left alone at most where it asks for that. */
const longestWish = 3600
/** Looks are spread by this share of the interval to either side, so that chains and bots don't ask in step. */
const jitter = 0.1

/** Looks at one chain again and again, less often while the interface fails. */
export class ChainWatch {
  readonly #parts: ChainWatchParts
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #stopped = new AbortController()
  #running = false
  #failures = 0
  #isFull = false
  #isHeldUp = false
  /** On a clock that never goes back. */
  #seenAt: number | undefined
  #begunAt = performance.now()

  constructor(parts: ChainWatchParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#stopped = new AbortController()
    this.#begunAt = performance.now()
    this.#wake()
  }

  /** Waits for the question that is under way, and stores what was seen by then. */
  async stop(): Promise<void> {
    this.#running = false
    this.#stopped.abort()
    clearTimeout(this.#timer)
    await this.#looking
  }

  /** Seconds since the chain was last seen whole, and since it could have been. */
  lag(): { seconds: number | undefined; unseen: number } {
    const unseen = (performance.now() - (this.#seenAt ?? this.#begunAt)) / 1000
    return { seconds: this.#seenAt === undefined ? undefined : unseen, unseen }
  }

  #wake(): void {
    this.#looking = this.#look().then((seconds) => {
      if (this.#running) this.#timer = setTimeout(() => this.#wake(), seconds * 1000)
    })
  }

  /** Returns the seconds to the next look. */
  async #look(): Promise<number> {
    const { recorder, chain, interval, log, now, onNews, chance = Math.random } = this.#parts
    const usual = interval * (1 + jitter * (2 * chance() - 1))
    try {
      const from = now()
      const begun = await recorder.begun(chain)
      const { signal } = this.#stopped
      const look = await lookAt({ ...this.#parts, place: begun.place, signal })
      // What a first look did not see would be taken for new later.
      if (look.failure === undefined || begun.begunAt !== undefined) {
        this.#tell(await recorder.record(chain, begun, look, from))
        if (this.#isHeldUp) log.info({ chain }, 'what is seen of a chain is stored again')
        this.#isHeldUp = false
      }
      return look.failure ? this.#failed(look.failure, usual) : this.#succeeded(usual)
    } catch (error) {
      // The next look finds again what was not stored; what was is due.
      if (!this.#isHeldUp) {
        log.error({ err: error, chain }, 'what was seen of a chain could not be stored')
      }
      this.#isHeldUp = true
      onNews()
      return usual
    }
  }

  #succeeded(usual: number): number {
    const { log, chain } = this.#parts
    if (this.#failures > 0) log.info({ chain, failures: this.#failures }, 'the chain is seen again')
    this.#failures = 0
    this.#seenAt = performance.now()
    return usual
  }

  #failed(failure: ApiError, usual: number): number {
    const { log, chain } = this.#parts
    if (!this.#running) return usual
    if (this.#failures === 0) log.warn({ err: failure, chain }, 'the chain can’t be seen whole')
    this.#failures += 1
    return pauseAfter(this.#failures, usual, failure.retryAfter)
  }

  #tell({ kinds, deliveries, late, beyond }: Recorded): void {
    const { log, chain, onNews } = this.#parts
    if (beyond > 0 && !this.#isFull) {
      log.warn({ chain, beyond }, 'the chain has more open auctions than are watched')
    }
    this.#isFull = beyond > 0
    const isNews = Object.keys(kinds).length > 0 || late > 0
    log[isNews ? 'info' : 'debug']({ chain, ...kinds, deliveries, late }, 'looked at a chain')
    if (deliveries > 0) onNews()
  }
}

/** Seconds to wait after so many failures in a row, and as long as the interface asks for. */
export function pauseAfter(failures: number, usual: number, wish = 0): number {
  const pause = Math.min(longestPause, usual * 2 ** Math.min(failures, 20))
  return Math.max(pause, Math.min(wish, longestWish))
}
