import { type Address, getAddress, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { type CreateParams, decodeLaunch, entryOf, type LaunchCall, plain } from './calldata.ts'
import { deployments } from './deployments.ts'
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
    ? `it calls ${plain(calldata.slice(0, 10))}, which is not a known way to launch a token`
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
      if (data !== '0x') this.problems.push('it has data for a hook, but no hook')
      return undefined
    }
    const hookData = this.#read('hook', address, data, name.replace(/^The/u, 'the'))
    if (hookData && !isAddressEqual(hookData.numeraire, this.#params.numeraire)) {
      this.problems.push(`${name.replace(/^The/u, 'the')} gets another quote token than the pool`)
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
