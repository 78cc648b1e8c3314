import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { type Adapter, webhookPathOf } from '../core/adapter.ts'
import { withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'
import { noteFault, type SigningSite, signingRoutes } from './signing/routes.ts'

/** The sources of the routes. Health, readiness and metrics contain no secrets and nothing about users. */
export interface WebParts {
  /** State of each part, by name. */
  health: () => Record<string, unknown>
  ready: () => Promise<Ready>
  /** Prometheus metrics. */
  metrics: () => Promise<{ type: string; text: string }>
  /** Undefined if no signing page is served. */
  signing?: SigningSite | undefined
  /** Adapters with webhooks; each limits and answers its own requests. */
  platforms?: readonly Pick<Adapter, 'name' | 'webhook'>[]
  log: Logger
}

/** Milliseconds that a request may take to arrive, and after which that is checked; and open connections. */
const defaultLimits = {
  connectionsCheckingInterval: 1_000,
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  maxConnections: 1_000,
}
/** Milliseconds for which a stop waits for requests under way. */
const stopGraceMs = 500

/** Makes the bot's HTTP app. */
export function webApp(parts: WebParts): Hono {
  const { health, ready, metrics, signing, platforms = [], log } = parts
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store')
    context.header('x-content-type-options', 'nosniff')
  })
  app.get('/healthz', (context) => context.json({ status: 'ok', parts: health() }))
  app.get('/readyz', async (context) => {
    const { status, parts } = await ready()
    return context.json({ status, parts }, status === 'ready' ? 200 : 503)
  })
  app.get('/metrics', async (context) => {
    const { type, text } = await metrics()
    return context.body(text, 200, { 'content-type': type })
  })
  if (signing) app.route('/s', signingRoutes(signing))
  for (const { name, webhook } of platforms) {
    if (webhook === undefined) continue
    app.post(webhookPathOf(name), (context) => webhook(context.req.raw))
  }
  app.notFound((context) => context.json({ error: 'not found' }, 404))
  app.onError((error, context) => {
    noteFault(log, error, context, 'a request could not be answered')
    return context.json({ error: 'something went wrong' }, 500)
  })
  return app
}

/** Thrown if the port is not available; the message says what to set. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/** An HTTP server that owns its socket. */
export class WebServer {
  readonly #server: Server

  constructor(app: Hono, { maxConnections, ...timeouts } = defaultLimits) {
    this.#server = createServer(
      timeouts,
      // By default the listener replaces the global Request and Response.
      getRequestListener(app.fetch, { overrideGlobalObjects: false }),
    )
    const connections = new Connections(maxConnections)
    this.#server.on('connection', (socket) => connections.opened(socket))
    this.#server.on('request', (request, response) => connections.requested(request, response))
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

/**
 * Makes room for new connections by closing those that only wait for their client. The server's own `maxConnections`
 * refuses new ones instead, so that a thousand idle connections would keep everybody out.
 */
class Connections {
  readonly #max: number
  /** The request in work of each connection; the one that was used last comes last. */
  readonly #open = new Map<Socket, IncomingMessage | undefined>()

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
    this.#open.set(socket, undefined)
    socket.once('close', () => this.#open.delete(socket))
  }

  requested(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    this.#open.delete(socket)
    this.#open.set(socket, request)
    response.once('finish', () => {
      if (this.#open.get(socket) === request) this.#open.set(socket, undefined)
    })
  }

  /**
   * The connection that waits for its client for longest, of the address with most of those: many from one address
   * never displace a proxy's. Undefined if all have a complete request in work.
   */
  #leastUseful(): Socket | undefined {
    const waiting = [...this.#open].filter(([, request]) => !request?.complete)
    const byAddress = Map.groupBy(waiting, ([{ remoteAddress }]) => remoteAddress)
    const [most] = [...byAddress.values()].sort((one, other) => other.length - one.length)
    return most?.[0]?.[0]
  }
}

export interface ReadinessParts {
  platforms: readonly Pick<Adapter, 'name' | 'state'>[]
  /** Runs any query on the database. */
  askDatabase: () => Promise<unknown>
  /** Max milliseconds for that query. */
  patience?: number
}

/** Whether the bot serves people, and the state of each part it depends on; without secrets or users' data. */
export interface Ready {
  status: 'starting' | 'ready' | 'not ready' | 'stopping'
  parts: Record<string, string>
}

/** Reports readiness: every platform is connected, or served by another replica, and the database answers. */
export class Readiness {
  readonly #parts: Required<ReadinessParts>
  #databaseCheck: Promise<boolean> | undefined
  #phase: 'starting' | 'running' | 'stopping' = 'starting'

  constructor(parts: ReadinessParts) {
    this.#parts = { patience: 1_000, ...parts }
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
    const { platforms, patience } = this.#parts
    // Concurrent requests share one query, so nobody can load the database with this.
    this.#databaseCheck ??= this.#checkDatabase().finally(() => {
      this.#databaseCheck = undefined
    })
    const isDatabaseUp = (await withTimeout(this.#databaseCheck, patience)) ?? false
    const states = platforms.map((platform) => [platform.name, platform.state()] as const)
    const connected = states.every(([, state]) => state === 'connected' || state === 'standby')
    const status = isDatabaseUp && connected ? 'ready' : 'not ready'
    return {
      status: this.#phase === 'running' ? status : this.#phase,
      parts: { database: isDatabaseUp ? 'ok' : 'no answer', ...Object.fromEntries(states) },
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
