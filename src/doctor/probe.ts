import { type ReadAssets, readAsset, readAssets, readAuction } from '../api/answers.ts'
import type { Query, Transport } from '../api/http.ts'
import { maxLimit } from '../api/requests.ts'
import type { Asset, AuctionSummary } from '../api/schema.ts'
import { ApiError } from '../errors.ts'

/** A question that got no answer: why, and how the refusal began, which is a stranger's text. */
export interface NoAnswer {
  error: ApiError
  refusal: string
  /** It was not even asked: the doctor had asked enough. */
  isUnasked?: true
}

/** An answer or why there is none; a doctor has no use for exceptions. */
export type Answer<Value> = { value: Value } | NoAnswer

/** How much an interface is asked in one run, however slowly it answers. */
export interface ProbeLimits {
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  /** Milliseconds after which no question is begun. */
  maxMs: number
  maxQuestions: number
}

/** More than any interface that answers at a usual pace takes: some 300 questions, a second each. */
const defaultLimits: ProbeLimits = {
  now: () => performance.now(),
  maxMs: 10 * 60_000,
  maxQuestions: 600,
}

const maxFailures = 3

/**
 * Asks the interface one question at a time, the same one only once, and stops asking when it has failed to answer some
 * of them, or at the limits.
 */
export class Probe {
  readonly #transport: Pick<Transport, 'get'>
  readonly #failures: NoAnswer[] = []
  readonly #lists = new Map<string, Answer<ReadAssets>>()
  readonly #assets = new Map<string, Answer<Asset>>()
  readonly #auctions = new Map<string, Answer<AuctionSummary>>()
  readonly #limits: ProbeLimits
  readonly #begun: number
  readonly #unasked = new Map<string, string>()
  #refusal = ''
  #asked = 0

  constructor(transport: Pick<Transport, 'get'>, limits: Partial<ProbeLimits> = {}) {
    this.#transport = transport
    this.#limits = { ...defaultLimits, ...limits }
    this.#begun = this.#limits.now()
  }

  /** How many questions were put. */
  get asked(): number {
    return this.#asked
  }

  /** What the questions that came after a limit were put to: one path for each. */
  get unasked(): readonly string[] {
    return [...this.#unasked.values()]
  }

  /** Takes what the refusal of the present question says. */
  hear(refusal: string): void {
    this.#refusal = refusal
  }

  list(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/', query, this.#lists, (body) => readAssets(body, maxLimit))
  }

  search(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/search', query, this.#lists, (body) => readAssets(body, maxLimit))
  }

  asset(address: string, query: Query): Promise<Answer<Asset>> {
    const path = `/assets/${encodeURIComponent(address)}`
    return this.#ask(path, query, this.#assets, readAsset, '/assets/{address}')
  }

  auction(pool: string, query: Query): Promise<Answer<AuctionSummary>> {
    const path = `/auctions/${encodeURIComponent(pool)}`
    return this.#ask(path, query, this.#auctions, readAuction, '/auctions/{pool}')
  }

  async #ask<Value>(
    path: string,
    query: Query,
    known: Map<string, Answer<Value>>,
    read: (body: unknown) => Value,
    shownPath = path,
  ): Promise<Answer<Value>> {
    const key = `${path} ${JSON.stringify(Object.entries(query).sort())}`
    const before = known.get(key)
    if (before) return before
    const failure = this.#failures[maxFailures - 1]
    if (failure) return failure
    if (this.#isSpent()) {
      this.#unasked.set(key, shownPath)
      const error = new ApiError('unavailable', 'not asked: the doctor had asked enough')
      return { error, refusal: '', isUnasked: true }
    }
    const answer = await this.#put(path, query, read)
    if ('error' in answer && ['unavailable', 'rate-limited'].includes(answer.error.kind)) {
      this.#failures.push(answer)
    } else {
      known.set(key, answer)
    }
    return answer
  }

  #isSpent(): boolean {
    const { now, maxMs, maxQuestions } = this.#limits
    return this.#asked >= maxQuestions || now() - this.#begun >= maxMs
  }

  async #put<Value>(
    path: string,
    query: Query,
    read: (body: unknown) => Value,
  ): Promise<Answer<Value>> {
    this.#asked += 1
    this.#refusal = ''
    try {
      return { value: read(await this.#transport.get(path, query)) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { error, refusal: this.#refusal }
    }
  }
}

/** A question that was understood, and refused as it is. */
type Refused = NoAnswer & { error: { kind: 'invalid' | 'not-found' } }

/** Whether the question was refused, so that another may be answered. */
export function isRefused(answer: Answer<unknown>): answer is Refused {
  return 'error' in answer && ['invalid', 'not-found'].includes(answer.error.kind)
}
