import { HTTPException } from 'hono/http-exception'
import {
  type Address,
  BaseError,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  type PublicClient,
  pad,
  parseAbi,
} from 'viem'
import type { LocalChain } from '../chain/chain.ts'
import { type ModuleName, moduleAt, standardModules } from '../chain/modules.ts'
import { type AddOptions, fileCid, rawBlockCid } from '../ipfs/cid.ts'
import type { MetadataBody, TemplateBody } from './launch-body.ts'
import {
  initialSupply,
  integrator,
  isTemplate,
  numTokensToSell,
  poolData,
  sharesFit,
  type TemplateChanges,
  type TemplateId,
  templates,
  tokenData,
  type Vesting,
} from './templates.ts'
import { addressOf, digestOf, numerairesOf } from './token.ts'

const tokenFactoryAbi = parseAbi([
  'function create(uint256 supply, address recipient, address owner, bytes32 salt, bytes data) returns (address)',
])

/** A chain on which the built payloads really launch. */
export interface LaunchChain
  extends Pick<LocalChain, 'rpcUrl' | 'chainId' | 'poolManager' | 'poolHook'> {
  launcher: { to: `0x${string}`; airlock: `0x${string}` }
}

interface Built {
  asked: TemplateBody
  result: LaunchResult
}

interface Parts {
  chains: readonly LaunchChain[]
  /** Where uploads can be read under their CIDs; without it nobody has them. */
  ipfs: { provide(bytes: Uint8Array, options?: AddOptions): string } | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

/** A picture that was uploaded. */
interface UploadedPicture {
  cid: string
  type: string
  bytes: Uint8Array
}

/** The half of the API that makes launches: what was uploaded, what was built of it, and how. */
export class Launches {
  /** Changes each payload before it is answered, as a broken or hostile service would. */
  tamper: ((result: LaunchResult) => unknown) | undefined
  /** Gives what is stored in place of an upload, as a broken or hostile service would. */
  tamperUpload: ((asked: MetadataBody) => Uint8Array) | undefined
  /** What every template does otherwise from now on. */
  changes: TemplateChanges = {}
  /** How pictures are cut into blocks, on which their CID depends. */
  pictureOptions: AddOptions = { cidVersion: 1, rawLeaves: false }
  readonly #parts: Parts
  readonly #built: Built[] = []
  readonly #uploaded: { asked: MetadataBody; cid: string }[] = []
  readonly #pictures: UploadedPicture[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Every payload, oldest first. */
  get built(): readonly Built[] {
    return this.#built
  }

  /** Every upload, oldest first. */
  get uploaded(): readonly { asked: MetadataBody; cid: string }[] {
    return this.#uploaded
  }

  /** Every picture, oldest first. */
  get pictures(): readonly UploadedPicture[] {
    return this.#pictures
  }

  /** Stores a picture; its bare CID. */
  uploadPicture(type: string, bytes: Uint8Array): string {
    const { ipfs } = this.#parts
    const options = this.pictureOptions
    const cid = ipfs ? ipfs.provide(bytes, options) : fileCid(bytes, options).cid
    this.#pictures.push({ cid, type, bytes })
    return cid
  }

  /** The templates as they are listed. */
  list(): { id: string; name: string; description: string | null }[] {
    return Object.entries(templates).map(([id, { name, description }]) => ({
      id,
      name,
      description,
    }))
  }

  /** Stores metadata; their CID (version 1, raw, sha2-256, base32), bare as the service returns it. */
  upload(asked: MetadataBody): string {
    const bytes = this.tamperUpload?.(asked) ?? Buffer.from(JSON.stringify(asked))
    const cid = this.#parts.ipfs?.provide(bytes) ?? rawBlockCid(bytes)
    this.#uploaded.push({ asked, cid })
    return cid
  }

  /** The metadata that a token URI leads to. */
  metadata(uri: string): MetadataBody | undefined {
    const cid = uri.replace(/^ipfs:\/\//u, '')
    return this.#uploaded.find((one) => one.cid === cid)?.asked
  }

  /** The answer to a request. @throws HTTPException */
  async build(chain: number, asked: TemplateBody): Promise<unknown> {
    const { template_id: template } = asked
    if (!isTemplate(template)) throw new HTTPException(404, { message: 'Template not found' })
    if (!sharesFit(template, asked)) {
      throw new HTTPException(400, { message: 'The shares of beneficiaries do not sum to 100%' })
    }
    const local = this.#parts.chains.find(({ chainId }) => chainId === chain)
    const result = local
      ? await this.#buildOn(local, template, asked)
      : this.#invent(chain, template, asked)
    this.#built.push({ asked, result })
    const answer = this.tamper ? this.tamper(result) : result
    return asked.debug ? answer : payloadAlone(answer)
  }

  #invent(chain: number, template: TemplateId, asked: TemplateBody): LaunchResult {
    return buildLaunch({
      chain,
      template,
      asked,
      vesting: this.#vesting(asked),
      nonce: String(this.#built.length + 1),
      now: Math.floor(this.#parts.now() / 1000),
      changes: this.changes,
    })
  }

  async #buildOn(
    local: LaunchChain,
    template: TemplateId,
    asked: TemplateBody,
  ): Promise<LaunchResult> {
    const client = createPublicClient({ transport: http(local.rpcUrl) })
    const { hash, timestamp } = await client.getBlock()
    const { pool } = templates[template]
    const request = {
      chain: local.chainId,
      template,
      asked,
      vesting: this.#vesting(asked),
      // The hash keeps two stand-ins on one chain from giving the same token.
      nonce: `${this.#built.length + 1} after ${hash}`,
      now: Math.max(Number(timestamp), Math.floor(this.#parts.now() / 1000)),
      changes: this.changes,
    }
    const token = await predictToken(client, local, request)
    const result = buildLaunch({ ...request, token })
    const made = await simulate(client, local, result)
    // Only the auctions have a hook of their own, which is the pool.
    const hooks: Partial<Record<ModuleName, Address>> = {
      UniswapV4Initializer: made.pool,
      DopplerHookInitializer: moduleAt(pool),
    }
    return { ...result, token_address: made.asset, hook_address: hooks[pool] ?? local.poolHook }
  }

  #vesting({ metadata }: TemplateBody): Vesting[] {
    const recipients = this.metadata(metadata.token_uri)?.vesting_recipients ?? []
    const vesting = recipients
      .filter(({ amount }) => amount > 0)
      .map(({ address, ...share }) => ({
        address: getAddress(address),
        amount: vestedAmount(share),
      }))
    const total = vesting.reduce((sum, { amount }) => sum + amount, 0n)
    if (total > initialSupply - numTokensToSell) {
      throw new HTTPException(400, { message: 'vesting_recipients: more than is not for sale' })
    }
    return vesting
  }
}

/** What is answered to who does not ask for the debug information. */
function payloadAlone(answer: unknown): unknown {
  const isObject = typeof answer === 'object' && answer !== null
  return isObject && 'encoded_payload' in answer
    ? { encoded_payload: answer.encoded_payload }
    : answer
}

/** What a recipient gets, in base units. */
export function vestedAmount({
  amount,
}: Pick<MetadataBody['vesting_recipients'][number], 'amount'>): bigint {
  return BigInt(amount) * 10n ** 18n
}

/** The token's address, from its factory: what a pool is told may depend on it. */
function predictToken(
  client: PublicClient,
  { launcher: { airlock } }: LaunchChain,
  request: LaunchRequest,
): Promise<Address> {
  const { tokenFactory, tokenFactoryData, salt } = tokenOf(request)
  return ofContracts(async () => {
    const { result } = await client.simulateContract({
      address: tokenFactory,
      abi: tokenFactoryAbi,
      functionName: 'create',
      args: [initialSupply, airlock, airlock, salt, tokenFactoryData],
      account: airlock,
    })
    return result
  })
}

function simulate(client: PublicClient, { launcher }: LaunchChain, result: LaunchResult) {
  return ofContracts(async () => {
    const answer = await client.call({ to: launcher.to, data: result.encoded_payload })
    const [asset, pool] = decodeFunctionResult({
      abi: launcherAbi,
      functionName: 'create',
      data: answer.data ?? '0x',
    })
    return { asset, pool }
  })
}

/** What a call gives. @throws HTTPException where the contracts refuse it */
async function ofContracts<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause
    throw new HTTPException(400, { message: `The launch would fail: ${cause.shortMessage}`, cause })
  }
}

export const launcherAbi = parseAbi([
  'struct CreateParams { uint256 initialSupply; uint256 numTokensToSell; address numeraire; address tokenFactory; bytes tokenFactoryData; address governanceFactory; bytes governanceFactoryData; address poolInitializer; bytes poolInitializerData; address liquidityMigrator; bytes liquidityMigratorData; address integrator; bytes32 salt; }',
  'function create(CreateParams createData) returns (address asset, address pool, address governance, address timelock, address migrationPool)',
  'event Create(address asset, address indexed numeraire, address initializer, address poolOrHook)',
])

interface LaunchRequest {
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
}

/** What the token's factory is told, on which the token's address depends. */
function tokenOf(request: LaunchRequest) {
  const { chain, template, asked, vesting, nonce } = request
  const named = JSON.stringify([chain, template, asked.metadata])
  return {
    tokenFactory: moduleAt(templates[template].token),
    tokenFactoryData: tokenData(template, asked.metadata, vesting),
    salt: digestOf(`salt ${nonce} of ${named}`),
  }
}

/** The result of section 4.4: calldata of the launch contract's `create` and the same parameters as strings. */
function buildLaunch(request: LaunchRequest): LaunchResult {
  const { chain, template, asked, now, changes = {} } = request
  const { metadata } = asked
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
    integrator,
    salt,
  } as const
  return {
    encoded_payload: encodeFunctionData({
      abi: launcherAbi,
      functionName: 'create',
      args: [createData],
    }),
    params: Object.fromEntries(
      Object.entries(createData).map(([name, value]) => [
        name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
        String(value),
      ]),
    ),
    hook_address: addressOf('shared hook'),
    token_address: token,
  }
}
