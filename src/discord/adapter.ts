import type { KeyObject } from 'node:crypto'
import { DiscordAPIError, REST, RESTEvents, Routes } from 'discord.js'
import { z } from 'zod'
import {
  type Adapter,
  type AdapterParts,
  type ChatAddress,
  type ConnectionState,
  PlatformError,
  type Receiver,
  SendError,
  type Sent,
  untilReachable,
} from '../core/adapter.ts'
import type { MenuEntry } from '../core/dispatch.ts'
import { memoize } from '../core/memoize.ts'
import { PhotoFallback } from '../core/photo-fallback.ts'
import type { Task } from '../core/task.ts'
import type { View } from '../core/view.ts'
import type { AnswerParts, Rendered } from './answer.ts'
import { isRegistered, slashCommands } from './commands.ts'
import {
  answerEndpoint,
  callPath,
  checkMode,
  defaultWaits,
  EndpointKeeper,
  endpointRole,
  verifyKey,
} from './endpoint.ts'
import { isFinal, pictureRefusal } from './errors.ts'
import { incomingFiles, uploads } from './files.ts'
import { Gateway } from './gateway.ts'
import { Handling } from './interactions.ts'
import { isMemberOf, managesIn, titleOf } from './permissions.ts'
import { renderDiscord } from './render.ts'
import { isTooLongToWait, Post } from './send.ts'
import { checkShards, roleOf, type Shards } from './shards.ts'
import { boundedTransport, GlobalLimit, type Transport } from './transport.ts'

/**
 * A message or an interaction that is gone, an interaction's 15 minutes that are over, no access, closed private
 * messages.
 */
const nothingToMend = [10_008, 10_062, 50_027, 50_001, 50_013, 50_007]

/** Discord takes five messages in five seconds in a channel: this leaves one of them to answers. */
const gap = 1.1

/** How long answers under way may take at a stop where nothing else is said. */
const drainTime = 4_000

const userSchema = z.object({ username: z.string() })

export interface DiscordParts extends AdapterParts {
  /** How Discord tells what people do: over the gateway, or by calls of the bot's server, which take a `publicUrl`. */
  interactions?: 'gateway' | 'http'
  /** Where Discord reaches the bot's server, without a slash at the end. */
  publicUrl?: string | undefined
  /** The shards that are this replica's to hear; all of them without it. */
  shards?: Shards | undefined
  /** The names of the roles that replicas have at the moment. */
  rolesHeld?: () => Promise<readonly string[]>
  /** There are no other replicas. */
  isEphemeral?: boolean
  /** Unix seconds. */
  now?: () => number
  /** Milliseconds before each further try of an address that Discord can't verify. */
  endpointWaits?: readonly number[]
  /** Milliseconds between two looks at where Discord sends what people do. */
  lookEvery?: number
}

/**
 * Discord: slash commands, components, autocomplete and forms, by its gateway or by its calls; with the gateway also
 * text in private chats.
 */
export class DiscordAdapter implements Adapter {
  readonly name = 'discord'
  readonly webhook: ((request: Request) => Promise<Response>) | undefined
  readonly receivers: readonly Receiver[]
  readonly #parts: DiscordParts
  readonly #rest: REST
  readonly #limit: GlobalLimit
  readonly #transport: Transport
  readonly #post: Post
  readonly #photoFallback = new PhotoFallback(pictureRefusal, () => performance.now())
  readonly #render: (view: View) => Promise<Rendered>
  readonly #withoutPicture = memoize(({ picture: _, ...view }: View): View => view)
  readonly #stopping = new AbortController()
  readonly #handling: Handling
  readonly #calls: EndpointKeeper
  /** Where Discord reaches the bot's server, if it can. */
  readonly #ours: string | undefined
  #username = ''
  #key: KeyObject | undefined
  #state: ConnectionState = 'starting'

  constructor(parts: DiscordParts) {
    this.#parts = parts
    this.#limit = new GlobalLimit(() => performance.now(), parts.pubsub)
    this.#transport = boundedTransport(this.#limit, parts.onLimited)
    this.#rest = new REST({
      api: parts.apiRoot,
      timeout: 15_000,
      // discord.js would let answers to interactions wait, which Discord does not count: `GlobalLimit` counts instead.
      globalRequestsPerSecond: Number.POSITIVE_INFINITY,
      makeRequest: this.#transport.makeRequest,
      rejectOnRateLimit: isTooLongToWait,
    })
    this.#rest.on(RESTEvents.RateLimited, ({ route, global, timeToReset }) =>
      parts.log.debug({ route, global, timeToReset }, 'discord: waiting for a limit'),
    )
    this.#post = new Post(this.#rest, this.#transport.once)
    // Many may ask for the same card: it is rendered once.
    this.#render = memoize(async (view: View) => ({
      body: await renderDiscord(view, parts.callbacks),
      files: uploads(view),
    }))
    this.#handling = new Handling({
      answering: () => this.#answering(),
      heard: parts.heard,
      isEphemeral: parts.isEphemeral ?? false,
      log: parts.log,
      onUpdate: (kind) => parts.onUpdate?.(kind),
      onPrivateChat: (person, channel) => this.#post.knows(person, channel),
    })
    this.#ours = parts.publicUrl && `${parts.publicUrl}${callPath}`
    this.#calls = new EndpointKeeper({
      rest: this.#rest,
      ours: this.#ours,
      log: parts.log,
      onFatal: (error) => parts.onFatal(explainStart(error)),
      waits: parts.endpointWaits ?? defaultWaits,
      every: parts.lookEvery ?? 60_000,
      signal: this.#stopping.signal,
    })
    const isCalled = parts.interactions === 'http'
    this.webhook = isCalled ? (request) => this.#answerEndpoint(request) : undefined
    this.receivers = isCalled
      ? [{ role: endpointRole, begin: () => this.#calls.keep(this.#ours ?? '') }]
      : [{ role: roleOf(parts.shards), begin: () => this.#listen(parts.shards) }]
  }

  async start(): Promise<void> {
    const { dispatch, claim, interactions = 'gateway', rolesHeld, token } = this.#parts
    this.#rest.setToken(token)
    checkMode(interactions, (await rolesHeld?.()) ?? [])
    try {
      const found = await this.#reach(() => this.#calls.read())
      await claim?.(found.id)
      const application = this.webhook ? await this.#calls.agree(found, rolesHeld) : found
      await this.#reach(async () => {
        this.#username = userSchema.parse(await this.#rest.get(Routes.user())).username
        await registerCommands(this.#rest, application.id, dispatch.menu)
      })
      if (!this.webhook) {
        await this.#calls.leave(application)
        this.#state = 'standby'
        return
      }
      const ours = this.#ours
      if (!ours) throw new PlatformError('PUBLIC_URL is needed with DISCORD_INTERACTIONS=http.')
      this.#key = verifyKey(application.verify_key)
      this.#state = 'connected'
      if (application.interactions_endpoint_url !== ours) void this.#calls.take(ours)
    } catch (error) {
      throw explainStart(error)
    }
  }

  async stop(patience = drainTime): Promise<void> {
    this.#state = 'stopped'
    this.#stopping.abort()
    await this.#handling.end(patience)
    await this.#transport.close()
  }

  state(): ConnectionState {
    return this.#state
  }

  async send(to: ChatAddress, view: View, key: string): Promise<Sent> {
    return this.#photoFallback.show(to.id, view.picture, async (picture) =>
      this.#post.send(to, await this.#made(picture ? view : this.#withoutPicture(view)), key),
    )
  }

  async edit(to: ChatAddress, message: string, view: View): Promise<void> {
    return this.#photoFallback.show(to.id, view.picture, async (picture) =>
      this.#post.edit(to, message, await this.#made(picture ? view : this.#withoutPicture(view))),
    )
  }

  capacity(): number {
    return this.#limit.room()
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

  title(chat: string): Promise<string | undefined> {
    return titleOf(this.#rest, chat)
  }

  #made(view: View): Promise<Rendered> {
    return this.#render(view).catch((cause) => {
      throw new SendError('A message could not be made.', { final: true, cause })
    })
  }

  #reach<T>(work: () => Promise<T>): Promise<T> {
    const reach = untilReachable(isFinal, (err) =>
      this.#parts.log.warn({ err }, 'discord can’t be reached; trying again'),
    )
    return reach.execute(work, this.#stopping.signal)
  }

  async #answerEndpoint(request: Request): Promise<Response> {
    const key = this.#key
    // Discord shows that nothing answers; who starts takes calls in a moment.
    if (!key || this.#state !== 'connected') return new Response(null, { status: 503 })
    const now = this.#parts.now ?? (() => Date.now() / 1_000)
    const onInteraction = this.#handling.interaction.bind(this.#handling)
    return answerEndpoint({ key, now, onInteraction }, request)
  }

  #answering(): AnswerParts {
    const { dispatch, callbacks, apiRoot } = this.#parts
    return {
      rest: this.#rest,
      username: this.#username,
      bot: dispatch,
      wordless: this.webhook !== undefined,
      lines: callbacks,
      render: this.#render,
      files: (sent) => incomingFiles(sent, apiRoot, this.#transport),
      report: (error) => this.#report(error),
    }
  }

  #listen(shards: Shards | undefined): Task {
    const { token, log, onFatal, rolesHeld } = this.#parts
    const gateway = new Gateway({
      token,
      log,
      onFatal,
      rest: this.#rest,
      shards,
      check: async () => checkShards(shards, (await rolesHeld?.()) ?? []),
      onInteraction: (interaction) => this.#handling.interaction(interaction),
      onMessage: (message) => this.#handling.message(message),
      onState: (state) => this.#moved(state),
    })
    const looking = this.#calls.keepNone()
    const stop = async () => {
      this.#moved('standby')
      await Promise.all([gateway.stop(), looking.stop()])
    }
    return { ready: gateway.ready, stop }
  }

  #report(error: unknown): void {
    const { log } = this.#parts
    const notOurs = error instanceof DiscordAPIError && nothingToMend.includes(Number(error.code))
    if (notOurs) log.info({ reason: error.message }, 'discord: could not answer')
    else log.error({ err: error }, 'discord: an answer could not be shown')
  }

  #moved(state: ConnectionState): void {
    if (this.#state === 'stopped' || this.#state === state) return
    const isOurs = this.#state !== 'standby' && state !== 'standby'
    this.#state = state
    if (isOurs) this.#parts.log.info({ state }, 'discord: connection')
  }
}

/** Only where they changed: Discord counts how often an application registers. */
async function registerCommands(rest: REST, application: string, menu: readonly MenuEntry[]) {
  const route = Routes.applicationCommands(application)
  const body = slashCommands(menu)
  if (!isRegistered(await rest.get(route), body)) await rest.put(route, { body })
}

function explainStart(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error
  const refused = error instanceof DiscordAPIError && error.status === 401
  const message = refused
    ? 'Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, page Bot.'
    : 'Discord refuses to start. Check DISCORD_API_ROOT and the application.'
  return new PlatformError(message, { cause: error })
}
