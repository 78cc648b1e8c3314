import { Connection } from './connection.ts'
import { type Inspection, inspect } from './inspect.ts'
import type { Link } from './link.ts'
import { LinkFault } from './link.ts'
import { withTabLock } from './lock.ts'
import type { SessionStore } from './memory.ts'
import { WalletFault } from './provider.ts'
import { type Pace, Poller } from './pulse.ts'
import { askedTooSoon, botUnreachable, type Notice, noticeOf, notSent, otherTab } from './speech.ts'
import { type EndState, isOver, type Stage, signerOf, stageOf } from './stage.ts'
import { Transaction } from './transaction.ts'
import type { Wallet } from './wallets.ts'
import { type Closed, hashSchema, type OpenRequest, type Progress, type Signer } from './wire.ts'

export type Busy = 'connecting' | 'switching' | 'asking' | 'signing' | 'looking' | 'checking'

interface Parts {
  link: Link
  memory: SessionStore
  request: OpenRequest
  /** Called after every change. */
  changed: () => void
}

/** State and actions on the way from an open link to a launched token. */
export class Flow {
  #inspection: Inspection
  readonly connection: Connection
  readonly transaction: Transaction
  readonly #link: Link
  readonly #memory: SessionStore
  readonly #changed: () => void
  readonly #poller = new Poller(() => this.#poll())
  #wallets: readonly Wallet[] = []
  #request: OpenRequest
  #progress: Progress
  #closed: Closed | undefined
  #replaced = false
  #busy: Busy | undefined
  #notice: Notice | undefined
  #pollingWallet = false

  constructor({ link, memory, request, changed }: Parts) {
    this.#request = request
    this.#inspection = inspect(request)
    this.#link = link
    this.#memory = memory
    this.#changed = changed
    this.connection = new Connection(() => this.#walletChanged())
    this.transaction = new Transaction(link, memory, request)
    this.#progress = request.progress
    this.transaction.apply(request.progress)
    void this.#poller.now()
  }

  /** The calldata as this page decoded it, and the latest rehearsal. */
  get inspection(): Inspection {
    return this.#inspection
  }

  /** The opened request with the latest simulation. */
  get request(): OpenRequest {
    return this.#request
  }

  get wallets(): readonly Wallet[] {
    return this.#wallets
  }

  get closed(): Closed | undefined {
    return this.#closed
  }

  get busy(): Busy | undefined {
    return this.#busy
  }

  get notice(): Notice | undefined {
    return this.#notice
  }

  get stage(): Stage {
    const { request, connection } = this
    return stageOf({
      chainId: request.chain.id,
      expected: request.wallet,
      blocked: this.inspection.faults.length > 0,
      failing: request.simulation.kind === 'failed',
      closed: this.#ended,
      overdue: this.secondsLeft <= 0,
      progress: this.#progress,
      sent: this.transaction.sent?.state,
      wallets: this.#wallets.length,
      wallet: connection.wallet && connection,
    })
  }

  /** The creator's answer about the connected account. */
  get signer(): Signer | undefined {
    const { account } = this.connection
    return account && signerOf(account, this.#progress)
  }

  get secondsLeft(): number {
    return Math.max(0, Math.floor(this.request.expiresAt - this.#link.now()))
  }

  /** Sets this browser's wallets. Reconnects the wallet that was connected before a reload if that needs no prompt. */
  setWallets(wallets: readonly Wallet[]): void {
    this.#wallets = wallets
    const previousWallet = wallets.find(({ id }) => id === this.#memory.state.wallet)
    if (previousWallet && !this.connection.wallet) {
      void this.connection.use(previousWallet, true).catch(() => this.connection.leave())
    }
    this.#changed()
  }

  connect(wallet: Wallet): Promise<void> {
    return this.#runAction('connecting', 'Press Connect again when you are ready.', async () => {
      await this.connection.use(wallet, false)
      this.#memory.update({ wallet: wallet.id })
    })
  }

  /** Returns to the list of wallets. */
  leave(): void {
    this.connection.leave()
    this.#memory.update({ wallet: undefined })
    this.#notice = undefined
    this.#changed()
  }

  switchAccount(): Promise<void> {
    return this.#runAction(
      'connecting',
      'You can also switch the account in the wallet itself.',
      () => this.connection.switchAccount(),
    )
  }

  switchChain(): Promise<void> {
    return this.#runAction('switching', 'You can also switch the chain in the wallet itself.', () =>
      this.connection.switchChain(this.request.chain),
    )
  }

  /** Asks the creator in the chat whether the connected account may sign; also again after a refusal. */
  askPermission(): Promise<void> {
    const { account } = this.connection
    if (!account) return Promise.resolve()
    return this.#runAction('asking', 'Press the button again.', async () => {
      this.#apply(await this.#link.claim(account))
      const again = this.signer?.askAgainAt
      if (again !== undefined) this.#notice = askedTooSoon(again - this.#link.now())
      void this.#poller.now()
    })
  }

  /** Simulates once more. */
  checkAgain(): Promise<void> {
    return this.#runAction('checking', 'Press Check again.', () => this.#refresh())
  }

  sign(): Promise<void> {
    return this.#runAction(
      'signing',
      'Press Sign and launch again when you are ready.',
      async () => {
        const name = `gavel:sign:${this.inspection.digest}`
        if (!(await withTabLock(name, () => this.#send()))) this.#notice = otherTab
      },
    )
  }

  /** Gives up the sent transaction, unless it launched the token after all. */
  startAnew(): Promise<void> {
    return this.#runAction('looking', 'Press the button again.', async () => {
      this.#apply(await this.#link.progress())
      await this.transaction.poll(this.connection)
      const { sent } = this.transaction
      if (this.stage !== 'launched' && sent?.state !== 'pending') this.transaction.dismiss()
    })
  }

  resumePolling(): Promise<void> {
    this.transaction.resumePolling()
    return this.#poller.now()
  }

  async #send(): Promise<void> {
    const { connection, request, transaction } = this
    await this.#refresh()
    await connection.check()
    const { account } = connection
    if (this.stage !== 'ready' || !account) {
      this.#notice = notSent(this.stage)
      return
    }
    const { to, data, value, chain } = request
    const chainId = `0x${chain.id.toString(16)}`
    const params = [{ from: account, to, data, value: `0x${BigInt(value).toString(16)}`, chainId }]
    const hash = hashSchema.safeParse(await connection.ask('eth_sendTransaction', params))
    if (!hash.success) throw new WalletFault('no hash', '', { cause: hash.error })
    transaction.begin(hash.data, account)
    this.#changed()
    // Other tabs learn of it from the bot, so this tab's lock must last until the bot knows.
    await this.#askBot()
    void this.#poller.now()
  }

  /**
   * Fetches the current state before signing: another tab may have sent it, the link may be revoked, or it may fail
   * now. The calldata stay as they were opened.
   */
  async #refresh(): Promise<void> {
    const answer = await this.#link.open()
    if (answer.state !== 'open') {
      this.#apply(answer)
      return
    }
    const { simulation, check } = answer
    this.#request = { ...this.#request, simulation, ...(check && { check }) }
    this.#inspection = inspect(this.#request)
    this.#apply(answer.progress)
  }

  /** Runs one action at a time; presses meanwhile are ignored. */
  async #runAction(busy: Busy, then: string, act: () => Promise<void>): Promise<void> {
    if (this.#busy) return
    this.#busy = busy
    this.#notice = undefined
    this.#changed()
    try {
      await act()
    } catch (fault) {
      if (isUnknown(fault)) this.#replaced = true
      else this.#notice = noticeOf(fault, this.request.chain, then)
      if (fault instanceof WalletFault && fault.kind === 'unauthorised') this.connection.leave()
    } finally {
      this.#busy = undefined
      this.#changed()
    }
  }

  /** Handles a change of account or chain in the wallet: notices about the previous one are removed. */
  #walletChanged(): void {
    if (!this.#busy) this.#notice = undefined
    this.#changed()
  }

  #apply(answer: Progress | Closed): void {
    if ('state' in answer) {
      this.#closed = answer
    } else {
      this.#progress = answer
      this.transaction.apply(answer)
    }
  }

  get #ended(): EndState | undefined {
    return this.#closed?.state ?? (this.#replaced ? 'replaced' : undefined)
  }

  /** Polls bot and wallet. The bot no longer answers for a link that was replaced. */
  async #poll(): Promise<Pace> {
    if (!this.#replaced) await this.#askBot()
    this.#changed()
    void this.#pollWallet()
    return paceOf(this.stage)
  }

  async #askBot(): Promise<void> {
    try {
      const reported = await this.transaction.report()
      this.#apply(reported ?? (await this.#link.progress()))
      this.#botAnswered()
    } catch (fault) {
      if (!(fault instanceof LinkFault)) throw fault
      if (isUnknown(fault)) this.#replaced = true
      else this.#notice ??= botUnreachable(this.transaction.sent !== undefined)
    }
  }

  /** Runs beside the poll of the bot, so that a slow wallet doesn't delay it. */
  async #pollWallet(): Promise<void> {
    if (this.#pollingWallet) return
    this.#pollingWallet = true
    try {
      await this.transaction.poll(this.connection)
    } finally {
      this.#pollingWallet = false
      this.#changed()
    }
  }

  #botAnswered(): void {
    if (this.#notice?.untilReached) this.#notice = undefined
  }
}

function isUnknown(fault: unknown): boolean {
  return fault instanceof LinkFault && fault.kind === 'unknown'
}

function paceOf(stage: Stage): Pace {
  if (isOver(stage)) return 'stopped'
  if (stage === 'asked') return 'brisk'
  return stage === 'pending' || stage === 'missing' ? 'eager' : 'calm'
}
