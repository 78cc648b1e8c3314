import { LRUCache } from 'lru-cache'
import { ApiError, type ApiErrorKind, isRefused } from '../errors.ts'
import type { Logger } from '../log.ts'
import {
  type ReadAssets,
  readAsset,
  readAssets,
  readAuction,
  readBuiltAuction,
  readUpload,
} from './answers.ts'
import { type Read, ReadCache } from './cache.ts'
import { FigureWatch } from './figure-watch.ts'
import { baseTokens, figures, withStatus } from './figures.ts'
import { type Health, type Query, Transport, type TransportOptions } from './http.ts'
import {
  documentedChainName,
  type QueryMeaning,
  type QueryNames,
  queryMeanings,
} from './query-names.ts'
import {
  type AssetFilter,
  type AuctionTemplate,
  maxLimit,
  type Ordering,
  type SearchFilter,
  type TokenMetadata,
} from './requests.ts'
import {
  type Asset,
  type AuctionSummary,
  type BuiltAuction,
  differ,
  type WireAsset,
} from './schema.ts'
import { defaultStatusWords, isListStatus, type StatusWords } from './status.ts'
import { defaultUnits, type Unit, type Units } from './units.ts'

type Decimals = (chain: number, token: string) => Promise<number | undefined>

/** What the client needs to know beside what its transport does. */
export interface ApiOptions extends TransportOptions {
  queryNames: QueryNames
  /** The chains that the bot serves; the first is the default. */
  chains: readonly [number, ...number[]]
  /** Milliseconds for which a read is served from memory. */
  cacheMs?: number
  /** Milliseconds for which an old answer is served while the interface fails. */
  staleMs?: number
  /** Milliseconds on a clock that never goes back; `performance.now` without it. */
  now?: () => number
  /** Hears how each call went that memory did not answer. */
  onCall?: (call: Call) => void
  /** The unit of each numeric field; the defaults if absent. */
  units?: Units
  /** Maps the interface's own words for a status to the document's; knows only the document's if absent. */
  statusWords?: StatusWords
  /** Looks up the decimals of a token that no answer names; undefined if nobody knows them. It never rejects. */
  decimals?: Decimals
  /** Looks at the figures of all that is read, for all clients that share it. */
  figureWatch?: FigureWatch
  /** Unix seconds; the machine's clock without it. */
  clock?: () => number
}

/** A call of an endpoint, with all its tries and the reading of its answer; "unknown" is a fault of our own. */
export interface Call {
  endpoint: 'assets' | 'search' | 'asset' | 'auction' | 'auction-templates' | 'upload-metadata'
  result: 'ok' | ApiErrorKind | 'unknown'
  seconds: number
}

/** A page of assets. */
export interface Listing {
  items: Asset[]
  /** All that the interface gave, with what was left out of the items, in its own order. */
  given: readonly Asset[]
  /** The parts of the question that something left out contradicts. */
  contradicted: readonly (keyof Asked)[]
  /** How many items the interface gave before any was left out: the next page starts at the offset plus this. */
  received: number
  /** How long its answer was. */
  bytes: number
  /** The interface does not mind the chain asked for, so what it listed is another chain's and was left out. */
  chainIgnored: boolean
}

type List = Omit<ReadAssets, 'assets'> & Pick<Listing, 'bytes'> & { assets: Asset[] }

/**
 * `Health`, with the chains for which the interface turned out to answer with another chain's assets, those whose list it
 * refuses, and whether what it says in figures holds together.
 */
interface ApiState extends Health {
  chainsIgnored: number[]
  chainsRefused: number[]
  figures: 'ok' | 'run the doctor'
}

/**
 * The v1 interface, one method an endpoint. Reads are shared, cached for seconds, guarded against answers that
 * contradict the question, and served old where the interface fails. Every failure is an `ApiError`.
 */
export class Api {
  readonly #transport: Transport
  readonly #names: QueryNames
  readonly #log: Logger
  readonly #defaultChain: number
  readonly #chainCheck: ChainCheck
  readonly #onCall: ApiOptions['onCall']
  readonly #lists: ReadCache<List>
  readonly #assets: ReadCache<Asset>
  readonly #auctions: ReadCache<AuctionSummary>
  readonly #units: Units
  readonly #statusWords: StatusWords
  readonly #decimals: Decimals
  readonly #figureWatch: FigureWatch
  readonly #clock: () => number
  readonly #warned = new Set<string>()
  /** The chains whose list was refused when it was asked for last. */
  readonly #refused = new Set<number>()

  constructor(options: ApiOptions) {
    const { queryNames, chains, log, now = () => performance.now() } = options
    const kept = { freshMs: options.cacheMs ?? 5000, staleMs: options.staleMs ?? 300_000, now }
    this.#transport = new Transport(options)
    this.#names = queryNames
    this.#log = log
    this.#defaultChain = chains[0]
    this.#onCall = options.onCall
    this.#units = options.units ?? defaultUnits
    this.#statusWords = options.statusWords ?? defaultStatusWords
    this.#decimals = options.decimals ?? (() => Promise.resolve(undefined))
    this.#figureWatch = options.figureWatch ?? new FigureWatch({ units: this.#units })
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    this.#lists = new ReadCache({ ...kept, entries: 300 })
    this.#assets = new ReadCache({ ...kept, entries: 3000 })
    this.#auctions = new ReadCache({ ...kept, entries: 3000 })
    this.#chainCheck = new ChainCheck({
      home: chains[0],
      log,
      now,
      listing: async (chain) => (await this.#list('/assets/', { chain })).value.assets,
    })
  }

  /** Section 4.1. */
  assets(filter: AssetFilter): Promise<Read<Listing>> {
    return this.#guardedList('/assets/', filter)
  }

  /** Section 4.2. */
  search(filter: SearchFilter): Promise<Read<Listing>> {
    return this.#guardedList('/assets/search', filter)
  }

  /** Section 4.3. "not-found" also where the interface answers with another asset than the one asked for. */
  async asset(address: string, chain = this.#defaultChain): Promise<Read<Asset>> {
    const path = `/assets/${segment(address)}`
    const load = () =>
      this.#called('asset', async () => {
        const query = { [this.#names.chain]: chain }
        const read = readAsset(await this.#transport.get(path, query))
        const [asset = read] = await this.#known([read], chain)
        return asset
      })
    const [read, chainIgnored] = await Promise.all([
      this.#assets.read(`${path} ${chain}`, load),
      this.#chainCheck.ignored(chain),
    ])
    if (chainIgnored) throw new ApiError('not-found', `GET ${path}: the chain is ignored`)
    if (differ(read.value.asset_address, address)) {
      throw new ApiError('not-found', `GET ${path}: answered with another asset`)
    }
    return read
  }

  /** Section 4.5, by pool address or pool id. "not-found" also where the interface answers with another auction. */
  async auction(pool: string, chain = this.#defaultChain): Promise<Read<AuctionSummary>> {
    const path = `/auctions/${segment(pool)}`
    const load = () =>
      this.#called('auction', async () =>
        readAuction(await this.#transport.get(path, { [documentedChainName]: chain })),
      )
    const read = await this.#auctions.read(`${path} ${chain}`, load)
    const { auction_pool_address: address, auction_pool_id: id } = read.value
    const named = [address, id].filter((name) => name !== undefined)
    if (named.length > 0 && named.every((name) => differ(name, pool))) {
      throw new ApiError('not-found', `GET ${path}: answered with another auction`)
    }
    return read
  }

  /** Section 4.4: the payload and parameters to create an auction from a template; the interface may mine a salt for it. */
  async buildAuction(body: AuctionTemplate, chain = this.#defaultChain): Promise<BuiltAuction> {
    const query = { [documentedChainName]: chain }
    return this.#called('auction-templates', async () =>
      readBuiltAuction(await this.#transport.work('/auction-templates', query, body)),
    )
  }

  /** Section 4.6: the CID or ipfs: URI under which the metadata now stands. */
  async uploadMetadata(body: TokenMetadata): Promise<string> {
    return this.#called('upload-metadata', async () =>
      readUpload(await this.#transport.post('/ipfs/upload-metadata', {}, body)),
    )
  }

  /** How the interface has been answering. */
  state(): ApiState {
    return {
      ...this.#transport.health(),
      chainsIgnored: this.#chainCheck.found(),
      chainsRefused: [...this.#refused],
      figures: this.#figureWatch.state(),
    }
  }

  /** Lets calls under way end and closes the connections. */
  close(): Promise<void> {
    return this.#transport.close()
  }

  async #guardedList(path: string, filter: AssetFilter & Asked): Promise<Read<Listing>> {
    const chain = filter.chain ?? this.#defaultChain
    const [read, chainIgnored] = await Promise.all([
      this.#list(path, filter),
      this.#chainCheck.ignored(chain),
    ])
    const { assets, received, bytes } = read.value
    const { items, contradicted } = chainIgnored
      ? { items: [], contradicted: [] }
      : this.#guarded(assets, filter)
    const value = { items, given: assets, contradicted, received, bytes, chainIgnored }
    return { ...read, value }
  }

  #list(path: string, filter: AssetFilter & Asked): Promise<Read<List>> {
    const { chain = this.#defaultChain, limit = maxLimit } = filter
    const isListing = path === '/assets/'
    // A filter that a person chose may be the reason for a refusal, so only a list without one counts.
    const isBare = isListing && [filter.numeraire, filter.category, filter.creator].every(isAbsent)
    // The document does not say which parameters are required, so all that have a neutral value are always sent.
    const asked: Partial<Record<QueryMeaning, string | number | undefined>> = {
      ...filter,
      chain,
      limit,
      ...(isListing && { status: filter.status ?? 'all', offset: filter.offset ?? 0 }),
    }
    const query: Query = {}
    for (const meaning of queryMeanings) query[this.#names[meaning]] = asked[meaning]
    const load = async () => {
      const endpoint = isListing ? 'assets' : 'search'
      const { answer, bytes } = await this.#called(endpoint, async () => {
        const { body, bytes } = await this.#transport.measured(path, query)
        return { answer: readAssets(body, limit), bytes }
      }).catch((error: unknown) => {
        if (isBare && isRefused(error)) this.#refused.add(chain)
        throw error
      })
      if (isListing) this.#refused.delete(chain)
      const { received, unusable } = answer
      if (unusable > 0) {
        this.#log.warn({ path, received, unusable }, 'items without a usable asset_address skipped')
      }
      return { ...answer, assets: await this.#known(answer.assets, chain), bytes }
    }
    return this.#lists.read(`${path} ${JSON.stringify(query)}`, load)
  }

  /** Assets with what the chain and the settings say of them, once their figures were looked at. */
  async #known(read: readonly WireAsset[], chain: number): Promise<Asset[]> {
    const reading = { statusWords: this.#statusWords, units: this.#units, now: this.#clock() }
    const assets = await Promise.all(
      read.map(async (asset) =>
        withStatus({ ...asset, decimals: await this.#decimalsOf(asset, chain) }, reading),
      ),
    )
    this.#figureWatch.look(assets)
    return assets
  }

  async #decimalsOf(asset: WireAsset, chain: number): Promise<NonNullable<Asset['decimals']>> {
    const { asset_numeraire_address: quote, asset_address: token } = asset
    const isTold = baseTokens(asset).some(({ token_decimals: told }) => told !== undefined)
    const isNeeded = (unit: Unit) => Object.values(this.#units).includes(unit)
    const [ofQuote, ofToken] = await Promise.all([
      quote === undefined || !isNeeded('numeraire-base') ? undefined : this.#decimals(chain, quote),
      isTold || !isNeeded('tokens-base') ? undefined : this.#decimals(chain, token),
    ])
    return { quote: ofQuote, token: ofToken }
  }

  async #called<T>(endpoint: Call['endpoint'], ask: () => Promise<T>): Promise<T> {
    const from = performance.now()
    let result: Call['result'] = 'ok'
    try {
      return await ask()
    } catch (error) {
      result = error instanceof ApiError ? error.kind : 'unknown'
      throw error
    } finally {
      this.#onCall?.({ endpoint, result, seconds: (performance.now() - from) / 1000 })
    }
  }

  #guarded(assets: readonly Asset[], asked: Asked): Pick<Listing, 'items' | 'contradicted'> {
    const contradicted = new Set<keyof Asked>()
    const items = assets.filter((asset) => {
      const reason = contradiction(asset, asked)
      if (reason === undefined) return true
      this.#warnOnce(reason)
      contradicted.add(reason)
      return false
    })
    return { items, contradicted: [...contradicted] }
  }

  #warnOnce(reason: keyof Asked): void {
    if (this.#warned.has(reason)) return
    this.#warned.add(reason)
    this.#log.warn(
      { filter: reason },
      'assets that contradict the filter left out: is its query name right? (npm run doctor)',
    )
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined
}

// What goes into a path is an address or a hash; anything else could name another endpoint.
function segment(address: string): string {
  if (/^[0-9a-z]{1,128}$/iu.test(address)) return address
  throw new ApiError('invalid', 'not an address')
}

/** What a check of chains goes by. */
interface ChainCheckOptions {
  /** The chain that the interface is taken to answer for where it ignores the one asked for. */
  home: number
  /** The newest assets that the interface lists for a chain. */
  listing: (chain: number) => Promise<readonly Asset[]>
  log: Logger
  /** Milliseconds on a clock that never goes back. */
  now: () => number
}

function nothingIfRefused(error: unknown): readonly Asset[] {
  if (isRefused(error)) return []
  throw error
}

const hour = 3_600_000
const minute = 60_000

/**
 * Finds out whether the interface minds which chain it is asked for. No field of an asset names its chain, so the only
 * sign of an ignored query name is that a chain's listing is the home chain's listing.
 */
export class ChainCheck {
  readonly #home: number
  readonly #verdicts: LRUCache<number, { ignored: boolean }>
  readonly #log: Logger

  constructor({ home, listing, log, now }: ChainCheckOptions) {
    this.#home = home
    this.#log = log
    this.#verdicts = new LRUCache({
      max: 100,
      ttl: hour,
      perf: { now },
      ttlResolution: 0,
      ignoreFetchAbort: true,
      // After the first verdict nobody waits: the old one serves while it is looked at again.
      allowStale: true,
      fetchMethod: async (chain, old, { options }) => {
        try {
          const [ours, theirs] = await Promise.all([
            // If the first chain is refused and another is not, the interface does mind which one is asked for.
            listing(home).catch(nothingIfRefused),
            listing(chain),
          ])
          const ignored = sameListing(ours, theirs)
          // Nothing listed proves nothing, and an operator who has mended the name should not wait for an hour.
          if (ignored || ours.length === 0 || theirs.length === 0) options.ttl = minute
          if (ignored && !old?.ignored) this.#warn(chain)
          return { ignored }
        } catch (error) {
          if (!old) throw error
          options.ttl = minute
          return old
        }
      },
    })
  }

  /**
   * Whether assets listed for this chain are in truth another's. Costs the first reader of a chain two listings, side by
   * side with its own read, and others nothing; throws where the interface gives no listing to judge by.
   */
  async ignored(chain: number): Promise<boolean> {
    if (chain === this.#home) return false
    const { ignored } = await this.#verdicts.forceFetch(chain)
    return ignored
  }

  /** The chains found to be ignored. */
  found(): number[] {
    return [...this.#verdicts.entries()].flatMap(([chain, { ignored }]) => (ignored ? [chain] : []))
  }

  #warn(chain: number): void {
    this.#log.warn(
      { chain, home: this.#home },
      'the interface lists the same assets for both chains: is API_QUERY_NAMES "chain" right? (npm run doctor)',
    )
  }
}

/** What was asked for, in so far as an item can contradict it. */
export interface Asked {
  status?: string | undefined
  numeraire?: string | undefined
  category?: string | undefined
  creator?: string | undefined
  term?: string | undefined
}

/**
 * Which part of the question an item plainly contradicts, if any: what it does not say, it does not contradict. It is
 * how a query name that the interface ignores is kept from showing assets as something that they are not.
 */
export function contradiction(asset: Asset, asked: Asked): keyof Asked | undefined {
  if (wrongStatus(asset, asked.status)) return 'status'
  if (differ(asset.asset_numeraire_address, asked.numeraire)) return 'numeraire'
  if (wrongCategory(asset, asked.category)) return 'category'
  if (differ(creatorOf(asset), asked.creator)) return 'creator'
  if (asked.term !== undefined && !matchesTerm(asset, asked.term)) return 'term'
  return undefined
}

/**
 * Whether a term, or each of its words, occurs in an address, the symbol or the name of an asset, where case,
 * diacritics, spaces, punctuation and currency signs count for nothing.
 */
export function matchesTerm(asset: Asset, term: string): boolean {
  const texts = searchedTexts(asset).map(folded)
  const occurs = (part: string) => texts.some((text) => text.includes(part))
  return occurs(folded(term)) || term.split(/\s+/u).map(folded).every(occurs)
}

/**
 * Whether two listings are the same one, give or take what came and went between them: at least half of the shorter
 * one's assets stand in the other. The time of creation tells apart assets that share an address on two chains.
 */
export function sameListing(left: readonly Asset[], right: readonly Asset[]): boolean {
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left]
  const known = new Set(longer.map(identity))
  const shared = shorter.filter((asset) => known.has(identity(asset))).length
  return shorter.length > 0 && shared * 2 >= shorter.length
}

/**
 * Whether a page is the one before it once more, as far as it goes: then the interface minds no offset, or has come to its
 * end. A page that moved on by what came in meanwhile begins elsewhere than the one before, even if it has one asset only.
 */
export function repeats(page: readonly Asset[], before: readonly Asset[]): boolean {
  const size = Math.min(page.length, before.length)
  return sameListing(page.slice(0, size), before.slice(0, size))
}

/** Market caps and volumes that differ by less may have changed places since the interface sorted them. */
const movement = 1.1

/**
 * Whether assets are plainly not in the order asked for: of the neighbours that can be compared, more than a quarter stand
 * the wrong way around. Only figures in dollars are compared; what is not shown says nothing.
 */
export function isOutOfOrder(assets: readonly Asset[], ordering: Ordering, units: Units): boolean {
  const values = assets.flatMap((asset) => {
    const { marketCap, volume24h } = figures(asset, units)
    const money = ordering.startsWith('market_cap') ? marketCap : volume24h
    return money?.currency === 'usd' ? [Number(money.amount)] : []
  })
  const falling = ordering.endsWith('desc') ? values : values.toReversed()
  const pairs = falling.slice(1).map((value, index) => [falling[index] ?? value, value] as const)
  const wrong = pairs.filter(([left, right]) => right > left * movement)
  return wrong.length * 4 > pairs.length
}

function identity(asset: Asset): string {
  return `${asset.asset_address.toLowerCase()} ${asset.asset_creation_timestamp ?? ''}`
}

function wrongStatus(asset: Asset, asked: string | undefined): boolean {
  // Only the words of the filter exclude each other. Any other (`stall` is one) is a state that it has no word for, so it
  // contradicts nothing.
  // A derived status can't contradict the question: only the interface's own word can.
  const status = asset.asset_status?.toLowerCase()
  if (status === undefined || asked === undefined) return false
  return isListStatus(status) && isListStatus(asked) && status !== asked
}

function wrongCategory(asset: Asset, asked: string | undefined): boolean {
  const categories = asset.asset_categories
  if (!categories?.length || asked === undefined) return false
  return !categories.some((category) => category.toLowerCase() === asked.toLowerCase())
}

function creatorOf(asset: Asset): string | undefined {
  return baseTokens(asset).find((token) => token.token_creator_address)?.token_creator_address
}

function searchedTexts(asset: Asset): string[] {
  return [
    asset.asset_address,
    asset.auction_pool?.pool_address,
    asset.auction_pool?.pool_id,
    asset.graduation_pool?.pool_address,
    ...baseTokens(asset).flatMap((token) => [token.token_symbol, token.token_name]),
  ].filter((text) => text !== undefined)
}

// Emoji stay: a name may be nothing else.
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{P}\p{Z}\p{C}\p{Sc}\p{Sk}]/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
}
