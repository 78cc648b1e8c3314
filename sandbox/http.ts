import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'

/** What a handler of a stand-in has at hand: Node.js's own request and response. */
export type Env = { Bindings: HttpBindings }

export interface Listening {
  port: number
  /** Closes the server and every connection, also those that wait for an answer. */
  stop(): Promise<void>
}

/** Serves a Hono app's `fetch` on 127.0.0.1; rejects with EADDRINUSE where the port is taken. */
export async function listen(
  fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>,
  port = 0,
): Promise<Listening> {
  const server = createServer(
    getRequestListener((request, bindings) => fetch(request, bindings as HttpBindings), {
      overrideGlobalObjects: false,
    }),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return {
    port: address.port,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A stand-in on 127.0.0.1. */
export abstract class LocalServer {
  readonly #stopping = new AbortController()
  #listening: Listening | undefined

  /** What it answers. */
  protected abstract app(): Hono<Env>

  /** Aborted when the server stops, for whatever still waits then. */
  protected get stopped(): AbortSignal {
    return this.#stopping.signal
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listening?.port}`
  }

  /** Takes the port, or a free one without it. */
  protected async listen(port?: number): Promise<this> {
    const app = this.app()
    this.#listening = await listen((request, env) => app.fetch(request, env), port)
    return this
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#listening?.stop()
  }
}
