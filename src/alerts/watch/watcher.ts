import type { Api } from '../../api/client.ts'
import type { Units } from '../../api/units.ts'
import type { Logger } from '../../log.ts'
import type { Store } from '../../store/database.ts'
import type { Follows } from '../follow/follows.ts'
import { WatchedAssets } from '../watched-assets.ts'
import { ChainWatch } from './chain-watch.ts'
import { Recorder } from './recording.ts'

interface WatcherParts {
  /** One of its own, that keeps no answers: an old one is no news. */
  api: Pick<Api, 'assets' | 'asset'>
  follows: Pick<Follows, 'inUse' | 'remember'>
  store: Store
  units: Units
  chains: readonly number[]
  /** Seconds from look to look. */
  interval: number
  /** Bytes of all lists in one look at a chain; 128 MiB without it. */
  mostBytes?: number
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Called when there is something to deliver. */
  onNews: () => void
}

/** How long ago a chain was seen. */
export interface Lag {
  chain: number
  /** Since it was last seen whole; undefined where it was not since the start. */
  seconds: number | undefined
  /** The same, and since the start where it was not. */
  unseen: number
}

/** Looks at every chain's auctions again and again, and stores what is news together with what was seen. */
export class Watcher {
  readonly #watches: ReadonlyMap<number, ChainWatch>

  constructor(parts: WatcherParts) {
    const assets = new WatchedAssets(parts.store)
    const recorder = new Recorder(parts)
    this.#watches = new Map(
      parts.chains.map((chain) => [chain, new ChainWatch({ ...parts, assets, recorder, chain })]),
    )
  }

  start(): void {
    for (const watch of this.#watches.values()) watch.start()
  }

  /** Waits for looks under way; what they saw is stored. */
  async stop(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.stop()))
  }

  lag(): Lag[] {
    return [...this.#watches].map(([chain, watch]) => ({ chain, ...watch.lag() }))
  }
}
