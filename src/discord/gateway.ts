import {
  Client,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  type REST,
  Routes,
} from 'discord.js'
import { type AdapterParts, PlatformError, untilReachable } from '../core/adapter.ts'
import { withTimeout } from '../core/retry.ts'
import type { Task } from '../core/task.ts'
import { isFinal } from './errors.ts'
import { type Interaction, readInteraction, readWritten, type WrittenMessage } from './incoming.ts'
import type { Shards } from './shards.ts'

interface GatewayParts extends Pick<AdapterParts, 'token' | 'log'> {
  rest: REST
  /** Undefined: all shards, as many as Discord recommends. */
  shards: Shards | undefined
  /** Called before anything else. @throws PlatformError if these shards conflict with those of another replica */
  check: () => Promise<void>
  onInteraction: (interaction: Interaction) => void
  onMessage: (message: WrittenMessage) => void
  onState: (state: 'connected' | 'reconnecting') => void
  onFatal: (error: PlatformError) => void
}

/** Milliseconds that closing the connections may take. */
const closeTimeout = 3_000

/**
 * Receives interactions, and text in private chats, over Discord's gateway. discord.js keeps the connections, and
 * identifies no more often than Discord allows. Each shard is received by one process at a time.
 */
export class Gateway implements Task {
  readonly ready: Promise<void>
  readonly #parts: GatewayParts
  readonly #client: Client
  readonly #connected = new Set<number>()
  readonly #stopping = new AbortController()

  constructor(parts: GatewayParts) {
    this.#parts = parts
    const { rest, shards } = parts
    this.#client = new Client({
      // Interactions need no intent.
      intents: [GatewayIntentBits.DirectMessages],
      rest: rest.options,
      ...(shards ? { shards: [...shards.ids], shardCount: shards.count } : { shards: 'auto' }),
      // The bot does not use these caches, which would grow with the size of a community.
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
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // While connecting, discord.js may wait forever.
    await withTimeout(this.#client.destroy(), closeTimeout)
  }

  async #begin(): Promise<void> {
    const { token, rest, log, check, onState } = this.#parts
    const { signal } = this.#stopping
    this.#watch()
    const ready = new Promise<unknown>((resolve) => {
      this.#client.once(Events.ClientReady, resolve)
      signal.addEventListener('abort', resolve)
    })
    try {
      await check()
      // discord.js itself gives up at once if the network is down.
      const reach = untilReachable(isFinal, (err) =>
        log.warn({ err }, 'discord can’t be reached; trying again'),
      )
      await reach.execute(() => rest.get(Routes.gatewayBot()), signal)
      await this.#client.login(token)
    } catch (cause) {
      if (signal.aborted) return
      if (cause instanceof PlatformError) throw cause
      throw new PlatformError('Discord refuses the connection to its gateway.', { cause })
    }
    await ready
    if (!signal.aborted) onState('connected')
  }

  #watch(): void {
    const { log, onState } = this.#parts
    const client = this.#client
    client.on(Events.Error, (error) => log.error({ err: error }, 'discord: client error'))
    client.on(Events.Warn, (reason) => log.warn({ reason }, 'discord: warning'))
    // Raw events have the same format as calls of the interactions endpoint, which come without discord.js.
    client.on(Events.Raw, ({ t, d }) => this.#onEvent(t, d))
    client.on(Events.ShardReady, (shard) => this.#onShardUp(shard))
    client.on(Events.ShardResume, (shard) => this.#onShardUp(shard))
    client.on(Events.ShardReconnecting, (shard) => {
      this.#connected.delete(shard)
      onState('reconnecting')
    })
    client.on(Events.Invalidated, () =>
      this.#fail('Discord ended the session for good. Start again.'),
    )
    client.on(Events.ShardDisconnect, ({ code }) =>
      this.#fail(`Discord closed the connection for good (code ${code}).`),
    )
  }

  #onEvent(event: string, payload: unknown): void {
    if (this.#stopping.signal.aborted) return
    const { onInteraction, onMessage } = this.#parts
    if (event === GatewayDispatchEvents.InteractionCreate) {
      const interaction = readInteraction(payload)
      if (interaction) onInteraction(interaction)
    } else if (event === GatewayDispatchEvents.MessageCreate) {
      const message = readWritten(payload)
      if (message) onMessage(message)
    }
  }

  /** Connected means that all shards of this process are. */
  #onShardUp(shard: number): void {
    this.#connected.add(shard)
    const { shards } = this.#client.ws
    if (this.#client.isReady() && this.#connected.size === shards.size)
      this.#parts.onState('connected')
  }

  #fail(message: string): void {
    if (!this.#stopping.signal.aborted) this.#parts.onFatal(new PlatformError(message))
  }
}
