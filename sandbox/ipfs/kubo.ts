import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { CID } from 'multiformats/cid'
import { type Listening, listen } from '../http.ts'
import { type AddOptions, Blocks, fileCid } from './cid.ts'
import { type CatOptions, catOptions } from './gateway.ts'
import { type Pin, type PinFault, Pins, pinFault, readUpload } from './pins.ts'

type Env = { Bindings: HttpBindings }

/** The forms in which Kubo reads a flag. */
const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 't', 'T', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['false', '0', 'f', 'F', 'FALSE', 'False'].map((word) => [word, false] as const),
])

/** A body as Kubo sends it beside a refusal. */
function errorBody(message: string, code = 0): string {
  return JSON.stringify({ Message: message, Code: code, Type: 'error' })
}

class BadOption extends Error {
  override readonly name = 'BadOption'
}

/**
 * A strict stand-in for the RPC of a Kubo node (docs.ipfs.tech/reference/kubo/rpc): `add` and `cat`, with the real
 * CIDs. Like Kubo it answers POST only, and nothing that a browser sends.
 */
export class KuboServer {
  /** The fault in force, until it is taken away. */
  fault: PinFault | undefined
  /** Requests to `add`, also those that went wrong. */
  added = 0
  /** Requests to `cat`, also those that went wrong. */
  reads = 0
  readonly #pins = new Pins()
  readonly #blocks = new Blocks()
  readonly #stopped = new AbortController()
  #listening: Listening | undefined

  private constructor() {}

  static async start(options: { port?: number } = {}): Promise<KuboServer> {
    const server = new KuboServer()
    const app = server.#app()
    server.#listening = await listen((request, env) => app.fetch(request, env), options.port)
    return server
  }

  /** What goes into IPFS_API_URL. */
  get url(): string {
    return `http://127.0.0.1:${this.#listening?.port}`
  }

  /** What it keeps, oldest first. */
  get pinned(): readonly Pin[] {
    return this.#pins.all
  }

  find(cid: string): Pin | undefined {
    return this.#pins.find(cid)
  }

  /** Puts a file onto another node, where this one finds it without keeping it; its CID. */
  provide(bytes: Uint8Array, options: AddOptions = { cidVersion: 1, rawLeaves: true }): string {
    return this.#blocks.add(bytes, options)
  }

  /** A block that it has or finds. */
  block(cid: CID): Uint8Array | undefined {
    return this.#blocks.block(cid)
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#listening?.stop()
  }

  #app(): Hono<Env> {
    const app = new Hono<Env>()
    app.use('/api/v0/*', async (context, next) => {
      if (fromBrowser(context.req.raw.headers)) return context.text('403 - Forbidden\n', 403)
      if (context.req.method === 'POST') return next()
      return context.text('405 - Method Not Allowed\n', 405, { allow: 'OPTIONS, POST' })
    })
    app.post('/api/v0/add', (context) => this.#add(context))
    app.post('/api/v0/cat', (context) => this.#cat(context))
    app.notFound((context) => context.text('404 page not found\n', 404))
    return app
  }

  async #add(context: Context<Env>): Promise<Response> {
    this.added += 1
    const { fault } = this
    const describe = (status: number) => errorBody(`sandbox: ${status}`)
    const wrong = await pinFault(fault, context.env, describe, this.#stopped.signal)
    if (wrong) return wrong
    const upload = await readUpload(context.req.raw)
    const [file, ...others] = upload?.files ?? []
    if (!file) return refused('argument "path" is required', 400)
    if (others.length > 0) return refused('sandbox: one file at a time, please', 400)
    try {
      const options = addOptions(context.req.query())
      const { cid, size } = fileCid(file.bytes, options)
      const { name, type, bytes } = file
      // Without a pin the next garbage collection would take it.
      if (flag(context.req.query(), 'pin', true)) {
        this.#pins.add({ cid, name, type, bytes })
        this.#blocks.add(bytes, options)
      }
      const Hash = fault?.kind === 'lying' ? fault.cid : cid
      return added({ Name: name === '' ? Hash : name, Hash, Size: String(size) })
    } catch (error) {
      if (error instanceof BadOption) return refused(error.message, 400)
      if (error instanceof RangeError) return refused(`sandbox: ${error.message}`, 500)
      throw error
    }
  }

  async #cat(context: Context<Env>): Promise<Response> {
    this.reads += 1
    const { fault } = this
    const describe = (status: number) => errorBody(`sandbox: ${status}`)
    const wrong = await pinFault(fault, context.env, describe, this.#stopped.signal)
    if (wrong) return wrong
    const asked = catOptions(new URL(context.req.url).searchParams)
    switch (asked.kind) {
      case 'nothing':
        return new Response(null)
      case 'malformed':
        return context.text(`${asked.message}\n`, 400)
      case 'refused':
        return refused(asked.message, 500)
      case 'asked':
        return this.#content(context, asked)
    }
  }

  async #content(
    { env: { outgoing } }: Context<Env>,
    { cid: named, offset, length, timeoutMs }: CatOptions,
  ): Promise<Response> {
    const cid = this.fault?.kind === 'lying' ? CID.parse(this.fault.cid) : named
    if (!this.#blocks.file(cid)) await this.#search(cid, outgoing, timeoutMs)
    const file = this.#blocks.file(cid)
    if (!file) return refused('context deadline exceeded', 500)
    const bytes = file.subarray(offset, length === undefined ? undefined : offset + length)
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': 'text/plain',
        'x-stream-output': '1',
        'x-content-length': String(bytes.length),
      },
    })
  }

  /** Looks for a file on other nodes: for ever where the caller neither sets a time nor goes. */
  async #search(cid: CID, caller: HttpBindings['outgoing'], timeoutMs?: number): Promise<void> {
    const ended = new AbortController()
    const signal = AbortSignal.any([ended.signal, this.#stopped.signal])
    const waits = [this.#blocks.arrival(cid, signal), once(caller, 'close', { signal })]
    if (timeoutMs !== undefined) waits.push(delay(timeoutMs, undefined, { signal }))
    await Promise.race(waits).catch(() => undefined)
    ended.abort()
    await Promise.allSettled(waits)
  }
}

/** Kubo refuses what a web page could send: an Origin or Referer, or a browser that hides both. */
function fromBrowser(headers: Headers): boolean {
  return (
    headers.has('origin') ||
    headers.has('referer') ||
    (headers.get('user-agent') ?? '').startsWith('Mozilla')
  )
}

function addOptions(query: Record<string, string>): AddOptions {
  const version = query['cid-version'] ?? '0'
  if (version !== '0' && version !== '1') {
    throw new BadOption(`option "cid-version" must be 0 or 1, not "${version}"`)
  }
  const cidVersion = version === '1' ? 1 : 0
  // As in Kubo, version 1 brings raw leaves with it unless they are refused.
  return { cidVersion, rawLeaves: flag(query, 'raw-leaves', cidVersion === 1) }
}

function flag(query: Record<string, string>, name: string, usual: boolean): boolean {
  const given = query[name]
  if (given === undefined) return usual
  const known = flags.get(given)
  if (known === undefined) {
    throw new BadOption(`cannot convert "${given}" to type bool of option "${name}"`)
  }
  return known
}

function added(line: { Name: string; Hash: string; Size: string }): Response {
  return new Response(`${JSON.stringify(line)}\n`, {
    headers: { 'content-type': 'application/json', 'x-chunked-output': '1' },
  })
}

function refused(message: string, status: number): Response {
  return new Response(`${errorBody(message, status === 400 ? 1 : 0)}\n`, {
    status,
    headers: { 'content-type': 'application/json' },
  })
}
