import * as z from 'zod/mini'
import { hashSchema } from '../../../chain/address.ts'
import {
  type Address,
  type ClosedRequest,
  closedSchema,
  progressSchema,
  type Report,
  reportSchema,
  requestSchema,
  type SigningProgress,
  type SigningRequest,
} from '../../../launch/signing-wire.ts'

const sessionSchema = z.object({
  /** The connected wallet's id. */
  wallet: z.optional(z.string()),
  sent: z.optional(z.object({ ...reportSchema.shape, reported: z.boolean() })),
  /** Transactions that the person gave up. */
  dismissed: z._default(z.array(hashSchema), []),
})

/**
 * Stores what this tab has to know of a link, in session storage, so that it survives a reload. Without storage it lasts as long
 * as the page.
 */
export class Session {
  readonly #key: string
  #state: z.infer<typeof sessionSchema> = { dismissed: [] }

  constructor(key: string) {
    this.#key = key
    try {
      this.#state = sessionSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? '{}'))
    } catch {
      // Storage is disabled, or holds something else.
    }
  }

  get state(): z.infer<typeof sessionSchema> {
    return this.#state
  }

  update(change: Partial<z.infer<typeof sessionSchema>>): void {
    this.#state = { ...this.#state, ...change }
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#state))
    } catch {
      // Storage is disabled or full: the state lasts as long as the page.
    }
  }
}

/** Lifetime of a stored lock in milliseconds: hidden tabs may run timers only once a minute. */
const lockLifetime = 90_000
const renewEvery = 20_000
/** Milliseconds after which concurrent writes of two tabs are visible to both. */
const settleTime = 100

/**
 * Runs `act` unless another tab of this browser holds the same lock. The lock ends with the action or the tab.
 * @returns whether it ran
 */
export async function withTabLock(name: string, act: () => Promise<void>): Promise<boolean> {
  // Not available over plain http and in old browsers.
  const { locks }: { locks?: LockManager } = navigator
  if (!locks) return withStorageLock(name, act)
  return locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await act()
    return lock !== null
  })
}

async function withStorageLock(name: string, act: () => Promise<void>): Promise<boolean> {
  const id = String(Math.random())
  const hold = () => localStorage.setItem(name, `${id} ${Date.now() + lockLifetime}`)
  const release = () => {
    if (holderOf(name) === id) localStorage.removeItem(name)
  }
  try {
    if (holderOf(name) !== undefined) return false
    hold()
    await new Promise((resolve) => setTimeout(resolve, settleTime))
    // Two tabs may have seen it free: the one that wrote last holds it.
    if (holderOf(name) !== id) return false
  } catch {
    // Storage is disabled or full, so other tabs can't be detected.
    await act()
    return true
  }
  const timer = setInterval(hold, renewEvery)
  window.addEventListener('pagehide', release)
  try {
    await act()
    return true
  } finally {
    clearInterval(timer)
    window.removeEventListener('pagehide', release)
    release()
  }
}

function holderOf(name: string): string | undefined {
  const [id, until] = (localStorage.getItem(name) ?? '').split(' ')
  return Number(until) > Date.now() ? id : undefined
}

/** Thrown if the bot gave no usable answer. */
export class LinkFault extends Error {
  override readonly name = 'LinkFault'
  /** `unknown`: no such link. `busy`: too many requests. */
  readonly kind: 'unknown' | 'busy' | 'unreachable'

  constructor(kind: LinkFault['kind'], options?: ErrorOptions) {
    super(kind, options)
    this.kind = kind
  }
}

/** Timeout of a request, in milliseconds. */
const timeoutMs = 15_000
const openOrClosed = z.union([requestSchema, closedSchema])
const progressOrClosed = z.union([closedSchema, progressSchema])

/** Client of the bot's routes for this link. All methods throw LinkFault. */
export class Link {
  /** The page's URL, its only input. */
  readonly page: string
  readonly #path: string
  #clockOffsetMs = 0

  constructor({ origin, pathname }: { origin: string; pathname: string }) {
    this.#path = pathname
    this.page = `${origin}${pathname}`
  }

  get picture(): string {
    return `${this.#path}/picture`
  }

  get qr(): string {
    return `${this.#path}/qr.svg`
  }

  /** Returns unix seconds by the bot's clock, as far as its answers gave it: the device's clock may be wrong. */
  now(): number {
    return (Date.now() + this.#clockOffsetMs) / 1000
  }

  open(): Promise<SigningRequest | ClosedRequest> {
    return this.#ask('request', openOrClosed)
  }

  progress(): Promise<SigningProgress | ClosedRequest> {
    return this.#ask('progress', progressOrClosed)
  }

  /** Asks for permission to sign with this account. */
  claim(account: Address): Promise<SigningProgress | ClosedRequest> {
    return this.#ask('claim', progressOrClosed, { account })
  }

  report(sent: Report): Promise<SigningProgress | ClosedRequest> {
    return this.#ask('report', progressOrClosed, sent)
  }

  async #ask<S extends z.ZodMiniType>(name: string, schema: S, body?: object): Promise<z.infer<S>> {
    const headers = { 'content-type': 'application/json' }
    try {
      const answer = await fetch(`${this.#path}/${name}`, {
        ...(body && { method: 'POST', headers, body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
      })
      const date = Date.parse(answer.headers.get('date') ?? '')
      if (!Number.isNaN(date)) this.#clockOffsetMs = date - Date.now()
      if (answer.status === 404) throw new LinkFault('unknown')
      if (answer.status === 429) throw new LinkFault('busy')
      // 410 says how the link ended.
      if (!answer.ok && answer.status !== 410) throw new LinkFault('unreachable')
      return schema.parse(await answer.json())
    } catch (cause) {
      throw cause instanceof LinkFault ? cause : new LinkFault('unreachable', { cause })
    }
  }
}
