import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pause } from '../faults.ts'
import { LocalPort, readForm } from '../http.ts'
import { Recent, Tally } from '../traffic.ts'
import type { Api } from './api.ts'
import { callbackPatience, InlineCache, inlinePatience, PendingQueries } from './callbacks.ts'
import { Circumstances } from './circumstances.ts'
import { Files } from './content.ts'
import { FloodLimits, type FloodOptions } from './limits.ts'
import { methods } from './methods.ts'
import { badRequest, type Fields, isFields, Params, Refusal } from './params.ts'
import { People } from './people.ts'
import { loadTdlib } from './tdlib.ts'
import { UpdateQueue, Webhook } from './updates.ts'
import { World } from './world.ts'

interface TelegramOptions {
  token: string
  /** Whether flood control answers 429, and from how much on; as Telegram does unless told otherwise. */
  floodLimits?: boolean | FloodOptions
  /** As the server's; 0 by default. */
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
  readonly calls = new CallLog(2_000)
  /** The humans: what they type, press and see. */
  readonly people: People
  /** What befalls people and places. */
  readonly circumstances: Circumstances
  /** What befalls calls; undefined lets one through. */
  fault: (method: string) => Fault | undefined = () => undefined
  readonly api: Api
  /** Milliseconds by which every answer is delayed, to stand for the way to Telegram. */
  answerDelayMs: number
  #token: string | undefined
  readonly #port: LocalPort
  readonly #stopping = new AbortController()
  #root = ''

  private constructor(options: TelegramOptions) {
    const now = options.now ?? Date.now
    const world = new World(options.token, now)
    const queue = new UpdateQueue(100_000_000 + Math.floor((now() / 1000) % 100_000_000), now)
    this.#token = options.token
    this.answerDelayMs = options.answerDelayMs ?? 0
    this.api = {
      world,
      queue,
      webhook: new Webhook(queue, now, (method, payload) => this.#runQuietly(method, payload)),
      limits: limitsOf(options.floodLimits ?? true, now),
      tally: new Tally(),
      files: new Files(),
      callbacks: new PendingQueries(now, callbackPatience),
      inlineQueries: new PendingQueries(now, inlinePatience),
      inlineCache: new InlineCache(now),
    }
    world.events.on('stored', ({ chat }, { byBot }) => {
      if (byBot) this.api.tally.countSent(chat.id)
    })
    this.people = new People(this.api)
    this.circumstances = new Circumstances(this.api)
    const http = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(asError(error)))
    })
    this.#port = new LocalPort(http)
  }

  /** Starts listening on 127.0.0.1; throws where TDLib isn't installed. */
  static async start(options: TelegramOptions): Promise<TelegramServer> {
    loadTdlib()
    const telegram = new TelegramServer(options)
    telegram.#root = `http://127.0.0.1:${await telegram.#port.open()}`
    return telegram
  }

  /** What grammY takes as `apiRoot`, without a slash at the end. */
  get root(): string {
    return this.#root
  }

  /** The owner asks @BotFather for another token: whoever has the one that there was is refused from now on. */
  revokeToken(): void {
    this.#token = undefined
  }

  /** Refuses every connection until `up`. */
  down(): Promise<void> {
    return this.#port.close()
  }

  /** Listens again, at the address that it had before. */
  async up(): Promise<void> {
    await this.#port.open()
  }

  async stop(): Promise<void> {
    this.api.queue.stop()
    this.api.callbacks.stop()
    this.api.inlineQueries.stop()
    this.#stopping.abort()
    await this.api.webhook.stop()
    await this.down()
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
    if (fault instanceof Refusal) {
      const logged = this.calls.begin(rest)
      this.#refused(logged, fault)
      return this.#send(response, failure(fault.code, fault.message, fault))
    }
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
    fault: Exclude<Fault, Refusal> | undefined,
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
    if (refusal.code === 429) this.api.tally.refused += 1
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

  async #send(response: ServerResponse, { status, body }: Answer): Promise<void> {
    if (this.answerDelayMs > 0) await pause(this.answerDelayMs, this.#stopping.signal)
    const length = Buffer.byteLength(body)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': length })
    response.end(body)
  }
}

/** One call of the Bot API as the log keeps it. */
interface LoggedCall {
  method: string
  payload: Readonly<Record<string, unknown>>
  /** 0 while the call is under way. */
  status: number
  /** The description of a refused call. */
  description?: string
}

class CallLog extends Recent<LoggedCall> {
  /** Notes a call before it has any effect, so that whoever sees an effect finds its call here. */
  begin(method: string, payload: LoggedCall['payload'] = {}): LoggedCall {
    const call = { method, payload, status: 0 }
    this.add(call)
    return call
  }

  /** The calls of one method. */
  of(method: string): LoggedCall[] {
    return this.all.filter((call) => call.method === method)
  }
}

function limitsOf(wanted: boolean | FloodOptions, now: () => number): FloodLimits | undefined {
  if (wanted === false) return undefined
  return wanted === true ? new FloodLimits(now) : new FloodLimits(now, wanted)
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
    const { fields, files } = await parseMultipart(await readBody(request, uploadLimit), type)
    return new Params({ ...fromQuery, ...fields }, files)
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

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const bytes = await buffer(request)
  if (bytes.length > limit) throw new Refusal(413, 'Request Entity Too Large')
  return bytes
}

// grammY writes neither the blanks nor the quotes of the standard; the Bot API takes that.
const looseHeader =
  /(?<=\r\ncontent-disposition:) *form-data; *(name="[^"\r\n]*")(?:; *filename="?([^"\r\n]*)"?)?(?=\r\n)/giu

async function parseMultipart(body: Buffer, type: string) {
  const strict = body
    .toString('latin1')
    .replace(looseHeader, (_, name: string, file?: string) =>
      ['form-data', name, ...(file === undefined ? [] : [`filename="${file}"`])].join('; '),
    )
  const form = await readForm(Buffer.from(strict, 'latin1'), type).catch(() => {
    throw badRequest("can't parse a part of the multipart request")
  })
  return { ...form, files: new Map(form.files.map((file) => [file.field, file])) }
}

/**
 * What befalls a call. `mute`: it is done and never answered. `stumble`: it is done and answered with a 500. `fail`: it
 * is not done and answered with a 500. `cut`: it is not done, and the connection breaks. A refusal: it is not done, and
 * answered with that.
 */
export type Fault = 'mute' | 'stumble' | 'fail' | 'cut' | Refusal
