import {
  GatewayCloseCodes as Close,
  GatewayIntentBits,
  GatewayOpcodes,
} from 'discord-api-types/v10'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import type { Identity, Session } from './session.ts'

const frame = z.object({ op: z.number(), d: z.unknown() })
const identify = z.object({
  token: z.string(),
  intents: z.number().int(),
  properties: z.object({}).loose(),
  shard: z.tuple([z.number().int(), z.number().int()]).optional(),
})
const resume = z.object({ token: z.string(), session_id: z.string(), seq: z.number().int() })

/** What a connection needs of the gateway it belongs to. */
export interface Hub {
  token: string
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
export class Connection {
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
    if (bare(token) !== this.#hub.token) return Close.AuthenticationFailed
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
    if (bare(token) !== this.#hub.token) return Close.AuthenticationFailed
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
