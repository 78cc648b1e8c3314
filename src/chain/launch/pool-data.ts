import { type Address, type Hex, size } from 'viem'
import { isNobody } from '../address.ts'
import { decodeExactly } from './exactly.ts'

/** Somebody who gets a share of the fees: an 18-decimal fraction of one. */
export interface Beneficiary {
  beneficiary: Address
  shares: bigint
}

export type PoolLayout = 'multicurve' | 'hook initializer' | 'dynamic'

/** What a pool initializer is told. */
export interface PoolData {
  layout: PoolLayout
  /** Absent where the layout has no place for them: the fees may go anywhere. */
  beneficiaries?: readonly Beneficiary[]
  /** A contract that has a say in each trade, and how many bytes of its own it is told; absent where there is none. */
  hook?: { address: Address; size: number }
  /** Unix seconds, of an auction with times. */
  startingTime?: bigint
  endingTime?: bigint
}

const fee = { name: 'fee', type: 'uint24' } as const
const tickSpacing = { name: 'tickSpacing', type: 'int24' } as const
const curves = {
  name: 'curves',
  type: 'tuple[]',
  components: [
    { name: 'tickLower', type: 'int24' },
    { name: 'tickUpper', type: 'int24' },
    { name: 'numPositions', type: 'uint16' },
    { name: 'shares', type: 'uint256' },
  ],
} as const
const beneficiaries = {
  name: 'beneficiaries',
  type: 'tuple[]',
  components: [
    { name: 'beneficiary', type: 'address' },
    { name: 'shares', type: 'uint96' },
  ],
} as const

const multicurve = [fee, tickSpacing, curves, beneficiaries] as const
const hookInitializer = [
  fee,
  tickSpacing,
  { name: 'farTick', type: 'int24' },
  curves,
  beneficiaries,
  { name: 'dopplerHook', type: 'address' },
  { name: 'onInitializationData', type: 'bytes' },
  { name: 'graduationData', type: 'bytes' },
] as const
const dynamic = [
  { name: 'minProceeds', type: 'uint256' },
  { name: 'maxProceeds', type: 'uint256' },
  { name: 'startingTime', type: 'uint256' },
  { name: 'endingTime', type: 'uint256' },
  { name: 'startingTick', type: 'int24' },
  { name: 'endingTick', type: 'int24' },
  { name: 'epochLength', type: 'uint256' },
  { name: 'gamma', type: 'int24' },
  { name: 'isToken0', type: 'bool' },
  { name: 'numPDSlugs', type: 'uint256' },
  { name: 'lpFee', type: 'uint24' },
  tickSpacing,
] as const

/**
 * What `poolInitializerData` say, in whichever of the known layouts encodes to just these bytes; undefined where none
 * does.
 */
export function readPoolData(data: Hex): PoolData | undefined {
  const lowerCase: Hex = `0x${data.slice(2).toLowerCase()}`
  const hooked = decodeExactly(hookInitializer, lowerCase)
  if (hooked) {
    const [, , , , beneficiaries, address, first, last] = hooked
    const hook = isNobody(address) ? undefined : { address, size: size(first) + size(last) }
    return { layout: 'hook initializer', beneficiaries, ...(hook && { hook }) }
  }
  const curved = decodeExactly(multicurve, lowerCase)
  if (curved) return { layout: 'multicurve', beneficiaries: curved[3] }
  const timed = decodeExactly(dynamic, lowerCase)
  if (!timed) return undefined
  return { layout: 'dynamic', startingTime: timed[2], endingTime: timed[3] }
}
