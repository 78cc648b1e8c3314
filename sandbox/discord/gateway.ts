import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10'
import { type WebSocket, WebSocketServer } from 'ws'
import { gavel } from './cast.ts'
import { Connection, type Hub } from './connection.ts'
import { guildCreateOf } from './guild.ts'
import { type Identity, Session } from './session.ts'
import { shardOf } from './snowflake.ts'
import type { Dispatch, World } from './world.ts'

export interface GatewayOptions {
  token: string
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
    if (gone && event.name !== 'GUILD_DELETE') return
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
    const channels = world.guildChannels()
    const threads = world.activeThreads()
    const event = guildCreateOf(world.guild, channels, threads, members, everybody.length)
    session.dispatch('GUILD_CREATE', JSON.stringify(event))
  }
}
