import { type DecodeAbiParametersReturnType, type Hex, keccak256, numberToHex, size } from 'viem'
import { createInputs, createSelector } from './abi.ts'
import { decodeExactly } from './exactly.ts'

/** The fields of `create`, by the names of the contract. */
export type CreateParams = DecodeAbiParametersReturnType<typeof createInputs>[0]

/** Whether this calls `create`, whatever comes after the selector. */
export function hasCreateSelector(calldata: Hex): boolean {
  return calldata.slice(0, createSelector.length).toLowerCase() === createSelector
}

/**
 * What a call of `create` says; undefined where it is none, or where its fields encode to other bytes than these, so
 * that nothing can hide between them.
 */
export function decodeCreate(calldata: Hex): CreateParams | undefined {
  if (!hasCreateSelector(calldata)) return undefined
  const body: Hex = `0x${calldata.slice(createSelector.length).toLowerCase()}`
  return decodeExactly(createInputs, body)?.[0]
}

/** The calldata digest of draft ERC-8213: keccak256 of the length as a uint256, followed by the calldata. */
export function calldataDigest(calldata: Hex): Hex {
  return keccak256(`${numberToHex(size(calldata), { size: 32 })}${bare(calldata)}`)
}

/** The first and last characters of a digest, in fours: `0x1234 5678 … 9abc def0`. */
export function shortDigest(digest: Hex): string {
  const digits = bare(digest)
  const fours = [digits.slice(0, 4), digits.slice(4, 8), digits.slice(-8, -4), digits.slice(-4)]
  return `0x${fours.slice(0, 2).join(' ')} … ${fours.slice(2).join(' ')}`
}

function bare(hex: Hex): string {
  return hex.slice(2).toLowerCase()
}
