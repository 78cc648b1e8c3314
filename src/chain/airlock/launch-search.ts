import { type Address, type Hex, isAddressEqual, toEventSelector } from 'viem'
import {
  isRateLimited,
  type Log,
  lacksMethod,
  logs,
  NodeError,
  quantity,
  type Rpc,
  RpcRefusal,
} from '../rpc.ts'
import { createTopic, decodeCreate } from './calldata.ts'

/** A launch to find: the contract that emits `Create`, and the token. */
export interface LaunchToFind {
  airlock: Address
  token: Address
}

export interface SearchResult {
  /** Undefined if none was found in the searched blocks. */
  launch: { hash: Hex; block: bigint } | undefined
  /** The block to continue from. */
  next: bigint
  /** The latest block of the node. */
  head: bigint
  /** Whether the search reached `head`. */
  reachedHead: boolean
}

/** The node does not support `eth_getLogs`, so it can't be used to search. */
export class NoLogsError extends NodeError {
  override readonly name = 'NoLogsError'
}

const maxBlocks = 2000n
const minBlocks = 10n
const maxPages = 25
/** The last blocks are searched again: they may be reorganized, and another node behind the same URL may lag. */
const reorgBlocks = 64n

/** Whether this log is the airlock's `Create` of the token. `asset` is not indexed, so the node can't filter by it. */
export function isLaunch(log: Log, wanted: LaunchToFind): boolean {
  const created = decodeCreate(log)
  if (!created || log.removed || !isAddressEqual(log.address, wanted.airlock)) return false
  return isAddressEqual(created.asset, wanted.token)
}

/** Searches the logs of one node and adapts the number of blocks per request to its limit. */
export class LaunchSearch {
  readonly #rpc: Rpc
  #blocksPerRequest = maxBlocks

  constructor(rpc: Rpc) {
    this.#rpc = rpc
  }

  /** Searches from a block on, at most 25 requests per call. */
  async find(wanted: LaunchToFind, fromBlock: bigint): Promise<SearchResult> {
    const head = await this.#rpc.request('eth_blockNumber', [], quantity)
    // Grow again: the node's limit may have been temporary.
    this.#blocksPerRequest = smaller(maxBlocks, this.#blocksPerRequest * 2n)
    let from = fromBlock
    for (let page = 0; page < maxPages && from <= head; page += 1) {
      const to = smaller(head, from + this.#blocksPerRequest - 1n)
      const found = await this.#page(wanted, from, to)
      if (found === 'too many') continue
      if (found) return { launch: found, next: found.block, head, reachedHead: false }
      from = to + 1n
    }
    const next = larger(fromBlock, smaller(from, head - reorgBlocks))
    return { launch: undefined, next, head, reachedHead: from > head }
  }

  async #page(wanted: LaunchToFind, from: bigint, to: bigint) {
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) }
    const filter = { address: wanted.airlock, topics: [createTopic], ...range }
    try {
      const candidates = await this.#rpc.request('eth_getLogs', [filter], logs)
      const log = candidates.find((each) => isLaunch(each, wanted))
      if (!log?.transactionHash || !log.blockNumber) return undefined
      return { hash: log.transactionHash, block: log.blockNumber }
    } catch (error) {
      if (!(error instanceof RpcRefusal) || isRateLimited(error)) throw error
      if (lacksMethod(error)) throw new NoLogsError(error.kind, error.message, error)
      if (this.#blocksPerRequest <= minBlocks) throw error
      this.#blocksPerRequest = larger(minBlocks, this.#blocksPerRequest / 2n)
      return 'too many'
    }
  }
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

/** Event of Uniswap V4's PoolManager; the id and the two currencies are indexed. */
const initialized = toEventSelector(
  'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
)

/**
 * Finds the launch pool in the logs of a receipt: the address of its contract (Uniswap V3) or of its hook (a dynamic
 * auction), else its id in the PoolManager; undefined if the logs are ambiguous.
 */
export function launchedPool(logs: readonly Log[], wanted: LaunchToFind): Hex | undefined {
  const launch = logs.find((log) => isLaunch(log, wanted))
  const poolOrHook = launch && decodeCreate(launch)?.poolOrHook
  if (!launch || !poolOrHook) return undefined
  if (!isAddressEqual(poolOrHook, wanted.token)) return poolOrHook
  const ids = logs.slice(0, logs.indexOf(launch)).flatMap((log) => idOf(log, wanted.token) ?? [])
  return new Set(ids).size === 1 ? ids[0] : undefined
}

/** Returns the id of an initialized pool if it trades this token. */
function idOf({ topics: [event, id, ...currencies] }: Log, token: Address): Hex | undefined {
  if (event !== initialized) return undefined
  const isTraded = currencies.some((each) => isAddressEqual(`0x${each.slice(26)}`, token))
  return isTraded ? id : undefined
}
