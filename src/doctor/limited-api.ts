import { type ReadAssets, readAssets, readResult } from '../api/asset.ts'
import type { Query, Transport } from '../api/http.ts'
import {
  type Asset,
  type AuctionSummary,
  auctionSummarySchema,
  categories,
  maxLimit,
  type QueryMeaning,
  type QueryNames,
  wireAssetSchema,
} from '../api/schema.ts'
import { ApiError } from '../errors.ts'

/** A failed question: the error, and the start of the error body, which is untrusted. */
export interface NoAnswer {
  error: ApiError
  refusal: string
  /** Set if it was not asked because of the limits. */
  isUnsent?: true
}

/** An answer, or why there is none, instead of an exception. */
export type Answer<Value> = { value: Value } | NoAnswer

/** Limits of one run. */
export interface ApiLimits {
  /** Monotonic clock in milliseconds. */
  now: () => number
  /** Milliseconds after which no question is started. */
  maxMs: number
  maxQuestions: number
}

/** Default limits: more than a normal API needs, about 300 questions of a second each. */
const defaultLimits: ApiLimits = {
  now: () => performance.now(),
  maxMs: 10 * 60_000,
  maxQuestions: 600,
}

const maxFailures = 3

/**
 * Asks the API one question at a time and caches the answers. Stops after some questions without an answer, or at
 * the limits.
 */
export class LimitedApi {
  readonly #transport: Pick<Transport, 'get'>
  readonly #limits: ApiLimits
  readonly #startedAt: number
  readonly #bodies = new Map<string, Answer<unknown>>()
  readonly #failures: NoAnswer[] = []
  readonly #unsent = new Map<string, string>()
  #refusal = ''
  #asked = 0

  constructor(transport: Pick<Transport, 'get'>, limits: Partial<ApiLimits> = {}) {
    this.#transport = transport
    this.#limits = { ...defaultLimits, ...limits }
    this.#startedAt = this.#limits.now()
  }

  /** Returns the number of questions asked. */
  get asked(): number {
    return this.#asked
  }

  /** Returns the paths of questions that were not asked because of the limits, without duplicates. */
  get unsent(): readonly string[] {
    return [...this.#unsent.values()]
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
      this.#unsent.set(key, shownPath)
      const error = new ApiError('unavailable', 'not asked: the doctor had asked enough')
      return { error, refusal: '', isUnsent: true }
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

/** A question that the API understood and refused. */
type Refused = NoAnswer & { error: { kind: 'invalid' | 'not-found' } }

/** Whether the question was refused, so that a different one may be answered. */
export function isRefused(answer: Answer<unknown>): answer is Refused {
  return 'error' in answer && ['invalid', 'not-found'].includes(answer.error.kind)
}

/** A parameter of a question. */
export interface Parameter {
  meaning: QueryMeaning
  name: string
  value: string | number
}

/** The parameters that an API may require with a list of assets. */
export const baseMeanings = ['chain', 'status', 'limit', 'offset'] as const
export type BaseMeaning = (typeof baseMeanings)[number]

export function isBaseMeaning(meaning: QueryMeaning): meaning is BaseMeaning {
  return baseMeanings.some((each) => each === meaning)
}

/**
 * Parameters that are optional in the document and have no neutral value: without them the newest come first, of all
 * categories. The doctor sends them if nothing is answered without; the bot can't.
 */
const optionalMeanings = ['ordering', 'category'] as const
/** Parameters that an API may require, whatever the document says. */
export type RequirableMeaning = BaseMeaning | (typeof optionalMeanings)[number]

export function isOptionalMeaning(
  meaning: QueryMeaning,
): meaning is (typeof optionalMeanings)[number] {
  return optionalMeanings.some((each) => each === meaning)
}

export function isRequirable(meaning: QueryMeaning): meaning is RequirableMeaning {
  return isBaseMeaning(meaning) || isOptionalMeaning(meaning)
}

/**
 * Returns the neutral value of a parameter: all assets, from the start, one full page; for optional ones, any value.
 */
export function neutralValue(meaning: RequirableMeaning, chain: number): string | number {
  const [category] = categories
  return {
    chain,
    status: 'all',
    limit: maxLimit,
    offset: 0,
    ordering: 'market_cap_desc',
    category,
  }[meaning]
}

/** Returns a parameter with its neutral value. */
export function neutralParameter(
  meaning: RequirableMeaning,
  name: string,
  chain: number,
): Parameter {
  return { meaning, name, value: neutralValue(meaning, chain) }
}

/** Returns parameters with these meanings under the configured names. */
export function parametersOf(
  names: QueryNames,
  chain: number,
  meanings: readonly RequirableMeaning[] = baseMeanings,
): Parameter[] {
  return meanings.map((meaning) => neutralParameter(meaning, names[meaning], chain))
}

export function without(
  parameters: readonly Parameter[],
  ...meanings: readonly QueryMeaning[]
): Parameter[] {
  return parameters.filter((parameter) => !meanings.includes(parameter.meaning))
}

export function queryOf(parameters: readonly Parameter[]): Query {
  return Object.fromEntries(parameters.map(({ name, value }) => [name, value]))
}
