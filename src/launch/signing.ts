import { LRUCache } from 'lru-cache'
import { isAddressEqual } from 'viem'
import { chainById, tokenUrl } from '../chain/chains.ts'
import type { ChainNode, ReceiptState } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import type { Attachment } from '../core/view.ts'
import type { Logger } from '../log.ts'
import type { Check, Rehearsal } from './check.ts'
import type { Pictures } from './images.ts'
import type { Notices } from './notices.ts'
import { linkWorks, type Payload, type Payloads } from './payload.ts'
import { isFull, reportsOf, travelsUntil, withReport } from './reports.ts'
import { decodedOf, rehearsePayload, storedRehearsal } from './verify.ts'
import type { Watch } from './watch.ts'

/** What the signing page gets to show, and to check anew in the browser. All hex is lower case but addresses. */
export interface SigningRequest {
  state: 'open'
  chain: {
    id: number
    name: string
    coin: string
    explorer?: string
    /** A public RPC URL for a wallet that does not know the chain. */
    rpcUrl?: string
  }
  to: `0x${string}`
  data: `0x${string}`
  digest: `0x${string}`
  /** The account of the draft, that is expected to sign. */
  wallet: `0x${string}`
  /** Where the token will stand, where that is known. */
  token?: `0x${string}`
  name: string
  symbol: string
  uri: string
  /** Whether `GET …/picture` has it. */
  picture: boolean
  /** Wei that go with the transaction, as a decimal text. */
  value: string
  verified: boolean
  /** What the check found: with the data themselves the page makes the same table from it as the chat. */
  check?: Check
  /** Gas in decimal units of gas; without an RPC it was not simulated. */
  simulation:
    | { kind: 'passed'; gas: string }
    | { kind: 'failed'; reason: string }
    | { kind: 'none' }
  /** Unix seconds. */
  expiresAt: number
  progress: SigningProgress
}

/** A link that can no longer be used. */
export interface ClosedRequest {
  state: 'expired' | 'revoked' | 'launched'
  /** Of a launched token. */
  token?: `0x${string}`
  explorer?: string
}

/** Another account than the draft's that wants to sign, and what the launcher says of it. */
export interface SigningAccount {
  account: `0x${string}`
  /**
   * `asked`: the launcher was asked in the private chat. `waiting`: too many were asked about already; the launcher sees
   * it under /launches.
   */
  state: 'asked' | 'waiting' | 'allowed' | 'refused'
  /** Unix seconds from which the launcher can be asked once more about a refused one; absent: not again. */
  askAgainAt?: number
}

export interface SigningProgress {
  /** All that asked through this payload; the desk keeps only so many. Absent: none did. */
  signers?: readonly SigningAccount[]
  /** The transaction that was reported, as far as the bot's own node knows. */
  transaction?: { hash: `0x${string}`; state: 'unknown' | 'pending' | 'reverted' | 'launched' }
  launched: boolean
}

/** All that the signing page can do; each call names the token of the link. Undefined where there is no such link. */
export interface SigningDesk {
  open(token: string): Promise<SigningRequest | ClosedRequest | undefined>
  progress(token: string): Promise<SigningProgress | ClosedRequest | undefined>
  picture(token: string): Promise<Attachment | ClosedRequest | undefined>
  /** An account wants to sign; another one than the draft's makes the chat ask the launcher, a refused one again. */
  claim(token: string, account: `0x${string}`): Promise<SigningProgress | ClosedRequest | undefined>
  /** The wallet gave this hash. */
  report(
    token: string,
    sent: { account: `0x${string}`; hash: `0x${string}` },
  ): Promise<SigningProgress | ClosedRequest | undefined>
}

interface SigningServiceParts {
  payloads: Payloads
  pictures: Pictures
  notices: Notices
  watch: Watch
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  /** RPC URLs by chain id that anybody may see: a wallet that lacks the chain is told of them. */
  publicRpcUrls: ReadonlyMap<number, string>
  log: Logger
  /** Unix seconds. */
  now: () => number
}

interface Rehearsed {
  simulation: SigningRequest['simulation']
  rehearsal?: Rehearsal
}
type Address = `0x${string}`

/** Milliseconds for which page loads share one rehearsal, and polls one look at a transaction. */
const rehearsalKept = 10_000
const receiptKept = 2_000
/** Seconds after the end of a link for which a page that was open may still report a hash that the node doesn't know. */
const latest = 3_600

/** What the signing page is served from. Only the link's own payload can be read, and nothing to be signed is taken in. */
export class SigningService implements SigningDesk {
  readonly #parts: SigningServiceParts
  readonly #rehearsals = new LRUCache<string, Promise<Rehearsed>>({
    max: 1000,
    ttl: rehearsalKept,
  })
  readonly #receipts = new LRUCache<string, Promise<ReceiptState>>({ max: 1000, ttl: receiptKept })

  constructor(parts: SigningServiceParts) {
    this.#parts = parts
  }

  async open(token: string): Promise<SigningRequest | ClosedRequest | undefined> {
    const payload = await this.#parts.payloads.findByLink(token)
    if (!payload) return undefined
    return this.#closed(payload) ?? this.#request(payload)
  }

  async progress(token: string): Promise<SigningProgress | ClosedRequest | undefined> {
    const payload = await this.#parts.payloads.findByLink(token)
    if (!payload) return undefined
    const progress = await this.#progress(payload)
    // Who has sent something wants to know what became of it, also when the link has ended meanwhile.
    const waits = progress.launched || progress.transaction
    return (waits ? undefined : this.#closed(payload)) ?? progress
  }

  async picture(token: string): Promise<Attachment | ClosedRequest | undefined> {
    const payload = await this.#parts.payloads.findByLink(token)
    const closed = payload && this.#closed(payload)
    if (closed) return closed
    const cid = payload?.picture
    const picture = cid === undefined ? undefined : await this.#parts.pictures.find(cid)
    return picture && { name: 'picture.webp', type: picture.type, bytes: picture.bytes }
  }

  async claim(
    token: string,
    account: Address,
  ): Promise<SigningProgress | ClosedRequest | undefined> {
    const { payloads, notices, now } = this.#parts
    const payload = await payloads.findByLink(token)
    if (!payload) return undefined
    const closed = this.#closed(payload)
    if (closed) return closed
    if (isAddressEqual(account, payload.wallet)) return this.#progress(payload)
    const claimed = await payloads.change(payload.id, (each) =>
      linkWorks(each, now()) ? withSigner(each, account, now()) : undefined,
    )
    if (!claimed) return this.#closed((await payloads.find(payload.id)) ?? payload)
    const signer = claimed.signers.at(-1)
    if (signer && signer.allowed === undefined && !signer.quiet) {
      await notices.signer(claimed, signer.account, asksOf(signer))
    }
    return this.#progress(claimed)
  }

  async report(
    token: string,
    sent: { account: Address; hash: `0x${string}` },
  ): Promise<SigningProgress | ClosedRequest | undefined> {
    const { payloads, watch, now } = this.#parts
    const payload = await payloads.findByLink(token)
    if (!payload) return undefined
    const known = isFull(payload) ? await this.#known(payload) : undefined
    const isSeen = (await this.#transaction(payload, sent.hash)) !== 'unknown'
    // What was sent stays sent, also when the link has ended meanwhile: but then only what the node knows counts.
    await payloads.change(payload.id, (each) => {
      const late = !isSeen && !linkWorks(each, now())
      const isTooLate = late && now() >= (each.linkExpiresAt ?? 0) + latest
      if (each.state === 'launched' || isTooLate) return undefined
      const report = { ...sent, at: now(), ...(late && { late }) }
      return withReport(each, report, (hash) => known?.has(hash) ?? false)
    })
    await watch.hasten(payload.id)
    return this.progress(token)
  }

  #closed(payload: Payload): ClosedRequest | undefined {
    if (linkWorks(payload, this.#parts.now())) return undefined
    const { token } = payload
    if (payload.state !== 'launched') {
      return { state: payload.state === 'revoked' ? 'revoked' : 'expired' }
    }
    const explorer = token === undefined ? undefined : tokenUrl(chainById(payload.chain), token)
    return {
      state: 'launched',
      ...(token !== undefined && { token }),
      ...(explorer !== undefined && { explorer }),
    }
  }

  async #request(payload: Payload): Promise<SigningRequest> {
    const { id, name, coin, explorer } = chainById(payload.chain)
    const rpcUrl = this.#parts.publicRpcUrls.get(id)
    const { simulation, rehearsal } = await this.#rehearsal(payload)
    const { check } = payload
    return {
      state: 'open',
      chain: {
        id,
        name,
        coin,
        ...(explorer !== undefined && { explorer }),
        ...(rpcUrl !== undefined && { rpcUrl }),
      },
      to: payload.to,
      data: payload.calldata,
      digest: payload.digest,
      wallet: payload.wallet,
      ...(payload.token !== undefined && { token: payload.token }),
      name: payload.name,
      symbol: payload.symbol,
      uri: payload.uri,
      picture: payload.picture !== undefined,
      value: payload.value,
      verified: payload.verified,
      ...(check && { check: rehearsal ? { ...check, rehearsal } : check }),
      simulation,
      expiresAt: payload.linkExpiresAt ?? this.#parts.now(),
      progress: await this.#progress(payload),
    }
  }

  async #progress(payload: Payload): Promise<SigningProgress> {
    const { reported, launchedBy, signers } = payload
    const launched = payload.state === 'launched'
    const hash = launchedBy ?? reported?.hash
    const transaction: SigningProgress['transaction'] =
      launched && hash !== undefined ? { hash, state: 'launched' } : await this.#awaited(payload)
    return {
      ...(signers.length > 0 && { signers: signers.map(signingAccount) }),
      ...(transaction && { transaction }),
      launched,
    }
  }

  /** The reported transaction, unless nobody knows it though it should long have come: other pages then go on. */
  async #awaited(payload: Payload): Promise<SigningProgress['transaction']> {
    const { reported } = payload
    if (!reported) return undefined
    const { hash } = reported
    const state = await this.#transaction(payload, hash)
    const mayCome = this.#parts.now() < travelsUntil(reported)
    return state === 'unknown' && !mayCome ? undefined : { hash, state }
  }

  /** Those of the reported transactions that the chain knows. */
  async #known(payload: Payload): Promise<ReadonlySet<string>> {
    const looked = reportsOf(payload).map(async ({ hash }) => {
      const state = await this.#transaction(payload, hash)
      return state === 'unknown' ? [] : [hash]
    })
    return new Set((await Promise.all(looked)).flat())
  }

  async #transaction(
    { id, chain, airlock, token, calldata }: Payload,
    hash: `0x${string}`,
  ): Promise<'unknown' | 'pending' | 'reverted' | 'launched'> {
    const node = this.#parts.nodes.get(chain)
    if (!node || token === undefined) return 'unknown'
    const key = `${id} ${hash}`
    const asked = this.#receipts.get(key) ?? node.receipt(hash, { airlock, token, calldata })
    this.#receipts.set(key, asked, { noUpdateTTL: true })
    try {
      const state = await asked
      return state === 'no-launch' ? 'unknown' : state
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'a transaction could not be looked at')
      return 'unknown'
    }
  }

  #rehearsal(payload: Payload): Promise<Rehearsed> {
    const known = this.#rehearsals.get(payload.id)
    if (known) return known
    const fresh = this.#rehearse(payload)
    this.#rehearsals.set(payload.id, fresh)
    return fresh
  }

  /** Rehearses the payload anew: what the chain would do with it may have changed since it was built. */
  async #rehearse(payload: Payload): Promise<Rehearsed> {
    const node = this.#parts.nodes.get(payload.chain)
    const decoded = decodedOf(payload)
    if (!node || !decoded) return { simulation: { kind: 'none' } }
    try {
      const outcome = await rehearsePayload(node, payload, decoded)
      if (outcome.kind === 'refused') {
        return { simulation: { kind: 'failed', reason: outcome.reason } }
      }
      const { gas, rehearsed } = outcome
      return {
        simulation: { kind: 'passed', gas: String(gas) },
        ...(rehearsed && { rehearsal: storedRehearsal(rehearsed, payload.wallet) }),
      }
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      this.#parts.log.warn({ err: error }, 'a payload could not be rehearsed')
      return { simulation: { kind: 'none' } }
    }
  }
}

type Signer = Payload['signers'][number]

/** Whoever has the link can make up accounts: so many are told of by a message, and so many more wait to be looked at. */
const maxTold = 5
const maxWaiting = 5
/** How often the launcher is asked about one account, which may have been refused by mistake, and seconds between. */
const maxAsks = 3
const askPause = 60

/**
 * The one that claimed last stands last, with what the launcher said of it before; one that was refused is asked about
 * once more where it may be. Where too many wait, the oldest goes of those that no message told of: a message that was
 * sent can still be answered.
 */
function withSigner(payload: Payload, account: `0x${string}`, now: number): Payload {
  const known = payload.signers.find((each) => isAddressEqual(each.account, account))
  const others = payload.signers.filter((each) => each !== known)
  if (known) return { ...payload, signers: [...others, askedAgain(known, now)] }
  const quiet = others.filter((each) => !each.quiet).length >= maxTold
  const waiting = others.filter((each) => each.quiet && each.allowed === undefined)
  const dropped = waiting.length < maxWaiting ? undefined : waiting[0]
  const signer = { account, askedAt: now, ...(quiet && { quiet }) }
  return { ...payload, signers: [...others.filter((each) => each !== dropped), signer] }
}

/** How often the launcher was asked about it. */
function asksOf({ asks = 1 }: Signer): number {
  return asks
}

/** What the signing page is told of an account. */
function signingAccount(signer: Signer): SigningAccount {
  const { account, allowed, quiet } = signer
  if (allowed) return { account, state: 'allowed' }
  if (allowed === undefined) return { account, state: quiet ? 'waiting' : 'asked' }
  const again = againAt(signer)
  return { account, state: 'refused', ...(again !== undefined && { askAgainAt: again }) }
}

function askedAgain(signer: Signer, now: number): Signer {
  const again = againAt(signer)
  if (signer.allowed !== false || again === undefined || now < again) return signer
  const { account, quiet } = signer
  return { account, askedAt: now, asks: asksOf(signer) + 1, ...(quiet && { quiet }) }
}

/** Unix seconds from which it can be asked about once more; undefined: it can't. */
function againAt(signer: Signer): number | undefined {
  return asksOf(signer) < maxAsks ? (signer.askedAt ?? 0) + askPause : undefined
}
