import {
  type ChatInputCommandInteraction,
  DiscordAPIError,
  type DMChannel,
  HTTPError,
  type MessageComponentInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
  type PartialDMChannel,
  RateLimitError,
  RESTJSONErrorCodes,
} from 'discord.js'
import type { LRUCache } from 'lru-cache'
import { ThrottledEditor } from '../core/adapter.ts'
import type { CallbackStore } from '../core/callback-data.ts'
import type { Form } from '../core/conversation.ts'
import type { Answer, Manner, Reply } from '../core/incoming.ts'
import type { PlatformHealth } from '../core/platform-health.ts'
import type { LocalisedView } from '../core/view.ts'
import { isAnswered, sendError, showDespiteImage } from './errors.ts'
import type { NamedFile } from './files.ts'
import { modalOf } from './modal.ts'
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

/** Dependencies of replies. */
export interface ReplyParts {
  times: AnswerTimes
  callbacks: CallbackStore
  health: PlatformHealth
  render: (view: LocalisedView) => Promise<Rendered>
  /** Logs an error in showing an interim view. */
  report: (error: unknown) => void
  /** The interaction that a message answers by now, by the one that it answered at first, of those that this process answered. */
  shownLast: LRUCache<string, string>
}

/** What interactions and messages have in common: views are shown one after the other, and the last one is the answer. */
abstract class ViewReply implements Reply {
  protected readonly parts: ReplyParts
  protected manner: Manner = { ephemeral: false, inPlace: false }
  readonly #editor: ThrottledEditor
  #patience: NodeJS.Timeout | undefined
  #announced: Promise<void> | undefined
  /** The last request: each one waits for it, since Discord takes only one initial response. */
  #lastRequest: Promise<unknown> = Promise.resolve()

  constructor(parts: ReplyParts) {
    this.parts = parts
    const { times, report } = parts
    this.#editor = new ThrottledEditor(async (view) => {
      await this.#inTurn(async () => this.showInterim(await parts.render(view), view)).catch(report)
      return { pause: times.viewPauseMs }
    })
  }

  begin(manner: Manner): void {
    this.manner = manner
    this.#patience = setTimeout(() => {
      this.#announced = this.#inTurn(() => this.announce())
      // The answer says so.
      this.#announced.catch(() => undefined)
    }, this.parts.times.deferAfterMs)
  }

  show(view: LocalisedView): Promise<void> {
    return this.#editor.show(view)
  }

  async finish(answer: Answer): Promise<void> {
    const { render, health } = this.parts
    clearTimeout(this.#patience)
    try {
      await this.#announced
      await this.#editor.end()
      await this.#inTurn(() =>
        showDespiteImage(answer.view, async (view) =>
          this.showAnswer(await render(view), { ...answer, view }),
        ),
      )
      if (!answer.repeated) health.accepted()
    } catch (cause) {
      if (!isDiscords(cause)) throw cause
      const error = sendError(cause)
      if (isAnswered(cause)) health.failed(error)
      throw error
    }
  }

  /** Shows that the answer takes a while. */
  protected abstract announce(): Promise<void>
  protected abstract showInterim(message: Rendered, view: LocalisedView): Promise<void>
  protected abstract showAnswer(message: Rendered, answer: Answer): Promise<void>

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastRequest.then(work)
    this.#lastRequest = done.catch(() => undefined)
    return done
  }
}

/** Whether Discord or the connection failed, rather than the rendering. */
function isDiscords(error: unknown): boolean {
  return [DiscordAPIError, HTTPError, RateLimitError, NoAnswer].some(
    (kind) => error instanceof kind,
  )
}

/** What a person did that Discord wants a response to. */
export type Answerable =
  | ChatInputCommandInteraction
  | MessageComponentInteraction
  | ModalSubmitInteraction

/**
 * The answer to an interaction. Refusals and failures are new ephemeral messages, unless an interim view is shown
 * already, which they replace.
 */
export class InteractionReply extends ViewReply {
  readonly #interaction: Answerable
  #hasInterimView = false
  /** The interim view has some, from which people can open something. */
  #hasButtons = false

  constructor(interaction: Answerable, parts: ReplyParts) {
    super(parts)
    this.#interaction = interaction
  }

  async openForm(form: Form<string>): Promise<void> {
    const interaction = this.#interaction
    const modal = await modalOf(form, this.parts.callbacks)
    if (interaction.isModalSubmit()) throw new Error('A form can’t open another one.')
    try {
      await this.#respond(() => interaction.showModal(modal))
    } catch (cause) {
      throw isDiscords(cause) ? sendError(cause) : cause
    }
  }

  protected async announce(): Promise<void> {
    const interaction = this.#interaction
    if (this.#isAcknowledged) return
    await this.#respond(() =>
      this.manner.inPlace && canUpdate(interaction)
        ? interaction.deferUpdate()
        : interaction.deferReply(this.manner.ephemeral ? { flags: MessageFlags.Ephemeral } : {}),
    )
  }

  protected async showInterim(message: Rendered, view: LocalisedView): Promise<void> {
    await this.#deliver(message, true)
    this.#hasInterimView = true
    this.#hasButtons = view.buttons?.some((row) => row.length > 0) ?? false
  }

  protected showAnswer(message: Rendered, { outcome }: Answer): Promise<void> {
    return this.#deliver(message, outcome === 'answered')
  }

  async #deliver(message: Rendered, isAnswered: boolean): Promise<void> {
    const interaction = this.#interaction
    const { inPlace, ephemeral } = this.manner
    const isHidden = ephemeral || !isAnswered
    // Uploads may take longer than the 3 s that Discord waits for the initial response.
    if (message.files.length > 0) await this.announce()
    if (!this.#isAcknowledged) {
      // Before it is sent: a press can come before Discord's answer.
      if (isAnswered || !inPlace) this.#noteShown()
      await this.#respond(() =>
        inPlace && isAnswered && canUpdate(interaction)
          ? interaction.update(payload(message))
          : interaction.reply(payload(message, isHidden)),
      )
      return
    }
    if (isAnswered || this.#hasInterimView || (ephemeral && !inPlace)) {
      if (!this.#isOvertaken) {
        this.#noteShown()
        await this.#edit(message, isHidden)
      } else if (!isAnswered) await interaction.followUp(payload(message, isHidden))
      return
    }
    // A deferral stays public, so an ephemeral answer has to be a message of its own.
    if (!inPlace) await interaction.deleteReply()
    await interaction.followUp(payload(message, isHidden))
  }

  async #edit(message: Rendered, isHidden: boolean): Promise<void> {
    const interaction = this.#interaction
    try {
      await interaction.editReply(payload(message))
    } catch (error) {
      if (!isCode(error, RESTJSONErrorCodes.UnknownMessage)) throw error
      // The person dismissed the message while the answer was being made.
      await interaction.followUp(payload(message, isHidden))
    }
  }

  /** Makes the initial response. */
  async #respond(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      // A call before was taken, and only its answer got lost.
      if (!isCode(error, RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged)) throw error
      this.#interaction.replied = true
    }
  }

  get #isAcknowledged(): boolean {
    return this.#interaction.deferred || this.#interaction.replied
  }

  /** Whether somebody pressed a button of the shown view, whose answer would then be overwritten. */
  get #isOvertaken(): boolean {
    const last = this.parts.shownLast.get(this.#origin)
    return this.#hasButtons && last !== undefined && last !== this.#interaction.id
  }

  #noteShown(): void {
    this.parts.shownLast.set(this.#origin, this.#interaction.id)
  }

  /** The interaction that the message answered at first; the message itself if it answers none. */
  get #origin(): string {
    const { id } = this.#interaction
    if (!this.manner.inPlace || !canUpdate(this.#interaction)) return id
    const { message } = this.#interaction
    return message.interactionMetadata?.id ?? message.id
  }
}

export type PrivateChannel = DMChannel | PartialDMChannel

/** The answer to a message in a private chat: sent once, then edited. */
export class MessageReply extends ViewReply {
  readonly #channel: PrivateChannel
  #message: string | undefined

  constructor(channel: PrivateChannel, parts: ReplyParts) {
    super(parts)
    this.#channel = channel
  }

  protected async announce(): Promise<void> {
    // Ignored: the answer may still arrive.
    await this.#channel.sendTyping().catch(() => undefined)
  }

  protected async showInterim(message: Rendered): Promise<void> {
    if (this.#message === undefined) this.#message = (await this.#channel.send(payload(message))).id
    else await this.#channel.messages.edit(this.#message, payload(message))
  }

  protected async showAnswer(message: Rendered, { repeated }: Answer): Promise<void> {
    if (!repeated) await this.showInterim(message)
  }
}

/** Whether the interaction came from a message of ours, which its answer may replace. */
function canUpdate(interaction: Answerable) {
  return (
    interaction.isMessageComponent() || (interaction.isModalSubmit() && interaction.isFromMessage())
  )
}

/** A message as discord.js takes it; only a new one can be hidden from others. */
function payload({ body, files }: Rendered, isHidden = false) {
  return {
    components: body.components,
    flags: MessageFlags.IsComponentsV2 | (isHidden ? MessageFlags.Ephemeral : 0),
    allowedMentions: body.allowed_mentions,
    files: files.map(({ name, data }) => ({ name, attachment: data })),
  }
}

function isCode(error: unknown, code: number): boolean {
  return error instanceof DiscordAPIError && error.code === code
}
