import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Api } from './api.ts'
import { callbackPatience, InlineCache, inlinePatience, PendingQueries } from './callbacks.ts'
import { Circumstances } from './circumstances.ts'
import { CommandLists } from './commands.ts'
import { Files } from './content.ts'
import { FloodLimits, type FloodOptions } from './limits.ts'
import { methods } from './methods/table.ts'
import { badRequest, type Fields, isFields, Params, Refusal, type Upload } from './params.ts'
import { People } from './people/people.ts'
import { CallLog, type LoggedCall, Tally } from './tally.ts'
import { UpdateQueue, Webhook } from './updates.ts'
import { World } from './world.ts'

interface TelegramOptions {
  /** 0, the default, takes a free one. */
  port?: number
  token: string
  /** Whether flood control answers 429, and from how much on; as Telegram does unless told otherwise. */
  floodLimits?: boolean | FloodOptions
  /** Milliseconds by which every answer is delayed, to stand for the way to Telegram. */
  answerDelayMs?: number
  /** Milliseconds since 1970. */
  now?: () => number
}

interface Answer {
  status: number
  body: string
}

/** A stand-in for the Bot API, as strict as the real one where a bot can go wrong; development and tests only. */
export class TelegramServer {
  readonly calls = new CallLog()
  /** The humans: what they type, press and see. */
  readonly people: People
  /** What befalls people and places. */
  readonly circumstances: Circumstances
  /** What befalls calls; undefined lets one through. */
  fault: (method: string) => Fault | undefined = () => undefined
  readonly api: Api
  readonly #token: string
  readonly #delay: number
  readonly #server: Server
  readonly #delayed = new Set<NodeJS.Timeout>()
  #root = ''

  private constructor(options: TelegramOptions) {
    const now = options.now ?? Date.now
    const world = new World(options.token, now)
    const queue = new UpdateQueue(100_000_000 + Math.floor((now() / 1000) % 100_000_000))
    this.#token = options.token
    this.#delay = options.answerDelayMs ?? 0
    this.api = {
      world,
      queue,
      webhook: new Webhook(queue, now, (method, payload) => this.#runQuietly(method, payload)),
      limits: limitsOf(options.floodLimits ?? true, now),
      tally: new Tally(world),
      files: new Files(),
      commands: new CommandLists(),
      callbacks: new PendingQueries(now, callbackPatience),
      inlineQueries: new PendingQueries(now, inlinePatience),
      inlineCache: new InlineCache(now),
    }
    this.people = new People(this.api)
    this.circumstances = new Circumstances(this.api)
    this.#server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(asError(error)))
    })
  }

  /** Starts listening on 127.0.0.1. */
  static async start(options: TelegramOptions): Promise<TelegramServer> {
    const telegram = new TelegramServer(options)
    await telegram.#listen(options.port ?? 0)
    return telegram
  }

  /** What grammY takes as `apiRoot`, without a slash at the end. */
  get root(): string {
    return this.#root
  }

  /** Refuses every connection until `up`. */
  async down(): Promise<void> {
    if (!this.#server.listening) return
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  /** Listens again, at the address that it had before. */
  async up(): Promise<void> {
    if (!this.#server.listening) await this.#listen(Number(new URL(this.#root).port))
  }

  async stop(): Promise<void> {
    this.api.queue.stop()
    this.api.callbacks.stop()
    this.api.inlineQueries.stop()
    for (const timer of this.#delayed) clearTimeout(timer)
    await this.api.webhook.stop()
    await this.down()
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', () => {
        const address = this.#server.address()
        if (address !== null && typeof address === 'object')
          this.#root = `http://127.0.0.1:${address.port}`
        resolve()
      })
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const [, area, token, rest] = /^\/(bot|file\/bot)([^/]*)\/(.+)$/u.exec(path) ?? []
    if (area === undefined || rest === undefined)
      return this.#send(response, failure(404, 'Not Found'))
    if (decoded(token ?? '') !== this.#token)
      return this.#send(response, failure(401, 'Unauthorized'))
    if (area === 'file/bot') return this.#sendFile(response, decoded(rest))
    const fault = this.fault(rest)
    if (fault === 'cut') return void response.destroy()
    const answer = await this.#call(rest, request, query, response, fault)
    // The connection stays open until the other side gives up.
    if (fault === 'mute') return
    if (!response.destroyed) this.#send(response, answer)
  }

  async #call(
    method: string,
    request: IncomingMessage,
    query: string,
    response: ServerResponse,
    fault: Fault | undefined,
  ): Promise<Answer> {
    const logged = this.calls.begin(method)
    try {
      const params = await readParams(request, query)
      logged.payload = params.payload
      if (fault === 'fail') throw new Refusal(500, 'Internal Server Error')
      const body = await this.#run(method, params, (callback) => response.on('close', callback))
      if (fault === 'stumble') throw new Refusal(500, 'Internal Server Error')
      logged.status = 200
      return { status: 200, body }
    } catch (error) {
      const refusal = this.#refused(logged, error)
      return failure(refusal.code, refusal.message, refusal)
    }
  }

  async #run(
    name: string,
    params: Params,
    onHangUp: (callback: () => void) => void,
  ): Promise<string> {
    const method = methods.get(name.toLowerCase())
    if (!method) throw new Refusal(404, 'Not Found: method not found')
    const result = method(this.api, params, onHangUp)
    return JSON.stringify({ ok: true, result: result instanceof Promise ? await result : result })
  }

  /** Runs the call in a webhook's answer; Telegram does not tell the bot how that went, the log does. */
  async #runQuietly(method: string, payload: LoggedCall['payload']): Promise<void> {
    const logged = this.calls.begin(method, payload)
    try {
      await this.#run(method, new Params(payload), () => undefined)
      logged.status = 200
    } catch (error) {
      this.#refused(logged, error)
    }
  }

  #refused(logged: LoggedCall, error: unknown): Refusal {
    const refusal = asRefusal(error)
    logged.status = refusal.code
    logged.description = refusal.message
    if (refusal.code === 429) this.api.tally.refuse()
    return refusal
  }

  #sendFile(response: ServerResponse, path: string): void {
    const file = this.api.files.byPath(path)
    if (!file) {
      this.#send(response, notFound)
      return
    }
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': file.bytes.length,
    })
    response.end(file.bytes)
  }

  #send(response: ServerResponse, answer: Answer): void {
    if (this.#delay === 0) {
      finish(response, answer)
      return
    }
    const timer = setTimeout(() => {
      this.#delayed.delete(timer)
      finish(response, answer)
    }, this.#delay)
    this.#delayed.add(timer)
  }
}

function limitsOf(wanted: boolean | FloodOptions, now: () => number): FloodLimits | undefined {
  if (wanted === false) return undefined
  return wanted === true ? new FloodLimits(now) : new FloodLimits(now, wanted)
}

function finish(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function failure(code: number, description: string, refusal?: Refusal): Answer {
  const parameters = refusal?.parameters
  const body = { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) }
  return { status: code, body: JSON.stringify(body) }
}

/** The path as it was meant, or as it stands where it is no valid encoding. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const notFound = failure(404, 'Not Found')

/** What is no refusal is a fault of the sandbox; the bot sees it as Telegram's own 500. */
const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal(500, `Internal Server Error: ${asError(error).message}`)

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

const bodyLimit = 1 << 20
/** The Bot API takes uploads of up to 50 MB. */
const uploadLimit = 50 << 20

/** Reads the parameters of a call from the query and from a JSON, form or multipart body; throws a Refusal. */
async function readParams(request: IncomingMessage, query: string): Promise<Params> {
  const fromQuery = query === '' ? {} : fromForm(query)
  if (request.method !== 'POST') return new Params(fromQuery)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) {
    const { values, files } = parseMultipart(await readBody(request, uploadLimit), type)
    return new Params({ ...fromQuery, ...values }, files)
  }
  const body = (await readBody(request, bodyLimit)).toString('utf8')
  if (body === '') return new Params(fromQuery)
  const sent = type.startsWith('application/json') ? fromJson(body) : fromForm(body)
  return new Params(query === '' ? sent : { ...fromQuery, ...sent })
}

const fromForm = (form: string): Record<string, unknown> =>
  Object.fromEntries(new URLSearchParams(form))

function fromJson(body: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw badRequest("can't parse request JSON object")
  }
  if (!isFields(value)) throw badRequest('object expected as request body')
  return value
}

function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) reject(new Refusal(413, 'Request Entity Too Large'))
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

interface Multipart {
  values: Record<string, string>
  files: Map<string, Upload>
}

const headersEnd = Buffer.from('\r\n\r\n')

/**
 * Splits a multipart body. No library is used since grammY sends file names unquoted, blanks and all, which the
 * Bot API takes and strict parsers refuse.
 */
function parseMultipart(body: Buffer, contentType: string): Multipart {
  const boundary = /boundary="?([^";]+)"?/iu.exec(contentType)?.[1]
  if (boundary === undefined) throw badRequest("can't find boundary in the multipart request")
  const result: Multipart = { values: {}, files: new Map() }
  const opening = Buffer.from(`--${boundary}`)
  const separator = Buffer.from(`\r\n--${boundary}`)
  let start = body.indexOf(opening)
  if (start < 0) throw badRequest("can't find the first part of the multipart request")
  start += opening.length
  // Two dashes after a boundary end the body.
  while (body.toString('latin1', start, start + 2) === '\r\n') {
    const end = body.indexOf(separator, start)
    if (end < 0) throw badRequest("can't find the end of a part of the multipart request")
    addPart(body.subarray(start + 2, end), result)
    start = end + separator.length
  }
  return result
}

function addPart(part: Buffer, { values, files }: Multipart): void {
  const split = part.indexOf(headersEnd)
  const head = part.toString('utf8', 0, Math.max(split, 0))
  const name = /\bname="([^"]*)"/iu.exec(head)?.[1]
  if (split < 0 || name === undefined)
    throw badRequest("can't parse a part of the multipart request")
  const content = part.subarray(split + headersEnd.length)
  const file = /\bfilename=(?:"([^"]*)"|([^;\r\n]*))/iu.exec(head)
  if (!file) {
    values[name] = content.toString('utf8')
    return
  }
  const type = /^content-type:\s*(\S+)/imu.exec(head)?.[1] ?? 'application/octet-stream'
  files.set(name, { name: file[1] ?? file[2] ?? '', type, bytes: Buffer.from(content) })
}

/**
 * What befalls a call. `mute`: it is done and never answered. `stumble`: it is done and answered with a 500. `fail`: it
 * is not done and answered with a 500. `cut`: it is not done, and the connection breaks.
 */
export type Fault = 'mute' | 'stumble' | 'fail' | 'cut'
