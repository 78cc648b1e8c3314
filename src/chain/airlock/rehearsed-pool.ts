import {
  type Address,
  decodeEventLog,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
} from 'viem'
import type { Log } from '../wire.ts'
import { readable, topicsOf } from './movements.ts'
import type { CallResult, SimulatedCall } from './simulation.ts'

/** The pool that a launch opens, in pool order. `sqrtPrice` is its first price (Q64.96), the fee is in millionths. */
interface Pool {
  /** The contract of the pool, or of all pools. */
  address: Address
  currency0: Address
  currency1: Address
  fee: number
  tickSpacing: number
  sqrtPrice: bigint
  /** The accounts that hold its tokens. */
  holders: readonly Address[]
}

export interface PoolV3 extends Pool {
  version: 3
}

/** A `fee` of 0x800000 means that `hooks` sets it. */
export interface PoolV4 extends Pool {
  version: 4
  id: Hex
  hooks: Address
}

export type RehearsedPool = PoolV3 | PoolV4

const managerAbi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function fee() view returns (uint24)',
  'function tickSpacing() view returns (int24)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
])
/** The fields of a pool's key on Uniswap V4; its id is their hash. */
const poolKey = [
  { name: 'currency0', type: 'address' },
  { name: 'currency1', type: 'address' },
  { name: 'fee', type: 'uint24' },
  { name: 'tickSpacing', type: 'int24' },
  { name: 'hooks', type: 'address' },
] as const

/** A pair and what the launch contract calls its pool: the pool, its hook or neither. */
export interface Place {
  asset: Address
  quote: Address
  poolOrHook: Address
}

/** What a pool of Uniswap V3 is asked after the launch. */
export function poolQuestions({ poolOrHook }: Place): SimulatedCall[] {
  const views = ['token0', 'token1', 'fee', 'tickSpacing', 'slot0'] as const
  return views.map((functionName) => ({
    to: poolOrHook,
    data: encodeFunctionData({ abi: poolAbi, functionName }),
  }))
}

/** The one pool of the pair that a launch opened; undefined if it is of no kind that is known, or there are more. */
export function poolOf(
  logs: readonly Log[],
  answers: readonly CallResult[],
  place: Place,
): RehearsedPool | undefined {
  const managed = logs.flatMap((log) => managedPool(log, place) ?? [])
  if (managed.length > 1) return undefined
  return managed[0] ?? ownPool(logs, answers, place)
}

function managedPool(log: Log, place: Place): PoolV4 | undefined {
  const event = readable(() =>
    decodeEventLog({ abi: managerAbi, topics: topicsOf(log), data: log.data }),
  )
  if (!event) return undefined
  const { id, currency0, currency1, fee, tickSpacing, hooks, sqrtPriceX96 } = event.args
  const key = encodeAbiParameters(poolKey, [currency0, currency1, fee, tickSpacing, hooks])
  if (!isPair([currency0, currency1], place) || keccak256(key) !== id) return undefined
  const address = getAddress(log.address)
  // The hook of an auction holds what is not in the pool yet.
  const holders = isAddressEqual(hooks, place.poolOrHook) ? [address, hooks] : [address]
  const pool = { address, id, currency0, currency1, fee, tickSpacing, hooks, holders }
  return { version: 4, ...pool, sqrtPrice: sqrtPriceX96 }
}

function ownPool(
  logs: readonly Log[],
  answers: readonly CallResult[],
  place: Place,
): PoolV3 | undefined {
  const read = readable(() => {
    const [zero = '0x', one = '0x', fees = '0x', spacing = '0x', slot = '0x'] = answers.map(
      ({ data }) => data,
    )
    const [abi, address] = [poolAbi, getAddress(place.poolOrHook)]
    const [price] = decodeFunctionResult({ abi, functionName: 'slot0', data: slot })
    return {
      version: 3 as const,
      address,
      currency0: decodeFunctionResult({ abi, functionName: 'token0', data: zero }),
      currency1: decodeFunctionResult({ abi, functionName: 'token1', data: one }),
      fee: decodeFunctionResult({ abi, functionName: 'fee', data: fees }),
      tickSpacing: decodeFunctionResult({ abi, functionName: 'tickSpacing', data: spacing }),
      // Somebody else may have opened the pool before: then it has the price that it has.
      sqrtPrice: openedAt(logs, address) ?? price,
      holders: [address],
    }
  })
  const isThere = answers.every(({ ok }) => ok) && read
  return isThere && isPair([read.currency0, read.currency1], place) ? read : undefined
}

function openedAt(logs: readonly Log[], address: Address): bigint | undefined {
  const [first] = logs.flatMap((log) => {
    if (!isAddressEqual(log.address, address)) return []
    const event = readable(() =>
      decodeEventLog({ abi: poolAbi, topics: topicsOf(log), data: log.data }),
    )
    return event ? [event.args.sqrtPriceX96] : []
  })
  return first
}

function isPair(currencies: readonly Address[], { asset, quote }: Place): boolean {
  return [asset, quote].every((token) => currencies.some((each) => isAddressEqual(each, token)))
}
