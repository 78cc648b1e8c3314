import { LRUCache } from 'lru-cache'
import { statusOf } from '../api/asset.ts'
import type { Api, Listing } from '../api/client.ts'
import type { KeyBudget } from '../api/http.ts'
import { type Asset, maxLimit } from '../api/schema.ts'
import type { Chain } from '../chain/chains.ts'
import { creatorOf, type Risk, symbolKey } from '../views/facts.ts'
import type { Authenticity } from './authenticity.ts'

const freshMs = 300_000
/** Milliseconds after which the API is asked again for what it did not give. */
const unknownMs = 60_000
const maxLists = 2_000
/** Questions that are asked at once, three at most for a token; the cards of other tokens say nothing of risk. */
const maxAsking = 10

interface RisksParts {
  api: Pick<Api, 'assets' | 'search' | 'isBusy'>
  /** Whether tokens are fakes; without it cards don't say. */
  authenticity?: Pick<Authenticity, 'verdict'> | undefined
  /** The API's limit of calls; none by default. */
  budget?: Pick<KeyBudget, 'isScarce'> | undefined
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** A question to the API: for a list, which all tokens of a creator, or with a symbol, share; or about one token. */
interface Question {
  key: string
  /** Undefined if the API does not say. */
  ask: () => Promise<Answer | undefined>
}

/** Says what risk a token has by one list, or by a verdict. */
interface Answer {
  riskOf: (asset: Asset) => Risk
  /** The milliseconds of the clock until which it is kept, if it is not five minutes from now. */
  until?: number
}

interface Token {
  chain: number
  questions: readonly Question[]
  /** The risk by the last answers, which are the same object as long as they are the same. */
  last?: { answers: readonly (Answer | undefined)[]; risk: Risk }
}

/**
 * Looks up what the API says of the creators of tokens and of their symbols, a list for each, and whether the tokens are fakes. The
 * answers are kept for five minutes, verdicts from when they were given.
 */
export class Risks {
  readonly #api: RisksParts['api']
  readonly #authenticity: RisksParts['authenticity']
  readonly #budget: RisksParts['budget']
  readonly #answers: LRUCache<string, Answer>
  readonly #asking = new Map<string, Promise<void>>()
  readonly #now: () => number
  readonly #tokens = new WeakMap<Asset, Token>()

  constructor({ api, authenticity, budget, now = () => performance.now() }: RisksParts) {
    this.#api = api
    this.#authenticity = authenticity
    this.#budget = budget
    this.#now = now
    this.#answers = new LRUCache({ max: maxLists, ttlResolution: 0, perf: { now } })
  }

  /** Returns the risk found within the last minutes, the same object while nothing changes; undefined if it was not looked up. */
  known(asset: Asset, chain: Chain): Risk | undefined {
    const token = this.#token(asset, chain)
    const answers = token.questions.map(({ key }) => this.#answers.get(key))
    if (answers.length === 0 || answers.includes(undefined)) return undefined
    if (answers.some((answer, index) => answer !== token.last?.answers[index])) {
      const risk: Risk = Object.assign({}, ...answers.map((answer) => answer?.riskOf(asset)))
      token.last = { answers, risk }
    }
    return token.last?.risk
  }

  /** Begins to look a token up; resolves, and never rejects, once that has ended. Undefined if there is nothing to wait for. */
  search(asset: Asset, chain: Chain): Promise<unknown> | undefined {
    const missing = this.#token(asset, chain).questions.filter(({ key }) => !this.#answers.has(key))
    const unasked = missing.filter(({ key }) => !this.#asking.has(key))
    if (missing.length === 0) return undefined
    // Cards cost three calls with it, and would leave none to those who ask, or make them wait for a connection.
    const isTooMuch = () =>
      this.#asking.size >= maxAsking || this.#budget?.isScarce || this.#api.isBusy
    if (unasked.length > 0 && isTooMuch()) return undefined
    for (const question of unasked) this.#asking.set(question.key, this.#ask(question))
    return Promise.all(missing.map(({ key }) => this.#asking.get(key)))
  }

  async #ask({ key, ask }: Question): Promise<void> {
    // A failure of the API is the client's to report; the card goes without.
    const answer = await ask().catch(() => undefined)
    const { until = this.#now() + (answer ? freshMs : unknownMs) } = answer ?? {}
    // To the library, a time to live of 0 is one without an end.
    const ttl = Math.max(1, until - this.#now())
    this.#answers.set(key, answer ?? { riskOf: () => ({}) }, { ttl })
    this.#asking.delete(key)
  }

  #token(asset: Asset, chain: Chain): Token {
    const cached = this.#tokens.get(asset)
    if (cached?.chain === chain.id) return cached
    const [creator, symbol] = [creatorOf(asset), symbolKey(asset)]
    const questions: Question[] = []
    if (creator !== undefined) {
      const key = `${chain.id} ${creator.toLowerCase()}`
      questions.push({ key, ask: () => this.#others(creator, chain) })
    }
    if (symbol !== undefined) {
      questions.push({ key: `${chain.id} ${symbol}`, ask: () => this.#alike(symbol, chain) })
    }
    if (this.#authenticity) {
      const key = `${chain.id} ${asset.asset_address.toLowerCase()} authenticity`
      questions.push({ key, ask: () => this.#fake(asset, chain) })
    }
    const token = { chain: chain.id, questions }
    this.#tokens.set(asset, token)
    return token
  }

  async #fake(asset: Asset, { id }: Chain): Promise<Answer | undefined> {
    const verdict = await this.#authenticity?.verdict(asset.asset_address, id)
    if (!verdict) return undefined
    const { isFake, reasons, until } = verdict
    return { riskOf: () => (isFake ? { fake: reasons } : {}), until }
  }

  async #others(creator: string, { id }: Chain): Promise<Answer | undefined> {
    const { value } = await this.#api.assets({ chain: id, creator, limit: maxLimit })
    // An API that ignores the filter says nothing of the creator.
    if (value.chainIgnored || value.contradictedFilters.includes('creator')) return undefined
    const isTheirs = (each: Asset) => creatorOf(each)?.toLowerCase() === creator.toLowerCase()
    const theirs = matching(value, isTheirs)
    const riskOf = (asset: Asset): Risk => {
      const { found, hasMore } = theirs(asset)
      const withStatus = (wanted: string) => found.filter(({ status }) => status === wanted).length
      const [graduated, failed] = [withStatus('graduated'), withStatus('stall')]
      return { others: { count: found.length, hasMore, graduated, failed } }
    }
    return { riskOf }
  }

  async #alike(symbol: string, { id }: Chain): Promise<Answer | undefined> {
    const term = symbol.replace(/^\$/u, '')
    const { value } = await this.#api.search({ chain: id, term, limit: maxLimit })
    if (value.chainIgnored) return undefined
    const alike = matching(value, (each) => symbolKey(each) === symbol)
    const riskOf = (asset: Asset): Risk => {
      const { found, hasMore } = alike(asset)
      return { alike: { count: found.length, hasMore } }
    }
    return { riskOf }
  }
}

/** The tokens of a list that match, without one of them; `hasMore` if the list was full. */
function matching({ items, receivedCount }: Listing, matches: (each: Asset) => boolean) {
  const tokens = items
    .filter(matches)
    .map((each) => ({ address: each.asset_address.toLowerCase(), status: statusOf(each) }))
  const hasMore = receivedCount >= maxLimit
  return (asset: Asset) => {
    const own = asset.asset_address.toLowerCase()
    return { found: tokens.filter(({ address }) => address !== own), hasMore }
  }
}
