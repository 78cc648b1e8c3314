import { plainText } from './core/catalogue.ts'
import type { Message, Span } from './core/view.ts'

/**
 * An error whose text is written for the user, by its key in the catalogue or as spans: shown as it is, and not logged as
 * a fault. `message` is the English text.
 * @example
 *   throw new UserError(t('command-unknown', { name, help: { code: '/help' } }))
 */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly spans: readonly Span[]

  constructor(text: string | Message | readonly Span[], options?: ErrorOptions) {
    const spans = typeof text === 'string' || 'key' in text ? [text] : text
    super(plainText(spans), options)
    this.spans = spans
  }
}

/** Why the v1 API gave no usable answer. Its document defines only status 200, so the kinds are our own. */
export const apiErrorKinds = [
  'unauthorised', // 401
  'forbidden', // 403 of the API itself, in JSON: the key's
  'blocked', // 403 of a firewall before it, such as an HTML page: the network's
  'not-found', // 404
  'invalid', // any other 4xx
  'rate-limited', // 429
  'unavailable', // 5xx, connection errors, deadlines, an open circuit
  'malformed', // 200 whose body is not what the document says
] as const
export type ApiErrorKind = (typeof apiErrorKinds)[number]

export interface ApiErrorDetail {
  /** HTTP status; absent if no answer came. */
  status?: number
  /** Seconds to wait before a retry, if the API said so. */
  retryAfter?: number
  /** The answer's words about the refusal, cut: a stranger's. */
  words?: string
  cause?: unknown
}

/** A failed call of the v1 API. Its message is for the log; it never contains the key or a URL's query. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ApiErrorKind
  readonly status: number | undefined
  readonly retryAfter: number | undefined
  // Not among what is written of an error into the log.
  readonly #words: string | undefined

  constructor(kind: ApiErrorKind, message: string, detail: ApiErrorDetail = {}) {
    super(message, { cause: detail.cause })
    this.kind = kind
    this.status = detail.status
    this.retryAfter = detail.retryAfter
    this.#words = detail.words
  }

  /** The answer's words about the refusal, cut to one line: a stranger's, only for people. */
  get words(): string | undefined {
    return this.#words
  }
}

/** Whether the API answered that the request is not valid, or that nothing was found. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && ['invalid', 'not-found'].includes(error.kind)
}

/** The message of an error; for any other thrown value, its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The error itself; for any other thrown value, an error with its text. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** The database could not be opened or brought up to date; the message says what the operator can do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
