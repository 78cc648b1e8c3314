import {
  type Address,
  getAddress,
  type Hex,
  isAddressEqual,
  numberToHex,
  slice,
  toEventSelector,
} from 'viem'
import { z } from 'zod'
import { bytesSchema } from '../address.ts'
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
import { revertData } from './refusals.ts'

/** A transfer of a token in base units; the zero address stands for minting and burning. */
export interface Movement {
  from: Address
  to: Address
  amount: bigint
}

const transferTopic = toEventSelector('Transfer(address,address,uint256)')

/** Reads the transfers of a token from the `Transfer` events that it emitted. */
export function movementsOf(logs: readonly Log[], token: Address): Movement[] {
  return logs.flatMap(({ address, topics: [event, from, to, ...more], data }) => {
    const isTransfer = event === transferTopic && more.length === 0 && data.length === 66
    if (!isTransfer || !from || !to || !isAddressEqual(address, token)) return []
    const [sender, receiver] = [from, to].map((topic) => getAddress(slice(topic, 12)))
    return sender && receiver ? [{ from: sender, to: receiver, amount: BigInt(data) }] : []
  })
}

/** Sums the transfers to each account's net change. */
export function netOf(movements: readonly Movement[]): Map<Address, bigint> {
  const net = new Map<Address, bigint>()
  for (const { from, to, amount } of movements) {
    net.set(from, (net.get(from) ?? 0n) - amount)
    net.set(to, (net.get(to) ?? 0n) + amount)
  }
  return net
}

/** Returns the topics of a log as the tuple that viem decodes. */
export function topicsOf({ topics: [first, ...rest] }: Log): [Hex, ...Hex[]] | [] {
  return first === undefined ? [] : [first, ...rest]
}

/** Runs a decoder and returns its value; undefined if it throws. */
export function readable<Value>(decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}

/** A call of a simulated block. Without `from` it comes from the zero address. */
export interface SimulatedCall {
  from?: Address
  to: Address
  data: Hex
  value?: bigint
}

/** Balance and code that an account gets at the start of a simulated block. */
interface Override {
  address: Address
  balance?: bigint
  code?: Hex
}

export interface SimulatedBlock {
  calls: readonly SimulatedCall[]
  overrides?: readonly Override[]
  /** Block time in unix seconds; by default the node picks one after the previous block. */
  time?: bigint
}

/** Result of a simulated call: the returned data, or the revert data if the node gives them. */
export interface CallResult {
  ok: boolean
  data: Hex
  gasUsed: bigint
  logs: readonly Log[]
}

export interface BlockResult {
  /** Unix seconds. */
  time: bigint
  calls: readonly CallResult[]
}

const failure = z.object({ data: z.unknown().optional() })
const callResult = z
  .object({
    status: quantity.refine((status) => status < 2n),
    returnData: bytesSchema,
    gasUsed: quantity,
    logs,
    error: failure.nullish(),
  })
  .transform(({ status, returnData, gasUsed, logs, error }): CallResult => {
    if (status === 1n) return { ok: true, data: returnData, gasUsed, logs }
    const reason = revertData(error?.data)
    return { ok: false, data: reason === '0x' ? returnData : reason, gasUsed, logs: [] }
  })
const blockResults = z.array(
  z
    .object({ timestamp: quantity, calls: z.array(callResult) })
    .transform(({ timestamp, calls }): BlockResult => ({ time: timestamp, calls })),
)

/**
 * Simulates blocks of calls on top of the latest block without storing anything (`eth_simulateV1`). Gas is free, and
 * any account can be the sender.
 * @throws RpcRefusal if the node returns an error (see `cannotSimulate`), NodeError if its answer is malformed
 */
export async function simulate(
  rpc: Rpc,
  blocks: readonly SimulatedBlock[],
): Promise<readonly BlockResult[]> {
  const payload = {
    blockStateCalls: blocks.map(({ calls, overrides = [], time }) => ({
      ...(time !== undefined && { blockOverrides: { time: numberToHex(time) } }),
      stateOverrides: Object.fromEntries(
        overrides.map(({ address, balance, code }) => [
          address,
          {
            ...(balance !== undefined && { balance: numberToHex(balance) }),
            ...(code !== undefined && { code }),
          },
        ]),
      ),
      calls: calls.map(({ from, to, data, value = 0n }) => ({
        ...(from && { from }),
        to,
        data,
        ...(value > 0n && { value: numberToHex(value) }),
      })),
    })),
    validation: false,
    traceTransfers: false,
  }
  const results = await rpc.request('eth_simulateV1', [payload, 'latest'], blockResults)
  const isComplete =
    results.length === blocks.length &&
    blocks.every(({ calls }, index) => results[index]?.calls.length === calls.length)
  if (!isComplete)
    throw new NodeError('malformed', 'The node did not simulate the calls it was given.')
  return results
}

/**
 * Returns why the node can't simulate; undefined for other and temporary errors. Some nodes have the method but fail in it, which
 * says nothing about the payload either.
 */
export function cannotSimulate(error: unknown): 'lacks' | 'fails' | undefined {
  if (!(error instanceof RpcRefusal) || isRateLimited(error)) return undefined
  return lacksMethod(error) ? 'lacks' : 'fails'
}
