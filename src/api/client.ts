import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { compositePoolId, isAddress } from '../chain/address.ts'
import { isModule } from '../chain/airlock/module-addresses.ts'
import { chainById, knownDecimals } from '../chain/chains.ts'
import { withTimeout } from '../core/task.ts'
import { ApiError, type ApiErrorKind, isRefused } from '../errors.ts'
import type { Logger } from '../log.ts'
import { baseTokens, contradiction, type Filters, readItems, readResult } from './asset.ts'
import { ChainCheck } from './chain-check.ts'
import { FigureWatch } from './figure-watch.ts'
import { dollarsPerQuote } from './figures.ts'
import { type Health, type Query, Transport, type TransportOptions } from './http.ts'
import { isMissing, ReadCache } from './read-cache.ts'
import { type KnownToken, RecentAnswers } from './recent.ts'
import {
  type Asset,
  type AssetFilter,
  type AuctionSummary,
  type AuctionTemplate,
  auctionSummarySchema,
  authenticitySchema,
  type BuiltAuction,
  builtAuctionSchema,
  differ,
  documentedChainName,
  type ListedTemplate,
  listedTemplatesSchema,
  maxLimit,
  type QueryMeaning,
  type QueryNames,
  queryMeanings,
  type SearchFilter,
  type StatusWords,
  type TokenMetadata,
  uploadResultSchema,
  type WireAsset,
  wireAssetSchema,
} from './schema.ts'
import { withStatus } from './status.ts'
import type { Units } from './units.ts'

/** Options of `Api`. */
export interface ApiOptions extends TransportOptions {
  queryNames: QueryNames
  /** The chains that the bot serves; the first is the default. */
  chains: readonly [number, ...number[]]
  /** Milliseconds for which a read is served from the cache; 5,000 by default. 0: only reads at the same time share an answer. */
  cacheMs?: number
  /** Milliseconds for which an old answer is served if the API fails; 300,000 by default. */
  staleMs?: number
  /** Monotonic clock in milliseconds; `performance.now` by default. */
  now?: () => number
  /** Called after each call that was not served from the cache. */
  onCall?: (call: Call) => void
  /** The unit of each numeric field. */
  units: Units
  /** Maps the API's own words for a status to the document's. */
  statusWords: StatusWords
  /** Looks up a token that no answer names; undefined if nobody knows it. It never rejects. */
  token?: (chain: number, token: string) => Promise<KnownToken | undefined>
  /** Checks the figures of all assets read; several clients can share one. */
  figureWatch?: FigureWatch
  /** The last answers' data about other assets; several clients can share it. */
  recent?: RecentAnswers
  /** Clock in unix seconds; the system clock by default. */
  clock?: () => number
}

/** A value read from the API, with its age. */
export interface Read<Value> {
  value: Value
  /** Seconds since the API gave it. */
  age: number
  /** Set if refreshing the value failed. */
  stale: boolean
}

/** The endpoints by the names that the metrics have for them. */
export const endpoints = [
  'assets',
  'search',
  'asset',
  'auction',
  'auction-templates',
  'upload-metadata',
  'authenticity',
  'upload-image',
  'templates',
] as const

/** A finished call of an endpoint, with all its retries; `unknown` is an error of our own. */
export interface Call {
  endpoint: (typeof endpoints)[number]
  result: 'ok' | ApiErrorKind | 'unknown'
  seconds: number
}

/** A page of assets. */
export interface Listing {
  items: Asset[]
  /** All assets of the answer in its own order, including those left out of `items`. */
  unfiltered: readonly Asset[]
  /** Filters that an asset left out of `items` contradicts. */
  contradictedFilters: readonly (keyof Filters)[]
  /** Number of items in the answer: the next page starts at the offset plus this. */
  receivedCount: number
  /** Length of the answer in bytes. */
  bytes: number
  /** The API ignores the chain parameter, so it listed another chain's assets and all were left out. */
  chainIgnored: boolean
}

const listPath = '/assets/'

/** In milliseconds. */
const [minute, hour] = [60_000, 3_600_000]

/** Made once: to make a schema takes as long as to read an answer. */
const anything = z.unknown()

type List = Pick<Listing, 'bytes'> & { assets: Asset[]; received: number }

/** An item completed by what lists said, with what is known of its tokens. */
interface FilledItem extends TokensOfAsset {
  wire: WireAsset
}

/** The decimals of an asset's tokens, and the symbol of its quote token, if it is not a well-known one. */
interface TokensOfAsset {
  decimals: NonNullable<Asset['decimals']>
  quote_symbol: string | undefined
}

/** Max quote tokens that are looked up at once. */
const maxQuoteLookups = 8
/** Milliseconds that an answer waits for the API to say what a quote token is. A later answer is cached for the next one. */
const quotePatienceMs = 1_500

/** `Health`, with the chains that the API ignores or refuses to list, and whether the figures are consistent. */
interface ApiState extends Health {
  chainsIgnored: number[]
  chainsRefused: number[]
  figures: 'ok' | 'run the doctor'
}

/**
 * Client of the v1 API with one method per endpoint. Reads are shared, cached for seconds, checked for answers
 * that contradict the question, and served stale if the API fails. All failures are `ApiError`s.
 * @example
 * const { value, stale } = await api.assets({ status: 'live', limit: 10 })
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
  /** Whether a unit depends on the decimals of the token. Those of the quote token are always needed, for its price. */
  readonly #usesTokenDecimals: boolean
  readonly #statusWords: StatusWords
  readonly #token: NonNullable<ApiOptions['token']>
  readonly #figureWatch: FigureWatch
  readonly #recent: RecentAnswers
  /** The launched tokens that others are sold for and that no answer had. */
  readonly #quoteTokens: LRUCache<string, { token: KnownToken | undefined }>
  readonly #quoteLookups = new Set<string>()
  readonly #clock: () => number
  readonly #warned = new Set<string>()
  /** Chains whose last list request was refused. */
  readonly #refused = new Set<number>()

  constructor(options: ApiOptions) {
    const { queryNames, chains, log, now = () => performance.now() } = options
    const cacheOptions = {
      freshMs: options.cacheMs ?? 5000,
      staleMs: options.staleMs ?? 300_000,
      now,
    }
    this.#transport = new Transport(options)
    this.#names = queryNames
    this.#log = log
    this.#defaultChain = chains[0]
    this.#onCall = options.onCall
    this.#units = options.units
    this.#usesTokenDecimals = Object.values(this.#units).includes('tokens-base')
    this.#statusWords = options.statusWords
    this.#token = options.token ?? (() => Promise.resolve(undefined))
    this.#figureWatch = options.figureWatch ?? new FigureWatch({ units: this.#units })
    this.#recent = options.recent ?? new RecentAnswers(this.#units, now)
    this.#quoteTokens = new LRUCache({
      max: 1_000,
      ttl: hour,
      perf: { now },
      ttlResolution: 0,
      ignoreFetchAbort: true,
      fetchMethod: async (key, _, { options: entryOptions }) => {
        const [chain, address = ''] = key.split(' ')
        const token = await this.#readToken(Number(chain), address).catch((error: unknown) => {
          if (!isMissing(error)) entryOptions.ttl = minute
          return undefined
        })
        return { token }
      },
    })
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    this.#lists = new ReadCache({ ...cacheOptions, entries: 300 })
    this.#assets = new ReadCache({ ...cacheOptions, entries: 3000 })
    this.#auctions = new ReadCache({ ...cacheOptions, entries: 3000 })
    this.#chainCheck = new ChainCheck({
      home: chains[0],
      log,
      now,
      listing: async (chain) => (await this.#list(listPath, { chain })).value.assets,
    })
  }

  /** Lists assets (section 4.1). */
  assets(filter: AssetFilter): Promise<Read<Listing>> {
    return this.#guardedList(listPath, filter)
  }

  /** Searches assets (section 4.2). */
  search(filter: SearchFilter): Promise<Read<Listing>> {
    return this.#guardedList('/assets/search', filter)
  }

  /**
   * Reads an asset (section 4.3). While the API says the same of it, it is the same object, also in lists.
   * @throws ApiError `not-found` also if the API answers with another asset
   */
  async asset(address: string, chain = this.#defaultChain): Promise<Read<Asset>> {
    const path = `/assets/${pathSegment(address)}`
    const load = () =>
      this.#timed('asset', async () => {
        const query = { [this.#names.chain]: chain }
        const { body, bytes } = await this.#transport.measured(path, query)
        const [asset] = await this.#parse([readResult(body, anything)], chain, false)
        if (!asset) throw new ApiError('malformed', 'the result is not an asset')
        this.#figureWatch.check([asset])
        return { value: asset, bytes }
      })
    const [read, chainIgnored] = await Promise.all([
      this.#assets.read(`${path} ${chain}`, load),
      this.#chainCheck.isIgnored(chain),
    ])
    if (chainIgnored) throw new ApiError('not-found', `GET ${path}: the chain is ignored`)
    if (differ(read.value.asset_address, address)) {
      throw new ApiError('not-found', `GET ${path}: answered with another asset`)
    }
    return read
  }

  /**
   * Reads an auction by pool address or pool id (section 4.5), or by the asset that it sells.
   * @throws ApiError `not-found` also if the API answers with another auction
   */
  async auction(pool: string, chain = this.#defaultChain): Promise<Read<AuctionSummary>> {
    const path = `/auctions/${pathSegment(pool)}`
    const load = () =>
      this.#timed('auction', async () => {
        const query = { [documentedChainName]: chain }
        const { body, bytes } = await this.#transport.measured(path, query)
        return { value: readResult(body, auctionSummarySchema), bytes }
      })
    const read = await this.#auctions.read(`${path} ${chain}`, load)
    if (isOtherAuction(read.value, pool)) {
      throw new ApiError('not-found', `GET ${path}: answered with another auction`)
    }
    return read
  }

  /**
   * Builds the payload and parameters to create an auction from a template (section 4.4). Can take long: the API
   * may mine a salt.
   */
  async buildAuction(body: AuctionTemplate, chain = this.#defaultChain): Promise<BuiltAuction> {
    const query = { [documentedChainName]: chain }
    return this.#timed('auction-templates', async () =>
      readResult(
        await this.#transport.slowPost('/auction-templates', query, body),
        builtAuctionSchema,
      ),
    )
  }

  /** Uploads metadata and returns their CID or ipfs: URI (section 4.6). */
  async uploadMetadata(body: TokenMetadata): Promise<string> {
    return this.#timed('upload-metadata', async () =>
      readResult(await this.#transport.post('/ipfs/upload-metadata', {}, body), uploadResultSchema),
    )
  }

  /** Asks whether an asset is a fake. Not every API has this endpoint, and no answer is kept here. */
  async authenticity(
    asset: string,
    chain = this.#defaultChain,
  ): Promise<z.output<typeof authenticitySchema>> {
    const query = { [documentedChainName]: chain, assetAddress: asset }
    return this.#timed('authenticity', async () =>
      readResult(await this.#transport.get('/assets/authenticity', query), authenticitySchema),
    )
  }

  /** Uploads a picture (PNG or JPEG up to 5 MB) and returns its CID or ipfs: URI. The document doesn't name this endpoint. */
  async uploadImage({ type, bytes }: { type: string; bytes: Uint8Array }): Promise<string> {
    const form = new FormData()
    const name = `image.${type === 'image/png' ? 'png' : 'jpg'}`
    form.append('image', new Blob([new Uint8Array(bytes)], { type }), name)
    return this.#timed('upload-image', async () =>
      readResult(await this.#transport.upload('/ipfs/upload-image', form), uploadResultSchema),
    )
  }

  /** Lists the templates of the key's integrator. The document doesn't name this endpoint. */
  async templates(): Promise<ListedTemplate[]> {
    return this.#timed('templates', async () =>
      readResult(await this.#transport.get('/auction-templates', {}), listedTemplatesSchema),
    )
  }

  /**
   * Asks for the shortest list of the default chain, past all caches. Resolves to how that failed; undefined if it did not.
   * Never rejects.
   */
  async probe(): Promise<ApiErrorKind | undefined> {
    const query = this.#listQuery(listPath, { chain: this.#defaultChain, limit: 1 })
    try {
      await this.#timed('assets', async () =>
        readItems(await this.#transport.get(listPath, query), maxLimit),
      )
      return undefined
    } catch (error) {
      return error instanceof ApiError ? error.kind : 'unavailable'
    }
  }

  /** Whether calls wait for a connection: background calls would hold them up. */
  get isBusy(): boolean {
    return this.#transport.isBusy
  }

  /** Returns the health of the API. */
  state(): ApiState {
    return {
      ...this.#transport.health(),
      chainsIgnored: this.#chainCheck.ignoredChains(),
      chainsRefused: [...this.#refused],
      figures: this.#figureWatch.state(),
    }
  }

  /** Waits for running calls and closes the connections. */
  close(): Promise<void> {
    return this.#transport.close()
  }

  async #guardedList(path: string, filter: AssetFilter & Filters): Promise<Read<Listing>> {
    const chain = filter.chain ?? this.#defaultChain
    const [read, chainIgnored] = await Promise.all([
      this.#list(path, filter),
      this.#chainCheck.isIgnored(chain),
    ])
    const { assets, received, bytes } = read.value
    const { items, contradictedFilters } = chainIgnored
      ? { items: [], contradictedFilters: [] }
      : this.#withoutContradictions(assets, filter)
    const value = {
      items,
      unfiltered: assets,
      contradictedFilters,
      receivedCount: received,
      bytes,
      chainIgnored,
    }
    return { ...read, value }
  }

  #list(path: string, filter: AssetFilter & Filters): Promise<Read<List>> {
    const { chain = this.#defaultChain, limit = maxLimit } = filter
    const isListing = path === listPath
    // A filter may be the reason for a refusal, so only a list without one counts.
    const { numeraire, category, creator } = filter
    const isUnfiltered = isListing && (numeraire ?? category ?? creator) === undefined
    const query = this.#listQuery(path, { ...filter, chain, limit })
    const load = async () => {
      const endpoint = isListing ? 'assets' : 'search'
      const { items, bytes } = await this.#timed(endpoint, async () => {
        const { body, bytes } = await this.#transport.measured(path, query)
        return { items: readItems(body, limit), bytes }
      }).catch((error: unknown) => {
        if (isUnfiltered && isRefused(error)) this.#refused.add(chain)
        throw error
      })
      if (isListing) this.#refused.delete(chain)
      const assets = await this.#parse(items, chain, true)
      const received = items.length
      const unusable = received - assets.length
      if (unusable > 0) {
        this.#log.warn(
          { path, received, unusable },
          'items without a usable asset_address were skipped',
        )
      }
      this.#figureWatch.check(assets)
      return { value: { assets, received, bytes }, bytes }
    }
    return this.#lists.read(`${path} ${JSON.stringify(query)}`, load)
  }

  /** The document does not say which parameters are required, so all that have a neutral value are always sent. */
  #listQuery(path: string, filter: AssetFilter & Filters): Query {
    const { status = 'all', offset = 0 } = filter
    const values: Partial<Record<QueryMeaning, string | number | undefined>> = {
      ...filter,
      ...(path === listPath && { status, offset }),
    }
    const query: Query = {}
    for (const meaning of queryMeanings) query[this.#names[meaning]] = values[meaning]
    return query
  }

  /**
   * Parses the assets of an answer and adds what they don't say: decimals, status, dollars per quote token. Unusable items are
   * left out.
   */
  async #parse(items: readonly unknown[], chain: number, areListed: boolean): Promise<Asset[]> {
    const now = this.#clock()
    const read = items
      .map((item) => wireAssetSchema.safeParse(item).data)
      .filter((each) => each !== undefined)
    // First of all: an asset may be sold for another one of the same answer.
    this.#recent.note(chain, read, areListed)
    const filled = await Promise.all(
      read.map(async (own): Promise<FilledItem> => {
        const wire = areListed ? own : this.#recent.filled(chain, own)
        return { wire, ...(await this.#tokensOf(wire, chain)) }
      }),
    )
    this.#recent.noteRates(
      chain,
      filled.map(({ wire, decimals }) => ({ ...wire, decimals })),
    )
    return filled.map((each) => this.#completed(each, { chain, now }))
  }

  #completed(
    { wire, decimals, quote_symbol }: FilledItem,
    { chain, now }: { chain: number; now: number },
  ): Asset {
    const quote_dollars = this.#dollarsOf({ ...wire, decimals }, chain)
    const asset = {
      ...wire,
      decimals,
      ...(quote_dollars !== undefined && { quote_dollars }),
      ...(quote_symbol !== undefined && { quote_symbol }),
    }
    return withStatus(asset, { statusWords: this.#statusWords, units: this.#units, now })
  }

  /** Returns the dollars per quote token by other assets, if this one's market data lack or contradict them. */
  #dollarsOf(asset: Asset, chain: number): string | undefined {
    const { asset_numeraire_address: quote } = asset
    const known = quote && this.#recent.dollarsPerQuote(chain, quote)
    if (!known) return undefined
    const own = dollarsPerQuote({ ...asset, quote_dollars: known }, this.#units)
    return own === undefined ? known : undefined
  }

  /** Looks up what figures and currencies need of the asset's tokens, and the asset lacks. */
  async #tokensOf(asset: WireAsset, chain: number): Promise<TokensOfAsset> {
    const { asset_numeraire_address: address, asset_address: token } = asset
    const lacksOwn =
      this.#usesTokenDecimals &&
      baseTokens(asset).every((each) => each.token_decimals === undefined)
    const quote = address === undefined ? undefined : await this.#quoteToken(chain, address)
    const own = lacksOwn ? await this.#token(chain, token) : undefined
    return {
      decimals: { quote: quote?.decimals, token: own?.decimals },
      quote_symbol: quote?.symbol,
    }
  }

  /** Looks up a quote token, at the API first, as it may be a launched one. A well-known one has no symbol in the result. */
  async #quoteToken(chain: number, quote: string): Promise<Partial<KnownToken> | undefined> {
    const decimals = knownDecimals(chainById(chain), quote)
    if (decimals !== undefined) return { decimals }
    const launched = this.#recent.token(chain, quote) ?? (await this.#launchedToken(chain, quote))
    if (launched?.symbol) return launched
    const own = await this.#token(chain, quote)
    return launched ? { ...launched, symbol: own?.symbol } : own
  }

  /** Asks the API for a quote token, which may be one that was launched. Not for many at once: a list can name fifty. */
  async #launchedToken(chain: number, quote: string): Promise<KnownToken | undefined> {
    const key = `${chain} ${quote.toLowerCase()}`
    const isWaitedFor = this.#quoteLookups.has(key) || this.#quoteTokens.has(key)
    if (!isWaitedFor && this.#quoteLookups.size >= maxQuoteLookups) return undefined
    this.#quoteLookups.add(key)
    const lookup = this.#quoteTokens.forceFetch(key).finally(() => this.#quoteLookups.delete(key))
    return (await withTimeout(lookup, quotePatienceMs))?.token
  }

  async #readToken(chain: number, address: string): Promise<KnownToken | undefined> {
    const query = { [this.#names.chain]: chain }
    const path = `/assets/${pathSegment(address)}`
    const { body } = await this.#timed('asset', () => this.#transport.measured(path, query))
    const asset = readResult(body, wireAssetSchema)
    if (differ(asset.asset_address, address)) return undefined
    this.#recent.note(chain, [asset], false)
    return this.#recent.token(chain, address)
  }

  async #timed<T>(endpoint: Call['endpoint'], call: () => Promise<T>): Promise<T> {
    const from = performance.now()
    let result: Call['result'] = 'ok'
    try {
      return await call()
    } catch (error) {
      result = error instanceof ApiError ? error.kind : 'unknown'
      throw error
    } finally {
      this.#onCall?.({ endpoint, result, seconds: (performance.now() - from) / 1000 })
    }
  }

  #withoutContradictions(
    assets: readonly Asset[],
    filters: Filters,
  ): Pick<Listing, 'items' | 'contradictedFilters'> {
    const contradicted = new Set<keyof Filters>()
    const items = assets.filter((asset) => {
      const reason = contradiction(asset, filters)
      if (reason === undefined) return true
      this.#warnOnce(reason)
      contradicted.add(reason)
      return false
    })
    return { items, contradictedFilters: [...contradicted] }
  }

  #warnOnce(reason: keyof Filters): void {
    if (this.#warned.has(reason)) return
    this.#warned.add(reason)
    this.#log.warn(
      { filter: reason },
      'assets that contradict the filter were left out: is its query name right? (npm run doctor)',
    )
  }
}

/** Whether an auction is known to be another than the one asked for. An address that auctions share tells none from the others. */
function isOtherAuction(auction: AuctionSummary, asked: string): boolean {
  const { auction_pool_address: address, auction_pool_id: id } = auction
  const names = [address, id].filter((name) => name !== undefined && !isModule(name))
  const token = auction.auction_base_token_address
  const asset = compositePoolId(asked)?.asset
  const isNamed = [...names, token].some((name) => name !== undefined && !differ(name, asked))
  if (isNamed || (asset !== undefined && token !== undefined && !differ(token, asset))) return false
  return names.length > 0 || differ(token, asset) || (address !== undefined && isAddress(asked))
}

// Paths contain only addresses, hashes and ids; anything else could reach another endpoint.
function pathSegment(address: string): string {
  if (/^[0-9a-z]{1,128}$/iu.test(address) || compositePoolId(address)) return address
  throw new ApiError('invalid', 'not an address')
}
