import type { Readable } from 'node:stream'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  type IBackoff,
  type IBackoffFactory,
  type IRetryBackoffContext,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import { Pool } from 'undici'
import { ApiError, type ApiErrorKind } from '../errors.ts'
import type { Logger } from '../log.ts'
import { isObject } from './schema.ts'

/** Where the interface is, and how long and how often it is asked. */
export interface TransportOptions {
  /** Ends with the version segment; may have a path and a trailing slash. */
  baseUrl: string
  key: string
  log: Logger
  /** Milliseconds for a call with all its retries. */
  deadlineMs?: number
  /** Milliseconds for what the interface has to work out first, which a person watches being done. */
  workMs?: number
  /** Bytes of an answer's body. */
  maxBytes?: number
  /** So many calls in a row that find the interface unavailable open the circuit… */
  breakAfter?: number
  /** …for so many milliseconds; then one call tries again. */
  halfOpenAfterMs?: number
  /** Hears of each answer that says "too many requests". */
  onLimited?: () => void
  /** Hears how each refusal begins: at most 500 characters. With it, for the doctor alone, no text holds the key. */
  onRefusal?: (text: string) => void
  /** Where what calls come to is kept, together with those of other clients. */
  health?: HealthRecord
}

/** Parameters of a question; an undefined one is left out. */
export type Query = Record<string, string | number | undefined>

interface Request {
  method: 'GET' | 'POST'
  path: string
  query: Query
  body?: unknown
  /** The interface has work to do before it answers. */
  isWork?: boolean
}

/** What the interface answered: parsed JSON, and the length of what was sent. */
interface Answer {
  body: unknown
  bytes: number
}

type Outcome = { answer: Answer } | { refusal: ApiError }

/** Bytes of an answer's body where no others are said. */
export const defaultMostBytes = 4 * 2 ** 20
const maxRetries = 3
const maxPause = 60
/** Milliseconds without a word from the interface after which an attempt is given up. */
const silenceMs = 5000

/**
 * JSON over HTTP to the v1 interface: bounded in time, size and connections, with retries of what may be repeated and a
 * circuit that opens when the interface is down. Every failure is an ApiError that holds neither key, query nor body.
 */
export class Transport {
  readonly #pool: Pool
  readonly #prefix: string
  readonly #headers: Record<string, string>
  readonly #deadlineMs: number
  readonly #workMs: number
  readonly #log: Logger
  readonly #onLimited: (() => void) | undefined
  readonly #onRefusal: ((text: string) => void) | undefined
  readonly #circuit: CircuitBreakerPolicy
  readonly #health: HealthRecord
  /** Milliseconds of `performance.now` before which the interface asked to be left alone. */
  #pausedUntil = 0

  constructor(options: TransportOptions) {
    const { baseUrl, key, log, deadlineMs = 8000, maxBytes = defaultMostBytes } = options
    const url = new URL(baseUrl)
    this.#prefix = url.pathname.replace(/\/+$/u, '')
    this.#headers = { 'x-api-key': key, accept: 'application/json' }
    this.#deadlineMs = deadlineMs
    this.#workMs = options.workMs ?? 30_000
    this.#log = log
    this.#onLimited = options.onLimited
    this.#onRefusal = options.onRefusal
    this.#health = options.health ?? new HealthRecord()
    this.#pool = new Pool(url.origin, {
      connections: 32,
      connect: { timeout: 2500 },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      maxResponseSize: maxBytes,
    })
    this.#circuit = circuitBreaker(handleWhen(isUnavailable), {
      breaker: new ConsecutiveBreaker(options.breakAfter ?? 5),
      halfOpenAfter: options.halfOpenAfterMs ?? 5000,
    })
    this.#circuit.onBreak(() => log.warn('the interface is unavailable, circuit opened'))
    this.#circuit.onReset(() => log.info('the interface answers again, circuit closed'))
  }

  /** The parsed JSON of a 2xx answer. Repeats itself on connection errors, 429 and 5xx while the deadline allows. */
  async get(path: string, query: Query): Promise<unknown> {
    return (await this.measured(path, query)).body
  }

  /** As `get`, with how much was read. */
  measured(path: string, query: Query): Promise<Answer> {
    return this.#call({ method: 'GET', path, query })
  }

  /** As `get`, but repeats only when no connection was made: the interface may already have acted. */
  async post(path: string, query: Query, body: unknown): Promise<unknown> {
    return (await this.#call({ method: 'POST', path, query, body })).body
  }

  /** As `post`, for what the interface has to work out before it says a word: it has more time for that. */
  async work(path: string, query: Query, body: unknown): Promise<unknown> {
    return (await this.#call({ method: 'POST', path, query, body, isWork: true })).body
  }

  health(): Health {
    return this.#health.read(this.#circuit.state !== CircuitState.Closed)
  }

  /** Waits for calls under way, which the deadline bounds, and closes the connections. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #call(request: Request): Promise<Answer> {
    const what = `${request.method} ${request.path}`
    try {
      this.#refuseWhilePaused(what)
      // While one call tries whether the interface is back, the others must not wait for its outcome.
      if (this.#circuit.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
      const outcome = await this.#circuit.execute(() => this.#attempts(what, request))
      if ('refusal' in outcome) throw outcome.refusal
      this.#health.answered()
      return outcome.answer
    } catch (error) {
      const failure =
        error instanceof ApiError ? error : new ApiError('unavailable', `${what}: circuit is open`)
      this.#health.failed(failure.kind)
      throw failure
    }
  }

  // The circuit counts what is thrown; a refusal is an answer, so it is returned and ends a row of failures.
  async #attempts(what: string, request: Request): Promise<Outcome> {
    const trial = this.#circuit.state === CircuitState.HalfOpen
    const deadline = request.isWork ? this.#workMs : this.#deadlineMs
    const budget = trial ? deadline / 2 : deadline
    const endsAt = performance.now() + budget
    let last: ApiError | undefined
    const mayRepeat = (error: unknown) => {
      if (!(error instanceof ApiError)) return false
      last = error
      return !trial && this.#isWorthRepeating(request, error, endsAt - performance.now())
    }
    const policy = wrap(
      timeout(budget, TimeoutStrategy.Aggressive),
      retry(handleWhen(mayRepeat), { maxAttempts: maxRetries, backoff: politeBackoff() }),
    )
    try {
      return { answer: await policy.execute(({ signal }) => this.#attempt(what, request, signal)) }
    } catch (error) {
      const failure = toApiError(what, error, last)
      this.#log.debug({ kind: failure.kind, status: failure.status }, what)
      if (failure.kind === 'unavailable') throw failure
      if (failure.kind === 'rate-limited') this.#pause(failure.retryAfter)
      return { refusal: failure }
    }
  }

  async #attempt(what: string, request: Request, signal: AbortSignal): Promise<Answer> {
    const { method, path, query, body, isWork } = request
    const given = Object.fromEntries(
      Object.entries(query).filter(([, value]) => value !== undefined),
    )
    try {
      const response = await this.#pool.request({
        method,
        path: `${this.#prefix}${path}`,
        query: given,
        signal,
        ...(isWork && { headersTimeout: this.#workMs, bodyTimeout: this.#workMs }),
        headers:
          body === undefined
            ? this.#headers
            : { ...this.#headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const { statusCode, headers } = response
      const hear = this.#onRefusal
      const key = this.#headers['x-api-key'] ?? ''
      if (statusCode >= 200 && statusCode < 300) {
        const text = await response.body.text()
        return answerOf(what, hear ? withoutKey(text, key) : text)
      }
      if (hear) hear(await refusalText(response.body, key))
      // Read to its end, or the connection could not be used again.
      await response.body.dump({ limit: 128 * 1024, signal }).catch(() => undefined)
      if (statusCode === 429) this.#onLimited?.()
      throw statusError(what, statusCode, headers['retry-after']?.toString())
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw signal.aborted ? new TaskCancelledError() : connectionError(what, error)
    }
  }

  #isWorthRepeating(request: Request, error: ApiError, remainingMs: number): boolean {
    if (this.#pool.closed) return false
    if (request.method === 'POST') {
      return error.cause instanceof ConnectionFault && error.cause.neverSent
    }
    const passing = error.kind === 'unavailable' || error.kind === 'rate-limited'
    return passing && (error.retryAfter ?? 0) * 1000 < remainingMs
  }

  #pause(seconds: number | undefined): void {
    if (seconds === undefined) return
    this.#pausedUntil = performance.now() + Math.min(seconds, maxPause) * 1000
  }

  #refuseWhilePaused(what: string): void {
    const seconds = Math.ceil((this.#pausedUntil - performance.now()) / 1000)
    if (seconds <= 0) return
    throw new ApiError('rate-limited', `${what}: not asked, as the interface wants a pause`, {
      retryAfter: seconds,
    })
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'unavailable'
}

// At the deadline the error of an earlier attempt says more than that time ran out.
function toApiError(what: string, error: unknown, last: ApiError | undefined): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof TaskCancelledError) {
    return last ?? new ApiError('unavailable', `${what}: no answer before the deadline`)
  }
  return connectionError(what, error)
}

// The parser's error stays out: its message quotes the body.
function answerOf(what: string, text: string): Answer {
  try {
    return { body: parsed(text), bytes: Buffer.byteLength(text) }
  } catch {
    throw new ApiError('malformed', `${what}: the answer is not JSON`)
  }
}

/** A number so long that a double would lose digits of it. */
const longNumber = /[:[,]\s*-?\d{16}/u

/** JSON, where integers beyond 2^53 are texts with all their digits. */
function parsed(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (source ?? value)
      : value,
  )
}

type Wait = IBackoffFactory<IRetryBackoffContext<unknown>>

const jittered = new ExponentialBackoff({ initialDelay: 150, maxDelay: 1500 })

/** Growing, random waits between attempts, and never less than what the interface asked for with Retry-After. */
export function politeBackoff(factory: Wait = jittered): Wait {
  return {
    next(context): IBackoff<IRetryBackoffContext<unknown>> {
      const backoff = factory.next(context)
      const error = 'error' in context.result ? context.result.error : undefined
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
      return { duration: asked + backoff.duration, next: politeBackoff(backoff).next }
    },
  }
}

/** Characters of a refusal that anybody is told. */
const maxCharacters = 500
/** Bytes that are read for them: some pages of an error say little at their beginning. */
const maxBytes = 16_384

/**
 * The beginning of what a refusal says, without the key, should the interface repeat it. Strangers wrote it: what shows
 * it takes out control characters. Empty if the body broke off before a word.
 */
async function refusalText(body: Readable, key: string): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(Buffer.from(chunk))
      length += chunks.at(-1)?.length ?? 0
      if (length >= maxBytes) break
    }
  } catch {
    // The connection broke: the part that came is still of use.
  }
  return withoutKey(Buffer.concat(chunks).toString('utf8'), key).slice(0, maxCharacters)
}

/**
 * Replaces the key in a text that an interface sent, in whatever case, and also if it stands there as JSON, a URL or base64
 * would write it.
 */
function withoutKey(text: string, key: string): string {
  if (key === '') return text
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]
  const pattern = forms.map((form) => [...form].map(anyForm).join('')).join('|')
  return text.replaceAll(new RegExp(pattern, 'giu'), '[key]')
}

/** A pattern for a character as it is, or as JSON may escape it. */
function anyForm(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  const plain = character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
  const escaped = '"\\/'.includes(character) ? `|\\\\${plain}` : ''
  return `(?:${plain}${escaped}|\\\\u${code})`
}

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
function connectionError(what: string, error: unknown): ApiError {
  const fault = new ConnectionFault(error)
  if (fault.code === tooLong) {
    return new ApiError('malformed', `${what}: the answer is too large`, { cause: fault })
  }
  return new ApiError('unavailable', `${what}: no answer (${fault.code})`, { cause: fault })
}

/** The error for a status other than 2xx; `retryAfter` is that header as received. */
function statusError(what: string, status: number, retryAfter: string | undefined): ApiError {
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

/** How the interface has been answering, for /healthz. */
export interface Health {
  /**
   * `unknown`: it was not asked yet. `degraded`: the last call failed. `down`: the circuit is open, or the interface
   * refuses us.
   */
  state: 'unknown' | 'ok' | 'degraded' | 'down'
  /** When the interface last gave an answer; absent before the first. */
  lastAnswer?: Date
  /** Why the last call failed, where it did. */
  failure?: ApiErrorKind
}

/** Keeps what the last calls came to, of all clients that share it. */
export class HealthRecord {
  #lastAnswer: Date | undefined
  #failure: ApiErrorKind | undefined

  answered(): void {
    this.#lastAnswer = new Date()
    this.#failure = undefined
  }

  failed(kind: ApiErrorKind): void {
    // These two say something about the request, not about the interface.
    if (kind === 'not-found' || kind === 'invalid') {
      this.answered()
    } else {
      this.#failure = kind
    }
  }

  read(circuitOpen: boolean): Health {
    return {
      state: this.#state(circuitOpen),
      ...(this.#lastAnswer && { lastAnswer: this.#lastAnswer }),
      ...(this.#failure && { failure: this.#failure }),
    }
  }

  #state(circuitOpen: boolean): Health['state'] {
    const refused = this.#failure === 'unauthorised' || this.#failure === 'forbidden'
    if (refused) return 'down'
    // Another client may have had an answer since the circuit of this one opened.
    if (this.#failure !== undefined) return circuitOpen ? 'down' : 'degraded'
    return this.#lastAnswer === undefined ? 'unknown' : 'ok'
  }
}
