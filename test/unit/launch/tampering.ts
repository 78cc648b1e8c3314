import {
  type Address,
  type ContractFunctionArgs,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbiParameters,
} from 'viem'
import { type LaunchResult, launcherAbi } from '../../../sandbox/api/launches.ts'
import type { LaunchHarness } from './harness.ts'

// An API that builds something else than what was asked. Its data are read and written by the signatures of the
// contracts, without the code that is tested.

/** The parameters of `create`. */
export type Params = ContractFunctionArgs<typeof launcherAbi, 'nonpayable', 'create'>[0]
type Change = (params: Params) => Partial<Params>

const tokenLayout = parseAbiParameters(
  'string name, string symbol, uint256 yearlyMintRate, uint256 vestingDuration, address[] recipients, uint256[] amounts, string tokenURI',
)
const poolParts = [
  'struct Curve { int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 shares; }',
  'struct Beneficiary { address beneficiary; uint96 shares; }',
] as const
const poolLayouts = {
  plain: parseAbiParameters([
    'InitData data',
    'struct InitData { uint24 fee; int24 tickSpacing; Curve[] curves; Beneficiary[] beneficiaries; }',
    ...poolParts,
  ]),
  scheduled: parseAbiParameters([
    'InitData data',
    'struct InitData { uint24 fee; int24 tickSpacing; Curve[] curves; Beneficiary[] beneficiaries; uint32 startingTime; }',
    ...poolParts,
  ]),
  hooked: parseAbiParameters([
    'InitData data',
    'struct InitData { uint24 fee; int24 tickSpacing; int24 farTick; Curve[] curves; Beneficiary[] beneficiaries; address dopplerHook; bytes onInitializationData; bytes graduationData; }',
    ...poolParts,
  ]),
}
const auctionLayout = parseAbiParameters([
  'Auction data',
  'struct Auction { uint256 minProceeds; uint256 maxProceeds; uint256 startingTime; uint256 endingTime; int24 startingTick; int24 endingTick; uint256 epochLength; int24 gamma; bool isToken0; uint256 numPDSlugs; uint24 lpFee; int24 tickSpacing; }',
])
const hookLayout = parseAbiParameters([
  'Rehype data',
  'struct Rehype { address numeraire; address buybackDst; uint24 startFee; uint24 endFee; uint32 durationSeconds; uint32 startingTime; uint8 feeRoutingMode; Distribution distribution; Beneficiary[] beneficiaries; }',
  'struct Distribution { uint256 assetToAsset; uint256 assetToNumeraire; uint256 assetToBeneficiary; uint256 assetToLiquidity; uint256 numeraireToAsset; uint256 numeraireToNumeraire; uint256 numeraireToBeneficiary; uint256 numeraireToLiquidity; }',
  'struct Beneficiary { address beneficiary; uint96 shares; }',
])

export const whole = 10n ** 18n

/** What the data of a payload are said to be, beside the payload itself. */
function said(params: Params): LaunchResult['params'] {
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
  }
}

function paramsOf(calldata: Hex): Params {
  return decodeFunctionData({ abi: launcherAbi, data: calldata }).args[0]
}

function create(params: Params): Hex {
  return encodeFunctionData({ abi: launcherAbi, functionName: 'create', args: [params] })
}

/** Has payload and parameters alike changed, so that nothing contradicts itself. The token's address is left out. */
export function builds({ apiServer }: Pick<LaunchHarness, 'apiServer'>, change: Change): void {
  apiServer.launches.tamper = (result) => {
    const params = paramsOf(result.encoded_payload)
    const built = { ...params, ...change(params) }
    const payload = { encoded_payload: create(built), params: said(built) }
    return { ...result, ...payload, token_address: undefined }
  }
}

/** Has the payload alone changed: the parameters beside it stay what was asked. */
export function hides({ apiServer }: Pick<LaunchHarness, 'apiServer'>, change: Change): void {
  apiServer.launches.tamper = (result) => {
    const params = paramsOf(result.encoded_payload)
    return { ...result, encoded_payload: create({ ...params, ...change(params) }) }
  }
}

/** Has other calldata built of the same parameters; `token` is where the API says that the token will stand. */
export function calls(
  { apiServer }: Pick<LaunchHarness, 'apiServer'>,
  change: (params: Params, built: { calldata: Hex; token: Address }) => Hex,
): void {
  apiServer.launches.tamper = (result) => {
    const { encoded_payload: calldata, token_address: token } = result
    return { ...result, encoded_payload: change(paramsOf(calldata), { calldata, token }) }
  }
}

/** The data of a plain token. */
export interface TokenTerms {
  name: string
  symbol: string
  yearlyMintRate: bigint
  vestingDuration: bigint
  recipients: readonly Address[]
  amounts: readonly bigint[]
  uri: string
}

/** What the data of a plain token say. */
export function tokenOf({ tokenFactoryData }: Params): TokenTerms {
  const [name, symbol, yearlyMintRate, vestingDuration, recipients, amounts, uri] =
    decodeAbiParameters(tokenLayout, tokenFactoryData)
  return { name, symbol, yearlyMintRate, vestingDuration, recipients, amounts, uri }
}

/** The token's data with other values. */
export function token(params: Params, change: Partial<TokenTerms>): Hex {
  const now = { ...tokenOf(params), ...change }
  return encodeAbiParameters(tokenLayout, [
    now.name,
    now.symbol,
    now.yearlyMintRate,
    now.vestingDuration,
    now.recipients,
    now.amounts,
    now.uri,
  ])
}

/** The data of curves on Uniswap V4. */
export interface PoolTerms {
  fee: number
  tickSpacing: number
  curves: readonly { tickLower: number; tickUpper: number; numPositions: number; shares: bigint }[]
  beneficiaries: readonly { beneficiary: Address; shares: bigint }[]
}

/** The data of a plain pool with other values. */
export function pool(params: Params, change: Partial<PoolTerms>): Hex {
  return encodeAbiParameters(poolLayouts.plain, [{ ...poolOf(params), ...change }])
}

/** A plain pool's data for the initializer that lets trading start later. */
export function scheduled(params: Params, startingTime: number): Hex {
  return encodeAbiParameters(poolLayouts.scheduled, [{ ...poolOf(params), startingTime }])
}

/** A plain pool's data for the initializer with hooks. */
export function hooked(params: Params, hook: { address: Address; data: Hex }): Hex {
  const terms = poolOf(params)
  return encodeAbiParameters(poolLayouts.hooked, [
    {
      ...terms,
      farTick: Math.max(...terms.curves.map(({ tickUpper }) => tickUpper)) - terms.tickSpacing,
      dopplerHook: hook.address,
      onInitializationData: hook.data,
      graduationData: '0x',
    },
  ])
}

/** Who shares the fees of a plain pool. */
export function beneficiaries(params: Params): PoolTerms['beneficiaries'] {
  return poolOf(params).beneficiaries
}

function poolOf({ poolInitializerData }: Params): PoolTerms {
  return decodeAbiParameters(poolLayouts.plain, poolInitializerData)[0]
}

/** The data of an auction with other times, in unix seconds. */
export function auction({ poolInitializerData }: Params, startingTime: number): Hex {
  const [terms] = decodeAbiParameters(auctionLayout, poolInitializerData)
  const times = { startingTime: BigInt(startingTime), endingTime: BigInt(startingTime + 86_400) }
  return encodeAbiParameters(auctionLayout, [{ ...terms, ...times }])
}

/** Data of a Rehype hook that sends all it takes to one account. `fee` in millionths of each trade. */
export function rehype({ numeraire }: Params, to: Address, fee: number): Hex {
  return encodeAbiParameters(hookLayout, [
    {
      numeraire,
      buybackDst: to,
      startFee: fee,
      endFee: fee,
      durationSeconds: 0,
      startingTime: 0,
      feeRoutingMode: 0,
      distribution: {
        assetToAsset: whole,
        assetToNumeraire: 0n,
        assetToBeneficiary: 0n,
        assetToLiquidity: 0n,
        numeraireToAsset: 0n,
        numeraireToNumeraire: whole,
        numeraireToBeneficiary: 0n,
        numeraireToLiquidity: 0n,
      },
      beneficiaries: [],
    },
  ])
}

/** Who gets how many percent of the fees, in the order that the contracts ask for. */
export function shared(...parts: readonly [who: Address, percent: number][]) {
  return parts
    .map(([beneficiary, percent]) => ({
      beneficiary,
      shares: BigInt(Math.round(percent * 10_000)) * 10n ** 12n,
    }))
    .sort((one, other) => (BigInt(one.beneficiary) < BigInt(other.beneficiary) ? -1 : 1))
}

/** The data of modules that are told an account alone. */
export function account(address: Address): Hex {
  return encodeAbiParameters([{ type: 'address' }], [address])
}

/** The data of a DAO. */
export function dao(name: string): Hex {
  const layout = parseAbiParameters('string, uint48, uint32, uint256')
  return encodeAbiParameters(layout, [name, 7200, 50_400, 0n])
}

/** The data of a migrator to Uniswap V2 that gives away a part of the proceeds. */
export function split(to: Address, percent: bigint): Hex {
  const layout = parseAbiParameters('address, uint256')
  return encodeAbiParameters(layout, [to, (whole * percent) / 100n])
}

/** The data of a migrator to Uniswap V4. `fee` in millionths. */
export function onV4(fee: number, beneficiaries: PoolTerms['beneficiaries']): Hex {
  const layout = parseAbiParameters([
    'uint24, int24, uint32, Beneficiary[]',
    'struct Beneficiary { address beneficiary; uint96 shares; }',
  ])
  return encodeAbiParameters(layout, [fee, 60, 31_536_000, beneficiaries])
}
