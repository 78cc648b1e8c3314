import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { DiscordAPIError, type REST } from '@discordjs/rest'
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws'
import {
  ChannelType,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  InteractionResponseType,
  InteractionType,
  Routes,
} from 'discord-api-types/v10'
import { z } from 'zod'
import {
  type AdapterParts,
  type ChatChange,
  hostOf,
  PlatformError,
  untilReachable,
  type WebhookAnswer,
  webhookPathOf,
} from '../core/adapter.ts'
import { bodyOf } from '../core/body.ts'
import { PollingLoop, retry, type Task, withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'
import { isFinal } from './errors.ts'
import { type Interaction, readInteraction, readWritten, type WrittenMessage } from './incoming.ts'
import type { Shards } from './platform.ts'
import { profileSchema } from './profile.ts'

interface GatewayParts extends Pick<AdapterParts, 'token' | 'log'> {
  rest: REST
  /** Undefined: all shards, as many as Discord recommends. */
  shards: Shards | undefined
  onInteraction: (interaction: Interaction) => void
  onMessage: (message: WrittenMessage) => void
  onChatChange: (change: ChatChange, entered: EnteredServer | undefined) => void
  onState: (state: 'connected' | 'reconnecting') => void
  onFatal: (error: PlatformError) => void
}

/** Milliseconds that closing the connections may take. */
const closeTimeout = 3_000

/** The operator's text if Discord refuses the bot's token. */
export const tokenRefused =
  'Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, page Bot.'

const wrongShards = 'Discord refuses DISCORD_SHARDS. Set it to auto, or to more of them.'
const wrongIntents = 'Discord refuses the intents that this version of Gavel asks for.'
/** Codes with which Discord closes a connection that must not be opened again, and what an operator has to know of each. */
const finalCodes: ReadonlyMap<number, string> = new Map([
  [GatewayCloseCodes.AuthenticationFailed, tokenRefused],
  [GatewayCloseCodes.InvalidShard, wrongShards],
  [GatewayCloseCodes.ShardingRequired, wrongShards],
  [
    GatewayCloseCodes.InvalidAPIVersion,
    'Discord refuses this version of Gavel because it is too old.',
  ],
  [GatewayCloseCodes.InvalidIntents, wrongIntents],
  [GatewayCloseCodes.DisallowedIntents, wrongIntents],
])

/**
 * Receives interactions, and text in private chats, over Discord's gateway. @discordjs/ws keeps the connections, and
 * identifies no more often than Discord allows. Each shard is received by one process at a time.
 *
 * The client of discord.js would make objects and caches of each event that the bot does not use.
 */
export class Gateway implements Task {
  readonly ready: Promise<void>
  readonly #parts: GatewayParts
  readonly #manager: WebSocketManager
  readonly #sessions = new Map<number, SessionInfo | null>()
  readonly #connected = new Set<number>()
  readonly #servers = new Servers()
  /** Number of this process's shards, once all were connected. */
  #shards: number | undefined
  readonly #stopping = new AbortController()

  constructor(parts: GatewayParts) {
    this.#parts = parts
    const { rest, token, shards } = parts
    this.#manager = new WebSocketManager({
      token,
      rest,
      // Interactions need no intent. Servers say that the bot was let in or removed, and which channels they have.
      intents: GatewayIntentBits.DirectMessages | GatewayIntentBits.Guilds,
      shardIds: shards ? [...shards.ids] : null,
      shardCount: shards?.count ?? null,
      retrieveSessionInfo: (shard) => this.#sessions.get(shard) ?? null,
      updateSessionInfo: (shard, session) => {
        this.#sessions.set(shard, session)
      },
    })
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // While connecting, @discordjs/ws may wait forever.
    await withTimeout(Promise.resolve(this.#manager.destroy()), closeTimeout)
  }

  async #begin(): Promise<void> {
    const { log } = this.#parts
    const { signal } = this.#stopping
    this.#watch()
    const stopped = once(signal, 'abort')
    try {
      // @discordjs/ws itself gives up at once if the network is down.
      const reach = untilReachable('discord', isFinal, log)
      await reach(() => this.#manager.fetchGatewayInformation(), signal)
      if (signal.aborted) return
      await Promise.race([this.#manager.connect(), stopped])
    } catch (cause) {
      if (signal.aborted) return
      if (cause instanceof PlatformError) throw cause
      throw new PlatformError('Discord refuses the connection to its gateway.', { cause })
    }
    this.#shards = (await this.#manager.getShardIds()).length
    this.#onConnected()
  }

  #watch(): void {
    const { log, onState, onFatal } = this.#parts
    const manager = this.#manager
    manager.on(WebSocketShardEvents.Error, ({ error }) =>
      log.warn({ err: error }, 'discord: gateway error'),
    )
    manager.on(WebSocketShardEvents.Dispatch, ({ data: { t, d } }) => this.#onEvent(t, d))
    const onUp = ({ shardId }: { shardId: number }) => {
      this.#connected.add(shardId)
      this.#onConnected()
    }
    manager.on(WebSocketShardEvents.Ready, onUp)
    manager.on(WebSocketShardEvents.Resumed, onUp)
    manager.on(WebSocketShardEvents.Closed, ({ shardId, code }) => {
      this.#connected.delete(shardId)
      if (this.#stopping.signal.aborted) return
      const lost = finalCodes.get(code)
      if (lost === undefined) onState('reconnecting')
      else
        onFatal(new PlatformError(`Discord closed the connection for good (code ${code}). ${lost}`))
    })
  }

  /** Events have the same format as calls of the interactions endpoint. */
  #onEvent(event: string, payload: unknown): void {
    if (this.#stopping.signal.aborted) return
    const { onInteraction, onMessage, onChatChange } = this.#parts
    if (event === GatewayDispatchEvents.InteractionCreate) {
      const interaction = readInteraction(payload)
      if (interaction) onInteraction(interaction)
    } else if (event === GatewayDispatchEvents.MessageCreate) {
      const message = readWritten(payload)
      if (message) onMessage(message)
    } else {
      const { change, entered } = this.#servers.read(event, payload) ?? {}
      if (change) onChatChange(change, entered)
    }
  }

  /** Connected means that all shards of this process are. */
  #onConnected(): void {
    if (this.#stopping.signal.aborted) return
    if (this.#connected.size === this.#shards) this.#parts.onState('connected')
  }
}

/** Path on the bot's server that Discord calls. */
export const callPath = webhookPathOf('discord')

/** The fields that are read of an application. */
export const applicationSchema = profileSchema.extend({
  id: z.string(),
  verify_key: z.string(),
  interactions_endpoint_url: z.string().nullish(),
})
type Application = z.output<typeof applicationSchema>

/**
 * Milliseconds before each retry of setting the endpoint: Discord calls the address when it is set, and load balancers
 * take some time to see that a replica is ready.
 */
export const defaultWaits: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000]

type SetEndpoint = (url: string | null) => Promise<void>

/** Sets the interactions endpoint. @throws PlatformError if Discord can't verify the address */
async function setEndpoint(
  url: string,
  set: SetEndpoint,
  waits: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await retry(() => set(url), {
      canRetry: isUnverified,
      maxTries: waits.length + 1,
      pause: (failures) => waits[failures - 1] ?? 0,
      signal,
    })
  } catch (error) {
    throw isUnverified(error) ? notTaken(url, error) : error
  }
}

/**
 * Clears the interactions endpoint, if it is ours.
 * @throws PlatformError if there is another one: the gateway would receive nothing
 */
async function clearEndpoint(
  { interactions_endpoint_url: current }: Application,
  ours: string | undefined,
  set: SetEndpoint,
): Promise<void> {
  if (!current) return
  if (current === ours) return set(null)
  throw notToGateway(current)
}

/** Explains that interactions go to an endpoint, and not to the gateway. */
export function notToGateway(url: string): PlatformError {
  return new PlatformError(
    `Discord sends interactions to ${hostOf(url)}, and none to the gateway. Clear the Interactions Endpoint URL in the developer portal, or set DISCORD_INTERACTIONS=http.`,
  )
}

/** Whether Discord could not verify the address, the only field of the request that it can refuse. */
function isUnverified(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.status === 400
}

function notTaken(url: string, cause: unknown): PlatformError {
  return new PlatformError(
    `Discord could not verify ${url}. PUBLIC_URL must lead to this bot, from anywhere and with a certificate that Discord trusts.`,
    { cause },
  )
}

/** The leader's task that keeps the interactions endpoint set. */
export const endpointRole = 'discord calls'

interface EndpointKeeperParts {
  rest: REST
  /** URL of our endpoint, if the bot has a public address. */
  ours: string | undefined
  log: Logger
  onFatal: (error: unknown) => void
  /** Milliseconds before each retry of an endpoint that Discord can't verify. */
  waits: readonly number[]
  /** Milliseconds between two checks. */
  every: number
  /** Called after each check, with the error if Discord gave no answer. */
  onChecked: (error?: unknown) => void
  /** Aborted at a stop. */
  signal: AbortSignal
}

type Check = (application: Application, signal: AbortSignal) => Promise<void>

/** Sets or clears the application's Interactions Endpoint URL, and watches it: another process can change it. */
export class EndpointKeeper {
  readonly #parts: EndpointKeeperParts
  /** `take` is setting the address, which `keep` must not report as changed. */
  #isTaking = false
  /** Checks Discord's data about the application; undefined if another replica does. */
  #check: Check | undefined

  constructor(parts: EndpointKeeperParts) {
    this.#parts = parts
  }

  async read(signal?: AbortSignal): Promise<Application> {
    const { rest } = this.#parts
    const options = signal && { signal }
    return applicationSchema.parse(await rest.get(Routes.currentApplication(), options))
  }

  /** Sets the endpoint. Not awaited by the start: behind a load balancer, Discord's check reaches only replicas that are ready. */
  async take(url: string): Promise<void> {
    const { log, onFatal, signal, waits } = this.#parts
    this.#isTaking = true
    try {
      await setEndpoint(url, (each) => this.#reachAndSet(each), waits, signal)
      log.info({ url }, 'discord: interactions come to PUBLIC_URL')
    } catch (error) {
      if (!signal.aborted) onFatal(error)
    } finally {
      this.#isTaking = false
    }
  }

  /** Clears the endpoint, for the gateway. @throws PlatformError if another address is set */
  async leave(application: Application): Promise<void> {
    const { log, ours } = this.#parts
    await clearEndpoint(application, ours, (url) => this.#reachAndSet(url))
    if (application.interactions_endpoint_url)
      log.warn(
        'discord sent interactions to PUBLIC_URL; from now on this bot receives them over the gateway',
      )
  }

  /** Sets the endpoint again whenever `watch` finds that it was changed. */
  keep(url: string): Task {
    const { log } = this.#parts
    return this.#run(async ({ interactions_endpoint_url: current }, signal) => {
      if (this.#isTaking || current === url) return
      const found = current ? hostOf(current) : 'none'
      log.warn(
        { found },
        'discord: somebody changed the Interactions Endpoint URL; this bot has set it again. Stop whatever else uses DISCORD_TOKEN, or has another PUBLIC_URL.',
      )
      await this.#set(url, signal)
    })
  }

  /** Fails if `watch` finds an endpoint, since the gateway would receive nothing. */
  keepNone(): Task {
    return this.#run(async ({ interactions_endpoint_url: current }) => {
      if (current) this.#parts.onFatal(notToGateway(current))
    })
  }

  /**
   * Asks Discord for the application from time to time, on each replica: a replica that is called, or only sends, would
   * otherwise not notice that the token was revoked.
   */
  watch(): Task {
    const { every: everyMs, log, onChecked } = this.#parts
    const poll = async (signal: AbortSignal) => {
      const application = await this.read(signal)
      if (signal.aborted) return
      onChecked()
      await this.#check?.(application, signal).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err }, 'discord: the interactions endpoint can’t be set')
      })
    }
    return new PollingLoop({ poll, everyMs, onFault: onChecked })
  }

  #run(check: Check): Task {
    this.#check = check
    const stop = async () => {
      if (this.#check === check) this.#check = undefined
    }
    return { stop }
  }

  #reachAndSet(url: string | null): Promise<void> {
    return this.#untilReached(() => this.#set(url, this.#parts.signal))
  }

  #untilReached<T>(work: () => Promise<T>): Promise<T> {
    const { log, signal } = this.#parts
    return untilReachable('discord', isFinal, log)(work, signal)
  }

  async #set(url: string | null, signal: AbortSignal): Promise<void> {
    const body = { interactions_endpoint_url: url }
    await this.#parts.rest.patch(Routes.currentApplication(), { body, signal })
  }
}

/** More than Discord sends: a form of five texts and its message, all at their maximum length. */
const maxBytes = 128 * 1024
/** Seconds by which the bot's clock may be wrong; after that a recorded call can't be replayed. */
const maxSkew = 300
const ping = z.object({ type: z.literal(InteractionType.Ping) })

/** DER prefix of the 32 bytes of an Ed25519 key (RFC 8410). */
const keyPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Parses an application's public key, 32 bytes in hex. @throws Error if it is invalid */
export function verifyKey(hex: string): KeyObject {
  const der = Buffer.concat([keyPrefix, Buffer.from(hex, 'hex')])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

interface EndpointParts {
  key: KeyObject
  /** Unix seconds. */
  now: () => number
  /** Returns the response to the interaction; undefined if it is sent over the REST interface. */
  onInteraction: (interaction: Interaction) => Promise<unknown>
}

/**
 * Handles a call of the interactions endpoint. The response to the interaction is the answer; 202 without content if it was
 * sent over the REST interface instead: https://docs.discord.com/developers/interactions/receiving-and-responding
 */
export async function answerEndpoint(
  { key, now, onInteraction }: EndpointParts,
  request: IncomingMessage,
): Promise<WebhookAnswer> {
  const timestamp = String(request.headers['x-signature-timestamp'])
  const signature = String(request.headers['x-signature-ed25519'])
  // Discord checks from time to time that invalid signatures are refused with 401. Without a plausible one, the body is
  // not read.
  if (!isPlausible(timestamp, signature)) return refused('not Discord', 401)
  if (Math.abs(now() - Number(timestamp)) > maxSkew) return refused('not from now', 401)
  const body = await bodyOf(request, maxBytes)
  if (body === undefined) return refused('too large', 413)
  if (!isSigned(key, timestamp, signature, body)) return refused('not Discord', 401)
  const payload = parseJson(body)
  if (ping.safeParse(payload).success) {
    return { status: 200, json: { type: InteractionResponseType.Pong } }
  }
  const interaction = readInteraction(payload)
  if (!interaction) return refused('nothing known', 400)
  const response = await onInteraction(interaction)
  return response === undefined ? { status: 202 } : { status: 200, json: response }
}

function isPlausible(timestamp: string, signature: string): boolean {
  return /^\d{1,12}$/u.test(timestamp) && /^[\da-f]{128}$/iu.test(signature)
}

/** Verifies the signature of the raw body. */
function isSigned(key: KeyObject, timestamp: string, signature: string, body: Buffer): boolean {
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  return verify(null, signed, key, Buffer.from(signature, 'hex'))
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function refused(error: string, status: number): WebhookAnswer {
  return { status, json: { error } }
}

const ids = z.array(z.object({ id: z.string() })).default([])

const readySchema = z.object({
  guilds: ids,
  shard: z.tuple([z.number().int(), z.number().int().positive()]).default([0, 1]),
})
const createdSchema = z.object({
  id: z.string(),
  unavailable: z.boolean().optional(),
  joined_at: z.string().optional(),
  owner_id: z.string().optional(),
  preferred_locale: z.string().optional(),
  system_channel_id: z.string().nullish(),
  channels: z
    .array(
      z.object({ id: z.string(), type: z.number().default(0), position: z.number().default(0) }),
    )
    .default([]),
  threads: ids,
})
const deletedSchema = z.object({ id: z.string(), unavailable: z.boolean().optional() })

/** A server that has just let the bot in. */
export interface EnteredServer {
  id: string
  /** When the bot was let in, which tells one time from another. */
  joinedAt: string
  /** The person who owns it. */
  owner: string
  /** A language tag; undefined if the server has none. */
  language: string | undefined
  /** The channels in which the bot may greet, the best one first: that of Discord's own messages, then the topmost. */
  channels: readonly string[]
}

/** A change of a server that an event of the gateway reports. */
interface ServerEvent {
  change: ChatChange
  /** If the bot was let in. */
  entered?: EnteredServer
}

/** Channels that are tried: the bot may see or write in some only. */
const maxTried = 3

/**
 * The servers that the bot is in, and the ids of their channels: the event that a server has removed the bot does not name them. A
 * channel that was created later is missing; the next message to it shows that it is lost. With 50 channels each, the 2,500
 * servers of a shard take about 6 MB.
 */
export class Servers {
  readonly #channels = new Map<string, readonly string[]>()

  /** Reads the change of a server from an event of the gateway; undefined if it reports none. */
  read(event: string, payload: unknown): ServerEvent | undefined {
    if (event === GatewayDispatchEvents.Ready) return this.#ready(payload)
    if (event === GatewayDispatchEvents.GuildCreate) return this.#created(payload)
    if (event === GatewayDispatchEvents.GuildDelete) return this.#deleted(payload)
    return undefined
  }

  /**
   * Notes the servers that the bot is in as a shard begins a session: they follow one by one, as if it had just been let in.
   * A server that was there in the session before, and is missing now, has removed the bot.
   */
  #ready(payload: unknown): ServerEvent | undefined {
    const { data: ready } = readySchema.safeParse(payload)
    if (!ready) return undefined
    const [shard, count] = ready.shard
    const present = new Set(ready.guilds.map(({ id }) => id))
    const lost: string[] = []
    for (const [id, channels] of this.#channels) {
      if (present.has(id) || shardOf(id, count) !== shard) continue
      lost.push(...channels)
      this.#channels.delete(id)
    }
    for (const id of present) if (!this.#channels.has(id)) this.#channels.set(id, [])
    if (lost.length === 0) return undefined
    return { change: { kind: 'lost', chats: lost, loss: 'removed' } }
  }

  #created(payload: unknown): ServerEvent | undefined {
    const { data: server } = createdSchema.safeParse(payload)
    if (!server || server.unavailable) return undefined
    const isNew = !this.#channels.has(server.id)
    const chats = [...server.channels, ...server.threads].map(({ id }) => id)
    this.#channels.set(server.id, chats)
    return isNew ? { change: { kind: 'back', chats }, entered: enteredServer(server) } : undefined
  }

  /** During an outage of Discord's, a server is `unavailable` only. */
  #deleted(payload: unknown): ServerEvent | undefined {
    const { data: server } = deletedSchema.safeParse(payload)
    if (!server || server.unavailable) return undefined
    const chats = this.#channels.get(server.id) ?? []
    this.#channels.delete(server.id)
    return { change: { kind: 'lost', chats, loss: 'removed' } }
  }
}

function enteredServer(server: z.output<typeof createdSchema>): EnteredServer {
  const { id, joined_at: joinedAt = '', owner_id: owner = id, preferred_locale: language } = server
  const system = server.system_channel_id ?? undefined
  const topmost = server.channels
    .filter(({ type }) => type === ChannelType.GuildText)
    .toSorted((one, other) => one.position - other.position)
    .map((channel) => channel.id)
  const channels = [...new Set([...(system === undefined ? [] : [system]), ...topmost])]
  return { id, joinedAt, owner, language, channels: channels.slice(0, maxTried) }
}

/** The shard of a server: https://docs.discord.com/developers/events/gateway#sharding */
function shardOf(server: string, count: number): number {
  return Number((BigInt(server) >> 22n) % BigInt(count))
}
