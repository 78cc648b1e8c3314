import { LRUCache } from 'lru-cache'
import { isRefused } from '../errors.ts'
import type { Logger } from '../log.ts'
import { sameListing } from './asset.ts'
import type { Asset } from './schema.ts'

/** In milliseconds. */
const [minute, hour] = [60_000, 3_600_000]

/** Options of `ChainCheck`. */
interface ChainCheckOptions {
  /** The chain that the API probably answers for if it ignores the parameter. */
  home: number
  /** Lists a chain's newest assets. */
  listing: (chain: number) => Promise<readonly Asset[]>
  log: Logger
  /** Monotonic clock in milliseconds. */
  now: () => number
}

function emptyIfRefused(error: unknown): readonly Asset[] {
  if (isRefused(error)) return []
  throw error
}

/**
 * Detects whether the API ignores the chain parameter. Assets don't name their chain, so the only sign is that a
 * chain's list equals the home chain's.
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
      // After the first verdict readers don't wait: the old one is served while it is refreshed.
      allowStale: true,
      fetchMethod: async (chain, previous, { options }) => {
        try {
          const [ours, theirs] = await Promise.all([
            // If only the home chain is refused, the API does use the parameter.
            listing(home).catch(emptyIfRefused),
            listing(chain),
          ])
          const ignored = sameListing(ours, theirs)
          // Empty lists prove nothing, and a corrected setting should take effect soon.
          if (ignored || ours.length === 0 || theirs.length === 0) options.ttl = minute
          if (ignored && !previous?.ignored) this.#warn(chain)
          return { ignored }
        } catch (error) {
          if (!previous) throw error
          options.ttl = minute
          return previous
        }
      },
    })
  }

  /**
   * Whether assets listed for this chain are another's. The first reader of a chain waits for two lists, in parallel
   * with its own read.
   * @throws ApiError if there is no list to judge by
   */
  async isIgnored(chain: number): Promise<boolean> {
    if (chain === this.#home) return false
    const { ignored } = await this.#verdicts.forceFetch(chain)
    return ignored
  }

  /** Returns the chains found to be ignored. */
  ignoredChains(): number[] {
    return [...this.#verdicts.entries()].flatMap(([chain, { ignored }]) => (ignored ? [chain] : []))
  }

  #warn(chain: number): void {
    this.#log.warn(
      { chain, home: this.#home },
      'the API lists the same assets for both chains: is API_QUERY_NAMES "chain" right? (npm run doctor)',
    )
  }
}
