import {
  type APIApplicationCommand,
  type APIMessageTopLevelComponent,
  type APIModalInteractionResponseCallbackData,
  ApplicationCommandOptionType,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { emptyMessage, invalidForm, Refusal } from './refusals.ts'

// What Discord takes, held against its OpenAPI document. The message of an issue is Discord's code, a blank, and
// Discord's message. Lengths are UTF-16 units: never fewer than the characters Discord counts, so never more lenient.

const missing = 'BASE_TYPE_REQUIRED This field is required'

const typeFaults: Readonly<Record<string, string>> = {
  string: 'STRING_TYPE_CONVERT Could not interpret the value as string.',
  number: 'NUMBER_TYPE_COERCE Value is not float.',
  int: 'NUMBER_TYPE_COERCE Value is not int.',
  boolean: 'BOOLEAN_TYPE_CONVERT Must be either true or false.',
  array: 'LIST_TYPE_CONVERT Only iterables may be used in a ListType',
  object: 'MODEL_TYPE_CONVERT Only dictionaries may be used in a ModelType',
}

function inDiscordsWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined || issue.input === null) return missing
  switch (issue.code) {
    case 'invalid_type':
      return typeFaults[issue.expected]
    case 'invalid_value':
      return `BASE_TYPE_CHOICES Value must be one of {${issue.values.join(', ')}}.`
    case 'too_small':
      return `NUMBER_TYPE_MIN int value should be greater than or equal to ${issue.minimum}.`
    case 'too_big':
      return `NUMBER_TYPE_MAX int value should be less than or equal to ${issue.maximum}.`
    default:
      return undefined
  }
}

/** Gives a checked value; throws `50035 Invalid Form Body` with what Discord finds wrong below the path `at`. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, at = ''): T {
  const { success, data, error } = schema.safeParse(value, { error: inDiscordsWords })
  if (success) return data
  const faults = error.issues.map(({ path, message }) => {
    const [code = ''] = message.split(' ', 1)
    const parts = code === 'UNION_TYPE_CHOICES' ? path.slice(0, -1) : path
    return {
      path: [at, ...parts].filter((part) => part !== '').join('.'),
      code,
      message: message.slice(code.length + 1),
    }
  })
  throw invalidForm(faults)
}

/** Finds what no single field shows: each fault with the path below the value where it stands. */
function rule<T>(find: (value: T) => Iterable<[path: PropertyKey[], fault: string]>) {
  return (context: z.core.ParsePayload<T>): void => {
    for (const [path, message] of find(context.value))
      context.issues.push({ code: 'custom', path, message, input: context.value, continue: true })
  }
}

/** A schema whose values have a type of Discord's own, which says the same. */
const typed = <T>(schema: z.ZodType): z.ZodType<T> => schema.pipe(z.custom<T>())

const between = (min: number, max: number) =>
  `BASE_TYPE_BAD_LENGTH Must be between ${min} and ${max} in length.`
const atMost = (max: number) => `BASE_TYPE_MAX_LENGTH Must be ${max} or fewer in length.`

const flag = z.boolean().nullish()
const integer = (min: number, max: number) => z.int().min(min).max(max).nullish()
const text = (max: number) => z.string().max(max, atMost(max)).nullish()
const required = (max: number) =>
  z.string().min(1, { error: missing, abort: true }).max(max, between(1, max))
const listOf = <T extends z.ZodType>(item: T, min: number, max: number) => {
  const fault = min === 0 ? atMost(max) : between(min, max)
  return z.array(item).min(min, fault).max(max, fault)
}

/** An address with one of these schemes; Discord looks at the scheme first, then whether it is well formed. */
const address = (max: number, ...schemes: string[]) =>
  required(max).check(
    rule(function* (url) {
      const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? ''
      const names = schemes.map((name) => `'${name}'`).join(', ')
      if (!schemes.includes(scheme))
        yield [[], `URL_TYPE_INVALID_SCHEME Scheme must be one of (${names}).`]
      else if (scheme !== 'attachment' && (!URL.canParse(url) || /\s/.test(url)))
        yield [[], 'URL_TYPE_INVALID_URL Not a well formed URL.']
    }),
  )

// Components. The sandbox knows those that the bot sends; Discord has more.

const component = <T extends ComponentType, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), id: integer(0, 0x7fff_ffff), ...shape })

/** One of some components, told apart by their type. */
const anyOf = <
  T extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(
  ...options: T
) =>
  z.discriminatedUnion('type', options, {
    error: (issue) => {
      if (issue.code !== 'invalid_union') return undefined
      const isTyped = Object(issue.input).type !== undefined
      const types = Object(issue).options.join(', ')
      return isTyped
        ? `UNION_TYPE_CHOICES Value of field "type" must be one of (${types}).`
        : missing
    },
  })

const customId = required(100)
const emoji = /\p{Extended_Pictographic}|\p{RI}|[#*\d]\ufe0f?\u20e3/u

const button = component(ComponentType.Button, {
  style: z.literal([1, 2, 3, 4, 5]),
  label: text(80),
  disabled: flag,
  custom_id: customId.nullish(),
  url: address(512, 'http', 'https', 'discord').nullish(),
  emoji: z
    .object({
      id: z.string().nullish(),
      name: z.string().regex(emoji, 'BUTTON_COMPONENT_INVALID_EMOJI Invalid emoji').nullish(),
    })
    .nullish(),
}).check(
  rule(function* ({ style, label, emoji, custom_id, url }) {
    if (!label && !emoji)
      yield [['label'], 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED A label or an emoji is required']
    const isLink = style === ButtonStyle.Link
    if (isLink && typeof url !== 'string') yield [['url'], missing]
    if (!isLink && typeof custom_id !== 'string')
      yield [['custom_id'], 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED A custom id is required']
    if (typeof (isLink ? custom_id : url) === 'string')
      yield [
        ['custom_id'],
        'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE A custom id and url cannot both be specified',
      ]
  }),
)

const option = z.object({ label: required(100), description: text(100), value: required(100) })

const select = component(ComponentType.StringSelect, {
  custom_id: customId,
  placeholder: text(150),
  min_values: integer(0, 25),
  max_values: integer(1, 25),
  disabled: flag,
  required: flag,
  options: listOf(option, 1, 25).check(
    rule(function* (options) {
      for (const [index, { value }] of options.entries())
        if (options.findIndex((other) => other.value === value) < index)
          yield [
            [index],
            'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED The specified option value is already used',
          ]
    }),
  ),
}).check(
  rule(function* ({ min_values, max_values, options }) {
    const max = max_values ?? 1
    if ((min_values ?? 1) > max)
      yield [['min_values'], 'NUMBER_TYPE_MAX min_values cannot exceed max_values.']
    if (max > options.length)
      yield [
        ['max_values'],
        `BASE_TYPE_BAD_LENGTH max_values cannot exceed the ${options.length} options.`,
      ]
  }),
)

const maxComponents = 40
const maxCharacters = 4000
// Above this Discord answers 500 (discord-api-docs issue 8554): UTF-8 bytes and 12 for each text.
const maxTextBytes = 10_170

const textDisplay = component(ComponentType.TextDisplay, {
  content: required(maxCharacters).refine((content) => content.trim() !== '', missing),
})
const media = {
  media: z.object({ url: address(2048, 'http', 'https', 'attachment') }),
  description: text(1024),
  spoiler: flag,
}
const row = component(ComponentType.ActionRow, {
  components: listOf(anyOf(button, select), 1, 5).check(
    rule(function* (items) {
      const first = items.findIndex(({ type }) => type === ComponentType.StringSelect)
      for (let index = Math.max(first, 1); first >= 0 && index < items.length; index++)
        yield [
          [index],
          'COMPONENT_LAYOUT_WIDTH_EXCEEDED The specified component exceeds the maximum width',
        ]
    }),
  ),
})
const inContainer = [
  row,
  textDisplay,
  component(ComponentType.Section, {
    components: listOf(anyOf(textDisplay), 1, 3),
    accessory: anyOf(button, component(ComponentType.Thumbnail, media)),
  }),
  component(ComponentType.MediaGallery, { items: listOf(z.object(media), 1, 10) }),
  component(ComponentType.File, {
    file: z.object({ url: address(2048, 'attachment') }),
    spoiler: flag,
  }),
  component(ComponentType.Separator, { divider: flag, spacing: z.literal([1, 2]).nullish() }),
] as const
const container = component(ComponentType.Container, {
  components: listOf(anyOf(...inContainer), 1, maxComponents),
  accent_color: integer(0, 0xffffff),
  spoiler: flag,
})

type Fields = Record<string, unknown>

/** Every object within a JSON value, an outer one before those in it, with its path. */
export function* objectsIn(
  value: unknown,
  path: string[] = [],
): Generator<[fields: Fields, path: string[]]> {
  if (typeof value !== 'object' || value === null) return
  if (isFields(value)) yield [value, path]
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, [...path, key])
}

const isFields = (value: object): value is Fields => !Array.isArray(value)

/** Whether an object of a component tree is a component itself. */
export const isComponent = ({ type }: Fields): boolean => typeof type === 'number'

/** No id and no custom id may stand twice in a message or modal. */
const unique = rule<unknown>(function* (components) {
  const seen = new Set<string>()
  for (const [fields, path] of objectsIn(components)) {
    if (!isComponent(fields)) continue
    for (const [key, fault] of duplicates) {
      const id = fields[key]
      if (!id) continue
      if (seen.has(`${key} ${id}`)) yield [[...path, key], fault]
      seen.add(`${key} ${id}`)
    }
  }
})
const duplicates = [
  ['id', 'COMPONENT_ID_DUPLICATED Component id cannot be duplicated'],
  ['custom_id', 'COMPONENT_CUSTOM_ID_DUPLICATED Component custom id cannot be duplicated'],
] as const

const legacyComponents = listOf(anyOf(row), 0, 5).check(unique)
const v2Components = z.array(anyOf(...inContainer, container)).check(
  unique,
  rule(function* (components) {
    const all = [...objectsIn(components)].filter(([fields]) => isComponent(fields))
    if (all.length > maxComponents)
      yield [
        [],
        `COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED Total number of components cannot exceed ${maxComponents}`,
      ]
    const texts = textsOf(components)
    if (texts.join('').length > maxCharacters)
      yield [
        [],
        `COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED Displayable text size exceeds maximum size of ${maxCharacters}`,
      ]
    else if (Buffer.byteLength(texts.join('')) + 12 * texts.length > maxTextBytes)
      throw new Refusal(500, 0, '500: Internal Server Error')
  }),
)

/** The text displays among some components: what Components V2 has in place of `content`. */
export function textsOf(components: unknown): string[] {
  return [...objectsIn(components)].flatMap(([{ type, content }]) =>
    type === ComponentType.TextDisplay ? [String(content)] : [],
  )
}

const inLabel = [
  component(ComponentType.TextInput, {
    custom_id: customId,
    style: z.literal([1, 2]),
    min_length: integer(0, 4000),
    max_length: integer(1, 4000),
    required: flag,
    value: text(4000),
    placeholder: text(100),
  }).check(
    rule(function* ({ min_length, max_length, value }) {
      const max = max_length ?? 4000
      if ((min_length ?? 0) > max)
        yield [['min_length'], 'NUMBER_TYPE_MAX min_length cannot exceed max_length.']
      if ((value ?? '').length > max) yield [['value'], atMost(max)]
    }),
  ),
  select.check(
    rule(function* ({ disabled, required = true, min_values }) {
      if (disabled)
        yield [['disabled'], 'COMPONENT_DISABLED_IN_MODAL Cannot be disabled in a modal']
      if (required && min_values === 0)
        yield [['min_values'], 'NUMBER_TYPE_MIN Required selects need at least 1.']
    }),
  ),
  component(ComponentType.FileUpload, {
    custom_id: customId,
    min_values: integer(0, 10),
    max_values: integer(1, 10),
    required: flag,
  }).check(
    rule(function* ({ min_values, max_values, required = true }) {
      const min = min_values ?? 1
      if (min > (max_values ?? 1) || (required && min === 0))
        yield [['min_values'], 'NUMBER_TYPE_MIN min_values does not fit.']
    }),
  ),
] as const
const label = component(ComponentType.Label, {
  label: required(45),
  description: text(100),
  component: anyOf(...inLabel),
})
/** The `data` of a callback that opens a modal. */
export const modal = typed<APIModalInteractionResponseCallbackData>(
  z.object({
    title: required(45),
    custom_id: customId,
    components: listOf(anyOf(textDisplay, label), 1, 5).check(unique),
  }),
)

// Messages

/** A file that came with a request as `files[n]`. */
export interface Upload {
  /** The n of `files[n]`. */
  index: number
  name: string
  contentType: string
  bytes: Buffer
}

/** What a request says about a message, checked. A field left out of an edit stays undefined. */
export interface Draft {
  content?: string
  components?: APIMessageTopLevelComponent[]
  flags?: number
  allowed?: AllowedMentions | undefined
  nonce?: string | number
  enforceNonce?: boolean
  replyTo?: string
  files: (Upload & { description?: string })[]
  /** Ids of attachments that an edit keeps; undefined keeps all. */
  keep?: string[]
}

/** The message an edit starts from. */
interface Before {
  flags?: number
  content: string
  attachments: readonly { id: string; filename: string }[]
}

const allowedMentions = z
  .object({
    parse: z.array(z.literal(['roles', 'users', 'everyone'])).nullish(),
    users: listOf(z.string(), 0, 100).nullish(),
    roles: listOf(z.string(), 0, 100).nullish(),
  })
  .check(
    rule(function* (allowed) {
      for (const kind of ['users', 'roles'] as const)
        if (allowed.parse?.includes(kind) && allowed[kind]?.length)
          yield [
            [],
            `MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
          ]
    }),
  )
type AllowedMentions = z.output<typeof allowedMentions>

export const flagged = z.object({ flags: integer(0, Number.MAX_SAFE_INTEGER) })

const legacyField = (field: string) =>
  `MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2 The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`

const messageOf = (maxContent: number, components: z.ZodType, noEmbeds: string) =>
  flagged.extend({
    content: text(maxContent),
    embeds: z.array(z.unknown()).max(0, noEmbeds).nullish(),
    nonce: z.union([z.string().max(25, atMost(25)), z.number()]).nullish(),
    enforce_nonce: flag,
    allowed_mentions: allowedMentions.nullish(),
    message_reference: z.object({ message_id: z.string() }).nullish(),
    attachments: listOf(
      z.object({ id: z.coerce.string(), description: text(1024) }),
      0,
      10,
    ).nullish(),
    components: typed<APIMessageTopLevelComponent[]>(components).nullish(),
  })
const legacyMessage = messageOf(2000, legacyComponents, 'UNKNOWN The sandbox knows no embeds.')
const v2Message = messageOf(4000, v2Components, legacyField('embeds'))

const v2 = MessageFlags.IsComponentsV2
const creatable =
  v2 |
  MessageFlags.Ephemeral |
  MessageFlags.SuppressEmbeds |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsVoiceMessage

/**
 * Checks the body of a message create (`before` undefined) or edit against Discord's limits.
 * `at` is where the message stands in the body: '' or 'data'. Faults are thrown as 50035 or 50006.
 */
export function checkMessage(
  body: unknown,
  uploads: readonly Upload[],
  at = '',
  before?: Before,
): Draft {
  const flags = checked(flagged, body, at).flags ?? undefined
  const isV2 = (((flags ?? 0) | (before?.flags ?? 0)) & v2) !== 0
  // An explicit `flags: 0` on a Components V2 message makes Discord read the components as legacy.
  const fields = checked(isV2 && flags !== 0 ? v2Message : legacyMessage, body, at)
  const draft = draftOf(fields, uploads, before !== undefined)
  const keeps = ({ id }: { id: string }) => draft.keep?.includes(id) ?? true
  const kept = (before?.attachments ?? []).filter(keeps)
  const names = [...draft.files.map(({ name }) => name), ...kept.map(({ filename }) => filename)]
  const text = draft.content ?? before?.content ?? ''
  const fits = rule(function* () {
    if (uploads.length > 10) yield [['attachments'], atMost(10)]
    if (isV2 && text !== '') yield [['content'], legacyField('content')]
    for (const [{ url }, path] of objectsIn(draft.components, ['components'])) {
      const name = attachmentName(url)
      if (name !== undefined && !names.includes(name))
        yield [
          [...path, 'url'],
          'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND The referenced attachment was not found in this message',
        ]
    }
  })
  checked(z.unknown().check(fits), body, at)
  const isBuilt = draft.components ? draft.components.length > 0 : before !== undefined
  if (text === '' && names.length === 0 && !isBuilt) throw emptyMessage()
  return draft
}

function draftOf(
  fields: z.output<ReturnType<typeof messageOf>>,
  uploads: readonly Upload[],
  isEdit: boolean,
): Draft {
  const { flags, content, nonce, attachments, components, message_reference: reference } = fields
  const files = uploads.flatMap((file) => {
    const listed = attachments?.find(({ id }) => id === String(file.index))
    if (isEdit && attachments && !listed) return []
    return [listed?.description ? { ...file, description: listed.description } : file]
  })
  // A list names all that is there after an edit; new files without a list take the place of the old.
  const keep = attachments?.map(({ id }) => id) ?? (uploads.length > 0 ? [] : undefined)
  return {
    allowed: fields.allowed_mentions ?? undefined,
    enforceNonce: fields.enforce_nonce ?? false,
    files,
    ...(keep === undefined ? {} : { keep }),
    ...(content === undefined ? {} : { content: content?.trim() ?? '' }),
    ...(nonce === undefined || nonce === null ? {} : { nonce }),
    ...(reference ? { replyTo: reference.message_id } : {}),
    ...(typeof flags === 'number' ? { flags: flags & creatable } : {}),
    ...(components ? { components } : {}),
  }
}

/** The file that an address within a component refers to, by its name. */
export function attachmentName(url: unknown): string | undefined {
  const scheme = 'attachment://'
  return typeof url === 'string' && url.startsWith(scheme) ? url.slice(scheme.length) : undefined
}

/** Who a message pings. */
interface Pings {
  everyone: boolean
  users: string[]
  roles: string[]
}

/** The pings a text causes. Code marks do not hide a mention here, so a test errs on the safe side. */
export function pingsOf(text: string, allowed: AllowedMentions | undefined): Pings {
  const may = (kind: 'everyone' | 'users' | 'roles', id = '') =>
    allowed === undefined ||
    allowed.parse?.includes(kind) ||
    (kind !== 'everyone' && allowed[kind]?.includes(id)) === true
  const ids = (kind: 'users' | 'roles', pattern: RegExp) => [
    ...new Set(
      Array.from(text.matchAll(pattern), ([, id = '']) => id).filter((id) => may(kind, id)),
    ),
  ]
  return {
    everyone: /@(everyone|here)/.test(text) && may('everyone'),
    users: ids('users', /<@!?(\d+)>/g),
    roles: ids('roles', /<@&(\d+)>/g),
  }
}

// Commands: those of the bot have options of text and of whole numbers.

const maxSafe = 2 ** 53
const namePattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]*$/u

const described = {
  name: required(32).refine(
    (name) => namePattern.test(name) && name === name.toLowerCase(),
    'APPLICATION_COMMAND_INVALID_NAME Command name is invalid',
  ),
  description: required(100),
}

/** Up to 25 choices of a command's option, or of the answer to an autocomplete. */
const choicesOf = <T extends z.ZodType>(value: T) =>
  listOf(z.object({ name: required(100), value }), 0, 25)

const parameter = <T extends ApplicationCommandOptionType, S extends z.ZodRawShape>(
  type: T,
  value: z.ZodType,
  bounds: S,
) =>
  z
    .object({
      ...described,
      type: z.literal(type),
      required: flag,
      autocomplete: flag,
      choices: choicesOf(value).nullish(),
      ...bounds,
    })
    .check(
      rule(function* ({ autocomplete, choices }: { autocomplete?: unknown; choices?: unknown }) {
        if (autocomplete && Array.isArray(choices) && choices.length > 0)
          yield [
            ['autocomplete'],
            'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES Choices and autocomplete are mutually exclusive',
          ]
      }),
    )

const wholeNumber = z.int().min(-maxSafe).max(maxSafe)
const parameters = z.discriminatedUnion(
  'type',
  [
    parameter(ApplicationCommandOptionType.String, required(100), {
      min_length: integer(0, 6000),
      max_length: integer(1, 6000),
    }),
    parameter(ApplicationCommandOptionType.Integer, wholeNumber, {
      min_value: wholeNumber.nullish(),
      max_value: wholeNumber.nullish(),
    }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? 'BASE_TYPE_CHOICES Value must be one of {3, 4}.' : undefined,
  },
)

const command = z.object({
  ...described,
  type: z.literal(1).nullish(),
  default_member_permissions: z
    .string()
    .regex(/^\d+$/, 'NUMBER_TYPE_COERCE Value is not snowflake.')
    .nullish(),
  contexts: listOf(z.literal([0, 1, 2]), 1, 3).nullish(),
  integration_types: listOf(z.literal([0, 1]), 1, 2).nullish(),
  nsfw: flag,
  options: listOf(parameters, 0, 25)
    .check(
      rule(function* (options) {
        const firstOptional = options.findIndex((option) => !option.required)
        for (const [index, { name, required }] of options.entries()) {
          if (options.findIndex((other) => other.name === name) < index)
            yield [
              [index],
              `APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS Option name "${name}" already exists`,
            ]
          if (required && firstOptional >= 0 && firstOptional < index)
            yield [
              [index],
              'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID Required options must be placed before non-required options',
            ]
        }
      }),
    )
    .optional(),
})

type Registered = Pick<APIApplicationCommand, 'name' | 'description'> &
  Partial<
    Pick<
      APIApplicationCommand,
      'options' | 'default_member_permissions' | 'contexts' | 'integration_types' | 'nsfw'
    >
  >

/** All commands of an application, whose names are unique. */
export const commandList = typed<Registered[]>(
  z.array(command).check(
    rule(function* (commands) {
      for (const [index, { name }] of commands.entries())
        if (commands.findIndex((other) => other.name === name) < index)
          yield [
            [index],
            'APPLICATION_COMMANDS_DUPLICATE_NAME Application command names must be unique',
          ]
    }),
  ),
)

/** The choices that answer an autocomplete. */
export const completion = (type: ApplicationCommandOptionType | undefined) =>
  z.object({
    choices: choicesOf<z.ZodType<string | number>>(
      type === ApplicationCommandOptionType.Integer ? wholeNumber : required(100),
    ),
  })
