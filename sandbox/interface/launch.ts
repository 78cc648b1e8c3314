import { createHash } from 'node:crypto'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { z } from 'zod'
import { addressOf, digestOf } from './address.ts'
import { numerairesOf } from './numeraire.ts'
import { categories } from './token.ts'

/** The templates that this stand-in's "service operator" gave out. */
export const templates = ['sandbox-standard'] as const

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'not an address')

/** The body of `POST /auction-templates`; the beneficiaries' shape is the one seen in live requests. */
export const templateBody = z.object({
  template_id: z.string(),
  metadata: z.object({
    token_name: z.string().min(1),
    token_symbol: z.string().min(1),
    user_address: evmAddress,
    token_uri: z.string().startsWith('ipfs://'),
    beneficiaries: z
      .array(z.object({ beneficiary: evmAddress, shares: z.string().regex(/^\d{1,18}$/) }))
      .default([]),
  }),
  debug: z.boolean().default(false),
})

/** The body of `POST /ipfs/upload-metadata`. */
export const metadataBody = z.object({
  name: z.string(),
  description: z.string(),
  image_hash: z.string(),
  social_links: z.array(z.object({ label: z.string(), url: z.string() })).default([]),
  vesting_recipients: z
    .array(
      z.object({
        address: evmAddress,
        amount: z.string().optional(),
        percentage: z.string().optional(),
      }),
    )
    .default([]),
  fee_receiver: z.string().default(''),
  categories: z.array(z.enum(categories)).default([]),
})

const launcherAbi = parseAbi([
  'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
  'function create(CreateParams createData) returns (address asset, address pool, address governance, address timelock, address migrationPool)',
])
const tokenLayout = parseAbiParameters(
  'string name, string symbol, uint256 yearlyMintRate, uint256 vestingDuration, address[] recipients, uint256[] amounts, string tokenURI',
)
const poolLayout = parseAbiParameters([
  'uint24 fee, int24 tickSpacing, Curve[] curves, Beneficiary[] beneficiaries',
  'struct Curve { int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 shares; }',
  'struct Beneficiary { address beneficiary; uint96 shares; }',
])

const noData: Hex = '0x'
const whole = 10n ** 18n
const protocolShare = whole / 20n
const protocol = addressOf('protocol of the sandbox')

interface Beneficiary {
  beneficiary: Address
  shares: bigint
}

// As the contracts want them: shares that sum to one, by ascending address, nobody twice.
function beneficiariesOf(metadata: z.infer<typeof templateBody>['metadata']): Beneficiary[] {
  const asked = metadata.beneficiaries.map(({ beneficiary, shares }) => ({
    beneficiary: getAddress(beneficiary),
    shares: BigInt(shares),
  }))
  const given = asked.reduce((sum, { shares }) => sum + shares, protocolShare)
  const rest = { beneficiary: getAddress(metadata.user_address), shares: whole - given }
  const merged: Beneficiary[] = []
  for (const next of [{ beneficiary: protocol, shares: protocolShare }, ...asked, rest]) {
    const known = merged.find((one) => isAddressEqual(one.beneficiary, next.beneficiary))
    if (known) known.shares += next.shares
    else merged.push({ ...next })
  }
  return merged
    .filter(({ shares }) => shares > 0n)
    .sort((left, right) => (BigInt(left.beneficiary) < BigInt(right.beneficiary) ? -1 : 1))
}

/** True where the beneficiaries' shares leave room for the protocol's five per cent. */
export function sharesFit(body: z.infer<typeof templateBody>): boolean {
  const asked = body.metadata.beneficiaries.reduce((sum, { shares }) => sum + BigInt(shares), 0n)
  return asked + protocolShare <= whole
}

function poolData(metadata: z.infer<typeof templateBody>['metadata']): Hex {
  const curve = { tickLower: -240_000, tickUpper: -180_000, numPositions: 10, shares: whole }
  return encodeAbiParameters(poolLayout, [10_000, 200, [curve], beneficiariesOf(metadata)])
}

/**
 * The result of section 4.4: calldata of the launch contract's `create` and the same parameters as
 * strings. `nonce` makes the salt, so each request gives a new token as with the real service.
 */
export function buildLaunch(
  chain: number,
  { template_id, metadata, debug }: z.infer<typeof templateBody>,
  nonce: number,
) {
  const [numeraire] = numerairesOf(chain)
  if (!numeraire) throw new Error('every chain has a numeraire')
  const salt = digestOf(`salt ${nonce} of ${JSON.stringify([chain, template_id, metadata])}`)
  const createData = {
    initialSupply: 10n ** 27n,
    numTokensToSell: 6n * 10n ** 26n,
    numeraire: numeraire.address,
    tokenFactory: addressOf('token factory'),
    tokenFactoryData: encodeAbiParameters(tokenLayout, [
      metadata.token_name,
      metadata.token_symbol,
      0n,
      0n,
      [],
      [],
      metadata.token_uri,
    ]),
    governanceFactory: addressOf('governance factory'),
    governanceFactoryData: noData,
    poolInitializer: addressOf('pool initializer'),
    poolInitializerData: poolData(metadata),
    liquidityMigrator: addressOf('liquidity migrator'),
    liquidityMigratorData: noData,
    integrator: addressOf('integrator of the sandbox'),
    salt,
  }
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
      salt,
      initial_supply: String(createData.initialSupply),
      num_tokens_to_sell: String(createData.numTokensToSell),
      numeraire: createData.numeraire,
      token_factory: createData.tokenFactory,
      token_factory_data: createData.tokenFactoryData,
    },
    hook_address: addressOf('shared hook'),
    token_address: addressOf(`launched with ${salt}`),
    ...(debug ? { debug: { template_id, chain_id: chain } } : {}),
  }
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** The CIDv1 (raw, sha2-256, base32) of these metadata, bare as the service returns it. */
export function cidOf(metadata: z.infer<typeof metadataBody>): string {
  const hash = createHash('sha256').update(JSON.stringify(metadata)).digest()
  const bits = [0x01, 0x55, 0x12, 0x20, ...hash]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const digits = bits.match(/.{1,5}/g) ?? []
  return `b${digits.map((digit) => base32[Number.parseInt(digit.padEnd(5, '0'), 2)]).join('')}`
}
