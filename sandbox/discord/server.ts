import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GatewayIntentBits } from 'discord-api-types/v10'
import { Endpoint } from './endpoint.ts'
import { Gateway } from './gateway.ts'
import { Answers, Interactions } from './interactions.ts'
import { RateLimits } from './limits.ts'
import { Messages } from './messages.ts'
import { Burst, type BurstPlan, type BurstResult } from './people/burst.ts'
import { People } from './people/people.ts'
import { commandRoutes } from './rest/commands.ts'
import { infoRoutes, interactionRoutes, messageRoutes } from './rest/routes.ts'
import { type Call, type Faults, RestServer, Router } from './rest/server.ts'
import { World } from './world.ts'

export interface DiscordServerOptions {
  /** 0 or absent: any free port. */
  port?: number
  /** The bot's token. */
  token: string
  /** Milliseconds by which each REST answer is held back; the work itself is done at once. */
  answerDelayMs?: number
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
  /** Where interactions go instead of to the gateway, where the bot has set an address. */
  readonly endpoint: Endpoint
  readonly #http: Server
  readonly #rest: RestServer
  readonly #gateway: Gateway
  readonly #burst: Burst
  #port = 0

  private constructor(options: DiscordServerOptions) {
    const now = options.now ?? Date.now
    const world = new World(now)
    const messages = new Messages(world)
    this.endpoint = new Endpoint(now)
    const interactions = new Interactions(world, this.endpoint)
    const enabledIntents = options.enabledIntents ?? 0
    this.world = world
    this.people = new People(world, messages, interactions)
    this.#burst = new Burst(world, this.people, interactions)
    this.#gateway = new Gateway(world, {
      token: options.token,
      heartbeatMs: options.heartbeatMs ?? 41_250,
      enabledIntents,
      shards: options.shards ?? 1,
      maxConcurrency: options.maxConcurrency ?? 1,
    })
    const seesContent = (enabledIntents & GatewayIntentBits.MessageContent) !== 0
    const router = new Router([
      ...infoRoutes(world, this.#gateway, this.endpoint),
      ...commandRoutes(world),
      ...messageRoutes(world, messages, seesContent),
      ...interactionRoutes(interactions, new Answers(world, messages)),
    ])
    this.#rest = new RestServer({
      token: options.token,
      router,
      files: world.files,
      limits: limitsOf(options.rateLimits ?? true, now),
      tally: world.tally,
      answerDelayMs: options.answerDelayMs ?? 0,
    })
    this.#http = createServer({ keepAliveTimeout: 60_000 }, this.#rest.listen)
    this.#http.on('upgrade', (request, socket, head) =>
      this.#gateway.upgrade(request, socket, head),
    )
  }

  static async start(options: DiscordServerOptions): Promise<DiscordServer> {
    const server = new DiscordServer(options)
    await server.#listen(options.port ?? 0)
    return server
  }

  /** For discord.js: `new Client({ rest: { api: server.root } })`. */
  get root(): string {
    return `${this.world.files.origin}/api`
  }

  /** The latest REST calls, oldest first. */
  get calls(): readonly Call[] {
    return this.#rest.calls
  }

  /** Answers of 401, 403 and 429 so far. */
  get invalidRequests(): number {
    return this.#rest.invalidRequests
  }

  /** How the REST side goes wrong at the moment. */
  get faults(): Faults {
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

  /** Changes how long each REST answer is held back, in milliseconds. */
  set answerDelayMs(value: number) {
    this.#rest.answerDelayMs = value
  }

  /** Fires many slash commands at once and waits for all answers, for benchmarks. */
  burst(plan: BurstPlan): Promise<BurstResult> {
    return this.#burst.fire(plan)
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

  /** Refuses all connections from now on and breaks those there are; everything stays as it is for `comeBack`. */
  async goDown(): Promise<void> {
    this.#port = this.#address().port
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()))
    this.#gateway.drop()
    this.#http.closeAllConnections()
    await closed
  }

  /** Takes connections again, at the same address. */
  async comeBack(): Promise<void> {
    await this.#listen(this.#port)
  }

  async stop(): Promise<void> {
    this.people.stop()
    this.#rest.stop()
    await this.endpoint.stop()
    await this.#gateway.stop()
    if (this.#http.listening) await this.goDown()
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#http.once('error', reject)
      this.#http.listen(port, '127.0.0.1', resolve)
    })
    const { port: listening } = this.#address()
    this.world.files.origin = `http://127.0.0.1:${listening}`
    this.#gateway.url = `ws://127.0.0.1:${listening}`
  }

  #address(): AddressInfo {
    const address = this.#http.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    return address
  }
}

function limitsOf(wanted: boolean | { factor: number }, now: () => number): RateLimits | undefined {
  if (wanted === false) return undefined
  return new RateLimits(now, wanted === true ? 1 : wanted.factor)
}
