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

/** A decoded call that launches a token. */
export interface LaunchCall {
  /** The called function. `bundle` also buys tokens in the same transaction; its purchase is not read. */
  entry: 'create' | 'launch' | 'bundle'
  params: CreateParams
  binding?: Binding
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
      const [params] = decodeExactly(bundleInputs, body) ?? []
      return params && { entry, params }
    }
    case undefined:
      return undefined
  }
}

/** The first topic of `Create`, of which the quote token is the second. */
export const createTopic = '0x68ff1cfcdcf76864161555fc0de1878d8f83ec6949bf351df74d8a4a1a2679ab'

/** Decodes a log of `Create`; undefined for any other log. */
export function decodeCreate({ topics, data }: { topics: readonly Hex[]; data: Hex }) {
  if (topics.length !== 2 || topics[0] !== createTopic) return undefined
  const [asset, initializer, poolOrHook] = decodeExactly(createdOutputs, data) ?? []
  return asset && initializer && poolOrHook && { asset, initializer, poolOrHook }
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
// Control and invisible characters (fillers and variation selectors too), and every space but U+0020. Without the flag v:
// the signing page runs this in wallets' browsers, of which older ones can't parse that.
const invisible = /(?! )[\p{C}\p{Z}\p{Variation_Selector}\u115f\u1160\u2800\u3164\uffa0]/gu

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

// Written out rather than parsed from signatures: viem's parser would add more than half to the size of the signing
// page's decoder.

/** The arguments of the Airlock's `create`: one tuple of thirteen fields. */
const createInputs = [
  {
    name: 'createData',
    type: 'tuple',
    components: [
      { name: 'initialSupply', type: 'uint256' },
      { name: 'numTokensToSell', type: 'uint256' },
      { name: 'numeraire', type: 'address' },
      { name: 'tokenFactory', type: 'address' },
      { name: 'tokenFactoryData', type: 'bytes' },
      { name: 'governanceFactory', type: 'address' },
      { name: 'governanceFactoryData', type: 'bytes' },
      { name: 'poolInitializer', type: 'address' },
      { name: 'poolInitializerData', type: 'bytes' },
      { name: 'liquidityMigrator', type: 'address' },
      { name: 'liquidityMigratorData', type: 'bytes' },
      { name: 'integrator', type: 'address' },
      { name: 'salt', type: 'bytes32' },
    ],
  },
] as const

/** ABI of the launch contract, as far as launches need it; `asset` of `Create` is not indexed. */
export const launchAbi = [
  {
    type: 'function',
    name: 'create',
    stateMutability: 'nonpayable',
    inputs: createInputs,
    outputs: [
      { name: 'asset', type: 'address' },
      { name: 'pool', type: 'address' },
      { name: 'governance', type: 'address' },
      { name: 'timelock', type: 'address' },
      { name: 'migrationPool', type: 'address' },
    ],
  },
  {
    type: 'function',
    name: 'getModuleState',
    stateMutability: 'view',
    inputs: [{ name: 'module', type: 'address' }],
    outputs: [{ name: 'state', type: 'uint8' }],
  },
  {
    type: 'function',
    name: 'owner',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: 'owner', type: 'address' }],
  },
  {
    type: 'function',
    name: 'getAssetData',
    stateMutability: 'view',
    inputs: [{ name: 'asset', type: 'address' }],
    outputs: [
      { name: 'numeraire', type: 'address' },
      { name: 'timelock', type: 'address' },
      { name: 'governance', type: 'address' },
      { name: 'liquidityMigrator', type: 'address' },
      { name: 'poolInitializer', type: 'address' },
      { name: 'pool', type: 'address' },
      { name: 'migrationPool', type: 'address' },
      { name: 'numTokensToSell', type: 'uint256' },
      { name: 'totalSupply', type: 'uint256' },
      { name: 'integrator', type: 'address' },
    ],
  },
  {
    type: 'event',
    name: 'Create',
    inputs: [
      { name: 'asset', type: 'address', indexed: false },
      { name: 'numeraire', type: 'address', indexed: true },
      { name: 'initializer', type: 'address', indexed: false },
      { name: 'poolOrHook', type: 'address', indexed: false },
    ],
  },
] as const

/**
 * The arguments of `launch` on Robinhood Chain's launcher: the same tuple, the terms that it is bound to, and the
 * operator's signature.
 */
const launchInputs = [
  ...createInputs,
  {
    name: 'binding',
    type: 'tuple',
    components: [
      { name: 'launcher', type: 'address' },
      { name: 'paramsHash', type: 'bytes32' },
      { name: 'expectedAsset', type: 'address' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  { name: 'signature', type: 'bytes' },
] as const

/** The arguments of the Bundler's `bundle`: the same tuple, and the router commands of a first purchase. */
const bundleInputs = [
  ...createInputs,
  { name: 'commands', type: 'bytes' },
  { name: 'inputs', type: 'bytes[]' },
] as const

/** The data fields of `Create`. */
const createdOutputs = [{ type: 'address' }, { type: 'address' }, { type: 'address' }] as const

/** Selectors of the functions that launch. */
export const selectors = {
  create: '0x882db707',
  launch: '0x60956835',
  bundle: '0x2d816eba',
} as const
