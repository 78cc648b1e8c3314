import {
  ADDRESSES,
  airlockAbi,
  bundlerAbi,
  type CreateDynamicAuctionParams,
  type CreateMulticurveParams,
  type CreateParams,
  type CreateStaticAuctionParams,
  DopplerFactory,
} from '@whetstone-research/doppler-sdk/evm'
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
import { type Effects, effectsOf } from '../../../../src/chain/airlock/effects.ts'
import { decodePayload, moduleBook } from '../../../../src/chain/airlock/modules.ts'

// Launches as the protocol's own SDK encodes them, offline. What it can't encode is marked "not by the SDK" and written
// out from the signatures of the contracts.

type Multicurve = CreateMulticurveParams<8453>
type StaticSale = CreateStaticAuctionParams<8453>
type Auction = CreateDynamicAuctionParams<8453>

export const addresses = ADDRESSES[8453]
export const book = moduleBook(8453)

/** An address that is somebody's, told by a word. */
export function somebody(word: string): Address {
  return getAddress(`0x${keccak256(stringToHex(word)).slice(-40)}`)
}

export const otter = {
  name: 'Moon Otter',
  symbol: 'OTTER',
  tokenURI: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  yearlyMintRate: 0n,
}

/** Where the token stands: above WETH, so that it is the second of the pool. */
export const tokenAddress: Address = '0x7777777777777777777777777777777777777777'
/** Below WETH. */
export const asToken0: Address = '0x1111111111111111111111111111111111111111'

/** The SDK asks a node for one thing alone: where the token of a static sale would stand. */
const client = {
  simulateContract: async () => ({ result: [tokenAddress, somebody('pool')] }),
}
const factory = new DopplerFactory(client, undefined, 8453)
// It looks through thousands of salts for a hook's address with the right flags; this one has them.
Object.assign(factory, { computeCreate2AddressFast: () => `0x7${'f'.repeat(35)}f8e0` })

export const whole = 10n ** 18n
export const sale = {
  initialSupply: 10n ** 27n,
  numTokensToSell: 6n * 10n ** 26n,
  numeraire: addresses.weth,
}

const common = {
  token: otter,
  sale,
  governance: { type: 'noOp' },
  migration: { type: 'noOp' },
  integrator: somebody('integrator'),
  userAddress: somebody('ada'),
} as const

export const beneficiaries = [
  { beneficiary: somebody('ada'), shares: (95n * whole) / 100n },
  { beneficiary: somebody('protocol'), shares: (5n * whole) / 100n },
].sort((one, other) => (BigInt(one.beneficiary) < BigInt(other.beneficiary) ? -1 : 1))

export const curvesPool = {
  fee: 3000,
  tickSpacing: 8,
  curves: [{ tickLower: -180_000, tickUpper: -120_000, numPositions: 10, shares: whole }],
  beneficiaries,
}

/** A multicurve of any kind; without more it is a locked one. */
export function multicurve(given: Partial<Multicurve> = {}): CreateParams {
  return factory.encodeCreateMulticurveParams({ ...common, pool: curvesPool, ...given })
}

/** One that isn't locked, and so has a use for its migrator. */
export function migrating(given: Partial<Multicurve> = {}): CreateParams {
  return multicurve({ pool: { ...curvesPool, beneficiaries: [] }, ...given })
}

export const v3Pool = {
  startTick: 174_960,
  endTick: 225_000,
  fee: 3000,
  numPositions: 15,
  maxShareToBeSold: (35n * whole) / 100n,
}

/** A curve on Uniswap V3, lockable if its pool has beneficiaries. */
export function staticSale(given: Partial<StaticSale> = {}): Promise<CreateParams> {
  return factory.encodeCreateStaticAuctionParams({
    ...common,
    migration: { type: 'uniswapV2' },
    pool: v3Pool,
    ...given,
  })
}

const auctionPool = { fee: 3000, tickSpacing: 8 }
export const auctionTerms = {
  duration: 604_800,
  epochLength: 3600,
  startTick: 154_256,
  endTick: 177_280,
  gamma: 1600,
  minProceeds: 10n * whole,
  maxProceeds: 40n * whole,
  numPdSlugs: 5,
}
export const builtAt = 1_893_445_200

/** A Dutch auction on Uniswap V4. */
export async function auction(given: Partial<Auction> = {}): Promise<CreateParams> {
  const { createParams } = await factory.encodeCreateDynamicAuctionParams({
    ...common,
    migration: { type: 'uniswapV2' },
    auction: auctionTerms,
    pool: auctionPool,
    blockTimestamp: builtAt,
    ...given,
  })
  return createParams
}

/** Calldata of `create`. */
export function encode(params: CreateParams): Hex {
  return encodeFunctionData({ abi: airlockAbi, functionName: 'create', args: [params] })
}

/** Calldata of the Bundler's `bundle`. */
export function encodeBundle(params: CreateParams, commands: Hex, inputs: readonly Hex[]): Hex {
  const args = [params, commands, inputs] as const
  return encodeFunctionData({ abi: bundlerAbi, functionName: 'bundle', args })
}

/** What the launcher of Robinhood Chain is bound to, by the names of its contract. */
export interface Authorization {
  launcher: Address
  paramsHash: Hex
  expectedAsset: Address
  deadline: bigint
}

const launcherAbi = parseAbi([
  'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
  'struct Authorization { address launcher; bytes32 paramsHash; address expectedAsset; uint256 deadline; }',
  'function launch(CreateParams params, Authorization authorization, bytes signature)',
])

/** Calldata of the Robinhood Chain launcher's `launch`. Not by the SDK. */
export function encodeLaunch(
  params: CreateParams,
  authorization: Authorization,
  signature: Hex,
): Hex {
  const args = [params, authorization, signature] as const
  return encodeFunctionData({ abi: launcherAbi, functionName: 'launch', args })
}

export const distributionNames = [
  'assetFeesToAssetBuybackWad',
  'assetFeesToNumeraireBuybackWad',
  'assetFeesToBeneficiaryWad',
  'assetFeesToLpWad',
  'numeraireFeesToAssetBuybackWad',
  'numeraireFeesToNumeraireBuybackWad',
  'numeraireFeesToBeneficiaryWad',
  'numeraireFeesToLpWad',
] as const
export type Distribution = Record<(typeof distributionNames)[number], bigint>

/** What the Rehype hook of an initializer is told since 2026-07-22, by the names of the contract. */
export interface RehypeData {
  numeraire: Address
  buybackDst: Address
  startFee: number
  endFee: number
  durationSeconds: number
  startingTime: number
  feeRoutingMode: number
  feeDistributionInfo: Distribution
  feeBeneficiaries: readonly { beneficiary: Address; shares: bigint }[]
}

const beneficiaryStruct = 'struct Beneficiary { address beneficiary; uint96 shares; }'
const rehypeStruct = parseAbiParameters([
  'Rehype data',
  'struct Rehype { address numeraire; address buybackDst; uint24 startFee; uint24 endFee; uint32 durationSeconds; uint32 startingTime; uint8 feeRoutingMode; Distribution feeDistributionInfo; Beneficiary[] feeBeneficiaries; }',
  'struct Distribution { uint256 assetFeesToAssetBuybackWad; uint256 assetFeesToNumeraireBuybackWad; uint256 assetFeesToBeneficiaryWad; uint256 assetFeesToLpWad; uint256 numeraireFeesToAssetBuybackWad; uint256 numeraireFeesToNumeraireBuybackWad; uint256 numeraireFeesToBeneficiaryWad; uint256 numeraireFeesToLpWad; }',
  beneficiaryStruct,
])
const hookStruct = parseAbiParameters([
  'HookInit data',
  'struct HookInit { uint24 fee; int24 tickSpacing; int24 farTick; Curve[] curves; Beneficiary[] beneficiaries; address dopplerHook; bytes onInitializationDopplerHookCalldata; bytes graduationDopplerHookCalldata; }',
  'struct Curve { int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 shares; }',
  beneficiaryStruct,
])

/** A launch of the hook initializer whose hook has the data of after 2026-07-22. Pool and hook data not by the SDK. */
export function withRehype(data: RehypeData, graduationData: Hex = '0x'): CreateParams {
  const params = multicurve({
    modules: { dopplerHookInitializer: addresses.dopplerHookInitializer ?? somebody('nobody') },
  })
  const pool = {
    ...curvesPool,
    farTick: -120_008,
    dopplerHook: '0x5F9eB5f6726Fe88D5e39867967F5b833d2fA3215' as const,
    onInitializationDopplerHookCalldata: encodeAbiParameters(rehypeStruct, [data]),
    graduationDopplerHookCalldata: graduationData,
  }
  return { ...params, poolInitializerData: encodeAbiParameters(hookStruct, [pool]) }
}

/** What our decoder reads of calldata, on the chain that the SDK encodes for. */
export function read(calldata: Hex) {
  const decoded = decodePayload(calldata, book)
  if (!decoded.call) throw new Error(`not read: ${decoded.problems.join('; ')}`)
  return decoded
}

/** What a launch does, with its token at this address. All of it has to be read. */
export function effects(launch: CreateParams, token: Address = tokenAddress): Effects {
  const decoded = read(encode(launch))
  if (decoded.problems.length > 0) throw new Error(decoded.problems.join('; '))
  return effectsOf(decoded, { token, quoteDecimals: 18 })
}
