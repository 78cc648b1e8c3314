import {
  Client,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  type Interaction,
  Options,
  Partials,
  type REST,
  RESTEvents,
  Routes,
  type User,
} from 'discord.js'
import type { MenuEntry } from '../chat/dispatch.ts'
import { Pictureless } from '../chat/pictureless.ts'
import {
  type ConnectionState,
  type Destination,
  type Platform,
  PlatformError,
  type PlatformParts,
  SendError,
  type Sent,
} from '../chat/platform.ts'
import { untilReachable } from '../chat/reach.ts'
import { remembered } from '../chat/remember.ts'
import type { View } from '../chat/view.ts'
import { within } from '../chat/within.ts'
import type { AnswerParts, Rendered } from './answering.ts'
import { isRegistered, slashCommands } from './commands.ts'
import { onDirectMessage } from './direct.ts'
import { incomingFiles, uploads } from './files.ts'
import { GlobalLimit } from './global-limit.ts'
import { onInteraction } from './interactions.ts'
import { isMemberOf, managesIn, titleOf } from './members.ts'
import { pictureRefusal } from './refusals.ts'
import { renderDiscord } from './render.ts'
import { isTooLongToWait, Post } from './sending.ts'
import { boundedTransport, type Transport } from './transport.ts'

/**
 * A message or an interaction that is gone, an interaction's 15 minutes that are over, no access, closed private
 * messages.
 */
const nothingToMend = [10_008, 10_062, 50_027, 50_001, 50_013, 50_007]

/** Discord takes five messages in five seconds in a channel: this leaves one of them to answers. */
const gap = 1.1

/** How long answers under way may take when the bot stops. */
const drainTime = 5_000

/** Discord by its gateway: slash commands, components, autocomplete, and text in private chats. */
export class DiscordPlatform implements Platform {
  readonly name = 'discord'
  readonly #parts: PlatformParts
  readonly #client: Client
  readonly #limit: GlobalLimit
  readonly #transport: Transport
  readonly #post: Post
  readonly #pictureless = new Pictureless(pictureRefusal, () => performance.now())
  readonly #render: (view: View) => Promise<Rendered>
  readonly #withoutPicture = remembered(({ picture: _, ...view }: View): View => view)
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #state: ConnectionState = 'starting'

  constructor(parts: PlatformParts) {
    this.#parts = parts
    this.#limit = new GlobalLimit(() => performance.now())
    this.#transport = boundedTransport(this.#limit)
    this.#client = new Client({
      intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages],
      partials: [Partials.Channel],
      allowedMentions: { parse: [] },
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
      rest: {
        api: parts.apiRoot,
        timeout: 15_000,
        // discord.js would let answers to interactions wait, which Discord does not count: `GlobalLimit` counts instead.
        globalRequestsPerSecond: Number.POSITIVE_INFINITY,
        makeRequest: this.#transport.makeRequest,
        rejectOnRateLimit: isTooLongToWait,
      },
    })
    this.#post = new Post(this.#client.rest, this.#transport.once)
    // Many may ask for the same card: it is rendered once.
    this.#render = remembered(async (view: View) => ({
      body: await renderDiscord(view, parts.lines),
      files: uploads(view),
    }))
  }

  async start(): Promise<void> {
    const { token, bot, log } = this.#parts
    const client = this.#client
    this.#watchConnection()
    const ready = new Promise<Client<true>>((resolve) => {
      client.once(Events.ClientReady, (readyClient) => {
        this.#listen(readyClient)
        resolve(readyClient)
      })
    })
    try {
      client.rest.setToken(token)
      const reach = untilReachable(isFinal, (err) =>
        log.warn({ err }, 'discord can’t be reached; trying again'),
      )
      const { signal } = this.#stopping
      await reach.execute(() => client.rest.get(Routes.gatewayBot()), signal)
      await client.login(token)
      const { rest, application } = await ready
      await reach.execute(() => registerCommands(rest, application.id, bot.menu), signal)
    } catch (error) {
      throw explainStart(error)
    }
    this.#state = 'connected'
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    this.#stopping.abort()
    this.#client.removeAllListeners(Events.InteractionCreate)
    this.#client.removeAllListeners(Events.MessageCreate)
    await within(Promise.allSettled(this.#underWay), drainTime)
    // In the midst of connecting discord.js may wait for what never comes.
    await within(this.#client.destroy(), drainTime)
    await this.#transport.close()
  }

  state(): ConnectionState {
    return this.#state
  }

  async send(to: Destination, view: View, key: string): Promise<Sent> {
    return this.#pictureless.show(to.id, view.picture, async (picture) =>
      this.#post.send(to, await this.#made(picture ? view : this.#withoutPicture(view)), key),
    )
  }

  async edit(to: Destination, message: string, view: View): Promise<void> {
    return this.#pictureless.show(to.id, view.picture, async (picture) =>
      this.#post.edit(to, message, await this.#made(picture ? view : this.#withoutPicture(view))),
    )
  }

  room(): number {
    return this.#limit.room()
  }

  gap(): number {
    return gap
  }

  isMember(chat: string, person: string): Promise<boolean> {
    return isMemberOf(this.#client, chat, person)
  }

  manages(chat: string, person: string): Promise<boolean> {
    return managesIn(this.#client, chat, person)
  }

  title(chat: string): Promise<string | undefined> {
    return titleOf(this.#client, chat)
  }

  #made(view: View): Promise<Rendered> {
    return this.#render(view).catch((cause) => {
      throw new SendError('A message could not be made.', { final: true, cause })
    })
  }

  #listen(client: Client<true>): void {
    const { bot, lines, apiRoot } = this.#parts
    const parts: AnswerParts = {
      client,
      bot,
      lines,
      render: this.#render,
      files: (sent) => incomingFiles(sent, apiRoot, this.#transport),
      report: (error) => this.#report(error),
    }
    client.on(Events.InteractionCreate, (interaction) => {
      this.#meet(interaction.user, interaction)
      this.#track(onInteraction(parts, interaction))
    })
    client.on(Events.MessageCreate, (message) => {
      this.#meet(message.author, message)
      this.#track(onDirectMessage(parts, message))
    })
  }

  /** Where a person writes to the bot alone, the bot can write to the person. */
  #meet(user: User, { guildId, channelId }: Pick<Interaction, 'guildId' | 'channelId'>): void {
    if (guildId === null && channelId !== null && !user.bot) this.#post.knows(user.id, channelId)
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => this.#report(error))
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  #report(error: unknown): void {
    const { log } = this.#parts
    const notOurs = error instanceof DiscordAPIError && nothingToMend.includes(Number(error.code))
    if (notOurs) log.info({ reason: error.message }, 'discord: could not answer')
    else log.error({ err: error }, 'discord: an answer could not be shown')
  }

  #watchConnection(): void {
    const { log, onFatal } = this.#parts
    const client = this.#client
    client.on(Events.Error, (error) => log.error({ err: error }, 'discord: client error'))
    client.on(Events.Warn, (reason) => log.warn({ reason }, 'discord: warning'))
    client.rest.on(RESTEvents.RateLimited, ({ route, global, timeToReset }) =>
      log.debug({ route, global, timeToReset }, 'discord: waiting for a limit'),
    )
    client.on(Events.ShardReconnecting, () => this.#moved('reconnecting'))
    client.on(Events.ShardResume, () => this.#moved('connected'))
    client.on(Events.ShardReady, () => this.#moved('connected'))
    client.on(Events.Invalidated, () =>
      onFatal(new PlatformError('Discord ended the session for good. Start again.')),
    )
    client.on(Events.ShardDisconnect, ({ code }) =>
      onFatal(new PlatformError(`Discord closed the connection for good (code ${code}).`)),
    )
  }

  #moved(state: ConnectionState): void {
    if (this.#state === 'stopped' || this.#state === 'starting' || this.#state === state) return
    this.#state = state
    this.#parts.log.info({ state }, 'discord: connection')
  }
}

/** Only where they changed: Discord counts how often an application registers. */
async function registerCommands(rest: REST, application: string, menu: readonly MenuEntry[]) {
  const route = Routes.applicationCommands(application)
  const body = slashCommands(menu)
  if (!isRegistered(await rest.get(route), body)) await rest.put(route, { body })
}

/** What trying again can't mend: any refusal but that of too many requests. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError)) return false
  return error.status >= 400 && error.status < 500 && error.status !== 429
}

function explainStart(error: unknown): PlatformError {
  const refused = error instanceof DiscordAPIError && error.status === 401
  const message = refused
    ? 'Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, page Bot.'
    : 'Discord refuses to start. Check DISCORD_API_ROOT and the application.'
  return new PlatformError(message, { cause: error })
}
