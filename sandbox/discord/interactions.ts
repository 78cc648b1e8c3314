import {
  ApplicationCommandAutocompleteCallbackRequestSchema,
  CreateMessageInteractionCallbackRequestSchema,
  IncomingWebhookRequestPartialSchema,
  IncomingWebhookUpdateRequestPartialSchema,
  ModalInteractionCallbackRequestSchema,
  UpdateMessageInteractionCallbackRequestSchema,
} from 'discord-api-spec/zod'
import {
  type APIApplicationCommandOptionChoice,
  type APIMessageInteractionMetadata,
  type APIModalInteractionResponseCallbackData,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageType,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { gavel } from './cast.ts'
import {
  checkChoices,
  checkMessage,
  checkModal,
  type Draft,
  draftOf,
  type Upload,
} from './checks.ts'
import type { Extras, Messages } from './messages.ts'
import {
  alreadyAcknowledged,
  emptyMessage,
  invalidWebhookToken,
  unknownInteraction,
  unknownMessage,
  unknownWebhook,
} from './refusals.ts'
import { choices, conform, invalid } from './schemas.ts'
import type { Held, World } from './world.ts'

/** How the bot took up an interaction. */
export type Acknowledgement =
  | { kind: 'message'; held: Held }
  | { kind: 'thinking'; held: Held }
  | { kind: 'update'; held: Held }
  | { kind: 'pending-update' }
  | { kind: 'choices'; choices: APIApplicationCommandOptionChoice[] }
  | { kind: 'modal'; modal: APIModalInteractionResponseCallbackData }

/** Who waits for an interaction: told of the acknowledgement, then of each message shown for it. */
export interface Watcher {
  acknowledged(how: Acknowledgement, interaction: Interaction): void
  shown(held: Held): void
}

/** One use of a command, component or modal, from the person's act to the death of its token. */
export interface Interaction {
  readonly id: string
  readonly token: string
  readonly type: InteractionType
  readonly at: number
  readonly userId: string
  readonly channelId: string
  /** Full name of the command, for "Ada used /asset". */
  readonly command: string | undefined
  /** Type of the focused option, for an autocomplete. */
  readonly optionType: number | undefined
  /** The message whose component was used, also through a modal. */
  readonly source: Held | undefined
  readonly watcher: Watcher | undefined
  acknowledged: Acknowledgement['kind'] | undefined
  /** The message that `@original` stands for; by id, since channels forget old messages. */
  originalId: string | undefined
}

/** What a person did, before Discord makes an interaction of it. */
export interface Act {
  type: InteractionType
  userId: string
  channelId: string
  /** JSON of the interaction's `data`. */
  data: string
  command?: string | undefined
  optionType?: number | undefined
  source?: Held | undefined
  watcher?: Watcher | undefined
}

const tokenMs = 15 * 60_000
// Far more than are alive at a time, little enough to hold during a benchmark.
const keptInteractions = 20_000
const attachmentLimit = 10 * 1024 * 1024

/** Opens interactions, sends them to the bot, and knows which tokens still live. */
export class Interactions {
  /** How soon the bot must have taken up an interaction. */
  answerMs = 3_000
  readonly #world: World
  readonly #open = new Map<string, Interaction>()
  readonly #envelopes = new Map<string, string>()
  #envelopesOf = -1

  constructor(world: World) {
    this.#world = world
  }

  open(act: Act): Interaction {
    const id = this.#world.ids.next()
    const interaction: Interaction = {
      id,
      token: `${id}-${Math.random().toString(36).slice(2)}`,
      type: act.type,
      at: this.#world.now(),
      userId: act.userId,
      channelId: act.channelId,
      command: act.command,
      optionType: act.optionType,
      source: act.source,
      watcher: act.watcher,
      acknowledged: undefined,
      originalId: undefined,
    }
    this.#open.set(id, interaction)
    this.#forgetOldest()
    const message =
      act.source === undefined ? '' : `"message":${JSON.stringify(act.source.message)},`
    const envelope = this.#envelope(act.userId, act.channelId)
    const json = `{"id":"${id}","token":"${interaction.token}","type":${act.type},"data":${act.data},${message}${envelope}}`
    this.#send(interaction, json)
    return interaction
  }

  /** Nothing to the gateway, if the application has them sent to an address: the person reads that it did not respond. */
  #send({ channelId }: Interaction, json: string): void {
    if (this.#world.endpointUrl !== null) return
    const { guildId } = this.#world.chat(channelId)
    const event = { name: 'INTERACTION_CREATE', guildId, intents: 0, json: () => json }
    this.#world.events.emit('dispatch', event)
  }

  /** For the callback: refuses an unknown id, a wrong token, and the first answer after 3 s. */
  toAcknowledge(id: string, token: string): Interaction {
    const found = this.#open.get(id)
    if (found === undefined || found.token !== token) throw unknownInteraction()
    const late = this.#world.now() - found.at > this.answerMs
    if (late && found.acknowledged === undefined) throw unknownInteraction()
    return found
  }

  /** For the webhook of an interaction: its token lives for 15 minutes, once it was acknowledged. */
  byToken(applicationId: string, token: string): Interaction {
    if (applicationId !== gavel.id) throw unknownWebhook()
    const found = this.#open.get(token.split('-', 1)[0] ?? '')
    if (found === undefined || found.token !== token) throw invalidWebhookToken()
    if (this.#world.now() - found.at > tokenMs) throw invalidWebhookToken()
    if (
      found.acknowledged === undefined ||
      found.type === InteractionType.ApplicationCommandAutocomplete
    )
      throw unknownWebhook()
    return found
  }

  #forgetOldest(): void {
    if (this.#open.size <= keptInteractions) return
    const oldest = this.#open.keys().next().value
    if (oldest !== undefined) this.#open.delete(oldest)
  }

  // The part of the payload that is the same for each act of a person in a place, kept as JSON.
  #envelope(userId: string, channelId: string): string {
    if (this.#envelopesOf !== this.#world.revision) {
      this.#envelopes.clear()
      this.#envelopesOf = this.#world.revision
    }
    const key = `${userId}:${channelId}`
    const known = this.#envelopes.get(key)
    if (known !== undefined) return known
    const fresh = JSON.stringify(this.#shared(userId, channelId)).slice(1, -1)
    this.#envelopes.set(key, fresh)
    return fresh
  }

  #shared(userId: string, channelId: string): object {
    const world = this.#world
    const { channel, guildId } = world.chat(channelId)
    const member = world.members.get(userId)
    const common = {
      application_id: gavel.id,
      version: 1,
      channel_id: channelId,
      app_permissions: String(world.permissions(gavel.id, channelId)),
      locale: 'en-US',
      entitlements: [],
      attachment_size_limit: attachmentLimit,
      authorizing_integration_owners: world.owners(userId, channelId),
      context: world.contextOf(channelId),
    }
    if (guildId === undefined)
      return {
        ...common,
        user: world.users.get(userId),
        channel: { id: channelId, type: channel.type, recipients: [world.bot] },
      }
    const permissions = String(world.permissions(userId, channelId))
    const { last_message_id: _, ...partial } = channel
    return {
      ...common,
      guild_id: guildId,
      guild: { id: guildId, locale: world.guild.preferred_locale, features: [] },
      guild_locale: world.guild.preferred_locale,
      member: { ...member, permissions },
      channel: { ...partial, permissions },
    }
  }
}

const T = InteractionResponseType
const flagged = z.object({ flags: z.int().nullish() })

function callbackSchema(type: InteractionResponseType): z.core.$ZodType {
  switch (type) {
    case T.ApplicationCommandAutocompleteResult:
      return ApplicationCommandAutocompleteCallbackRequestSchema
    case T.Modal:
      return ModalInteractionCallbackRequestSchema
    case T.DeferredMessageUpdate:
    case T.UpdateMessage:
      return UpdateMessageInteractionCallbackRequestSchema
    default:
      return CreateMessageInteractionCallbackRequestSchema
  }
}

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
  first(interaction: Interaction, body: unknown, files: Upload[]): void {
    if (interaction.acknowledged !== undefined) throw alreadyAcknowledged()
    const allowed = allowedAnswers(interaction)
    const callback = z.object({ type: z.literal(allowed), data: z.unknown().optional() })
    const parsed = callback.safeParse(body)
    if (!parsed.success) throw invalid([[['type'], choices(allowed)]])
    const { type, data } = parsed.data
    conform(callbackSchema(type), body)
    const how = this.#acknowledge(interaction, type, data, files)
    interaction.acknowledged = how.kind
    if ('held' in how) interaction.originalId = how.held.message.id
    if (how.kind === 'pending-update') interaction.originalId = interaction.source?.message.id
    interaction.watcher?.acknowledged(how, interaction)
  }

  #acknowledge(
    interaction: Interaction,
    type: InteractionResponseType,
    data: unknown,
    files: Upload[],
  ): Acknowledgement {
    switch (type) {
      case T.DeferredChannelMessageWithSource:
        return { kind: 'thinking', held: this.#defer(interaction, data) }
      case T.DeferredMessageUpdate:
        return { kind: 'pending-update' }
      case T.UpdateMessage: {
        const source = interaction.source
        if (source === undefined) throw unknownMessage()
        const draft = draftOf(data, files, ['data'], source.message)
        return { kind: 'update', held: this.#change(interaction, source, draft) }
      }
      case T.ApplicationCommandAutocompleteResult:
        return { kind: 'choices', choices: checkChoices(data, interaction.optionType) }
      case T.Modal:
        return { kind: 'modal', modal: checkModal(data) }
      default: {
        if (data === undefined || data === null) throw emptyMessage()
        const draft = draftOf(data, files, ['data'])
        return {
          kind: 'message',
          held: this.#send(interaction, draft, this.#viewer(interaction, draft)),
        }
      }
    }
  }

  /** `@original`, or a follow-up of this interaction by its id. */
  #find(interaction: Interaction, messageId: string): Held {
    const held =
      messageId === '@original'
        ? this.#original(interaction)
        : this.#world.chat(interaction.channelId).messages.get(messageId)
    const own = messageId === '@original' || held?.message.webhook_id === gavel.id
    if (held === undefined || !own) throw unknownMessage()
    return held
  }

  #original(interaction: Interaction): Held | undefined {
    return this.#world.chat(interaction.channelId).messages.get(interaction.originalId ?? '')
  }

  edit(interaction: Interaction, messageId: string, body: unknown, files: Upload[]): Held {
    const before = this.#find(interaction, messageId)
    const schema = IncomingWebhookUpdateRequestPartialSchema
    const held = this.#change(
      interaction,
      before,
      checkMessage(schema, body, files, before.message),
    )
    interaction.watcher?.shown(held)
    return held
  }

  remove(interaction: Interaction, messageId: string): void {
    const held = this.#find(interaction, messageId)
    this.#messages.remove(this.#world.chat(interaction.channelId), held)
  }

  /** A follow-up; the first after a deferral fills the deferred answer instead, as on Discord. */
  followUp(interaction: Interaction, body: unknown, files: Upload[]): Held {
    const original = this.#original(interaction)
    const thinking = ((original?.message.flags ?? 0) & MessageFlags.Loading) !== 0
    if (thinking && interaction.acknowledged === 'thinking')
      return this.edit(interaction, '@original', body, files)
    const draft = checkMessage(IncomingWebhookRequestPartialSchema, body, files)
    const held = this.#send(interaction, draft, this.#viewer(interaction, draft), true)
    interaction.watcher?.shown(held)
    return held
  }

  // Of the flags, a deferral takes only the ephemeral one (discord-api-docs issue 7910).
  #defer(interaction: Interaction, data: unknown): Held {
    const asked = flagged.parse(data ?? {}).flags ?? 0
    const flags = MessageFlags.Loading | (asked & MessageFlags.Ephemeral)
    const draft: Draft = { flags, files: [] }
    return this.#send(interaction, draft, this.#viewer(interaction, draft))
  }

  #viewer(interaction: Interaction, draft: Draft): string | undefined {
    const ephemeral = ((draft.flags ?? 0) & MessageFlags.Ephemeral) !== 0
    return ephemeral ? interaction.userId : undefined
  }

  #send(interaction: Interaction, draft: Draft, viewer: string | undefined, later = false): Held {
    const chat = this.#world.chat(interaction.channelId)
    const extras = { ...this.#origin(interaction, later), viewer }
    return this.#messages.create(chat, this.#world.bot, draft, extras)
  }

  #change(interaction: Interaction, held: Held, draft: Draft): Held {
    return this.#messages.edit(this.#world.chat(interaction.channelId), held, draft)
  }

  #origin(interaction: Interaction, later: boolean): Extras {
    const common = { application_id: gavel.id, webhook_id: gavel.id }
    const metadata = this.#metadata(interaction)
    const reply = later ? this.#original(interaction) : interaction.source
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
    const { id, userId, channelId } = interaction
    const authorizing_integration_owners = this.#world.owners(userId, channelId)
    const base = { id, user, authorizing_integration_owners }
    const command = { ...base, type: InteractionType.ApplicationCommand } as const
    if (interaction.source === undefined) return command
    return {
      ...base,
      type: InteractionType.MessageComponent,
      interacted_message_id: interaction.source.message.id,
    }
  }
}
