import * as z from 'zod/mini'
import {
  type Address,
  type ClosedRequest,
  closedSchema,
  progressSchema,
  type Report,
  requestSchema,
  type SigningProgress,
  type SigningRequest,
} from '../../../launch/signing-wire.ts'

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
