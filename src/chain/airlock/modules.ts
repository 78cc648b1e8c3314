import { type Address, getAddress, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { type CreateParams, decodeLaunch, entryOf, type LaunchCall, plain } from './calldata.ts'
import {
  type GovernanceData,
  type HookData,
  type LayoutId,
  layoutIds,
  layouts,
  type MigratorData,
  type ModuleKind,
  type PoolData,
  readData,
  type TokenData,
} from './layouts.ts'

/** A contract that launches are composed of. */
interface Module {
  address: Address
  layout: LayoutId
  /** Name for people. */
  name: string
}

/** The known modules of one chain, by lower-case address. */
export type ModuleBook = ReadonlyMap<string, Module>

/**
 * Deployments: layout, address and chains of each module. Source: the address book of doppler-sdk 1.0.37 (3c20a95d),
 * with modules that 1.0.30 named and 1.0.37 replaced, factories that only the protocol's `Deployments.json` names
 * (b4308a08), and older modules of Base that launches there use (`deployments/8453.md` at b4308a08, `Deployments.md` at
 * 434dbd43, the deployment of `TokenFactory` at f3250177). The other Rehype hooks of `Deployments.json` are left out: it
 * does not say whether they take the data layout from before or after 2026-07-22. `0x9982538F…` takes the one from after
 * it, as a launch of September 2026 shows.
 */
const deployments: readonly (readonly [LayoutId, Address, readonly number[]])[] = [
  ['derc20', '0x4225C632b62622Bd7B0A3eC9745C0a866Ff94F6F', [8453]],
  ['derc20', '0x43d0D97EC9241A8F05A264f94B82A1d2E600f2B3', [130]],
  ['derc20', '0x5A92bFfbc01ea0396A9c7D4154d36d4EAF2e483E', [1, 11155111]],
  ['derc20', '0x5FBe931dc4B923A7abe4c47aD68d5bF9Eda5B76D', [4801]],
  ['derc20', '0x77EbfBAE15AD200758E9E2E61597c0B07d731254', [763373]],
  ['derc20', '0x80A27Feee1A22b9c68185ea64E7c2652286980B5', [8453]],
  ['derc20', '0x82Ac010C67f70BACf7655cd8948a4AD92A173CAC', [1301]],
  ['derc20', '0x8AF018e28c273826e6b2d5a99e81c8fB63729b07', [10143]],
  ['derc20', '0x9a497a9fB78e49984B9d260abA1F4AD6321D4D92', [84532]],
  ['derc20', '0x9D8fd79B2a59c5d91ccBd79c3AEb4de56451Bb02', [84532]],
  ['derc20', '0xaA47D2977d622DBdFD33eeF6a8276727c52EB4e5', [143]],
  ['derc20', '0xbf4Ca4D527c9760A884df31292f72E9AcA503045', [84532]],
  ['derc20', '0xe7Df2A4520C26a2D4Dedb3a7585BFBcd30eABA6e', [1, 11155111]],
  ['derc20', '0xf0B5141dD9096254B2ca624dff26024f46087229', [130, 143, 1301, 8453, 10143, 84532]],
  ['derc20', '0xFAafdE6a5b658684cC5eb0C5c2c755B00A246F45', [8453, 57073]],
  [
    'clone-derc20-votes-v2',
    '0x16F5ACB64F4FA17296E942C51d3395aDC318f9e1',
    [1, 143, 8453, 84532, 11155111],
  ],
  ['doppler-erc20-v1', '0x1B37D3a72082029c44B35B604Ea473617580b69a', [4663, 42161]],
  ['doppler-erc20-v1', '0x89C261C05B5F9b6BcBA07C199b8DeE7cFaD45292', [1, 143, 8453, 84532]],
  ['dn404', '0x37A9Fa204a4d3A429FDED7e3469ab076C854Bc9d', [4663, 8453, 42161]],
  ['dn404', '0x98b0Aa2e0f134dbB3eb157b5646D387E6D55243a', [84532]],
  ['dn404', '0xDd8Cea2890F1B3498436F19Ec8dA8Fecc2CB7aF7', [84532]],
  ['v3', '0x43d0D97EC9241A8F05A264f94B82A1d2E600f2B3', [763373]],
  ['v3', '0x4C3062B9ccFdbCB10353F57C1B59a29d4c5CFa47', [84532]],
  ['v3', '0x7Fb9a622186B4660A5988C223ebb9d3690dD5007', [1301]],
  ['v3', '0x9916Ec1c1E0462F6F8f7514e414F06bf001Ac82A', [4801]],
  ['v3', '0x9F4e56be80f08ba1A2445645EFa6d231E27b43ec', [130, 10143]],
  ['v3', '0xaA47D2977d622DBdFD33eeF6a8276727c52EB4e5', [8453, 57073]],
  ['v3', '0xE0dC4012AC9C868F09c6e4b20d66ED46D6F258d0', [1301]],
  ['v3-lockable', '0x16AdA5Be50C3c2D94Af5fEae6b539C40A78Ad53c', [84532]],
  ['v3-lockable', '0x8b4C7DB9121FC885689C0A50D5a1429F15AEc2a0', [143]],
  ['v3-lockable', '0x99C94B9Df930E1E21a4E4a2c105dBff21bF5c5aE', [10143]],
  ['v3-lockable', '0x9dFb775dB7b005d9Dc77DA84D8b2e42C281D0344', [1301]],
  ['v3-lockable', '0xA2E0435225D52a8B950122752978007D758056d7', [1]],
  ['v3-lockable', '0xA3C847eAb58eAa9cbc215C785c9cfBc19CDABD5f', [130]],
  ['v3-lockable', '0xde8886A0019Ea060B8378Ee37b8A23b8117F29A3', [4663, 42161]],
  ['v3-lockable', '0xE0dC4012AC9C868F09c6e4b20d66ED46D6F258d0', [8453]],
  ['v4-dynamic', '0x014E1c0bd34f3B10546E554CB33B3293fECDD056', [57073]],
  ['v4-dynamic', '0x2F2BAcd46d3F5c9EE052Ab392b73711dB89129DB', [130]],
  ['v4-dynamic', '0x4B0EC16Eb40318Ca5A4346f20F04A2285C19675B', [130]],
  [
    'v4-dynamic',
    '0x53b4c21a6Cb61D64F636ABBfa6E8E90E6558e8ad',
    [1, 143, 8453, 10143, 84532, 11155111],
  ],
  ['v4-dynamic', '0x6cce158B6D1747617fc218592B4D60B239B957ea', [4663, 42161]],
  ['v4-dynamic', '0x70d20cd48791E527036491dc464C8Dc58351Dd93', [1301]],
  ['v4-dynamic', '0x992375478626E67F4e639d3298EbCAaE51C3dF0b', [1301]],
  ['v4-dynamic', '0xC99b485499f78995C6F1640dbB1413c57f8BA684', [57073]],
  ['multicurve', '0x1718405E58c61425cDc0083262bC9f72198F5232', [84532]],
  ['multicurve', '0x65dE470Da664A5be139A5D812bE5FDa0d76CC951', [8453]],
  ['multicurve', '0xA3C847eAb58eAa9cbc215C785c9cfBc19CDABD5f', [10143]],
  ['multicurve', '0xac7939F1B4079d55A7fA4DFA314Ac0173A77bA40', [1301]],
  ['scheduled-multicurve', '0xA36715dA46Ddf4A769f3290f49AF58bF8132ED8E', [8453]],
  ['scheduled-multicurve', '0xCe3099B2F07029b086E5e92a1573C5f5A3071783', [143]],
  [
    'scheduled-multicurve',
    '0xF84378C9F39e0FF267f3101c88773359c5393876',
    [1, 1301, 84532, 11155111],
  ],
  ['decay-multicurve', '0xD59cE43E53D69F190E15d9822Fb4540dCcc91178', [8453, 84532, 11155111]],
  ['doppler-hook', '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544', [4663]],
  ['doppler-hook', '0x56ea13Da5f39863D3B3d54826187306Af7ada544', [143]],
  ['doppler-hook', '0xAa7f809BB3752f715fA2e418230667C382A56544', [42161]],
  ['doppler-hook', '0xBDF938149ac6a781F94FAa0ed45E6A0e984c6544', [1, 8453, 84532, 11155111]],
  ['governance', '0x014E1c0bd34f3B10546E554CB33B3293fECDD056', [10143]],
  ['governance', '0x136191B46478cAB023cbC01a36160C4Aad81677a', [4801]],
  ['governance', '0x1E4332EEfAE9e4967C2D186f7b2d439D778e81cC', [1301]],
  ['governance', '0x4225C632b62622Bd7B0A3eC9745C0a866Ff94F6F', [1301]],
  ['governance', '0x99C94B9Df930E1E21a4E4a2c105dBff21bF5c5aE', [130]],
  ['governance', '0x9dBFaaDC8c0cB2c34bA698DD9426555336992e20', [84532]],
  ['governance', '0x9F309D79BEe3E8b2f56FaCF74b7195Df176c8F61', [1, 11155111]],
  ['governance', '0x9F4e56be80f08ba1A2445645EFa6d231E27b43ec', [763373]],
  ['governance', '0xa82c66b6ddEb92089015C3565E05B5c9750b2d4B', [8453]],
  ['governance', '0xb4deE32EB70A5E55f3D2d861F49Fb3D79f7a14d9', [8453, 57073]],
  ['governance', '0xDeb0447DAE3EB177c4dbA8bBCCCa25c8F273B7ef', [4663, 42161]],
  ['governance', '0xFAafdE6a5b658684cC5eb0C5c2c755B00A246F45', [143]],
  ['no-op-governance', '0x094D926A969B3024ca46D2186BF13FD5CDBA9CE2', [10143]],
  ['no-op-governance', '0x3AD727ee0FBBb8Ee0920933FdB96F23fD56f1299', [130]],
  ['no-op-governance', '0x7bD798fafC99A3b17E261F8308A8C11B56935ea1', [84532]],
  ['no-op-governance', '0x7E5D336A6E9e453c9f02E5102CC039E015Fd8fb8', [1301]],
  ['no-op-governance', '0x85f37f74Ef2478A770318bc810177a9835911aD7', [4663, 42161]],
  ['no-op-governance', '0x916B8987E4aD325C10d58ED8Dc2036a6FF5EB228', [84532]],
  ['no-op-governance', '0xb4deE32EB70A5E55f3D2d861F49Fb3D79f7a14d9', [143]],
  ['no-op-governance', '0xddAE8B3eD08184682f7Bc32B74d943cEEfEab638', [1, 4326, 6343, 11155111]],
  ['no-op-governance', '0xe7dfbd5b0A2C3B4464653A9beCdc489229eF090E', [8453]],
  ['launchpad-governance', '0x0902e7C7207df8ed6303Aef4382bcab181b5fBFA', [84532]],
  ['launchpad-governance', '0x2A8DA67F277442cFF7Dc2143e52Fdd0cBF5A8175', [1]],
  ['launchpad-governance', '0x40Bcb4dDA3BcF7dba30C5d10c31EE2791ed9ddCa', [8453]],
  ['launchpad-governance', '0x5FBe931dc4B923A7abe4c47aD68d5bF9Eda5B76D', [143]],
  ['launchpad-governance', '0xdb036746D65DD52126b1915f1AdF555e6C5237Cf', [4663, 42161]],
  ['v2', '0x04a898f3722c38F9Def707bD17DC78920EFA977C', [84532]],
  ['v2', '0x136191B46478cAB023cbC01a36160C4Aad81677a', [143]],
  ['v2', '0x43d0D97EC9241A8F05A264f94B82A1d2E600f2B3', [10143]],
  ['v2', '0x5F3bA43D44375286296Cb85F1EA2EBfa25dde731', [8453, 57073]],
  ['v2', '0x620e3fec244e913d73f2163623b62d02DB69638B', [1301]],
  ['v2', '0x765875bff87614cE0581ee73B9fa663B71F3DfF2', [1, 11155111]],
  ['v2', '0x8b4C7DB9121FC885689C0A50D5a1429F15AEc2a0', [4801]],
  ['v2', '0x99C94B9Df930E1E21a4E4a2c105dBff21bF5c5aE', [763373]],
  ['v2', '0xf6023127f6E937091D5B605680056A6D27524bad', [130]],
  ['v2-split', '0xB05046cEa797c993FB5b583098B1c4682e9Da333', [4663, 42161]],
  ['v2-split', '0xD7abA5f1d80a330a6fe9E96F7bA122710E0912d3', [1, 143, 8453, 84532]],
  ['v4', '0x0820A4D0173C17Ece283f7bDaAF0f8876eB205f5', [1, 11155111]],
  ['v4', '0x44bf742e57cd8cF23ABbc8dab2c44e2a3228356E', [143]],
  ['v4', '0x49F3fBB2dFF7f3d03B622e3b2a6d3F2E6fdB2a5A', [130]],
  ['v4', '0x4B0EC16Eb40318Ca5A4346f20F04A2285C19675B', [10143]],
  ['v4', '0x63f8C8F9beFaab2FaCD7Ece0b0242f78B920Ee90', [8453]],
  ['v4', '0xb6D69eAA98E657bEEFF7ca4452768e6f707aa6b1', [1301]],
  ['v4', '0xBEd386a1Fc62B6598c9b8d2BF634471B6Fe75EB7', [10143]],
  ['v4', '0xd3B4cF7FD24381e90A4F012fC6c5976b87B9B3cE', [8453]],
  ['v4', '0xEEe0eCCb54398ce371CAACBCEf076d3Ed597DDb3', [84532]],
  ['v4-split', '0xa1b06BE4f2fC347d194240D79EDa9F40CCAd9732', [1, 143, 8453, 84532]],
  [
    'doppler-hook-migrator',
    '0x1E40b0875DDa35f41E15cFB475403859B8c860c4',
    [1, 143, 8453, 84532, 11155111],
  ],
  ['doppler-hook-migrator', '0x7BF319d8e969f7596B1Bc171Da9ce322f67Ae0c4', [4663, 42161]],
  ['no-op-migrator', '0x193F48A45B6025dDeD10bc4BaeEF65c833696387', [1301]],
  ['no-op-migrator', '0x233A71A7bB928b1357A1Ebf454298320989Ca5B5', [1, 4326, 6343, 11155111]],
  ['no-op-migrator', '0x5CadB034267751a364dDD4d321C99E07A307f915', [10143]],
  ['no-op-migrator', '0x5F3bA43D44375286296Cb85F1EA2EBfa25dde731', [143]],
  ['no-op-migrator', '0x6ddfED58D238Ca3195E49d8ac3d4cEa6386E5C33', [8453]],
  ['no-op-migrator', '0x917da361072ce968acD810BbfC9B64079426ebf0', [130]],
  ['no-op-migrator', '0xba2F330EDb16cD8056f5988d8CE19BbC63475A0e', [4663, 42161]],
  ['no-op-migrator', '0xF11066abbd329ac4bBA39455340539322C222eb0', [84532]],
  ['rehype-migrator', '0x1a0f286bB7f5967AE89c13D3425D5ce04C34cd27', [4663]],
  ['rehype-migrator', '0x5E2A91F8eBE288e0AA76a0C1A47877Ded801e90d', [84532]],
  ['rehype-migrator', '0x660740D7d6Fb2C8998Fa3ffF459cceB9Ac12C84B', [1, 143, 4663, 8453, 42161]],
  ['rehype-migrator', '0x9349E5A3e6458aa65E2fB7ED67e9aD08Ae7F660D', [84532]],
  ['rehype-migrator', '0x975f9d1939cf6e4A3c9D99f9d41e6411CF4dA23b', [1, 143, 4663, 8453]],
  ['rehype-migrator', '0xaa6b67BB06C5cb2502530d190261a9f3d57A2065', [143]],
  ['rehype-migrator', '0xea95DfdF69B90c65C827070852F7039D6aF6Dd7b', [1, 8453, 84532, 11155111]],
  ['rehype-initializer', '0x5F9eB5f6726Fe88D5e39867967F5b833d2fA3215', [1, 143, 4663, 8453, 42161]],
  ['rehype-initializer', '0x9982538F41f2ae29ddb9d3D9307010052984FDbB', [1, 143, 4663, 8453]],
  ['rehype-initializer', '0xAdB90eF4dc001CFB81ecADEd2CDbda7D18487606', [84532]],
  ['rehype-initializer-2026-06', '0x34159D65BF89015D0Be068A99E41dE6e399B111B', [143]],
  ['rehype-initializer-2026-06', '0x6f02324d20CC679d0E585290CAa6b16baCbC0F77', [4663]],
  [
    'rehype-initializer-2026-06',
    '0xBF4195ab0B03e1eB3345dd1e83BeD7650b1ed123',
    [1, 8453, 84532, 11155111],
  ],
]

/** Names of modules whose limits differ from others of the same layout. */
const ownNames: Readonly<Record<string, string>> = {
  '0x80a27feee1a22b9c68185ea64e7c2652286980b5': 'DERC20 token (80)',
  '0xf0b5141dd9096254b2ca624dff26024f46087229': 'DERC20 token (80)',
}

/**
 * The accounts, in lower case, that the hooks of launches with the API's own application pay, recorded in launches of July
 * to September 2026 on Robinhood Chain: its integrator, and an account of its own for tokens that are priced in AI.
 */
export const servicePayees: ReadonlySet<string> = new Set([
  '0x92d435c96e63c43e12d6d0ab28f6b0b04072f765',
  '0x35d217b10f974a49f1bfd369fc5c85b597ae09a1',
])

/** An entry of the setting MODULES: an operator's own module. */
export interface ModuleEntry {
  address: Address
  layout: LayoutId
  name?: string | undefined
}

/** Builds the module book of a chain: the known modules, overridden by the operator's. */
export function moduleBook(chainId: number, own: readonly ModuleEntry[] = []): ModuleBook {
  const builtIn: readonly ModuleEntry[] = knownModules().filter(({ chain }) => chain === chainId)
  return new Map(
    [...builtIn, ...own].map(({ address, layout, name }) => {
      const key = address.toLowerCase()
      const label = name ?? ownNames[key] ?? layouts[layout].label
      return [key, { address: getAddress(address), layout, name: label }]
    }),
  )
}

/** Lists every known deployment, once per chain. */
export function knownModules(): readonly { layout: LayoutId; address: Address; chain: number }[] {
  return deployments.flatMap(([layout, address, chains]) =>
    chains.map((chain) => ({ layout, address, chain })),
  )
}

/** A module as a payload uses it. */
export interface UsedModule {
  kind: ModuleKind
  address: `0x${string}`
  /** Undefined if the module book doesn't have it. */
  module: Module | undefined
}

/** The decoded payload. A part that could not be read is undefined, and `problems` says why. */
export interface Decoded {
  call: LaunchCall
  modules: readonly UsedModule[]
  token: TokenData | undefined
  governance: GovernanceData | undefined
  pool: PoolData | undefined
  migrator: MigratorData | undefined
  /** Data of the hook of the launch pool, and of the pool after graduation. */
  poolHook: HookData | undefined
  migratorHook: HookData | undefined
  /** Parts that were not read and why, for people; empty if every byte was read. */
  problems: readonly string[]
}

const fields = {
  'token factory': ['tokenFactory', 'tokenFactoryData'],
  'governance factory': ['governanceFactory', 'governanceFactoryData'],
  'pool initializer': ['poolInitializer', 'poolInitializerData'],
  'liquidity migrator': ['liquidityMigrator', 'liquidityMigratorData'],
} as const

/**
 * Decodes calldata with the layouts of the modules in the book. Data of an unknown module are decoded too if exactly
 * one layout fits, so that people see the likely meaning; it is still reported as a problem.
 */
export function decodePayload(
  calldata: Hex,
  book: ModuleBook,
): Decoded | { call: undefined; problems: readonly string[] } {
  const call = decodeLaunch(calldata)
  if (!call) return { call, problems: [undecodable(calldata)] }
  const reader = new Reader(book, call.params)
  const token = reader.part('token factory')
  const governance = reader.part('governance factory')
  const pool = reader.part('pool initializer')
  const migrator = reader.part('liquidity migrator')
  const hook = pool?.form === 'curves' ? pool.hook : undefined
  const poolHook = hook && reader.hook(hook.address, hook.data, 'The hook')
  if (hook && hook.graduationData !== '0x') {
    reader.problems.push('data that its hook gets at graduation are not read')
  }
  const nextHook = migrator?.hook
  const migratorHook =
    nextHook && reader.hook(nextHook.address, nextHook.data, 'The hook of the new pool')
  const { modules, problems } = reader
  return { call, modules, token, governance, pool, migrator, poolHook, migratorHook, problems }
}

function undecodable(calldata: Hex): string {
  const entry = entryOf(calldata)
  return entry === undefined
    ? `it calls ${plain(calldata.slice(0, 10))}, which is no known way to launch a token`
    : `it is not exactly one call of ${entry}`
}

class Reader {
  readonly #book: ModuleBook
  readonly #params: CreateParams
  readonly modules: UsedModule[] = []
  readonly problems: string[] = []

  constructor(book: ModuleBook, params: CreateParams) {
    this.#book = book
    this.#params = params
  }

  part<Kind extends keyof typeof fields>(kind: Kind) {
    const [addressField, dataField] = fields[kind]
    return this.#read(kind, this.#params[addressField], this.#params[dataField], `the ${kind}`)
  }

  hook(address: `0x${string}`, data: Hex, name: string): HookData | undefined {
    if (isAddressEqual(address, zeroAddress)) {
      if (data !== '0x') this.problems.push('data for a hook are there, but no hook')
      return undefined
    }
    const hookData = this.#read('hook', address, data, name.replace(/^The/u, 'the'))
    if (hookData && !isAddressEqual(hookData.numeraire, this.#params.numeraire)) {
      this.problems.push(
        `${name.replace(/^The/u, 'the')} is told another quote token than the pool`,
      )
    }
    return hookData
  }

  #read<Kind extends ModuleKind>(kind: Kind, address: `0x${string}`, data: Hex, name: string) {
    const module = this.#book.get(address.toLowerCase())
    this.modules.push({ kind, address, module })
    if (!module) {
      this.problems.push(`${name} ${address} is not one that is known on this chain`)
      const readings = layoutIds(kind).flatMap((id) => readData(kind, id, data) ?? [])
      return readings.length === 1 ? readings[0] : undefined
    }
    const found = readData(kind, module.layout, data)
    if (found === undefined) {
      this.problems.push(
        `the data of ${name} (${module.name}) are not in the layout of that module`,
      )
    }
    return found
  }
}
