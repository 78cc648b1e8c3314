import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'

/** A value read from the interface, with what one must know about its age. */
export interface Read<Value> {
  value: Value
  /** Seconds since the interface gave it. */
  age: number
  /** The interface failed to give a newer one when it was due. */
  stale: boolean
}

/** How much is kept, and for how long. */
export interface ReadCacheOptions {
  /** How many answers are kept. */
  entries: number
  /** Milliseconds for which an answer, also that there is none, is taken as current. */
  freshMs: number
  /** Milliseconds for which an answer is served where the interface fails. */
  staleMs: number
  /** Milliseconds on a clock that never goes back. */
  now: () => number
}

/** Over all answers of one cache, counted as JSON. */
const maxCharacters = 32_000_000

type Entry<Value> = { value: Value; at: number; stale: boolean } | { missing: ApiError }
type Load<Value> = () => Promise<Value>

/**
 * Answers of reads by key: identical reads under way share one load, an answer is kept for a while, and one that has
 * grown old is served, marked, where loading fails.
 */
export class ReadCache<Value extends object> {
  readonly #entries: LRUCache<string, Entry<Value>, Load<Value>>
  readonly #options: ReadCacheOptions

  constructor(options: ReadCacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({
      max: options.entries,
      // Strangers write most of an answer: a few hundred of the largest would fill the memory.
      maxSize: maxCharacters,
      sizeCalculation: (entry) => ('value' in entry ? JSON.stringify(entry.value).length : 0) + 1,
      ttl: options.freshMs,
      perf: { now: options.now },
      ttlResolution: 0,
      // A load that loses its place to newer keys still answers those who wait for it.
      ignoreFetchAbort: true,
      fetchMethod: (_key, old, { context, options: set }) =>
        this.#load(context, old, () => {
          set.ttl = Math.min(options.freshMs, 1000)
        }),
    })
  }

  /** Throws what `load` throws where there is nothing to serve. */
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
