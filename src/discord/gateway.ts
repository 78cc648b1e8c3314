import { once } from 'node:events'
import {
  ChannelType,
  Client,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type Guild,
  type Interaction,
  type Message,
  Options,
  Partials,
  type RESTOptions,
  Status,
} from 'discord.js'
import { type ChatChange, PlatformError, untilReachable } from '../core/adapter.ts'
import { type Task, withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'
import { isFinal } from './errors.ts'
import type { Shards } from './platform.ts'

/** A client that remembers servers and their channels alone: whatever else the bot needs, events bring or it asks for. */
export function createClient(rest: Partial<RESTOptions>, shards: Shards | undefined): Client {
  return new Client({
    // Interactions need no intent. Servers say that the bot was let in or removed, and which channels they have.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages],
    // Private chats are in no list that Discord sends at the start.
    partials: [Partials.Channel],
    shards: shards ? [...shards.ids] : 'auto',
    ...(shards && { shardCount: shards.count }),
    // Interactions can be answered for 3 s only, and need no list of servers.
    waitGuildTimeout: 0,
    makeCache: Options.cacheWithLimits({
      ApplicationCommandManager: 0,
      AutoModerationRuleManager: 0,
      BaseGuildEmojiManager: 0,
      GuildBanManager: 0,
      GuildInviteManager: 0,
      GuildMemberManager: 0,
      GuildScheduledEventManager: 0,
      GuildStickerManager: 0,
      MessageManager: 0,
      PresenceManager: 0,
      ReactionManager: 0,
      ReactionUserManager: 0,
      StageInstanceManager: 0,
      ThreadMemberManager: 0,
      UserManager: 100,
      VoiceStateManager: 0,
    }),
    rest,
  })
}

interface GatewayParts {
  token: string
  log: Logger
  createClient: () => Client
  onInteraction: (interaction: Interaction) => void
  onMessage: (message: Message) => void
  /** Called if a server has let the bot in, or removed it. */
  onChatChange: (change: ChatChange, entered?: Guild) => void
  onState: (state: 'connected' | 'reconnecting') => void
  /** Called if Discord closes the connection for good. */
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

/** Receives interactions, text in private chats, and changes of servers, over Discord's gateway. */
export class Gateway implements Task {
  readonly ready: Promise<void>
  readonly #parts: GatewayParts
  readonly #stopping = new AbortController()
  #client: Client | undefined
  #fatal: PlatformError | undefined

  constructor(parts: GatewayParts) {
    this.#parts = parts
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    const client = this.#client
    if (!client) return
    // While connecting, discord.js may wait forever.
    await withTimeout(client.destroy(), closeTimeout)
    // Answers that are under way still have to be sent.
    client.rest.setToken(this.#parts.token)
  }

  async #begin(): Promise<void> {
    const { signal } = this.#stopping
    try {
      await untilReachable('discord', isFinal, this.#parts.log)(() => this.#logIn(), signal)
    } catch (cause) {
      if (signal.aborted) return
      if (cause instanceof PlatformError) throw cause
      throw new PlatformError('Discord refuses the connection to its gateway.', { cause })
    }
  }

  /** Connects all shards. discord.js can't use a client again after a failure. */
  async #logIn(): Promise<void> {
    const client = this.#parts.createClient()
    this.#client = client
    this.#watch(client)
    const isReady = Promise.all([client.login(this.#parts.token), once(client, Events.ClientReady)])
    try {
      await Promise.race([isReady, once(this.#stopping.signal, 'abort')])
    } catch (error) {
      if (this.#fatal) throw this.#fatal
      if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid)
        throw new PlatformError(tokenRefused, { cause: error })
      throw error
    }
  }

  #watch(client: Client): void {
    const { log, onState, onInteraction, onMessage } = this.#parts
    const unlessStopped =
      <Args extends unknown[]>(handle: (...args: Args) => void) =>
      (...args: Args) => {
        if (!this.#stopping.signal.aborted) handle(...args)
      }
    const onUp = unlessStopped(() => {
      if (client.ws.shards.every(({ status }) => status === Status.Ready)) onState('connected')
    })
    client.on(Events.ShardReady, onUp)
    client.on(Events.ShardResume, onUp)
    client.on(
      Events.ShardReconnecting,
      unlessStopped(() => onState('reconnecting')),
    )
    client.on(
      Events.ShardDisconnect,
      unlessStopped(({ code }) => this.#closed(code)),
    )
    client.on(Events.ShardError, (err) => log.warn({ err }, 'discord: gateway error'))
    client.on(Events.Error, (err) => log.warn({ err }, 'discord: gateway error'))
    const forgetChat = ({ guildId, channelId }: Interaction | Message) => {
      // discord.js keeps each private chat that it hears of, and a bot may have a million.
      if (guildId === null && channelId !== null) client.channels.cache.delete(channelId)
    }
    client.on(Events.InteractionCreate, unlessStopped(onInteraction))
    client.on(Events.MessageCreate, unlessStopped(onMessage))
    client.on(Events.InteractionCreate, forgetChat)
    client.on(Events.MessageCreate, forgetChat)
    watchServers(client, unlessStopped(this.#parts.onChatChange))
  }

  #closed(code: number): void {
    const reason = finalCodes.get(code) ?? ''
    this.#fatal = new PlatformError(
      `Discord closed the connection for good (code ${code}). ${reason}`,
    )
    this.#parts.onFatal(this.#fatal)
  }
}

/**
 * Reports servers that let the bot in or removed it, by what discord.js remembers of them: a server that is unavailable
 * during an outage is still there, and so is one that a shard is told of as its session begins.
 */
function watchServers(client: Client, onChatChange: GatewayParts['onChatChange']): void {
  const chatsOf = (guild: Guild | undefined) => [...(guild?.channels.cache.keys() ?? [])]
  const removed = (chats: string[]) => onChatChange({ kind: 'lost', chats, loss: 'removed' })
  client.on(Events.GuildCreate, (guild) => {
    // It is new once it is there.
    if (!guild.available) client.guilds.cache.delete(guild.id)
    else onChatChange({ kind: 'back', chats: chatsOf(guild) }, guild)
  })
  // The event of discord.js comes when it has already forgotten the channels.
  client.ws.on(GatewayDispatchEvents.GuildDelete, ({ id, unavailable }) => {
    if (!unavailable) removed(chatsOf(client.guilds.cache.get(id)))
  })
  // Servers that are missing in a shard's next session have removed the bot meanwhile, of which discord.js takes no notice.
  client.ws.on(GatewayDispatchEvents.Ready, ({ guilds }, shard) => {
    const present = new Set(guilds.map(({ id }: { id: string }) => id))
    const missing = [...client.guilds.cache.values()].filter(
      ({ id, shardId }) => shardId === shard && !present.has(id),
    )
    if (missing.length === 0) return
    const chats = missing.flatMap(chatsOf)
    for (const id of chats) client.channels.cache.delete(id)
    for (const { id } of missing) client.guilds.cache.delete(id)
    removed(chats)
  })
}

/** Channels that are tried: the bot may see or write in some only. */
const maxTried = 3

/** The channels in which the bot may greet, the best one first: that of Discord's own messages, then the topmost. */
export function greetingChannels({ systemChannelId, channels }: Guild): string[] {
  const topmost = [...channels.cache.values()]
    .filter((channel) => channel.type === ChannelType.GuildText)
    .toSorted((one, other) => one.rawPosition - other.rawPosition)
    .map(({ id }) => id)
  return [...new Set([...(systemChannelId ? [systemChannelId] : []), ...topmost])].slice(
    0,
    maxTried,
  )
}
