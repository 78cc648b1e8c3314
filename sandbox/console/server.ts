import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { proxy } from 'hono/proxy'
import sharp from 'sharp'
import { z } from 'zod'
import type { World } from '../api/world.ts'
import type { Bot, Supervisor } from '../bot.ts'
import type { Fault, Faults } from '../faults.ts'
import { type Listening, listen, sendEvents } from '../http.ts'
import { type Mode, type ShellState, speeds } from './state.ts'

export interface ConsoleOptions {
  /** The port to take or, where it is taken, one of the next twenty; a free one without it. */
  port?: number
  /** The actions and events of each panel. */
  panels: { telegram: Hono; discord: Hono }
  faults: Faults
  /** Whose auctions the page's slider speeds up. */
  world: Pick<World, 'speed' | 'setSpeed'>
  bot: Pick<Supervisor, 'status' | 'subscribe'> & { current?: Pick<Bot, 'healthUrl'> | undefined }
  /** The wallet that the bot's signing page finds, and the accounts that people may copy. */
  wallet?: { routes: Hono; accounts: readonly string[] } | undefined
  /** Pictures that were published here. */
  pictures?: KnownPictures
}

const portsTried = 20
const modeFaults: Readonly<Record<Mode, Fault | undefined>> = {
  normal: undefined,
  slow: { kind: 'slow', delayMs: 1500 },
  down: { kind: 'status', status: 500 },
  'rate-limited': { kind: '429', retryAfter: 5 },
  html: { kind: 'html' },
  forbidden: { kind: 'status', status: 403 },
  'broken-json': { kind: 'broken-json' },
}
const isMode = (name: string): name is Mode => Object.hasOwn(modeFaults, name)
const settings = z.union([
  z.object({ mode: z.string().refine(isMode) }),
  z.object({ speed: z.number().refine((speed) => speeds.includes(speed)) }),
])

/** The page on which a person chats with the bot, for this machine's browser alone. */
export class ConsoleServer {
  readonly #options: ConsoleOptions
  readonly #streams = new Set<(state: ShellState) => void>()
  #mode: Mode = 'normal'
  #listening: Listening | undefined
  #unsubscribe: (() => void) | undefined

  private constructor(options: ConsoleOptions) {
    this.#options = options
  }

  static async start(options: ConsoleOptions): Promise<ConsoleServer> {
    const server = new ConsoleServer(options)
    const html = await readFile(new URL('page/index.html', import.meta.url), 'utf8')
    const app = server.#app(html, await bundlePage())
    server.#unsubscribe = options.bot.subscribe(() => server.#push())
    server.#listening = await listenNear(app, options.port ?? 0)
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listening?.port}`
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    await this.#listening?.stop()
  }

  get #state(): ShellState {
    const { bot, wallet, world } = this.#options
    const accounts = wallet ? { accounts: wallet.accounts } : {}
    return { bot: bot.status, mode: this.#mode, speed: world.speed, ...accounts }
  }

  #push(): void {
    for (const send of this.#streams) send(this.#state)
  }

  #app(html: string, files: ReadonlyMap<string, PageFile>): Hono {
    const { bot, wallet, pictures } = this.#options
    const app = new Hono()
    // The bot's own pages bring their own headers and guards.
    app.all('/s/*', ownHostOnly, bodyLimit({ maxSize: 1_000_000 }), (context) => {
      const origin = bot.current?.healthUrl && new URL(bot.current.healthUrl).origin
      return passOn(context, origin, wallet && '/wallet.js')
    })
    app.use(pageHeaders, ownPageOnly)
    app.get('/', (context) => context.html(html))
    app.get('/assets/:name', (context) => {
      const file = files.get(context.req.param('name'))
      if (!file) return context.notFound()
      return context.body(file.content, 200, { 'content-type': `${file.type}; charset=utf-8` })
    })
    app.get('/picture.svg', (context) => {
      const { type, content } = pictureAt(context.req.query('of') ?? '', pictures)
      return context.body(content, 200, { 'content-type': type })
    })
    app.get('/sample.png', async (context) =>
      context.body(await samplePicture(), 200, {
        'content-type': 'image/png',
        'content-disposition': 'attachment; filename="sample.png"',
      }),
    )
    if (wallet) app.route('/', wallet.routes)
    this.#shellRoutes(app)
    app.route('/telegram', this.#options.panels.telegram)
    app.route('/discord', this.#options.panels.discord)
    return app
  }

  #shellRoutes(app: Hono): void {
    const { faults, world } = this.#options
    app.get('/shell/events', (context) =>
      sendEvents(context, (send: (state: ShellState) => void) => {
        this.#streams.add(send)
        send(this.#state)
        return () => this.#streams.delete(send)
      }),
    )
    app.post('/shell', async (context) => {
      const setting = settings.safeParse(await context.req.json().catch(() => undefined)).data
      if (!setting) return context.json({ message: 'Unknown mode or speed' }, 400)
      if ('speed' in setting) world.setSpeed(setting.speed)
      else {
        this.#mode = setting.mode
        faults.clear()
        const fault = modeFaults[setting.mode]
        if (fault) faults.set(fault)
      }
      this.#push()
      return context.json(this.#state)
    })
  }
}

/** A file of the page, ready to serve. */
interface PageFile {
  type: string
  content: string
}

/** Bundles the page's scripts and styles in memory; the key is the file's name. */
async function bundlePage(): Promise<ReadonlyMap<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: ['main.ts', 'theme.ts', 'style.css'],
    absWorkingDir: fileURLToPath(new URL('page', import.meta.url)),
    bundle: true,
    write: false,
    outdir: 'page',
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'silent',
  })
  // Bundling runs in a child process that would otherwise stay.
  await stop()
  return new Map(
    outputFiles.map(({ path, text: content }) => [
      basename(path),
      { type: path.endsWith('.css') ? 'text/css' : 'text/javascript', content },
    ]),
  )
}

async function listenNear(app: Hono, port: number): Promise<Listening> {
  const ports = port === 0 ? [0] : Array.from({ length: portsTried }, (_, index) => port + index)
  for (const candidate of ports) {
    try {
      return await listen((request, env) => app.fetch(request, env), candidate)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
  throw new Error(`no free port from ${port} to ${port + portsTried - 1}`)
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data: blob:",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of every answer: nothing from outside runs, nothing is kept, nothing is framed. */
const pageHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  headers.set('content-security-policy', policy)
  headers.set('cache-control', 'no-store')
  headers.set('referrer-policy', 'no-referrer')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
}

/** Refuses a host name that merely resolves to this machine. */
const ownHostOnly: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host') ?? ''
  if (/^(127\.0\.0\.1|localhost):\d+$/.test(host)) return next()
  return context.json({ message: 'This console answers on 127.0.0.1 only' }, 403)
}

/**
 * Refuses what a foreign web page could make a browser send: a host name that merely resolves to
 * this machine, another origin, and bodies that a plain form can post.
 */
const ownPageOnly: MiddlewareHandler = async (context, next) => {
  const refused = await ownHostOnly(context, async () => undefined)
  if (refused) return refused
  const origin = context.req.header('origin')
  if (origin !== undefined && origin !== `http://${context.req.header('host')}`) {
    return context.json({ message: 'Another page may not use this console' }, 403)
  }
  const reads = context.req.method === 'GET' || context.req.method === 'HEAD'
  if (!reads && !/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
    return context.json({ message: 'Content-Type must be application/json' }, 415)
  }
  return next()
}

/**
 * The bot's own pages, as a server in front of it would give them: each answer is the bot's, headers and all. In its
 * pages one script of this origin is added, where a browser would have a wallet's extension.
 */
async function passOn({ req, text }: Context, bot: string | undefined, script: string | undefined) {
  if (bot === undefined) return text('The bot is not running.\n', 502)
  const { pathname, search } = new URL(req.url)
  try {
    const answer = await proxy(`${bot}${pathname}${search}`, { raw: req.raw, redirect: 'manual' })
    const isPage = /^text\/html\b/iu.test(answer.headers.get('content-type') ?? '')
    if (!isPage || !script) return answer
    answer.headers.delete('content-length')
    return new Response(withScript(await answer.text(), script), answer)
  } catch {
    return text('The bot does not answer.\n', 502)
  }
}

function withScript(html: string, script: string): string {
  return html.replace(/<head[^>]*>/iu, (head) => `${head}<script src="${script}"></script>`)
}

/** Finds a published picture by its CID. */
type KnownPictures = (cid: string) => { type: string; bytes: Uint8Array } | undefined

interface Shown {
  type: string
  content: string | Uint8Array<ArrayBuffer>
}

const shownTypes = new Set(['image/webp', 'image/png', 'image/jpeg', 'image/gif'])

/** The picture that was published under an address, or else one that stands for it. */
function pictureAt(address: string, known?: KnownPictures): Shown {
  const cid = /\/ipfs\/(\w+)$/u.exec(address)?.[1]
  const found = cid === undefined ? undefined : known?.(cid)
  if (found && shownTypes.has(found.type)) {
    return { type: found.type, content: new Uint8Array(found.bytes) }
  }
  return { type: 'image/svg+xml', content: pictureFor(address) }
}

/** A picture to try the bot with, for those who have none at hand. */
async function samplePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = Buffer.from(pictureFor('sample'))
  return new Uint8Array(await sharp(drawn).resize(800, 600).png().toBuffer())
}

/**
 * An abstract picture, as SVG, that stands for an address of a picture. The world's tokens name
 * pictures on a host that does not exist, and the sandbox should not reach beyond this machine.
 */
function pictureFor(address: string): string {
  const bytes = createHash('sha256').update(address).digest()
  const at = (index: number) => bytes[index % bytes.length] ?? 0
  const hue = (at(0) * 360) / 256
  const colour = (context: number, light: number) =>
    `hsl(${Math.round(hue + context)} 70% ${light}%)`
  const circles = Array.from({ length: 4 }, (_, index) => {
    const [x, y, radius] = [at(3 * index + 1), at(3 * index + 2), 40 + at(3 * index + 3) / 3]
    return `<circle cx="${x * 2}" cy="${y * 2}" r="${Math.round(radius)}" fill="${colour(40 * index + 30, 60 + 6 * index)}" fill-opacity=".75"/>`
  })
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512" preserveAspectRatio="xMidYMid slice">',
    `<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour(0, 62)}"/><stop offset="1" stop-color="${colour(70, 42)}"/></linearGradient></defs>`,
    '<rect width="512" height="512" fill="url(#g)"/>',
    ...circles,
    '</svg>',
  ].join('')
}
