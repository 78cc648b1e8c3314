import { baseToken } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { type TokenDecimals, tokenDecimals } from '../chain/decimals.ts'
import { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import type { LaunchesToExamine } from './launches.ts'
import { type KnownTruths, readTruths, type Truth } from './truth.ts'

/** Cached answers of one chain's node. */
interface NodeCache {
  node: ChainNode | undefined
  decimals: TokenDecimals
  truths: KnownTruths
}

/** Reads facts from the chains' nodes, once per asset over all rounds of a run. */
export class Nodes {
  readonly #launches: Pick<LaunchesToExamine, 'rpcUrls' | 'settings'>
  readonly #byChain = new Map<number, NodeCache>()

  constructor(launches: Pick<LaunchesToExamine, 'rpcUrls' | 'settings'>) {
    this.#launches = launches
  }

  /** Returns the assets with their tokens' decimals, and the chain's data about a few of them; none without a node. */
  async read(
    chain: number,
    assets: readonly Asset[],
  ): Promise<{ samples: Asset[]; truths: Truth[] }> {
    const told = await this.#of(chain)
    const samples: Asset[] = []
    for (const asset of assets) {
      const quote = asset.asset_numeraire_address
      const isTold = baseToken(asset)?.token_decimals !== undefined
      const [ofQuote, ofToken] = [
        quote === undefined ? undefined : await told.decimals(chain, quote),
        isTold ? undefined : await told.decimals(chain, asset.asset_address),
      ]
      samples.push({ ...asset, decimals: { quote: ofQuote, token: ofToken } })
    }
    return { samples, truths: await this.#truthsOf(chain, told, assets) }
  }

  async #of(chain: number): Promise<NodeCache> {
    const known = this.#byChain.get(chain)
    if (known) return known
    const node = await this.#nodeOf(chain)
    const decimals = tokenDecimals({ nodes: new Map(node ? [[chain, node]] : []) })
    const told: NodeCache = { node, decimals, truths: new Map() }
    this.#byChain.set(chain, told)
    return told
  }

  /**
   * Returns the chain's node. One that does not answer is reported with the launches, and counts as none here, or each
   * asset would wait for it.
   */
  async #nodeOf(chain: number): Promise<ChainNode | undefined> {
    const rpcUrl = this.#launches.rpcUrls[chain]
    if (rpcUrl === undefined) return undefined
    const node = new ChainNode({ rpcUrl, chainId: chain })
    return (await isAnswered(() => node.check())) ? node : undefined
  }

  async #truthsOf(chain: number, told: NodeCache, assets: readonly Asset[]): Promise<Truth[]> {
    const { node, truths } = told
    if (!node) return []
    const airlock = this.#launches.settings.launchers[chain]?.airlock
    const read: Truth[] = []
    const isRead = await isAnswered(async () => {
      read.push(...(await readTruths({ node, airlock }, assets, truths)))
    })
    if (!isRead) this.#byChain.set(chain, { ...told, node: undefined })
    return read
  }
}

async function isAnswered(ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (error instanceof NodeError) return false
    throw error
  }
}
