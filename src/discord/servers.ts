import { ChannelType, GatewayDispatchEvents } from 'discord-api-types/v10'
import { z } from 'zod'
import type { ChatChange } from '../core/adapter.ts'

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
  /** The channels in which the bot may say who it is, the most fitting first: that of Discord's own messages, then the topmost. */
  channels: readonly string[]
}

/** What an event of the gateway says of a server. */
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

  /** What an event of the gateway says of servers; undefined if it says nothing. */
  read(event: string, payload: unknown): ServerEvent | undefined {
    if (event === GatewayDispatchEvents.Ready) return this.#ready(payload)
    if (event === GatewayDispatchEvents.GuildCreate) return this.#created(payload)
    if (event === GatewayDispatchEvents.GuildDelete) return this.#deleted(payload)
    return undefined
  }

  /**
   * Notes the servers that the bot is in as a shard begins a session: they follow one by one, as if it had just been let in.
   * Those that are missing have removed it since the session before.
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
