import {
  type CreateDynamicAuctionParams,
  type CreateMulticurveParams,
  type CreateParams,
  type CreateStaticAuctionParams,
  DopplerFactory,
  getAddresses,
  RehypeFeeRoutingMode,
} from '@whetstone-research/doppler-sdk/evm'
import { type Address, createPublicClient, http, isAddressEqual } from 'viem'
import type { LocalChain } from '../../../../sandbox/chain/chain.ts'
import { type ModuleName, moduleAt, placeOf, protocol } from '../../../../sandbox/chain/modules.ts'
import { ada, otter, somebody } from '../../../unit/chain/airlock/sample.ts'

// Launches of every kind that the protocol's SDK knows, with its own encoding: nothing here encodes for itself.

export const sdkChain = 8453
const weth = '0x4200000000000000000000000000000000000006'
export const multisig = somebody('multisig')
const integrator = somebody('integrator')
const whole = 10n ** 18n
const token = {
  type: 'standard',
  name: otter.name,
  symbol: otter.symbol,
  tokenURI: otter.uri,
} as const
const votable = { ...token, type: 'dopplerERC20V1' } as const
const sale = {
  initialSupply: 10n ** 27n,
  numTokensToSell: 6n * 10n ** 26n,
  numeraire: weth,
} as const
const beneficiaries = [
  { beneficiary: protocol, shares: whole / 20n },
  { beneficiary: ada, shares: (whole / 20n) * 19n },
]
const curves = [{ tickLower: -180_000, tickUpper: -120_000, numPositions: 10, shares: whole }]
const pool = { fee: 3000, tickSpacing: 8, curves }
const locked = { ...pool, beneficiaries }
const year = 31_536_000
const vesting = {
  duration: year,
  cliffDuration: 0,
  recipients: [ada, somebody('bob')],
  amounts: [10n ** 26n, 5n * 10n ** 25n],
}
const streamableFees = { lockDuration: 2_592_000, beneficiaries }
const proceedsSplit = { recipient: somebody('split'), share: whole / 2n }
const distribution = {
  assetFeesToAssetBuybackWad: whole,
  assetFeesToNumeraireBuybackWad: 0n,
  assetFeesToBeneficiaryWad: 0n,
  assetFeesToLpWad: 0n,
  numeraireFeesToAssetBuybackWad: 0n,
  numeraireFeesToNumeraireBuybackWad: whole,
  numeraireFeesToBeneficiaryWad: 0n,
  numeraireFeesToLpWad: 0n,
}

/** The stand-ins instead of the contracts that the SDK knows. */
const overrides = {
  v3Initializer: moduleAt('UniswapV3Initializer'),
  lockableV3Initializer: moduleAt('LockableUniswapV3Initializer'),
  v4Initializer: moduleAt('UniswapV4Initializer'),
  v4MulticurveInitializer: moduleAt('UniswapV4MulticurveInitializer'),
  v4ScheduledMulticurveInitializer: moduleAt('UniswapV4ScheduledMulticurveInitializer'),
  v4DecayMulticurveInitializer: moduleAt('DecayMulticurveInitializer'),
  v2Migrator: moduleAt('UniswapV2Migrator'),
  v2MigratorSplit: moduleAt('UniswapV2MigratorSplit'),
  v4Migrator: moduleAt('UniswapV4Migrator'),
  v4MigratorSplit: moduleAt('UniswapV4MigratorSplit'),
  dopplerHookMigrator: moduleAt('DopplerHookMigrator'),
  noOpMigrator: moduleAt('NoOpMigrator'),
  poolManager: placeOf('PoolManager'),
}
const noOpGovernance = moduleAt('NoOpGovernanceFactory')
const common = { token, sale, integrator, userAddress: ada } as const

type Multicurve = CreateMulticurveParams<typeof sdkChain>
type Dynamic = CreateDynamicAuctionParams<typeof sdkChain>
type Static = CreateStaticAuctionParams<typeof sdkChain>

const multicurve = {
  ...common,
  pool: locked,
  vesting,
  governance: { type: 'noOp' },
  migration: { type: 'noOp' },
  modules: { ...overrides, governanceFactory: noOpGovernance },
} satisfies Multicurve
const migrating = { ...multicurve, pool } satisfies Multicurve
const hooked = {
  ...multicurve,
  token: votable,
  modules: { ...multicurve.modules, dopplerHookInitializer: moduleAt('DopplerHookInitializer') },
} satisfies Multicurve
const { vesting: _, ...unvested } = multicurve

const multicurves: Record<string, Multicurve> = {
  multicurve,
  'multicurve that starts later': {
    ...multicurve,
    initializer: { type: 'scheduled', startTime: 4_000_000_000 },
  },
  'multicurve with a falling fee': {
    ...multicurve,
    initializer: { type: 'decay', startTime: 0, startFee: 500_000, durationSeconds: 3600 },
  },
  'multicurve of several curves': {
    ...multicurve,
    pool: {
      ...locked,
      curves: [
        { tickLower: -180_000, tickUpper: -160_000, numPositions: 3, shares: whole / 4n },
        { tickLower: -168_000, tickUpper: -120_000, numPositions: 7, shares: (whole / 4n) * 3n },
      ],
    },
  },
  'multicurve of a token with cliffs': {
    ...multicurve,
    vesting: { ...vesting, cliffDuration: year / 4 },
  },
  'multicurve of a DN404': {
    ...unvested,
    modules: { ...multicurve.modules, tokenFactory: moduleAt('DN404Factory') },
    token: { type: 'doppler404', name: otter.name, symbol: otter.symbol, baseURI: otter.uri },
  },
  'multicurve that migrates to V2': { ...migrating, migration: { type: 'uniswapV2' } },
  'multicurve that migrates to V2 with a split, of a launchpad': {
    ...migrating,
    governance: { type: 'launchpad', multisig },
    modules: { ...overrides, governanceFactory: moduleAt('LaunchpadGovernanceFactory') },
    migration: { type: 'uniswapV2Split', proceedsSplit },
  },
  'multicurve that migrates to V4': {
    ...migrating,
    migration: { type: 'uniswapV4', fee: 3000, tickSpacing: 60, streamableFees },
  },
  'multicurve that migrates to V4 with a split, of a DAO': {
    ...migrating,
    governance: { type: 'default' },
    modules: { ...overrides, governanceFactory: moduleAt('GovernanceFactory') },
    migration: {
      type: 'uniswapV4Split',
      fee: 3000,
      tickSpacing: 60,
      streamableFees,
      proceedsSplit,
    },
  },
  'hook initializer without a hook': {
    ...hooked,
    vesting: {
      allocations: [
        { recipient: ada, amount: 10n ** 25n, schedule: { duration: year, cliffDuration: 0 } },
        { recipient: ada, amount: 10n ** 26n, schedule: { duration: year, cliffDuration: year } },
      ],
    },
  },
  'hook initializer with a hook': {
    ...hooked,
    token: {
      ...votable,
      maxBalanceLimit: 10n ** 25n,
      balanceLimitEnd: 4_000_000_000,
      controller: ada,
    },
    initializer: {
      type: 'rehype',
      config: {
        hookAddress: moduleAt('FormerRehypeHook'),
        buybackDestination: ada,
        startFee: 10_000,
        endFee: 5000,
        durationSeconds: 60,
        feeRoutingMode: RehypeFeeRoutingMode.RouteToBeneficiaryFees,
        feeDistributionInfo: distribution,
      },
    },
  },
}

const statics: Record<string, Static> = {
  'static curve of a DAO that migrates to V2': {
    ...common,
    pool: { startTick: 174_960, endTick: 225_000, fee: 3000 },
    vesting,
    governance: {
      type: 'custom',
      initialVotingDelay: 1,
      initialVotingPeriod: 2,
      initialProposalThreshold: 3n,
    },
    migration: { type: 'uniswapV2Split', proceedsSplit },
    modules: { ...overrides, governanceFactory: moduleAt('GovernanceFactory') },
  },
  'static curve that is locked': {
    ...common,
    pool: { startTick: 174_960, endTick: 225_000, fee: 3000, beneficiaries },
    governance: { type: 'noOp' },
    migration: { type: 'noOp' },
    modules: { ...overrides, governanceFactory: noOpGovernance },
  },
}

const auctions: Record<string, Dynamic> = {
  'Dutch auction of a launchpad that migrates with a hook': {
    ...common,
    token: votable,
    auction: {
      duration: 604_800,
      epochLength: 3600,
      startTick: 154_256,
      endTick: 177_280,
      gamma: 1600,
      minProceeds: 10n * whole,
      maxProceeds: 40n * whole,
    },
    pool: { fee: 3000, tickSpacing: 8 },
    governance: { type: 'launchpad', multisig },
    modules: { ...overrides, governanceFactory: moduleAt('LaunchpadGovernanceFactory') },
    migration: {
      type: 'dopplerHook',
      fee: 3000,
      tickSpacing: 8,
      ...streamableFees,
      rehype: {
        hookAddress: moduleAt('RehypeDopplerHookMigrator'),
        buybackDestination: ada,
        customFee: 3000,
        feeDistributionInfo: distribution,
      },
    },
    startTimeOffset: 600,
  },
}

export const sdkLaunches = [
  ...Object.keys(multicurves),
  ...Object.keys(statics),
  ...Object.keys(auctions),
]

/** A launch in the SDK's own encoding, through the stand-ins of this chain. */
export async function encodedBySdk(
  kind: string,
  chain: LocalChain,
  airlock: Address,
): Promise<CreateParams> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const factory = new DopplerFactory(client, undefined, sdkChain)
  const many = multicurves[kind]
  if (many) return throughStandIns(factory.encodeCreateMulticurveParams(many))
  const one = statics[kind]
  if (one) {
    // The SDK tries this one on the chain, until the token is on the side of the pool that it wants.
    const modules = { ...one.modules, airlock, tokenFactory: moduleAt('TokenFactory80') }
    return factory.encodeCreateStaticAuctionParams({ ...one, modules })
  }
  const auction = auctions[kind]
  if (!auction) throw new Error(`the SDK makes no ${kind}`)
  const { createParams } = await factory.encodeCreateDynamicAuctionParams(auction)
  return throughStandIns(createParams)
}

/** The same with the stand-in of its token factory, for which the SDK takes no other address. */
function throughStandIns(params: CreateParams): CreateParams {
  const of = getAddresses(sdkChain)
  const factories: readonly [Address | undefined, ModuleName][] = [
    [of.tokenFactory, 'TokenFactory80'],
    [of.derc20V2Factory, 'CloneDERC20VotesV2Factory'],
    [of.dopplerERC20V1Factory, 'DopplerERC20V1Factory'],
    [of.doppler404Factory, 'DN404Factory'],
  ]
  const known = factories.find(
    ([address]) => address && isAddressEqual(address, params.tokenFactory),
  )
  return known ? { ...params, tokenFactory: moduleAt(known[1]) } : params
}

/** How much of a launch is vested, as the SDK was told. */
export function vestedBySdk(kind: string): bigint {
  const told = (multicurves[kind] ?? statics[kind] ?? auctions[kind])?.vesting
  const amounts = told?.allocations?.map(({ amount }) => amount) ?? told?.amounts ?? []
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
