import { LRUCache } from 'lru-cache'
import { isAddressEqual } from 'viem'
import { chainById, tokenUrl } from '../chain/chains.ts'
import type { ChainNode, ReceiptState } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import type { Attachment } from '../core/view.ts'
import type { Logger } from '../log.ts'
import { decodedOf, rehearsePayload, storedRehearsal } from './check-built.ts'
import type { Drafts } from './draft.ts'
import { pictureName } from './image.ts'
import type { NoticeAdapters, Notices } from './notices.ts'
import {
  isReportListFull,
  linkWorks,
  mayArriveUntil,
  type Payload,
  type Payloads,
  reportsOf,
  withReport,
} from './payload.ts'
import type { Pictures } from './pictures.ts'
import type {
  Address,
  ChatLink,
  ClosedRequest,
  Report,
  SigningAccount,
  SigningProgress,
  SigningRequest,
} from './signing-wire.ts'
import { logStep } from './step-log.ts'
import type { Rehearsal } from './verdict.ts'
import type { Watch } from './watch.ts'

interface SigningServiceParts {
  drafts: Pick<Drafts, 'find'>
  adapters: NoticeAdapters
  payloads: Payloads
  pictures: Pictures
  notices: Notices
  watch: Watch
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  /** Public RPC URLs by chain id, given to wallets that lack the chain. */
  publicRpcUrls: ReadonlyMap<number, string>
  log: Logger
  /** Unix seconds. */
  now: () => number
}

interface Rehearsed {
  simulation: SigningRequest['simulation']
  rehearsal?: Rehearsal
}

/** Milliseconds for which page loads share one rehearsal, and polls one receipt. */
const rehearsalTtl = 10_000
const receiptTtl = 2_000
/** Reported transactions of a payload that are logged. */
const maxLoggedReports = 10
/** Seconds after a link's expiry for which an open page may still report a hash that the node doesn't know. */
const lateReportWindow = 3_600

/**
 * Serves the signing page. Each method takes the token of a link, and returns undefined if there is no such link. A link
 * gives access to its own payload only, and nothing that is to be signed comes from the page.
 */
export class SigningService {
  readonly #parts: SigningServiceParts
  readonly #rehearsals = new LRUCache<string, Promise<Rehearsed>>({
    max: 1000,
    ttl: rehearsalTtl,
  })
  readonly #opened = new LRUCache<string, true>({ max: 1000 })
  readonly #receipts = new LRUCache<string, Promise<ReceiptState>>({ max: 1000, ttl: receiptTtl })

  constructor(parts: SigningServiceParts) {
    this.#parts = parts
  }

  async open(token: string): Promise<SigningRequest | ClosedRequest | undefined> {
    const payload = await this.#parts.payloads.findByLink(token)
    if (!payload) return undefined
    const closed = await this.#closed(payload)
    this.#logOpened(payload, closed?.state ?? 'open')
    return closed ?? this.#request(payload)
  }

  /** Logs how a page was found when it was opened, once for each of its states: anybody can open it again and again. */
  #logOpened({ id, draft }: Payload, state: string): void {
    const key = `${id} ${state}`
    if (this.#opened.has(key)) return
    this.#opened.set(key, true)
    logStep(this.#parts.log, { draft, payload: id, step: 'page', outcome: `opened: ${state}` })
  }

  async progress(token: string): Promise<SigningProgress | ClosedRequest | undefined> {
    const payload = await this.#parts.payloads.findByLink(token)
    if (!payload) return undefined
    const progress = await this.#progress(payload)
    // A sender sees the outcome even if the link has expired since.
    const waits = progress.launched || progress.transaction
    return (waits ? undefined : await this.#closed(payload)) ?? progress
  }

  async picture(token: string): Promise<Attachment | ClosedRequest | undefined> {
    const payload = await this.#parts.payloads.findByLink(token)
    const closed = payload && (await this.#closed(payload))
    if (closed) return closed
    const cid = payload?.picture
    const picture = cid === undefined ? undefined : await this.#parts.pictures.find(cid)
    return picture && { name: pictureName(picture), type: picture.type, bytes: picture.bytes }
  }

  /**
   * Requests permission to sign with an account. If it isn't the draft's, the creator is asked in the chat, and again
   * after a refusal.
   */
  async claim(
    token: string,
    account: Address,
  ): Promise<SigningProgress | ClosedRequest | undefined> {
    const { payloads, notices, now } = this.#parts
    const payload = await payloads.findByLink(token)
    if (!payload) return undefined
    const closed = await this.#closed(payload)
    if (closed) return closed
    if (isAddressEqual(account, payload.wallet)) return this.#progress(payload)
    const claimed = await payloads.change(payload.id, (each) =>
      linkWorks(each, now()) ? withSigner(each, account, now()) : undefined,
    )
    if (!claimed) return this.#closed((await payloads.find(payload.id)) ?? payload)
    const signer = claimed.signers.at(-1)
    if (signer && signer.allowed === undefined && !signer.quiet) {
      const { log } = this.#parts
      logStep(log, { draft: claimed.draft, payload: claimed.id, step: 'signer', outcome: 'asked' })
      await notices.signer(claimed, signer.account, timesAsked(signer))
    }
    return this.#progress(claimed)
  }

  /** Stores the hash that the wallet returned, and looks for the launch at once. */
  async report(token: string, sent: Report): Promise<SigningProgress | ClosedRequest | undefined> {
    const { payloads, watch, now } = this.#parts
    const payload = await payloads.findByLink(token)
    if (!payload) return undefined
    const knownHashes = isReportListFull(payload) ? await this.#knownHashes(payload) : undefined
    const isSeen = (await this.#transaction(payload, sent.hash)) !== 'unknown'
    // A transaction stays valid after the link expires, but then only one that the node knows is shown first.
    const reported = await payloads.change(payload.id, (each) => {
      const late = !isSeen && !linkWorks(each, now())
      const isTooLate = late && now() >= (each.linkExpiresAt ?? 0) + lateReportWindow
      if (each.state === 'launched' || isTooLate) return undefined
      const report = { ...sent, at: now(), ...(late && { late }) }
      return withReport(each, report, (hash) => knownHashes?.has(hash) ?? false)
    })
    const { id, draft } = payload
    const outcome = isSeen ? 'reported, and the node knows it' : 'reported'
    // Anybody with the link can make some up.
    if (reported && reported.reports <= maxLoggedReports) {
      logStep(this.#parts.log, { draft, payload: id, step: 'transaction', outcome })
    }
    await watch.pollSoon(payload.id)
    return this.progress(token)
  }

  async #closed(payload: Payload): Promise<ClosedRequest | undefined> {
    if (linkWorks(payload, this.#parts.now())) return undefined
    const { token } = payload
    const chat = await this.#chat(payload)
    if (payload.state !== 'launched') {
      const state = payload.state === 'revoked' ? 'revoked' : 'expired'
      return { state, ...(chat && { chat }) }
    }
    const explorer = token === undefined ? undefined : tokenUrl(chainById(payload.chain), token)
    return {
      state: 'launched',
      ...(token !== undefined && { token }),
      ...(explorer !== undefined && { explorer }),
      ...(chat && { chat }),
    }
  }

  /** The chat in which the launch was prepared. */
  async #chat({ draft }: Payload): Promise<ChatLink | undefined> {
    const { drafts, adapters } = this.#parts
    const { platform } = (await drafts.find(draft)) ?? {}
    const url = platform && adapters[platform]?.chatUrl
    if (!platform || url === undefined) return undefined
    return { platform: platform.charAt(0).toUpperCase() + platform.slice(1), url }
  }

  async #request(payload: Payload): Promise<SigningRequest> {
    const { id, name, coin, explorer, testnet } = chainById(payload.chain)
    const chat = await this.#chat(payload)
    const rpcUrl = this.#parts.publicRpcUrls.get(id)
    const { simulation, rehearsal } = await this.#rehearsal(payload)
    const { check } = payload
    return {
      state: 'open',
      chain: {
        id,
        name,
        ...(testnet && { testnet }),
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
      ...(chat && { chat }),
    }
  }

  async #progress(payload: Payload): Promise<SigningProgress> {
    const { reported, launchedBy, signers } = payload
    const launched = payload.state === 'launched'
    const hash = launchedBy ?? reported?.hash
    const transaction: SigningProgress['transaction'] =
      launched && hash !== undefined
        ? { hash, state: 'launched' }
        : await this.#awaitedTransaction(payload)
    return {
      ...(signers.length > 0 && { signers: signers.map(signingAccount) }),
      ...(transaction && { transaction }),
      launched,
    }
  }

  /**
   * Returns the reported transaction; undefined if it should have reached the node by now but has not, so that other
   * pages can sign.
   */
  async #awaitedTransaction(payload: Payload): Promise<SigningProgress['transaction']> {
    const { reported } = payload
    if (!reported) return undefined
    const { hash } = reported
    const state = await this.#transaction(payload, hash)
    const mayCome = this.#parts.now() < mayArriveUntil(reported)
    return state === 'unknown' && !mayCome ? undefined : { hash, state }
  }

  /** Returns the hashes of the reported transactions that the chain knows. */
  async #knownHashes(payload: Payload): Promise<ReadonlySet<string>> {
    const lookups = reportsOf(payload).map(async ({ hash }) => {
      const state = await this.#transaction(payload, hash)
      return state === 'unknown' ? [] : [hash]
    })
    return new Set((await Promise.all(lookups)).flat())
  }

  async #transaction(
    { id, chain, airlock, token, calldata }: Payload,
    hash: `0x${string}`,
  ): Promise<'unknown' | 'pending' | 'reverted' | 'launched'> {
    const node = this.#parts.nodes.get(chain)
    if (!node || token === undefined) return 'unknown'
    const key = `${id} ${hash}`
    const receipt = this.#receipts.get(key) ?? node.receipt(hash, { airlock, token, calldata })
    this.#receipts.set(key, receipt, { noUpdateTTL: true })
    try {
      const state = await receipt
      return state === 'no-launch' ? 'unknown' : state
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'a transaction could not be looked up')
      return 'unknown'
    }
  }

  #rehearsal(payload: Payload): Promise<Rehearsed> {
    const cached = this.#rehearsals.get(payload.id)
    if (cached) return cached
    const rehearsed = this.#rehearse(payload)
    this.#rehearsals.set(payload.id, rehearsed)
    return rehearsed
  }

  /** Rehearses the payload again, since the chain's state may have changed since it was built. */
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

/**
 * Max accounts with a message of their own, and max others that are listed: anybody with the link can make accounts up.
 */
const maxNotified = 5
const maxListed = 5
/**
 * Max times that the creator is asked about one account, which may have been refused by mistake, and seconds in
 * between.
 */
const maxAsks = 3
const askPause = 60

/**
 * Adds an account at the end, or moves it there with its earlier answer; a refused one is asked about again if allowed.
 * If too many wait, the oldest one without a message is dropped: messages that were sent must stay answerable.
 */
function withSigner(payload: Payload, account: `0x${string}`, now: number): Payload {
  const existing = payload.signers.find((each) => isAddressEqual(each.account, account))
  const others = payload.signers.filter((each) => each !== existing)
  if (existing) return { ...payload, signers: [...others, askedAgain(existing, now)] }
  const isQuiet = others.filter((each) => !each.quiet).length >= maxNotified
  const waiting = others.filter((each) => each.quiet && each.allowed === undefined)
  const dropped = waiting.length < maxListed ? undefined : waiting[0]
  const signer = { account, askedAt: now, ...(isQuiet && { quiet: isQuiet }) }
  return { ...payload, signers: [...others.filter((each) => each !== dropped), signer] }
}

/** Returns how often the creator was asked about the account. */
function timesAsked({ asks = 1 }: Signer): number {
  return asks
}

/** Describes an account to the signing page. */
function signingAccount(signer: Signer): SigningAccount {
  const { account, allowed, quiet } = signer
  if (allowed) return { account, state: 'allowed' }
  if (allowed === undefined) return { account, state: quiet ? 'waiting' : 'asked' }
  const again = canAskAgainAt(signer)
  return { account, state: 'refused', ...(again !== undefined && { askAgainAt: again }) }
}

function askedAgain(signer: Signer, now: number): Signer {
  const again = canAskAgainAt(signer)
  if (signer.allowed !== false || again === undefined || now < again) return signer
  const { account, quiet } = signer
  return { account, askedAt: now, asks: timesAsked(signer) + 1, ...(quiet && { quiet }) }
}

/** Returns the unix second from which the creator can be asked again; undefined: never. */
function canAskAgainAt(signer: Signer): number | undefined {
  return timesAsked(signer) < maxAsks ? (signer.askedAt ?? 0) + askPause : undefined
}
