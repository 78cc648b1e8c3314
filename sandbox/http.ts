import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'

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
  const local = new LocalPort(server)
  return { port: await local.open(port), stop: () => local.close() }
}

/** The port of 127.0.0.1 that a server takes; it can close and be opened again. */
export class LocalPort {
  readonly #server: Server
  #port = 0

  constructor(server: Server) {
    this.#server = server
  }

  /** Takes the port, a free one for 0, or the one it had; rejects with EADDRINUSE where it is taken. */
  async open(port = this.#port): Promise<number> {
    if (this.#server.listening) return this.#port
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    this.#port = address.port
    return address.port
  }

  /** Refuses connections from now on and breaks those there are, also those that wait for an answer. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
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

/** Streams events to a page until it goes; `subscribe` gets what sends one, and returns how to stop. */
export function sendEvents<Event>(
  context: Context,
  subscribe: (send: (event: Event) => void) => () => unknown,
): Response {
  return streamSSE(context, async (stream) => {
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    stream.onAbort(leave)
    const stop = subscribe((event) => void stream.writeSSE({ data: JSON.stringify(event) }))
    // Without a first byte, such as of this comment, the browser would not call the stream open.
    await stream.write(':\n\n')
    await gone
    stop()
  })
}

/** A file in a form. */
export interface FormFile {
  field: string
  name: string
  type: string
  bytes: Buffer
}

interface Form {
  fields: Record<string, string>
  files: FormFile[]
}

/** Reads a multipart/form-data body; rejects if it is none, or is cut off. */
export async function readForm(body: Uint8Array<ArrayBuffer>, type: string): Promise<Form> {
  if (!/^multipart\/form-data\s*;/iu.test(type)) throw new TypeError('not a multipart body')
  const fields: Form['fields'] = {}
  const files: FormFile[] = []
  const data = await new Response(body, { headers: { 'content-type': type } }).formData()
  for (const [field, value] of data) {
    if (typeof value === 'string') fields[field] = value
    else {
      const bytes = Buffer.from(await value.arrayBuffer())
      files.push({ field, name: value.name, type: value.type, bytes })
    }
  }
  return { fields, files }
}
