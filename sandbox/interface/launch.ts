import { type Address, encodeFunctionData, type Hex, pad, parseAbi } from 'viem'
import { moduleAt, standardModules } from '../chain/modules.ts'
import { addressOf, digestOf } from './address.ts'
import type { TemplateBody } from './launch-body.ts'
import { numerairesOf } from './numeraire.ts'
import {
  initialSupply,
  numTokensToSell,
  poolData,
  type TemplateChanges,
  type TemplateId,
  templates,
  tokenData,
  type Vesting,
} from './templates.ts'

export const launcherAbi = parseAbi([
  'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
  'function create(CreateParams createData) returns (address asset, address pool, address governance, address timelock, address migrationPool)',
  'event Create(address asset, address indexed numeraire, address initializer, address poolOrHook)',
])

export interface LaunchRequest {
  chain: number
  template: TemplateId
  asked: TemplateBody
  vesting: readonly Vesting[]
  /** Makes the salt together with what is asked. */
  nonce: string
  /** Unix seconds. */
  now: number
  /** The address that the token will have; an invented one without it. */
  token?: Address
  changes?: TemplateChanges
}

/** The result of section 4.4. */
export interface LaunchResult {
  encoded_payload: Hex
  params: Record<string, string>
  hook_address: Address
  token_address: Address
  debug?: Record<string, unknown>
}

/** What the token's factory is told, on which the token's address depends. */
export function tokenOf(request: LaunchRequest) {
  const { chain, template, asked, vesting, nonce } = request
  const named = JSON.stringify([chain, template, asked.metadata])
  return {
    tokenFactory: moduleAt(templates[template].token),
    tokenFactoryData: tokenData(template, asked.metadata, vesting),
    salt: digestOf(`salt ${nonce} of ${named}`),
  }
}

/** The result of section 4.4: calldata of the launch contract's `create` and the same parameters as strings. */
export function buildLaunch(request: LaunchRequest): LaunchResult {
  const { chain, template, asked, now, changes = {} } = request
  const { metadata, debug } = asked
  const [numeraire] = numerairesOf(chain)
  if (!numeraire) throw new Error('every chain has a numeraire')
  const { salt, ...factory } = tokenOf(request)
  const token = request.token ?? addressOf(`launched with ${salt}`)
  const createData = {
    initialSupply,
    numTokensToSell,
    numeraire: numeraire.address,
    ...standardModules,
    ...factory,
    ...(changes.restTo
      ? {
          governanceFactory: moduleAt('LaunchpadGovernanceFactory'),
          governanceFactoryData: pad(changes.restTo),
        }
      : { governanceFactoryData: '0x' as const }),
    poolInitializer: moduleAt(templates[template].pool),
    // What an auction raises could never leave it otherwise.
    ...(template === 'sandbox-dynamic' && { liquidityMigrator: moduleAt('UniswapV2Migrator') }),
    poolInitializerData: poolData(template, metadata, {
      now,
      isToken0: BigInt(token) < BigInt(numeraire.address),
      changes,
    }),
    liquidityMigratorData: '0x',
    integrator: addressOf('integrator of the sandbox'),
    salt,
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
    token_address: token,
    ...(debug ? { debug: { template_id: template, chain_id: chain } } : {}),
  }
}
