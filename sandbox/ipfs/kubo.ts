import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { CID } from 'multiformats/cid'
import type { Env } from '../http.ts'
import { Recent } from '../traffic.ts'
import { type AddOptions, Blocks, fileCid, readCid } from './cid.ts'
import { IpfsServer, type Pin, uploadOf } from './server.ts'

/** The forms in which Kubo reads a flag. */
const flags: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 't', 'T', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['false', '0', 'f', 'F', 'FALSE', 'False'].map((word) => [word, false] as const),
])

/** A body as Kubo sends it beside a refusal. */
function errorBody(message: string, code = 0): string {
  return JSON.stringify({ Message: message, Code: code, Type: 'error' })
}

const describe = (status: number) => errorBody(`sandbox: ${status}`)

/**
 * A strict stand-in for the RPC of a Kubo node (docs.ipfs.tech/reference/kubo/rpc): `add` and `cat`, with the real
 * CIDs. Like Kubo it answers POST only, and nothing that a browser sends.
 */
export class KuboServer extends IpfsServer {
  /** Requests to `add`, also those that went wrong. */
  added = 0
  /** Requests to `cat`, also those that went wrong. */
  reads = 0
  readonly #pins = new Recent<Pin>(500)
  readonly #blocks = new Blocks()

  static start(): Promise<KuboServer> {
    return new KuboServer().listen()
  }

  /** What it keeps, oldest first. */
  get pinned(): readonly Pin[] {
    return this.#pins.all
  }

  find(cid: string): Pin | undefined {
    return this.#pins.all.find((pin) => pin.cid === cid)
  }

  /** Puts a file onto another node, where this one finds it without keeping it; its CID. */
  provide(bytes: Uint8Array, options: AddOptions = { cidVersion: 1, rawLeaves: true }): string {
    return this.#blocks.add(bytes, options)
  }

  /** A block that it has or finds. */
  block(cid: CID): Uint8Array | undefined {
    return this.#blocks.block(cid)
  }

  protected override app(): Hono<Env> {
    const app = new Hono<Env>()
    app.use('/api/v0/*', async (context, next) => {
      if (fromBrowser(context.req.raw.headers)) return context.text('403 - Forbidden\n', 403)
      if (context.req.method === 'POST') return next()
      return context.text('405 - Method Not Allowed\n', 405, { allow: 'OPTIONS, POST' })
    })
    app.post('/api/v0/add', (context) => this.#add(context))
    app.post('/api/v0/cat', (context) => this.#cat(context))
    app.notFound((context) => context.text('404 page not found\n', 404))
    app.onError((error) =>
      error instanceof HTTPException
        ? refused(error.message, error.status)
        : refused(`sandbox: ${error.message}`, 500),
    )
    return app
  }

  async #add(context: Context<Env>): Promise<Response> {
    this.added += 1
    const { fault } = this
    const wrong = await this.misbehave(context, describe)
    if (wrong) return wrong
    const upload = await uploadOf(context)
    const [file, ...others] = upload?.files ?? []
    if (!file) return refused('argument "path" is required', 400)
    if (others.length > 0) return refused('sandbox: one file at a time, please', 400)
    const options = addOptions(context.req.query())
    const { cid, size } = fileCid(file.bytes, options)
    const { name, type, bytes } = file
    // Without a pin the next garbage collection would take it.
    if (flag(context.req.query(), 'pin', true)) {
      this.#pins.add({ cid, name, type, bytes })
      this.#blocks.add(bytes, options)
    }
    const Hash = fault?.kind === 'lying' ? fault.cid : cid
    const line = JSON.stringify({ Name: name === '' ? Hash : name, Hash, Size: String(size) })
    return new Response(`${line}\n`, {
      headers: { 'content-type': 'application/json', 'x-chunked-output': '1' },
    })
  }

  async #cat(context: Context<Env>): Promise<Response> {
    this.reads += 1
    const wrong = await this.misbehave(context, describe)
    if (wrong) return wrong
    const asked = catOptions(new URL(context.req.url).searchParams)
    return asked instanceof Response ? asked : this.#content(context, asked)
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
    const signal = AbortSignal.any([ended.signal, this.stopped])
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
    throw new HTTPException(400, {
      message: `option "cid-version" must be 0 or 1, not "${version}"`,
    })
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
    throw new HTTPException(400, {
      message: `cannot convert "${given}" to type bool of option "${name}"`,
    })
  }
  return known
}

function refused(message: string, status: number): Response {
  return new Response(`${errorBody(message, status === 400 ? 1 : 0)}\n`, {
    status,
    headers: { 'content-type': 'application/json' },
  })
}

interface CatOptions {
  cid: CID
  offset: number
  length: number | undefined
  timeoutMs: number | undefined
}

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** What the query of `cat` asks for, or Kubo's answer to one that is wrong. */
function catOptions(query: URLSearchParams): CatOptions | Response {
  const [path, ...others] = query.getAll('arg')
  if (path === undefined) return malformed('argument "ipfs-path" is required')
  if (others.length > 0) return malformed('sandbox: one path at a time, please')
  for (const name of ['offset', 'length']) {
    const given = query.get(name)
    if (given === null || /^[+-]?\d{1,15}$/u.test(given)) continue
    return malformed(`could not convert value "${given}" to type "int64" (for option "-${name}")`)
  }
  const timeout = query.get('timeout')
  const timeoutMs = timeout === null ? undefined : durationMs(timeout)
  // As the real one: a timeout that it can't read is answered with nothing at all.
  if (timeout !== null && timeoutMs === undefined) return new Response(null)
  const offset = Number(query.get('offset') ?? 0)
  if (offset < 0) return refused('cannot specify negative offset', 500)
  const length = query.has('length') ? Number(query.get('length')) : undefined
  if (length !== undefined && length < 0) return refused('cannot specify negative length', 500)
  const cid = cidIn(path)
  if (typeof cid === 'string') return refused(cid, 500)
  return { cid, offset, length, timeoutMs }
}

/** What a path names, or what is wrong with it: here no folder has anything in it. */
function cidIn(path: string): CID | string {
  const [root = '', ...inside] = path.replace(/^\/ipfs\//u, '').split('/')
  const cid = readCid(root)
  if (!cid) return `invalid path ${JSON.stringify(path)}: invalid cid`
  return inside.length === 0 ? cid : `no link named ${JSON.stringify(inside[0])} under ${root}`
}

/** A duration as Go writes it, such as 1m30s. */
function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(?<count>\d+(?:\.\d+)?)(?<unit>ms|s|m|h)/gu)]
  if (text === '' || parts.map(([part]) => part).join('') !== text) return undefined
  return parts
    .map(({ groups }) => Number(groups?.count) * (milliseconds[groups?.unit ?? ''] ?? 0))
    .reduce((sum, each) => sum + each, 0)
}

/** Refused before the command is looked at. */
const malformed = (message: string) => new Response(`${message}\n`, { status: 400 })
