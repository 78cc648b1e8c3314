import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { CID } from 'multiformats/cid'
import { type Listening, listen } from '../http.ts'
import { type PinFault, pinFault } from './pins.ts'

type Env = { Bindings: HttpBindings }

const rawType = 'application/vnd.ipld.raw'

interface GatewayOptions {
  /** Whose blocks it gives. */
  of: { block(cid: CID): Uint8Array | undefined }
  /** Sends who asks by path to a host of the CID's own, as the public gateways do. */
  subdomains?: boolean
  port?: number
}

/**
 * A strict stand-in for a trustless gateway (specs.ipfs.tech/http-gateways/trustless-gateway): single blocks, and only
 * to who asks for them as such. What it doesn't have is not found: it looks for nothing elsewhere.
 */
export class GatewayServer {
  /** The fault in force, until it is taken away; one that lies gives the block of the CID in it. */
  fault: PinFault | undefined
  /** Sends everybody there instead. */
  redirectsTo: string | undefined
  /** Requests for blocks, also those that went wrong. */
  asked = 0
  readonly #options: GatewayOptions
  readonly #stopped = new AbortController()
  #listening: Listening | undefined

  private constructor(options: GatewayOptions) {
    this.#options = options
  }

  static async start(options: GatewayOptions): Promise<GatewayServer> {
    const server = new GatewayServer(options)
    const app = server.#app()
    server.#listening = await listen((request, env) => app.fetch(request, env), options.port)
    return server
  }

  /** What goes into IPFS_GATEWAY. */
  get url(): string {
    const host = this.#options.subdomains ? 'localhost' : '127.0.0.1'
    return `http://${host}:${this.#listening?.port}`
  }

  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#listening?.stop()
  }

  #app(): Hono<Env> {
    const app = new Hono<Env>()
    app.use(async (context, next) => {
      if (context.req.method === 'GET' || context.req.method === 'HEAD') return next()
      return context.text('method not allowed\n', 405, { allow: 'GET, HEAD, OPTIONS' })
    })
    app.get('/', (context) => {
      const inHost = /^(?<cid>[a-z0-9]+)\.ipfs\./u.exec(context.req.header('host') ?? '')?.groups
      if (!inHost?.cid || !this.#options.subdomains) return context.notFound()
      return this.#give(context, inHost.cid)
    })
    app.get('/ipfs/:cid', (context) => {
      const cid = context.req.param('cid')
      return this.#options.subdomains ? toSubdomain(context, cid) : this.#give(context, cid)
    })
    app.get('/ipfs/:cid/*', (context) => context.text('only a CID, without a path\n', 400))
    app.notFound((context) => context.text('404 page not found\n', 404))
    return app
  }

  async #give(context: Context<Env>, text: string): Promise<Response> {
    this.asked += 1
    const describe = (status: number) => `sandbox: ${status}\n`
    const wrong = await pinFault(this.fault, context.env, describe, this.#stopped.signal)
    if (wrong) return wrong
    if (this.redirectsTo !== undefined) return context.redirect(this.redirectsTo, 301)
    if (context.req.query('format') !== 'raw' && context.req.header('accept') !== rawType) {
      return context.text('ask for format=raw\n', 400)
    }
    const cid = read(text)
    if (!cid) return context.text(`invalid cid: ${text}\n`, 400)
    const given = this.fault?.kind === 'lying' ? read(this.fault.cid) : cid
    const block = given && this.#options.of.block(given)
    if (!block) return context.text(`ipld: could not find ${cid}\n`, 404)
    return new Response(new Uint8Array(block), {
      headers: {
        'content-type': rawType,
        'content-disposition': `attachment; filename="${cid}.bin"`,
        'cache-control': 'public, max-age=29030400, immutable',
        etag: `"${cid}.raw"`,
        'x-content-type-options': 'nosniff',
        'x-ipfs-path': `/ipfs/${cid}`,
        'x-ipfs-roots': String(cid),
      },
    })
  }
}

function toSubdomain(context: Context<Env>, text: string): Response {
  const cid = read(text)
  if (!cid) return context.text(`invalid cid: ${text}\n`, 400)
  const { protocol, host, search } = new URL(context.req.url)
  return context.redirect(`${protocol}//${cid.toV1()}.ipfs.${host}/${search}`, 301)
}

function read(text: string): CID | undefined {
  try {
    return CID.parse(text)
  } catch {
    return undefined
  }
}

export interface CatOptions {
  cid: CID
  offset: number
  length: number | undefined
  timeoutMs: number | undefined
}

/** What Kubo makes of the query of `cat`. */
type CatRequest =
  | ({ kind: 'asked' } & CatOptions)
  /** Refused before the command is looked at: 400 with plain text. */
  | { kind: 'malformed'; message: string }
  /** Refused by the command: 500 with JSON. */
  | { kind: 'refused'; message: string }
  /** An empty answer with 200: what Kubo gives where it can't read the timeout. */
  | { kind: 'nothing' }

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

export function catOptions(query: URLSearchParams): CatRequest {
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
  if (timeout !== null && timeoutMs === undefined) return { kind: 'nothing' }
  const offset = Number(query.get('offset') ?? 0)
  if (offset < 0) return refused('cannot specify negative offset')
  const length = query.has('length') ? Number(query.get('length')) : undefined
  if (length !== undefined && length < 0) return refused('cannot specify negative length')
  const cid = cidIn(path)
  if (typeof cid === 'string') return refused(cid)
  return { kind: 'asked', cid, offset, length, timeoutMs }
}

/** What a path names, or what is wrong with it: here no folder has anything in it. */
function cidIn(path: string): CID | string {
  const [root = '', ...inside] = path.replace(/^\/ipfs\//u, '').split('/')
  const cid = readWhole(root)
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

const malformed = (message: string): CatRequest => ({ kind: 'malformed', message })
const refused = (message: string): CatRequest => ({ kind: 'refused', message })

function readWhole(text: string): CID | undefined {
  try {
    return CID.parse(text)
  } catch {
    return undefined
  }
}
