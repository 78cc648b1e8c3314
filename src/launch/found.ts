import type { Address, Hex } from 'viem'
import type { Api } from '../api/client.ts'
import { baseToken } from '../api/figures.ts'
import { isAddress, isPoolId } from '../chain/address.ts'
import { NoLogsError } from '../chain/airlock/search.ts'
import type { ChainNode } from '../chain/node.ts'
import { ApiError } from '../errors.ts'
import type { Payload } from './payload.ts'
import { type Report, reportsOf } from './reports.ts'

/** What became of a payload. */
export type Found =
  | { kind: 'launched'; hash?: Hex; pool?: Hex }
  /** A transaction that carries it waits for its block. */
  | { kind: 'pending'; hash: Hex }
  /** A contract stands where the token should, but no log of its launch was found so far. */
  | { kind: 'stands'; search: Search }
  /** The transaction that was reported failed, and nothing else launched it. */
  | { kind: 'reverted'; hash: Hex }
  | { kind: 'open' }

/** How far the logs were searched. */
export type Search = NonNullable<Payload['search']>

export interface Seen {
  found: Found
  /** The reports of which nobody here can tell what became. */
  unseen: readonly Report[]
}

export interface Witnesses {
  /** Of the payload's chain. */
  node: ChainNode | undefined
  api: Pick<Api, 'asset'>
}

/** Blocks by which a fruitless search begins earlier the next time: a node may have named a block that was yet to come. */
const stepBack = 10_000n

/**
 * Whether a payload was launched, by whomever: asked of the chain, or of the interface where there is no node.
 * @throws NodeError or ApiError where that can't be told
 */
export async function lookFor(payload: Payload, { node, api }: Witnesses): Promise<Seen> {
  const { token } = payload
  const reports = reportsOf(payload)
  if (token === undefined) return { found: open, unseen: reports }
  if (node) return lookOnChain(payload, token, node)
  const listed = await findListed(payload, token, api)
  return { found: listed ?? open, unseen: reports }
}

const open: Found = { kind: 'open' }

async function lookOnChain(payload: Payload, token: Address, node: ChainNode): Promise<Seen> {
  const { airlock, calldata } = payload
  const unseen: Report[] = []
  let sent: Found = open
  for (const report of reportsOf(payload)) {
    const { hash } = report
    const state = await node.receipt(hash, { token, airlock, calldata })
    if (state === 'launched') return { found: { kind: 'launched', hash }, unseen: [] }
    if (state === 'unknown') unseen.push(report)
    if (state === 'pending') sent = { kind: 'pending', hash }
    if (state === 'reverted' && sent.kind === 'open') sent = { kind: 'reverted', hash }
  }
  // One cheap question instead of a search through the logs: only a launch puts a contract there.
  return { found: (await node.hasCode(token)) ? await search(payload, token, node) : sent, unseen }
}

/** The launch where the interface lists the token, under the name and symbol of the payload. */
async function findListed(
  { chain, name, symbol }: Payload,
  token: Address,
  api: Witnesses['api'],
): Promise<Found | undefined> {
  try {
    const { value } = await api.asset(token, chain)
    const { token_name, token_symbol } = baseToken(value) ?? {}
    if (!isSame(token_name, name) || !isSame(token_symbol, symbol)) return undefined
    const { pool_id: id, pool_address: contract } = value.auction_pool ?? {}
    const pool = parsePool(id) ?? parsePool(contract)
    return { kind: 'launched', ...(pool !== undefined && { pool }) }
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return undefined
    throw error
  }
}

/** What is written as neither an address nor an id is no pool. */
function parsePool(text: string | undefined): Hex | undefined {
  if (text === undefined || !(isAddress(text) || isPoolId(text))) return undefined
  return `0x${text.slice(2)}`
}

/** What the interface leaves out contradicts nothing. */
function isSame(listed: string | undefined, own: string): boolean {
  return listed === undefined || listed.trim().normalize() === own.trim().normalize()
}

/**
 * One part of the way from the first block in which the launch can stand to the last. Where all of it was searched in
 * vain, though the token is there, some node was wrong about a block, or lags: it begins again, a little earlier.
 */
async function search(payload: Payload, token: Address, node: ChainNode): Promise<Found> {
  const { airlock, fromBlock, search: before } = payload
  const floor = BigInt(before?.floor ?? fromBlock ?? (await node.block()))
  const passes = before?.passes ?? 0
  try {
    const { launch, next, head, whole } = await node.findLaunch({
      token,
      airlock,
      fromBlock: before ? BigInt(before.next) : floor,
    })
    if (launch) return { kind: 'launched', hash: launch.hash }
    if (!whole) {
      return { kind: 'stands', search: { floor: String(floor), next: String(next), passes } }
    }
    const earliest = floor < head ? floor : head
    const earlier = String(earliest > stepBack ? earliest - stepBack : 0n)
    return { kind: 'stands', search: { floor: earlier, next: earlier, passes: passes + 1 } }
  } catch (error) {
    // Some nodes give no logs; the token is there all the same.
    if (error instanceof NoLogsError) return { kind: 'launched' }
    throw error
  }
}
