import fc from 'fast-check'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import { protocol } from '../../../../sandbox/chain/modules.ts'
import type { AnsweredParams } from '../../../../src/chain/airlock/answer.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'

// The signatures are those of the facts, read by viem: what the code writes out by hand is held against them.

/** `create` of the launch contract and its event. */
export const airlockAbi = parseAbi([
  'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
  'function create(CreateParams createData) returns (address asset, address pool, address governance, address timelock, address migrationPool)',
  'function getModuleState(address module) view returns (uint8)',
  'event Create(address asset, address indexed numeraire, address initializer, address poolOrHook)',
])

const schedule = 'struct Schedule { uint64 cliff; uint64 duration; }'
const curve =
  'struct Curve { int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 shares; }'
const beneficiary = 'struct Beneficiary { address beneficiary; uint96 shares; }'

/** The layouts of `tokenFactoryData`. */
export const tokenLayouts = {
  DERC20: parseAbiParameters(
    'string name, string symbol, uint256 yearlyMintRate, uint256 vestingDuration, address[] recipients, uint256[] amounts, string tokenURI',
  ),
  CloneDERC20VotesV2: parseAbiParameters([
    'string name, string symbol, uint256 yearlyMintRate, Schedule[] schedules, address[] recipients, uint256[] scheduleIds, uint256[] amounts, string tokenURI',
    schedule,
  ]),
  DopplerERC20V1: parseAbiParameters([
    'string name, string symbol, Schedule[] schedules, address[] recipients, uint256[] scheduleIds, uint256[] amounts, string tokenURI, uint256 maxBalanceLimit, uint48 balanceLimitEnd, address controller, address[] excluded',
    schedule,
  ]),
  DN404: parseAbiParameters('string name, string symbol, string baseURI, uint256 unit'),
}

/** The layouts of `poolInitializerData`: with arrays in them one struct, which begins with its offset. */
export const poolLayouts = {
  multicurve: parseAbiParameters([
    'InitData data',
    'struct InitData { uint24 fee; int24 tickSpacing; Curve[] curves; Beneficiary[] beneficiaries; }',
    curve,
    beneficiary,
  ]),
  hook: parseAbiParameters([
    'InitData data',
    'struct InitData { uint24 fee; int24 tickSpacing; int24 farTick; Curve[] curves; Beneficiary[] beneficiaries; address dopplerHook; bytes onInitializationData; bytes graduationData; }',
    curve,
    beneficiary,
  ]),
  dynamic: parseAbiParameters(
    'uint256 minProceeds, uint256 maxProceeds, uint256 startingTime, uint256 endingTime, int24 startingTick, int24 endingTick, uint256 epochLength, int24 gamma, bool isToken0, uint256 numPDSlugs, uint24 lpFee, int24 tickSpacing',
  ),
}

/** An address that is somebody's, told by a word. */
export function somebody(word: string): Address {
  return getAddress(`0x${keccak256(stringToHex(word)).slice(-40)}`)
}

export const otter = {
  name: 'Moon Otter',
  symbol: 'OTTER',
  uri: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
}
export const ada = somebody('ada')

/** DERC20 data of the otter, of which ada gets a part over a year. */
export const otterData: Hex = encodeAbiParameters(tokenLayouts.DERC20, [
  otter.name,
  otter.symbol,
  0n,
  31_536_000n,
  [somebody('bob'), ada],
  [10n ** 24n, 5n * 10n ** 25n],
  otter.uri,
])

/** One curve of the whole sale, from a market cap of 15 WETH on. */
export const curves = [
  { tickLower: -180_000, tickUpper: -120_000, numPositions: 10, shares: 10n ** 18n },
]

/** Beneficiaries as the contracts want them: by ascending address. */
export const beneficiaries = [
  { beneficiary: protocol, shares: 5n * 10n ** 16n },
  { beneficiary: ada, shares: 95n * 10n ** 16n },
].sort((left, right) => (BigInt(left.beneficiary) < BigInt(right.beneficiary) ? -1 : 1))

const multicurveData: Hex = encodeAbiParameters(poolLayouts.multicurve, [
  { fee: 10_000, tickSpacing: 200, curves, beneficiaries },
])

/**
 * Data of an auction with times, in unix seconds. Its token is above the numeraire, so that the price falls while
 * ticks rise.
 */
export function dynamicData(startingTime: bigint, endingTime: bigint): Hex {
  return encodeAbiParameters(poolLayouts.dynamic, [
    10n ** 18n,
    10n ** 20n,
    startingTime,
    endingTime,
    160_000,
    180_000,
    600n,
    800,
    false,
    5n,
    3000,
    8,
  ])
}

/** A launch of the otter. */
export const otterParams: CreateParams = {
  initialSupply: 10n ** 27n,
  numTokensToSell: 6n * 10n ** 26n,
  numeraire: '0x0000000000000000000000000000000000000000',
  tokenFactory: somebody('token factory'),
  tokenFactoryData: otterData,
  governanceFactory: somebody('governance factory'),
  governanceFactoryData: '0x',
  poolInitializer: somebody('pool initializer'),
  poolInitializerData: multicurveData,
  liquidityMigrator: somebody('liquidity migrator'),
  liquidityMigratorData: '0x1234',
  integrator: somebody('integrator'),
  salt: keccak256('0x07'),
}

/** The calldata of a launch, as the API encodes it. */
export function encodeCreate(params: CreateParams): Hex {
  return encodeFunctionData({ abi: airlockAbi, functionName: 'create', args: [params] })
}

/** `params` as the API answers them: strings. */
export function answerOf(params: CreateParams) {
  return {
    initial_supply: String(params.initialSupply),
    num_tokens_to_sell: String(params.numTokensToSell),
    numeraire: params.numeraire,
    token_factory: params.tokenFactory,
    token_factory_data: params.tokenFactoryData,
    governance_factory: params.governanceFactory,
    governance_factory_data: params.governanceFactoryData,
    pool_initializer: params.poolInitializer,
    pool_initializer_data: params.poolInitializerData,
    liquidity_migrator: params.liquidityMigrator,
    liquidity_migrator_data: params.liquidityMigratorData,
    integrator: params.integrator,
    salt: params.salt,
  } satisfies AnsweredParams
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

const anyUint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
export const anyBytes = fc.uint8Array({ maxLength: 70 }).map(hexOf)
const anyAddress = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(hexOf(bytes)))
export const anyParams: fc.Arbitrary<CreateParams> = fc.record({
  initialSupply: anyUint256,
  numTokensToSell: anyUint256,
  numeraire: anyAddress,
  tokenFactory: anyAddress,
  tokenFactoryData: anyBytes,
  governanceFactory: anyAddress,
  governanceFactoryData: anyBytes,
  poolInitializer: anyAddress,
  poolInitializerData: anyBytes,
  liquidityMigrator: anyAddress,
  liquidityMigratorData: anyBytes,
  integrator: anyAddress,
  salt: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf),
})
