import { type Client, DiscordAPIError, type Guild, REST, RESTEvents, Routes } from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import {
  type Adapter,
  type AdapterParts,
  type ChatAddress,
  type ChatChange,
  type ConnectionState,
  PhotoFallback,
  PlatformError,
  type Receiver,
  reportingFailure,
  SendError,
  type Sent,
  untilReachable,
} from '../core/adapter.ts'
import { defaultLocale, type Locale, localeFor, localise } from '../core/catalogue.ts'
import { PlatformHealth } from '../core/platform-health.ts'
import type { MenuEntry } from '../core/runner.ts'
import type { SendQueue } from '../core/send-queue.ts'
import { PollingLoop, type Task } from '../core/task.ts'
import type { LocalisedView, View } from '../core/view.ts'
import { messageOf } from '../errors.ts'
import { commandIds, isRegistered, slashCommands } from './commands.ts'
import { clearEndpoint, readApplication } from './endpoint.ts'
import { isAnswered, isExpected, isFinal, pictureRefusal, showDespiteImage } from './errors.ts'
import { filesOf, incomingFiles } from './files.ts'
import { createClient, Gateway, greetingChannels, tokenRefused } from './gateway.ts'
import { Handlers, updateKinds } from './handlers.ts'
import { discord, gatewayReceiver, type Shards } from './platform.ts'
import { updateProfile } from './profile.ts'
import { type CommandIds, renderDiscord } from './render.ts'
import { type AnswerTimes, defaultTimes, type Rendered } from './reply.ts'
import { isMemberOf, isTooLongToWait, managesIn, mentionIn, Post, titleOf } from './send.ts'
import { createTransport, requestQueue, type Transport } from './transport.ts'

/** Seconds between messages. Discord allows five in five seconds in a channel; this leaves one of them to answers. */
const gap = 1.1

/** Default milliseconds that answers under way may take at a stop. */
const drainTime = 4_000
/** Messages whose last answer is remembered; an answer changes its own for some seconds at most. */
const maxShown = 10_000

const userSchema = z.object({ id: z.string(), username: z.string() })

export interface DiscordParts extends AdapterParts {
  /** Address of the bot's server for Discord, without a slash at the end: a version before had Discord call it. */
  publicUrl?: string | undefined
  /** The shards of this replica; default: all. */
  shards?: Shards | undefined
  /** Milliseconds between two checks of the token and the Interactions Endpoint URL. */
  checkEvery?: number
  times?: AnswerTimes
  /** Maximum requests to Discord in a second, of all replicas; default: its limit. */
  requestsPerSecond?: number | undefined
}

/** Discord: slash commands, components, autocomplete, forms, and text in private chats. */
export class DiscordAdapter implements Adapter {
  static readonly updateKinds = updateKinds
  readonly name = 'discord'
  readonly platform = discord
  readonly startSpacing = 15
  readonly health: PlatformHealth
  readonly webhook = undefined
  readonly receivers: readonly Receiver[]
  readonly #parts: DiscordParts
  readonly #queue: SendQueue
  readonly #transport: Transport
  /** Asks and answers Discord, and never logs in. */
  readonly #client: Client
  /** Sends what nobody waits for; the notifier tries again. */
  readonly #background: REST
  readonly #post: Post
  readonly #photoFallback = new PhotoFallback(pictureRefusal, () => performance.now())
  readonly #stopping = new AbortController()
  readonly #handlers: Handlers
  #bot = { id: '', username: '' }
  /** Known once they are registered. */
  #commands: CommandIds = new Map()
  #watching: Task | undefined
  /** The process was told that it can't go on. */
  #isLost = false

  constructor(parts: DiscordParts) {
    this.#parts = parts
    const { log, elapsed, onLimited, proxy, shards } = parts
    this.#queue = requestQueue(() => performance.now(), parts, parts.requestsPerSecond)
    const onTokenRefused = () => this.#onTokenRefused()
    this.#transport = createTransport({ queue: this.#queue, onLimited, onTokenRefused, proxy })
    this.health = new PlatformHealth({
      platform: 'discord',
      log,
      isAnswered,
      now: elapsed,
    })
    const options = restOptions(parts.apiRoot)
    this.#client = this.#createClient()
    this.#background = new REST({
      ...options,
      retries: 0,
      makeRequest: this.#transport.makeRequest('background'),
    })
    this.#post = new Post(this.#background)
    this.#handlers = new Handlers({
      dispatch: parts.dispatch,
      callbacks: parts.callbacks,
      times: parts.times ?? defaultTimes,
      health: this.health,
      files: incomingFiles(parts.apiRoot, this.#transport),
      render: (view) => this.#render(view),
      report: (error) => this.#report(error),
      shownLast: new LRUCache({ max: maxShown }),
      onUpdate: (kind) => parts.onUpdate?.(kind),
      onPrivateChat: (person, channel) => this.#post.notePrivateChat(person, channel),
    })
    this.receivers = [gatewayReceiver(shards, () => this.#listen())]
  }

  async start(): Promise<void> {
    const { dispatch, claim, token, checkEvery = 15_000 } = this.#parts
    this.#rest.setToken(token)
    this.#background.setToken(token)
    try {
      const application = await this.#reach(() => readApplication(this.#rest))
      await claim?.(application.id)
      await this.#reach(async () => {
        this.#bot = userSchema.parse(await this.#rest.get(Routes.user()))
        await clearEndpoint(application, this.#rest, this.#parts)
        this.#commands = await registerCommands(this.#rest, application.id, dispatch.menu)
      })
      void updateProfile(this.#rest, application, this.#parts.log, this.#stopping.signal)
      this.health.setConnection('standby')
      const poll = (signal: AbortSignal) => this.#check(signal)
      const onFault = (error: unknown) => this.health.checked(error)
      this.#watching = new PollingLoop({ poll, everyMs: checkEvery, onFault })
    } catch (error) {
      throw explainStart(error)
    }
  }

  async stop(patience = drainTime): Promise<void> {
    this.health.setConnection('stopped')
    this.#stopping.abort()
    void this.#watching?.stop()
    await this.#handlers.end(patience)
    this.#background.clearHashSweeper()
    this.#background.clearHandlerSweeper()
    await Promise.all([this.#client.destroy(), this.#transport.close()])
  }

  /** Discord has no link to the chat with somebody by their id: this one opens the list of such chats. */
  readonly chatUrl = 'https://discord.com/channels/@me'

  state(): ConnectionState {
    return this.health.state
  }

  async send(to: ChatAddress, view: View, key: string): Promise<Sent> {
    const sending = this.#show(to, view, (message) => this.#post.send(to, message, key))
    return this.health.watch(to, reportingFailure(sending, this.#parts.onSendFailed))
  }

  async edit(to: ChatAddress, message: string, view: View): Promise<void> {
    return this.#show(to, view, (rendered) => this.#post.edit(to, message, rendered))
  }

  localeOf(to: ChatAddress): Locale {
    return this.#parts.localeOf?.(to) ?? defaultLocale
  }

  msUntilSlot(): number {
    return this.#queue.msUntilSlot()
  }

  waiting(): ReturnType<Adapter['waiting']> {
    return this.#queue.waiting()
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

  mention(chat: string, person: string, role: string): ReturnType<typeof mentionIn> {
    return mentionIn(this.#client, chat, { person, bot: this.#bot.id }, role)
  }

  title(chat: string): Promise<string | undefined> {
    return titleOf(this.#client, chat)
  }

  #show<T>(to: ChatAddress, view: View, show: (message: Rendered) => Promise<T>): Promise<T> {
    return showDespiteImage(localise(view, this.localeOf(to)), (shown) =>
      this.#photoFallback.show(to.id, shown.picture, async (picture) =>
        show(await this.#rendered(picture ? shown : withoutPicture(shown))),
      ),
    )
  }

  async #render(view: LocalisedView): Promise<Rendered> {
    const body = await renderDiscord(view, this.#parts.callbacks, this.#commands)
    return { body, files: filesOf(view) }
  }

  #rendered(view: LocalisedView): Promise<Rendered> {
    return this.#render(view).catch((cause) => {
      throw new SendError('A message could not be made.', { final: true, cause })
    })
  }

  get #rest(): REST {
    return this.#client.rest
  }

  #reach<T>(work: () => Promise<T>): Promise<T> {
    const reach = untilReachable('discord', isFinal, this.#parts.log)
    return reach(work, this.#stopping.signal)
  }

  /** A client with the limits and connections of this bot. */
  #createClient(): Client {
    const { apiRoot, shards, log } = this.#parts
    const makeRequest = this.#transport.makeRequest('answer')
    const client = createClient({ ...restOptions(apiRoot), makeRequest }, shards)
    client.rest.on(RESTEvents.RateLimited, ({ route, global, timeToReset }) =>
      log.debug({ route, global, timeToReset }, 'discord: waiting for a limit'),
    )
    return client
  }

  /** Whether the token is still good, and the gateway gets the interactions: both can change at any time. */
  async #check(signal: AbortSignal): Promise<void> {
    const application = await readApplication(this.#rest, signal)
    if (signal.aborted) return
    this.health.checked(undefined)
    if (this.health.connection === 'standby') return
    await clearEndpoint(application, this.#rest, this.#parts).catch((error: unknown) => {
      if (error instanceof PlatformError) this.#fail(error)
      else throw error
    })
  }

  /** Called with each error that ends the process; the first one is the cause of the others. */
  #fail(error: PlatformError): void {
    if (this.#isLost || this.#isStopped) return
    this.#isLost = true
    this.#parts.onFatal(error)
  }

  /** Ends the process: discord.js makes no more calls, and Discord bans an address that goes on with a wrong token. */
  #onTokenRefused(): void {
    // The start itself says so.
    if (this.health.connection === 'starting') return
    this.#fail(new PlatformError(tokenRefused, { cause: new Error('401: Unauthorized') }))
  }

  #listen(): Task {
    const { token, log } = this.#parts
    const gateway = new Gateway({
      token,
      log,
      createClient: () => this.#createClient(),
      onFatal: (error) => this.#fail(error),
      onInteraction: (interaction) => this.#handlers.interaction(interaction),
      onMessage: (message) => this.#handlers.message(message),
      onChatChange: (change, entered) => {
        this.#onChatChange(change, entered).catch((err: unknown) =>
          log.warn({ err }, 'discord: a server’s change could not be stored'),
        )
      },
      onState: (state) => this.#setState(state),
    })
    const stop = async () => {
      this.#setState('standby')
      await gateway.stop()
    }
    const ready = gateway.ready.catch((error: unknown) => {
      // The reason for which the connection was closed has already been reported.
      if (this.#isLost) return
      this.#isLost = true
      throw explainStart(error)
    })
    return { ready, stop }
  }

  async #onChatChange(change: ChatChange, entered: Guild | undefined): Promise<void> {
    // First, since it says why alerts were paused.
    if (entered) await this.#welcome(entered)
    await this.#parts.onChatChange?.(change)
  }

  /** Greets in the first channel of a server that lets it. */
  async #welcome(server: Guild): Promise<void> {
    const { dispatch, log } = this.#parts
    // When the bot was let in tells one time from another.
    const update = `${server.id} ${server.joinedTimestamp}`
    const context = {
      platform: discord,
      user: server.ownerId,
      update,
      locale: localeFor(server.preferredLocale),
      isPrivate: false,
      ephemeral: false,
    }
    for (const chat of greetingChannels(server)) {
      const view = await dispatch.welcome({ ...context, chat })
      if (!view) return
      try {
        await this.#post.send(
          { kind: 'chat', id: chat },
          await this.#rendered(view),
          `hi ${update}`,
        )
        return
      } catch (err) {
        const isLost = err instanceof SendError && err.loss !== undefined
        log.info({ err, server: server.id }, 'discord: a channel does not let the bot greet it')
        if (!isLost) return
      }
    }
  }

  #report(error: unknown): void {
    const { log } = this.#parts
    if (isExpected(error)) log.info({ reason: messageOf(error) }, 'discord: could not answer')
    else log.error({ err: error }, 'discord: an answer could not be shown')
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #setState(state: ConnectionState): void {
    const before = this.health.connection
    if (this.#isStopped || before === state) return
    const isActive = before !== 'standby' && state !== 'standby'
    this.health.setConnection(state)
    if (isActive) this.#parts.log.info({ state }, 'discord: connection')
  }
}

function withoutPicture({ picture: _, ...view }: LocalisedView): LocalisedView {
  return view
}

/** Milliseconds that a call may take with the wait for its turn. */
const callTimeout = 10 * 60_000

function restOptions(api: string) {
  return {
    api,
    timeout: callTimeout,
    // `SendQueue` counts instead: discord.js would delay answers to interactions too, which Discord does not count.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    rejectOnRateLimit: isTooLongToWait,
  }
}

/** Registers the slash commands if they changed: Discord limits how often an application registers. */
async function registerCommands(
  rest: REST,
  application: string,
  menu: readonly MenuEntry[],
): Promise<CommandIds> {
  const route = Routes.applicationCommands(application)
  const body = slashCommands(menu)
  const registered = await rest.get(route)
  return commandIds(isRegistered(registered, body) ? registered : await rest.put(route, { body }))
}

/** Says what the operator can do about an error of the start. */
export function explainStart(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error
  const refused = error instanceof DiscordAPIError && error.status === 401
  const message = refused
    ? tokenRefused
    : 'Discord refuses to start. Check DISCORD_API_ROOT and the application.'
  return new PlatformError(message, { cause: error })
}
