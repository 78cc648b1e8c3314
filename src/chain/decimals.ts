import { LRUCache } from 'lru-cache'
import { getAddress } from 'viem/utils'
import { isAddress } from './address.ts'
import { chainById, knownDecimals } from './chains.ts'
import type { ChainNode } from './node.ts'

/** Looks up the decimals of a token; undefined if nobody knows them. Never rejects. */
export type TokenDecimals = (chain: number, token: string) => Promise<number | undefined>

/** Options of looking decimals up. */
export interface TokenDecimalsOptions {
  /** Nodes by chain id; tokens that the bot does not know are looked up on these chains only. */
  nodes: ReadonlyMap<number, Pick<ChainNode, 'tokenFacts'>>
  /** Milliseconds on a clock that never goes back. */
  now?: () => number
  /** Milliseconds for which an answer about an asset waits for a node; the node's answer is of use to the next. */
  patienceMs?: number
}

const kept = 5000
/** Milliseconds until a token is asked for again of which the node knew nothing. */
const retryMs = 60_000

/** Looks decimals up: of the tokens that the bot knows, else on the chain, and keeps them: they never change. */
export function tokenDecimals({
  nodes,
  now = () => performance.now(),
  patienceMs = 1500,
}: TokenDecimalsOptions): TokenDecimals {
  const found = new LRUCache<string, { decimals: number | undefined }>({
    max: kept,
    perf: { now },
    ttlResolution: 0,
    ttl: Number.MAX_SAFE_INTEGER,
    fetchMethod: async (key, _, { options }) => {
      const decimals = await asked(key)
      if (decimals === undefined) options.ttl = retryMs
      return { decimals }
    },
    ignoreFetchAbort: true,
  })

  async function asked(key: string): Promise<number | undefined> {
    const [chain, token = ''] = key.split(' ')
    try {
      const facts = await nodes.get(Number(chain))?.tokenFacts(getAddress(token))
      return facts?.decimals
    } catch {
      return undefined
    }
  }

  return async (chain, token) => {
    const known = knownDecimals(chainById(chain), token)
    if (known !== undefined || !nodes.has(chain) || !isAddress(token)) return known
    const looked = found.forceFetch(`${chain} ${token.toLowerCase()}`)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs)
    })
    const answer = await Promise.race([looked, late])
    clearTimeout(timer)
    return answer?.decimals
  }
}
