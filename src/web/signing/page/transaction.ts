import * as z from 'zod/mini'
import type { Connection } from './connection.ts'
import { createdToken } from './created.ts'
import type { Link } from './link.ts'
import type { SessionStore } from './memory.ts'
import {
  type Address,
  type Closed,
  type Hash,
  type OpenRequest,
  type Progress,
  sameAddress,
} from './wire.ts'

/** `missing`: neither the wallet nor the bot has seen it for a while. `empty`: it was mined but launched nothing. */
export type SentState = 'pending' | 'missing' | 'reverted' | 'empty' | 'launched'

export interface Sent {
  hash: Hash
  /** Undefined if another tab sent it. */
  account: Address | undefined
  reported: boolean
  state: SentState
  /** Milliseconds since the epoch when it was last seen, or first looked for. */
  unseenSince: number
}

/** Milliseconds unseen after which a transaction counts as missing. */
const maxUnseenMs = 90_000
const receiptSchema = z.object({
  status: z.enum(['0x0', '0x1']),
  logs: z.array(z.object({ topics: z.array(z.string()), data: z.string() })),
})

/** The sent transaction, polled until it is mined. */
export class Transaction {
  readonly #link: Link
  readonly #memory: SessionStore
  readonly #request: OpenRequest
  #sent: Sent | undefined

  constructor(link: Link, memory: SessionStore, request: OpenRequest) {
    this.#link = link
    this.#memory = memory
    this.#request = request
    const { sent } = memory.state
    if (sent) this.#sent = { ...sent, state: 'pending', unseenSince: Date.now() }
  }

  get sent(): Readonly<Sent> | undefined {
    return this.#sent
  }

  begin(hash: Hash, account: Address): void {
    this.#sent = { hash, account, reported: false, state: 'pending', unseenSince: Date.now() }
    this.#memory.update({ sent: { hash, account, reported: false } })
  }

  /** Gives up the transaction, so that another can be sent. */
  dismiss(): void {
    if (!this.#sent) return
    const { dismissed } = this.#memory.state
    this.#memory.update({ sent: undefined, dismissed: [...dismissed, this.#sent.hash] })
    this.#sent = undefined
  }

  resumePolling(): void {
    if (this.#sent) this.#sent = { ...this.#sent, state: 'pending', unseenSince: Date.now() }
  }

  /**
   * Reports the transaction to the bot, once.
   * @throws LinkFault
   */
  async report(): Promise<Progress | Closed | undefined> {
    const sent = this.#sent
    if (!sent || sent.reported || !sent.account) return undefined
    const { hash, account } = sent
    const answer = await this.#link.report({ hash, account })
    if (this.#sent?.hash === hash) {
      this.#sent = { ...this.#sent, reported: true }
      this.#memory.update({ sent: { hash, account, reported: true } })
    }
    return answer
  }

  /** Applies the bot's knowledge, also of a transaction that another tab sent. */
  apply({ transaction }: Progress): void {
    if (!transaction || this.#memory.state.dismissed.includes(transaction.hash)) return
    const { hash, state } = transaction
    this.#sent ??= {
      hash,
      account: undefined,
      reported: true,
      state: 'pending',
      unseenSince: Date.now(),
    }
    if (this.#sent.hash !== hash) return
    if (state === 'reverted' || state === 'launched') this.#setState(state)
    if (state === 'pending') this.#markSeen()
  }

  /** Polls through the wallet, if it is on the launch's chain. */
  async poll(connection: Connection): Promise<void> {
    const { sent } = this
    if (!sent || (sent.state !== 'pending' && sent.state !== 'missing')) return
    if (connection.wallet && connection.chainId === this.#request.chain.id) {
      await this.#pollThrough(connection, sent.hash)
    }
    const now = this.#sent
    if (now?.state === 'pending' && Date.now() - now.unseenSince > maxUnseenMs)
      this.#setState('missing')
  }

  async #pollThrough(connection: Connection, hash: Hash): Promise<void> {
    const found = await connection.read('eth_getTransactionReceipt', [hash]).catch(() => undefined)
    const { data: receipt } = receiptSchema.safeParse(found)
    if (this.#sent?.hash !== hash) return
    if (receipt) return this.#setState(this.#outcome(receipt))
    const waiting = await connection.read('eth_getTransactionByHash', [hash]).catch(() => undefined)
    if (waiting && this.#sent?.hash === hash) this.#markSeen()
  }

  #outcome({ status, logs }: z.infer<typeof receiptSchema>): SentState {
    if (status === '0x0') return 'reverted'
    const { token, verified } = this.#request
    if (!verified) return 'launched'
    const created = logs.flatMap((log) => createdToken(log) ?? [])
    const expected = created.some((each) => token === undefined || sameAddress(each, token))
    return expected ? 'launched' : 'empty'
  }

  #markSeen(): void {
    if (this.#sent) this.#sent = { ...this.#sent, state: 'pending', unseenSince: Date.now() }
  }

  #setState(state: SentState): void {
    if (this.#sent) this.#sent = { ...this.#sent, state }
  }
}
