import { type Address, getAddress, keccak256, slice, stringToHex } from 'viem'

/** What a module does in a launch. The launch contract counts the kinds from 1, and doesn't know hooks. */
export const kinds = [
  'token factory',
  'governance factory',
  'pool initializer',
  'liquidity migrator',
  'hook',
] as const

/** A module as the bot is told of it. */
export interface ModuleEntry {
  address: Address
  kind: (typeof kinds)[number]
  /** How its data are laid out. */
  layout: string
  name: string
}

// What the contract is called, as the real one is; how its data are laid out; the module's name.
const table = {
  'token factory': {
    TokenFactory: ['derc20', 'DERC20'],
    TokenFactory80: ['derc20', 'DERC20, up to 80% vested'],
    CloneDERC20VotesV2Factory: ['clone-derc20-votes-v2', 'DERC20 with votes'],
    DopplerERC20V1Factory: ['doppler-erc20-v1', 'Doppler ERC20'],
    DN404Factory: ['dn404', 'DN404'],
  },
  'governance factory': {
    GovernanceFactory: ['governance', 'DAO'],
    LaunchpadGovernanceFactory: ['launchpad-governance', 'Launchpad'],
    NoOpGovernanceFactory: ['no-op-governance', 'No governance'],
  },
  'pool initializer': {
    UniswapV4MulticurveInitializer: ['multicurve', 'Multicurve'],
    UniswapV4ScheduledMulticurveInitializer: ['scheduled-multicurve', 'Scheduled multicurve'],
    DecayMulticurveInitializer: ['decay-multicurve', 'Multicurve with a falling fee'],
    DopplerHookInitializer: ['doppler-hook', 'Multicurve with a hook'],
    UniswapV4Initializer: ['v4-dynamic', 'Dutch auction'],
    UniswapV3Initializer: ['v3', 'Static curve'],
    LockableUniswapV3Initializer: ['v3-lockable', 'Static curve, locked'],
  },
  'liquidity migrator': {
    NoOpMigrator: ['no-op-migrator', 'No migration'],
    UniswapV2Migrator: ['v2', 'Uniswap V2'],
    UniswapV2MigratorSplit: ['v2-split', 'Uniswap V2 with a split'],
    UniswapV4Migrator: ['v4', 'Uniswap V4'],
    UniswapV4MigratorSplit: ['v4-split', 'Uniswap V4 with a split'],
    DopplerHookMigrator: ['doppler-hook-migrator', 'Uniswap V4 with a hook'],
  },
  hook: {
    RehypeDopplerHookInitializer: ['rehype-initializer', 'Rehype'],
    FormerRehypeHook: ['rehype-initializer-2026-06', 'Rehype before July 2026'],
    RehypeDopplerHookMigrator: ['rehype-migrator', 'Rehype after graduation'],
  },
} as const

type Table = typeof table

/** The name of a module's contract. */
export type ModuleName = { [Kind in keyof Table]: keyof Table[Kind] }[keyof Table]

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

/** The contracts of the modules. */
export const moduleContracts: readonly string[] = Object.values(table).flatMap(Object.keys)

/** Every module of a local chain, as the bot is told of it. */
export const moduleEntries: readonly ModuleEntry[] = kinds.flatMap((kind) =>
  Object.entries(table[kind]).map(([contract, [layout, name]]) => ({
    address: placeOf(contract),
    kind,
    layout,
    name: `${name} (sandbox)`,
  })),
)

/** The modules of a plain launch. */
export const standardModules = {
  tokenFactory: moduleAt('TokenFactory80'),
  governanceFactory: moduleAt('NoOpGovernanceFactory'),
  poolInitializer: moduleAt('UniswapV4MulticurveInitializer'),
  liquidityMigrator: moduleAt('NoOpMigrator'),
} as const
