import { LRUCache } from 'lru-cache'
import { isAddressEqual } from 'viem'
import { chainById, tokenUrl } from '../chain/chains.ts'
import type { ChainNode, ReceiptState } from '../chain/node.ts'
import { NodeError } from '../chain/node-error.ts'
import type { Attachment } from '../chat/view.ts'
import type { Logger } from '../log.ts'
import type { Rehearsal } from './check.ts'
import type { Notices } from './notices.ts'
import type { Payload } from './payload.ts'
import { linkWorks, type Payloads } from './payloads.ts'
import type { Pictures } from './pictures.ts'
import { decodedOf, rehearsePayload, storedRehearsal } from './rehearsal.ts'
import { isFull, reportsOf, travelsUntil, withReport } from './reports.ts'
import { asksOf, signingAccount, withSigner } from './signers.ts'
import type { ClosedRequest, SigningDesk, SigningProgress, SigningRequest } from './signing.ts'
import type { Watch } from './watch.ts'

export interface DeskParts {
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
export class Desk implements SigningDesk {
  readonly #parts: DeskParts
  readonly #rehearsals = new LRUCache<string, Promise<Rehearsed>>({
    max: 1000,
    ttl: rehearsalKept,
  })
  readonly #receipts = new LRUCache<string, Promise<ReceiptState>>({ max: 1000, ttl: receiptKept })

  constructor(parts: DeskParts) {
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
