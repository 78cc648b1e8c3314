import { type Address, decodeEventLog, type Hex, isAddressEqual, toEventSelector } from 'viem'
import type { Log } from '../wire.ts'
import { launchAbi } from './abi.ts'
import { isLaunch, type Wanted } from './search.ts'

/** Emitted by Uniswap V4's PoolManager: the id, the two currencies, then what is not indexed. */
const initialized = toEventSelector(
  'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
)

/**
 * The pool in which a launch sells, from the logs of its receipt: the address of its contract (Uniswap V3) or of its
 * hook (a dynamic auction), else the id under which the PoolManager keeps it. Undefined where the logs leave it open.
 */
export function launchedPool(logs: readonly Log[], wanted: Wanted): Hex | undefined {
  const launch = logs.find((log) => isLaunch(log, wanted))
  if (!launch) return undefined
  const { poolOrHook } = createArgs(launch)
  if (!isAddressEqual(poolOrHook, wanted.token)) return poolOrHook
  const ids = logs.slice(0, logs.indexOf(launch)).flatMap((log) => idOf(log, wanted.token) ?? [])
  return new Set(ids).size === 1 ? ids[0] : undefined
}

function createArgs({ topics: [first, ...rest], data }: Log): { poolOrHook: Address } {
  const topics: [Hex, ...Hex[]] = [first ?? '0x', ...rest]
  return decodeEventLog({ abi: launchAbi, eventName: 'Create', topics, data }).args
}

/** The id of a pool that trades this token. */
function idOf({ topics: [event, id, ...currencies] }: Log, token: Address): Hex | undefined {
  if (event !== initialized) return undefined
  const isTraded = currencies.some((each) => isAddressEqual(`0x${each.slice(26)}`, token))
  return isTraded ? id : undefined
}
