import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { calledAt, type Platform } from '../chat/platform.ts'
import type { Logger } from '../log.ts'
import { noteFault } from './faults.ts'
import type { Ready } from './readiness.ts'
import { type SigningSite, signingRoutes } from './signing/routes.ts'

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
  platforms?: readonly Pick<Platform, 'name' | 'called'>[]
  log: Logger
}

/** Milliseconds that answers under way may take at a stop. */
const longestAnswer = 500

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
  for (const { name, called } of platforms) {
    if (called === undefined) continue
    app.post(calledAt(name), (context) => called(context.req.raw))
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
      const impatient = setTimeout(() => this.#server.closeAllConnections(), longestAnswer)
      this.#server.close(() => {
        clearTimeout(impatient)
        resolve()
      })
    })
  }
}
