import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'

/** A value read from the API, with its age. */
export interface Read<Value> {
  value: Value
  /** Seconds since the API gave it. */
  age: number
  /** Set if refreshing the value failed. */
  stale: boolean
}

/** Options of `ReadCache`. */
export interface ReadCacheOptions {
  /** Max cached answers. */
  entries: number
  /** Milliseconds for which an answer, also a "not found", is fresh. */
  freshMs: number
  /** Milliseconds for which an old answer is served if loading fails. */
  staleMs: number
  /** Monotonic clock in milliseconds. */
  now: () => number
}

/** Max characters of all answers in one cache, as JSON. */
const maxCharacters = 32_000_000

type Entry<Value> = { value: Value; at: number; stale: boolean } | { missing: ApiError }
type Load<Value> = () => Promise<Value>

/**
 * Cache of read answers by key: concurrent reads of a key share one load, answers are served from the cache while
 * fresh, and an older one is served, marked as stale, if loading fails.
 * @example
 * const cache = new ReadCache<Asset>({ entries: 300, freshMs: 5000, staleMs: 300_000, now })
 * const { value, stale } = await cache.read(path, () => load(path))
 */
export class ReadCache<Value extends object> {
  readonly #entries: LRUCache<string, Entry<Value>, Load<Value>>
  readonly #options: ReadCacheOptions

  constructor(options: ReadCacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({
      max: options.entries,
      // Most of an answer is untrusted: a few hundred of max size would fill the memory.
      maxSize: maxCharacters,
      sizeCalculation: (entry) => ('value' in entry ? JSON.stringify(entry.value).length : 0) + 1,
      ttl: options.freshMs,
      perf: { now: options.now },
      ttlResolution: 0,
      // A load whose key is evicted still answers its waiting readers.
      ignoreFetchAbort: true,
      fetchMethod: (_key, previous, { context, options: entryOptions }) =>
        this.#load(context, previous, () => {
          entryOptions.ttl = Math.min(options.freshMs, 1000)
        }),
    })
  }

  /**
   * Returns the cached answer or loads it.
   * @throws the error of `load` if there is no answer to serve
   */
  async read(key: string, load: Load<Value>): Promise<Read<Value>> {
    const entry = await this.#entries.forceFetch(key, { context: load })
    if ('missing' in entry) throw entry.missing
    const age = Math.max(0, this.#options.now() - entry.at) / 1000
    return { value: entry.value, age, stale: entry.stale }
  }

  async #load(
    load: Load<Value>,
    old: Entry<Value> | undefined,
    retrySoon: () => void,
  ): Promise<Entry<Value>> {
    const { now, staleMs } = this.#options
    try {
      return { value: await load(), at: now(), stale: false }
    } catch (error) {
      if (isMissing(error)) return { missing: error }
      if (!old || 'missing' in old || now() - old.at > staleMs || isRefusal(error)) throw error
      retrySoon()
      return { ...old, stale: true }
    }
  }
}

function isMissing(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'not-found'
}

function isRefusal(error: unknown): boolean {
  return !(error instanceof ApiError) || error.kind === 'invalid'
}
