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
  /** As many as Discord advises, and all of them, without it. */
  shards: Shards | undefined
  /** Before anything else. @throws PlatformError where these shards are not to be had */
  check: () => Promise<void>
  onInteraction: (interaction: Interaction) => void
  onMessage: (message: WrittenMessage) => void
  onState: (state: 'connected' | 'reconnecting') => void
  onFatal: (error: PlatformError) => void
}

/** Milliseconds. */
const letGoWithin = 3_000

/**
 * Discord's gateway: interactions, and text in private chats, as they stand. discord.js keeps the connections, and
 * identifies no more often than Discord allows. A process at a time has each shard.
 */
export class Gateway implements Task {
  readonly ready: Promise<void>
  readonly #parts: GatewayParts
  readonly #client: Client
  readonly #up = new Set<number>()
  readonly #stopping = new AbortController()

  constructor(parts: GatewayParts) {
    this.#parts = parts
    const { rest, shards } = parts
    this.#client = new Client({
      // Interactions come without being asked for.
      intents: [GatewayIntentBits.DirectMessages],
      rest: rest.options,
      ...(shards ? { shards: [...shards.ids], shardCount: shards.count } : { shards: 'auto' }),
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
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    // In the midst of connecting discord.js may wait for what never comes.
    await withTimeout(this.#client.destroy(), letGoWithin)
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
      // What discord.js does by itself gives up at once where the network is down.
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
    // What discord.js makes of it is of one process; Discord's calls bring the same without discord.js.
    client.on(Events.Raw, ({ t, d }) => this.#heard(t, d))
    client.on(Events.ShardReady, (shard) => this.#rose(shard))
    client.on(Events.ShardResume, (shard) => this.#rose(shard))
    client.on(Events.ShardReconnecting, (shard) => {
      this.#up.delete(shard)
      onState('reconnecting')
    })
    client.on(Events.Invalidated, () =>
      this.#lost('Discord ended the session for good. Start again.'),
    )
    client.on(Events.ShardDisconnect, ({ code }) =>
      this.#lost(`Discord closed the connection for good (code ${code}).`),
    )
  }

  #heard(event: string, payload: unknown): void {
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

  /** Connected is who hears all of what is there to hear. */
  #rose(shard: number): void {
    this.#up.add(shard)
    const { shards } = this.#client.ws
    if (this.#client.isReady() && this.#up.size === shards.size) this.#parts.onState('connected')
  }

  #lost(message: string): void {
    if (!this.#stopping.signal.aborted) this.#parts.onFatal(new PlatformError(message))
  }
}
