import {
  type AbiParameter,
  type DecodeAbiParametersReturnType,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
} from 'viem'

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
