import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { type Adapter, type Webhook, type WebhookAnswer, webhookPathOf } from '../core/adapter.ts'
import { withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'

/** The sources of the routes. Health, readiness and metrics contain no secrets and nothing about users. */
export interface WebParts {
  /** State of each part, by name. */
  health: () => Record<string, unknown>
  ready: () => Promise<Ready>
  /** Prometheus metrics. */
  metrics: () => Promise<{ type: string; text: string }>
  /** The routes of the signing page; undefined if none is served. */
  signing?: Hono<{ Bindings: Partial<HttpBindings> }> | undefined
  /** Adapters with webhooks; each limits and answers its own requests. */
  platforms?: readonly Pick<Adapter, 'name' | 'webhook'>[]
  /** Proves to whoever has the same settings that the public address leads here. */
  identity: Identity
  log: Logger
}

/**
 * Milliseconds that a request may take to arrive, after which that is checked, and for which a client may take nothing of its
 * answer; and open connections.
 */
const defaultLimits = {
  connectionsCheckingInterval: 1_000,
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  answerTimeout: 10_000,
  maxConnections: 1_000,
}
/** Requests that a client may send before it has taken the answer to the first; proxies send one at a time. */
const maxUnanswered = 4
/** Milliseconds for which a stop waits for requests under way. */
const stopGraceMs = 500

/** Makes what answers people and monitoring. */
function webApp(parts: WebParts) {
  const { health, ready, metrics, signing, identity, log } = parts
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  app.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
    context.header('x-content-type-options', 'nosniff')
  })
  app.get('/healthz', (context) => context.json({ status: 'ok', parts: health() }))
  app.get('/readyz', async (context) => {
    const { status, parts } = await ready()
    const serves = status === 'ready' || status === 'degraded'
    return context.json({ status, parts }, serves ? 200 : 503)
  })
  app.get('/metrics', async (context) => {
    const { type, text } = await metrics()
    return context.body(text, 200, { 'content-type': type })
  })
  app.get(`${identityPath}/:nonce`, (context) => {
    const nonce = context.req.param('nonce')
    if (!isNonce(nonce)) return context.notFound()
    return context.text(identity(nonce, context.req.header(identityHeader) ?? ''))
  })
  if (signing) app.route('/s', signing)
  app.notFound((context) => context.json({ error: 'not found' }, 404))
  app.onError((error, context) => {
    noteFault(log, error, context.env, 'a request could not be answered')
    return context.json({ error: 'something went wrong' }, 500)
  })
  return app
}

/** Logs an uncaught error of a route. A request that the client aborted is not an error. */
export function noteFault(
  log: Logger,
  error: unknown,
  { incoming }: Partial<HttpBindings>,
  message: string,
): void {
  const level = error === incoming?.errored ? 'debug' : 'error'
  log[level]({ err: error }, message)
}

/** Thrown if the port is not available; the message says what to set. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/** An HTTP server that owns its socket. */
export class WebServer {
  readonly #server: Server

  constructor(parts: WebParts, { maxConnections, answerTimeout, ...timeouts } = defaultLimits) {
    const { platforms = [], log } = parts
    const webhooks = new Map(platforms.map(({ name, webhook }) => [webhookPathOf(name), webhook]))
    // By default the listener replaces the global Request and Response.
    const others = getRequestListener(webApp(parts).fetch, { overrideGlobalObjects: false })
    const connections = new Connections(maxConnections)
    this.#server = createServer(timeouts, (request, response) => {
      if (!connections.requested(request, response)) return
      const webhook = request.method === 'POST' ? webhooks.get(request.url ?? '') : undefined
      if (webhook) void answerCall(webhook, request, response, log)
      else void others(request, response)
    })
    this.#server.on('connection', (socket) => connections.opened(socket))
    this.#server.setTimeout(answerTimeout, (socket) => connections.silent(socket))
  }

  /**
   * Starts listening.
   * @param host the address to listen on; by default all of this machine
   * @returns the actual port
   * @throws PortError if the port is not available
   */
  start(port: number, host?: string): Promise<number> {
    const what = host === undefined ? `PORT ${port}` : `PORT ${port} of HOST ${host}`
    return new Promise((resolve, reject) => {
      const onError = (cause: Error) =>
        reject(new PortError(`${what} can't be had. Set another one.`, { cause }))
      this.#server.once('error', onError)
      this.#server.listen({ port, host }, () => {
        this.#server.off('error', onError)
        const { port: actual } = this.#server.address() as AddressInfo
        resolve(actual)
      })
    })
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      const graceTimer = setTimeout(() => this.#server.closeAllConnections(), stopGraceMs)
      this.#server.close(() => {
        clearTimeout(graceTimer)
        resolve()
      })
    })
  }
}

/** Answers a platform's call; without the app, whose Request and Response cost as much as the update itself. */
async function answerCall(
  webhook: Webhook,
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  const failed = (error: unknown): WebhookAnswer => {
    noteFault(log, error, { incoming: request }, 'a request could not be answered')
    return { status: 500, json: { error: 'something went wrong' } }
  }
  const { status, json, retryAfter } = await webhook(request).catch(failed)
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(json === undefined ? undefined : JSON.stringify(json))
}

/**
 * Makes room for new connections by closing those that only wait for their client. The server's own `maxConnections`
 * refuses new ones instead, so that a thousand idle connections would keep everybody out.
 */
class Connections {
  readonly #max: number
  /** The unfinished answers of each connection, in their order; the one that was used last comes last. */
  readonly #open = new Map<Socket, Set<ServerResponse>>()

  constructor(max: number) {
    this.#max = max
  }

  opened(socket: Socket): void {
    if (this.#open.size >= this.#max) {
      const closed = this.#leastUseful() ?? socket
      closed.destroy()
      this.#open.delete(closed)
      if (closed === socket) return
    }
    this.#open.set(socket, new Set())
    socket.once('close', () => this.#open.delete(socket))
  }

  /** Returns whether to answer this request: not if the connection is closed, or by now, as too many are unanswered. */
  requested({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const answers = this.#open.get(socket)
    if (!answers || socket.destroyed) return false
    if (answers.size >= maxUnanswered) {
      socket.destroy()
      return false
    }
    this.#open.delete(socket)
    this.#open.set(socket, answers.add(response))
    response.once('finish', () => answers.delete(response))
    return true
  }

  /** Closes a connection on which nothing happened for long, unless a request is in work. */
  silent(socket: Socket): void {
    if (waitsForClient(this.#open.get(socket))) socket.destroy()
  }

  /**
   * The connection that waits for its client for longest, of the address with most of those: many from one address
   * never displace a proxy's. Undefined if all have a complete request in work.
   */
  #leastUseful(): Socket | undefined {
    const waiting = [...this.#open].filter(([, answers]) => waitsForClient(answers))
    const byAddress = Map.groupBy(waiting, ([{ remoteAddress }]) => remoteAddress)
    const [most] = [...byAddress.values()].sort((one, other) => other.length - one.length)
    return most?.[0]?.[0]
  }
}

/** Whether the client has to take the first of its answers, or to send a request or the rest of one. */
function waitsForClient([first]: Iterable<ServerResponse> = []): boolean {
  return !first || first.writableEnded || !first.req.complete
}

export interface ReadinessParts {
  platforms: readonly Pick<Adapter, 'name' | 'state'>[]
  /** Runs any query on the database. */
  askDatabase: () => Promise<unknown>
  /** The setting of the API that is wrong, if one is: then the bot serves people, but with little. */
  wrongSetting?: () => string | undefined
  /** Max milliseconds for that query. */
  patience?: number
}

/** Whether the bot serves people, and the state of each part it depends on; without secrets or users' data. */
export interface Ready {
  status: 'starting' | 'ready' | 'degraded' | 'not ready' | 'stopping'
  parts: Record<string, string>
}

/** Reports readiness: every platform is connected, or served by another replica, and the database answers. */
export class Readiness {
  readonly #parts: Required<ReadinessParts>
  #databaseCheck: Promise<boolean> | undefined
  #phase: 'starting' | 'running' | 'stopping' = 'starting'

  constructor(parts: ReadinessParts) {
    this.#parts = { patience: 1_000, wrongSetting: () => undefined, ...parts }
  }

  /** Lets readiness follow the parts' state; does nothing after `stop`. */
  start(): void {
    if (this.#phase === 'starting') this.#phase = 'running'
  }

  /** Reports `stopping` from now on. */
  stop(): void {
    this.#phase = 'stopping'
  }

  async read(): Promise<Ready> {
    const { platforms, patience, wrongSetting } = this.#parts
    // Concurrent requests share one query, so nobody can load the database with this.
    this.#databaseCheck ??= this.#checkDatabase().finally(() => {
      this.#databaseCheck = undefined
    })
    const isDatabaseUp = (await withTimeout(this.#databaseCheck, patience)) ?? false
    const states = platforms.map((platform) => [platform.name, platform.state()] as const)
    const connected = states.every(([, state]) => state === 'connected' || state === 'standby')
    const wrong = wrongSetting()
    const serving = wrong === undefined ? 'ready' : 'degraded'
    const status = isDatabaseUp && connected ? serving : 'not ready'
    return {
      status: this.#phase === 'running' ? status : this.#phase,
      parts: {
        database: isDatabaseUp ? 'ok' : 'no answer',
        ...Object.fromEntries(states),
        ...(wrong !== undefined && { interface: `wrong ${wrong}` }),
      },
    }
  }

  async #checkDatabase(): Promise<boolean> {
    try {
      await this.#parts.askDatabase()
      return true
    } catch {
      return false
    }
  }
}

/** Path below which a bot says that it is itself; with those of the signing page, which a reverse proxy passes on. */
export const identityPath = '/s/doctor'

/** A header that a proxy has to pass on: Telegram's calls carry their secret in it. */
export const identityHeader = 'x-telegram-bot-api-secret-token'

/** Whether a text has the form of a nonce: 32 bytes in base64url. */
function isNonce(text: string): boolean {
  return /^[\w-]{43}$/u.test(text)
}

/** Makes the answer to a nonce, and to the header that came with it: only who has the same settings can. */
export type Identity = (nonce: string, header: string) => string

/** Makes the identity of all bots that have these secrets, such as the replicas on one database, and of the doctor beside them. */
export function identityOf(secrets: readonly (string | undefined)[]): Identity {
  const key = JSON.stringify(['identity of Gavel', ...secrets])
  return (nonce, header) =>
    createHmac('sha256', key)
      .update(JSON.stringify([nonce, header]))
      .digest('base64url')
}
