import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  GatewayCloseCodes as Close,
  GatewayIntentBits,
  GatewayOpcodes,
} from 'discord-api-types/v10'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { Recent } from '../traffic.ts'
import { gavel } from './cast.ts'
import { type Dispatch, shardOf, type World } from './world.ts'

interface GatewayOptions {
  /** The bot's token; undefined if it was revoked. */
  token: () => string | undefined
  heartbeatMs: number
  enabledIntents: number
  /** As it advises bots. */
  shards: number
  maxConcurrency: number
}

const startsADay = 1000

/** Discord's gateway: accepts sockets, keeps sessions, and hands each event to those who want it. */
export class Gateway {
  readonly #world: World
  readonly #options: GatewayOptions
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #sessions = new Map<string, Session>()
  /** Address for `GET /gateway/bot` and for resuming, set once the server listens. */
  url = ''
  #starts = 0

  constructor(world: World, options: GatewayOptions) {
    this.#world = world
    this.#options = options
    world.events.on('dispatch', (event) => this.#dispatch(event))
  }

  /** Sessions started so far; resumes are none. */
  get starts(): number {
    return this.#starts
  }

  /** Shards that are connected, as `0/4`. */
  get connected(): string[] {
    return [...this.#sessions.values()]
      .filter(({ socket }) => socket !== undefined)
      .map(({ identity }) => identity.shard.join('/'))
      .sort()
  }

  /** What `GET /gateway/bot` says. */
  info(): object {
    return {
      url: this.url,
      shards: this.#options.shards,
      session_start_limit: {
        total: startsADay,
        remaining: Math.max(0, startsADay - this.#starts),
        reset_after: 86_400_000,
        max_concurrency: this.#options.maxConcurrency,
      },
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams
    // Only plain JSON of version 10 is spoken here; anything else would only look as if it worked.
    if (
      query.get('v') !== '10' ||
      (query.get('encoding') ?? 'json') !== 'json' ||
      query.has('compress')
    ) {
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
      return
    }
    const hub: Hub = {
      ...this.#options,
      begin: (identity, client) => this.#begin(identity, client),
      session: (id) => this.#sessions.get(id),
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => new Connection(hub, client))
  }

  /** Breaks every connection; sessions stay and can be resumed. Without a code the line just goes dead. */
  drop(code?: number): void {
    for (const client of this.#sockets.clients)
      if (code === undefined) client.terminate()
      else client.close(code)
  }

  /** Op 7: asks every client to reconnect and resume. */
  askToReconnect(): void {
    this.#broadcast(GatewayOpcodes.Reconnect, null)
  }

  /** Op 9: ends all sessions, so that every client has to identify anew. */
  invalidate(): void {
    this.#sessions.clear()
    this.#broadcast(GatewayOpcodes.InvalidSession, false)
  }

  async stop(): Promise<void> {
    this.drop()
    await new Promise<void>((resolve) => this.#sockets.close(() => resolve()))
  }

  #broadcast(op: GatewayOpcodes, d: unknown): void {
    const text = JSON.stringify({ t: null, s: null, op, d })
    for (const client of this.#sockets.clients) client.send(text)
  }

  #dispatch(event: Dispatch): void {
    const gone = event.guildId !== undefined && !this.#world.hasBot
    // Interactions come from there, too, by people who added the bot for themselves.
    if (gone && !['GUILD_DELETE', 'INTERACTION_CREATE'].includes(event.name)) return
    const texts: { whole?: string; redacted?: string } = {}
    for (const session of this.#sessions.values()) {
      if (!session.wants(event)) continue
      const kind = session.identity.sees ? 'whole' : 'redacted'
      texts[kind] ??= event.json(kind === 'redacted')
      session.dispatch(event.name, texts[kind])
    }
  }

  #begin(identity: Identity, socket: WebSocket): Session {
    this.#starts++
    // The session of a shard that starts anew is dead: nobody will resume it.
    for (const [id, old] of this.#sessions)
      if (old.socket === undefined && String(old.identity.shard) === String(identity.shard))
        this.#sessions.delete(id)
    const session = new Session(randomBytes(16).toString('hex'), identity, socket)
    this.#sessions.set(session.id, session)
    const { guild } = this.#world
    const here = this.#world.hasBot && shardOf(guild.id, identity.shard[1]) === identity.shard[0]
    session.dispatch(
      'READY',
      JSON.stringify({
        v: 10,
        user: { ...this.#world.bot, verified: true, mfa_enabled: true, email: null, flags: 0 },
        user_settings: {},
        private_channels: [],
        guilds: here ? [{ id: guild.id, unavailable: true }] : [],
        session_id: session.id,
        resume_gateway_url: this.url,
        shard: identity.shard,
        application: { id: gavel.id, flags: 0 },
      }),
    )
    if (here && (identity.intents & GatewayIntentBits.Guilds) !== 0) this.#sendGuild(session)
    return session
  }

  #sendGuild(session: Session): void {
    const world = this.#world
    const everybody = [...world.members.values()]
    const all = (session.identity.intents & GatewayIntentBits.GuildMembers) !== 0
    const members = all ? everybody : everybody.filter((each) => each.user.id === gavel.id)
    session.dispatch('GUILD_CREATE', JSON.stringify(world.guildCreate(members)))
  }
}

const frame = z.object({ op: z.number(), d: z.unknown() })
const identify = z.object({
  token: z.string(),
  intents: z.number().int(),
  properties: z.object({}).loose(),
  shard: z.tuple([z.number().int(), z.number().int()]).optional(),
})
const resume = z.object({ token: z.string(), session_id: z.string(), seq: z.number().int() })

/** What a connection needs of the gateway it belongs to. */
interface Hub {
  token: () => string | undefined
  heartbeatMs: number
  /** Privileged intents the application has switched on. */
  enabledIntents: number
  begin(identity: Identity, socket: WebSocket): Session
  session(id: string): Session | undefined
}

const privileged =
  GatewayIntentBits.GuildMembers |
  GatewayIntentBits.GuildPresences |
  GatewayIntentBits.MessageContent
const everyIntent = Object.values(GatewayIntentBits).reduce<number>(
  (bits, bit) => (typeof bit === 'number' ? bits | bit : bits),
  0,
)
const framesPerMinute = 120
// Presence and voice updates, requests for members and soundboards: taken, without effect here.
const unheeded = [3, 4, 8, 31]

/** One socket of the bot, from HELLO to its close, under Discord's rules of opcodes and close codes. */
class Connection {
  readonly #hub: Hub
  readonly #socket: WebSocket
  readonly #deadline: NodeJS.Timeout
  #session: Session | undefined
  #frames = 0
  #minute = Date.now()

  constructor(hub: Hub, socket: WebSocket) {
    this.#hub = hub
    this.#socket = socket
    // A client that misses its beat is cut off; a beat's grace covers the jitter of the first one.
    this.#deadline = setTimeout(
      () => socket.close(Close.SessionTimedOut, 'Session timed out'),
      hub.heartbeatMs * 2,
    )
    socket.on('message', (data) => this.#receive(data))
    socket.on('close', () => {
      clearTimeout(this.#deadline)
      this.#session?.detach(socket)
    })
    this.#send(GatewayOpcodes.Hello, { heartbeat_interval: hub.heartbeatMs, _trace: ['sandbox'] })
  }

  #send(op: GatewayOpcodes, d: unknown): void {
    this.#socket.send(JSON.stringify({ t: null, s: null, op, d }))
  }

  #receive(data: RawData): void {
    const code = this.#flooded() ? Close.RateLimited : this.#handle(parseJson(String(data)))
    if (code !== undefined) this.#socket.close(code, Close[code])
  }

  /** The code to close with, where Discord would. */
  #handle(data: unknown): Close | undefined {
    const message = frame.safeParse(data)
    if (!message.success) return Close.DecodeError
    const { op, d } = message.data
    if (op === GatewayOpcodes.Heartbeat) return this.#beat()
    if (op === GatewayOpcodes.Identify) return this.#identify(d)
    if (op === GatewayOpcodes.Resume) return this.#resume(d)
    if (this.#session === undefined) return Close.NotAuthenticated
    return unheeded.includes(op) ? undefined : Close.UnknownOpcode
  }

  #flooded(): boolean {
    if (Date.now() - this.#minute > 60_000) {
      this.#minute = Date.now()
      this.#frames = 0
    }
    return ++this.#frames > framesPerMinute
  }

  #beat(): undefined {
    this.#deadline.refresh()
    this.#send(GatewayOpcodes.HeartbeatAck, null)
  }

  #identify(d: unknown): Close | undefined {
    if (this.#session !== undefined) return Close.AlreadyAuthenticated
    const asked = identify.safeParse(d)
    if (!asked.success) return Close.DecodeError
    const { token, intents, shard = [0, 1] } = asked.data
    if (bare(token) !== this.#hub.token()) return Close.AuthenticationFailed
    if (shard[1] < 1 || shard[0] < 0 || shard[0] >= shard[1]) return Close.InvalidShard
    if ((intents & ~everyIntent) !== 0 || intents < 0) return Close.InvalidIntents
    if ((intents & privileged & ~this.#hub.enabledIntents) !== 0) return Close.DisallowedIntents
    const sees = (intents & GatewayIntentBits.MessageContent) !== 0
    this.#session = this.#hub.begin({ intents, shard, sees }, this.#socket)
    return undefined
  }

  #resume(d: unknown): Close | undefined {
    const asked = resume.safeParse(d)
    if (!asked.success) return Close.DecodeError
    const { token, session_id, seq } = asked.data
    if (bare(token) !== this.#hub.token()) return Close.AuthenticationFailed
    const session = this.#hub.session(session_id)
    if (session !== undefined && seq > session.sequence) return Close.InvalidSeq
    if (session?.canReplay(seq) !== true) {
      this.#send(GatewayOpcodes.InvalidSession, false)
      return undefined
    }
    this.#session = session
    session.resume(this.#socket, seq)
    return undefined
  }
}

function bare(token: string): string {
  return token.replace(/^Bot /, '')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a client asked for when it identified. */
interface Identity {
  intents: number
  shard: [id: number, count: number]
  /** Whether guild messages come with their content. */
  sees: boolean
}

/** One identified session: numbers its events and keeps the latest so that a resume can replay them. */
class Session {
  readonly id: string
  readonly identity: Identity
  #socket: WebSocket | undefined
  #sequence = 0
  readonly #kept = new Recent<string>(1_000)

  constructor(id: string, identity: Identity, socket: WebSocket) {
    this.id = id
    this.identity = identity
    this.#socket = socket
  }

  get sequence(): number {
    return this.#sequence
  }

  get socket(): WebSocket | undefined {
    return this.#socket
  }

  wants(event: Dispatch): boolean {
    const { intents, shard } = this.identity
    if (event.intents !== 0 && (event.intents & intents) === 0) return false
    return shardOf(event.guildId, shard[1]) === shard[0]
  }

  /** Sends a dispatch, or keeps it for the resume while the client is away. */
  dispatch(name: string, json: string): void {
    this.#sequence++
    const frame = `{"t":"${name}","s":${this.#sequence},"op":${GatewayOpcodes.Dispatch},"d":${json}}`
    this.#kept.add(frame)
    this.#socket?.send(frame)
  }

  /** Whether all events after a sequence number are still here. */
  canReplay(after: number): boolean {
    return after <= this.#sequence && this.#sequence - after <= this.#kept.all.length
  }

  /** Continues on another socket: what was missed, then RESUMED. */
  resume(socket: WebSocket, after: number): void {
    this.#socket = socket
    const missed = this.#sequence - after
    if (missed > 0) for (const frame of this.#kept.all.slice(-missed)) socket.send(frame)
    this.dispatch('RESUMED', '{"_trace":["sandbox"]}')
  }

  /** The client has gone; events are kept until it comes back. */
  detach(socket: WebSocket): void {
    if (this.#socket === socket) this.#socket = undefined
  }
}
