import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { baseToken } from '../api/asset.ts'
import type { Api } from '../api/client.ts'
import { isAddress, isPoolId } from '../chain/address.ts'
import { NoLogsError } from '../chain/airlock/launch-search.ts'
import { isModule } from '../chain/airlock/module-addresses.ts'
import type { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import { ApiError } from '../errors.ts'
import type { JobOutcome, Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { type Draft, type Drafts, StaleDraftError } from './draft.ts'
import type { Notices } from './notices.ts'
import {
  type Payload,
  type Payloads,
  payloadExpiresAt,
  type Report,
  reportsOf,
  withReportFirst,
} from './payload.ts'
import { logStep } from './step-log.ts'

interface WatchParts {
  queue: Queue
  drafts: Drafts
  payloads: Payloads
  notices: Notices
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  api: Pick<Api, 'asset'>
  log: Logger
  /** Unix seconds. */
  now: () => number
}

type Launched = Extract<Found, { kind: 'launched' }>

const kind = 'launch-watch'
const body = z.object({ payload: z.string() })
/** Seconds for which a payload is polled after it was revoked or expired: it can still be signed. */
const pollingAfterEnd = 7 * 86_400
/** Seconds after a hand-off in which signing is likely, and after a report in which mining is likely. */
const likelySeconds = 900
const maxTries = 5
/** Seconds for which a new report stays ahead of an older failed one: the node may not know it yet. */
const freshReportSeconds = 60

/** A poll's result: the updated payload and what was observed. */
export interface PollResult {
  payload: Payload
  observation: Observation
}

/** Polls every payload that was handed out until it is launched or long expired, and notifies about changes. */
export class Watch {
  readonly #parts: WatchParts

  constructor(parts: WatchParts) {
    this.#parts = parts
    parts.queue.handle(kind, async (job) => this.#run(body.parse(job).payload))
  }

  /** Starts polling a payload, unless it is polled already. */
  begin({ id }: Payload): Promise<void> {
    return this.#parts.queue.add({ key: jobKey(id), kind, body: { payload: id } })
  }

  /** Moves a payload's next poll to now. */
  pollSoon(id: string): Promise<void> {
    return this.#parts.queue.runNow({ kind, key: jobKey(id) })
  }

  /**
   * Polls a payload, and stores and notifies about what changed.
   * @throws NodeError or ApiError if that can't be checked
   */
  async poll(payload: Payload): Promise<PollResult> {
    const { nodes, api, notices } = this.#parts
    if (payload.state === 'launched') {
      return { payload, observation: { found: { kind: 'launched' }, unseen: [] } }
    }
    const observation = await observe(payload, { node: nodes.get(payload.chain), api })
    const { found } = observation
    if (found.kind === 'launched') {
      return { payload: await this.#launched(payload, found), observation }
    }
    const updated = await this.#storeObservation(payload, observation)
    if (found.kind === 'reverted') await notices.reverted(updated, found.hash)
    return { payload: updated, observation }
  }

  /** Stores the progress of the log search, and which of the reported transactions the chain knows. */
  async #storeObservation(payload: Payload, { found, unseen }: Observation): Promise<Payload> {
    const { payloads, now } = this.#parts
    const search = found.kind === 'stands' ? found.search : undefined
    const { reported } = payload
    const mayArrive = unseen.some(
      (each) => each === reported && !each.late && now() < each.at + freshReportSeconds,
    )
    const isFirst = found.kind === 'pending' || (found.kind === 'reverted' && !mayArrive)
    const hash = isFirst ? found.hash : undefined
    const isUpToDate = hash === undefined || (hash === reported?.hash && !reported.late)
    if (isSameSearch(search, payload.search) && isUpToDate) return payload
    if (!isUpToDate) this.#log(payload, found.kind)
    const noted = await payloads.change(payload.id, (each) => ({
      ...(hash === undefined ? each : withReportFirst(each, hash)),
      search,
    }))
    return noted ?? payload
  }

  /** Polls a payload, and returns it unchanged if that fails. */
  async refresh(payload: Payload): Promise<Payload> {
    return (await this.#tryPoll(payload)).payload
  }

  async #run(id: string): Promise<JobOutcome> {
    const { payloads, now } = this.#parts
    const payload = await payloads.find(id)
    if (!payload) return 'done'
    const { payload: polled, observation } = await this.#tryPoll(payload)
    if (polled.state === 'launched') {
      // Repeated in case the process was killed before it notified.
      await this.#notifyLaunched(polled)
      return 'done'
    }
    const ended = await this.#applyTime(polled, observation)
    if (ended.state !== 'active' && now() >= ended.updatedAt + pollingAfterEnd) return 'done'
    return { runAt: now() + secondsToNextPoll(ended, now()) }
  }

  /** Polls; after a failure the payload can still expire, and the next poll tries again. */
  async #tryPoll(payload: Payload): Promise<{ payload: Payload; observation?: Observation }> {
    try {
      return await this.poll(payload)
    } catch (error) {
      if (!(error instanceof NodeError) && !(error instanceof ApiError)) throw error
      this.#logFailure(payload, 'not looked at', error)
      return { payload }
    }
  }

  /** Applies what depends on time only: expiry, and an unused link. */
  async #applyTime(payload: Payload, observation: Observation | undefined): Promise<Payload> {
    const { payloads, notices, now } = this.#parts
    if (payload.state === 'active' && now() >= payloadExpiresAt(payload)) {
      const ended = await payloads.change(payload.id, (each) =>
        each.state === 'active' && now() >= payloadExpiresAt(each)
          ? { ...each, state: 'expired' }
          : undefined,
      )
      if (ended) {
        this.#log(ended, 'expired')
        return this.#applyTime(ended, observation)
      }
    }
    if (payload.state === 'expired') await notices.expired(payload)
    if (payload.state === 'active' && isUnusedLink(payload, observation, now()))
      await notices.silence(payload)
    return payload
  }

  async #launched(payload: Payload, { hash, pool: listed }: Launched): Promise<Payload> {
    const { payloads } = this.#parts
    const pool = listed ?? (hash && (await this.#pool(payload, hash)))
    const launched = await payloads.change(payload.id, (each) => ({
      ...each,
      state: 'launched',
      ...(hash !== undefined && { launchedBy: hash }),
      ...(pool !== undefined && { pool }),
      // Read now: the payload may have been revoked during the poll.
      ...((each.state === 'revoked' || each.state === 'expired') && { late: true }),
    }))
    if (!launched) return payload
    this.#log(launched, launched.late ? 'launched after its end' : 'launched')
    await this.#notifyLaunched(launched)
    return launched
  }

  #log({ id, draft }: Payload, outcome: string): void {
    logStep(this.#parts.log, { draft, payload: id, step: 'chain', outcome })
  }

  #logFailure({ id, draft }: Payload, outcome: string, err: unknown): void {
    logStep(this.#parts.log, { draft, payload: id, step: 'chain', outcome, err }, 'warn')
  }

  /** Returns the pool; undefined if the node doesn't say, since the launch is reported regardless. */
  async #pool(payload: Payload, hash: Hex): Promise<Hex | undefined> {
    const { chain, airlock, token } = payload
    const node = this.#parts.nodes.get(chain)
    if (!node || token === undefined) return undefined
    try {
      return await node.launchedPool(hash, { airlock, token })
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      this.#logFailure(payload, 'pool not read', error)
      return undefined
    }
  }

  async #notifyLaunched(payload: Payload): Promise<void> {
    const { payloads, notices } = this.#parts
    const draft = await this.#endDraft(payload.draft)
    // A draft launches once, so a second payload must not be signed as well.
    const other = await payloads.active(payload.draft)
    if (other) {
      await payloads.change(other.id, (each) => ({ ...each, state: 'revoked' }))
      this.#log(other, 'revoked: another payload was launched')
    }
    if (draft) await notices.launched(payload, draft)
  }

  async #endDraft(id: string): Promise<Draft | undefined> {
    const { drafts } = this.#parts
    for (let left = maxTries; ; left -= 1) {
      const draft = await drafts.find(id)
      if (!draft || draft.state === 'launched') return draft
      try {
        return await drafts.save({ ...draft, state: 'launched' })
      } catch (error) {
        if (!(error instanceof StaleDraftError) || left === 0) throw error
      }
    }
  }
}

function jobKey(id: string): string {
  return `launch-watch:${id}`
}

/**
 * Returns whether the link expired unused. A reported hash that the chain doesn't know doesn't count as use, since
 * anybody may have made it up.
 */
function isUnusedLink(
  { linkExpiresAt, reported }: Payload,
  observation: Observation | undefined,
  now: number,
): boolean {
  if (linkExpiresAt === undefined || linkExpiresAt > now) return false
  if (!reported || reported.late) return true
  return (
    observation?.found.kind === 'open' &&
    Math.min(reported.at, linkExpiresAt) + likelySeconds <= now
  )
}

function isSameSearch(one: Payload['search'], other: Payload['search']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the seconds until the next poll. */
function secondsToNextPoll(payload: Payload, now: number): number {
  const { passes = 0 } = payload.search ?? {}
  // A search takes many requests, and after several without a result those logs hardly hold the launch.
  if (passes > 3) return Math.min(3_600, 300 * passes)
  if (payload.reported && now < payload.reported.at + likelySeconds) return 5
  if (now < (payload.handedAt ?? payload.createdAt) + likelySeconds) return 10
  return payload.state === 'active' ? 60 : 300
}

/** The outcome of a payload. */
type Found =
  | { kind: 'launched'; hash?: Hex; pool?: Hex }
  /** A transaction that carries it waits for its block. */
  | { kind: 'pending'; hash: Hex }
  /** The token's address has code, but its launch log was not found yet. */
  | { kind: 'stands'; search: Search }
  /** The reported transaction failed, and nothing else launched it. */
  | { kind: 'reverted'; hash: Hex }
  | { kind: 'open' }

/** Progress of the log search. */
type Search = NonNullable<Payload['search']>

interface Observation {
  found: Found
  /** Reports whose outcome is unknown. */
  unseen: readonly Report[]
}

interface Sources {
  /** The node of the payload's chain. */
  node: ChainNode | undefined
  api: Pick<Api, 'asset'>
}

/**
 * Blocks by which the next search starts earlier after one without a result: a node may have reported a block number
 * too high.
 */
const stepBack = 10_000n

/**
 * Finds out whether a payload was launched, by anybody: on the chain, or from the API if there is no node.
 * @throws NodeError or ApiError if that can't be checked
 */
async function observe(payload: Payload, { node, api }: Sources): Promise<Observation> {
  const { token } = payload
  const reports = reportsOf(payload)
  if (token === undefined) return { found: notLaunched, unseen: reports }
  if (node) return observeOnChain(payload, token, node)
  const listed = await findListed(payload, token, api)
  return { found: listed ?? notLaunched, unseen: reports }
}

const notLaunched: Found = { kind: 'open' }

async function observeOnChain(
  payload: Payload,
  token: Address,
  node: ChainNode,
): Promise<Observation> {
  const { airlock, calldata } = payload
  const unseen: Report[] = []
  let sent: Found = notLaunched
  for (const report of reportsOf(payload)) {
    const { hash } = report
    const state = await node.receipt(hash, { token, airlock, calldata })
    if (state === 'launched') return { found: { kind: 'launched', hash }, unseen: [] }
    if (state === 'unknown') unseen.push(report)
    if (state === 'pending') sent = { kind: 'pending', hash }
    if (state === 'reverted' && sent.kind === 'open') sent = { kind: 'reverted', hash }
  }
  // Checking for code is one cheap request, a log search many; only a launch puts code there.
  return { found: (await node.hasCode(token)) ? await search(payload, token, node) : sent, unseen }
}

/** Returns the launch if the API lists the token under the payload's name and symbol. */
async function findListed(
  { chain, name, symbol }: Payload,
  token: Address,
  api: Sources['api'],
): Promise<Found | undefined> {
  try {
    const { value } = await api.asset(token, chain)
    const { token_name, token_symbol } = baseToken(value) ?? {}
    if (!isSameName(token_name, name) || !isSameName(token_symbol, symbol)) return undefined
    const { pool_id: id, pool_address: contract } = value.auction_pool ?? {}
    const pool = parsePool(id) ?? parsePool(contract)
    return { kind: 'launched', ...(pool !== undefined && { pool }) }
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return undefined
    throw error
  }
}

/** Parses a pool's address or its id of 32 bytes; undefined for anything else, and for an address that auctions share. */
function parsePool(text: string | undefined): Hex | undefined {
  if (text === undefined || !(isAddress(text) || isPoolId(text)) || isModule(text)) return undefined
  return `0x${text.slice(2)}`
}

/** Compares names; one that the API omits counts as equal. */
function isSameName(listed: string | undefined, own: string): boolean {
  return listed === undefined || listed.trim().normalize() === own.trim().normalize()
}

/**
 * Searches the next range of blocks for the launch log. If the whole range is searched in vain although the token
 * exists, a node lags or reported a wrong block: the search starts again, a little earlier.
 */
async function search(payload: Payload, token: Address, node: ChainNode): Promise<Found> {
  const { airlock, fromBlock, search: previous } = payload
  const floor = BigInt(previous?.floor ?? fromBlock ?? (await node.block()))
  const passes = previous?.passes ?? 0
  try {
    const {
      launch,
      next,
      head,
      reachedHead: whole,
    } = await node.findLaunch({
      token,
      airlock,
      fromBlock: previous ? BigInt(previous.next) : floor,
    })
    if (launch) return { kind: 'launched', hash: launch.hash }
    if (!whole) {
      return { kind: 'stands', search: { floor: String(floor), next: String(next), passes } }
    }
    const earliest = floor < head ? floor : head
    const earlier = String(earliest > stepBack ? earliest - stepBack : 0n)
    return { kind: 'stands', search: { floor: earlier, next: earlier, passes: passes + 1 } }
  } catch (error) {
    // Some nodes serve no logs, but the token exists.
    if (error instanceof NoLogsError) return { kind: 'launched' }
    throw error
  }
}
