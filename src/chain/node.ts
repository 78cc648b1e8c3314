import { LRUCache } from 'lru-cache'
import { type Address, decodeAbiParameters, type Hex, hexToString, numberToHex, size } from 'viem'
import { getAddress } from 'viem/utils'
import { withTimeout } from '../core/task.ts'
import { bytesSchema, isAddress } from './address.ts'
import { plain } from './airlock/calldata.ts'
import { type ClaimableFees, claimableFees, type FeeReceiver } from './airlock/fees.ts'
import {
  isLaunch,
  LaunchSearch,
  type LaunchToFind,
  launchedPool,
  type SearchResult,
} from './airlock/launch-search.ts'
import { revertOf } from './airlock/refusals.ts'
import { hasCodeAt, type Rehearsal, type RehearsalResult, rehearse } from './airlock/rehearse.ts'
import { chainById, knownToken } from './chains.ts'
import {
  type ContractCall,
  NodeError,
  quantity,
  Rpc,
  type RpcOptions,
  RpcRefusal,
  receipt,
  transaction,
} from './rpc.ts'

/**
 * State of a transaction that is said to carry a payload. `launched`: it contains the launch; `no-launch`: it was mined
 * without it. `pending` and `reverted` are used only if the transaction's data contain the payload.
 */
export type ReceiptState = 'unknown' | 'pending' | 'reverted' | 'launched' | 'no-launch'

/** Max decimals of a token; one with more is not used for payment. */
export const maxDecimals = 77
/** First bytes of the code of an account that delegates. */
const delegation = '0xef0100'
/** Max bytes of a call's result; a stranger's contract may return megabytes. */
const maxBytes = 100_000
/** Gas of `call`: what it pays for is at most 1.5 MB of memory to return. */
const callGas = numberToHex(5_000_000)

/**
 * Client of one chain through one node. All methods throw `NodeError` if the node can't answer; most check first that
 * it serves the right chain.
 */
export class ChainNode {
  readonly #rpc: Rpc
  readonly #chainId: number
  readonly #search: LaunchSearch

  constructor(options: RpcOptions) {
    this.#rpc = new Rpc(options)
    this.#chainId = options.chainId
    this.#search = new LaunchSearch(this.#rpc)
  }

  /**
   * Checks that the node serves this chain. Not cached: the provider may change what is behind its URL.
   * @throws NodeError `wrong-chain` if it serves another chain
   */
  async check(): Promise<void> {
    const id = await this.#rpc.request('eth_chainId', [], quantity)
    if (id !== BigInt(this.#chainId)) {
      throw new NodeError(
        'wrong-chain',
        `The node of chain ${this.#chainId} answers for chain ${id}.`,
      )
    }
  }

  /** Returns the number of the latest block. */
  async block(): Promise<bigint> {
    await this.check()
    return this.#rpc.request('eth_blockNumber', [], quantity)
  }

  /** Whether there is a contract, such as a launched token, at an address. */
  async hasCode(address: Address): Promise<boolean> {
    await this.check()
    return hasCodeAt(this.#rpc, address)
  }

  /** Whether an account is a contract; one that only delegates to a contract (EIP-7702) is not. */
  async isContract(address: Address): Promise<boolean> {
    await this.check()
    const code = await this.#rpc.request('eth_getCode', [address, 'latest'], bytesSchema)
    return code !== '0x' && !code.toLowerCase().startsWith(delegation)
  }

  /** Simulates a payload on the latest block. */
  async rehearse(rehearsal: Rehearsal): Promise<RehearsalResult> {
    await this.check()
    return rehearse(this.#rpc, rehearsal)
  }

  /**
   * Returns what an account would get now if it collected its fees, in the order of the payers; undefined if the node can't
   * simulate that.
   */
  async claimableFees(receiver: FeeReceiver): Promise<ClaimableFees[] | undefined> {
    await this.check()
    return claimableFees(this.#rpc, receiver)
  }

  /** Returns the gas price in wei; undefined if the node doesn't answer. */
  async gasPrice(): Promise<bigint | undefined> {
    return this.#rpc.request('eth_gasPrice', [], quantity).catch(() => undefined)
  }

  /**
   * Reads a token's symbol (untrusted, at most 20 characters) and decimals; undefined if the address is not a token.
   */
  async tokenFacts(token: Address): Promise<{ symbol: string; decimals: number } | undefined> {
    await this.check()
    const ask = (data: Hex) =>
      this.#rpc.request('eth_call', [{ to: token, data }, 'latest'], bytesSchema)
    try {
      const [symbol, decimals] = await Promise.all([ask('0x95d89b41'), ask('0x313ce567')])
      const places = Number(decodeAbiParameters([{ type: 'uint8' }], decimals)[0])
      // A malicious token may return huge decimals, and computing 10 to that power would block.
      if (places > maxDecimals) return undefined
      return { symbol: plain(symbolIn(symbol)).slice(0, 20), decimals: places }
    } catch (error) {
      if (error instanceof NodeError && !(error instanceof RpcRefusal)) throw error
      return undefined
    }
  }

  /**
   * Runs read-only calls on the latest block and returns their results in the same order; undefined for a call that
   * reverts or returns nothing or more than 100,000 bytes.
   * @throws NodeError if the node does not answer, or serves another chain
   */
  async callAll(questions: readonly ContractCall[]): Promise<(Hex | undefined)[]> {
    await this.check()
    return Promise.all(
      questions.map(async ({ to, data }) => {
        try {
          const answer = await this.#rpc.request('eth_call', [{ to, data }, 'latest'], bytesSchema)
          return answer === '0x' || size(answer) > maxBytes ? undefined : answer
        } catch (error) {
          const isRefusal = error instanceof RpcRefusal
          if (isRefusal || (error instanceof NodeError && error.kind === 'malformed')) {
            return undefined
          }
          throw error
        }
      }),
    )
  }

  /**
   * Runs a read-only call on the latest block, with little gas; `data` are what it returned, or what it reverted with.
   * @throws NodeError if the node does not answer, or serves another chain
   */
  async call({ to, data }: ContractCall): Promise<{ ok: boolean; data: Hex }> {
    await this.check()
    try {
      const params = [{ to, data, gas: callGas }, 'latest']
      return { ok: true, data: await this.#rpc.request('eth_call', params, bytesSchema) }
    } catch (error) {
      const reverted = revertOf(error)
      if (reverted === undefined) throw error
      return { ok: false, data: reverted }
    }
  }

  /**
   * Searches for the `Create` event of a token from a block on, whoever sent the transaction. One call covers a bounded
   * number of blocks; `next` is where to continue.
   * @throws NoLogsError if the node does not support `eth_getLogs`
   */
  async findLaunch({
    fromBlock,
    ...wanted
  }: LaunchToFind & { fromBlock: bigint }): Promise<SearchResult> {
    await this.check()
    return this.#search.find(wanted, fromBlock)
  }

  /**
   * Returns the state of a transaction that is said to carry this calldata. Its target is ignored: smart accounts send
   * through themselves and embed the calldata.
   */
  async receipt(hash: Hex, wanted: LaunchToFind & { calldata: Hex }): Promise<ReceiptState> {
    await this.check()
    const mined = await this.#rpc.request('eth_getTransactionReceipt', [hash], receipt)
    if (!mined?.blockNumber) {
      return (await this.#carries(hash, wanted.calldata)) ? 'pending' : 'unknown'
    }
    if (mined.status === 0n) {
      return (await this.#carries(hash, wanted.calldata)) ? 'reverted' : 'no-launch'
    }
    return mined.logs.some((log) => isLaunch(log, wanted)) ? 'launched' : 'no-launch'
  }

  /** Returns the address or id of the pool that a launch created; undefined if the receipt does not show it. */
  async launchedPool(hash: Hex, wanted: LaunchToFind): Promise<Hex | undefined> {
    await this.check()
    const mined = await this.#rpc.request('eth_getTransactionReceipt', [hash], receipt)
    return mined ? launchedPool(mined.logs, wanted) : undefined
  }

  async #carries(hash: Hex, calldata: Hex): Promise<boolean> {
    const sent = await this.#rpc.request('eth_getTransactionByHash', [hash], transaction)
    return sent?.input?.toLowerCase().includes(calldata.slice(2).toLowerCase()) ?? false
  }
}

/** Decodes a symbol; some old tokens return bytes32 instead of a string. */
function symbolIn(data: Hex): string {
  if (size(data) === 32) return hexToString(data, { size: 32 })
  return decodeAbiParameters([{ type: 'string' }], data)[0]
}

/** A token's own answers; `symbol` is undefined if it is empty, and may be anything else. */
interface TokenFacts {
  decimals: number
  symbol: string | undefined
}

/** Looks up a token; undefined if nobody knows it. Never rejects. */
export type TokenLookup = (chain: number, token: string) => Promise<TokenFacts | undefined>

/** Options of `tokenLookup`. */
interface TokenLookupOptions {
  /** Nodes by chain id. Tokens that are not well known can be looked up on these chains only. */
  nodes: ReadonlyMap<number, Pick<ChainNode, 'tokenFacts'>>
  /** Monotonic clock in milliseconds. */
  now?: () => number
  /** Milliseconds that a lookup waits for the node; 1,500 by default. A later answer is cached for the next lookup. */
  patienceMs?: number
}

const maxCached = 5000
/** Milliseconds until a failed lookup is retried. */
const retryMs = 60_000

/**
 * Makes a lookup of tokens' decimals and symbols: well-known tokens from the table, others from the chain, cached because they
 * hardly ever change.
 * @example
 * const lookUp = tokenLookup({ nodes })
 * await lookUp(8453, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913') // { symbol: 'USDC', decimals: 6 }
 */
export function tokenLookup({
  nodes,
  now = () => performance.now(),
  patienceMs = 1500,
}: TokenLookupOptions): TokenLookup {
  const cache = new LRUCache<string, { facts: TokenFacts | undefined }>({
    max: maxCached,
    perf: { now },
    ttlResolution: 0,
    ttl: Number.MAX_SAFE_INTEGER,
    fetchMethod: async (key, _, { options }) => {
      const facts = await fetchFacts(key)
      if (facts === undefined) options.ttl = retryMs
      return { facts }
    },
    ignoreFetchAbort: true,
  })

  async function fetchFacts(key: string): Promise<TokenFacts | undefined> {
    const [chain, token = ''] = key.split(' ')
    try {
      const facts = await nodes.get(Number(chain))?.tokenFacts(getAddress(token))
      return facts && { ...facts, symbol: facts.symbol === '' ? undefined : facts.symbol }
    } catch {
      return undefined
    }
  }

  return async (chain, token) => {
    const known = knownToken(chainById(chain), token)
    if (known !== undefined || !nodes.has(chain) || !isAddress(token)) return known
    const fetched = cache.forceFetch(`${chain} ${token.toLowerCase()}`)
    return (await withTimeout(fetched, patienceMs))?.facts
  }
}
