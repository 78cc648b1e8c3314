import { LRUCache } from 'lru-cache'
import { isRefused } from '../errors.ts'
import type { Logger } from '../log.ts'
import { sameListing } from './guard.ts'
import type { Asset } from './schema.ts'

/** What a check of chains goes by. */
export interface ChainCheckOptions {
  /** The chain that the interface is taken to answer for where it ignores the one asked for. */
  home: number
  /** The newest assets that the interface lists for a chain. */
  listing: (chain: number) => Promise<readonly Asset[]>
  log: Logger
  /** Milliseconds on a clock that never goes back. */
  now: () => number
}

function nothingIfRefused(error: unknown): readonly Asset[] {
  if (isRefused(error)) return []
  throw error
}

const hour = 3_600_000
const minute = 60_000

/**
 * Finds out whether the interface minds which chain it is asked for. No field of an asset names its chain, so the only
 * sign of an ignored query name is that a chain's listing is the home chain's listing.
 */
export class ChainCheck {
  readonly #home: number
  readonly #verdicts: LRUCache<number, { ignored: boolean }>
  readonly #log: Logger

  constructor({ home, listing, log, now }: ChainCheckOptions) {
    this.#home = home
    this.#log = log
    this.#verdicts = new LRUCache({
      max: 100,
      ttl: hour,
      perf: { now },
      ttlResolution: 0,
      ignoreFetchAbort: true,
      // After the first verdict nobody waits: the old one serves while it is looked at again.
      allowStale: true,
      fetchMethod: async (chain, old, { options }) => {
        try {
          const [ours, theirs] = await Promise.all([
            // If the first chain is refused and another is not, the interface does mind which one is asked for.
            listing(home).catch(nothingIfRefused),
            listing(chain),
          ])
          const ignored = sameListing(ours, theirs)
          // Nothing listed proves nothing, and an operator who has mended the name should not wait for an hour.
          if (ignored || ours.length === 0 || theirs.length === 0) options.ttl = minute
          if (ignored && !old?.ignored) this.#warn(chain)
          return { ignored }
        } catch (error) {
          if (!old) throw error
          options.ttl = minute
          return old
        }
      },
    })
  }

  /**
   * Whether assets listed for this chain are in truth another's. Costs the first reader of a chain two listings, side by
   * side with its own read, and others nothing; throws where the interface gives no listing to judge by.
   */
  async ignored(chain: number): Promise<boolean> {
    if (chain === this.#home) return false
    const { ignored } = await this.#verdicts.forceFetch(chain)
    return ignored
  }

  /** The chains found to be ignored. */
  found(): number[] {
    return [...this.#verdicts.entries()].flatMap(([chain, { ignored }]) => (ignored ? [chain] : []))
  }

  #warn(chain: number): void {
    this.#log.warn(
      { chain, home: this.#home },
      'the interface lists the same assets for both chains: is API_QUERY_NAMES "chain" right? (npm run doctor)',
    )
  }
}
