import { type Context, Hono } from 'hono'
import type { CID } from 'multiformats/cid'
import type { Env } from '../http.ts'
import { readCid } from './cid.ts'
import { IpfsServer } from './server.ts'

const rawType = 'application/vnd.ipld.raw'

interface GatewayOptions {
  /** Whose blocks it gives. */
  of: { block(cid: CID): Uint8Array | undefined }
  /** Sends who asks by path to a host of the CID's own, as the public gateways do. */
  subdomains?: boolean
}

/**
 * A strict stand-in for a trustless gateway (specs.ipfs.tech/http-gateways/trustless-gateway): single blocks, and only
 * to who asks for them as such. What it doesn't have is not found: it looks for nothing elsewhere.
 */
export class GatewayServer extends IpfsServer {
  /** Sends everybody there instead. */
  redirectsTo: string | undefined
  /** Requests for blocks, also those that went wrong. */
  asked = 0
  readonly #options: GatewayOptions

  private constructor(options: GatewayOptions) {
    super()
    this.#options = options
  }

  static start(options: GatewayOptions): Promise<GatewayServer> {
    return new GatewayServer(options).listen()
  }

  /** What goes into IPFS_GATEWAY. */
  override get url(): string {
    return this.#options.subdomains ? super.url.replace('127.0.0.1', 'localhost') : super.url
  }

  protected override app(): Hono<Env> {
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
    const wrong = await this.misbehave(context, describe)
    if (wrong) return wrong
    if (this.redirectsTo !== undefined) return context.redirect(this.redirectsTo, 301)
    if (context.req.query('format') !== 'raw' && context.req.header('accept') !== rawType) {
      return context.text('ask for format=raw\n', 400)
    }
    const cid = readCid(text)
    if (!cid) return context.text(`invalid cid: ${text}\n`, 400)
    const given = this.fault?.kind === 'lying' ? readCid(this.fault.cid) : cid
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
  const cid = readCid(text)
  if (!cid) return context.text(`invalid cid: ${text}\n`, 400)
  const { protocol, host, search } = new URL(context.req.url)
  return context.redirect(`${protocol}//${cid.toV1()}.ipfs.${host}/${search}`, 301)
}
