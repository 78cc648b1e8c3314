import {
  Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  type Message,
  Options,
  Partials,
  type REST,
  Routes,
} from 'discord.js'
import { PlatformError, type PlatformParts } from '../chat/platform.ts'
import { untilReachable } from '../chat/reach.ts'
import type { Duty } from '../replicas/roles.ts'
import { isFinal } from './refusals.ts'

interface GatewayParts extends Pick<PlatformParts, 'token' | 'log'> {
  rest: REST
  /** Which shards of how many; as many as Discord advises, and all of them, without it. */
  shards: { ids: number[]; count: number } | undefined
  onInteraction: (interaction: Interaction) => void
  onMessage: (message: Message) => void
  onState: (state: 'connected' | 'reconnecting') => void
  onFatal: (error: PlatformError) => void
}

/** Discord's gateway: interactions, and text in private chats. A process at a time has each shard. */
export class Gateway implements Duty {
  readonly begun: Promise<void>
  readonly #parts: GatewayParts
  readonly #client: Client
  readonly #stopping = new AbortController()

  constructor(parts: GatewayParts) {
    this.#parts = parts
    const { rest, shards } = parts
    this.#client = new Client({
      intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages],
      partials: [Partials.Channel],
      rest: rest.options,
      ...(shards ? { shards: shards.ids, shardCount: shards.count } : { shards: 'auto' }),
      // The bot looks nothing up in these caches; unbounded they are what grows in a large community.
      makeCache: Options.cacheWithLimits({
        ...Options.DefaultMakeCacheSettings,
        MessageManager: 0,
        GuildMemberManager: 0,
        UserManager: 100,
        ReactionManager: 0,
        PresenceManager: 0,
        VoiceStateManager: 0,
        ThreadMemberManager: 0,
        GuildEmojiManager: 0,
        GuildStickerManager: 0,
        GuildScheduledEventManager: 0,
        StageInstanceManager: 0,
        GuildInviteManager: 0,
        GuildBanManager: 0,
      }),
    })
    this.begun = this.#begin()
    this.begun.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#client.removeAllListeners(Events.InteractionCreate)
    this.#client.removeAllListeners(Events.MessageCreate)
    await this.#client.destroy()
  }

  async #begin(): Promise<void> {
    const { token, rest, log, onInteraction, onMessage, onState } = this.#parts
    this.#watch()
    this.#client.on(Events.InteractionCreate, onInteraction)
    this.#client.on(Events.MessageCreate, onMessage)
    const ready = new Promise<unknown>((resolve) => {
      this.#client.once(Events.ClientReady, resolve)
    })
    try {
      // What discord.js does by itself gives up at once where the network is down.
      const reach = untilReachable(isFinal, (err) =>
        log.warn({ err }, 'discord can’t be reached; trying again'),
      )
      await reach.execute(() => rest.get(Routes.gatewayBot()), this.#stopping.signal)
      await this.#client.login(token)
    } catch (cause) {
      if (this.#stopping.signal.aborted) return
      throw new PlatformError('Discord refuses the connection to its gateway.', { cause })
    }
    await ready
    onState('connected')
  }

  #watch(): void {
    const { log, onState } = this.#parts
    const client = this.#client
    client.on(Events.Error, (error) => log.error({ err: error }, 'discord: client error'))
    client.on(Events.Warn, (reason) => log.warn({ reason }, 'discord: warning'))
    client.on(Events.ShardReconnecting, () => onState('reconnecting'))
    client.on(Events.ShardResume, () => onState('connected'))
    client.on(Events.ShardReady, () => onState('connected'))
    client.on(Events.Invalidated, () =>
      this.#lost('Discord ended the session for good. Start again.'),
    )
    client.on(Events.ShardDisconnect, ({ code }) =>
      this.#lost(`Discord closed the connection for good (code ${code}).`),
    )
  }

  #lost(message: string): void {
    if (!this.#stopping.signal.aborted) this.#parts.onFatal(new PlatformError(message))
  }
}
