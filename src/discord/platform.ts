import { DiscordAPIError, type Interaction, REST, RESTEvents, Routes, type User } from 'discord.js'
import { z } from 'zod'
import type { MenuEntry } from '../chat/dispatch.ts'
import { Pictureless } from '../chat/pictureless.ts'
import {
  type ConnectionState,
  type Destination,
  type Hearing,
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
import type { Duty } from '../replicas/roles.ts'
import type { AnswerParts, Rendered } from './answering.ts'
import { isRegistered, slashCommands } from './commands.ts'
import { onDirectMessage } from './direct.ts'
import { incomingFiles, uploads } from './files.ts'
import { Gateway } from './gateway.ts'
import { GlobalLimit } from './global-limit.ts'
import { kindOf, onInteraction } from './interactions.ts'
import { isMemberOf, managesIn, titleOf } from './members.ts'
import { isFinal, pictureRefusal } from './refusals.ts'
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

const applicationSchema = z.object({ id: z.string() })
const userSchema = z.object({ username: z.string() })

/** Discord by its gateway: slash commands, components, autocomplete, and text in private chats. */
export class DiscordPlatform implements Platform {
  readonly name = 'discord'
  readonly called = undefined
  readonly hearings: readonly Hearing[]
  readonly #parts: PlatformParts
  readonly #rest: REST
  readonly #limit: GlobalLimit
  readonly #transport: Transport
  readonly #post: Post
  readonly #pictureless = new Pictureless(pictureRefusal, () => performance.now())
  readonly #render: (view: View) => Promise<Rendered>
  readonly #withoutPicture = remembered(({ picture: _, ...view }: View): View => view)
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #username = ''
  #state: ConnectionState = 'starting'

  constructor(parts: PlatformParts) {
    this.#parts = parts
    this.#limit = new GlobalLimit(() => performance.now(), parts.bulletin)
    this.#transport = boundedTransport(this.#limit, parts.onLimited)
    this.#rest = new REST({
      api: parts.apiRoot,
      timeout: 15_000,
      // discord.js would let answers to interactions wait, which Discord does not count: `GlobalLimit` counts instead.
      globalRequestsPerSecond: Number.POSITIVE_INFINITY,
      makeRequest: this.#transport.makeRequest,
      rejectOnRateLimit: isTooLongToWait,
    }).setToken(parts.token)
    this.#rest.on(RESTEvents.RateLimited, ({ route, global, timeToReset }) =>
      parts.log.debug({ route, global, timeToReset }, 'discord: waiting for a limit'),
    )
    this.#post = new Post(this.#rest, this.#transport.once)
    // Many may ask for the same card: it is rendered once.
    this.#render = remembered(async (view: View) => ({
      body: await renderDiscord(view, parts.lines),
      files: uploads(view),
    }))
    this.hearings = [{ role: 'discord gateway', begin: () => this.#listen() }]
  }

  async start(): Promise<void> {
    const { bot, log } = this.#parts
    const reach = untilReachable(isFinal, (err) =>
      log.warn({ err }, 'discord can’t be reached; trying again'),
    )
    try {
      await reach.execute(async () => {
        const application = applicationSchema.parse(
          await this.#rest.get(Routes.currentApplication()),
        )
        this.#username = userSchema.parse(await this.#rest.get(Routes.user())).username
        await registerCommands(this.#rest, application.id, bot.menu)
      }, this.#stopping.signal)
    } catch (error) {
      throw explainStart(error)
    }
    this.#state = 'standby'
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    this.#stopping.abort()
    await within(Promise.allSettled(this.#underWay), drainTime)
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

  #listen(): Duty {
    const { bot, lines, apiRoot, token, log, onFatal } = this.#parts
    const parts: AnswerParts = {
      rest: this.#rest,
      username: this.#username,
      bot,
      lines,
      render: this.#render,
      files: (sent) => incomingFiles(sent, apiRoot, this.#transport),
      report: (error) => this.#report(error),
    }
    const gateway = new Gateway({
      token,
      log,
      onFatal,
      rest: this.#rest,
      shards: undefined,
      onInteraction: (interaction) => {
        this.#parts.onUpdate?.(kindOf(interaction))
        this.#meet(interaction.user, interaction)
        this.#track(onInteraction(parts, interaction))
      },
      onMessage: (message) => {
        if (!message.author.bot) this.#parts.onUpdate?.('message')
        this.#meet(message.author, message)
        this.#track(onDirectMessage(parts, message))
      },
      onState: (state) => this.#moved(state),
    })
    const stop = async () => {
      this.#moved('standby')
      await gateway.stop()
    }
    return { begun: gateway.begun, stop }
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
  const refused = error instanceof DiscordAPIError && error.status === 401
  const message = refused
    ? 'Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, page Bot.'
    : 'Discord refuses to start. Check DISCORD_API_ROOT and the application.'
  return new PlatformError(message, { cause: error })
}
