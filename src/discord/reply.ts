import {
  DiscordAPIError,
  InteractionResponseType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js'
import type { Show } from '../chat/command.ts'
import type { Answer } from '../chat/dispatch.ts'
import type { Paced } from '../chat/paced.ts'
import type { View } from '../chat/view.ts'
import { type AnswerParts, type Rendered, type Reply, shownOrExplained } from './answering.ts'
import type { Asked } from './incoming.ts'
import { progress } from './progress.ts'

/** Where the answer to an interaction goes. */
export interface Manner {
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
  readonly show: Show
  readonly #parts: AnswerParts
  readonly #interaction: Asked
  readonly #manner: Manner
  readonly #progress: Paced
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
