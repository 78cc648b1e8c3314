import { LRUCache } from 'lru-cache'
import { type Address, isAddressEqual } from 'viem'
import { type ClaimableFees, feePayers, laterFeePayers } from '../chain/airlock/fees.ts'
import { decodePayload } from '../chain/airlock/modules.ts'
import type { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import { withTimeout } from '../core/task.ts'
import type { Drafts } from './draft.ts'
import type { Payload } from './payload.ts'
import { bookOf } from './verdict.ts'

/** Trading fees of a launched token that wait for its creator. */
export interface CreatorFees {
  quote: { symbol: string; decimals: number }
  /** By payer, and by the creator's account that has to collect them. */
  parts: readonly (ClaimableFees & { account: Address })[]
}

/**
 * Reads the fees that wait for a launch's creator; undefined if they can't be known soon: there is no node, it can't simulate, or the
 * creator has no share.
 */
export type FeesReader = (payload: Payload) => Promise<CreatorFees | undefined>

interface FeesReaderParts {
  drafts: Drafts
  /** By chain id. */
  nodes: ReadonlyMap<number, Pick<ChainNode, 'claimableFees' | 'callAll'>>
  /** Unix seconds. */
  now: () => number
}

const maxCached = 1_000
/** Milliseconds for which an answer is shown again, also that there is none. */
const cachedMs = 60_000
/** Milliseconds to wait for the node, after which the fees are left out. A later answer is shown the next time. */
const patienceMs = 2_000

/** Makes a reader that asks the chain's node at most once a minute for each launch. */
export function feesReader({ drafts, nodes, now }: FeesReaderParts): FeesReader {
  const cache = new LRUCache<string, { fees: CreatorFees | undefined }, Payload>({
    max: maxCached,
    perf: { now: () => now() * 1_000 },
    ttlResolution: 0,
    ttl: cachedMs,
    fetchMethod: async (_key, _stale, { context }) => ({ fees: await read(context) }),
    ignoreFetchAbort: true,
  })

  async function read({
    token,
    pool,
    calldata,
    check,
    wallet,
    chain,
    draft: draftId,
  }: Payload): Promise<CreatorFees | undefined> {
    const node = nodes.get(chain)
    const { symbol, decimals } = check?.quote ?? {}
    if (!node || !token || !check || symbol === undefined || decimals === undefined) {
      return undefined
    }
    const decoded = decodePayload(calldata, bookOf(check))
    if (!decoded.call) return undefined
    const quote = decoded.call.params.numeraire
    const { feeReceiver } = (await drafts.find(draftId))?.answers ?? {}
    const isOther = feeReceiver && !isAddressEqual(feeReceiver, wallet)
    const parts = await Promise.all(
      [wallet, ...(isOther ? [feeReceiver] : [])].map(async (account) => {
        const now = pool ? feePayers(decoded, { account, token, pool }) : []
        const payers =
          now.length > 0 ? now : await laterFeePayers(node, decoded, { account, token })
        if (payers.length === 0) return []
        const fees = await node.claimableFees({ account, token, quote, payers })
        return fees?.map((each) => ({ account, ...each }))
      }),
    ).catch(undefinedIfNoAnswer)
    const known = parts?.flatMap((each) => each ?? []) ?? []
    const isComplete = parts?.every((each) => each !== undefined) && known.length > 0
    return isComplete ? { quote: { symbol, decimals }, parts: known } : undefined
  }

  return async (payload) => {
    const found = cache.forceFetch(payload.id, { context: payload })
    return (await withTimeout(found, patienceMs))?.fees
  }
}

function undefinedIfNoAnswer(error: unknown): undefined {
  if (!(error instanceof NodeError)) throw error
}
