import { type Address, formatUnits, getAddress, isAddressEqual, zeroAddress } from 'viem'
import { baseToken, currentPool } from '../api/figures.ts'
import { decimal as wireNumber } from '../api/number.ts'
import { type Asset, addressPattern } from '../api/schema.ts'
import { decimal, priceAt } from '../chain/airlock/curve.ts'
import { type LaunchedSale, readLaunchedSale } from '../chain/airlock/sale.ts'
import { type TokenDecimals, tokenDecimals } from '../chain/decimals.ts'
import { ChainNode, maxDecimals } from '../chain/node.ts'
import { ask, NodeError, type Viewer, view, type Words } from '../chain/rpc.ts'
import type { LaunchSettings } from '../launch/settings.ts'

/**
 * Data of an asset from the chain. Amounts are decimal texts without exponent, in whole tokens or whole quote tokens;
 * unreadable ones are absent.
 */
export interface ChainFacts {
  asset: Address
  tokenDecimals?: number | undefined
  quoteDecimals?: number | undefined
  /** Current total supply. */
  supply?: string | undefined
  toSell?: string | undefined
  /** Tokens sold, net of those sold back. */
  sold?: string | undefined
  /** Price in quote tokens, in the launch pool; absent once the asset graduated. */
  price?: string | undefined
  /** Quote tokens raised, without fees. */
  raised?: string | undefined
}

const maxAssets = 5
/** Digits of a price; more than an interface gives. */
const priceDigits = 18

/** The node of a chain, and the launch contract there if it is known. */
interface Source {
  node: Viewer
  airlock: Address | undefined
}

/** The nodes by chain id, and the launch contracts. */
interface ChainSettings {
  rpcUrls: Readonly<Record<number, string>>
  settings: Pick<LaunchSettings, 'launchers'>
}

/** The facts of one chain, over all rounds of a run. */
interface Known {
  node: ChainNode | undefined
  decimals: TokenDecimals
  /** By lower-case address; undefined if there is no token. */
  facts: Map<string, ChainFacts | undefined>
}

/** Reads facts from the chains' nodes, once per asset over all rounds of a run. */
export class ChainReader {
  readonly #launches: ChainSettings
  readonly #byChain = new Map<number, Known>()

  constructor(launches: ChainSettings) {
    this.#launches = launches
  }

  /** Returns the assets with their tokens' decimals, and the chain's data about a few of them; none without a node. */
  async read(
    chain: number,
    assets: readonly Asset[],
  ): Promise<{ assets: Asset[]; facts: ChainFacts[] }> {
    const known = await this.#of(chain)
    const read: Asset[] = []
    for (const asset of assets) {
      const { asset_numeraire_address: quote, asset_address: token } = asset
      const isSaid = baseToken(asset)?.token_decimals !== undefined
      const decimals = {
        quote: quote === undefined ? undefined : await known.decimals(chain, quote),
        token: isSaid ? undefined : await known.decimals(chain, token),
      }
      read.push({ ...asset, decimals })
    }
    return { assets: read, facts: await this.#facts(chain, known, assets) }
  }

  /** One that does not answer is reported with the launches, and counts as none here, or each asset would wait for it. */
  async #of(chain: number): Promise<Known> {
    const before = this.#byChain.get(chain)
    if (before) return before
    const rpcUrl = this.#launches.rpcUrls[chain]
    const node = rpcUrl === undefined ? undefined : new ChainNode({ rpcUrl, chainId: chain })
    const isThere = node && (await answered(() => node.check().then(() => true)))
    const nodes = new Map(node && isThere ? [[chain, node]] : [])
    const known = { node: nodes.get(chain), decimals: tokenDecimals({ nodes }), facts: new Map() }
    this.#byChain.set(chain, known)
    return known
  }

  async #facts(chain: number, known: Known, assets: readonly Asset[]): Promise<ChainFacts[]> {
    const { node, facts } = known
    if (!node) return []
    const airlock = this.#launches.settings.launchers[chain]?.airlock
    const found: ChainFacts[] = []
    const isRead = await answered(async () => {
      for (const asset of mostInformative(assets)) {
        const address = asset.asset_address.toLowerCase()
        if (!facts.has(address)) facts.set(address, await readFacts({ node, airlock }, asset))
        const fact = facts.get(address)
        if (fact) found.push(fact)
      }
      return true
    })
    if (!isRead) this.#byChain.set(chain, { ...known, node: undefined })
    return found
  }
}

/** Returns undefined if the node doesn't answer, or answers for another chain. */
async function answered<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof NodeError) return undefined
    throw error
  }
}

/**
 * Reads one asset with at most 12 contract calls; undefined if there is no token at its address.
 * @throws NodeError if the node doesn't answer, or answers for another chain
 */
export async function readFacts(
  { node, airlock }: Source,
  asset: Asset,
): Promise<ChainFacts | undefined> {
  const token = getAddress(asset.asset_address)
  const [[decimals, supply], sale] = await Promise.all([
    ask(node, [view(token, 'decimals()'), view(token, 'totalSupply()')]),
    airlock && readLaunchedSale(node, airlock, token),
  ])
  if (!decimals && !supply) return undefined
  const tokenDecimals = decimalsIn(decimals)
  const quote = sale?.quote ?? addressOf(asset.asset_numeraire_address)
  const quoteDecimals = quote && (await decimalsOf(node, quote))
  return {
    asset: token,
    tokenDecimals,
    quoteDecimals,
    supply: amount(supply?.[0], tokenDecimals),
    toSell: amount(sale?.toSell, tokenDecimals),
    sold: amount(sale?.sold, tokenDecimals),
    price: price(sale, tokenDecimals, quoteDecimals),
    raised: amount(sale?.raised, quoteDecimals),
  }
}

function mostInformative(assets: readonly Asset[]): readonly Asset[] {
  const sorted = assets.toSorted(
    (one, other) => informativeAmounts(other) - informativeAmounts(one),
  )
  const seen = new Map<string, number>()
  const ranked = sorted.map((asset) => {
    const quote = asset.asset_numeraire_address?.toLowerCase() ?? ''
    const before = seen.get(quote) ?? 0
    seen.set(quote, before + 1)
    return { asset, before }
  })
  return ranked
    .toSorted((one, other) => one.before - other.before)
    .slice(0, maxAssets)
    .map(({ asset }) => asset)
}

/** Counts the amounts that can be compared with the chain: those above 0, if the auction's pool trades. */
function informativeAmounts(asset: Asset): number {
  if (currentPool(asset) !== 'auction') return 0
  const { auction_pool: pool } = asset
  const amounts = [...Object.values(pool ?? {}), ...Object.values(pool?.pool_market_data ?? {})]
  return amounts.filter((each) => typeof each === 'string' && wireNumber(each)?.gt(0)).length
}

/** Looks up the quote token's decimals; the zero address is the native coin. */
async function decimalsOf(node: Viewer, quote: Address): Promise<number | undefined> {
  if (isAddressEqual(quote, zeroAddress)) return 18
  const [said] = await ask(node, [view(quote, 'decimals()')])
  return decimalsIn(said)
}

function price(
  sale: LaunchedSale | undefined,
  tokenDecimals: number | undefined,
  quoteDecimals: number | undefined,
): string | undefined {
  if (!sale?.sqrtPrice || tokenDecimals === undefined || quoteDecimals === undefined) {
    return undefined
  }
  const { numerator, denominator } = priceAt(sale.sqrtPrice, sale.isToken0)
  const whole = {
    numerator: numerator * 10n ** BigInt(tokenDecimals),
    denominator: denominator * 10n ** BigInt(quoteDecimals),
  }
  return decimal(whole, priceDigits)
}

function amount(units: bigint | undefined, decimals: number | undefined): string | undefined {
  return units === undefined || decimals === undefined ? undefined : formatUnits(units, decimals)
}

function decimalsIn(words: Words): number | undefined {
  const said = words?.[0]
  return said === undefined || said > maxDecimals ? undefined : Number(said)
}

function addressOf(text: string | undefined): Address | undefined {
  return text !== undefined && addressPattern.test(text) ? getAddress(text) : undefined
}
