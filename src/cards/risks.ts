import { LRUCache } from 'lru-cache'
import { statusOf } from '../api/asset.ts'
import type { Api, Listing } from '../api/client.ts'
import type { KeyBudget } from '../api/http.ts'
import { type Asset, differ, maxLimit } from '../api/schema.ts'
import type { Chain } from '../chain/chains.ts'
import { creatorOf, type Risk, symbolKey } from '../views/risk.ts'

const freshMs = 300_000
/** Milliseconds after which the API is asked again for what it did not give. */
const unknownMs = 60_000
const maxTokens = 5_000
/** Tokens that are looked up at once; the cards of others say nothing of risk. */
const maxSearching = 10

interface RisksParts {
  api: Pick<Api, 'assets' | 'search'>
  /** The API's limit of calls; none by default. */
  budget?: Pick<KeyBudget, 'isScarce'> | undefined
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Looks up what the API says of the creators of tokens and of their symbols: two lists a token, kept for five minutes. */
export class Risks {
  readonly #api: RisksParts['api']
  readonly #budget: RisksParts['budget']
  readonly #known: LRUCache<string, Risk>
  readonly #searching = new Map<string, Promise<void>>()

  constructor({ api, budget, now = () => performance.now() }: RisksParts) {
    this.#api = api
    this.#budget = budget
    this.#known = new LRUCache({ max: maxTokens, ttlResolution: 0, perf: { now } })
  }

  /** What was found within the last minutes. */
  known(asset: Asset, chain: Chain): Risk | undefined {
    return this.#known.get(keyOf(asset, chain))
  }

  /** Begins to look a token up; resolves, and never rejects, once that has ended. Undefined if there is nothing to wait for. */
  search(asset: Asset, chain: Chain): Promise<void> | undefined {
    const key = keyOf(asset, chain)
    if (this.#known.has(key)) return undefined
    const searching = this.#searching.get(key)
    if (searching || this.#searching.size >= maxSearching) return searching
    // Cards cost three calls with it, and would leave none to those who ask.
    if (this.#budget?.isScarce) return undefined
    const [creator, symbol] = [creatorOf(asset), symbolKey(asset)]
    if (creator === undefined && symbol === undefined) return undefined
    const found = Promise.all([
      creator === undefined ? undefined : this.#others(asset, creator, chain),
      symbol === undefined ? undefined : this.#alike(asset, symbol, chain),
    ])
      // A failure of the API is the client's to report; the card goes without.
      .catch(() => [undefined, undefined] as const)
      .then(([others, alike]) => {
        const isWhole = (creator === undefined || others) && (symbol === undefined || alike)
        const risk = { ...(others && { others }), ...(alike && { alike }) }
        this.#known.set(key, risk, { ttl: isWhole ? freshMs : unknownMs })
      })
      .finally(() => this.#searching.delete(key))
    this.#searching.set(key, found)
    return found
  }

  async #others(asset: Asset, creator: string, { id }: Chain): Promise<Risk['others']> {
    const { value } = await this.#api.assets({ chain: id, creator, limit: maxLimit })
    // An API that ignores the filter says nothing of the creator.
    if (value.chainIgnored || value.contradictedFilters.includes('creator')) return undefined
    const isTheirs = (each: Asset) => creatorOf(each)?.toLowerCase() === creator.toLowerCase()
    const { found, hasMore } = others(asset, value, isTheirs)
    const withStatus = (...statuses: string[]) =>
      found.filter((each) => statuses.includes(statusOf(each) ?? '')).length
    return {
      count: found.length,
      hasMore,
      graduated: withStatus('graduated'),
      failed: withStatus('stall'),
    }
  }

  async #alike(asset: Asset, symbol: string, { id }: Chain): Promise<Risk['alike']> {
    const term = symbol.replace(/^\$/u, '')
    const { value } = await this.#api.search({ chain: id, term, limit: maxLimit })
    if (value.chainIgnored) return undefined
    const { found, hasMore } = others(asset, value, (each) => symbolKey(each) === symbol)
    return { count: found.length, hasMore }
  }
}

/** The assets of a list that match, without this one; `hasMore` if the list was full. */
function others(
  asset: Asset,
  { items, receivedCount }: Listing,
  matches: (each: Asset) => boolean,
): { found: Asset[]; hasMore: boolean } {
  const found = items.filter(
    (each) => differ(each.asset_address, asset.asset_address) && matches(each),
  )
  return { found, hasMore: receivedCount >= maxLimit }
}

function keyOf(asset: Asset, { id }: Chain): string {
  return `${id} ${asset.asset_address.toLowerCase()}`
}
