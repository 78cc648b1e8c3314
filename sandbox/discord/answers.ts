import {
  type APIMessageInteractionMetadata,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageType,
} from 'discord-api-types/v10'
import { gavel } from './cast.ts'
import { checkChoices } from './check/commands.ts'
import { checkMessage, type Draft, type Upload } from './check/message.ts'
import { isModal } from './check/modal.ts'
import { Form } from './form.ts'
import type { Acknowledgement, Interaction } from './interactions.ts'
import { beforeEdit, type Extras, type Messages } from './messages.ts'
import { alreadyAcknowledged, emptyMessage, unknownMessage } from './refusal.ts'
import type { Held, World } from './world.ts'

const T = InteractionResponseType
const messageAnswers = [T.ChannelMessageWithSource, T.DeferredChannelMessageWithSource]
const updates = [T.DeferredMessageUpdate, T.UpdateMessage]

/** The answers which each kind of interaction takes. */
function allowedAnswers(interaction: Interaction): InteractionResponseType[] {
  switch (interaction.type) {
    case InteractionType.ApplicationCommandAutocomplete:
      return [T.ApplicationCommandAutocompleteResult]
    case InteractionType.MessageComponent:
      return [...messageAnswers, ...updates, T.Modal]
    case InteractionType.ModalSubmit:
      return interaction.source === undefined ? messageAnswers : [...messageAnswers, ...updates]
    default:
      return [...messageAnswers, T.Modal]
  }
}

/** What the bot may do with an interaction: the first answer, then edits and follow-ups by its token. */
export class Answers {
  readonly #world: World
  readonly #messages: Messages

  constructor(world: World, messages: Messages) {
    this.#world = world
    this.#messages = messages
  }

  /** The callback. A refused body leaves the interaction open, a second valid one is 40060. */
  first(interaction: Interaction, body: unknown, files: Upload[]): InteractionResponseType {
    if (interaction.acknowledged !== undefined) throw alreadyAcknowledged()
    const form = new Form()
    const fields = form.fields(body, '') ?? {}
    const type = form.choice(fields, 'type', '', allowedAnswers(interaction))
    form.done()
    const how = this.#acknowledge(interaction, type, fields.data, files, form)
    interaction.acknowledged = how.kind
    if ('held' in how) interaction.originalId = how.held.message.id
    if (how.kind === 'pending-update') interaction.originalId = interaction.source?.message.id
    interaction.watcher?.acknowledged(how, interaction)
    return type ?? T.ChannelMessageWithSource
  }

  #acknowledge(
    interaction: Interaction,
    type: number | undefined,
    data: unknown,
    files: Upload[],
    form: Form,
  ): Acknowledgement {
    switch (type) {
      case T.DeferredChannelMessageWithSource:
        return { kind: 'thinking', held: this.#defer(interaction, data, form) }
      case T.DeferredMessageUpdate:
        return { kind: 'pending-update' }
      case T.UpdateMessage: {
        const source = interaction.source
        if (source === undefined) throw unknownMessage()
        return {
          kind: 'update',
          held: this.#update(interaction, source, data ?? {}, files, 'data'),
        }
      }
      case T.ApplicationCommandAutocompleteResult:
        return { kind: 'choices', choices: readChoices(interaction, data, form) }
      case T.Modal:
        if (!isModal(data, 'data', form)) throw form.refusal()
        return { kind: 'modal', modal: data }
      default: {
        if (data === undefined || data === null) throw emptyMessage()
        const draft = checkMessage(data, files, form, 'data')
        return {
          kind: 'message',
          held: this.#send(interaction, draft, this.#viewer(interaction, draft)),
        }
      }
    }
  }

  /** `@original`, or a follow-up of this interaction by its id. */
  find(interaction: Interaction, messageId: string): Held {
    const held =
      messageId === '@original'
        ? this.original(interaction)
        : this.#world.room(interaction.channelId).messages.get(messageId)
    const own = messageId === '@original' || held?.message.webhook_id === gavel.id
    if (held === undefined || !own) throw unknownMessage()
    return held
  }

  original(interaction: Interaction): Held | undefined {
    return this.#world.room(interaction.channelId).messages.get(interaction.originalId ?? '')
  }

  edit(interaction: Interaction, messageId: string, body: unknown, files: Upload[]): Held {
    const held = this.#update(interaction, this.find(interaction, messageId), body, files, '')
    interaction.watcher?.shown(held)
    return held
  }

  remove(interaction: Interaction, messageId: string): void {
    const held = this.find(interaction, messageId)
    this.#messages.remove(this.#world.room(interaction.channelId), held)
  }

  /** A follow-up; the first after a deferral fills the deferred answer instead, as on Discord. */
  followUp(interaction: Interaction, body: unknown, files: Upload[]): Held {
    const original = this.original(interaction)
    const thinking = ((original?.message.flags ?? 0) & MessageFlags.Loading) !== 0
    if (thinking && interaction.acknowledged === 'thinking')
      return this.edit(interaction, '@original', body, files)
    const draft = checkMessage(body, files, new Form(), '')
    const held = this.#send(interaction, draft, this.#viewer(interaction, draft), true)
    interaction.watcher?.shown(held)
    return held
  }

  // Of the flags, a deferral takes only the ephemeral one (discord-api-docs issue 7910).
  #defer(interaction: Interaction, data: unknown, form: Form): Held {
    const fields = data === undefined || data === null ? {} : (form.fields(data, 'data') ?? {})
    const asked =
      form.integer(fields, 'flags', 'data', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0
    form.done()
    const flags = MessageFlags.Loading | (asked & MessageFlags.Ephemeral)
    const draft: Draft = { flags, allowed: undefined, enforceNonce: false, files: [] }
    return this.#send(interaction, draft, this.#viewer(interaction, draft))
  }

  #viewer(interaction: Interaction, draft: Draft): string | undefined {
    const ephemeral = ((draft.flags ?? 0) & MessageFlags.Ephemeral) !== 0
    return ephemeral ? interaction.userId : undefined
  }

  #send(interaction: Interaction, draft: Draft, viewer: string | undefined, later = false): Held {
    const room = this.#world.room(interaction.channelId)
    const extras = { ...this.#origin(interaction, later), viewer }
    return this.#messages.create(room, this.#world.bot, draft, extras)
  }

  #update(interaction: Interaction, held: Held, body: unknown, files: Upload[], at: string): Held {
    const room = this.#world.room(interaction.channelId)
    const draft = checkMessage(body, files, new Form(), at, beforeEdit(held.message))
    return this.#messages.edit(room, held, draft)
  }

  #origin(interaction: Interaction, later: boolean): Extras {
    const common = { application_id: gavel.id, webhook_id: gavel.id }
    const metadata = this.#metadata(interaction)
    const reply = later ? this.original(interaction) : interaction.source
    if (reply !== undefined)
      return {
        ...common,
        type: MessageType.Reply,
        message_reference: {
          type: 0,
          message_id: reply.message.id,
          channel_id: interaction.channelId,
        },
        ...(metadata === undefined ? {} : { interaction_metadata: metadata }),
      }
    const user = this.#world.users.get(interaction.userId)
    if (user === undefined || metadata === undefined) return common
    return {
      ...common,
      type: MessageType.ChatInputCommand,
      interaction_metadata: metadata,
      interaction: { id: interaction.id, type: 2, name: interaction.command ?? '', user },
    }
  }

  #metadata(interaction: Interaction): APIMessageInteractionMetadata | undefined {
    const user = this.#world.users.get(interaction.userId)
    if (user === undefined) return undefined
    const owner = this.#world.room(interaction.channelId).guildId ?? '0'
    const base = { id: interaction.id, user, authorizing_integration_owners: { 0: owner } }
    const command = { ...base, type: InteractionType.ApplicationCommand } as const
    if (interaction.source === undefined) return command
    return {
      ...base,
      type: InteractionType.MessageComponent,
      interacted_message_id: interaction.source.message.id,
    }
  }
}

function readChoices(
  interaction: Interaction,
  data: unknown,
  form: Form,
): { name: string; value: string | number }[] {
  const fields = form.fields(data, 'data') ?? {}
  const choices = form.list(fields.choices, 'data.choices', 0, 25)
  checkChoices(choices, interaction.optionType, 'data.choices', form)
  form.done()
  return choices.flatMap((choice) => {
    const each = form.fields(choice, 'data.choices')
    const value = each?.value
    const usable = typeof value === 'string' || typeof value === 'number'
    return usable ? [{ name: String(each?.name), value }] : []
  })
}
