import type { IncomingMessage, ServerResponse } from 'node:http'
import busboy from 'busboy'
import {
  invalidApiVersion,
  invalidForm,
  invalidJson,
  methodNotAllowed,
  notFound,
  Refusal,
  tooLarge,
  unauthorized,
} from '../check/form.ts'
import type { Upload } from '../check/message.ts'
import type { RateLimits, Verdict } from '../limits.ts'
import type { FileStore, Tally } from '../world.ts'

/** A REST call as it came in and was answered. */
export interface Call {
  method: string
  /** The route's pattern, such as `/channels/:id/messages`. */
  route: string
  path: string
  body: unknown
  status: number
  /** What went wrong inside the stand-in, for a 500 that no rule gave. */
  fault?: unknown
}

interface RestOptions {
  token: string
  router: Router
  files: FileStore
  limits: RateLimits | undefined
  tally: Tally
  answerDelayMs: number
}

const keptCalls = 1_000
const invalidStatuses = new Set([401, 403, 429])

/** The HTTP side: authorisation, rate limits, routing, delays and the log of calls. */
export class RestServer {
  readonly #options: RestOptions
  readonly #delays = new Set<NodeJS.Timeout>()
  /** How Discord goes wrong at the moment. */
  readonly faults = new Faults()
  calls: Call[] = []
  /** Answers of 401, 403 and 429: Discord bans an address after 10,000 of them in ten minutes. */
  invalidRequests = 0
  answerDelayMs: number

  constructor(options: RestOptions) {
    this.#options = options
    this.answerDelayMs = options.answerDelayMs
  }

  readonly listen = (request: IncomingMessage, response: ServerResponse): void => {
    const [path = '/', search = ''] = (request.url ?? '/').split('?', 2)
    if (path.startsWith('/attachments/')) this.#sendFile(path, response)
    else void this.#serve(request, response, path, search)
  }

  stop(): void {
    for (const delay of this.#delays) clearTimeout(delay)
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    search: string,
  ): Promise<void> {
    const call: Call = {
      method: request.method ?? 'GET',
      route: path,
      path,
      body: undefined,
      status: 0,
    }
    const headers: Record<string, string> = {}
    let answer: RestAnswer
    let fault: Fault | undefined
    try {
      const body = await readBody(request)
      call.body = body.json
      const match = this.#match(call)
      call.route = match.route.name.slice(match.route.name.indexOf(' ') + 1)
      fault = this.faults.take(match.route.name)
      // Its connection stays open without an answer, until either side has enough.
      if (fault?.kind === 'silent') return this.#log(call)
      answer =
        this.#faulty(fault, headers) ?? (await this.#answer(request, match, body, search, headers))
    } catch (cause) {
      answer = this.#refusal(cause, call)
    }
    call.status = answer.status
    this.#log(call)
    if (fault?.kind === 'reset') request.socket.destroy()
    if (fault?.kind === 'reset' || fault?.kind === 'mute') return
    this.#later(() => send(response, answer, headers))
  }

  #faulty(fault: Fault | undefined, headers: Record<string, string>): RestAnswer | undefined {
    const answer = fault && faultAnswer(fault)
    Object.assign(headers, answer?.headers)
    return answer
  }

  #answer(
    request: IncomingMessage,
    match: Match,
    body: Body,
    search: string,
    headers: Record<string, string>,
  ): RestAnswer | Promise<RestAnswer> {
    if (
      match.route.access === 'bot' &&
      request.headers.authorization !== `Bot ${this.#options.token}`
    )
      throw unauthorized()
    const verdict = this.#limit(match)
    Object.assign(headers, verdict?.headers)
    if (verdict?.retryAfter !== undefined) {
      this.#options.tally.countLimited(verdict.global ? 'global' : match.route.name)
      return tooMany(verdict.retryAfter, verdict.global)
    }
    const query = new URLSearchParams(search)
    return match.route.handle({ params: match.params, query, body: body.json, files: body.files })
  }

  #match(call: Call): Match {
    const version = /^\/api\/v(\d+)(?=\/)/.exec(call.path)
    if (version === null) throw notFound()
    if (version[1] !== '10') throw invalidApiVersion()
    const match = this.#options.router.match(call.method, call.path.slice(version[0].length))
    if (match === 'no route') throw notFound()
    if (match === 'wrong method') throw methodNotAllowed()
    return match
  }

  #limit({ route, params }: Match): Verdict | undefined {
    if (route.unlimited) return undefined
    const major = params.slice(0, route.major).join(':')
    return this.#options.limits?.take(route.name, major, route.access === 'bot')
  }

  #refusal(fault: unknown, call: Call): RestAnswer {
    if (fault instanceof Refusal) return { status: fault.status, body: fault.body() }
    call.fault = fault
    return { status: 500, body: { message: '500: Internal Server Error', code: 0 } }
  }

  #log(call: Call): void {
    if (invalidStatuses.has(call.status)) this.invalidRequests++
    this.calls.push(call)
    if (this.calls.length > 2 * keptCalls) this.calls = this.calls.slice(-keptCalls)
  }

  #later(act: () => void): void {
    if (this.answerDelayMs === 0) {
      act()
      return
    }
    const delay = setTimeout(() => {
      this.#delays.delete(delay)
      act()
    }, this.answerDelayMs)
    this.#delays.add(delay)
  }

  #sendFile(path: string, response: ServerResponse): void {
    const file = this.#options.files.get(path.split('/')[3] ?? '')
    if (file === undefined) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'Content-Type': file.contentType,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    })
    response.end(file.bytes)
  }
}

function tooMany(retryAfter: number, global: boolean): RestAnswer {
  const message = 'You are being rate limited.'
  return { status: 429, body: { message, retry_after: retryAfter, global } }
}

function send(response: ServerResponse, answer: RestAnswer, headers: Record<string, string>): void {
  if (answer.body === undefined) {
    response.writeHead(answer.status, headers).end()
    return
  }
  const json = JSON.stringify(answer.body)
  response.writeHead(answer.status, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(json),
  })
  response.end(json)
}

/** A parsed REST call as a handler gets it. */
export interface RestRequest {
  /** The values of the path's `:` parts, in order. */
  params: readonly string[]
  query: URLSearchParams
  body: unknown
  files: Upload[]
}

interface RestAnswer {
  status: number
  /** Sent as JSON; left out for 204. */
  body?: unknown
}

export interface Route {
  /** Such as `POST /channels/:id/messages`; its text also names the route in the log and the buckets. */
  name: string
  /** `bot` wants the bot's token; `open` routes carry a token of their own in the path. */
  access: 'bot' | 'open'
  /** How many leading params make the major parameter of the rate limit. */
  major: number
  /** Whether the route has no bucket of its own to be limited by. */
  unlimited?: boolean
  handle: (request: RestRequest) => RestAnswer | Promise<RestAnswer>
}

interface Match {
  route: Route
  params: string[]
}

interface Compiled {
  route: Route
  method: string
  parts: string[]
}

/** Finds the route of a call; a path known only for other methods is told apart from an unknown one. */
export class Router {
  readonly #routes = new Map<string, Compiled[]>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const [method = '', path = ''] = route.name.split(' ')
      const parts = path.split('/').slice(1)
      const key = `${parts.length}/${parts[0]}`
      this.#routes.set(key, [...(this.#routes.get(key) ?? []), { route, method, parts }])
    }
  }

  match(method: string, path: string): Match | 'no route' | 'wrong method' {
    const parts = path.split('/').slice(1)
    const candidates = this.#routes.get(`${parts.length}/${parts[0]}`) ?? []
    let known = false
    for (const candidate of candidates) {
      const params = paramsOf(candidate.parts, parts)
      if (params === undefined) continue
      if (candidate.method === method) return { route: candidate.route, params }
      known = true
    }
    return known ? 'wrong method' : 'no route'
  }
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): string[] | undefined {
  const params: string[] = []
  for (const [index, part] of pattern.entries()) {
    const given = parts[index] ?? ''
    // The only character of these paths that clients escape is the one in `@original`.
    if (part.startsWith(':')) params.push(given.replace('%40', '@'))
    else if (part !== given) return undefined
  }
  return params
}

/** A request's JSON and the files beside it. */
interface Body {
  json: unknown
  files: Upload[]
}

const maxBytes = 25 * 1024 * 1024
const maxFileBytes = 10 * 1024 * 1024

/** Reads a whole request as Discord takes it: JSON, or multipart with `payload_json` and `files[n]`. */
async function readBody(request: IncomingMessage): Promise<Body> {
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return readMultipart(request)
  const text = await readText(request)
  if (text === '') return { json: undefined, files: [] }
  if (!type.startsWith('application/json'))
    throw invalidForm([
      {
        path: '',
        code: 'CONTENT_TYPE_INVALID',
        message: `Expected "Content-Type" header to be one of {'application/json'}.`,
      },
    ])
  return { json: parse(text), files: [] }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
    })
    request.on('end', () => {
      if (size > maxBytes) reject(tooLarge())
      else resolve(chunks.length === 1 ? String(chunks[0]) : String(Buffer.concat(chunks)))
    })
    request.on('error', reject)
  })
}

function readMultipart(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers: request.headers, limits: { fileSize: maxFileBytes } })
    const files: Upload[] = []
    let json: unknown
    let fault: unknown
    parser.on('field', (name, value) => {
      if (name !== 'payload_json') return
      try {
        json = parse(value)
      } catch (cause) {
        fault = cause
      }
    })
    parser.on('file', (field, stream, info) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('limit', () => {
        fault = tooLarge()
      })
      stream.on('end', () =>
        files.push({
          index: Number(/^files\[(\d+)\]$/.exec(field)?.[1] ?? files.length),
          name: info.filename ?? '',
          contentType: info.mimeType,
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    parser.on('error', reject)
    parser.on('close', () => (fault === undefined ? resolve({ json, files }) : reject(fault)))
    request.pipe(parser)
  })
}

/**
 * A way in which Discord goes wrong: `status` answers with one (500 unless said otherwise) and does nothing, `limited`
 * with 429, `silent` neither does nor answers anything, `mute` does it and never answers, `reset` does it and breaks
 * the connection.
 */
interface Fault {
  kind: 'status' | 'limited' | 'silent' | 'mute' | 'reset'
  /** Only this route, as in `POST /channels/:id/messages`; else all. */
  route?: string
  /** How many calls go wrong; without it, all until `clear`. */
  times?: number
  status?: number
  /** Discord's own code in the body, with `status`. */
  code?: number
  /** Seconds, with `limited`. */
  retryAfter?: number
  /** Whether `limited` is the limit on all calls. */
  global?: boolean
}

/** What to answer in place of the right answer. */
interface FaultAnswer extends RestAnswer {
  headers: Record<string, string>
}

/** The faults in force: the one of the call's own route comes before that of all. */
export class Faults {
  readonly #byRoute = new Map<string, { fault: Fault; left: number }>()

  /** Puts a fault in force, in place of the one of the same route. */
  set(fault: Fault): void {
    this.#byRoute.set(fault.route ?? '', { fault, left: fault.times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#byRoute.clear()
  }

  /** The fault that befalls a call, counted as used. */
  take(route: string): Fault | undefined {
    const key = this.#byRoute.has(route) ? route : ''
    const entry = this.#byRoute.get(key)
    if (entry === undefined) return undefined
    entry.left -= 1
    if (entry.left <= 0) this.#byRoute.delete(key)
    return entry.fault
  }
}

/** The answer of a fault that gives one instead of doing what was asked. */
function faultAnswer(fault: Fault): FaultAnswer | undefined {
  if (fault.kind === 'status') {
    const { status = 500, code = 0 } = fault
    return { status, headers: {}, body: { message: `${status}: Something went wrong`, code } }
  }
  if (fault.kind !== 'limited') return undefined
  const { retryAfter = 1, global = false } = fault
  const headers = {
    'Retry-After': String(Math.ceil(retryAfter)),
    'X-RateLimit-Scope': global ? 'global' : 'shared',
    ...(global ? { 'X-RateLimit-Global': 'true' } : {}),
  }
  const body = { message: 'You are being rate limited.', retry_after: retryAfter, global }
  return { status: 429, headers, body }
}
