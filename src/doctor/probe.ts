import { type ReadAssets, readAssets, readResult } from '../api/answers.ts'
import type { Query, Transport } from '../api/http.ts'
import { maxLimit } from '../api/requests.ts'
import {
  type Asset,
  type AuctionSummary,
  auctionSummarySchema,
  wireAssetSchema,
} from '../api/schema.ts'
import { ApiError } from '../errors.ts'

/** A failed question: the error, and the start of the error body, which is untrusted. */
export interface NoAnswer {
  error: ApiError
  refusal: string
  /** Set if it was not asked because of the limits. */
  isUnasked?: true
}

/** An answer, or why there is none, instead of an exception. */
export type Answer<Value> = { value: Value } | NoAnswer

/** Limits of one run. */
export interface ProbeLimits {
  /** Monotonic clock in milliseconds. */
  now: () => number
  /** Milliseconds after which no question is started. */
  maxMs: number
  maxQuestions: number
}

/** Default limits: more than a normal interface needs, about 300 questions of a second each. */
const defaultLimits: ProbeLimits = {
  now: () => performance.now(),
  maxMs: 10 * 60_000,
  maxQuestions: 600,
}

const maxFailures = 3

/**
 * Asks the interface one question at a time and caches the answers. Stops after some questions without an answer, or at
 * the limits.
 */
export class Probe {
  readonly #transport: Pick<Transport, 'get'>
  readonly #limits: ProbeLimits
  readonly #startedAt: number
  readonly #bodies = new Map<string, Answer<unknown>>()
  readonly #failures: NoAnswer[] = []
  readonly #unasked = new Map<string, string>()
  #refusal = ''
  #asked = 0

  constructor(transport: Pick<Transport, 'get'>, limits: Partial<ProbeLimits> = {}) {
    this.#transport = transport
    this.#limits = { ...defaultLimits, ...limits }
    this.#startedAt = this.#limits.now()
  }

  /** Returns the number of questions asked. */
  get asked(): number {
    return this.#asked
  }

  /** Returns the paths of questions that were not asked because of the limits, without duplicates. */
  get unasked(): readonly string[] {
    return [...this.#unasked.values()]
  }

  /** Stores the error body of the current question. */
  noteRefusal(refusal: string): void {
    this.#refusal = refusal
  }

  list(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/', query, (body) => readAssets(body, maxLimit))
  }

  search(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/search', query, (body) => readAssets(body, maxLimit))
  }

  asset(address: string, query: Query): Promise<Answer<Asset>> {
    const path = `/assets/${encodeURIComponent(address)}`
    return this.#ask(path, query, (body) => readResult(body, wireAssetSchema), '/assets/{address}')
  }

  auction(pool: string, query: Query): Promise<Answer<AuctionSummary>> {
    const path = `/auctions/${encodeURIComponent(pool)}`
    return this.#ask(
      path,
      query,
      (body) => readResult(body, auctionSummarySchema),
      '/auctions/{pool}',
    )
  }

  async #ask<Value>(
    path: string,
    query: Query,
    read: (body: unknown) => Value,
    shownPath = path,
  ): Promise<Answer<Value>> {
    const body = await this.#body(path, query, shownPath)
    if ('error' in body) return body
    try {
      return { value: read(body.value) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { error, refusal: '' }
    }
  }

  async #body(path: string, query: Query, shownPath: string): Promise<Answer<unknown>> {
    const key = `${path} ${JSON.stringify(Object.entries(query).sort())}`
    const known = this.#bodies.get(key) ?? this.#failures[maxFailures - 1]
    if (known) return known
    const { now, maxMs, maxQuestions } = this.#limits
    if (this.#asked >= maxQuestions || now() - this.#startedAt >= maxMs) {
      this.#unasked.set(key, shownPath)
      const error = new ApiError('unavailable', 'not asked: the doctor had asked enough')
      return { error, refusal: '', isUnasked: true }
    }
    this.#asked += 1
    this.#refusal = ''
    try {
      const body = { value: await this.#transport.get(path, query) }
      this.#bodies.set(key, body)
      return body
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const answer = { error, refusal: this.#refusal }
      if (['unavailable', 'rate-limited'].includes(error.kind)) this.#failures.push(answer)
      else this.#bodies.set(key, answer)
      return answer
    }
  }
}

/** A question that the interface understood and refused. */
type Refused = NoAnswer & { error: { kind: 'invalid' | 'not-found' } }

/** Whether the question was refused, so that a different one may be answered. */
export function isRefused(answer: Answer<unknown>): answer is Refused {
  return 'error' in answer && ['invalid', 'not-found'].includes(answer.error.kind)
}
