import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Adapter, type Webhook, type WebhookAnswer, webhookPathOf } from '../core/adapter.ts'
import type { Logger } from '../log.ts'
import { noteFault } from './fault.ts'
import type { RouteParts } from './routes.ts'

export interface WebParts extends RouteParts {
  /** Adapters with webhooks; each limits and answers its own requests. */
  platforms?: readonly Pick<Adapter, 'name' | 'webhook'>[]
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

/** Thrown if the port is not available; the message says what to set. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/** An HTTP server that owns its socket. */
export class WebServer {
  readonly #server: Server
  readonly #parts: WebParts
  #routes: Promise<RequestListener> | undefined

  constructor(parts: WebParts, { maxConnections, answerTimeout, ...timeouts } = defaultLimits) {
    const { platforms = [], log } = parts
    this.#parts = parts
    const webhooks = new Map(platforms.map(({ name, webhook }) => [webhookPathOf(name), webhook]))
    const connections = new Connections(maxConnections)
    this.#server = createServer(timeouts, (request, response) => {
      if (!connections.requested(request, response)) return
      const webhook = request.method === 'POST' ? webhooks.get(request.url ?? '') : undefined
      if (webhook) void answerCall(webhook, request, response, log)
      else void this.#answer(request, response)
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
        reject(new PortError(`${what} is not available. Set another one.`, { cause }))
      this.#server.once('error', onError)
      this.#server.listen({ port, host }, () => {
        this.#server.off('error', onError)
        const { port: actual } = this.#server.address() as AddressInfo
        resolve(actual)
      })
    })
  }

  /**
   * Loads the routes for all but the platforms' calls. A start does not wait for them, as their Request brings the undici of Node.js,
   * a tenth of its time; a request that comes before loads them, too.
   */
  load(): Promise<RequestListener> {
    this.#routes ??= import('./routes.ts').then(({ listenerOf }) => listenerOf(this.#parts))
    return this.#routes
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const listener = await this.load()
      listener(request, response)
    } catch (error) {
      noteFault(this.#parts.log, error, request, 'a request could not be answered')
      response.writeHead(500).end()
    }
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

/** Answers a platform's call; without the routes, whose Request and Response cost as much as the update itself. */
async function answerCall(
  webhook: Webhook,
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): Promise<void> {
  const failed = (error: unknown): WebhookAnswer => {
    noteFault(log, error, request, 'a request could not be answered')
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
