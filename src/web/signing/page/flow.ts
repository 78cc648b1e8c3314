import { isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { bytesSchema, hashSchema } from '../../../chain/address.ts'
import { decodeCreate } from '../../../chain/airlock/calldata.ts'
import { type Message, t } from '../../../core/view.ts'
import type {
  ClosedRequest,
  SigningProgress,
  SigningRequest,
} from '../../../launch/signing-wire.ts'
import { inspect } from './inspect.ts'
import { type Link, LinkFault, type Session, withTabLock } from './session.ts'
import {
  askedTooSoonNotice,
  isOver,
  noticeOf,
  notSentNotice,
  otherTabNotice,
  type Sent,
  type State,
  type Step,
  signerOf,
  stepOf,
  unreachableNotice,
} from './state.ts'
import {
  ask,
  chooseAccount,
  type Exposed,
  listen,
  read,
  readExposed,
  switchChain,
  type Wallet,
  WalletFault,
  watchWallets,
} from './wallet.ts'

interface Parts {
  link: Link
  session: Session
  request: SigningRequest
  /** Called after every change. */
  onChange: () => void
}

/** Milliseconds unseen after which a transaction counts as missing. */
const maxUnseen = 90_000

/** Changes the state on the way from an open link to a launched token; during one action, others do nothing. */
export class Flow {
  readonly link: Link
  readonly #session: Session
  readonly #onChange: () => void
  readonly #poller = new Poller(() => this.#poll())
  #state: State
  #stopListening: () => void = () => undefined
  #isLookingInWallet = false

  constructor({ link, session, request, onChange }: Parts) {
    const { progress } = request
    const { sent } = session.state
    this.link = link
    this.#session = session
    this.#onChange = onChange
    this.#state = {
      request,
      inspection: inspect(request),
      wallets: [],
      connection: undefined,
      progress,
      sent: sent && { ...sent, ...seenNow() },
      ended: undefined,
      busy: undefined,
      notice: undefined,
    }
  }

  /** Begins to watch the bot, the wallets and the transaction, for as long as the page is open. */
  start(): void {
    this.#apply(this.#state.progress)
    void this.#poller.now()
    watchWallets((wallets) => this.#setWallets(wallets))
  }

  get state(): Readonly<State> {
    return this.#state
  }

  get step(): Step {
    return stepOf(this.#state, this.secondsLeft <= 0)
  }

  get secondsLeft(): number {
    return Math.max(0, Math.floor(this.#state.request.expiresAt - this.link.now()))
  }

  connect(wallet: Wallet): Promise<void> {
    return this.#run('connecting', t('sign-next-connect'), async () => {
      await this.#attach(wallet, true)
      this.#session.update({ wallet: wallet.id })
    })
  }

  /** Returns to the list of wallets. */
  leave(): void {
    if (this.#state.busy) return
    this.#detach()
    this.#session.update({ wallet: undefined })
    this.#set({ notice: undefined })
  }

  switchAccount(): Promise<void> {
    const hint = t('sign-next-account')
    return this.#run('connecting', hint, async () => {
      await chooseAccount(this.#wallet())
      await this.#readWallet(true)
    })
  }

  switchChain(): Promise<void> {
    const hint = t('sign-next-chain')
    return this.#run('switching', hint, async () => {
      await switchChain(this.#wallet(), this.#state.request.chain)
      await this.#readWallet(false)
    })
  }

  /** Asks the creator in the chat whether the connected account may sign; also again after a refusal. */
  askPermission(): Promise<void> {
    return this.#run('asking', t('sign-next-button'), async () => {
      const { account } = this.#state.connection ?? {}
      if (!account) return
      this.#apply(await this.link.claim(account))
      const again = signerOf(account, this.#state.progress)?.askAgainAt
      if (again !== undefined) this.#set({ notice: askedTooSoonNotice(again - this.link.now()) })
      void this.#poller.now()
    })
  }

  /** Rehearses once more. */
  checkAgain(): Promise<void> {
    return this.#run('checking', t('sign-next-check'), () => this.#refresh())
  }

  sign(): Promise<void> {
    return this.#run('signing', t('sign-next-sign'), async () => {
      const lock = `gavel:sign:${this.#state.inspection.digest}`
      if (!(await withTabLock(lock, () => this.#send()))) this.#set({ notice: otherTabNotice })
    })
  }

  /** Gives up the sent transaction, unless it launched the token after all. */
  sendAgain(): Promise<void> {
    return this.#run('looking', t('sign-next-button'), async () => {
      this.#apply(await this.link.progress())
      await this.#lookInWallet()
      const { sent } = this.#state
      if (!sent || sent.state === 'pending' || this.step === 'launched') return
      const dismissed = [...this.#session.state.dismissed, sent.hash]
      this.#session.update({ sent: undefined, dismissed })
      this.#set({ sent: undefined })
    })
  }

  /** Looks for a missing transaction as if it had just been sent. */
  lookAgain(): void {
    if (this.#state.busy) return
    this.#setSent(seenNow())
    void this.#poller.now()
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
    this.#onChange()
  }

  #setSent(change: Partial<Sent>): void {
    const { sent } = this.#state
    if (sent) this.#set({ sent: { ...sent, ...change } })
  }

  /** Runs an action, unless another one is under way. */
  async #run(busy: State['busy'], nextStep: Message, act: () => Promise<void>): Promise<void> {
    if (this.#state.busy) return
    this.#set({ busy, notice: undefined })
    try {
      await act()
    } catch (fault) {
      if (isUnknownLink(fault)) this.#set({ ended: { state: 'replaced' } })
      else this.#set({ notice: noticeOf(fault, this.#state.request.chain, nextStep) })
      if (fault instanceof WalletFault && fault.kind === 'unauthorised') this.#detach()
    } finally {
      this.#set({ busy: undefined })
    }
  }

  /** Reconnects the wallet that was connected before a reload if that needs no prompt. */
  #setWallets(wallets: readonly Wallet[]): void {
    this.#set({ wallets })
    const previous = wallets.find(({ id }) => id === this.#session.state.wallet)
    if (previous && !this.#state.connection) {
      this.#attach(previous, false).catch(() => this.#detach())
    }
  }

  async #attach(wallet: Wallet, mayPrompt: boolean): Promise<void> {
    if (this.#state.connection?.wallet !== wallet) {
      this.#detach()
      this.#set({ connection: { wallet, account: undefined, chainId: undefined } })
      this.#stopListening = listen(wallet, (change) => this.#setExposed(change))
    }
    await this.#readWallet(mayPrompt)
  }

  #detach(): void {
    this.#stopListening()
    this.#set({ connection: undefined })
  }

  #wallet(): Wallet {
    const { connection } = this.#state
    if (!connection) throw new WalletFault('disconnected', 'no wallet')
    return connection.wallet
  }

  async #readWallet(mayPrompt: boolean): Promise<void> {
    const wallet = this.#wallet()
    const exposed = await readExposed(wallet, mayPrompt)
    if (this.#state.connection?.wallet === wallet) this.#setExposed(exposed)
  }

  /** Sets account and chain; a notice about the previous ones is removed. */
  #setExposed(change: Partial<Exposed>): void {
    const { connection, busy, notice } = this.#state
    if (!connection) return
    this.#set({ connection: { ...connection, ...change }, notice: busy && notice })
  }

  async #send(): Promise<void> {
    await this.#refresh()
    await this.#readWallet(false)
    const { connection, request } = this.#state
    const { step } = this
    if (step !== 'ready' || !connection?.account) {
      this.#set({ notice: notSentNotice(step) })
      return
    }
    const { to, data, chain } = request
    const from = connection.account
    const value = `0x${BigInt(request.value).toString(16)}`
    const call = { from, to, data, value, chainId: `0x${chain.id.toString(16)}` }
    const hash = hashSchema.safeParse(await ask(connection.wallet, 'eth_sendTransaction', [call]))
    if (!hash.success) throw new WalletFault('no hash', '', { cause: hash.error })
    const sent = { hash: hash.data, account: from, reported: false }
    this.#session.update({ sent })
    this.#set({ sent: { ...sent, ...seenNow() } })
    // Other tabs learn of it from the bot, so this tab's lock must last until the bot knows.
    await this.#askBot()
    void this.#poller.now()
  }

  /**
   * Fetches the current state before signing: another tab may have sent it, the link may be revoked, or it may fail
   * now. The calldata stay as they were opened.
   */
  async #refresh(): Promise<void> {
    const answer = await this.link.open()
    if (answer.state !== 'open') {
      this.#apply(answer)
      return
    }
    const { simulation, check, progress } = answer
    const request = { ...this.#state.request, simulation, ...(check && { check }) }
    this.#set({ request, inspection: inspect(request) })
    this.#apply(progress)
  }

  /** Applies the bot's answer, also about a transaction that another tab sent. */
  #apply(answer: SigningProgress | ClosedRequest): void {
    if ('state' in answer) {
      this.#set({ ended: answer })
      return
    }
    this.#set({ progress: answer })
    const { transaction } = answer
    if (!transaction || this.#session.state.dismissed.includes(transaction.hash)) return
    const { hash, state } = transaction
    const sent = this.#state.sent ?? { hash, account: undefined, reported: true, ...seenNow() }
    if (sent.hash !== hash) return
    this.#set({ sent: { ...sent, ...(state !== 'unknown' && seenNow(state)) } })
  }

  /** Polls bot and wallet. The bot no longer answers for a link that was replaced. */
  async #poll(): Promise<number | undefined> {
    if (this.#state.ended?.state !== 'replaced') await this.#askBot()
    // Runs beside the poll of the bot, so that a slow wallet doesn't delay it.
    if (!this.#isLookingInWallet) {
      this.#isLookingInWallet = true
      void this.#lookInWallet().finally(() => {
        this.#isLookingInWallet = false
      })
    }
    return pollGap(this.step, this.#poller.elapsed)
  }

  async #askBot(): Promise<void> {
    try {
      this.#apply((await this.#report()) ?? (await this.link.progress()))
      if (this.#state.notice?.untilReached) this.#set({ notice: undefined })
    } catch (fault) {
      if (!(fault instanceof LinkFault)) throw fault
      const { notice = unreachableNotice(this.#state.sent !== undefined) } = this.#state
      this.#set(isUnknownLink(fault) ? { ended: { state: 'replaced' } } : { notice })
    }
  }

  /** Reports the transaction to the bot, once. */
  async #report(): Promise<SigningProgress | ClosedRequest | undefined> {
    const { sent } = this.#state
    if (!sent || sent.reported || !sent.account) return undefined
    const { hash, account } = sent
    const answer = await this.link.report({ hash, account })
    if (this.#state.sent?.hash === hash) {
      this.#setSent({ reported: true })
      this.#session.update({ sent: { hash, account, reported: true } })
    }
    return answer
  }

  /** Looks for the transaction through the wallet, if it is on the launch's chain. */
  async #lookInWallet(): Promise<void> {
    const { sent, connection, request } = this.#state
    if (sent?.state !== 'pending' && sent?.state !== 'missing') return
    if (connection && connection.chainId === request.chain.id) {
      const state = await stateInWallet(connection.wallet, sent.hash, request)
      if (state && this.#state.sent?.hash === sent.hash) this.#setSent(seenNow(state))
    }
    const { state, seenAt } = this.#state.sent ?? {}
    if (state === 'pending' && Date.now() - (seenAt ?? 0) > maxUnseen) {
      this.#setSent({ state: 'missing' })
    }
  }
}

function seenNow(state: Sent['state'] = 'pending'): Pick<Sent, 'state' | 'seenAt'> {
  return { state, seenAt: Date.now() }
}

function isUnknownLink(fault: unknown): boolean {
  return fault instanceof LinkFault && fault.kind === 'unknown'
}

const receiptSchema = z.object({
  status: z.enum(['0x0', '0x1']),
  logs: z.array(z.object({ topics: z.array(bytesSchema), data: bytesSchema })),
})

/** Returns what the wallet's node says of a transaction; undefined if it doesn't know it. */
async function stateInWallet(
  wallet: Wallet,
  hash: Sent['hash'],
  { token, verified }: SigningRequest,
): Promise<Sent['state'] | undefined> {
  const find = (method: string) => read(wallet, method, [hash]).catch(() => undefined)
  const { data: receipt } = receiptSchema.safeParse(await find('eth_getTransactionReceipt'))
  if (!receipt) return (await find('eth_getTransactionByHash')) ? 'pending' : undefined
  if (receipt.status === '0x0') return 'reverted'
  if (!verified) return 'launched'
  const created = receipt.logs.flatMap((log) => decodeCreate(log) ?? [])
  const isExpected = created.some(
    ({ asset }) => token === undefined || isAddressEqual(asset, token),
  )
  return isExpected ? 'launched' : 'empty'
}

/** Milliseconds until the next poll; undefined if there is nothing more to see. */
function pollGap(step: Step, elapsed: number): number | undefined {
  if (isOver(step)) return undefined
  // For a minute the launcher is likely to answer.
  if (step === 'asked' && elapsed < 60_000) return 1_500
  if (step !== 'asked' && step !== 'pending' && step !== 'missing') return 20_000
  return Math.min(15_000, Math.max(2_000, elapsed * 0.3))
}

/** Polls at the gaps that the poll itself returns, and not at all while the page is hidden. */
class Poller {
  readonly #poll: () => Promise<number | undefined>
  #since = Date.now()
  #timer: number | undefined
  #isPolling = false
  /** Whether something happened during the running poll that requires another one. */
  #pollAgain = false

  constructor(poll: () => Promise<number | undefined>) {
    this.#poll = poll
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) clearTimeout(this.#timer)
      else void this.now()
    })
    window.addEventListener('online', () => void this.now())
  }

  /** Milliseconds since something last made a poll worthwhile. */
  get elapsed(): number {
    return Date.now() - this.#since
  }

  /** Polls now, and then often again. */
  now(): Promise<void> {
    this.#since = Date.now()
    return this.#run()
  }

  async #run(): Promise<void> {
    if (this.#isPolling) {
      this.#pollAgain = true
      return
    }
    this.#isPolling = true
    clearTimeout(this.#timer)
    let gap: number | undefined
    try {
      gap = await this.#poll()
    } finally {
      this.#isPolling = false
    }
    if (this.#pollAgain) {
      this.#pollAgain = false
      void this.#run()
    } else if (gap !== undefined && !document.hidden) {
      this.#timer = window.setTimeout(() => void this.#run(), gap)
    }
  }
}
