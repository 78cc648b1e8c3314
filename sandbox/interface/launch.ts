import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { addressOf, digestOf } from './address.ts'
import type { TemplateBody } from './launch-body.ts'
import { numerairesOf } from './numeraire.ts'
import {
  initialSupply,
  numTokensToSell,
  poolData,
  type TemplateId,
  tokenData,
  type Vesting,
} from './templates.ts'

export const launcherAbi = parseAbi([
  'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
  'function create(CreateParams createData) returns (address asset, address pool, address governance, address timelock, address migrationPool)',
  'event Create(address asset, address indexed numeraire, address initializer, address poolOrHook)',
])

export interface LaunchModules {
  tokenFactory: Address
  governanceFactory: Address
  poolInitializer: Address
  liquidityMigrator: Address
}

// Where there is no chain nothing stands behind the modules' addresses.
const inventedModules: LaunchModules = {
  tokenFactory: addressOf('token factory'),
  governanceFactory: addressOf('governance factory'),
  poolInitializer: addressOf('pool initializer'),
  liquidityMigrator: addressOf('liquidity migrator'),
}

export interface LaunchRequest {
  chain: number
  template: TemplateId
  asked: TemplateBody
  vesting: readonly Vesting[]
  /** Makes the salt together with what is asked. */
  nonce: string
  /** Unix seconds. */
  now: number
  /** Invented ones without it. */
  modules?: LaunchModules
}

/** The result of section 4.4. */
export interface LaunchResult {
  encoded_payload: Hex
  params: Record<string, string>
  hook_address: Address
  token_address: Address
  debug?: Record<string, unknown>
}

/**
 * The result of section 4.4: calldata of the launch contract's `create` and the same parameters as strings. The token's
 * address is invented.
 */
export function buildLaunch(request: LaunchRequest): LaunchResult {
  const { chain, template, asked, vesting, now, modules = inventedModules } = request
  const { metadata, debug } = asked
  const [numeraire] = numerairesOf(chain)
  if (!numeraire) throw new Error('every chain has a numeraire')
  const named = JSON.stringify([chain, template, metadata])
  const createData = {
    initialSupply,
    numTokensToSell,
    numeraire: numeraire.address,
    ...modules,
    tokenFactoryData: tokenData(template, metadata, vesting),
    governanceFactoryData: '0x',
    poolInitializerData: poolData(template, metadata, now),
    liquidityMigratorData: '0x',
    integrator: addressOf('integrator of the sandbox'),
    salt: digestOf(`salt ${request.nonce} of ${named}`),
  } as const
  return {
    encoded_payload: encodeFunctionData({
      abi: launcherAbi,
      functionName: 'create',
      args: [createData],
    }),
    params: {
      governance_factory: createData.governanceFactory,
      governance_factory_data: createData.governanceFactoryData,
      pool_initializer: createData.poolInitializer,
      pool_initializer_data: createData.poolInitializerData,
      liquidity_migrator: createData.liquidityMigrator,
      liquidity_migrator_data: createData.liquidityMigratorData,
      integrator: createData.integrator,
      salt: createData.salt,
      initial_supply: String(initialSupply),
      num_tokens_to_sell: String(numTokensToSell),
      numeraire: createData.numeraire,
      token_factory: createData.tokenFactory,
      token_factory_data: createData.tokenFactoryData,
    },
    hook_address: addressOf('shared hook'),
    token_address: addressOf(`launched with ${createData.salt}`),
    ...(debug ? { debug: { template_id: template, chain_id: chain } } : {}),
  }
}
