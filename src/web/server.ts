import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { type Adapter, webhookPathOf } from '../core/adapter.ts'
import { withTimeout } from '../core/retry.ts'
import type { Logger } from '../log.ts'
import { noteFault, type SigningSite, signingRoutes } from './signing/routes.ts'

/** What there is to answer with. Of what is reported nothing is secret, and nothing is about users. */
export interface WebParts {
  /** The state of each part, by name. */
  health: () => Record<string, unknown>
  ready: () => Promise<Ready>
  /** Figures for Prometheus. */
  metrics: () => Promise<{ type: string; text: string }>
  /** Absent where no signing page is to be served. */
  signing?: SigningSite | undefined
  /** Those that call the bot; how much of a call is read, and what is answered, is theirs to say. */
  platforms?: readonly Pick<Adapter, 'name' | 'webhook'>[]
  log: Logger
}

/** Milliseconds that answers under way may take at a stop. */
const maxAnswer = 500

/** The bot's HTTP routes. */
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

/** The port can't be had; the message says what to set. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/** An HTTP server that owns its socket. */
export class WebServer {
  readonly #server: Server

  constructor(app: Hono) {
    this.#server = createServer(
      { connectionsCheckingInterval: 1_000, requestTimeout: 10_000, headersTimeout: 5_000 },
      // Hono would put its own Request and Response in the place of the global ones.
      getRequestListener(app.fetch, { overrideGlobalObjects: false }),
    )
    this.#server.maxConnections = 1_000
  }

  /**
   * @param host the one address of this machine to listen on; all of them without it
   * @returns the port it listens on.
   * @throws PortError
   */
  start(port: number, host?: string): Promise<number> {
    const what = host === undefined ? `PORT ${port}` : `PORT ${port} of HOST ${host}`
    return new Promise((resolve, reject) => {
      const refuse = (cause: Error) =>
        reject(new PortError(`${what} can't be had. Set another one.`, { cause }))
      this.#server.once('error', refuse)
      this.#server.listen({ port, host }, () => {
        this.#server.off('error', refuse)
        const { port: actual } = this.#server.address() as AddressInfo
        resolve(actual)
      })
    })
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      const impatient = setTimeout(() => this.#server.closeAllConnections(), maxAnswer)
      this.#server.close(() => {
        clearTimeout(impatient)
        resolve()
      })
    })
  }
}

export interface ReadinessParts {
  platforms: readonly Pick<Adapter, 'name' | 'state'>[]
  /** Asks the database anything. */
  askDatabase: () => Promise<unknown>
  /** Milliseconds that it may take. */
  patience?: number
}

/** Whether people are answered, and the state of each part that it takes; no secrets, nothing of users. */
export interface Ready {
  status: 'starting' | 'ready' | 'not ready' | 'stopping'
  parts: Record<string, string>
}

/** Says whether the bot can work: each platform is connected (or another replica hears it), and the database answers. */
export class Readiness {
  readonly #parts: Required<ReadinessParts>
  #asking: Promise<boolean> | undefined
  #phase: 'starting' | 'running' | 'stopping' = 'starting'

  constructor(parts: ReadinessParts) {
    this.#parts = { patience: 1_000, ...parts }
  }

  /** From now on it is ready while all its parts are; nothing where it stops already. */
  start(): void {
    if (this.#phase === 'starting') this.#phase = 'running'
  }

  /** From now on it is not, whatever still works. */
  stop(): void {
    this.#phase = 'stopping'
  }

  async read(): Promise<Ready> {
    const { platforms, patience } = this.#parts
    // One question for all who ask: nobody loads the database with this.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    const answers = (await withTimeout(this.#asking, patience)) ?? false
    const states = platforms.map((platform) => [platform.name, platform.state()] as const)
    const connected = states.every(([, state]) => state === 'connected' || state === 'standby')
    const working = answers && connected ? 'ready' : 'not ready'
    return {
      status: this.#phase === 'running' ? working : this.#phase,
      parts: { database: answers ? 'ok' : 'no answer', ...Object.fromEntries(states) },
    }
  }

  async #ask(): Promise<boolean> {
    try {
      await this.#parts.askDatabase()
      return true
    } catch {
      return false
    }
  }
}
