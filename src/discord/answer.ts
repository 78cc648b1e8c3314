import {
  DiscordAPIError,
  HTTPError,
  InteractionResponseType,
  MessageFlags,
  RateLimitError,
  type RawFile,
  type REST,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import type { CallbackStore } from '../core/callback-data.ts'
import type { Context, ShowProgress } from '../core/command.ts'
import type { IncomingFile } from '../core/conversation.ts'
import type { Answer, Dispatch } from '../core/dispatch.ts'
import { withTimeout } from '../core/retry.ts'
import { ThrottledEditor } from '../core/throttle.ts'
import type { View } from '../core/view.ts'
import type { Asked, SentFile } from './incoming.ts'
import type { DiscordMessage } from './render.ts'

/** A view as it is sent. */
export interface Rendered {
  body: DiscordMessage
  files: RawFile[]
}

/** What answering takes. */
export interface AnswerParts {
  rest: REST
  /** The bot's own, by which it can be addressed. */
  username: string
  bot: Dispatch
  /** Messages don't arrive, not even in private chats. */
  wordless: boolean
  lines: CallbackStore
  render: (view: View) => Promise<Rendered>
  /** Files that came with a message or a form. */
  files: (sent: Iterable<SentFile>) => IncomingFile[]
  /** Takes down what could not be shown. */
  report: (error: unknown) => void
}

/** The place of one answer. */
export interface Reply {
  /** Shows what there is so far. */
  show: ShowProgress
  /** Says that the answer takes a while. */
  announce(): Promise<void>
  finish(line: string, answer: Answer): Promise<void>
}

/** Discord wants a sign within 3 s: an answer that takes longer than this is announced first and filled in later. */
const deferAfter = 900

/** Asks the bot and gives its answer: at once where it is quick, else after an announcement. */
export async function respond(
  reply: Reply,
  line: string,
  ask: (show: ShowProgress) => Promise<Answer>,
): Promise<void> {
  const answering = ask(reply.show)
  if (!(await withTimeout(answering, deferAfter))) await reply.announce()
  await reply.finish(line, await answering)
}

/** Discord's code for a body that breaks one of its rules. */
const invalidFormBody = 50_035

/**
 * Shows an answer; what was refused or failed is marked for the asker alone. An answer that Discord won't show is a
 * fault of ours: the person reads that instead of nothing.
 */
export async function shownOrExplained(
  parts: AnswerParts,
  line: string,
  answer: Answer,
  show: (message: Rendered, answer: Answer) => Promise<unknown>,
): Promise<void> {
  try {
    await show(await renderedAnswer(parts, answer), answer)
  } catch (error) {
    if (isDiscords(error)) throw error
    const instead = parts.bot.explain(error, line)
    await show(await renderedAnswer(parts, instead), instead)
  }
}

/** Whether Discord or the way there failed, and not what was to be shown. */
export function isDiscords(error: unknown): boolean {
  if (error instanceof DiscordAPIError) return error.code !== invalidFormBody
  return error instanceof HTTPError || error instanceof RateLimitError
}

async function renderedAnswer(
  { render }: AnswerParts,
  { view, outcome }: Answer,
): Promise<Rendered> {
  const { body, files } = await render(view)
  if (outcome === 'answered') return { body, files }
  return { body: { ...body, flags: body.flags | MessageFlags.Ephemeral }, files }
}

/** Who asks and where; `seen` says who reads the answer, and whether it is the private chat with the bot. */
export function contextOf(
  { wordless }: Pick<AnswerParts, 'wordless'>,
  user: string,
  chat: string,
  seen: { ephemeral: boolean; isPrivate: boolean },
): Context {
  return { platform: 'discord', user, chat, ...seen, ...(wordless && { wordless }) }
}

/** Where the answer to an interaction goes. */
interface Manner {
  /** It takes the place of the message that was used. */
  inPlace: boolean
  /** Where it is a new message, only the asker sees it. */
  hidden: boolean
}

/**
 * The answer to an interaction. What was refused or failed is shown to the asker alone, and never in place of a
 * message; only where the person already sees how far the answer is, that is where it ends too.
 */
export class InteractionReply implements Reply {
  readonly show: ShowProgress
  readonly #parts: AnswerParts
  readonly #interaction: Asked
  readonly #manner: Manner
  readonly #progress: ThrottledEditor
  /** Discord takes one first answer, and each has to know of the one before. */
  #last: Promise<unknown> = Promise.resolve()
  #acknowledged = false
  #shown = false

  constructor(parts: AnswerParts, interaction: Asked, manner: Manner) {
    this.#parts = parts
    this.#interaction = interaction
    this.#manner = manner
    this.#progress = progress((view) => this.#inTurn(() => this.#showView(view)), parts.report)
    this.show = this.#progress.show
  }

  announce(): Promise<void> {
    return this.#inTurn(() => this.#defer())
  }

  async finish(line: string, answer: Answer): Promise<void> {
    await this.#progress.end()
    await this.#inTurn(() =>
      shownOrExplained(this.#parts, line, answer, (message, { outcome }) =>
        this.#deliver(message, outcome === 'answered'),
      ),
    )
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #defer(): Promise<void> {
    if (this.#acknowledged) return
    const { inPlace } = this.#manner
    await this.#first(
      inPlace
        ? { type: InteractionResponseType.DeferredMessageUpdate }
        : {
            type: InteractionResponseType.DeferredChannelMessageWithSource,
            data: { flags: this.#hiding() },
          },
    )
  }

  async #showView(view: View): Promise<void> {
    await this.#deliver(await this.#parts.render(view), true)
    this.#shown = true
  }

  async #deliver(message: Rendered, answered: boolean): Promise<unknown> {
    // Files may take longer than the 3 s that Discord waits for the first answer.
    if (message.files.length > 0) await this.#defer()
    if (!this.#acknowledged) return this.#answerFirst(message, answered)
    const { inPlace, hidden } = this.#manner
    if (answered || this.#shown || (hidden && !inPlace)) return this.#edit(message)
    // A deferral is public for good: what only the asker may see has to be a message of its own.
    if (!inPlace) await this.#rest.delete(this.#original, { auth: false })
    return this.#follow(message)
  }

  #answerFirst({ body }: Rendered, answered: boolean): Promise<void> {
    if (this.#manner.inPlace && answered) {
      return this.#first({ type: InteractionResponseType.UpdateMessage, data: body })
    }
    const type = InteractionResponseType.ChannelMessageWithSource
    return this.#first({ type, data: { ...body, flags: body.flags | this.#hiding() } })
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
      // The person put the message away while the answer was being made.
      return this.#follow(message)
    }
  }

  #follow({ body, files }: Rendered): Promise<unknown> {
    const { applicationId, token } = this.#interaction
    return this.#rest.post(Routes.webhook(applicationId, token), {
      body: { ...body, flags: body.flags | this.#hiding() },
      files,
      auth: false,
    })
  }

  async #first(body: unknown): Promise<void> {
    await callback(this.#parts, this.#interaction, body)
    this.#acknowledged = true
  }

  #hiding(): number {
    return this.#manner.hidden ? MessageFlags.Ephemeral : 0
  }

  get #rest() {
    return this.#parts.rest
  }

  get #original() {
    return Routes.webhookMessage(this.#interaction.applicationId, this.#interaction.token)
  }
}

/** Sends the first answer to an interaction. */
export async function callback(
  { rest }: AnswerParts,
  { id, token }: Pick<Asked, 'id' | 'token'>,
  body: unknown,
): Promise<void> {
  // Plain bodies through the REST client cost a third less than discord.js replies (docs/performance.md).
  await rest.post(Routes.interactionCallback(id, token), { body, auth: false })
}

/** Discord takes five edits of an answer in two seconds; people read more slowly. */
const betweenShows = 1_000

/** Shows one view after another in the same place, a second apart at least; what goes wrong with one is reported. */
export function progress(
  put: (view: View) => Promise<unknown>,
  report: (error: unknown) => void,
): ThrottledEditor {
  return new ThrottledEditor(async (view) => {
    await put(view).catch(report)
    return { pause: betweenShows }
  })
}
