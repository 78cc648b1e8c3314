import type { Attachment } from '../../../../src/core/view.ts'
import type {
  ClosedRequest,
  SigningAccount,
  SigningProgress,
  SigningRequest,
} from '../../../../src/launch/signing-wire.ts'
import type { SigningSite } from '../../../../src/web/signing/routes.ts'

type Service = SigningSite['signingService']
type Entry = { request: SigningRequest; closed?: ClosedRequest; picture?: Attachment }

/** A desk over a map. What the launcher and the chain say is set by the test. */
export class MapDesk implements Service {
  readonly entries = new Map<string, Entry>()
  readonly reports: { token: string; account: string; hash: string }[] = []
  readonly claims: { token: string; account: string }[] = []
  /** Thrown by every call while it is set. */
  fault: Error | undefined

  async open(token: string): Promise<SigningRequest | ClosedRequest | undefined> {
    const entry = this.#entry(token)
    return entry?.closed ?? entry?.request
  }

  async progress(token: string): Promise<SigningProgress | ClosedRequest | undefined> {
    const entry = this.#entry(token)
    return entry?.closed ?? entry?.request.progress
  }

  async picture(token: string): Promise<Attachment | ClosedRequest | undefined> {
    const entry = this.#entry(token)
    return entry?.closed ?? entry?.picture
  }

  async claim(token: string, account: `0x${string}`) {
    const entry = this.#entry(token)
    if (!entry) return undefined
    this.claims.push({ token, account })
    const known = entry.request.progress.signers?.find((each) => each.account === account)
    const early = known?.askAgainAt !== undefined && known.askAgainAt > Date.now() / 1000
    if (!entry.closed && !early && known?.state !== 'allowed') this.answer(token, account, 'asked')
    return this.progress(token)
  }

  async report(token: string, sent: { account: `0x${string}`; hash: `0x${string}` }) {
    const entry = this.#entry(token)
    if (!entry) return undefined
    this.reports.push({ token, ...sent })
    this.change(token, { transaction: { hash: sent.hash, state: 'unknown' } })
    return this.progress(token)
  }

  /** What the launcher says of an account. */
  answer(
    token: string,
    account: `0x${string}`,
    state: SigningAccount['state'],
    askAgainAt?: number,
  ): void {
    const { signers = [] } = this.entries.get(token)?.request.progress ?? {}
    const others = signers.filter((each) => each.account !== account)
    const said = { account, state, ...(askAgainAt !== undefined && { askAgainAt }) }
    this.change(token, { signers: [...others, said] })
  }

  change(token: string, progress: Partial<SigningProgress>): void {
    const entry = this.entries.get(token)
    if (!entry) throw new Error(`there is no link ${token}`)
    entry.request.progress = { ...entry.request.progress, ...progress }
  }

  close(token: string, closed: ClosedRequest): void {
    const entry = this.entries.get(token)
    if (!entry) throw new Error(`there is no link ${token}`)
    entry.closed = closed
  }

  #entry(token: string): Entry | undefined {
    if (this.fault) throw this.fault
    return this.entries.get(token)
  }
}
