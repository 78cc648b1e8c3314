import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fault, Faults, faultAnswer } from '../faults.ts'
import type { FileStore } from '../files.ts'
import type { RateLimits, Verdict } from '../limits.ts'
import { invalidApiVersion, methodNotAllowed, notFound, Refusal, unauthorized } from '../refusal.ts'
import type { Tally } from '../tally.ts'
import { type Body, readBody } from './body.ts'
import type { Match, RestAnswer, Router } from './router.ts'

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

export interface RestOptions {
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
