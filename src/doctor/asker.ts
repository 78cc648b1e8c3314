import { Api, type Listing, type Read } from '../api/client.ts'
import { KeyBudget } from '../api/http.ts'
import { RecentAnswers } from '../api/recent.ts'
import { type AssetFilter, isObject, type QueryNames, type SearchFilter } from '../api/schema.ts'
import { ChainNode, tokenLookup } from '../chain/node.ts'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { clipped } from './text.ts'

type OnChain<Filter> = Filter & { chain: number }

/** Longer than a run: no question is asked twice. */
const cacheMs = 3_600_000

/**
 * Asks the API through the bot's own client, under any query names, and counts the requests. A failure is an ApiError whose
 * message is for people: it quotes the API's refusal.
 * @example
 *   const asker = new Asker(config, log)
 *   await asker.list({ ...names, ordering: 'sort' }, { chain: 8453, ordering: 'market_cap_desc' })
 */
export class Asker {
  readonly #clientFor: (queryNames: QueryNames, chain: number) => Api
  readonly #clients = new Map<string, Api>()
  #refusal = ''
  #requests = 0

  constructor({ api, rpcUrls, proxy }: Pick<Config, 'api' | 'rpcUrls' | 'proxy'>, log: Logger) {
    const nodes = Object.entries(rpcUrls).map(([id, rpcUrl]): [number, ChainNode] => {
      const chainId = Number(id)
      return [chainId, new ChainNode({ rpcUrl, chainId, proxy })]
    })
    const shared = {
      budget: new KeyBudget(),
      token: tokenLookup({ nodes: new Map(nodes) }),
      recent: new RecentAnswers(api.units),
      onRefusal: (text: string) => {
        this.#refusal = text
      },
      onCall: () => {
        this.#requests += 1
      },
    }
    // Each client has one chain, or it would compare the lists of two.
    this.#clientFor = (queryNames, chain) =>
      new Api({ ...api, ...shared, queryNames, chains: [chain], cacheMs, log })
  }

  get requests(): number {
    return this.#requests
  }

  list(names: QueryNames, filter: OnChain<AssetFilter>): Promise<Listing> {
    return this.#answer(() => this.#client(names, filter.chain).assets(filter))
  }

  search(names: QueryNames, filter: OnChain<SearchFilter>): Promise<Listing> {
    return this.#answer(() => this.#client(names, filter.chain).search(filter))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
  }

  async #answer(ask: () => Promise<Read<Listing>>): Promise<Listing> {
    this.#refusal = ''
    try {
      return (await ask()).value
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === undefined) throw error
      const { kind, status } = error
      throw new ApiError(kind, `refused with ${status}${saidIn(this.#refusal)}`, { status })
    }
  }

  #client(names: QueryNames, chain: number): Api {
    const key = JSON.stringify([names, chain])
    const client = this.#clients.get(key) ?? this.#clientFor(names, chain)
    this.#clients.set(key, client)
    return client
  }
}

/** The message of a refusal, which most APIs send as JSON; any other text as it is, but nothing of a page. */
function saidIn(body: string): string {
  if (body.trimStart().startsWith('<')) return ''
  let message: unknown = body
  try {
    const parsed: unknown = JSON.parse(body)
    if (isObject(parsed) && parsed.message !== undefined) message = parsed.message
  } catch {}
  const text = clipped(typeof message === 'string' ? message : JSON.stringify(message), 60).trim()
  return text === '' ? '' : `: ${text}`
}
