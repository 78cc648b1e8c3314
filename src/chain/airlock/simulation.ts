import { type Address, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import {
  bytes,
  isHurried,
  type Log,
  lacksMethod,
  logs,
  NodeError,
  quantity,
  type Rpc,
  RpcRefusal,
} from '../rpc.ts'
import { revertData } from './refusals.ts'

/** A call of a simulated block. Without `from` it comes from the zero address. */
export interface SimulatedCall {
  from?: Address
  to: Address
  data: Hex
  value?: bigint
}

/** An account as it is to be at the beginning of a simulated block. */
export interface Override {
  address: Address
  balance?: bigint
  code?: Hex
}

export interface SimulatedBlock {
  calls: readonly SimulatedCall[]
  overrides?: readonly Override[]
  /** Unix seconds; otherwise the node takes some after the block before. */
  time?: bigint
}

/** What became of a call: what it returned, or the data of its revert if the node says them. */
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
    returnData: bytes,
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
 * Runs blocks of calls on top of the node's last block and forgets them (`eth_simulateV1`). Nobody pays for gas, and
 * any account may send.
 * @throws RpcRefusal if the node won't (see `cannotSimulate`), NodeError if it doesn't answer as one.
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
  const results = await rpc.ask('eth_simulateV1', [payload, 'latest'], blockResults)
  const fits =
    results.length === blocks.length &&
    blocks.every(({ calls }, place) => results[place]?.calls.length === calls.length)
  if (!fits) throw new NodeError('malformed', 'The node did not simulate the calls it was given.')
  return results
}

/**
 * Why the node can't simulate, in words, if that is what an error says; undefined for one that may pass. Some nodes
 * have the method but fail in it, which says nothing about a payload either.
 */
export function cannotSimulate(error: unknown): string | undefined {
  if (!(error instanceof RpcRefusal) || isHurried(error)) return undefined
  return lacksMethod(error) ? 'The node has no eth_simulateV1' : 'The node fails in eth_simulateV1'
}
