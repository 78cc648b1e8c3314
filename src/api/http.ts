import type { Dispatcher } from 'undici'
import { isNestedTooDeeply } from '../core/body.ts'
import { connectionsTo, type ProxySettings } from '../core/proxy.ts'
import { PackingError, requestText } from '../core/request.ts'
import { retry } from '../core/task.ts'
import { ApiError, type ApiErrorKind } from '../errors.ts'
import type { Logger } from '../log.ts'
import { userAgent } from '../version.ts'
import { refusalWords } from './refusal.ts'
import { isObject } from './schema.ts'

/** Options of `Transport`. */
export interface TransportOptions {
  /** Base URL; ends with the version segment and may have a path and a trailing slash. */
  baseUrl: string
  key: string
  /** The User-Agent; the bot's name and version by default. */
  userAgent?: string
  /** The operator's proxies; none by default. */
  proxy?: ProxySettings | undefined
  log: Logger
  /** Timeout of a call with all its retries, in milliseconds; 8,000 by default. */
  deadlineMs?: number
  /** Timeout of a call that makes the API compute something (`work`), in milliseconds; 30,000 by default. */
  slowDeadlineMs?: number
  /** Max milliseconds between the first two attempts of a call, doubled each time; 300 by default. */
  retryPauseMs?: number
  /** Max bytes of an answer's body; `defaultMaxBytes` by default. */
  maxBytes?: number
  /** Number of consecutive calls that find the API unavailable until the circuit opens; 5 by default. */
  breakAfter?: number
  /** Milliseconds until an open circuit lets one call try again; 5,000 by default. */
  halfOpenAfterMs?: number
  /** Called for each answer "429 Too Many Requests". */
  onLimited?: () => void
  /**
   * Called with the first 500 characters of each error body. If set (only the doctor does), the key is also removed
   * from all received texts.
   */
  onRefusal?: (text: string) => void
  /** Record of call results, which several clients can share. */
  health?: HealthRecord
  /** Shared by all clients with the same key. */
  budget?: KeyBudget
}

/** Query parameters; undefined ones are left out. */
export type Query = Record<string, string | number | undefined>

interface Request {
  method: 'GET' | 'POST'
  path: string
  query: Query
  body?: unknown
  /** In place of `body`. */
  form?: FormData
  /** The API has to compute something before it answers: use the longer timeout. */
  isSlow?: boolean
}

/** An answer: parsed JSON, and the length of the body. */
interface Answer {
  body: unknown
  bytes: number
}

/** Max connections at once. */
const maxConnections = 32
/** Default max bytes of an answer's body, as it came and unpacked. */
export const defaultMaxBytes = 4 * 2 ** 20
const maxRetries = 3
/** Seconds without a call after a 429: at least, also if it names none, and at most. */
const pauseSeconds = { min: 1, max: 60 }
/** Max milliseconds between two attempts if the API asks for no pause. */
const maxPauseMs = 1500
/** Milliseconds without data from the API until an attempt fails. */
const silenceMs = 5000

/**
 * HTTP client of the v1 API: JSON with timeouts, max sizes and a connection pool, retries of what may be
 * repeated, and a circuit breaker. All failures are `ApiError`s that contain neither key, query nor body.
 * @example
 * const transport = new Transport({ baseUrl, key, log })
 * const body = await transport.get('/assets/', { limit: 10 })
 */
export class Transport {
  readonly #connections: Dispatcher
  readonly #origin: string
  readonly #prefix: string
  readonly #maxBytes: number
  readonly #headers: Record<string, string>
  readonly #deadlineMs: number
  readonly #slowDeadlineMs: number
  readonly #retryPauseMs: number
  readonly #log: Logger
  readonly #onLimited: (() => void) | undefined
  readonly #onRefusal: ((text: string) => void) | undefined
  readonly #circuit: Circuit
  readonly #health: HealthRecord
  readonly #budget: KeyBudget
  /** Number of attempts under way. */
  #attempting = 0
  #isClosed = false

  constructor(options: TransportOptions) {
    const { baseUrl, key, log, deadlineMs = 8000, maxBytes = defaultMaxBytes } = options
    const url = new URL(baseUrl)
    this.#prefix = url.pathname.replace(/\/+$/u, '')
    this.#origin = url.origin
    this.#headers = {
      'x-api-key': key,
      accept: 'application/json',
      'user-agent': options.userAgent ?? userAgent(),
    }
    this.#maxBytes = maxBytes
    this.#deadlineMs = deadlineMs
    this.#slowDeadlineMs = options.slowDeadlineMs ?? 30_000
    this.#retryPauseMs = options.retryPauseMs ?? 300
    this.#log = log
    this.#onLimited = options.onLimited
    this.#onRefusal = options.onRefusal
    this.#health = options.health ?? new HealthRecord()
    this.#budget = options.budget ?? new KeyBudget()
    const connections = {
      connections: maxConnections,
      connect: { timeout: 2500 },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      maxResponseSize: maxBytes,
    }
    this.#connections = connectionsTo(url.origin, connections, options.proxy)
    this.#circuit = new Circuit(options)
  }

  /**
   * Returns the parsed JSON of a 2xx answer. Retries connection errors, 429 and 5xx within the deadline.
   * @throws ApiError
   */
  async get(path: string, query: Query): Promise<unknown> {
    return (await this.measured(path, query)).body
  }

  /** As `get`, with the number of bytes. */
  measured(path: string, query: Query): Promise<Answer> {
    return this.#call({ method: 'GET', path, query })
  }

  /** As `get` for a POST: retries only if no connection was made, because the API may already have acted. */
  async post(path: string, query: Query, body: unknown): Promise<unknown> {
    return (await this.#call({ method: 'POST', path, query, body })).body
  }

  /** As `post`, with the longer timeout for requests that make the API compute something. */
  async slowPost(path: string, query: Query, body: unknown): Promise<unknown> {
    return (await this.#call({ method: 'POST', path, query, body, isSlow: true })).body
  }

  /** As `slowPost` with a form (multipart/form-data). */
  async upload(path: string, form: FormData): Promise<unknown> {
    return (await this.#call({ method: 'POST', path, query: {}, form, isSlow: true })).body
  }

  /** Whether calls wait for a connection: what nobody waits for would hold them up. */
  get isBusy(): boolean {
    return this.#attempting > maxConnections
  }

  health(): Health {
    return this.#health.read(this.#circuit.isOpen)
  }

  /** Waits for running calls, at most until their deadline, and closes the connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#connections.close()
  }

  async #call(request: Request): Promise<Answer> {
    const endpoint = `${request.method} ${request.path}`
    try {
      // Nothing is learned by a call that is not made.
      if (this.#circuit.isOpen) this.#refuseWhilePaused(endpoint)
      const answer = await this.#circuit.run(endpoint, request, (isShort) =>
        this.#attempts(endpoint, request, isShort),
      )
      this.#health.answered()
      return answer
    } catch (error) {
      if (error instanceof ApiError) {
        this.#log.debug({ kind: error.kind, status: error.status }, endpoint)
        this.#health.failed(error.kind)
      }
      throw error
    }
  }

  #attempts(what: string, request: Request, isShort: boolean): Promise<Answer> {
    const longest = request.isSlow ? this.#slowDeadlineMs : this.#deadlineMs
    const ms = Math.ceil(isShort ? longest / 2 : longest)
    const endsAt = performance.now() + ms
    const signal = AbortSignal.timeout(ms)
    return retry(() => this.#attempt(what, request, signal), {
      canRetry: (error) => this.#isRetryable(request, error, endsAt - performance.now()),
      maxTries: isShort ? 1 : maxRetries + 1,
      pause: (failures, error) => politePause(failures - 1, error, this.#retryPauseMs),
      signal,
    })
  }

  async #attempt(what: string, request: Request, signal: AbortSignal): Promise<Answer> {
    const { method, path, query, isSlow } = request
    this.#refuseWhilePaused(what)
    const defined = Object.fromEntries(
      Object.entries(query).filter(([, value]) => value !== undefined),
    )
    this.#attempting += 1
    try {
      const { type, body } = request.form ? await ofForm(request.form) : ofJson(request.body)
      const { statusCode, headers, text } = await requestText(
        this.#connections,
        {
          origin: this.#origin,
          method,
          path: `${this.#prefix}${path}`,
          query: defined,
          headers: type === undefined ? this.#headers : { ...this.#headers, 'content-type': type },
          body,
          ...(isSlow && {
            headersTimeout: this.#slowDeadlineMs,
            bodyTimeout: this.#slowDeadlineMs,
          }),
        },
        { maxBytes: this.#maxBytes, maxRefusalBytes, signal },
      )
      if (statusCode < 200 || statusCode >= 300) {
        throw this.#refusal(what, statusCode, { text, retryAfter: headers['retry-after'] })
      }
      return toAnswer(what, this.#onRefusal ? withoutKey(text, this.#key) : text)
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (!signal.aborted) throw connectionError(what, error)
      throw new ApiError('unavailable', `${what}: no answer before the deadline`)
    } finally {
      this.#attempting -= 1
    }
  }

  #refusal(
    what: string,
    status: number,
    { text, retryAfter }: { text: string; retryAfter: string | string[] | undefined },
  ): ApiError {
    // Untrusted: callers have to escape control characters.
    this.#onRefusal?.(withoutKey(text, this.#key).slice(0, maxCharacters))
    const kind = status === 403 && !isOfApi(text) ? 'blocked' : kindOf(status)
    const words = kind === 'invalid' ? refusalWords(withoutKey(text, this.#key)) : undefined
    const refusal = statusError(what, { kind, status, words }, retryAfter?.toString())
    if (status === 429) {
      this.#onLimited?.()
      this.#budget.limited(refusal.retryAfter)
    }
    return refusal
  }

  get #key(): string {
    return this.#headers['x-api-key'] ?? ''
  }

  #isRetryable(request: Request, error: unknown, remainingMs: number): boolean {
    if (this.#isClosed || !(error instanceof ApiError)) return false
    if (request.method === 'POST' && !wasNeverSent(error)) return false
    const isTemporary = error.kind === 'unavailable' || error.kind === 'rate-limited'
    return isTemporary && (error.retryAfter ?? 0) * 1000 < remainingMs
  }

  /** Fails for a call during a pause, which is retried if its deadline is later. */
  #refuseWhilePaused(what: string): void {
    const seconds = this.#budget.pause()
    if (seconds === 0) return
    throw new ApiError('rate-limited', `${what}: not asked, as the API wants a pause`, {
      retryAfter: seconds,
    })
  }
}

/**
 * Makes no calls of an API that was unavailable several times in a row. After a while one call tries it, and the others still
 * fail at once instead of waiting for that. Any answer below status 500 shows that the API works, also a refusal.
 */
class Circuit {
  readonly #breakAfter: number
  readonly #halfOpenAfterMs: number
  readonly #log: Logger
  /** Number of calls in a row that found the API unavailable. */
  #failures = 0
  #nextTrialAt = 0

  constructor({ breakAfter = 5, halfOpenAfterMs = 5000, log }: TransportOptions) {
    this.#breakAfter = breakAfter
    this.#halfOpenAfterMs = halfOpenAfterMs
    this.#log = log
  }

  get isOpen(): boolean {
    return this.#failures >= this.#breakAfter
  }

  /** @throws what the call throws; ApiError if no call is made now */
  async run<T>(
    what: string,
    { isSlow }: Pick<Request, 'isSlow'>,
    call: (isShort: boolean) => Promise<T>,
  ): Promise<T> {
    const isTrial = this.isOpen
    if (isTrial) {
      const now = performance.now()
      if (now < this.#nextTrialAt) throw new ApiError('unavailable', `${what}: circuit is open`)
      // A slow call may take all its time, but the others don't wait for it.
      this.#nextTrialAt = isSlow ? now + this.#halfOpenAfterMs : Number.POSITIVE_INFINITY
    }
    // A call that was made before the circuit opened says nothing of now: only the trial decides.
    const decides = () => isTrial || !this.isOpen
    try {
      const result = await call(isTrial && !isSlow)
      if (decides()) this.#answered()
      return result
    } catch (error) {
      if (!decides()) throw error
      if (error instanceof ApiError && error.kind === 'unavailable') this.#failed()
      else this.#answered()
      throw error
    }
  }

  #answered(): void {
    if (this.isOpen) this.#log.info('the API answers again, circuit closed')
    this.#failures = 0
  }

  #failed(): void {
    this.#failures += 1
    this.#nextTrialAt = performance.now() + this.#halfOpenAfterMs
    if (this.#failures === this.#breakAfter) {
      this.#log.warn('the API is unavailable, circuit opened')
    }
  }
}

/** A body as it is sent, and its type. */
function ofJson(body: unknown) {
  if (body === undefined) return { type: undefined, body: null }
  return { type: 'application/json', body: JSON.stringify(body) }
}

async function ofForm(form: FormData) {
  const multipart = new Response(form)
  const type = multipart.headers.get('content-type') ?? undefined
  return { type, body: await multipart.bytes() }
}

function wasNeverSent({ kind, status, cause }: ApiError): boolean {
  if (kind === 'rate-limited') return status === undefined
  return cause instanceof ConnectionFault && cause.neverSent
}

// The parser's error is not the cause: its message quotes the body.
function toAnswer(what: string, text: string): Answer {
  if (isNestedTooDeeply(text)) {
    throw new ApiError('malformed', `${what}: the answer is nested too deeply`)
  }
  try {
    return { body: parseJson(text.replace(/^\uFEFF/u, '')), bytes: Buffer.byteLength(text) }
  } catch {
    throw new ApiError('malformed', `${what}: the answer is not JSON`)
  }
}

/** Matches a number with more digits than a double can hold. */
const longNumber = /[:[,]\s*-?\d{16}/u

/**
 * Matches JSON's strings, to leave them alone, and numbers that are long or have an exponent; with the colon if they stand
 * where only a string may. A string whose end is missing matches, too, so that no part of it is looked at twice.
 */
const stringOrNumber =
  /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]{15,}(?:\s*:)?|-?\d[\d.]*[eE][\d+-]+(?:\s*:)?/gsu

/**
 * Parses JSON; integers beyond 2^53 become texts with all their digits. A reviver would do that, too, but holds the process
 * for two seconds if four megabytes are full of small values.
 */
function parseJson(text: string): unknown {
  return JSON.parse(longNumber.test(text) ? text.replace(stringOrNumber, quotedIfInexact) : text)
}

/** @throws SyntaxError for a number that JSON does not have */
function quotedIfInexact(token: string): string {
  if (token.startsWith('"')) return token
  const value: unknown = JSON.parse(token)
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? `"${token}"` : token
}

/** Milliseconds to wait before a retry: exponentially longer, by chance, in addition to the API's Retry-After. */
function politePause(retries: number, error: unknown, firstMs: number): number {
  const { retryAfter = 0 } = error instanceof ApiError ? error : {}
  return retryAfter * 1000 + Math.random() * Math.min(maxPauseMs, firstMs * 2 ** retries)
}

/** Max characters of an error body that are reported. */
const maxCharacters = 500
/** Max bytes read of an error body. Most are shorter: a connection whose answer is not read to its end is lost. */
const maxRefusalBytes = 131_072

/** Redacts the key in a received text, ignoring case, also in its JSON, URL and base64 forms. */
function withoutKey(text: string, key: string): string {
  if (key === '') return text
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]
  const pattern = forms.map((form) => [...form].map(escapePattern).join('')).join('|')
  return text.replaceAll(new RegExp(pattern, 'giu'), '[key]')
}

/** Builds a pattern for a character, plain or escaped as in JSON. */
function escapePattern(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  const plain = character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
  const escaped = '"\\/'.includes(character) ? `|\\\\${plain}` : ''
  return `(?:${plain}${escaped}|\\\\u${code})`
}

/**
 * A network error's code and message. The library's own error is never a cause, because some contain received bytes or
 * the request.
 */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly code: string
  /** No connection was made, so the API can't have acted on the request. */
  readonly neverSent: boolean

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : 'unknown fault')
    this.code = codeOf(error)
    this.neverSent = neverConnected(error)
  }
}

const tooLongCode = 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

/** Whether the answer exceeded the max bytes. */
export function isTooLong(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.cause instanceof ConnectionFault &&
    error.cause.code === tooLongCode
  )
}

/** Makes the error for a request without a complete answer. */
function connectionError(what: string, error: unknown): ApiError {
  if (error instanceof PackingError) return new ApiError('malformed', `${what}: ${error.message}`)
  const fault = new ConnectionFault(error)
  if (fault.code === tooLongCode) {
    return new ApiError('malformed', `${what}: the answer is too large`, { cause: fault })
  }
  return new ApiError('unavailable', `${what}: no answer (${fault.code})`, { cause: fault })
}

/** Makes the error for a status other than 2xx; `retryAfter` is the raw header. */
function statusError(
  what: string,
  { kind, status, words }: { kind: ApiErrorKind; status: number; words: string | undefined },
  retryAfter: string | undefined,
): ApiError {
  const seconds = retryAfter === undefined ? undefined : secondsUntil(retryAfter)
  return new ApiError(kind, `${what}: answered ${status}`, {
    status,
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
    ...(words === undefined ? {} : { words }),
  })
}

/**
 * Whether the body of a 403 is the API's own: an object in JSON, as NestJS answers a wrong key. A firewall before the API answers
 * with a page. That the answer came through Cloudflare (`server: cloudflare`, `cf-ray`) says nothing: every answer does. Cloudflare's
 * own errors come as JSON to clients that accept it, and then have `cloudflare_error`:
 * https://developers.cloudflare.com/changelog/post/2026-03-11-json-rfc9457-responses-for-1xxx-errors/
 */
function isOfApi(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text.replace(/^\uFEFF/u, ''))
    return isObject(body) && body.cloudflare_error !== true
  } catch {
    return false
  }
}

function kindOf(status: number): ApiErrorKind {
  if (status === 401) return 'unauthorised'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not-found'
  if (status === 429) return 'rate-limited'
  if (status >= 500) return 'unavailable'
  // Redirects are not followed: that would send the key to another host.
  return status >= 400 ? 'invalid' : 'malformed'
}

/** Parses a Retry-After header (seconds or an HTTP date) to seconds from now; undefined if it is neither. */
export function secondsUntil(retryAfter: string, now = Date.now()): number | undefined {
  const text = retryAfter.trim()
  if (/^\d{1,9}$/u.test(text)) return Number(text)
  // Date.parse reads bare numbers as years.
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

/** Milliseconds between two calls that nobody waits for, after the first 429, and at most. */
const spacing = { first: 500, max: 4_000 }
/** Milliseconds after which the spacing is halved, if there was no further 429. */
const spacingLasts = 60_000
/** Milliseconds in which 429s count as one: calls that were made together are refused together. */
const limitedTogether = 1_000

/**
 * Keeps the API's limit of calls for a key, which all clients of the process share: after a 429 none of them calls until
 * the Retry-After has passed. Then calls that nobody waits for are spaced for some minutes, so that people's go first.
 */
export class KeyBudget {
  readonly #now: () => number
  #pausedUntil = 0
  #limitedAt = Number.NEGATIVE_INFINITY
  #spacing = 0
  /** When the next call that nobody waits for may be made. */
  #nextTurn = 0

  /** @param now milliseconds on a clock that never jumps */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Notes a 429, with the seconds of its Retry-After. */
  limited(retryAfter = 0): void {
    const now = this.#now()
    if (now - this.#limitedAt > limitedTogether) {
      this.#spacing = Math.min(spacing.max, Math.max(spacing.first, 2 * this.#currentSpacing()))
    }
    this.#limitedAt = now
    const seconds = Math.max(pauseSeconds.min, Math.min(retryAfter, pauseSeconds.max))
    this.#pausedUntil = Math.max(this.#pausedUntil, now + seconds * 1000)
  }

  /** Whole seconds for which no call may be made. */
  pause(): number {
    return Math.max(0, Math.ceil((this.#pausedUntil - this.#now()) / 1000))
  }

  /** Whether the API has limited the key within the last minutes: what can be done without is not asked for. */
  get isScarce(): boolean {
    return this.#currentSpacing() > 0
  }

  /** Takes the next turn of calls that nobody waits for; returns the milliseconds until then. */
  takeTurn(): number {
    const now = this.#now()
    const each = this.#currentSpacing()
    const at = Math.max(now, this.#nextTurn, this.#pausedUntil + each)
    this.#nextTurn = at + each
    return at - now
  }

  #currentSpacing(): number {
    const halvings = Math.floor((this.#now() - this.#limitedAt) / spacingLasts)
    const current = this.#spacing / 2 ** halvings
    return current < spacing.first ? 0 : current
  }
}

/** Health of the API, for /healthz. */
export interface Health {
  /**
   * `unknown`: no call yet. `degraded`: the last call failed. `down`: the circuit is open, or the API rejects our
   * key.
   */
  state: 'unknown' | 'ok' | 'degraded' | 'down'
  /** Time of the last answer; absent before the first. */
  lastAnswer?: Date
  /** Kind of the last call's failure; absent if it succeeded. */
  failure?: ApiErrorKind
}

/** Records the results of the last calls of all clients that share it. */
export class HealthRecord {
  #lastAnswer: Date | undefined
  #failure: ApiErrorKind | undefined

  answered(): void {
    this.#lastAnswer = new Date()
    this.#failure = undefined
  }

  failed(kind: ApiErrorKind): void {
    // These two are caused by the request, not by the API.
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
    // If a shared client had an answer since, our open circuit does not mean that the API is down.
    if (this.#failure !== undefined) return circuitOpen ? 'down' : 'degraded'
    return this.#lastAnswer === undefined ? 'unknown' : 'ok'
  }
}
