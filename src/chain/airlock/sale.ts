import { type Address, concat, type Hex, isAddressEqual, keccak256 } from 'viem'
import { addressIn, ask, type Viewer, view, type Words, wordOf } from '../rpc.ts'
import { type Position, soldUntil, v3Positions } from './curve.ts'
import { readable } from './simulation.ts'

/** The sale of an asset, read from the launch contract and the pool, in base units; unreadable parts are absent. */
export interface LaunchedSale {
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
export async function readLaunchedSale(
  node: Viewer,
  airlock: Address,
  asset: Address,
): Promise<LaunchedSale | undefined> {
  const [assetData, owner] = await ask(node, [
    view(airlock, 'getAssetData(address)', asset),
    view(asset, 'owner()'),
  ])
  const launch = launchIn(assetData, asset)
  if (!launch) return undefined
  // The launch contract owns a token until it graduates; after that the launch pool no longer has a price.
  const isInPool = owner?.[0] === BigInt(airlock)
  const { quote, toSell, isToken0 } = launch
  return { quote, toSell, isToken0, ...(await readProgress(node, launch, isInPool)) }
}

/** Reads the initializer and the pool; values that depend on the price are absent once the asset left the pool. */
async function readProgress(node: Viewer, launch: Launch, isInPool: boolean): Promise<Progress> {
  const { asset, initializer, pool } = launch
  const shared = [view(initializer, 'poolManager()'), view(initializer, 'getState(address)', pool)]
  if (isAddressEqual(pool, asset)) {
    if (!isInPool) return {}
    const [manager, state, positions] = await ask(node, [
      ...shared,
      view(initializer, 'getPositions(address)', asset),
    ])
    const sqrtPrice = await priceInManager(node, manager, poolIn(state, launch))
    return { sqrtPrice, ...soldBy(positionsIn(positions), sqrtPrice, launch) }
  }
  const [manager, state, key, totals, slot0, spacing] = await ask(node, [
    ...shared,
    view(pool, 'poolKey()'),
    view(pool, 'state()'),
    view(pool, 'slot0()'),
    view(pool, 'tickSpacing()'),
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
function launchIn(stored: Words, asset: Address): Launch | undefined {
  const [quote, , , , initializer, pool, , toSell] = stored ?? []
  if (quote === undefined || !initializer || !pool || toSell === undefined) return undefined
  return {
    asset,
    quote: addressIn(quote),
    isToken0: BigInt(asset) < quote,
    initializer: addressIn(initializer),
    pool: addressIn(pool),
    toSell,
  }
}

/**
 * Finds the pool key in these words and returns its hash, the pool id. Initializers store different fields around the
 * key, but in it the pair's two addresses are adjacent.
 */
function poolIn(words: Words, { asset, quote }: Launch): Hex | undefined {
  const [low = 0n, high = 0n] = [BigInt(asset), BigInt(quote)].sort((one, other) =>
    one < other ? -1 : 1,
  )
  const start = words?.findIndex((word, index) => word === low && words[index + 1] === high) ?? -1
  const key = start < 0 ? [] : (words?.slice(start, start + 5) ?? [])
  return key.length === 5 ? keccak256(concat(key.map(wordOf))) : undefined
}

async function priceInManager(
  node: Viewer,
  manager: Words,
  pool: Hex | undefined,
): Promise<bigint | undefined> {
  if (!manager?.[0] || !pool) return undefined
  const slot = keccak256(concat([pool, wordOf(poolsSlot)]))
  const [word] = await ask(node, [view(addressIn(manager[0]), 'extsload(bytes32)', slot)])
  return sqrtPriceIn(word)
}

/**
 * Reads the square root of the price from the low bits of a pool's first word (tick and fees are above); undefined if
 * it is 0.
 */
function sqrtPriceIn(words: Words): bigint | undefined {
  const price = BigInt.asUintN(160, words?.[0] ?? 0n)
  return price === 0n ? undefined : price
}

/** Decodes an array of positions: lower and upper tick, liquidity, salt. */
function positionsIn(words: Words): Position[] | undefined {
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
  state: Words,
  spacing: Words,
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
