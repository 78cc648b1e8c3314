// Written out rather than parsed from signatures: viem's parser would add more than half to the size of the signing
// page's decoder.

/** The arguments of the Airlock's `create`: one tuple of thirteen fields. */
export const createInputs = [
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
export const launchInputs = [
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
export const bundleInputs = [
  ...createInputs,
  { name: 'commands', type: 'bytes' },
  { name: 'inputs', type: 'bytes[]' },
] as const

/** Selectors of the functions that launch. */
export const selectors = {
  create: '0x882db707',
  launch: '0x60956835',
  bundle: '0x2d816eba',
} as const
