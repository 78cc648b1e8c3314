import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { Faults, misbehave } from '../faults.ts'
import { type Env, LocalServer, readForm } from '../http.ts'
import type { AddOptions } from '../ipfs/cid.ts'
import { Recent } from '../traffic.ts'
import { type Asset, listOnly } from './asset.ts'
import { metadataBody, templateBody } from './launch-body.ts'
import { LaunchWatch } from './launch-watch.ts'
import { type LaunchChain, Launches } from './launches.ts'
import { type QueryNames, QueryReader } from './query.ts'
import { parsed, refusal } from './refusal.ts'
import type { Token } from './token.ts'
import { World } from './world.ts'

/** One request as it came, whatever its answer; `path` is relative to the base address. */
export interface LoggedRequest {
  method: string
  path: string
  query: Record<string, string>
}

export interface ApiServerOptions {
  /** A free port is taken without it. */
  port?: number
  /** The key that requests must carry in X-API-KEY. */
  key: string
  /** Ids of the chains with assets: Base and Base Sepolia without it. */
  chains?: readonly number[]
  seed?: number
  /** How many assets the world begins with; about 200 without it. Those of the showcase are always there. */
  population?: number
  /** Milliseconds since 1970; decides when the world begins and, ticking, how fast time passes. */
  now?: () => number
  /** Lets the world follow the clock, about every second. */
  tick?: boolean
  /** Other names of query parameters than the real service's, for tests of settings. */
  queryNames?: Partial<QueryNames>
  /** What is sent in place of an asset, for tests of settings and of what the API may send wrong. */
  rewrite?: (asset: Asset, token: Readonly<Token>) => object
  /** Chains on which payloads really launch; what is launched there is then in the world. */
  local?: readonly LaunchChain[]
  /** Where uploaded metadata can be read under their CIDs; without it nobody has them. */
  ipfs?: { provide(bytes: Uint8Array, options?: AddOptions): string }
}

const prefix = '/v1'
const defaultChains = [8453, 84532] as const
const tickEveryMs = 1000
/** Max bytes of a body, and of an uploaded picture. */
const maxBytes = { body: 1_000_000, picture: 5 * 2 ** 20 }

/**
 * A strict stand-in for the v1 API: refuses what the document refuses, and goes wrong on
 * demand through `faults`. Without a chain id it answers for the first of its chains.
 */
export class ApiServer extends LocalServer {
  readonly world: World
  readonly faults = new Faults()
  readonly launches: Launches
  /** The assets that it calls fakes, by their addresses in lower case, each with the reasons. */
  readonly fakes = new Map<string, readonly { id: string; message: string }[]>()
  readonly #options: ApiServerOptions
  readonly #queries: QueryReader
  readonly #texts = new WeakMap<Asset, string>()
  readonly #log = new Recent<LoggedRequest>(10_000)
  #requestCount = 0
  #timer: NodeJS.Timeout | undefined
  #watches: LaunchWatch[] = []

  private constructor(options: ApiServerOptions) {
    super()
    const { chains = defaultChains, seed = 1, now = Date.now, population } = options
    this.#options = { ...options, chains, now }
    this.#queries = new QueryReader(options.queryNames ?? {}, chains[0] ?? defaultChains[0])
    const size = population === undefined ? {} : { population }
    this.world = new World({
      chains,
      seed,
      now: now(),
      clock: now,
      ...size,
    })
    this.launches = new Launches({ chains: options.local ?? [], ipfs: options.ipfs, now })
  }

  static async start(options: ApiServerOptions): Promise<ApiServer> {
    const server = await new ApiServer(options).listen(options.port)
    const { world, launches } = server
    for (const chain of options.local ?? []) {
      server.#watches.push(new LaunchWatch({ chain, launches, world }))
    }
    if (options.tick) {
      server.#timer = setInterval(() => server.#followClock(), tickEveryMs)
    }
    return server
  }

  /** What goes into API_BASE_URL. */
  get baseUrl(): string {
    return `${this.url}${prefix}`
  }

  /** The last requests, oldest first. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.all
  }

  /** How many requests came in all. */
  get requestCount(): number {
    return this.#requestCount
  }

  override async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#watches.map((watch) => watch.stop()))
    await super.stop()
  }

  #followClock(): void {
    const now = this.#options.now?.() ?? Date.now()
    const seconds = (now - this.world.now) / 1000
    if (seconds > 0) this.world.tick(seconds)
  }

  protected override app(): Hono<Env> {
    const app = new Hono<Env>()
    app.onError((error, context) => refusal(context, error))
    app.notFound((context) => {
      const { method, path } = context.req
      return refusal(context, new HTTPException(404, { message: `Cannot ${method} ${path}` }))
    })
    app.use(async (context, next) => {
      const path = context.req.path.slice(prefix.length)
      this.#requestCount += 1
      this.#log.add({ method: context.req.method, path, query: context.req.query() })
      const fault = this.faults.take(path)
      const { outgoing } = context.env
      const wrong = fault && (await misbehave(fault, outgoing, this.stopped, faultBody))
      if (wrong) return wrong
      const key = context.req.header('x-api-key')
      // As the API's guard answers without a key, and with another one.
      if (key !== this.#options.key) throw new HTTPException(403, { message: forbidden })
      return next()
    })
    // With what a form has around its file.
    app.post(
      `${prefix}/ipfs/upload-image`,
      bodyLimit({ maxSize: maxBytes.picture + 10_000 }),
      (context) => this.#picture(context),
    )
    app.use(bodyLimit({ maxSize: maxBytes.body }))
    // The document has the slash, clients have not: both are taken.
    app.on('GET', [`${prefix}/assets`, `${prefix}/assets/`], (context) => this.#list(context))
    app.get(`${prefix}/assets/search`, (context) => this.#search(context))
    app.get(`${prefix}/assets/authenticity`, (context) => this.#authenticity(context))
    app.get(`${prefix}/assets/:address`, (context) => this.#asset(context))
    app.get(`${prefix}/auctions/:pool`, (context) => this.#auction(context))
    app.get(`${prefix}/auction-templates`, (context) =>
      context.json({ result: this.launches.list() }),
    )
    app.post(`${prefix}/auction-templates`, (context) => this.#template(context))
    app.post(`${prefix}/ipfs/upload-metadata`, async (context) => {
      const asked = parsed(metadataBody, await body(context))
      return context.json({ result: this.launches.upload(asked) })
    })
    return app
  }

  #list(context: Context<Env>): Response {
    return this.#answer(context, this.world.list(this.#queries.list(context.req.query())))
  }

  #search(context: Context<Env>): Response {
    return this.#answer(context, this.world.search(this.#queries.search(context.req.query())))
  }

  #asset(context: Context<Env>): Response {
    const chain = this.#queries.asset(context.req.query())
    const address = context.req.param('address') ?? ''
    const asset = this.world.asset(chain, address)
    if (!asset) throw new HTTPException(404, { message: 'Asset not found' })
    const isShort = this.world.isShortAlone(chain, address)
    return json(context, isShort ? shortText(this.textOf(asset)) : this.textOf(asset))
  }

  #authenticity(context: Context<Env>): Response {
    const { assetAddress = '', ...given } = context.req.query()
    const asset = this.world.asset(this.#queries.documentedChain(given), assetAddress)
    if (!asset) throw new HTTPException(404, { message: 'Asset not found' })
    const failures = this.fakes.get(assetAddress.toLowerCase()) ?? []
    const verdict = failures.length > 0 ? 'fake' : 'authentic'
    return context.json({ result: { verdict, failures } })
  }

  #answer(context: Context<Env>, assets: readonly Asset[]): Response {
    return json(context, `[${assets.map((asset) => this.textOf(asset)).join(',')}]`)
  }

  /** The asset as it is sent; made once. */
  textOf(asset: Asset): string {
    const known = this.#texts.get(asset)
    if (known !== undefined) return known
    const token = this.#options.rewrite && this.world.tokenOf(asset)
    const text = JSON.stringify(token ? this.#options.rewrite?.(asset, token) : asset)
    this.#texts.set(asset, text)
    return text
  }

  #auction(context: Context<Env>): Response {
    const result = this.world.auction(this.#chain(context), context.req.param('pool') ?? '')
    if (!result) throw new HTTPException(404, { message: 'Auction not found' })
    return context.json({ result })
  }

  async #template(context: Context<Env>): Promise<Response> {
    const chain = this.#chain(context)
    const asked = parsed(templateBody, await body(context))
    return context.json({ result: await this.launches.build(chain, asked) })
  }

  async #picture({ req, json }: Context<Env>): Promise<Response> {
    const type = req.header('content-type') ?? ''
    const form = await readForm(new Uint8Array(await req.arrayBuffer()), type).catch((cause) => {
      throw new HTTPException(400, { message: 'Multipart: Boundary not found', cause })
    })
    const [file, ...others] = form.files
    if (file?.field !== 'image' || others.length > 0) {
      throw new HTTPException(400, { message: `Unexpected field - ${file?.field ?? 'none'}` })
    }
    if (file.bytes.length > maxBytes.picture) {
      throw new HTTPException(413, { message: 'File too large' })
    }
    const kind = pictureType(file.bytes)
    if (kind === undefined) throw new HTTPException(400, { message: 'Invalid file type' })
    return json({ result: this.launches.uploadPicture(kind, file.bytes) })
  }

  #chain(context: Context<Env>): number {
    return this.#queries.documentedChain(context.req.query())
  }
}

/** Without what an answer about one asset may lack. */
function shortText(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value) =>
    listOnly.includes(name) ? undefined : value,
  )
}

const forbidden = 'Forbidden resource'

function faultBody(statusCode: number): string {
  const message = statusCode === 403 ? forbidden : 'Something went wrong'
  return JSON.stringify({ message, statusCode })
}

function json(context: Context, result: string): Response {
  return context.body(`{"result":${result}}`, 200, { 'content-type': 'application/json' })
}

/** PNG, JPEG and SVG alone, by what the file begins with. */
function pictureType(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 4).toString('latin1') === '\x89PNG') return 'image/png'
  if (bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff') return 'image/jpeg'
  return /^\s*<(?:\?xml|svg)\b/u.test(bytes.subarray(0, 100).toString())
    ? 'image/svg+xml'
    : undefined
}

async function body(context: Context<Env>): Promise<unknown> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new HTTPException(415, { message: 'Content-Type must be application/json' })
  }
  try {
    return await context.req.json()
  } catch (cause) {
    throw new HTTPException(400, { message: 'Body is not JSON', cause })
  }
}
