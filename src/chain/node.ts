import { type Address, decodeAbiParameters, type Hex, hexToString, size } from 'viem'
import { plain } from './airlock/calldata.ts'
import { launchedPool } from './airlock/launched.ts'
import { type Rehearsal, type RehearsalResult, rehearse, standsAt } from './airlock/rehearse.ts'
import { type Found, isLaunch, LaunchSearch, type Wanted } from './airlock/search.ts'
import {
  bytes,
  NodeError,
  quantity,
  Rpc,
  type RpcOptions,
  RpcRefusal,
  receipt,
  transaction,
  type View,
} from './rpc.ts'

/**
 * What became of a transaction that is said to carry a payload. `launched`: it holds the launch; `no-launch`: it was
 * mined, but does not. `pending` and `reverted` are said only of one that really carries the payload.
 */
export type ReceiptState = 'unknown' | 'pending' | 'reverted' | 'launched' | 'no-launch'

/** A token with more is none that people pay with. */
export const maxDecimals = 77
/** The longest answer of a contract that is looked at; a view of strangers may return megabytes. */
const maxBytes = 100_000

/**
 * One chain through one node. Everything that it says holds for the chain it was made for: a node of another chain, or
 * one that can't answer, is a NodeError.
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

  /** Makes sure that the node answers for its chain, each time anew: a provider may lead elsewhere by now. */
  async check(): Promise<void> {
    const id = await this.#rpc.ask('eth_chainId', [], quantity)
    if (id !== BigInt(this.#chainId)) {
      throw new NodeError(
        'wrong-chain',
        `The node of chain ${this.#chainId} answers for chain ${id}.`,
      )
    }
  }

  /** The number of the last block. */
  async block(): Promise<bigint> {
    await this.check()
    return this.#rpc.ask('eth_blockNumber', [], quantity)
  }

  /** Whether a contract, such as a launched token, stands at an address. */
  async hasCode(address: Address): Promise<boolean> {
    await this.check()
    return standsAt(this.#rpc, address)
  }

  /** What would come of a payload if it were sent now. */
  async rehearse(rehearsal: Rehearsal): Promise<RehearsalResult> {
    await this.check()
    return rehearse(this.#rpc, rehearsal)
  }

  /** What a unit of gas costs now, in wei; undefined if the node doesn't say. */
  async gasPrice(): Promise<bigint | undefined> {
    return this.#rpc.ask('eth_gasPrice', [], quantity).catch(() => undefined)
  }

  /** What a token says of itself: by strangers, of bounded length. Undefined if it is none. */
  async tokenFacts(token: Address): Promise<{ symbol: string; decimals: number } | undefined> {
    await this.check()
    const ask = (data: Hex) => this.#rpc.ask('eth_call', [{ to: token, data }, 'latest'], bytes)
    try {
      const [symbol, decimals] = await Promise.all([ask('0x95d89b41'), ask('0x313ce567')])
      const places = Number(decodeAbiParameters([{ type: 'uint8' }], decimals)[0])
      // The decoder takes any number, and to count with ten to the power of millions takes for ever.
      if (places > maxDecimals) return undefined
      return { symbol: plain(symbolIn(symbol)).slice(0, 20), decimals: places }
    } catch (error) {
      if (error instanceof NodeError && !(error instanceof RpcRefusal)) throw error
      return undefined
    }
  }

  /**
   * What contracts return at the last block, in the order of the questions; undefined in the place of each that has no
   * such view, refuses, or returns too much to look at.
   * @throws NodeError if the node does not answer, or answers for another chain
   */
  async views(questions: readonly View[]): Promise<(Hex | undefined)[]> {
    await this.check()
    return Promise.all(
      questions.map(async ({ to, data }) => {
        try {
          const answer = await this.#rpc.ask('eth_call', [{ to, data }, 'latest'], bytes)
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
   * Looks for the `Create` of a token from a block on, whoever sent it and however. One call looks through a bounded
   * number of blocks and says where to go on.
   * @throws NoLogsError where the node gives no logs at all
   */
  async findLaunch({ fromBlock, ...wanted }: Wanted & { fromBlock: bigint }): Promise<Found> {
    await this.check()
    return this.#search.find(wanted, fromBlock)
  }

  /**
   * What became of a transaction of which somebody said that it carries this calldata. Its target does not matter:
   * smart accounts send through themselves, with the calldata somewhere in their own.
   */
  async receipt(hash: Hex, wanted: Wanted & { calldata: Hex }): Promise<ReceiptState> {
    await this.check()
    const mined = await this.#rpc.ask('eth_getTransactionReceipt', [hash], receipt)
    if (!mined?.blockNumber) {
      return (await this.#carries(hash, wanted.calldata)) ? 'pending' : 'unknown'
    }
    if (mined.status === 0n) {
      return (await this.#carries(hash, wanted.calldata)) ? 'reverted' : 'no-launch'
    }
    return mined.logs.some((log) => isLaunch(log, wanted)) ? 'launched' : 'no-launch'
  }

  /** The address or id of the pool that a launch made; undefined where its receipt does not tell. */
  async launchedPool(hash: Hex, wanted: Wanted): Promise<Hex | undefined> {
    await this.check()
    const mined = await this.#rpc.ask('eth_getTransactionReceipt', [hash], receipt)
    return mined ? launchedPool(mined.logs, wanted) : undefined
  }

  async #carries(hash: Hex, calldata: Hex): Promise<boolean> {
    const sent = await this.#rpc.ask('eth_getTransactionByHash', [hash], transaction)
    return sent?.input?.toLowerCase().includes(calldata.slice(2).toLowerCase()) ?? false
  }
}

/** Some old tokens give 32 bytes instead of a string. */
function symbolIn(data: Hex): string {
  if (size(data) === 32) return hexToString(data, { size: 32 })
  return decodeAbiParameters([{ type: 'string' }], data)[0]
}
