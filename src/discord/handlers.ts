import {
  type AutocompleteInteraction,
  ChannelType,
  type ChatInputCommandInteraction,
  type Interaction,
  type Message,
  type MessageComponentInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
} from 'discord.js'
import { LRUCache } from 'lru-cache'
import { decodeForm, decodePress, namesForm } from '../core/callback-data.ts'
import type { Dispatch, IncomingInput, PressedMessage } from '../core/incoming.ts'
import { withTimeout } from '../core/task.ts'
import { harmless, shortenUnits } from '../core/text.ts'
import { lineOfUse } from './commands.ts'
import { contextOf, privateContextOf } from './context.ts'
import type { IncomingFiles } from './files.ts'
import { inputOf } from './modal.ts'
import { pressData } from './render.ts'
import {
  type Answerable,
  InteractionReply,
  MessageReply,
  type PrivateChannel,
  type ReplyParts,
} from './reply.ts'

/** The kinds of update as they are counted. */
export const updateKinds = ['command', 'autocomplete', 'component', 'form', 'message'] as const
type UpdateKind = (typeof updateKinds)[number]

interface HandlerParts extends ReplyParts {
  dispatch: Dispatch
  files: IncomingFiles
  /** Called for each update, with its kind. */
  onUpdate: (kind: UpdateKind) => void
  /** Called with the channel of a person's private chat. */
  onPrivateChat: (person: string, channel: string) => void
}

/** Maximum ids that are cached for deduplication: those of some minutes at hundreds a second. */
const maxSeen = 50_000

/**
 * Handles each interaction and message once, and tracks those under way.
 *
 * Other processes receive other shards. Only while a leader that was frozen comes back
 * beside the next one, two may receive the same: then Discord accepts one response to an interaction, a draft is
 * changed once (`Context.update`), and what a message in a private chat only shows may be shown twice.
 */
export class Handlers {
  readonly #parts: HandlerParts
  /** Discord may send an event several times: https://docs.discord.com/developers/reference#consistency */
  readonly #seen = new LRUCache<string, true>({ max: maxSeen })
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  interaction(interaction: Interaction): void {
    if (interaction.isChatInputCommand())
      this.#take('command', interaction, () => this.#onCommand(interaction))
    else if (interaction.isAutocomplete())
      this.#take('autocomplete', interaction, () => this.#onAutocomplete(interaction))
    else if (interaction.isMessageComponent())
      this.#take('component', interaction, () => this.#onComponent(interaction))
    else if (interaction.isModalSubmit())
      this.#take('form', interaction, () => this.#onModalSubmit(interaction))
  }

  message(message: Message): void {
    const { author, channel } = message
    if (!author.bot && channel.type === ChannelType.DM)
      this.#take('message', message, () => this.#onDirectMessage(message, channel))
  }

  /** Waits up to `milliseconds` for the handlers under way. */
  async end(milliseconds: number): Promise<void> {
    await withTimeout(Promise.allSettled(this.#underWay), milliseconds)
  }

  #take(kind: UpdateKind, { id }: { id: string }, handle: () => Promise<void>): void {
    if (this.#seen.has(id)) return
    this.#seen.set(id, true)
    this.#parts.onUpdate(kind)
    const tracked = handle()
      .catch(this.#parts.report)
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #onCommand(interaction: ChatInputCommandInteraction): Promise<void> {
    const { commandName, options } = interaction
    const line = lineOfUse(commandName, options.data, this.#parts.dispatch.menu)
    await this.#handle(interaction, { kind: 'command', line })
  }

  async #onComponent(interaction: MessageComponentInteraction): Promise<void> {
    const { callbacks } = this.#parts
    const [chosen = ''] = interaction.isStringSelectMenu() ? interaction.values : []
    const data = pressData(interaction.isStringSelectMenu() ? chosen : interaction.customId)
    if (namesForm(data)) {
      const line = await decodeForm(data, callbacks)
      return this.#handle(interaction, { kind: 'form press', line })
    }
    const press = await decodePress(data, callbacks)
    const message = pressedMessage(interaction)
    await this.#handle(interaction, {
      kind: 'press',
      line: press?.line,
      asNew: press?.asNew ?? false,
      message,
    })
  }

  /** The answer replaces the form's message if only this person sees it. */
  async #onModalSubmit(interaction: ModalSubmitInteraction): Promise<void> {
    const { callbacks, files } = this.#parts
    await this.#handle(interaction, {
      kind: 'form',
      form: await decodeForm(interaction.customId, callbacks),
      input: inputOf(interaction, files),
      inPlace: interaction.isFromMessage() && pressedMessage(interaction).isSoleReader,
    })
  }

  async #onAutocomplete(interaction: AutocompleteInteraction): Promise<void> {
    const { name: option, value: typed } = interaction.options.getFocused(true)
    const completion = { command: interaction.commandName, option, typed }
    const found = await this.#parts.dispatch.complete(completion, contextOf(interaction))
    const choices = found
      .filter((choice) => choice.value.length <= maxChoice)
      .slice(0, maxChoices)
      .map(({ label, value }) => ({
        name: shortenUnits(harmless(label).trim(), maxChoice) || value,
        value,
      }))
    await interaction.respond(choices)
  }

  /** A message in a private chat: a command as text, or text and files that the bot asked for. */
  async #onDirectMessage(message: Message, channel: PrivateChannel): Promise<void> {
    const { dispatch, files, onPrivateChat } = this.#parts
    const context = privateContextOf(message)
    onPrivateChat(context.user, context.chat)
    const input: IncomingInput = {
      kind: 'message',
      text: message.content,
      files: files(message.attachments.values()),
      botName: message.client.user.username,
      isReply: false,
      isPost: false,
    }
    await dispatch.handle({ context, input, reply: new MessageReply(channel, this.#parts) })
  }

  async #handle(interaction: Answerable, input: IncomingInput): Promise<void> {
    const { dispatch, onPrivateChat } = this.#parts
    const context = contextOf(interaction)
    if (context.isPrivate) onPrivateChat(context.user, context.chat)
    await dispatch.handle({ context, input, reply: new InteractionReply(interaction, this.#parts) })
  }
}

/** Limits of autocompletion: https://docs.discord.com/developers/interactions/application-commands */
const maxChoices = 25
const maxChoice = 100

/**
 * The message whose control was used. In a server, only the person whom it answers may change it; other people's presses
 * are answered for them alone, as are all presses of messages that answer nobody.
 */
function pressedMessage(
  interaction: MessageComponentInteraction | ModalSubmitInteraction,
): PressedMessage {
  const { message, user } = interaction
  const isHidden = message?.flags.has(MessageFlags.Ephemeral) ?? false
  const isSoleReader = isHidden || contextOf(interaction).isPrivate
  const isTheirs = isSoleReader || message?.interactionMetadata?.user.id === user.id
  return { isSoleReader, isTheirs, isPost: false }
}
