import type { Address } from 'viem'
import { z } from 'zod'
import { t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import { checksummed, isNobody } from './address.ts'
import { stockTokens } from './quote-tokens.ts'

/** Rough value of one quote token: a dollar, some thousands of dollars (ether), or unknown. */
export type QuoteKind = 'dollar' | 'ether' | 'other'

/** A token that others are priced in. */
export interface QuoteToken {
  symbol: string
  decimals: number
  kind: QuoteKind
}

/** A chain, with the names and links that people see. */
export interface Chain {
  id: number
  /** Display name. */
  name: string
  /** Name that people can type instead of the id. */
  slug: string
  /** Symbol of the native coin; the zero address stands for it as a quote token. */
  coin: string
  /** Block explorer without a trailing slash; absent if none is known. */
  explorer?: string
  /** A public node, offered to wallets that don't know the chain. */
  publicRpcUrl?: string
  /** Set if the chain is a testnet, whose coin is worthless. */
  testnet?: true
  /** Set if auctions there never end, nor their tokens graduate to another pool. */
  neverGraduates?: true
  /** Common quote tokens by lower-case address. */
  tokens: Readonly<Record<string, QuoteToken>>
}

/** Stands for the native coin as a quote token. */
const coinAddress = '0x0000000000000000000000000000000000000000'
const opStackWeth = '0x4200000000000000000000000000000000000006'

const weth: QuoteToken = { symbol: 'WETH', decimals: 18, kind: 'ether' }
const usdc: QuoteToken = { symbol: 'USDC', decimals: 6, kind: 'dollar' }
const wmon: QuoteToken = { symbol: 'WMON', decimals: 18, kind: 'other' }
const usdg: QuoteToken = { symbol: 'USDG', decimals: 6, kind: 'dollar' }
const robinhoodTokens: Chain['tokens'] = {
  '0x0bd7d308f8e1639fab988df18a8011f41eacad73': weth,
  '0x5fc5360d0400a0fd4f2af552add042d716f1d168': usdg,
  ...Object.fromEntries(
    Object.entries(stockTokens).map(([address, symbol]): [string, QuoteToken] => [
      address,
      { symbol, decimals: 18, kind: 'other' },
    ]),
  ),
}

/** Names, explorers and nodes are from the chains' own documentation, as in viem's chain definitions. */
const chains: readonly Chain[] = [
  {
    id: 8453,
    name: 'Base',
    slug: 'base',
    coin: 'ETH',
    explorer: 'https://basescan.org',
    publicRpcUrl: 'https://mainnet.base.org',
    tokens: { [opStackWeth]: weth, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913': usdc },
  },
  {
    id: 84532,
    name: 'Base Sepolia',
    slug: 'base-sepolia',
    testnet: true,
    coin: 'ETH',
    explorer: 'https://sepolia.basescan.org',
    publicRpcUrl: 'https://sepolia.base.org',
    tokens: { [opStackWeth]: weth, '0x036cbd53842c5426634e7929541ec2318f3dcf7e': usdc },
  },
  {
    id: 1,
    name: 'Ethereum',
    slug: 'ethereum',
    coin: 'ETH',
    explorer: 'https://etherscan.io',
    publicRpcUrl: 'https://ethereum.reth.rs/rpc',
    tokens: {
      '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2': weth,
      '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': usdc,
    },
  },
  {
    id: 11155111,
    name: 'Sepolia',
    slug: 'sepolia',
    testnet: true,
    coin: 'ETH',
    explorer: 'https://sepolia.etherscan.io',
    publicRpcUrl: 'https://11155111.rpc.thirdweb.com',
    tokens: { '0xfff9976782d46cc05630d1f6ebab18b2324d6b14': weth },
  },
  {
    id: 130,
    name: 'Unichain',
    slug: 'unichain',
    coin: 'ETH',
    explorer: 'https://uniscan.xyz',
    publicRpcUrl: 'https://mainnet.unichain.org',
    tokens: { [opStackWeth]: weth },
  },
  {
    id: 57073,
    name: 'Ink',
    slug: 'ink',
    coin: 'ETH',
    explorer: 'https://explorer.inkonchain.com',
    publicRpcUrl: 'https://rpc-gel.inkonchain.com',
    tokens: { [opStackWeth]: weth },
  },
  {
    id: 143,
    name: 'Monad',
    slug: 'monad',
    coin: 'MON',
    explorer: 'https://monadscan.com',
    publicRpcUrl: 'https://rpc.monad.xyz',
    tokens: { '0x3bd359c1119da7da1d913d1c4d2b7c461115433a': wmon },
  },
  {
    id: 4326,
    name: 'MegaETH',
    slug: 'megaeth',
    coin: 'ETH',
    explorer: 'https://mega.etherscan.io',
    publicRpcUrl: 'https://mainnet.megaeth.com/rpc',
    tokens: {},
  },
  {
    id: 4663,
    name: 'Robinhood Chain',
    slug: 'robinhood',
    coin: 'ETH',
    // Source: 13,802 launches by September 2026, of which none names a migrator.
    neverGraduates: true,
    explorer: 'https://robinhoodchain.blockscout.com',
    publicRpcUrl: 'https://rpc.mainnet.chain.robinhood.com',
    tokens: robinhoodTokens,
  },
  {
    id: 42161,
    name: 'Arbitrum',
    slug: 'arbitrum',
    coin: 'ETH',
    explorer: 'https://arbiscan.io',
    publicRpcUrl: 'https://arb1.arbitrum.io/rpc',
    tokens: {
      '0x82af49447d8a07e3bd95bd0d56f35241523fbab1': weth,
      '0xaf88d065e77c8cc2239327c5edb3a432268e5831': usdc,
    },
  },
  {
    id: 1301,
    name: 'Unichain Sepolia',
    slug: 'unichain-sepolia',
    testnet: true,
    coin: 'ETH',
    explorer: 'https://sepolia.uniscan.xyz',
    publicRpcUrl: 'https://sepolia.unichain.org',
    tokens: { [opStackWeth]: weth },
  },
  {
    id: 4801,
    name: 'World Chain Sepolia',
    slug: 'world-sepolia',
    testnet: true,
    coin: 'ETH',
    explorer: 'https://sepolia.worldscan.org',
    publicRpcUrl: 'https://worldchain-sepolia.g.alchemy.com/public',
    tokens: { [opStackWeth]: weth },
  },
  {
    id: 6343,
    name: 'MegaETH Testnet',
    slug: 'megaeth-testnet',
    testnet: true,
    coin: 'ETH',
    explorer: 'https://testnet-mega.etherscan.io',
    publicRpcUrl: 'https://carrot.megaeth.com/rpc',
    tokens: {},
  },
  {
    id: 10143,
    name: 'Monad Testnet',
    slug: 'monad-testnet',
    testnet: true,
    coin: 'MON',
    explorer: 'https://testnet.monadexplorer.com',
    publicRpcUrl: 'https://testnet-rpc.monad.xyz',
    tokens: {},
  },
  {
    id: 763373,
    name: 'Ink Sepolia',
    slug: 'ink-sepolia',
    testnet: true,
    coin: 'ETH',
    explorer: 'https://explorer-sepolia.inkonchain.com',
    publicRpcUrl: 'https://rpc-gel-sepolia.inkonchain.com',
    tokens: { [opStackWeth]: weth },
  },
]

/** Returns the chain with this id. One that is not in the table gets its number as name and slug, and no explorer. */
export function chainById(id: number): Chain {
  return (
    chains.find((chain) => chain.id === id) ?? {
      id,
      name: `Chain ${id}`,
      slug: String(id),
      coin: 'coins',
      tokens: {},
    }
  )
}

/** Returns the address of the wrapped native coin (such as WETH); undefined if none is known. */
export function wrappedCoin(chain: Chain): Address | undefined {
  return addressOf(chain, `W${chain.coin}`)
}

/** Returns the address of a well-known quote token by its symbol, in any case; undefined for others. */
export function quoteTokenBySymbol(chain: Chain, symbol: string): Address | undefined {
  return same(symbol, chain.coin) ? coinAddress : addressOf(chain, symbol)
}

function addressOf({ tokens }: Chain, symbol: string): Address | undefined {
  const [address] = Object.entries(tokens).find(([, token]) => same(token.symbol, symbol)) ?? []
  return address === undefined ? undefined : checksummed(address)
}

function same(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase()
}

/** Returns a well-known quote token; undefined for others. */
export function knownToken(
  chain: Chain,
  address: string | undefined,
): Pick<QuoteToken, 'symbol' | 'decimals'> | undefined {
  if (address === undefined) return undefined
  if (isNobody(address)) return { symbol: chain.coin, decimals: 18 }
  const key = address.toLowerCase()
  return Object.hasOwn(chain.tokens, key) ? chain.tokens[key] : undefined
}

/** Returns the symbol of a well-known quote token; undefined for others. */
export function numeraireSymbol(chain: Chain, address: string | undefined): string | undefined {
  return knownToken(chain, address)?.symbol
}

/** Returns the decimals of a well-known quote token; undefined for others. */
export function knownDecimals(chain: Chain, address: string): number | undefined {
  return knownToken(chain, address)?.decimals
}

/** Returns the rough value of the quote token at an address. Assets don't name their chain: its coin passes for ether. */
export function quoteKind(address: string | undefined): QuoteKind {
  return quoteKinds.get(address?.toLowerCase() ?? '') ?? 'other'
}

const quoteKinds: ReadonlyMap<string, QuoteKind> = new Map([
  [coinAddress, 'ether'],
  ...chains.flatMap(({ tokens }) =>
    Object.entries(tokens).map(([key, { kind }]): [string, QuoteKind] => [key, kind]),
  ),
])

/** Returns the explorer's page of an account or contract; undefined if no explorer is known. */
export function addressUrl(chain: Chain, address: string): string | undefined {
  return chain.explorer && `${chain.explorer}/address/${address}`
}

/** Returns the explorer's page where people call a contract with their wallet; undefined if no explorer is known. */
export function callUrl(chain: Chain, contract: string): string | undefined {
  const page = addressUrl(chain, contract)
  return page && `${page}#writeContract`
}

/** Returns the explorer's page of a token; undefined if no explorer is known. */
export function tokenUrl(chain: Chain, address: string): string | undefined {
  return chain.explorer && `${chain.explorer}/token/${address}`
}

/** Returns the explorer's page of a transaction; undefined if no explorer is known. */
export function transactionUrl(chain: Chain, hash: string): string | undefined {
  return chain.explorer && `${chain.explorer}/tx/${hash}`
}

/** The contract that a launch is sent to, and the one that emits `Create` for it; on most chains they are the same. */
export interface Launcher {
  to: Address
  airlock: Address
  /** Targets for calls of `launch` and `bundle`, if such contracts are known. */
  launch?: Address
  bundle?: Address
}

function airlock(address: Address, bundle?: Address): Launcher {
  return { to: address, airlock: address, ...(bundle && { bundle }) }
}

const onBase = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'
const onEthereum = airlock('0xDe3599a2eC440B296373a983C85C365DA55d9dFA')

/**
 * Launch contracts by chain id. Source: the protocol's deployments and, for Robinhood Chain, live launches. The
 * bundlers are those of doppler-sdk 1.0.30, whose `bundle` has the layout that is read here.
 */
export const knownLaunchers: Readonly<Record<number, Launcher>> = {
  1: onEthereum,
  130: airlock(
    '0x77EbfBAE15AD200758E9E2E61597c0B07d731254',
    '0x91231cDdD8d6C86Df602070a3081478e074b97b7',
  ),
  143: airlock(onBase, '0xC99b485499f78995C6F1640dbB1413c57f8BA684'),
  4326: onEthereum,
  4663: {
    to: '0x22e99278308B393ea1260859B181AD7E78f5eeED',
    airlock: '0xeb7C034704eF8Dcd2D32324c1545f62fB4aD0862',
    launch: '0x1Eef016F22A943abC7DD11422EDeE9D235942104',
    bundle: '0xEdE0B5fae363232c396724Fa962250Fa197cc5a1',
  },
  4801: airlock('0x5F3bA43D44375286296Cb85F1EA2EBfa25dde731'),
  6343: onEthereum,
  8453: airlock(onBase, '0x136191B46478cAB023cbC01a36160C4Aad81677a'),
  10143: airlock(onEthereum.to, '0xf6023127f6E937091D5B605680056A6D27524bad'),
  42161: airlock('0xeb7C034704eF8Dcd2D32324c1545f62fB4aD0862'),
  57073: airlock(onBase, '0x136191B46478cAB023cbC01a36160C4Aad81677a'),
  84532: airlock(
    '0x3411306Ce66c9469BFF1535BA955503c4Bde1C6e',
    '0x69DB7c20cDdA49Bed2bFb21e16Fa218330C50661',
  ),
  763373: airlock('0x5CadB034267751a364dDD4d321C99E07A307f915'),
  11155111: onEthereum,
}

/** Returns the target of a payload that calls this function; undefined if no contract with it is known. */
export function entryPoint(
  { to, launch, bundle }: Launcher,
  entry: 'create' | 'launch' | 'bundle' | undefined,
): Address | undefined {
  if (entry === 'launch') return launch
  return entry === 'bundle' ? bundle : to
}

const example = '{"8453":"0x…"} or {"4663":{"to":"0x…","airlock":"0x…"}}'
const entrySchema = z.record(
  z.string().regex(/^[1-9]\d{0,14}$/u),
  z.union([
    z.string(),
    z.strictObject({
      to: z.string(),
      airlock: z.string(),
      launch: z.string().optional(),
      bundle: z.string().optional(),
    }),
  ]),
)

/**
 * Validates the operator's launchers by chain id and merges them over the known ones: an address, or `{to, airlock}` if
 * transactions go to another contract than the one that emits `Create`. Checksums the addresses; the issue for an
 * invalid one names its chain.
 */
export const launchersSchema = z.unknown().transform((value, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const parsed = entrySchema.safeParse(value)
  if (!parsed.success) {
    const [chain] = parsed.error.issues[0]?.path ?? []
    const where = chain === undefined ? '' : `${JSON.stringify(chain)}: `
    return refuse(`${where}must be a JSON object by chain id, such as ${example}`)
  }
  const launchers: Record<number, Launcher> = { ...knownLaunchers }
  for (const [chain, launcher] of Object.entries(parsed.data)) {
    try {
      launchers[Number(chain)] = readLauncher(launcher, knownLaunchers[Number(chain)])
    } catch (error) {
      if (error instanceof UserError) return refuse(`${chain}: ${error.message}`)
      throw error
    }
  }
  return launchers
})

type LauncherEntry = z.output<typeof entrySchema>[string]

/** Reads one entry. Inherits `launch` and `bundle` of a known launcher only if the airlock is the same. */
function readLauncher(entry: LauncherEntry, known: Launcher | undefined): Launcher {
  const { launch, bundle, ...addresses } =
    typeof entry === 'string' ? { to: entry, airlock: entry } : entry
  const [to, airlock] = [parseAddress(addresses.to), parseAddress(addresses.airlock)]
  const isKnown = known !== undefined && checksummed(known.airlock) === airlock
  return {
    ...(isKnown && known),
    to,
    airlock,
    ...(launch !== undefined && { launch: parseAddress(launch) }),
    ...(bundle !== undefined && { bundle: parseAddress(bundle) }),
  }
}

/**
 * Parses an address and returns it with its checksum. All lower or all upper case is accepted unchecked (EIP-55); mixed
 * case must match.
 * @throws UserError that names the fault
 */
export function parseAddress(raw: string): `0x${string}` {
  const text = raw.trim()
  const digits = text.slice(2)
  if (!/^0x/iu.test(text)) {
    throw new UserError(t('address-start'))
  }
  if (!/^[0-9a-f]*$/iu.test(digits)) {
    throw new UserError(t('address-digits'))
  }
  if (digits.length !== 40) {
    throw new UserError(t('address-length', { length: digits.length }))
  }
  const address = checksummed(text)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (oneCase || address === `0x${digits}`) return address
  throw new UserError(t('address-checksum'))
}
