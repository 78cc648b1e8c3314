import {
  type APIAttachment,
  type APIGuildMember,
  type APIMessage,
  type APIMessageTopLevelComponent,
  type APISectionAccessoryComponent,
  type APIUnfurledMediaItem,
  type APIUser,
  GatewayIntentBits,
  MessageFlags,
  MessageType,
} from 'discord-api-types/v10'
import { gavel } from './cast.ts'
import { unknownMessage } from './check/form.ts'
import { type Before, type Draft, type Pings, pingsOf, textOf } from './check/message.ts'
import type { Held, Room, World } from './world.ts'

/** What a message has beside its draft: the interaction it answers, its type, who sees it. */
export type Extras = Partial<
  Pick<
    APIMessage,
    | 'application_id'
    | 'flags'
    | 'interaction'
    | 'interaction_metadata'
    | 'message_reference'
    | 'type'
    | 'webhook_id'
  >
> & { viewer?: string | undefined }

// "The past few minutes", says the documentation of enforce_nonce.
const nonceLifetimeMs = 5 * 60_000
// More than a bot can write in that time.
const keptNonces = 20_000

/** Creates, edits and deletes messages, works out their pings, and tells the bot and the viewers. */
export class Messages {
  readonly #world: World
  readonly #nonces = new Map<string, { at: number; held: Held }>()

  constructor(world: World) {
    this.#world = world
  }

  find(room: Room, messageId: string): Held {
    const held = room.messages.get(messageId)
    if (held === undefined) throw unknownMessage()
    return held
  }

  create(room: Room, author: APIUser, draft: Draft, extras: Extras = {}): Held {
    const repeated = this.#repeated(room, draft)
    if (repeated !== undefined) {
      this.#world.tally.repeated++
      return repeated
    }
    const world = this.#world
    const { viewer, ...shown } = extras
    const attachments = this.#upload(room, draft)
    const flags = (draft.flags ?? 0) | (extras.flags ?? 0)
    const message: APIMessage = {
      id: world.ids.next(),
      channel_id: room.channel.id,
      author,
      content: draft.content ?? '',
      timestamp: world.iso(),
      edited_timestamp: null,
      tts: false,
      attachments: [...attachments.values()],
      embeds: draft.embeds ?? [],
      components: settleComponents(draft.components ?? [], attachments),
      pinned: false,
      mentions: [],
      mention_roles: [],
      mention_everyone: false,
      type: draft.replyTo === undefined ? MessageType.Default : MessageType.Reply,
      ...(draft.nonce === undefined ? {} : { nonce: draft.nonce }),
      ...this.#reference(room, draft.replyTo),
      ...shown,
      flags,
    }
    Object.assign(message, this.#pings(message, draft.allowed, viewer))
    const held: Held = { message, viewer }
    world.keep(room, held)
    if (author.id === gavel.id) world.tally.countSent(room.channel.id)
    if (draft.enforceNonce && draft.nonce !== undefined)
      this.#remember(`${room.channel.id}:${draft.nonce}`, held)
    this.#tell('MESSAGE_CREATE', room, held)
    return held
  }

  /** Applies an edit. Filling a deferred answer is not marked as edited, as on Discord. */
  edit(room: Room, held: Held, draft: Draft): Held {
    const before = held.message
    const loading = ((before.flags ?? 0) & MessageFlags.Loading) !== 0
    const known = before.attachments.filter((each) => draft.keep?.includes(each.id) ?? true)
    const added = this.#upload(room, draft)
    const names = new Map([...known.map((each) => [each.filename, each] as const), ...added])
    const sticky = MessageFlags.Ephemeral | MessageFlags.IsComponentsV2
    const kept = (before.flags ?? 0) & ~MessageFlags.Loading
    const flags = draft.flags === undefined ? kept : (kept & sticky) | draft.flags
    const message: APIMessage = {
      ...before,
      content: draft.content ?? before.content,
      embeds: draft.embeds ?? before.embeds,
      attachments: [...known, ...added.values()],
      edited_timestamp: loading ? null : this.#world.iso(),
      flags,
      ...(draft.components ? { components: settleComponents(draft.components, names) } : {}),
    }
    Object.assign(message, this.#pings(message, draft.allowed, held.viewer))
    held.message = message
    this.#world.tally.edited++
    this.#tell('MESSAGE_UPDATE', room, held)
    return held
  }

  remove(room: Room, held: Held): void {
    room.messages.delete(held.message.id)
    const { guildId } = room
    const json = JSON.stringify({
      id: held.message.id,
      channel_id: room.channel.id,
      ...(guildId === undefined || held.viewer !== undefined ? {} : { guild_id: guildId }),
    })
    this.#emit('MESSAGE_DELETE', room, held, () => json)
  }

  #remember(nonce: string, held: Held): void {
    this.#nonces.delete(nonce)
    this.#nonces.set(nonce, { at: this.#world.now(), held })
    const oldest = this.#nonces.size > keptNonces ? this.#nonces.keys().next().value : undefined
    if (oldest !== undefined) this.#nonces.delete(oldest)
  }

  #repeated(room: Room, draft: Draft): Held | undefined {
    if (!draft.enforceNonce || draft.nonce === undefined) return undefined
    const known = this.#nonces.get(`${room.channel.id}:${draft.nonce}`)
    const fresh = known !== undefined && this.#world.now() - known.at < nonceLifetimeMs
    return fresh ? known.held : undefined
  }

  #upload(room: Room, draft: Draft): Map<string, APIAttachment> {
    return new Map(
      draft.files.map((file) => [file.name, this.#world.files.add(room.channel.id, file)]),
    )
  }

  #reference(room: Room, replyTo: string | undefined): Extras {
    if (replyTo === undefined) return {}
    return { message_reference: { type: 0, message_id: replyTo, channel_id: room.channel.id } }
  }

  #pings(
    message: APIMessage,
    allowed: Draft['allowed'],
    viewer: string | undefined,
  ): Pick<APIMessage, 'mentions' | 'mention_roles' | 'mention_everyone'> {
    const text = `${message.content}\n${textOf(message.components ?? [])}`
    const pings: Pings = pingsOf(text, allowed)
    const users = pings.users.flatMap((id) => this.#world.users.get(id) ?? [])
    return {
      mentions: users,
      mention_roles: pings.roles.filter((id) => this.#world.roles.some((role) => role.id === id)),
      mention_everyone: pings.everyone && viewer === undefined,
    }
  }

  #tell(name: string, room: Room, held: Held): void {
    const { message, viewer } = held
    const inGuild = room.guildId !== undefined && viewer === undefined
    const shown = inGuild
      ? {
          ...message,
          guild_id: room.guildId,
          member: bare(this.#world.members.get(message.author.id)),
        }
      : { ...message, channel_type: 1 }
    this.#emit(name, room, held, (redacted) =>
      JSON.stringify(redacted && inGuild ? redact(shown) : shown),
    )
  }

  // An ephemeral message reaches the bot as if it were a private one (Gateway Events, Message Create).
  #emit(name: string, room: Room, held: Held, json: (redacted: boolean) => string): void {
    const direct = room.guildId === undefined || held.viewer !== undefined
    this.#world.events.emit('dispatch', {
      name,
      guildId: room.guildId,
      intents: direct ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages,
      json,
    })
    this.#world.events.emit('change', room.channel.id)
  }
}

/** The state of a message that an edit is checked against. */
export function beforeEdit(message: APIMessage): Before {
  return {
    flags: message.flags ?? 0,
    content: message.content,
    embeds: message.embeds.length,
    attachments: message.attachments,
  }
}

function bare(member: APIGuildMember | undefined): Omit<APIGuildMember, 'user'> | undefined {
  if (member === undefined) return undefined
  const { user: _, ...rest } = member
  return rest
}

/** A guild message as an app without the MessageContent intent gets it: only its own and mentions are whole. */
export function redact<M extends APIMessage>(message: M): M {
  const own = message.author.id === gavel.id
  if (own || message.mentions.some((user) => user.id === gavel.id)) return message
  return { ...message, content: '', embeds: [], attachments: [], components: [] }
}

/** Uploaded files by the name that components refer to them by. */
type Uploaded = ReadonlyMap<string, APIAttachment>

/**
 * Checked components as Discord stores them: each with an id, `attachment://` replaced by where the
 * file is served. The request's own objects stay as they are.
 */
function settleComponents(
  components: readonly APIMessageTopLevelComponent[],
  uploaded: Uploaded,
): APIMessageTopLevelComponent[] {
  const settler = new Settler(uploaded)
  for (const component of components) settler.reserve(component)
  return components.map((component) => settler.top(component))
}

interface Node {
  id?: number | undefined
  components?: readonly Node[]
  accessory?: Node
}

class Settler {
  readonly #uploaded: Uploaded
  readonly #taken = new Set<number>()
  #last = 0

  constructor(uploaded: Uploaded) {
    this.#uploaded = uploaded
  }

  reserve(node: Node): void {
    if (node.id !== undefined && node.id !== 0) this.#taken.add(node.id)
    if (node.accessory !== undefined) this.reserve(node.accessory)
    for (const inner of node.components ?? []) this.reserve(inner)
  }

  top(component: APIMessageTopLevelComponent): APIMessageTopLevelComponent {
    const id = this.#id(component)
    switch (component.type) {
      case 1:
        return {
          ...component,
          id,
          components: component.components.map((each) => this.#leaf(each)),
        }
      case 9:
        return {
          ...component,
          id,
          components: component.components.map((each) => this.#leaf(each)),
          accessory: this.#accessory(component.accessory),
        }
      case 12:
        return {
          ...component,
          id,
          items: component.items.map((item) => ({ ...item, media: this.#media(item.media) })),
        }
      case 13: {
        const file = this.#media(component.file)
        const known = this.#attachment(component.file.url)
        return { ...component, id, file, ...(known && { name: known.filename, size: known.size }) }
      }
      case 17:
        return {
          ...component,
          id,
          components: component.components.map((each) => this.#inner(each)),
        }
      default:
        return { ...component, id }
    }
  }

  #inner<T extends APIMessageTopLevelComponent>(component: T): T {
    return { ...component, ...this.top(component) }
  }

  #accessory(accessory: APISectionAccessoryComponent): APISectionAccessoryComponent {
    const id = this.#id(accessory)
    return accessory.type === 11
      ? { ...accessory, id, media: this.#media(accessory.media) }
      : { ...accessory, id }
  }

  #leaf<T extends Node>(node: T): T {
    return { ...node, id: this.#id(node) }
  }

  #id(node: Node): number {
    if (node.id !== undefined && node.id !== 0) return node.id
    do this.#last++
    while (this.#taken.has(this.#last))
    return this.#last
  }

  #attachment(url: string): APIAttachment | undefined {
    const scheme = 'attachment://'
    return url.startsWith(scheme) ? this.#uploaded.get(url.slice(scheme.length)) : undefined
  }

  #media(media: APIUnfurledMediaItem): APIUnfurledMediaItem {
    const known = this.#attachment(media.url)
    if (known === undefined) return { ...media, proxy_url: media.url }
    return {
      ...media,
      url: known.url,
      proxy_url: known.proxy_url,
      attachment_id: known.id,
      ...(known.content_type === undefined ? {} : { content_type: known.content_type }),
    }
  }
}
