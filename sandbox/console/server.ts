import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, stop } from 'esbuild'
import { Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { z } from 'zod'
import type { Supervisor } from '../bot.ts'
import type { Fault, Faults } from '../faults.ts'
import { type Listening, listen } from '../http.ts'
import type { World } from '../interface/world.ts'
import { botPages } from './bot-pages.ts'
import { ownHostOnly, ownPageOnly, pageHeaders } from './guard.ts'
import { type KnownPictures, pictureAt, samplePicture } from './picture.ts'
import { type Mode, type ShellState, speeds } from './state.ts'

export interface ConsoleOptions {
  /** The port to take or, where it is taken, one of the next twenty; a free one without it. */
  port?: number
  /** The actions and events of each panel. */
  panels: { telegram: Hono; discord: Hono }
  faults: Faults
  /** Whose auctions the page's slider speeds up. */
  world: Pick<World, 'speed' | 'setSpeed'>
  bot: Pick<Supervisor, 'status' | 'subscribe'> & Partial<Pick<Supervisor, 'current'>>
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
  'broken-json': { kind: 'broken-json' },
}
const isMode = (name: string): name is Mode => Object.hasOwn(modeFaults, name)
const modeBody = z.object({ mode: z.string().refine(isMode) })
const speedBody = z.object({ speed: z.number().refine((speed) => speeds.includes(speed)) })

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
    app.use('/s/*', ownHostOnly)
    app.route(
      '/',
      botPages({
        origin: () => bot.current?.healthUrl && new URL(bot.current.healthUrl).origin,
        script: wallet && '/wallet.js',
      }),
    )
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
    app.get('/shell/events', (context) => streamSSE(context, (stream) => this.#events(stream)))
    app.post('/shell/mode', async (context) => {
      const body = modeBody.safeParse(await context.req.json().catch(() => undefined))
      if (!body.success) return context.json({ message: 'Unknown mode' }, 400)
      this.#mode = body.data.mode
      faults.clear()
      const fault = modeFaults[this.#mode]
      if (fault) faults.set(fault)
      this.#push()
      return context.json(this.#state)
    })
    app.post('/shell/speed', async (context) => {
      const body = speedBody.safeParse(await context.req.json().catch(() => undefined))
      if (!body.success) return context.json({ message: 'Unknown speed' }, 400)
      world.setSpeed(body.data.speed)
      this.#push()
      return context.json(this.#state)
    })
  }

  async #events(stream: SSEStreamingApi): Promise<void> {
    const ended = new AbortController()
    stream.onAbort(() => ended.abort())
    const send = (state: ShellState) => void stream.writeSSE({ data: JSON.stringify(state) })
    this.#streams.add(send)
    send(this.#state)
    if (!ended.signal.aborted) await once(ended.signal, 'abort')
    this.#streams.delete(send)
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
