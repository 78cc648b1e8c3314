import { ApiError, type ApiErrorKind } from '../errors.ts'
import { isObject } from './leaf.ts'

/**
 * What remains of a library's network error: its code and message. The error itself stays out of causes, because some
 * carry the bytes received or the request made.
 */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly code: string
  /** No connection was made, so the interface cannot have acted on the request. */
  readonly neverSent: boolean

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : 'unknown fault')
    this.code = codeOf(error)
    this.neverSent = neverConnected(error)
  }
}

const tooLong = 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

/** Whether the answer had more bytes than are read of one. */
export function isTooLong(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.cause instanceof ConnectionFault &&
    error.cause.code === tooLong
  )
}

/** The error for a request that got no answer, or one that broke off. */
export function connectionError(what: string, error: unknown): ApiError {
  const fault = new ConnectionFault(error)
  if (fault.code === tooLong) {
    return new ApiError('malformed', `${what}: the answer is too large`, { cause: fault })
  }
  return new ApiError('unavailable', `${what}: no answer (${fault.code})`, { cause: fault })
}

/** The error for a status other than 2xx; `retryAfter` is that header as received. */
export function statusError(
  what: string,
  status: number,
  retryAfter: string | undefined,
): ApiError {
  const seconds = retryAfter === undefined ? undefined : secondsUntil(retryAfter)
  return new ApiError(kindOf(status), `${what}: answered ${status}`, {
    status,
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  })
}

function kindOf(status: number): ApiErrorKind {
  if (status === 401) return 'unauthorised'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not-found'
  if (status === 429) return 'rate-limited'
  if (status >= 500) return 'unavailable'
  // A redirect is not followed: it would carry the key to wherever the answer points.
  return status >= 400 ? 'invalid' : 'malformed'
}

/** Seconds until the moment in a Retry-After header, which is a number of seconds or an HTTP date. */
export function secondsUntil(retryAfter: string, now = Date.now()): number | undefined {
  const text = retryAfter.trim()
  if (/^\d{1,9}$/u.test(text)) return Number(text)
  // Date.parse takes bare numbers for years.
  const seconds = /^[a-z]/iu.test(text) ? (Date.parse(text) - now) / 1000 : Number.NaN
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error.code === 'string' ? error.code : 'no code'
}

function neverConnected(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(neverConnected)
  }
  if (codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT') return true
  return isObject(error) && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
}
