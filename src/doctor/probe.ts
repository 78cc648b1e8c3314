import { type ReadAssets, readAsset, readAssets, readAuction } from '../api/answers.ts'
import type { Asset, AuctionSummary } from '../api/schema.ts'
import type { Query, Transport } from '../api/transport.ts'
import { ApiError } from '../errors.ts'

/** An answer or why there is none; a doctor has no use for exceptions. */
export type Answer<Value> = { value: Value } | { error: ApiError }

const mostItems = 50

/** Asks the interface, one question at a time and not more than `budget` in all. */
export class Probe {
  readonly #transport: Transport
  readonly #budget: number
  #asked = 0

  constructor(transport: Transport, budget: number) {
    this.#transport = transport
    this.#budget = budget
  }

  get asked(): number {
    return this.#asked
  }

  list(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/', query, (body) => readAssets(body, mostItems))
  }

  search(query: Query): Promise<Answer<ReadAssets>> {
    return this.#ask('/assets/search', query, (body) => readAssets(body, mostItems))
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
    if (this.#asked >= this.#budget) {
      return { error: new ApiError('unavailable', 'no more requests are made in one run') }
    }
    this.#asked += 1
    try {
      return { value: read(await this.#transport.get(path, query)) }
    } catch (error) {
      if (error instanceof ApiError) return { error }
      throw error
    }
  }
}
