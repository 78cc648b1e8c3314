import {
  type APIApplicationCommandOptionChoice,
  type APIModalInteractionResponseCallbackData,
  InteractionType,
} from 'discord-api-types/v10'
import { gavel } from './cast.ts'
import type { Endpoint } from './endpoint.ts'
import { invalidWebhookToken, unknownInteraction, unknownWebhook } from './refusal.ts'
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

/** How soon the bot must have taken up an interaction. */
export const answerMs = 3_000
const tokenMs = 15 * 60_000
// Far more than are alive at a time, little enough to hold during a benchmark.
const keptInteractions = 20_000
const attachmentLimit = 10 * 1024 * 1024

/** Opens interactions, sends them to the bot, and knows which tokens still live. */
export class Interactions {
  readonly #world: World
  readonly #endpoint: Endpoint
  readonly #open = new Map<string, Interaction>()
  readonly #envelopes = new Map<string, string>()
  #envelopesOf = -1

  constructor(world: World, endpoint: Endpoint) {
    this.#world = world
    this.#endpoint = endpoint
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
    this.#send(act.channelId, json)
    return interaction
  }

  /** One way or the other: with an address the gateway hears of none. */
  #send(channelId: string, json: string): void {
    if (this.#endpoint.url !== null) {
      this.#endpoint.deliver(json)
      return
    }
    const { guildId } = this.#world.room(channelId)
    const event = { name: 'INTERACTION_CREATE', guildId, intents: 0, json: () => json }
    this.#world.events.emit('dispatch', event)
  }

  /** For the callback: refuses an unknown id, a wrong token, and the first answer after 3 s. */
  toAcknowledge(id: string, token: string): Interaction {
    const found = this.#open.get(id)
    if (found === undefined || found.token !== token) throw unknownInteraction()
    const late = this.#world.now() - found.at > answerMs
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
    const { channel, guildId } = world.room(channelId)
    const member = world.members.get(userId)
    const common = {
      application_id: gavel.id,
      version: 1,
      channel_id: channelId,
      app_permissions: String(world.permissions(gavel.id, channelId)),
      locale: 'en-US',
      entitlements: [],
      attachment_size_limit: attachmentLimit,
    }
    if (guildId === undefined)
      return {
        ...common,
        user: world.users.get(userId),
        channel: { id: channelId, type: channel.type, recipients: [world.bot] },
        authorizing_integration_owners: { 0: '0' },
        context: 1,
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
      authorizing_integration_owners: { 0: guildId },
      context: 0,
    }
  }
}
