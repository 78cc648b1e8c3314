import { type Address, getAddress, keccak256, slice, stringToHex } from 'viem'

/** What a module does in a launch. */
export type ModuleKind =
  | 'token factory'
  | 'governance factory'
  | 'pool initializer'
  | 'liquidity migrator'
  | 'hook'

/** A module as the bot is told of it. */
export interface ModuleEntry {
  address: Address
  kind: ModuleKind
  /** How its data are laid out. */
  layout: string
  name: string
}

interface Part {
  kind: ModuleKind
  layout: string
  name: string
}

// By the name of the contract, which is that of the real one.
const parts = {
  TokenFactory: { kind: 'token factory', layout: 'derc20', name: 'DERC20' },
  TokenFactory80: { kind: 'token factory', layout: 'derc20', name: 'DERC20, up to 80% vested' },
  CloneDERC20VotesV2Factory: {
    kind: 'token factory',
    layout: 'clone-derc20-votes-v2',
    name: 'DERC20 with votes',
  },
  DopplerERC20V1Factory: {
    kind: 'token factory',
    layout: 'doppler-erc20-v1',
    name: 'Doppler ERC20',
  },
  DN404Factory: { kind: 'token factory', layout: 'dn404', name: 'DN404' },
  GovernanceFactory: { kind: 'governance factory', layout: 'governance', name: 'DAO' },
  LaunchpadGovernanceFactory: {
    kind: 'governance factory',
    layout: 'launchpad-governance',
    name: 'Launchpad',
  },
  NoOpGovernanceFactory: {
    kind: 'governance factory',
    layout: 'no-op-governance',
    name: 'No governance',
  },
  UniswapV4MulticurveInitializer: {
    kind: 'pool initializer',
    layout: 'multicurve',
    name: 'Multicurve',
  },
  UniswapV4ScheduledMulticurveInitializer: {
    kind: 'pool initializer',
    layout: 'scheduled-multicurve',
    name: 'Scheduled multicurve',
  },
  DecayMulticurveInitializer: {
    kind: 'pool initializer',
    layout: 'decay-multicurve',
    name: 'Multicurve with a falling fee',
  },
  DopplerHookInitializer: {
    kind: 'pool initializer',
    layout: 'doppler-hook',
    name: 'Multicurve with a hook',
  },
  UniswapV4Initializer: { kind: 'pool initializer', layout: 'v4-dynamic', name: 'Dutch auction' },
  UniswapV3Initializer: { kind: 'pool initializer', layout: 'v3', name: 'Static curve' },
  LockableUniswapV3Initializer: {
    kind: 'pool initializer',
    layout: 'v3-lockable',
    name: 'Static curve, locked',
  },
  NoOpMigrator: { kind: 'liquidity migrator', layout: 'no-op-migrator', name: 'No migration' },
  UniswapV2Migrator: { kind: 'liquidity migrator', layout: 'v2', name: 'Uniswap V2' },
  UniswapV2MigratorSplit: {
    kind: 'liquidity migrator',
    layout: 'v2-split',
    name: 'Uniswap V2 with a split',
  },
  UniswapV4Migrator: { kind: 'liquidity migrator', layout: 'v4', name: 'Uniswap V4' },
  UniswapV4MigratorSplit: {
    kind: 'liquidity migrator',
    layout: 'v4-split',
    name: 'Uniswap V4 with a split',
  },
  DopplerHookMigrator: {
    kind: 'liquidity migrator',
    layout: 'doppler-hook-migrator',
    name: 'Uniswap V4 with a hook',
  },
  RehypeDopplerHookInitializer: { kind: 'hook', layout: 'rehype-initializer', name: 'Rehype' },
  FormerRehypeHook: {
    kind: 'hook',
    layout: 'rehype-initializer-2026-06',
    name: 'Rehype before July 2026',
  },
  RehypeDopplerHookMigrator: {
    kind: 'hook',
    layout: 'rehype-migrator',
    name: 'Rehype after graduation',
  },
} as const satisfies Record<string, Part>

/** The name of a module's contract. */
export type ModuleName = keyof typeof parts

/** Where a contract stands on every local chain, unless it has to be elsewhere. */
export function placeOf(name: string): Address {
  return getAddress(slice(keccak256(stringToHex(`${name} of the sandbox`)), 12))
}

/** Who owns the launch contract, and gets a share of every sale's fees. */
export const protocol = placeOf('protocol')

/** The wrapped coin; the same predeployed address on every chain of the OP stack. */
export const wrappedCoin: Address = '0x4200000000000000000000000000000000000006'

/** The address of a module, the same on every local chain. */
export function moduleAt(name: ModuleName): Address {
  return placeOf(name)
}

/** Every module of a local chain by its contract's name, as the bot is told of it. */
export const modules: readonly (ModuleEntry & { contract: string })[] = Object.entries(parts).map(
  ([contract, part]) => ({
    contract,
    ...part,
    name: `${part.name} (sandbox)`,
    address: placeOf(contract),
  }),
)

/** The same as an entry of MODULES has them. */
export const moduleEntries: readonly ModuleEntry[] = modules.map(
  ({ address, kind, layout, name }) => ({ address, kind, layout, name }),
)

/** What the launch contract calls a kind of module; it doesn't know hooks. */
export const moduleStates: Readonly<Record<ModuleKind, number | undefined>> = {
  'token factory': 1,
  'governance factory': 2,
  'pool initializer': 3,
  'liquidity migrator': 4,
  hook: undefined,
}

/** The modules of a plain launch. */
export const standardModules = {
  tokenFactory: moduleAt('TokenFactory80'),
  governanceFactory: moduleAt('NoOpGovernanceFactory'),
  poolInitializer: moduleAt('UniswapV4MulticurveInitializer'),
  liquidityMigrator: moduleAt('NoOpMigrator'),
} as const
