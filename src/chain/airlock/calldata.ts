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

/** Terms signed by the operator of a launcher: who may send the launch, and until when. */
export interface Binding {
  launcher: `0x${string}`
  paramsHash: Hex
  expectedAsset: `0x${string}`
  /** Unix seconds. */
  deadline: bigint
  signature: Hex
}

/** A first purchase in the launch transaction: commands for a Universal Router. */
export interface Bundle {
  commands: Hex
  inputs: readonly Hex[]
}

/** A decoded call that launches a token. */
export interface LaunchCall {
  /** The called function. */
  entry: 'create' | 'launch' | 'bundle'
  params: CreateParams
  binding?: Binding
  bundle?: Bundle
}

/** Returns the launch function that the calldata call; undefined for any other function. */
export function entryOf(calldata: Hex): LaunchCall['entry'] | undefined {
  const selector = calldata.slice(0, 10).toLowerCase()
  if (selector === selectors.create) return 'create'
  if (selector === selectors.launch) return 'launch'
  return selector === selectors.bundle ? 'bundle' : undefined
}

/**
 * Decodes a call that launches. Undefined if it is another call, or if encoding the fields again gives other bytes, so
 * that nothing can be hidden between them.
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

/** Returns the calldata digest of draft ERC-8213: keccak256 of the length as a uint256, followed by the calldata. */
export function calldataDigest(calldata: Hex): Hex {
  return keccak256(`${numberToHex(size(calldata), { size: 32 })}${hexDigits(calldata)}`)
}

/** Shortens a digest to its first and last eight digits, in groups of four: `0x1234 5678 … 9abc def0`. */
export function shortDigest(digest: Hex): string {
  const digits = hexDigits(digest)
  const groups = [digits.slice(0, 4), digits.slice(4, 8), digits.slice(-8, -4), digits.slice(-4)]
  return `0x${groups.slice(0, 2).join(' ')} … ${groups.slice(2).join(' ')}`
}

function hexDigits(hex: Hex): string {
  return hex.slice(2).toLowerCase()
}

/**
 * Decodes data in lower case. Undefined if that fails, or if encoding the values again gives other bytes: then showing
 * the values would not show everything.
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

const maxLength = 160
// Control and invisible characters (fillers and variation selectors too), and every space but U+0020.
const invisible = /[[\p{C}\p{Z}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]--\x20]/gv

/**
 * Makes untrusted text safe to show: one line of at most 160 characters, with invisible characters as code points, so
 * that texts that differ only in those look different.
 */
export function plain(text: string): string {
  const start = text.slice(0, maxLength)
  const escaped = start.replace(
    invisible,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`,
  )
  return start.length < text.length ? `${escaped}…` : escaped
}
