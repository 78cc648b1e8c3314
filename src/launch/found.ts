import type { Address, Hex } from 'viem'
import type { Api } from '../api/client.ts'
import type { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/node-error.ts'
import { ApiError } from '../errors.ts'
import type { Payload } from './payload.ts'

/** What became of a payload, as far as can be seen. `next` is where the search goes on that is not at its end. */
export type Found =
  | { kind: 'launched'; hash?: Hex }
  /** The transaction that was reported failed, and nothing else launched it. */
  | { kind: 'reverted'; hash: Hex }
  | { kind: 'open'; next?: bigint }

export interface Witnesses {
  /** Of the payload's chain. */
  node: ChainNode | undefined
  api: Pick<Api, 'asset'>
}

/**
 * Whether a payload was launched, by whomever: asked of the chain, or of the interface where there is no node.
 * @throws NodeError or ApiError where that can't be told
 */
export async function lookFor(payload: Payload, { node, api }: Witnesses): Promise<Found> {
  const { token, airlock, reported } = payload
  if (token === undefined) return open
  const launch = { token, airlock }
  if (!node) return (await isListed(payload.chain, token, api)) ? { kind: 'launched' } : open
  const state = reported && (await node.receipt(reported.hash, launch))
  if (reported && state === 'launched') return { kind: 'launched', hash: reported.hash }
  // One cheap question instead of a search through the logs: only a launch puts a contract there.
  if (await node.hasCode(token)) return search(launch, payload.fromBlock, node)
  return reported && state === 'reverted' ? { kind: 'reverted', hash: reported.hash } : open
}

const open: Found = { kind: 'open' }

async function isListed(chain: number, token: Address, api: Witnesses['api']): Promise<boolean> {
  try {
    await api.asset(token, chain)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return false
    throw error
  }
}

async function search(
  launch: { token: Address; airlock: Address },
  fromBlock: string | undefined,
  node: ChainNode,
): Promise<Found> {
  if (fromBlock === undefined) return { kind: 'launched' }
  try {
    const found = await node.findLaunch({ ...launch, fromBlock: BigInt(fromBlock) })
    return found.launch
      ? { kind: 'launched', hash: found.launch.hash }
      : { kind: 'open', next: found.next }
  } catch (error) {
    // Some nodes give no logs; the token is there all the same.
    if (error instanceof NodeError) return { kind: 'launched' }
    throw error
  }
}
