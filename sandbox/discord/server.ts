import { createServer } from 'node:http'
import { LocalPort } from '../http.ts'
import { Gateway } from './gateway.ts'
import { Answers, Interactions } from './interactions.ts'
import { RateLimits } from './limits.ts'
import { Messages } from './messages.ts'
import { People } from './people.ts'
import { type Call, infoRoutes, interactionRoutes, messageRoutes, RestServer } from './rest.ts'
import { World } from './world.ts'

export interface DiscordServerOptions {
  /** 0 or absent: any free port. */
  port?: number
  /** The bot's token. */
  token: string
  /** Whether buckets and the global limit hold, and how much larger than Discord's they are; on and as large if absent. */
  rateLimits?: boolean | { factor: number }
  /** The clock of ids, tokens and limits, in milliseconds since 1970. */
  now?: () => number
  /** What HELLO asks for; a client silent for twice as long is cut off. Discord's is 41,250. */
  heartbeatMs?: number
  /** How many shards the gateway advises; 1 by default. */
  shards?: number
  /** How many of them may identify within 5 s; 1 by default. */
  maxConcurrency?: number
  /** Privileged intents that the application has switched on; none by default. */
  enabledIntents?: number
}

/** A stand-in for Discord on one port: REST v10, gateway, files, and the people who chat with the bot. */
export class DiscordServer {
  /** What people do and see, in this process. */
  readonly people: People
  /** The state behind it all, for arranging and looking at a test's ground. */
  readonly world: World
  #token: string | undefined
  readonly #port: LocalPort
  readonly #rest: RestServer
  readonly #gateway: Gateway
  readonly #interactions: Interactions

  private constructor(options: DiscordServerOptions) {
    const now = options.now ?? Date.now
    const token = () => this.#token
    this.#token = options.token
    const world = new World(now)
    const messages = new Messages(world)
    const answers = new Answers(world, messages)
    const interactions = new Interactions(world)
    this.world = world
    this.#interactions = interactions
    this.people = new People(world, messages, interactions)
    this.#gateway = new Gateway(world, {
      token,
      heartbeatMs: options.heartbeatMs ?? 41_250,
      enabledIntents: options.enabledIntents ?? 0,
      shards: options.shards ?? 1,
      maxConcurrency: options.maxConcurrency ?? 1,
    })
    this.#rest = new RestServer({
      token,
      routes: {
        ...infoRoutes(world, this.#gateway),
        ...messageRoutes(world, messages),
        ...interactionRoutes(interactions, answers),
      },
      files: world.files,
      limits: limitsOf(options.rateLimits ?? true, now),
      tally: world.tally,
    })
    const http = createServer({ keepAliveTimeout: 60_000 }, this.#rest.listen)
    http.on('upgrade', (request, socket, head) => this.#gateway.upgrade(request, socket, head))
    this.#port = new LocalPort(http)
  }

  static async start(options: DiscordServerOptions): Promise<DiscordServer> {
    const server = new DiscordServer(options)
    const port = await server.#port.open(options.port)
    server.world.files.origin = `http://127.0.0.1:${port}`
    server.#gateway.url = `ws://127.0.0.1:${port}`
    return server
  }

  /** For discord.js: `new Client({ rest: { api: server.root } })`. */
  get root(): string {
    return `${this.world.files.origin}/api`
  }

  /** The latest REST calls, oldest first. */
  get calls(): readonly Call[] {
    return this.#rest.calls.all
  }

  /** How the REST side goes wrong at the moment. */
  get faults(): RestServer['faults'] {
    return this.#rest.faults
  }

  /** Sessions that were started with an IDENTIFY; a resume is none. */
  get sessionStarts(): number {
    return this.#gateway.starts
  }

  /** Shards that are connected, as `0/4`. */
  get shards(): string[] {
    return this.#gateway.connected
  }

  /** Changes how soon the bot must take up an interaction, in milliseconds: Discord wants it in 3,000. */
  set answerMs(value: number) {
    this.#interactions.answerMs = value
  }

  /** Breaks the bot's connections, with a close code or without a word; its sessions can be resumed. */
  dropGateway(code?: number): void {
    this.#gateway.drop(code)
  }

  /** Op 7: asks the bot to reconnect and resume. */
  askToReconnect(): void {
    this.#gateway.askToReconnect()
  }

  /** Op 9: ends the sessions, so that the bot has to identify anew. */
  invalidateSessions(): void {
    this.#gateway.invalidate()
  }

  /** The owner resets the token: whoever has the one that there was is refused from now on. Connections stay. */
  revokeToken(): void {
    this.#token = undefined
  }

  /** Refuses all connections and breaks those there are until `up`; everything stays as it is. */
  async down(): Promise<void> {
    this.#gateway.drop()
    await this.#port.close()
  }

  /** Takes connections again, at the same address. */
  async up(): Promise<void> {
    await this.#port.open()
  }

  async stop(): Promise<void> {
    this.people.stop()
    this.#rest.stop()
    await this.#gateway.stop()
    await this.#port.close()
  }
}

function limitsOf(wanted: boolean | { factor: number }, now: () => number): RateLimits | undefined {
  if (wanted === false) return undefined
  return new RateLimits(now, wanted === true ? 1 : wanted.factor)
}
