import {
  ApplicationIntegrationType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  MessageFlags,
} from 'discord.js'
import { z } from 'zod'
import { type Locale, localeFor } from '../core/catalogue.ts'
import { fileTooBig, type IncomingFile } from '../core/conversation.ts'
import { t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { Transport } from './transport.ts'

/** Identifies an interaction to Discord. */
export interface InteractionToken {
  /** Unique and increasing. */
  id: string
  token: string
  applicationId: string
}

/** The user who caused an interaction, and the chat. */
export interface BaseInteraction extends InteractionToken {
  user: string
  /** The channel; the user's id if Discord names none, as for the private chat with the bot. */
  chat: string
  /** In the private chat with the bot. */
  isPrivate: boolean
  /** The bot is no member there: the user added it for themselves, and uses it in a server or with other people. */
  isGuest: boolean
  /** The language that the user has chosen for Discord. */
  locale: Locale
}

/** A file that a person sent. */
export interface SentFile {
  name: string
  size: number
  url: string
}

/** A message whose control was used. */
interface UsedMessage {
  /** It is ephemeral. */
  ephemeral: boolean
  /** The user whom it answers; undefined if it answers nobody. */
  invoker: string | undefined
  /** The interaction whose answer it was at first; the message itself if it answers none. */
  origin: string | undefined
}

type Option = z.output<typeof optionSchema>

export interface CommandUse extends BaseInteraction {
  kind: 'command'
  name: string
  options: readonly Option[]
}

export interface Typing extends BaseInteraction {
  kind: 'autocomplete'
  name: string
  option: string
  typed: string
}

export interface Press extends BaseInteraction {
  kind: 'component'
  /** The id of the button, or the value of the chosen option. */
  chosen: string
  message: UsedMessage
}

export interface FilledForm extends BaseInteraction {
  kind: 'form'
  form: string
  /** Number of fields of all kinds. */
  fields: number
  texts: readonly (readonly [id: string, value: string])[]
  files: readonly SentFile[]
  /** The message whose control opened the form. */
  message: UsedMessage | undefined
}

/** A person's use of a command, control or form. */
export type Interaction = CommandUse | Typing | Press | FilledForm

/** A message that somebody wrote. */
export interface WrittenMessage {
  id: string
  chat: string
  author: string
  isBot: boolean
  isPrivate: boolean
  content: string
  files: readonly SentFile[]
}

const id = z.string().regex(/^\d{1,20}$/u)
const person = z.object({ id })

const optionSchema = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().optional(),
})
const optionsSchema = z.array(optionSchema).default([])
const commandSchema = z
  .object({ type: z.literal(1).default(1), name: z.string(), options: optionsSchema })
  .transform(({ name, options }) => ({ name, options }))

const attachmentSchema = z
  .object({ filename: z.string(), size: z.number(), url: z.string() })
  .transform(({ filename: name, ...file }): SentFile => ({ name, ...file }))

const pressSchema = z.object({
  custom_id: z.string(),
  component_type: z.number(),
  values: z.array(z.string()).default([]),
})

const fieldSchema = z.object({
  type: z.number(),
  custom_id: z.string(),
  value: z.string().optional(),
  values: z.array(z.string()).default([]),
})
/** A field is in a label, or in a row with others. */
const formSchema = z.object({
  custom_id: z.string(),
  components: z
    .array(
      z.union([
        z.object({ component: fieldSchema }).transform(({ component }) => [component]),
        z.object({ components: z.array(fieldSchema) }).transform(({ components }) => components),
        z.object({ type: z.number() }).transform(() => []),
      ]),
    )
    .transform((rows) => rows.flat()),
  resolved: z
    .object({ attachments: z.record(z.string(), attachmentSchema).default({}) })
    .default({ attachments: {} }),
})

const usedSchema = z
  .object({
    id: id.optional(),
    flags: z.number().default(0),
    interaction_metadata: z.object({ id: id.optional(), user: person }).nullish(),
  })
  .transform(
    ({ id, flags, interaction_metadata: metadata }): UsedMessage => ({
      ephemeral: (flags & MessageFlags.Ephemeral) !== 0,
      invoker: metadata?.user.id,
      origin: metadata?.id ?? id,
    }),
  )

const interactionSchema = z
  .object({
    id,
    token: z.string().min(1),
    application_id: id,
    type: z.number(),
    data: z.unknown(),
    guild_id: id.nullish(),
    channel_id: id.nullish(),
    context: z.number().nullish(),
    authorizing_integration_owners: z.record(z.string(), z.unknown()).nullish(),
    member: z.object({ user: person }).nullish(),
    user: person.nullish(),
    locale: z.string().nullish(),
    message: usedSchema.nullish(),
  })
  .transform(({ id, token, application_id, type, data, ...where }, context) => {
    const person = where.member?.user.id ?? where.user?.id
    if (person === undefined) {
      context.addIssue({ code: 'custom', message: 'nobody did it' })
      return z.NEVER
    }
    const isInServer = (where.guild_id ?? null) !== null
    const isAmongOthers = where.context === InteractionContextType.PrivateChannel
    const owners = where.authorizing_integration_owners
    const isServersOwn = !owners || String(ApplicationIntegrationType.GuildInstall) in owners
    const base: BaseInteraction = {
      id,
      token,
      applicationId: application_id,
      user: person,
      chat: where.channel_id ?? person,
      isPrivate: !isInServer && !isAmongOthers,
      isGuest: isAmongOthers || (isInServer && !isServersOwn),
      locale: localeFor(where.locale ?? undefined),
    }
    return { base, type, data, message: where.message ?? undefined }
  })

type Envelope = z.output<typeof interactionSchema>

/** Parses an interaction from the gateway or the endpoint; undefined if it is of no kind that the bot handles. */
export function readInteraction(payload: unknown): Interaction | undefined {
  const { data: envelope } = interactionSchema.safeParse(payload)
  return envelope && readers[envelope.type]?.(envelope)
}

const readers: Readonly<Record<number, (envelope: Envelope) => Interaction | undefined>> = {
  [InteractionType.ApplicationCommand]: ({ base, data }) => {
    const { data: command } = commandSchema.safeParse(data)
    return command && { ...base, kind: 'command', ...command }
  },
  [InteractionType.ApplicationCommandAutocomplete]: ({ base, data }) => {
    const { data: command } = commandSchema.safeParse(data)
    const focused = command?.options.find((option) => option.focused)
    if (!command || !focused) return undefined
    const typed = String(focused.value ?? '')
    return { ...base, kind: 'autocomplete', name: command.name, option: focused.name, typed }
  },
  [InteractionType.MessageComponent]: ({ base, data, message }) => {
    const { data: press } = pressSchema.safeParse(data)
    if (!press || !message) return undefined
    const isSelect = press.component_type === ComponentType.StringSelect
    const chosen = isSelect ? (press.values[0] ?? '') : press.custom_id
    return { ...base, kind: 'component', chosen, message }
  },
  [InteractionType.ModalSubmit]: ({ base, data, message }) => {
    const { data: filled } = formSchema.safeParse(data)
    if (!filled) return undefined
    const { custom_id: form, components, resolved } = filled
    const texts = components
      .filter(({ type }) => type === ComponentType.TextInput)
      .map((field) => [field.custom_id, field.value ?? ''] as const)
    const files = components
      .filter(({ type }) => type === ComponentType.FileUpload)
      .flatMap(({ values }) => values.flatMap((each) => resolved.attachments[each] ?? []))
    return { ...base, kind: 'form', form, fields: components.length, texts, files, message }
  },
}

const messageSchema = z
  .object({
    id,
    channel_id: id,
    guild_id: id.nullish(),
    author: z.object({ id, bot: z.boolean().default(false) }),
    content: z.string().default(''),
    attachments: z.array(attachmentSchema).default([]),
  })
  .transform(
    ({ id, channel_id: chat, guild_id: guild, author, content, attachments }): WrittenMessage => ({
      id,
      chat,
      author: author.id,
      isBot: author.bot,
      isPrivate: (guild ?? null) === null,
      content,
      files: attachments,
    }),
  )

/** Parses a message from the gateway; undefined if it is none. */
export function readWritten(payload: unknown): WrittenMessage | undefined {
  return messageSchema.safeParse(payload).data
}

const cdnOrigins = ['https://cdn.discordapp.com', 'https://media.discordapp.net']
const discord = 'https://discord.com'

/** Files that people sent; they are read only from Discord's own CDN. */
export function incomingFiles(
  sent: Iterable<SentFile>,
  apiRoot: string,
  transport: Transport,
): IncomingFile[] {
  const { origin } = new URL(apiRoot)
  // A stand-in for Discord, such as the sandbox, serves the files too.
  const trusted = origin === discord ? cdnOrigins : [...cdnOrigins, origin]
  return Array.from(sent, ({ name, size, url }) => ({
    name,
    size,
    read: async (maxBytes) => {
      if (size > maxBytes) throw fileTooBig(maxBytes)
      if (!URL.canParse(url) || !trusted.includes(new URL(url).origin)) throw unavailable()
      const bytes = await transport.download(url, maxBytes).catch((cause) => {
        throw unavailable(cause)
      })
      if (bytes === undefined) throw fileTooBig(maxBytes)
      return bytes
    },
  }))
}

function unavailable(cause?: unknown): UserError {
  return new UserError(t('file-not-given', { platform: 'Discord' }), { cause })
}
