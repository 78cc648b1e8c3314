import {
  type AbiParameter,
  type DecodeAbiParametersReturnType,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  size,
} from 'viem'
import { bundleInputs, createInputs, launchInputs, selectors } from './abi.ts'

/** The fields of `create`, by the names of the contract. */
export type CreateParams = DecodeAbiParametersReturnType<typeof createInputs>[0]

/** The terms that the operator of a launcher signed: who may send the launch, and until when. */
export interface Binding {
  launcher: `0x${string}`
  paramsHash: Hex
  expectedAsset: `0x${string}`
  /** Unix seconds. */
  deadline: bigint
  signature: Hex
}

/** A first purchase in the transaction of the launch: the commands of a Universal Router. */
export interface Bundle {
  commands: Hex
  inputs: readonly Hex[]
}

/** A call that launches a token, by any of the functions that carry the parameters of `create`. */
export interface LaunchCall {
  /** Which function. */
  entry: 'create' | 'launch' | 'bundle'
  params: CreateParams
  binding?: Binding
  bundle?: Bundle
}

/** The function that the calldata call; undefined unless it is one that launches. */
export function entryOf(calldata: Hex): LaunchCall['entry'] | undefined {
  const selector = calldata.slice(0, 10).toLowerCase()
  if (selector === selectors.create) return 'create'
  if (selector === selectors.launch) return 'launch'
  return selector === selectors.bundle ? 'bundle' : undefined
}

/**
 * What a call that launches says; undefined if it is none, or if its fields encode to other bytes than these, so that
 * nothing can hide between them.
 */
export function decodeLaunch(calldata: Hex): LaunchCall | undefined {
  const entry = entryOf(calldata)
  const body: Hex = `0x${calldata.slice(10).toLowerCase()}`
  switch (entry) {
    case 'create': {
      const [params] = decodeExactly(createInputs, body) ?? []
      return params && { entry, params }
    }
    case 'launch': {
      const [params, binding, signature] = decodeExactly(launchInputs, body) ?? []
      if (!params || !binding || signature === undefined) return undefined
      return { entry, params, binding: { ...binding, signature } }
    }
    case 'bundle': {
      const [params, commands, inputs] = decodeExactly(bundleInputs, body) ?? []
      if (!params || commands === undefined || !inputs) return undefined
      return { entry, params, bundle: { commands, inputs } }
    }
    case undefined:
      return undefined
  }
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

/**
 * The values of lower-case data; undefined where they do not decode, or encode to other bytes than these: whatever is
 * shown is then all that is there.
 */
export function decodeExactly<const Params extends readonly AbiParameter[]>(
  params: Params,
  data: Hex,
): DecodeAbiParametersReturnType<Params> | undefined {
  try {
    const values = decodeAbiParameters(params, data)
    return encodeAbiParameters<readonly AbiParameter[]>(params, values) === data
      ? values
      : undefined
  } catch {
    return undefined
  }
}

const most = 160
// Controls, what is invisible (fillers and variation selectors too), and every blank but the plain one.
const unseen = /[[\p{C}\p{Z}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]--\x20]/gv

/**
 * Text by strangers on one line of bounded length, in which what can't be seen is written as its code point: two texts
 * that differ in it alone don't look the same.
 */
export function plain(text: string): string {
  const start = text.slice(0, most)
  const shown = start.replace(unseen, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`)
  return start.length < text.length ? `${shown}…` : shown
}
