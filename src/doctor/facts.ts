import {
  type Address,
  concat,
  formatUnits,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  zeroAddress,
} from 'viem'
import { z } from 'zod'
import { historySchema, type Point } from '../alerts/asset.ts'
import { baseToken, currentPool } from '../api/asset.ts'
import { type Asset, addressPattern } from '../api/schema.ts'
import { decimal as wireNumber } from '../api/units.ts'
import { decimal, type Position, priceAt, soldUntil, v3Positions } from '../chain/airlock/curve.ts'
import { readable } from '../chain/airlock/simulation.ts'
import { ChainNode, maxDecimals, type TokenDecimals, tokenDecimals } from '../chain/node.ts'
import {
  type ContractReader,
  contractCall,
  NodeError,
  type ReturnedWords,
  readWords,
  toWord,
  wordToAddress,
} from '../chain/rpc.ts'
import { readOnly } from '../db/probe.ts'
import type { LaunchSettings } from '../launch/settings.ts'

// Facts to compare the API's figures with: what the chain says of an asset, and which prices the bot recorded.

/**
 * Data of an asset from the chain. Amounts are decimal texts without exponent, in whole tokens or whole quote tokens;
 * unreadable ones are absent.
 */
export interface ChainFacts {
  asset: Address
  tokenDecimals?: number | undefined
  quoteDecimals?: number | undefined
  /** Current total supply. */
  supply?: string | undefined
  toSell?: string | undefined
  /** Tokens sold, net of those sold back. */
  sold?: string | undefined
  /** Price in quote tokens, in the launch pool; absent once the asset graduated. */
  price?: string | undefined
  /** Quote tokens raised, without fees. */
  raised?: string | undefined
}

const maxAssets = 5
/** Digits of a price; more than an API gives. */
const priceDigits = 18

/** The node of a chain, and the launch contract there if it is known. */
interface Source {
  node: ContractReader
  airlock: Address | undefined
}

/** The nodes by chain id, and the launch contracts. */
export interface ChainSettings {
  rpcUrls: Readonly<Record<number, string>>
  settings: Pick<LaunchSettings, 'launchers'>
}

/** The facts of one chain, over all rounds of a run. */
interface Known {
  node: ChainNode | undefined
  decimals: TokenDecimals
  /** By lower-case address; undefined if there is no token. */
  facts: Map<string, ChainFacts | undefined>
}

/** Reads facts from the chains' nodes, once per asset over all rounds of a run. */
export class ChainReader {
  readonly #launches: ChainSettings
  readonly #byChain = new Map<number, Known>()

  constructor(launches: ChainSettings) {
    this.#launches = launches
  }

  /** Returns the assets with their tokens' decimals, and the chain's data about a few of them; none without a node. */
  async read(
    chain: number,
    assets: readonly Asset[],
  ): Promise<{ assets: Asset[]; facts: ChainFacts[] }> {
    const known = await this.#of(chain)
    const read: Asset[] = []
    for (const asset of assets) {
      const { asset_numeraire_address: quote, asset_address: token } = asset
      const isSaid = baseToken(asset)?.token_decimals !== undefined
      const decimals = {
        quote: quote === undefined ? undefined : await known.decimals(chain, quote),
        token: isSaid ? undefined : await known.decimals(chain, token),
      }
      read.push({ ...asset, decimals })
    }
    return { assets: read, facts: await this.#facts(chain, known, assets) }
  }

  /** One that does not answer is reported with the launches, and counts as none here, or each asset would wait for it. */
  async #of(chain: number): Promise<Known> {
    const before = this.#byChain.get(chain)
    if (before) return before
    const rpcUrl = this.#launches.rpcUrls[chain]
    const node = rpcUrl === undefined ? undefined : new ChainNode({ rpcUrl, chainId: chain })
    const isThere = node && (await answered(() => node.check().then(() => true)))
    const nodes = new Map(node && isThere ? [[chain, node]] : [])
    const known = { node: nodes.get(chain), decimals: tokenDecimals({ nodes }), facts: new Map() }
    this.#byChain.set(chain, known)
    return known
  }

  async #facts(chain: number, known: Known, assets: readonly Asset[]): Promise<ChainFacts[]> {
    const { node, facts } = known
    if (!node) return []
    const airlock = this.#launches.settings.launchers[chain]?.airlock
    const found: ChainFacts[] = []
    const isRead = await answered(async () => {
      for (const asset of mostInformative(assets)) {
        const address = asset.asset_address.toLowerCase()
        if (!facts.has(address)) facts.set(address, await readFacts({ node, airlock }, asset))
        const fact = facts.get(address)
        if (fact) found.push(fact)
      }
      return true
    })
    if (!isRead) this.#byChain.set(chain, { ...known, node: undefined })
    return found
  }
}

/** Returns undefined if the node doesn't answer, or answers for another chain. */
async function answered<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof NodeError) return undefined
    throw error
  }
}

/**
 * Reads one asset with at most 12 contract calls; undefined if there is no token at its address.
 * @throws NodeError if the node doesn't answer, or answers for another chain
 */
export async function readFacts(
  { node, airlock }: Source,
  asset: Asset,
): Promise<ChainFacts | undefined> {
  const token = getAddress(asset.asset_address)
  const [[decimals, supply], sale] = await Promise.all([
    readWords(node, [contractCall(token, 'decimals()'), contractCall(token, 'totalSupply()')]),
    airlock && readLaunchedSale(node, airlock, token),
  ])
  if (!decimals && !supply) return undefined
  const tokenDecimals = decimalsIn(decimals)
  const quote = sale?.quote ?? addressOf(asset.asset_numeraire_address)
  const quoteDecimals = quote && (await decimalsOf(node, quote))
  return {
    asset: token,
    tokenDecimals,
    quoteDecimals,
    supply: amount(supply?.[0], tokenDecimals),
    toSell: amount(sale?.toSell, tokenDecimals),
    sold: amount(sale?.sold, tokenDecimals),
    price: price(sale, tokenDecimals, quoteDecimals),
    raised: amount(sale?.raised, quoteDecimals),
  }
}

function mostInformative(assets: readonly Asset[]): readonly Asset[] {
  const sorted = assets.toSorted(
    (one, other) => informativeAmounts(other) - informativeAmounts(one),
  )
  const seen = new Map<string, number>()
  const ranked = sorted.map((asset) => {
    const quote = asset.asset_numeraire_address?.toLowerCase() ?? ''
    const before = seen.get(quote) ?? 0
    seen.set(quote, before + 1)
    return { asset, before }
  })
  return ranked
    .toSorted((one, other) => one.before - other.before)
    .slice(0, maxAssets)
    .map(({ asset }) => asset)
}

/** Counts the amounts that can be compared with the chain: those above 0, if the auction's pool trades. */
function informativeAmounts(asset: Asset): number {
  if (currentPool(asset) !== 'auction') return 0
  const { auction_pool: pool } = asset
  const amounts = [...Object.values(pool ?? {}), ...Object.values(pool?.pool_market_data ?? {})]
  return amounts.filter((each) => typeof each === 'string' && wireNumber(each)?.gt(0)).length
}

/** Looks up the quote token's decimals; the zero address is the native coin. */
async function decimalsOf(node: ContractReader, quote: Address): Promise<number | undefined> {
  if (isAddressEqual(quote, zeroAddress)) return 18
  const [said] = await readWords(node, [contractCall(quote, 'decimals()')])
  return decimalsIn(said)
}

function price(
  sale: LaunchedSale | undefined,
  tokenDecimals: number | undefined,
  quoteDecimals: number | undefined,
): string | undefined {
  if (!sale?.sqrtPrice || tokenDecimals === undefined || quoteDecimals === undefined) {
    return undefined
  }
  const { numerator, denominator } = priceAt(sale.sqrtPrice, sale.isToken0)
  const whole = {
    numerator: numerator * 10n ** BigInt(tokenDecimals),
    denominator: denominator * 10n ** BigInt(quoteDecimals),
  }
  return decimal(whole, priceDigits)
}

function amount(units: bigint | undefined, decimals: number | undefined): string | undefined {
  return units === undefined || decimals === undefined ? undefined : formatUnits(units, decimals)
}

function decimalsIn(words: ReturnedWords): number | undefined {
  const said = words?.[0]
  return said === undefined || said > maxDecimals ? undefined : Number(said)
}

function addressOf(text: string | undefined): Address | undefined {
  return text !== undefined && addressPattern.test(text) ? getAddress(text) : undefined
}

/** The sale of an asset, read from the launch contract and the pool, in base units; unreadable parts are absent. */
interface LaunchedSale {
  quote: Address
  toSell: bigint
  /** Whether the asset is token0 of its pool. */
  isToken0: boolean
  /** Square root of the price (Q64.96) in the launch pool; absent once the asset graduated. */
  sqrtPrice?: bigint | undefined
  /** Tokens sold, net of those sold back. */
  sold?: bigint | undefined
  /** Quote tokens raised, without fees. */
  raised?: bigint | undefined
}

type Progress = Pick<LaunchedSale, 'sqrtPrice' | 'sold' | 'raised'>

/** The launch contract's record of an asset. */
interface Launch {
  asset: Address
  quote: Address
  initializer: Address
  /** The pool's contract, the auction's hook, or the asset itself if there is neither (a curve on Uniswap V4). */
  pool: Address
  toSell: bigint
  isToken0: boolean
}

const maxPositions = 1000
/** Storage slot of the pools in Uniswap V4's PoolManager. */
const poolsSlot = 6n

/**
 * Reads the sale of an asset in up to nine calls; undefined if the launch contract does not know the asset.
 * @throws NodeError if the viewer does
 */
async function readLaunchedSale(
  node: ContractReader,
  airlock: Address,
  asset: Address,
): Promise<LaunchedSale | undefined> {
  const [assetData, owner] = await readWords(node, [
    contractCall(airlock, 'getAssetData(address)', asset),
    contractCall(asset, 'owner()'),
  ])
  const launch = launchIn(assetData, asset)
  if (!launch) return undefined
  // The launch contract owns a token until it graduates; after that the launch pool no longer has a price.
  const isInPool = owner?.[0] === BigInt(airlock)
  const { quote, toSell, isToken0 } = launch
  return { quote, toSell, isToken0, ...(await readProgress(node, launch, isInPool)) }
}

/** Reads the initializer and the pool; values that depend on the price are absent once the asset left the pool. */
async function readProgress(
  node: ContractReader,
  launch: Launch,
  isInPool: boolean,
): Promise<Progress> {
  const { asset, initializer, pool } = launch
  const shared = [
    contractCall(initializer, 'poolManager()'),
    contractCall(initializer, 'getState(address)', pool),
  ]
  if (isAddressEqual(pool, asset)) {
    if (!isInPool) return {}
    const [manager, state, positions] = await readWords(node, [
      ...shared,
      contractCall(initializer, 'getPositions(address)', asset),
    ])
    const sqrtPrice = await priceInManager(node, manager, poolIn(state, launch))
    return { sqrtPrice, ...soldBy(positionsIn(positions), sqrtPrice, launch) }
  }
  const [manager, state, key, totals, slot0, spacing] = await readWords(node, [
    ...shared,
    contractCall(pool, 'poolKey()'),
    contractCall(pool, 'state()'),
    contractCall(pool, 'slot0()'),
    contractCall(pool, 'tickSpacing()'),
  ])
  if (totals?.length === 6) {
    const [, , sold, raised] = totals
    const id = isInPool ? poolIn(key, launch) : undefined
    return { sqrtPrice: await priceInManager(node, manager, id), sold, raised }
  }
  const sqrtPrice = isInPool ? sqrtPriceIn(slot0) : undefined
  return { sqrtPrice, ...soldBy(positionsOfV3(state, spacing, launch), sqrtPrice, launch) }
}

function soldBy(
  positions: readonly Position[] | undefined,
  sqrtPrice: bigint | undefined,
  launch: Launch,
): Progress {
  if (!positions || sqrtPrice === undefined) return {}
  const sale = readable(() => soldUntil(positions, sqrtPrice, launch.isToken0))
  return { sold: sale?.tokens, raised: sale?.quote }
}

/** Decodes the launch contract's `AssetData`; undefined if it does not know the asset. */
function launchIn(stored: ReturnedWords, asset: Address): Launch | undefined {
  const [quote, , , , initializer, pool, , toSell] = stored ?? []
  if (quote === undefined || !initializer || !pool || toSell === undefined) return undefined
  return {
    asset,
    quote: wordToAddress(quote),
    isToken0: BigInt(asset) < quote,
    initializer: wordToAddress(initializer),
    pool: wordToAddress(pool),
    toSell,
  }
}

/**
 * Finds the pool key in these words and returns its hash, the pool id. Initializers store different fields around the
 * key, but in it the pair's two addresses are adjacent.
 */
function poolIn(words: ReturnedWords, { asset, quote }: Launch): Hex | undefined {
  const [low = 0n, high = 0n] = [BigInt(asset), BigInt(quote)].sort((one, other) =>
    one < other ? -1 : 1,
  )
  const start = words?.findIndex((word, index) => word === low && words[index + 1] === high) ?? -1
  const key = start < 0 ? [] : (words?.slice(start, start + 5) ?? [])
  return key.length === 5 ? keccak256(concat(key.map(toWord))) : undefined
}

async function priceInManager(
  node: ContractReader,
  manager: ReturnedWords,
  pool: Hex | undefined,
): Promise<bigint | undefined> {
  if (!manager?.[0] || !pool) return undefined
  const slot = keccak256(concat([pool, toWord(poolsSlot)]))
  const [word] = await readWords(node, [
    contractCall(wordToAddress(manager[0]), 'extsload(bytes32)', slot),
  ])
  return sqrtPriceIn(word)
}

/**
 * Reads the square root of the price from the low bits of a pool's first word (tick and fees are above); undefined if
 * it is 0.
 */
function sqrtPriceIn(words: ReturnedWords): bigint | undefined {
  const price = BigInt.asUintN(160, words?.[0] ?? 0n)
  return price === 0n ? undefined : price
}

/** Decodes an array of positions: lower and upper tick, liquidity, salt. */
function positionsIn(words: ReturnedWords): Position[] | undefined {
  const [, count = 0n, ...fields] = words ?? []
  if (count === 0n || count > maxPositions || fields.length !== Number(count) * 4) return undefined
  return Array.from({ length: Number(count) }, (_, index) => {
    const [lower = 0n, upper = 0n, liquidity = 0n] = fields.slice(index * 4)
    return { tickLower: tickIn(lower), tickUpper: tickIn(upper), liquidity }
  })
}

/**
 * Recomputes the positions of the V3 initializer from its stored pool state. The lockable initializer stores too little
 * for this.
 */
function positionsOfV3(
  state: ReturnedWords,
  spacing: ReturnedWords,
  launch: Launch,
): readonly Position[] | undefined {
  if (state?.length !== 9 || !spacing?.[0]) return undefined
  const [asset, , lower = 0n, upper = 0n, positions = 0n, , , share = 0n, forSale = 0n] = state
  if (asset !== BigInt(launch.asset) || positions === 0n || positions > maxPositions) {
    return undefined
  }
  const data = {
    tickLower: tickIn(lower),
    tickUpper: tickIn(upper),
    numPositions: Number(positions),
    maxShareToBeSold: share,
  }
  const recomputed = readable(() =>
    v3Positions(data, tickIn(spacing[0] ?? 0n), forSale, launch.isToken0),
  )
  return recomputed && [...recomputed.curve, recomputed.tail]
}

function tickIn(word: bigint): number {
  return Number(BigInt.asIntN(24, word))
}

/** Price changes in about a day that the bot recorded, by lower-case address, as a ratio: 0.154 is +15.4%. */
export type RecordedChanges = ReadonlyMap<string, number>

const recordedSchema = z.array(z.object({ asset: z.string(), history: z.string() }))
const maxRecorded = 500
const hour = 3600
const recordedQuery = `select asset, history from watched_assets where phase in ('live', 'graduated') limit ${maxRecorded}`

/**
 * Reads the bot's recorded prices of a day ago and now. Read-only, so it may run beside the bot; empty if the database
 * can't be read or has another version.
 * @param now unix seconds
 */
export async function recordedChanges(database: string, now: number): Promise<RecordedChanges> {
  try {
    const rows = recordedSchema.parse(await readOnly(database, recordedQuery))
    return new Map(
      rows.flatMap(({ asset, history }) => {
        const change = changeIn(historySchema.parse(JSON.parse(history)), now)
        return change === undefined ? [] : [[asset.toLowerCase(), change] as const]
      }),
    )
  } catch {
    return new Map()
  }
}

/** Returns the change from the last price that is about a day old to the newest; undefined if one is missing. */
function changeIn(history: readonly Point[], now: number): number | undefined {
  const priced = history.filter(({ price }) => Number(price) > 0)
  const last = priced.at(-1)
  // A price holds until the next is recorded.
  const before = priced.findLast(({ at }) => at <= now - 24 * hour)
  if (!last || !before || before.at < now - 48 * hour || last.at < now - 2 * hour) return undefined
  return Number(last.price) / Number(before.price) - 1
}
