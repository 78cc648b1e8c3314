import { LRUCache } from 'lru-cache'
import type { Api } from '../api/client.ts'
import type { KeyBudget } from '../api/http.ts'
import { ApiError, isRefused } from '../errors.ts'

/** Milliseconds for which a verdict is kept, and that there is none of an asset. */
const freshMs = 300_000
const maxVerdicts = 2_000
/** Different assets that are refused in a row until the API counts as one without the endpoint. */
const maxRefused = 3
/** Milliseconds without a question after an answer that is no verdict: not every API has the endpoint. */
const offMs = 3_600_000
/** The same after no answer: the API as a whole may be away. */
const unansweredMs = 300_000

interface AuthenticityParts {
  api: Pick<Api, 'authenticity'>
  /** The API's limit of calls; none by default. */
  budget?: Pick<KeyBudget, 'isScarce'> | undefined
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** The API's verdict on a token: authentic, or a fake, and why. */
export interface Verdict {
  isFake: boolean
  /** In the API's words, which may be anybody's. */
  reasons: readonly string[]
  /** The milliseconds of the clock until which it is kept. */
  until: number
}

/** A question, and its answer once there is one. */
interface Asked {
  asking: Promise<Verdict | undefined>
  verdict?: Verdict | undefined
}

function keyOf(asset: string, chain: number): string {
  return `${chain} ${asset.toLowerCase()}`
}

/**
 * Asks the API whether tokens are fakes, such as one that is quoted in a token which only looks like the right one. The answers are kept
 * for five minutes, also a refusal, which counts for its asset alone: the API may not know a token yet that is seconds old. An API
 * that never says anything else, or answers otherwise, is left alone for an hour.
 */
export class Authenticity {
  readonly #parts: AuthenticityParts
  readonly #now: () => number
  readonly #verdicts: LRUCache<string, Asked>
  /** Assets refused in a row. */
  readonly #refused = new Set<string>()
  #hasAnswered = false
  #offUntil = Number.NEGATIVE_INFINITY

  constructor(parts: AuthenticityParts) {
    const { now = () => performance.now() } = parts
    this.#parts = parts
    this.#now = now
    this.#verdicts = new LRUCache({
      max: maxVerdicts,
      ttl: freshMs,
      ttlResolution: 0,
      perf: { now },
    })
  }

  /** Returns the API's verdict on a token; undefined if there is none. Never rejects. */
  async verdict(asset: string, chain: number): Promise<Verdict | undefined> {
    const key = keyOf(asset, chain)
    const known = this.#verdicts.get(key)
    if (known) return known.asking
    if (this.#now() < this.#offUntil || this.#parts.budget?.isScarce) return undefined
    const asked: Asked = { asking: this.#ask(asset, chain, key) }
    this.#verdicts.set(key, asked)
    asked.verdict = await asked.asking
    return asked.verdict
  }

  /** Returns the verdict of the last minutes without asking, for lists. */
  known(asset: string, chain: number): Verdict | undefined {
    return this.#verdicts.get(keyOf(asset, chain))?.verdict
  }

  async #ask(asset: string, chain: number, key: string): Promise<Verdict | undefined> {
    const until = this.#now() + freshMs
    try {
      const { verdict, failures = [] } = await this.#parts.api.authenticity(asset, chain)
      this.#hasAnswered = true
      const reasons = failures.flatMap(({ message }) => message ?? [])
      return { isFake: verdict === 'fake', reasons, until }
    } catch (error) {
      if (isRefused(error)) this.#noteRefusal(key)
      else {
        this.#verdicts.delete(key)
        const isAnswered =
          error instanceof ApiError && error.kind !== 'unavailable' && error.kind !== 'rate-limited'
        this.#offUntil = this.#now() + (isAnswered ? offMs : unansweredMs)
      }
      return undefined
    }
  }

  #noteRefusal(key: string): void {
    if (this.#hasAnswered) return
    this.#refused.add(key)
    if (this.#refused.size < maxRefused) return
    this.#refused.clear()
    this.#offUntil = this.#now() + offMs
  }
}
