import {
  DiscordAPIError,
  HTTPError,
  InteractionResponseType,
  MessageFlags,
  RateLimitError,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import type { LRUCache } from 'lru-cache'
import { ThrottledEditor } from '../core/adapter.ts'
import type { CallbackStore } from '../core/callback-data.ts'
import { defaultLocale, type Locale } from '../core/catalogue.ts'
import type { Context, Platform, ShowProgress } from '../core/command.ts'
import type { IncomingFile } from '../core/conversation.ts'
import type { Answer, Dispatch } from '../core/dispatch.ts'
import { withTimeout } from '../core/task.ts'
import type { LocalisedView } from '../core/view.ts'
import { isInvalid, isRefusal, showDespiteImage } from './errors.ts'
import type { NamedFile } from './files.ts'
import type { BaseInteraction, InteractionToken, SentFile } from './incoming.ts'
import type { DiscordMessage } from './render.ts'
import { NoAnswer } from './transport.ts'

/** A rendered view with its files. */
export interface Rendered {
  body: DiscordMessage
  files: NamedFile[]
}

export interface AnswerTimes {
  /** Milliseconds after which an answer is deferred, and edited in later: Discord wants a response within 3 s. */
  deferAfterMs: number
  /** Milliseconds between two views; Discord allows five edits in two seconds, but people read more slowly. */
  viewPauseMs: number
}

export const defaultTimes: AnswerTimes = { deferAfterMs: 900, viewPauseMs: 1_000 }

/** Dependencies of the interaction handlers. */
export interface AnswerParts {
  rest: REST
  times: AnswerTimes
  /** The bot's own name, by which people can address it. */
  username: string
  /** The link that adds the bot to a server. */
  invitation: string
  dispatch: Dispatch
  platform: Platform
  callbacks: CallbackStore
  render: (view: LocalisedView) => Promise<Rendered>
  /** The files of a message or a form. */
  files: (sent: Iterable<SentFile>) => IncomingFile[]
  /** Logs an error in showing an answer. */
  report: (error: unknown) => void
  /** The interaction that a message answers by now, by the one that it answered at first, of those that this process answered. */
  shownLast: LRUCache<string, string>
  /** Called for an answer that Discord took. */
  onTaken: () => void
  /** Called with why an answer did not arrive. */
  onRefused: (error: unknown) => void
}

/** Shows one answer. */
export interface Reply {
  /** Shows an interim view. */
  show: ShowProgress<string>
  /** Shows that the answer takes a while. */
  announce(): Promise<void>
  finish(line: string, answer: Answer): Promise<void>
}

/**
 * Asks the bot, shows its answer, and notes what became of it; if it takes longer than `deferAfterMs`, announces it first.
 */
export async function respond(
  { times, onTaken, onRefused }: AnswerParts,
  reply: Reply,
  line: string,
  ask: (show: ShowProgress<string>) => Promise<Answer>,
): Promise<void> {
  const answering = ask(reply.show)
  try {
    if (!(await withTimeout(answering, times.deferAfterMs))) await reply.announce()
    await reply.finish(line, await answering)
  } catch (error) {
    onRefused(error)
    const arrival = isRefusal(error) ? 'refused by the platform' : 'lost'
    // If it could not be announced, there is no answer yet.
    void answering.then(({ onShown }) => onShown?.(arrival))
    throw error
  }
  const { onShown, repeated = false } = await answering
  if (!repeated) onTaken()
  onShown?.('arrived')
}

/**
 * Shows an answer; refusals and failures are ephemeral. If Discord does not accept the message, even without the address
 * of its picture, which is a fault of ours, shows an explanation instead.
 */
export async function shownOrExplained(
  parts: AnswerParts,
  line: string,
  context: Context,
  answer: Answer,
  show: (message: Rendered, answer: Answer) => Promise<unknown>,
): Promise<void> {
  try {
    await showDespiteImage(answer.view, async (view) => {
      const shown = { ...answer, view }
      await show(await renderedAnswer(parts, shown), shown)
    })
  } catch (error) {
    if (isDiscords(error)) throw error
    const instead = parts.dispatch.explain(error, line, parts.dispatch.localeOf(context))
    await show(await renderedAnswer(parts, instead), instead)
    answer.onShown?.('replaced by an explanation')
  }
}

/** Whether Discord or the connection failed, rather than the rendering or its result. */
export function isDiscords(error: unknown): boolean {
  if (error instanceof DiscordAPIError) return !isInvalid(error)
  return [HTTPError, RateLimitError, NoAnswer].some((kind) => error instanceof kind)
}

async function renderedAnswer(
  { render }: AnswerParts,
  { view, outcome }: Answer,
): Promise<Rendered> {
  const { body, files } = await render(view)
  if (outcome === 'answered') return { body, files }
  return { body: { ...body, flags: body.flags | MessageFlags.Ephemeral }, files }
}

/** The known facts about the sender of an interaction or message with this id. */
interface Sender {
  id: string
  user: string
  chat: string
  isGuest?: boolean
  locale?: Locale
}

/** The context of a command, from an interaction or message. */
export function contextOf(
  { platform, invitation }: Pick<AnswerParts, 'platform' | 'invitation'>,
  { id: update, user, chat, isGuest = false, locale = defaultLocale }: Sender,
  visibility: { ephemeral: boolean; isPrivate: boolean },
): Context {
  const invitations = (visibility.isPrivate || isGuest) && { invitations: { server: invitation } }
  const guest = isGuest && { isGuest }
  return { platform, user, chat, update, locale, ...visibility, ...guest, ...invitations }
}

/** The way an answer to an interaction is shown. */
interface Manner {
  /** It replaces the message whose control was used. */
  inPlace: boolean
  /** The interaction that this message answered at first. */
  origin?: string | undefined
  /** If it is a new message, it is ephemeral. */
  ephemeral: boolean
}

/**
 * The answer to an interaction. Refusals and failures are new ephemeral messages, unless an interim view is shown
 * already, which they replace.
 */
export class InteractionReply implements Reply {
  readonly show: ShowProgress<string>
  readonly #parts: AnswerParts
  readonly #interaction: BaseInteraction
  readonly #context: Context
  readonly #manner: Manner
  readonly #progress: ThrottledEditor
  /** The last request: each one waits for it, since Discord takes only one initial response. */
  #lastRequest: Promise<unknown> = Promise.resolve()
  #acknowledged = false
  #hasInterimView = false
  /** The interim view has some, from which people can open something. */
  #hasButtons = false
  /** The interaction that the message answered at first. */
  readonly #origin: string

  constructor(parts: AnswerParts, interaction: BaseInteraction, context: Context, manner: Manner) {
    this.#parts = parts
    this.#interaction = interaction
    this.#context = context
    this.#manner = manner
    this.#origin = (manner.inPlace ? manner.origin : undefined) ?? interaction.id
    this.#progress = progress(parts, (view) => this.#inTurn(() => this.#showView(view)))
    this.show = this.#progress.show
  }

  announce(): Promise<void> {
    return this.#inTurn(() => this.#defer())
  }

  async finish(line: string, answer: Answer): Promise<void> {
    await this.#progress.end()
    await this.#inTurn(() =>
      shownOrExplained(this.#parts, line, this.#context, answer, (message, { outcome }) =>
        this.#deliver(message, outcome === 'answered'),
      ),
    )
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastRequest.then(work)
    this.#lastRequest = done.catch(() => undefined)
    return done
  }

  async #defer(): Promise<void> {
    if (this.#acknowledged) return
    const { inPlace } = this.#manner
    await this.#respond(
      inPlace
        ? { type: InteractionResponseType.DeferredMessageUpdate }
        : {
            type: InteractionResponseType.DeferredChannelMessageWithSource,
            data: { flags: this.#ephemeralFlag() },
          },
    )
  }

  async #showView(view: LocalisedView): Promise<void> {
    await this.#deliver(await this.#parts.render(view), true)
    this.#hasInterimView = true
    this.#hasButtons = view.buttons?.some((row) => row.length > 0) ?? false
  }

  async #deliver(message: Rendered, answered: boolean): Promise<unknown> {
    // Uploads may take longer than the 3 s that Discord waits for the initial response.
    if (message.files.length > 0) await this.#defer()
    const { inPlace, ephemeral } = this.#manner
    if (!this.#acknowledged) {
      // Before it is sent: a press can come before Discord's answer.
      if (answered || !inPlace) this.#noteShown()
      return this.#respondWith(message, answered)
    }
    if (answered || this.#hasInterimView || (ephemeral && !inPlace)) {
      if (this.#isOvertaken) return answered ? undefined : this.#followUp(message)
      this.#noteShown()
      return this.#edit(message)
    }
    // A deferral stays public, so an ephemeral answer has to be a message of its own.
    if (!inPlace) await this.#rest.delete(this.#original, { auth: false })
    return this.#followUp(message)
  }

  #respondWith({ body }: Rendered, answered: boolean): Promise<void> {
    if (this.#manner.inPlace && answered) {
      return this.#respond({ type: InteractionResponseType.UpdateMessage, data: body })
    }
    const type = InteractionResponseType.ChannelMessageWithSource
    const data = { ...body, flags: body.flags | this.#ephemeralFlag() }
    return this.#respond({ type, data })
  }

  async #edit(message: Rendered): Promise<unknown> {
    const { body, files } = message
    const flags = body.flags & ~MessageFlags.Ephemeral
    try {
      return await this.#rest.patch(this.#original, {
        body: { ...body, flags },
        files,
        auth: false,
      })
    } catch (error) {
      const gone =
        error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage
      if (!gone) throw error
      // The person dismissed the message while the answer was being made.
      return this.#followUp(message)
    }
  }

  #followUp({ body, files }: Rendered): Promise<unknown> {
    const { applicationId, token } = this.#interaction
    return this.#rest.post(Routes.webhook(applicationId, token), {
      body: { ...body, flags: body.flags | this.#ephemeralFlag() },
      files,
      auth: false,
    })
  }

  async #respond(body: InitialResponse): Promise<void> {
    await sendResponse(this.#parts, this.#interaction, body)
    this.#acknowledged = true
  }

  /** Whether somebody pressed a button of the shown view, whose answer would then be overwritten. */
  get #isOvertaken(): boolean {
    const last = this.#parts.shownLast.get(this.#origin)
    return this.#hasButtons && last !== undefined && last !== this.#interaction.id
  }

  #noteShown(): void {
    this.#parts.shownLast.set(this.#origin, this.#interaction.id)
  }

  #ephemeralFlag(): number {
    return this.#manner.ephemeral ? MessageFlags.Ephemeral : 0
  }

  get #rest() {
    return this.#parts.rest
  }

  get #original() {
    return Routes.webhookMessage(this.#interaction.applicationId, this.#interaction.token)
  }
}

/** The type and data of an initial response to an interaction. */
interface InitialResponse {
  type: number
  data?: object
}

/** Sends the initial response to an interaction. */
export async function sendResponse(
  { rest }: Pick<AnswerParts, 'rest'>,
  { id, token }: Pick<InteractionToken, 'id' | 'token'>,
  body: InitialResponse,
): Promise<void> {
  const route = Routes.interactionCallback(id, token)
  await rest.post(route, { body, auth: false }).catch((error: unknown) => {
    // A call before was taken, and only its answer got lost.
    if (!isAcknowledgedAlready(error)) throw error
  })
}

function isAcknowledgedAlready(error: unknown): boolean {
  const code = RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged
  return error instanceof DiscordAPIError && error.code === code
}

/** Makes an editor that shows interim views with a pause between them, and reports errors. */
export function progress(
  { times, report }: Pick<AnswerParts, 'times' | 'report'>,
  edit: (view: LocalisedView) => Promise<unknown>,
): ThrottledEditor {
  return new ThrottledEditor(async (view) => {
    await edit(view).catch(report)
    return { pause: times.viewPauseMs }
  })
}
