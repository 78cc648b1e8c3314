import { LRUCache } from 'lru-cache'
import { getAddress } from 'viem/utils'
import { isAddress } from './address.ts'
import { chainById, knownDecimals } from './chains.ts'
import type { ChainNode } from './node.ts'

/** Looks up the decimals of a token; undefined if nobody knows them. Never rejects. */
export type TokenDecimals = (chain: number, token: string) => Promise<number | undefined>

/** Options of `tokenDecimals`. */
export interface TokenDecimalsOptions {
  /** Nodes by chain id. Decimals of tokens that are not well known can be looked up on these chains only. */
  nodes: ReadonlyMap<number, Pick<ChainNode, 'tokenFacts'>>
  /** Monotonic clock in milliseconds. */
  now?: () => number
  /** Milliseconds that a lookup waits for the node; 1,500 by default. A later answer is cached for the next lookup. */
  patienceMs?: number
}

const maxCached = 5000
/** Milliseconds until a failed lookup is retried. */
const retryMs = 60_000

/**
 * Makes a lookup of token decimals: well-known tokens from the table, others from the chain, cached because they never
 * change.
 * @example
 * const decimalsOf = tokenDecimals({ nodes })
 * await decimalsOf(8453, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913') // 6
 */
export function tokenDecimals({
  nodes,
  now = () => performance.now(),
  patienceMs = 1500,
}: TokenDecimalsOptions): TokenDecimals {
  const cache = new LRUCache<string, { decimals: number | undefined }>({
    max: maxCached,
    perf: { now },
    ttlResolution: 0,
    ttl: Number.MAX_SAFE_INTEGER,
    fetchMethod: async (key, _, { options }) => {
      const decimals = await fetchDecimals(key)
      if (decimals === undefined) options.ttl = retryMs
      return { decimals }
    },
    ignoreFetchAbort: true,
  })

  async function fetchDecimals(key: string): Promise<number | undefined> {
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
    const fetched = cache.forceFetch(`${chain} ${token.toLowerCase()}`)
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs)
    })
    const answer = await Promise.race([fetched, timeout])
    clearTimeout(timer)
    return answer?.decimals
  }
}
