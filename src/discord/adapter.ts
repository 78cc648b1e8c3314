import type { KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { DiscordAPIError, HTTPError, REST, RESTEvents } from '@discordjs/rest'
import { RESTJSONErrorCodes as Code, Routes } from 'discord-api-types/v10'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import {
  type Adapter,
  type AdapterParts,
  type ChatAddress,
  type ChatChange,
  type ConnectionState,
  memoize,
  PhotoFallback,
  PlatformError,
  type Receiver,
  reportingFailure,
  SendError,
  type Sent,
  untilReachable,
  type Webhook,
  type WebhookAnswer,
} from '../core/adapter.ts'
import { defaultLocale, type Locale, localeFor, localise } from '../core/catalogue.ts'
import type { Platform } from '../core/command.ts'
import { PlatformHealth } from '../core/platform-health.ts'
import type { MenuEntry } from '../core/runner.ts'
import type { SendQueue } from '../core/send-queue.ts'
import type { Task } from '../core/task.ts'
import type { LocalisedView, View } from '../core/view.ts'
import {
  type AnswerParts,
  type AnswerTimes,
  contextOf,
  defaultTimes,
  type Rendered,
} from './answer.ts'
import { isRegistered, slashCommands } from './commands.ts'
import { isFinal, isRefusal, pictureRefusal, sendError, showDespiteImage } from './errors.ts'
import { filesOf } from './files.ts'
import { type Interaction, incomingFiles } from './incoming.ts'
import { Handling, updateKinds } from './interactions.ts'
import { discord, discordWithoutMessages, gatewayReceiver, type Shards } from './platform.ts'
import { invitationTo, updateProfile } from './profile.ts'
import {
  answerEndpoint,
  callPath,
  defaultWaits,
  EndpointKeeper,
  type EnteredServer,
  endpointRole,
  Gateway,
  tokenRefused,
  verifyKey,
} from './receive.ts'
import { renderDiscord } from './render.ts'
import { isMemberOf, isTooLongToWait, managesIn, mentionIn, Post, titleOf } from './send.ts'
import {
  boundedTransport,
  callTimeout,
  type Responder,
  requestQueue,
  responder,
  type Transport,
} from './transport.ts'

/** Discord's codes of expected failures. */
const expectedCodes: readonly (string | number)[] = [
  Code.UnknownMessage,
  Code.UnknownInteraction,
  // By another replica.
  Code.InteractionHasAlreadyBeenAcknowledged,
  // Its 15 minutes are over.
  Code.InvalidWebhookToken,
  Code.MissingAccess,
  Code.MissingPermissions,
  Code.CannotSendMessagesToThisUser,
]

/** Seconds between messages. Discord allows five in five seconds in a channel; this leaves one of them to answers. */
const gap = 1.1

/** Default milliseconds that answers under way may take at a stop. */
const drainTime = 4_000
/** Messages whose last answer is remembered; an answer changes its own for some seconds at most. */
const maxShown = 10_000

const userSchema = z.object({ username: z.string() })

export interface DiscordParts extends AdapterParts {
  /** The way interactions come: over the gateway, or by calls of the bot's server, which needs a `publicUrl`. */
  interactions?: 'gateway' | 'http'
  /** Address of the bot's server for Discord, without a slash at the end. */
  publicUrl?: string | undefined
  /** The shards of this replica; default: all. */
  shards?: Shards | undefined
  /** Unix seconds. */
  now?: () => number
  /** Milliseconds before each retry of an endpoint that Discord can't verify. */
  endpointWaits?: readonly number[]
  /** Milliseconds between two checks of the token and the Interactions Endpoint URL. */
  checkEvery?: number
  times?: AnswerTimes
  /** Maximum requests to Discord in a second, of all replicas; default: its limit. */
  requestsPerSecond?: number | undefined
}

/**
 * Discord: slash commands, components, autocomplete and forms, over the gateway or the interactions endpoint; over the
 * gateway also text in private chats.
 */
export class DiscordAdapter implements Adapter {
  static readonly updateKinds = updateKinds
  readonly name = 'discord'
  readonly platform: Platform
  readonly startSpacing = 15
  readonly health: PlatformHealth
  readonly webhook: Webhook | undefined
  readonly receivers: readonly Receiver[]
  readonly #parts: DiscordParts
  readonly #rest: REST
  readonly #queue: SendQueue
  readonly #transport: Transport
  readonly #responder: Responder
  readonly #post: Post
  readonly #photoFallback = new PhotoFallback(pictureRefusal, () => performance.now())
  readonly #render: (view: LocalisedView) => Promise<Rendered>
  readonly #withoutPicture = memoize(
    ({ picture: _, ...view }: LocalisedView): LocalisedView => view,
  )
  readonly #stopping = new AbortController()
  readonly #handling: Handling
  readonly #endpoint: EndpointKeeper
  /** URL of our interactions endpoint, if the bot has a public address. */
  readonly #endpointUrl: string | undefined
  #username = ''
  #application = ''
  #key: KeyObject | undefined
  readonly #shownLast = new LRUCache<string, string>({ max: maxShown })
  #watching: Task | undefined
  /** The process was told that it can't go on. */
  #isLost = false

  constructor(parts: DiscordParts) {
    this.#parts = parts
    this.#queue = requestQueue(() => performance.now(), parts, parts.requestsPerSecond)
    this.#transport = boundedTransport(
      this.#queue,
      parts.onLimited,
      () => this.#onTokenRefused(),
      parts.proxy,
    )
    const { log, elapsed } = parts
    this.health = new PlatformHealth({ platform: 'discord', log, isAnswered, now: elapsed })
    this.#responder = responder(parts.apiRoot, parts.onLimited, parts.proxy)
    this.#rest = new REST({
      api: parts.apiRoot,
      timeout: callTimeout,
      // `SendQueue` counts instead: @discordjs/rest would delay answers to interactions too, which Discord does not count.
      globalRequestsPerSecond: Number.POSITIVE_INFINITY,
      makeRequest: this.#transport.makeRequest,
      rejectOnRateLimit: isTooLongToWait,
    })
    this.#rest.on(RESTEvents.RateLimited, ({ route, global, timeToReset }) =>
      parts.log.debug({ route, global, timeToReset }, 'discord: waiting for a limit'),
    )
    this.#post = new Post(this.#rest, this.#transport.once)
    // A card that many people request is rendered once.
    this.#render = memoize(async (view: LocalisedView) => ({
      body: await renderDiscord(view, parts.callbacks),
      files: filesOf(view),
    }))
    this.#handling = new Handling({
      answering: () => this.#answering(),
      onUpdate: (kind) => parts.onUpdate?.(kind),
      onPrivateChat: (person, channel) => this.#post.notePrivateChat(person, channel),
    })
    this.#endpointUrl = parts.publicUrl && `${parts.publicUrl}${callPath}`
    this.#endpoint = new EndpointKeeper({
      rest: this.#rest,
      ours: this.#endpointUrl,
      log: parts.log,
      onFatal: (error) => this.#fail(explainStart(error)),
      waits: parts.endpointWaits ?? defaultWaits,
      every: parts.checkEvery ?? 15_000,
      onChecked: (error) => this.#onChecked(error),
      signal: this.#stopping.signal,
    })
    const usesEndpoint = parts.interactions === 'http'
    this.platform = usesEndpoint ? discordWithoutMessages : discord
    this.webhook = usesEndpoint ? (request) => this.#answerEndpoint(request) : undefined
    this.receivers = usesEndpoint
      ? [{ name: endpointRole, begin: () => this.#endpoint.keep(this.#endpointUrl ?? '') }]
      : [gatewayReceiver(parts.shards, () => this.#listen(parts.shards))]
  }

  async start(): Promise<void> {
    const { dispatch, claim, token } = this.#parts
    this.#rest.setToken(token)
    try {
      const application = await this.#reach(() => this.#endpoint.read())
      await claim?.(application.id)
      await this.#reach(async () => {
        this.#username = userSchema.parse(await this.#rest.get(Routes.user())).username
        this.#application = application.id
        await registerCommands(this.#rest, application.id, dispatch.menu)
      })
      void updateProfile(this.#rest, application, this.#parts.log, this.#stopping.signal)
      if (!this.webhook) {
        await this.#endpoint.leave(application)
        this.health.setConnection('standby')
        this.#watching = this.#endpoint.watch()
        return
      }
      const endpointUrl = this.#endpointUrl
      if (!endpointUrl)
        throw new PlatformError('PUBLIC_URL is needed with DISCORD_INTERACTIONS=http.')
      this.#key = verifyKey(application.verify_key)
      this.health.setConnection('connected')
      this.#watching = this.#endpoint.watch()
      if (application.interactions_endpoint_url !== endpointUrl)
        void this.#endpoint.take(endpointUrl)
    } catch (error) {
      throw explainStart(error)
    }
  }

  async stop(patience = drainTime): Promise<void> {
    this.health.setConnection('stopped')
    this.#stopping.abort()
    void this.#watching?.stop()
    await this.#handling.end(patience)
    await Promise.all([this.#transport.close(), this.#responder.close()])
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
    return isMemberOf(this.#rest, chat, person)
  }

  manages(chat: string, person: string): Promise<boolean> {
    return managesIn(this.#rest, chat, person)
  }

  mention(chat: string, person: string, role: string): ReturnType<typeof mentionIn> {
    return mentionIn(this.#rest, chat, person, role)
  }

  title(chat: string): Promise<string | undefined> {
    return titleOf(this.#rest, chat)
  }

  #show<T>(to: ChatAddress, view: View, show: (message: Rendered) => Promise<T>): Promise<T> {
    return showDespiteImage(localise(view, this.localeOf(to)), (shown) =>
      this.#photoFallback.show(to.id, shown.picture, async (picture) =>
        show(await this.#rendered(picture ? shown : this.#withoutPicture(shown))),
      ),
    )
  }

  #rendered(view: LocalisedView): Promise<Rendered> {
    return this.#render(view).catch((cause) => {
      throw new SendError('A message could not be made.', { final: true, cause })
    })
  }

  #reach<T>(work: () => Promise<T>): Promise<T> {
    const reach = untilReachable('discord', isFinal, this.#parts.log)
    return reach(work, this.#stopping.signal)
  }

  async #answerEndpoint(request: IncomingMessage): Promise<WebhookAnswer> {
    const key = this.#key
    // Still starting, or stopping.
    if (!key || this.health.connection !== 'connected') return { status: 503 }
    const now = this.#parts.now ?? (() => Date.now() / 1_000)
    const onInteraction = (interaction: Interaction) => this.#handling.call(interaction)
    return answerEndpoint({ key, now, onInteraction }, request)
  }

  #answering(): AnswerParts {
    const { dispatch, callbacks, apiRoot, times = defaultTimes } = this.#parts
    return {
      rest: this.#rest,
      respond: this.#responder.respond,
      times,
      username: this.#username,
      invitation: invitationTo(this.#application),
      dispatch,
      platform: this.platform,
      callbacks,
      render: this.#render,
      files: (sent) => incomingFiles(sent, apiRoot, this.#transport),
      report: (error) => this.#report(error),
      shownLast: this.#shownLast,
      onTaken: () => this.health.accepted(),
      onRefused: (error) => {
        if (isAnswered(error)) this.health.failed(sendError(error))
      },
    }
  }

  /** Called with each error that ends the process; the first one is the cause of the others. */
  #fail(error: PlatformError): void {
    if (this.#isLost || this.#isStopped) return
    this.#isLost = true
    this.#parts.onFatal(error)
  }

  /** Ends the process: @discordjs/rest makes no more calls, and Discord bans an address that goes on with a wrong token. */
  #onTokenRefused(): void {
    // The start itself says so.
    if (this.health.connection === 'starting') return
    this.#fail(new PlatformError(tokenRefused, { cause: new Error('401: Unauthorized') }))
  }

  #onChecked(error: unknown): void {
    this.health.checked(error)
    // Over the gateway, the connection itself says so.
    if (this.webhook) this.#setState(error === undefined ? 'connected' : 'reconnecting')
  }

  #listen(shards: Shards | undefined): Task {
    const { token, log } = this.#parts
    const gateway = new Gateway({
      token,
      log,
      onFatal: (error) => this.#fail(error),
      rest: this.#rest,
      shards,
      onInteraction: (interaction) => this.#handling.interaction(interaction),
      onMessage: (message) => this.#handling.message(message),
      onChatChange: (change, entered) => {
        this.#onChatChange(change, entered).catch((err: unknown) =>
          log.warn({ err }, 'discord: a server’s change could not be stored'),
        )
      },
      onState: (state) => this.#setState(state),
    })
    const keeping = this.#endpoint.keepNone()
    const stop = async () => {
      this.#setState('standby')
      await Promise.all([gateway.stop(), keeping.stop()])
    }
    const ready = gateway.ready.catch((error: unknown) => {
      // The reason for which the connection was closed has already been reported.
      if (this.#isLost) return
      this.#isLost = true
      throw explainStart(error)
    })
    return { ready, stop }
  }

  async #onChatChange(change: ChatChange, entered: EnteredServer | undefined): Promise<void> {
    // First, since it says why alerts were paused.
    if (entered) await this.#welcome(entered)
    await this.#parts.onChatChange?.(change)
  }

  /** Greets in the first channel of a server that lets it. */
  async #welcome({ id, joinedAt, owner, language, channels }: EnteredServer): Promise<void> {
    const { dispatch, log } = this.#parts
    const update = `${id} ${joinedAt}`
    const sender = { id: update, user: owner, locale: localeFor(language) }
    for (const chat of channels) {
      const visibility = { ephemeral: false, isPrivate: false }
      const view = await dispatch.welcome(
        contextOf(this.#answering(), { ...sender, chat }, visibility),
      )
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
        log.info({ err, server: id }, 'discord: a channel does not let the bot greet it')
        if (!isLost) return
      }
    }
  }

  #report(error: unknown): void {
    const { log } = this.#parts
    const isExpected = error instanceof DiscordAPIError && expectedCodes.includes(error.code)
    if (isExpected) log.info({ reason: error.message }, 'discord: could not answer')
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

/** Whether an error is an answer of Discord's that says something of it: what answers too late, or twice, is no fault of it. */
function isAnswered(error: unknown): boolean {
  const isOurs = error instanceof DiscordAPIError && expectedCodes.includes(error.code)
  return !isOurs && (error instanceof HTTPError || isRefusal(error))
}

/** Registers the slash commands if they changed: Discord limits how often an application registers. */
async function registerCommands(rest: REST, application: string, menu: readonly MenuEntry[]) {
  const route = Routes.applicationCommands(application)
  const body = slashCommands(menu)
  if (!isRegistered(await rest.get(route), body)) await rest.put(route, { body })
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
