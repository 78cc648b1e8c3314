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

// What the contract is called, as the real one is; how its data are laid out; the module's name; and where it stands on Base, for
// those that the API's templates use: a bot knows them without being told.
const table = {
  'token factory': {
    TokenFactory: ['derc20', 'DERC20'],
    TokenFactory80: [
      'derc20',
      'DERC20, up to 80% vested',
      '0xf0B5141dD9096254B2ca624dff26024f46087229',
    ],
    CloneDERC20VotesV2Factory: ['clone-derc20-votes-v2', 'DERC20 with votes'],
    DopplerERC20V1Factory: [
      'doppler-erc20-v1',
      'Doppler ERC20',
      '0x89C261C05B5F9b6BcBA07C199b8DeE7cFaD45292',
    ],
    DN404Factory: ['dn404', 'DN404'],
  },
  'governance factory': {
    GovernanceFactory: ['governance', 'DAO'],
    LaunchpadGovernanceFactory: ['launchpad-governance', 'Launchpad'],
    NoOpGovernanceFactory: [
      'no-op-governance',
      'No governance',
      '0xe7dfbd5b0A2C3B4464653A9beCdc489229eF090E',
    ],
  },
  'pool initializer': {
    UniswapV4MulticurveInitializer: [
      'multicurve',
      'Multicurve',
      '0x65dE470Da664A5be139A5D812bE5FDa0d76CC951',
    ],
    UniswapV4ScheduledMulticurveInitializer: ['scheduled-multicurve', 'Scheduled multicurve'],
    DecayMulticurveInitializer: ['decay-multicurve', 'Multicurve with a falling fee'],
    DopplerHookInitializer: [
      'doppler-hook',
      'Multicurve with a hook',
      '0xBDF938149ac6a781F94FAa0ed45E6A0e984c6544',
    ],
    UniswapV4Initializer: [
      'v4-dynamic',
      'Dutch auction',
      '0x53b4c21a6Cb61D64F636ABBfa6E8E90E6558e8ad',
    ],
    UniswapV3Initializer: ['v3', 'Static curve'],
    LockableUniswapV3Initializer: ['v3-lockable', 'Static curve, locked'],
  },
  'liquidity migrator': {
    NoOpMigrator: ['no-op-migrator', 'No migration', '0x6ddfED58D238Ca3195E49d8ac3d4cEa6386E5C33'],
    UniswapV2Migrator: ['v2', 'Uniswap V2', '0x5F3bA43D44375286296Cb85F1EA2EBfa25dde731'],
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

const placesOnBase: ReadonlyMap<string, string | undefined> = new Map(
  Object.values(table).flatMap((modules) =>
    Object.entries(modules).map(([name, [, , address]]: [string, readonly string[]]) => [
      name,
      address,
    ]),
  ),
)

/** Where a contract stands on every local chain, unless it has to be elsewhere. */
export function placeOf(name: string): Address {
  const real = placesOnBase.get(name)
  if (real !== undefined) return getAddress(real)
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
