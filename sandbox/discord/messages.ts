import {
  type APIAttachment,
  type APIGuildMember,
  type APIMessage,
  type APIMessageTopLevelComponent,
  type APIUser,
  ComponentType,
  GatewayIntentBits,
  MessageFlags,
  MessageType,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import { gavel } from './cast.ts'
import { attachmentName, type Draft, isComponent, objectsIn, pingsOf, textsOf } from './checks.ts'
import type { Chat, Held, World } from './world.ts'

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

  readonly #nextId = () => this.#world.ids.next()

  create(chat: Chat, author: APIUser, draft: Draft, extras: Extras = {}): Held {
    const repeated = this.#repeated(chat, draft)
    if (repeated !== undefined) {
      this.#world.tally.repeated++
      return repeated
    }
    const world = this.#world
    const { viewer, ...shown } = extras
    const attachments = this.#upload(chat, draft)
    const flags = (draft.flags ?? 0) | (extras.flags ?? 0)
    const message: APIMessage = {
      id: world.ids.next(),
      channel_id: chat.channel.id,
      author,
      content: draft.content ?? '',
      timestamp: world.iso(),
      edited_timestamp: null,
      tts: false,
      attachments: [...attachments.values()],
      embeds: [],
      components: settleComponents(draft.components ?? [], attachments, this.#nextId),
      pinned: false,
      mentions: [],
      mention_roles: [],
      mention_everyone: false,
      type: draft.replyTo === undefined ? MessageType.Default : MessageType.Reply,
      ...(draft.nonce === undefined ? {} : { nonce: draft.nonce }),
      ...this.#reference(chat, draft.replyTo),
      ...shown,
      flags,
    }
    Object.assign(message, this.#pings(message, draft.allowed, viewer))
    const held: Held = { message, viewer }
    world.keep(chat, held)
    if (author.id === gavel.id) world.tally.countSent(chat.channel.id)
    if (draft.enforceNonce && draft.nonce !== undefined)
      this.#remember(`${chat.channel.id}:${draft.nonce}`, held)
    this.#tell('MESSAGE_CREATE', chat, held)
    return held
  }

  /** Applies an edit. Filling a deferred answer is not marked as edited, as on Discord. */
  edit(chat: Chat, held: Held, draft: Draft): Held {
    const before = held.message
    const loading = ((before.flags ?? 0) & MessageFlags.Loading) !== 0
    const known = before.attachments.filter((each) => draft.keep?.includes(each.id) ?? true)
    const added = this.#upload(chat, draft)
    const names = new Map([...known.map((each) => [each.filename, each] as const), ...added])
    const sticky = MessageFlags.Ephemeral | MessageFlags.IsComponentsV2
    const kept = (before.flags ?? 0) & ~MessageFlags.Loading
    const flags = draft.flags === undefined ? kept : (kept & sticky) | draft.flags
    const message: APIMessage = {
      ...before,
      content: draft.content ?? before.content,
      attachments: [...known, ...added.values()],
      edited_timestamp: loading ? null : this.#world.iso(),
      flags,
      ...(draft.components
        ? { components: settleComponents(draft.components, names, this.#nextId) }
        : {}),
    }
    Object.assign(message, this.#pings(message, draft.allowed, held.viewer))
    held.message = message
    this.#tell('MESSAGE_UPDATE', chat, held)
    return held
  }

  remove(chat: Chat, held: Held): void {
    chat.messages.delete(held.message.id)
    const { guildId } = chat
    const json = JSON.stringify({
      id: held.message.id,
      channel_id: chat.channel.id,
      ...(guildId === undefined || held.viewer !== undefined ? {} : { guild_id: guildId }),
    })
    this.#emit('MESSAGE_DELETE', chat, held, () => json)
  }

  #remember(nonce: string, held: Held): void {
    this.#nonces.delete(nonce)
    this.#nonces.set(nonce, { at: this.#world.now(), held })
    const oldest = this.#nonces.size > keptNonces ? this.#nonces.keys().next().value : undefined
    if (oldest !== undefined) this.#nonces.delete(oldest)
  }

  #repeated(chat: Chat, draft: Draft): Held | undefined {
    if (!draft.enforceNonce || draft.nonce === undefined) return undefined
    const known = this.#nonces.get(`${chat.channel.id}:${draft.nonce}`)
    const fresh = known !== undefined && this.#world.now() - known.at < nonceLifetimeMs
    return fresh ? known.held : undefined
  }

  #upload(chat: Chat, draft: Draft): Map<string, APIAttachment> {
    return new Map(
      draft.files.map((file) => [file.name, this.#world.files.add(chat.channel.id, file)]),
    )
  }

  #reference(chat: Chat, replyTo: string | undefined): Extras {
    if (replyTo === undefined) return {}
    return { message_reference: { type: 0, message_id: replyTo, channel_id: chat.channel.id } }
  }

  #pings(
    message: APIMessage,
    allowed: Draft['allowed'],
    viewer: string | undefined,
  ): Pick<APIMessage, 'mentions' | 'mention_roles' | 'mention_everyone'> {
    const pings = pingsOf([message.content, ...textsOf(message.components)].join('\n'), allowed)
    const users = pings.users.flatMap((id) => this.#world.users.get(id) ?? [])
    const { author, channel_id } = message
    // Roles that not anyone may mention, and everyone, take a permission.
    const may = this.#world.permissions(author.id, channel_id) & PermissionFlagsBits.MentionEveryone
    const roles = this.#world.roles.filter(({ mentionable }) => mentionable || may !== 0n)
    return {
      mentions: users,
      mention_roles: pings.roles.filter((id) => roles.some((role) => role.id === id)),
      mention_everyone: pings.everyone && viewer === undefined && may !== 0n,
    }
  }

  #tell(name: string, chat: Chat, held: Held): void {
    const { message, viewer } = held
    const inGuild = chat.guildId !== undefined && viewer === undefined
    const shown = inGuild
      ? {
          ...message,
          guild_id: chat.guildId,
          member: bare(this.#world.members.get(message.author.id)),
        }
      : { ...message, channel_type: 1 }
    this.#emit(name, chat, held, (redacted) =>
      JSON.stringify(redacted && inGuild ? redact(shown) : shown),
    )
  }

  // An ephemeral message reaches the bot as if it were a private one (Gateway Events, Message Create).
  #emit(name: string, chat: Chat, held: Held, json: (redacted: boolean) => string): void {
    const direct = chat.guildId === undefined || held.viewer !== undefined
    this.#world.events.emit('dispatch', {
      name,
      guildId: chat.guildId,
      intents: direct ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages,
      json,
    })
    this.#world.events.emit('change', chat.channel.id)
  }
}

function bare(member: APIGuildMember | undefined): Omit<APIGuildMember, 'user'> | undefined {
  if (member === undefined) return undefined
  const { user: _, ...rest } = member
  return rest
}

/** A guild message as an app without the MessageContent intent gets it: only its own and mentions are whole. */
function redact<M extends APIMessage>(message: M): M {
  const own = message.author.id === gavel.id
  if (own || message.mentions.some((user) => user.id === gavel.id)) return message
  return { ...message, content: '', embeds: [], attachments: [], components: [] }
}

/** Uploaded files by the name that components refer to them by. */
type Uploaded = ReadonlyMap<string, APIAttachment>

/** What Discord says of a component for which nothing was said, by its type. */
const defaults: Readonly<Record<string, object>> = {
  [ComponentType.StringSelect]: { min_values: 1, max_values: 1 },
  [ComponentType.Container]: { accent_color: null, spoiler: false },
  [ComponentType.Thumbnail]: { description: null, spoiler: false },
  [ComponentType.File]: { name: null, size: null, spoiler: false },
}
/** The same of a picture of a gallery, which has no type. */
const itemDefaults = { description: null, spoiler: false }

/**
 * Checked components as Discord stores them: each with an id and all its fields, `attachment://` replaced by where the
 * file is served.
 */
function settleComponents(
  components: APIMessageTopLevelComponent[],
  uploaded: Uploaded,
  nextId: () => string,
): APIMessageTopLevelComponent[] {
  const parts = objectsIn(components).map(([fields]) => fields)
  number(parts.filter(isComponent))
  for (const part of parts) {
    complete(part, defaults[String(part.type)] ?? ('media' in part ? itemDefaults : {}))
    const media = Object(part.media ?? part.file)
    if (typeof media.url !== 'string') continue
    const file = uploaded.get(attachmentName(media.url) ?? '')
    Object.assign(media, { id: nextId() }, file ? located(file) : { proxy_url: media.url })
    if (file && 'file' in part) Object.assign(part, { name: file.filename, size: file.size })
  }
  return components
}

/** Gives an id to each component that has none. */
function number(components: Record<string, unknown>[]): void {
  const taken = new Set(components.map(({ id }) => id))
  let last = 0
  for (const component of components) {
    if (component.id) continue
    do last++
    while (taken.has(last))
    component.id = last
  }
}

/** Adds the fields that are missing. */
function complete(part: Record<string, unknown>, fields: object): void {
  for (const [name, value] of Object.entries(fields)) part[name] ??= value
}

const located = ({ id, url, proxy_url, content_type }: APIAttachment) => ({
  url,
  proxy_url,
  attachment_id: id,
  ...(content_type === undefined ? {} : { content_type }),
})
