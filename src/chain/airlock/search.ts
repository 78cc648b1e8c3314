import { type Address, decodeEventLog, encodeEventTopics, type Hex, isAddressEqual } from 'viem'
import {
  isHurried,
  type Log,
  lacksMethod,
  logs,
  NodeError,
  quantity,
  type Rpc,
  RpcRefusal,
} from '../rpc.ts'
import { launchAbi } from './abi.ts'

/** A launch: who emits `Create`, and the token that it is for. */
export interface Wanted {
  airlock: Address
  token: Address
}

export interface Found {
  /** `launch` is undefined where none was found as far as it looked. */
  launch: { hash: Hex; block: bigint } | undefined
  /** From where to look the next time. */
  next: bigint
  /** The last block, as the node says. */
  head: bigint
  /** Whether it looked as far as that. */
  whole: boolean
}

/** The node gives no logs at all, so nothing can be looked for with it. */
export class NoLogsError extends NodeError {
  override readonly name = 'NoLogsError'
}

const maxBlocks = 2000n
const minBlocks = 10n
const maxPages = 25
/** A chain may still replace its last blocks, and another node of the same address may lag behind. */
const unsettled = 64n

const [createTopic] = encodeEventTopics({ abi: launchAbi, eventName: 'Create' })

/** Whether this log is the airlock's `Create` of the token. `asset` is not indexed, so no filter can tell. */
export function isLaunch({ address, topics, data, removed }: Log, wanted: Wanted): boolean {
  const [first, ...rest] = topics
  if (removed || first === undefined || !isAddressEqual(address, wanted.airlock)) return false
  try {
    const { args } = decodeEventLog({
      abi: launchAbi,
      eventName: 'Create',
      topics: [first, ...rest],
      data,
    })
    return isAddressEqual(args.asset, wanted.token)
  } catch {
    return false
  }
}

/** Looks through the logs of one node, so many blocks at once as it allows. */
export class LaunchSearch {
  readonly #rpc: Rpc
  #blocks = maxBlocks

  constructor(rpc: Rpc) {
    this.#rpc = rpc
  }

  /** Looks on from a block for a bounded number of pages, so a long way takes several calls. */
  async find(wanted: Wanted, fromBlock: bigint): Promise<Found> {
    const head = await this.#rpc.ask('eth_blockNumber', [], quantity)
    // A node that once allowed less may allow more by now.
    this.#blocks = smaller(maxBlocks, this.#blocks * 2n)
    let from = fromBlock
    for (let page = 0; page < maxPages && from <= head; page += 1) {
      const to = smaller(head, from + this.#blocks - 1n)
      const found = await this.#page(wanted, from, to)
      if (found === 'too many') continue
      if (found) return { launch: found, next: found.block, head, whole: false }
      from = to + 1n
    }
    const next = larger(fromBlock, smaller(from, head - unsettled))
    return { launch: undefined, next, head, whole: from > head }
  }

  async #page(wanted: Wanted, from: bigint, to: bigint) {
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) }
    const filter = { address: wanted.airlock, topics: [createTopic], ...range }
    try {
      const all = await this.#rpc.ask('eth_getLogs', [filter], logs)
      const log = all.find((each) => isLaunch(each, wanted))
      if (!log?.transactionHash || !log.blockNumber) return undefined
      return { hash: log.transactionHash, block: log.blockNumber }
    } catch (error) {
      if (!(error instanceof RpcRefusal) || isHurried(error)) throw error
      if (lacksMethod(error)) throw new NoLogsError(error.kind, error.message, error)
      if (this.#blocks <= minBlocks) throw error
      this.#blocks = larger(minBlocks, this.#blocks / 2n)
      return 'too many'
    }
  }
}

function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
