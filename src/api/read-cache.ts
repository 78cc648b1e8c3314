import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'

/** Options of `ReadCache`. */
interface ReadCacheOptions {
  /** Max cached answers. */
  entries: number
  /** Milliseconds for which an answer, also a "not found", is fresh; 0: each read loads anew, unless it is loaded already. */
  freshMs: number
  /** Milliseconds for which an old answer is served if loading fails. */
  staleMs: number
  /** Monotonic clock in milliseconds. */
  now: () => number
}

/** Max bytes of all answers in one cache, as the API sent them. */
const maxCachedBytes = 32_000_000

/** A value, and the bytes of the answer that it was read from. */
interface Loaded<Value> {
  value: Value
  bytes: number
}

type Entry<Value> = (Loaded<Value> & { at: number; stale: boolean }) | { missing: ApiError }

type Load<Value> = () => Promise<Loaded<Value>>

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
      maxSize: maxCachedBytes,
      sizeCalculation: (entry) => ('value' in entry ? entry.bytes : 0) + 1,
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
   * Returns the cached answer or loads it. `age` is in seconds; `stale`: loading it anew failed.
   * @throws the error of `load` if there is no answer to serve
   */
  async read(
    key: string,
    load: Load<Value>,
  ): Promise<{ value: Value; age: number; stale: boolean }> {
    // Without a time to live the library would keep an entry for ever.
    const forceRefresh = this.#options.freshMs === 0
    const entry = await this.#entries.forceFetch(key, { context: load, forceRefresh })
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
      return { ...(await load()), at: now(), stale: false }
    } catch (error) {
      if (isMissing(error)) return { missing: error }
      if (!old || 'missing' in old || now() - old.at > staleMs || isRefusal(error)) throw error
      retrySoon()
      return { ...old, stale: true }
    }
  }
}

/** Whether the API answered that there is no such thing. */
export function isMissing(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'not-found'
}

function isRefusal(error: unknown): boolean {
  return !(error instanceof ApiError) || error.kind === 'invalid'
}
