import { type ReadAssets, readAsset, readAssets, readAuction } from '../api/answers.ts'
import { maxLimit } from '../api/requests.ts'
import type { Asset, AuctionSummary } from '../api/schema.ts'
import type { Query, Transport } from '../api/transport.ts'
import { ApiError } from '../errors.ts'

/** An answer or why there is none; a doctor has no use for exceptions. */
export type Answer<Value> = { value: Value } | { error: ApiError }

const mostFailures = 3

/** Asks the interface one question at a time, and stops asking when it has failed to answer some of them. */
export class Probe {
  readonly #transport: Transport
  readonly #failures: ApiError[] = []
  #asked = 0

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** How many questions were put. */
  get asked(): number {
    return this.#asked
  }

  list(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/', query, (body) => readAssets(body, maxLimit))
  }

  search(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/search', query, (body) => readAssets(body, maxLimit))
  }

  asset(address: string, query: Query): Promise<Answer<Asset>> {
    return this.#ask(`/assets/${encodeURIComponent(address)}`, query, readAsset)
  }

  auction(pool: string, query: Query): Promise<Answer<AuctionSummary>> {
    return this.#ask(`/auctions/${encodeURIComponent(pool)}`, query, readAuction)
  }

  async #ask<Value>(
    path: string,
    query: Query,
    read: (body: unknown) => Value,
  ): Promise<Answer<Value>> {
    const failure = this.#failures[mostFailures - 1]
    if (failure) return { error: failure }
    this.#asked += 1
    try {
      return { value: read(await this.#transport.get(path, query)) }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (['unavailable', 'rate-limited'].includes(error.kind)) this.#failures.push(error)
      return { error }
    }
  }
}
