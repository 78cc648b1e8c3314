import { ComponentType, InteractionType, MessageFlags } from 'discord.js'
import { z } from 'zod'

/** What names an interaction to Discord. */
export interface Asked {
  /** It grows, and no two have the same. */
  id: string
  token: string
  applicationId: string
}

/** Who did something, and where. */
interface Act extends Asked {
  user: string
  /** The channel; where Discord names none, the person stands for the chat with the bot. */
  chat: string
  /** In the private chat with the bot. */
  isPrivate: boolean
}

/** What Discord says of a file that a person sent. */
export interface SentFile {
  name: string
  size: number
  url: string
}

/** The message that somebody used. */
export interface UsedMessage {
  /** Only one person sees it. */
  hidden: boolean
  /** Who asked for it; nobody did where the bot wrote unasked. */
  permissions: string | undefined
}

type Option = z.output<typeof optionSchema>

export interface CommandUse extends Act {
  kind: 'command'
  name: string
  options: readonly Option[]
}

export interface Typing extends Act {
  kind: 'autocomplete'
  name: string
  option: string
  typed: string
}

export interface Press extends Act {
  kind: 'component'
  /** The id of the button, or the value of what was chosen. */
  chosen: string
  message: UsedMessage
}

export interface FilledForm extends Act {
  kind: 'form'
  form: string
  /** As many as there are, of whatever kind. */
  fields: number
  texts: readonly (readonly [id: string, value: string])[]
  files: readonly SentFile[]
  /** Whose control opened the form. */
  message: UsedMessage | undefined
}

/** Something that a person did with the bot's commands, controls or forms. */
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
const commandSchema = z.object({
  type: z.literal(1).default(1),
  name: z.string(),
  options: z.array(optionSchema).default([]),
})

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
/** Fields stand alone under a label, or several in a row. */
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
    flags: z.number().default(0),
    interaction_metadata: z.object({ user: person }).nullish(),
  })
  .transform(
    ({ flags, interaction_metadata: metadata }): UsedMessage => ({
      hidden: (flags & MessageFlags.Ephemeral) !== 0,
      permissions: metadata?.user.id,
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
    member: z.object({ user: person }).nullish(),
    user: person.nullish(),
    message: usedSchema.nullish(),
  })
  .transform(({ id, token, application_id, type, data, ...where }, context) => {
    const person = where.member?.user.id ?? where.user?.id
    if (person === undefined) {
      context.addIssue({ code: 'custom', message: 'nobody did it' })
      return z.NEVER
    }
    const place = where.channel_id ?? person
    const isPrivate = (where.guild_id ?? null) === null
    const act: Act = {
      id,
      token,
      applicationId: application_id,
      user: person,
      chat: place,
      isPrivate,
    }
    return { act, type, data, message: where.message ?? undefined }
  })

type Envelope = z.output<typeof interactionSchema>

/** Reads an interaction as Discord sends it, whichever way; undefined where it is none that the bot knows. */
export function readInteraction(payload: unknown): Interaction | undefined {
  const { data: envelope } = interactionSchema.safeParse(payload)
  return envelope && readers[envelope.type]?.(envelope)
}

const readers: Readonly<Record<number, (envelope: Envelope) => Interaction | undefined>> = {
  [InteractionType.ApplicationCommand]: ({ act, data }) => {
    const { data: command } = commandSchema.safeParse(data)
    return command && { ...act, kind: 'command', name: command.name, options: command.options }
  },
  [InteractionType.ApplicationCommandAutocomplete]: ({ act, data }) => {
    const { data: command } = commandSchema.safeParse(data)
    const focused = command?.options.find((option) => option.focused)
    if (!command || !focused) return undefined
    const typed = String(focused.value ?? '')
    return { ...act, kind: 'autocomplete', name: command.name, option: focused.name, typed }
  },
  [InteractionType.MessageComponent]: ({ act, data, message }) => {
    const { data: press } = pressSchema.safeParse(data)
    if (!press || !message) return undefined
    const isSelect = press.component_type === ComponentType.StringSelect
    const chosen = isSelect ? (press.values[0] ?? '') : press.custom_id
    return { ...act, kind: 'component', chosen, message }
  },
  [InteractionType.ModalSubmit]: ({ act, data, message }) => {
    const { data: filled } = formSchema.safeParse(data)
    if (!filled) return undefined
    const { custom_id: form, components, resolved } = filled
    const texts = components
      .filter(({ type }) => type === ComponentType.TextInput)
      .map((field) => [field.custom_id, field.value ?? ''] as const)
    const files = components
      .filter(({ type }) => type === ComponentType.FileUpload)
      .flatMap(({ values }) => values.flatMap((each) => resolved.attachments[each] ?? []))
    return { ...act, kind: 'form', form, fields: components.length, texts, files, message }
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
    ({ id, channel_id: place, guild_id: guild, author, content, attachments }): WrittenMessage => ({
      id,
      chat: place,
      author: author.id,
      isBot: author.bot,
      isPrivate: (guild ?? null) === null,
      content,
      files: attachments,
    }),
  )

/** Reads a message as the gateway brings it; undefined where it is none. */
export function readWritten(payload: unknown): WrittenMessage | undefined {
  return messageSchema.safeParse(payload).data
}
