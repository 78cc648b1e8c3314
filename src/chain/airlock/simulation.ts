import { type Address, getAddress, type Hex, isAddressEqual, slice, toEventSelector } from 'viem'
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

/** Emitter of the `Transfer` events that a simulation adds for transfers of the native coin. */
export const coinTransfers: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** A call in a simulation. Without `from` it comes from the zero address. */
export interface SimulatedCall {
  from?: Address
  to: Address
  data: Hex
}

/** Result of a simulated call: the returned data, or the revert data if the node gives them. */
export interface CallResult {
  ok: boolean
  data: Hex
  gasUsed: bigint
  logs: readonly Log[]
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
const results = z.tuple([z.object({ calls: z.array(callResult) })])

/**
 * Runs calls one after the other in a block on top of the latest one, without storing anything (`eth_simulateV1`). Gas is
 * free, and any account can be the sender.
 *
 * viem's `simulateCalls` sends the same request, but all calls from one account, and takes what a node answers unread.
 * @throws RpcRefusal if the node returns an error (see `cannotSimulate`), NodeError if its answer is malformed
 */
export async function simulate(
  rpc: Rpc,
  calls: readonly SimulatedCall[],
): Promise<readonly CallResult[]> {
  const payload = { blockStateCalls: [{ calls }], validation: false, traceTransfers: true }
  const [block] = await rpc.request('eth_simulateV1', [payload, 'latest'], results)
  if (block.calls.length !== calls.length)
    throw new NodeError('malformed', 'The node did not simulate the calls it was given.')
  return block.calls
}

/**
 * Returns why the node can't simulate; undefined for other and temporary errors. Some nodes have the method but fail in it, which
 * says nothing about the payload either.
 */
export function cannotSimulate(error: unknown): 'lacks' | 'fails' | undefined {
  if (!(error instanceof RpcRefusal) || isRateLimited(error)) return undefined
  return lacksMethod(error) ? 'lacks' : 'fails'
}
