import { ApiError, type ApiErrorKind, isRefused } from '../errors.ts'
import type { Logger } from '../log.ts'
import { differ } from './address.ts'
import {
  type ReadAssets,
  readAsset,
  readAssets,
  readAuction,
  readBuiltAuction,
  readUpload,
} from './answers.ts'
import { type Read, ReadCache } from './cache.ts'
import { ChainCheck } from './chain-check.ts'
import { withStatus } from './derive.ts'
import { FigureWatch } from './figure-watch.ts'
import { baseTokens } from './figures.ts'
import { type Asked, contradiction } from './guard.ts'
import type { Health } from './health.ts'
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
  type SearchFilter,
  type TokenMetadata,
} from './requests.ts'
import type { Asset, AuctionSummary, BuiltAuction, WireAsset } from './schema.ts'
import { defaultStatusWords, type StatusWords } from './status.ts'
import { type Query, Transport, type TransportOptions } from './transport.ts'
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
export interface ApiState extends Health {
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
