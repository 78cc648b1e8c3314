import { type ReadAssets, readAsset, readAssets, readAuction } from '../api/answers.ts'
import { maxLimit } from '../api/requests.ts'
import type { Asset, AuctionSummary } from '../api/schema.ts'
import type { Query, Transport } from '../api/transport.ts'
import { ApiError } from '../errors.ts'

/** A question that got no answer: why, and how the refusal began, which is a stranger's text. */
export interface NoAnswer {
  error: ApiError
  refusal: string
}

/** An answer or why there is none; a doctor has no use for exceptions. */
export type Answer<Value> = { value: Value } | NoAnswer

const mostFailures = 3

/**
 * Asks the interface one question at a time, the same one only once, and stops asking when it has failed to answer some
 * of them.
 */
export class Probe {
  readonly #transport: Pick<Transport, 'get'>
  readonly #failures: NoAnswer[] = []
  readonly #lists = new Map<string, Answer<ReadAssets>>()
  readonly #assets = new Map<string, Answer<Asset>>()
  readonly #auctions = new Map<string, Answer<AuctionSummary>>()
  #refusal = ''
  #asked = 0

  constructor(transport: Pick<Transport, 'get'>) {
    this.#transport = transport
  }

  /** How many questions were put. */
  get asked(): number {
    return this.#asked
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
    return this.#ask(`/assets/${encodeURIComponent(address)}`, query, this.#assets, readAsset)
  }

  auction(pool: string, query: Query): Promise<Answer<AuctionSummary>> {
    return this.#ask(`/auctions/${encodeURIComponent(pool)}`, query, this.#auctions, readAuction)
  }

  async #ask<Value>(
    path: string,
    query: Query,
    known: Map<string, Answer<Value>>,
    read: (body: unknown) => Value,
  ): Promise<Answer<Value>> {
    const key = `${path} ${JSON.stringify(Object.entries(query).sort())}`
    const before = known.get(key)
    if (before) return before
    const failure = this.#failures[mostFailures - 1]
    if (failure) return failure
    const answer = await this.#put(path, query, read)
    if ('error' in answer && ['unavailable', 'rate-limited'].includes(answer.error.kind)) {
      this.#failures.push(answer)
    } else {
      known.set(key, answer)
    }
    return answer
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
