import { randomBytes } from 'node:crypto'
import type { Attachment } from '../../../../src/core/view.ts'
import type {
  Address,
  ClosedRequest,
  Report,
  SigningAccount,
  SigningProgress,
  SigningRequest,
} from '../../../../src/launch/signing-wire.ts'
import { createLogger, type Logger } from '../../../../src/log.ts'
import { WebServer } from '../../../../src/web/server.ts'
import { bundlePage, type SigningSite, signingRoutes } from '../../../../src/web/signing/routes.ts'
import { webParts } from '../parts.ts'
import { signingRequest } from './payload.ts'

type Service = SigningSite['signingService']

interface Entry {
  request: SigningRequest
  closed?: ClosedRequest
  picture?: Attachment | undefined
}

/** The signing service over a map. What the launcher and the chain say is set by the test. */
class MapService implements Service {
  readonly entries = new Map<string, Entry>()
  readonly reports: (Report & { token: string })[] = []
  readonly claims: { token: string; account: Address }[] = []
  /** Thrown by every call while it is set. */
  fault: Error | undefined

  async open(token: string) {
    const entry = this.#find(token)
    return entry?.closed ?? entry?.request
  }

  async progress(token: string) {
    const entry = this.#find(token)
    return entry?.closed ?? entry?.request.progress
  }

  async picture(token: string) {
    const entry = this.#find(token)
    return entry?.closed ?? entry?.picture
  }

  async claim(token: string, account: Address) {
    const entry = this.#find(token)
    if (!entry) return undefined
    this.claims.push({ token, account })
    const known = entry.request.progress.signers?.find((each) => each.account === account)
    const early = known?.askAgainAt !== undefined && known.askAgainAt > Date.now() / 1000
    if (!entry.closed && !early && known?.state !== 'allowed') this.answer(token, account, 'asked')
    return this.progress(token)
  }

  async report(token: string, sent: Report) {
    if (!this.#find(token)) return undefined
    this.reports.push({ token, ...sent })
    this.progresses(token, { transaction: { hash: sent.hash, state: 'unknown' } })
    return this.progress(token)
  }

  /** What the launcher says of an account. */
  answer(
    token: string,
    account: Address,
    state: SigningAccount['state'],
    askAgainAt?: number,
  ): void {
    const { signers = [] } = this.#entry(token).request.progress
    const others = signers.filter((each) => each.account !== account)
    const said = { account, state, ...(askAgainAt !== undefined && { askAgainAt }) }
    this.progresses(token, { signers: [...others, said] })
  }

  progresses(token: string, progress: Partial<SigningProgress>): void {
    const { request } = this.#entry(token)
    this.changes(token, { progress: { ...request.progress, ...progress } })
  }

  changes(token: string, change: Partial<SigningRequest>): void {
    const entry = this.#entry(token)
    entry.request = { ...entry.request, ...change }
  }

  close(token: string, closed: ClosedRequest): void {
    this.#entry(token).closed = closed
  }

  #entry(token: string): Entry {
    const entry = this.entries.get(token)
    if (!entry) throw new Error(`there is no link ${token}`)
    return entry
  }

  #find(token: string): Entry | undefined {
    if (this.fault) throw this.fault
    return this.entries.get(token)
  }
}

/** The signing page over a service of the test's own. */
export interface Site {
  service: MapService
  /** Without a trailing slash. */
  url: string
  /** Makes a new link; returns its token. */
  add(request?: Partial<SigningRequest>, picture?: Attachment): string
  stop(): Promise<void>
}

export function linkToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Starts it; `publicUrl` if that is not where it listens. */
export async function startSite(
  options: { publicUrl?: string; pageOrigin?: string; log?: Logger; now?: () => number } = {},
): Promise<Site> {
  const service = new MapService()
  const page = bundlePage()
  // One at a time: each stops the process that bundles.
  await page
  // The address has to be known before what listens there is made.
  const probe = new WebServer(webParts())
  const port = await probe.start(0)
  await probe.stop()
  const url = `http://127.0.0.1:${port}`
  const log = options.log ?? createLogger('silent', [])
  const signing = signingRoutes({ signingService: service, publicUrl: url, page, ...options, log })
  const server = new WebServer(webParts({ signing }))
  await server.start(port)
  return {
    service,
    url,
    add(request, picture) {
      const token = linkToken()
      service.entries.set(token, { request: signingRequest(request), picture })
      return token
    },
    stop: () => server.stop(),
  }
}
