import type { Address, Hex } from 'viem'
import { launchedPool } from './launch/launched-pool.ts'
import { type Found, isLaunch, LaunchSearch, type Wanted } from './launch/search.ts'
import { type Rehearsal, rehearse, type Simulation, standsAt } from './launch/simulate.ts'
import { NodeError } from './node-error.ts'
import { Rpc, type RpcOptions } from './rpc.ts'
import { quantity, receipt, transaction } from './wire.ts'

/**
 * What became of a transaction that is said to carry a payload. `launched`: it holds the launch; `no-launch`: it was
 * mined, but does not. `pending` and `reverted` are said only of one that really carries the payload.
 */
export type ReceiptState = 'unknown' | 'pending' | 'reverted' | 'launched' | 'no-launch'

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
  async simulate(rehearsal: Rehearsal): Promise<Simulation> {
    await this.check()
    return rehearse(this.#rpc, rehearsal)
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
