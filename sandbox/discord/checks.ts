import { ApplicationCommandUpdateRequestSchema } from 'discord-api-spec/zod'
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
import { emptyMessage, Refusal } from './refusals.ts'
import {
  atMost,
  choices,
  conform,
  type Found,
  malformedUrl,
  missing,
  otherType,
  refuse,
  wrongTypes,
} from './schemas.ts'

// What Discord refuses beyond what its OpenAPI document says, or what the sandbox does not show. Lengths are UTF-16
// units: never fewer than the characters Discord counts, so never more lenient.

type Fields = Record<string, unknown>

/** An object within a JSON value, and where it stands there. */
type Place = [fields: Fields, path: string[]]

/** Every object within a JSON value, an outer one before those in it. */
export function objectsIn(value: unknown, path: string[] = [], found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  if (isFields(value)) found.push([value, path])
  for (const [key, inner] of Object.entries(value))
    if (typeof inner === 'object') objectsIn(inner, [...path, key], found)
  return found
}

const isFields = (value: object): value is Fields => !Array.isArray(value)

/** Whether an object of a component tree is a component itself. */
export const isComponent = ({ type }: Fields): boolean => typeof type === 'number'

/** A parsed body of which the fields are as `T` says, since it conforms to Discord's schema. */
function known<T>(body: unknown): T {
  return z.custom<T>().parse(body)
}

const unknownHere = (what: string) => `UNKNOWN The sandbox knows no ${what}.`

// Components

const httpSchemes = ['http', 'https']
const linkSchemes = [...httpSchemes, 'discord']
const mediaSchemes = [...httpSchemes, 'attachment']

/**
 * Addresses that Discord takes for well formed. Its words for those it refuses are the Python library Schematics', whose
 * `URLType` wants a host of letters, digits and hyphens with a dot in it, or an IP address, then what RFC 3986 allows. So
 * Discord refused https://llama_punkz.mypinata.cloud (discord.js issue 7438), http://gitea:3000 but not the same with an
 * IP address (go-gitea/gitea issue 11124), and addresses with blanks (discord-net/Discord.Net issue 1897).
 */
const wellFormed = (() => {
  const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'
  const domain = `(?=[^/:?#]{1,253}(?:[/:?#]|$))(?:${label}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})`
  const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
  const ip = `(?:${octet}\\.){3}${octet}|\\[[\\da-f:.]+\\]`
  const character = "(?:%[\\da-f]{2}|[a-z0-9\\-._~!$&'()*+,;=:@/])"
  const rest = `(?:/${character}*)?(?:\\?(?:${character}|\\?)*)?(?:#(?:${character}|\\?)*)?`
  return new RegExp(`^https?://(?:${ip}|${domain})(?::\\d{2,5})?${rest}$`, 'i')
})()

/** Discord looks at the scheme first, then whether the address is well formed. */
function* inAddress(url: string, schemes: readonly string[]): Generator<Found> {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? ''
  const names = schemes.map((name) => `'${name}'`).join(', ')
  if (!schemes.includes(scheme))
    yield [[], `URL_TYPE_INVALID_SCHEME Scheme must be one of (${names}).`]
  else if (httpSchemes.includes(scheme) && !wellFormed.test(url)) yield [[], malformedUrl]
}

const emoji = /\p{Extended_Pictographic}|\p{RI}|[#*\d]\ufe0f?\u20e3/u

/** The document has one schema for all styles, in which every field is optional. */
function* inButton({ style, label, emoji: sign, custom_id, url }: Fields): Generator<Found> {
  if (!label && !sign)
    yield [['label'], 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED A label or an emoji is required']
  if (style === ButtonStyle.Premium) yield [['style'], unknownHere('premium buttons')]
  const isLink = style === ButtonStyle.Link
  if (isLink && typeof url !== 'string') yield [['url'], missing]
  if (!isLink && typeof custom_id !== 'string')
    yield [['custom_id'], 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED A custom id is required']
  if (typeof (isLink ? custom_id : url) === 'string')
    yield [
      ['custom_id'],
      'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE A custom id and url cannot both be specified',
    ]
  if (typeof url === 'string') yield* below(['url'], inAddress(url, linkSchemes))
  const { name } = Object(sign)
  if (typeof name === 'string' && !emoji.test(name))
    yield [['emoji', 'name'], 'BUTTON_COMPONENT_INVALID_EMOJI Invalid emoji']
}

/** The document gives each number its bounds, and none beside another field. */
function* inSelect(select: Fields): Generator<Found> {
  const { min_values, max_values, options } = known<{
    min_values?: number | null
    max_values?: number | null
    options: { value: string }[]
  }>(select)
  const values = options.map(({ value }) => value)
  for (const [index, value] of values.entries())
    if (values.indexOf(value) < index)
      yield [
        ['options', index],
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED The specified option value is already used',
      ]
  const max = max_values ?? 1
  if ((min_values ?? 1) > max)
    yield [['min_values'], 'NUMBER_TYPE_MAX min_values cannot exceed max_values.']
  if (max > values.length)
    yield [
      ['max_values'],
      `BASE_TYPE_BAD_LENGTH max_values cannot exceed the ${values.length} options.`,
    ]
}

/** A select takes a whole row. */
function* inRow({ components }: Fields): Generator<Found> {
  const types = known<{ type: ComponentType }[]>(components).map(({ type }) => type)
  const first = types.findIndex((type) => type !== ComponentType.Button)
  for (let index = Math.max(first, 1); first >= 0 && index < types.length; index++)
    yield [
      ['components', index],
      'COMPONENT_LAYOUT_WIDTH_EXCEEDED The specified component exceeds the maximum width',
    ]
}

/** The document takes any URL, whatever its scheme. */
function* inMedia({ media, file }: Fields): Generator<Found> {
  const { url } = Object(media ?? file)
  if (typeof url !== 'string') return
  const schemes = file === undefined ? mediaSchemes : ['attachment']
  yield* below([file === undefined ? 'media' : 'file', 'url'], inAddress(url, schemes))
}

/** The document wants one character, which may be a blank; Discord removes blanks first. */
function* inText({ content }: Fields): Generator<Found> {
  if (String(content).trim() === '') yield [['content'], missing]
}

function* inNothing(): Generator<Found> {}

/** What is wrong with a component by itself, by its type; the sandbox knows no others. */
const rules: Readonly<Record<string, (fields: Fields) => Generator<Found>>> = {
  [ComponentType.ActionRow]: inRow,
  [ComponentType.Button]: inButton,
  [ComponentType.StringSelect]: inSelect,
  [ComponentType.TextInput]: inNothing,
  [ComponentType.Section]: inNothing,
  [ComponentType.TextDisplay]: inText,
  [ComponentType.Thumbnail]: inNothing,
  [ComponentType.MediaGallery]: inNothing,
  [ComponentType.File]: inNothing,
  [ComponentType.Container]: inNothing,
  [ComponentType.Label]: inNothing,
  [ComponentType.FileUpload]: inNothing,
}

function* below(path: PropertyKey[], found: Iterable<Found>): Generator<Found> {
  for (const [inner, fault] of found) yield [[...path, ...inner], fault]
}

/** What is wrong with the components of a message or a modal. */
function* inComponents(components: unknown): Generator<Found> {
  const seen = new Set<string>()
  for (const [fields, path] of objectsIn(components)) {
    yield* below(path, inMedia(fields))
    if (fields.spoiler) yield [[...path, 'spoiler'], unknownHere('spoilers')]
    if (!isComponent(fields)) continue
    const rule = rules[String(fields.type)]
    yield* below(path, rule?.(fields) ?? [[[], unknownHere(`component of type ${fields.type}`)]])
    for (const [key, fault] of duplicates) {
      const id = fields[key]
      if (!id) continue
      if (seen.has(`${key} ${id}`)) yield [[...path, key], fault]
      seen.add(`${key} ${id}`)
    }
  }
}
const duplicates = [
  ['id', 'COMPONENT_ID_DUPLICATED Component id cannot be duplicated'],
  ['custom_id', 'COMPONENT_CUSTOM_ID_DUPLICATED Component custom id cannot be duplicated'],
] as const

const maxComponents = 40
const maxCharacters = 4000
// Above this Discord answers 500 (discord-api-docs issue 8554): UTF-8 bytes and 12 for each text.
const maxTextBytes = 10_170

/** The text displays among some components: what Components V2 has in place of `content`. */
export function textsOf(components: unknown): string[] {
  return objectsIn(components).flatMap(([{ type, content }]) =>
    type === ComponentType.TextDisplay ? [String(content)] : [],
  )
}

/** What counts over the whole of a message: the document bounds each list and text by itself. */
function* inV2(components: unknown): Generator<Found> {
  const all = objectsIn(components).filter(([fields]) => isComponent(fields))
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
}

/** Without the flag for Components V2 there are rows alone, five at most. */
function* inLegacy(components: readonly APIMessageTopLevelComponent[]): Generator<Found> {
  if (components.length > 5) yield [[], atMost(5)]
  for (const [index, { type }] of components.entries())
    if (type !== ComponentType.ActionRow) yield [[index], otherType([ComponentType.ActionRow])]
}

// Modals

/** Bounds beside each other, and the value by them. */
function* inTextInput(input: Fields): Generator<Found> {
  const { min_length, max_length, value } = known<{
    min_length?: number | null
    max_length?: number | null
    value?: string | null
  }>(input)
  const max = max_length ?? 4000
  if ((min_length ?? 0) > max)
    yield [['min_length'], 'NUMBER_TYPE_MAX min_length cannot exceed max_length.']
  if ((value ?? '').length > max) yield [['value'], atMost(max)]
}

/** The document has one schema of a select, for messages and modals. */
function* inModalSelect({ disabled, required, min_values }: Fields): Generator<Found> {
  if (disabled) yield [['disabled'], 'COMPONENT_DISABLED_IN_MODAL Cannot be disabled in a modal']
  if (required !== false && min_values === 0)
    yield [['min_values'], 'NUMBER_TYPE_MIN Required selects need at least 1.']
}

function* inFileUpload({ min_values, max_values, required }: Fields): Generator<Found> {
  const min = Number(min_values ?? 1)
  if (min > Number(max_values ?? 1) || (required !== false && min === 0))
    yield [['min_values'], 'NUMBER_TYPE_MIN min_values does not fit.']
}

const inputs: Readonly<Record<string, (fields: Fields) => Generator<Found>>> = {
  [ComponentType.TextInput]: inTextInput,
  [ComponentType.StringSelect]: inModalSelect,
  [ComponentType.FileUpload]: inFileUpload,
}

const maxInModal = 5

function* inModal(components: readonly Fields[]): Generator<Found> {
  // By the documentation; the OpenAPI document says 40.
  if (components.length > maxInModal) yield [[], atMost(maxInModal)]
  yield* inComponents(components)
  for (const [index, { type, component }] of components.entries()) {
    const input: Fields = Object(component)
    if (type === ComponentType.TextDisplay) continue
    if (type !== ComponentType.Label) yield [[index], unknownHere('rows in modals')]
    else yield* below([index, 'component'], inputs[String(input.type)]?.(input) ?? [])
  }
}

/** Checks the `data` of a callback that opens a modal, beyond its schema. */
export function checkModal(data: unknown): APIModalInteractionResponseCallbackData {
  const modal = known<APIModalInteractionResponseCallbackData>(data)
  refuse(inModal(known<Fields[]>(modal.components)), ['data', 'components'])
  return modal
}

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

interface AllowedMentions {
  parse?: readonly string[] | null
  users?: readonly string[] | null
  roles?: readonly string[] | null
}

/** The fields of a message's body that the sandbox reads. */
interface Body {
  flags?: number | null
  content?: string | null
  embeds?: readonly unknown[] | null
  nonce?: string | number | null
  enforce_nonce?: boolean | null
  allowed_mentions?: AllowedMentions | null
  message_reference?: { message_id: string } | null
  attachments?: readonly { id: string | number; description?: string | null }[] | null
  components?: APIMessageTopLevelComponent[] | null
}

/** The names of those fields; `satisfies` has the compiler name one that is missing. */
const readFields = {
  flags: 0,
  content: 0,
  embeds: 0,
  nonce: 0,
  enforce_nonce: 0,
  allowed_mentions: 0,
  message_reference: 0,
  attachments: 0,
  components: 0,
} satisfies Record<keyof Body, 0>

const legacyField = (field: string) =>
  `MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2 The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`

const maxContent = 2000
const maxFiles = 10
const v2 = MessageFlags.IsComponentsV2
const creatable =
  v2 |
  MessageFlags.Ephemeral |
  MessageFlags.SuppressEmbeds |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsVoiceMessage

/** Checks the body of a message by the schema of its route, and all else. @throws Refusal 50035 or 50006 */
export function checkMessage(
  schema: z.core.$ZodType,
  body: unknown,
  uploads: readonly Upload[],
  before?: Before,
): Draft {
  conform(schema, body)
  return draftOf(body, uploads, [], before)
}

/**
 * Checks what the schema of a message create (`before` undefined) or edit does not say. `at` is where the message stands
 * in the body: [] or ['data']. @throws Refusal 50035 or 50006
 */
export function draftOf(
  message: unknown,
  uploads: readonly Upload[],
  at: PropertyKey[],
  before?: Before,
): Draft {
  const body = known<Body>(message ?? {})
  // An explicit `flags: 0` on a Components V2 message makes Discord read the components as legacy.
  const wasV2 = ((before?.flags ?? 0) & v2) !== 0
  const isV2 = (((body.flags ?? 0) & v2) !== 0 || wasV2) && body.flags !== 0
  refuse(inMessage(body, isV2), at)
  const draft = drafted(body, uploads, before !== undefined)
  const keeps = ({ id }: { id: string }) => draft.keep?.includes(id) ?? true
  const kept = (before?.attachments ?? []).filter(keeps)
  const names = [...draft.files.map(({ name }) => name), ...kept.map(({ filename }) => filename)]
  const text = draft.content ?? before?.content ?? ''
  if (uploads.length > maxFiles) refuse([[['attachments'], atMost(maxFiles)]], at)
  if ((isV2 || wasV2) && text !== '') refuse([[['content'], legacyField('content')]], at)
  refuse(below(['components'], inReferences(draft.components, names)), at)
  const isBuilt = draft.components ? draft.components.length > 0 : before !== undefined
  if (text === '' && names.length === 0 && !isBuilt) throw emptyMessage()
  return draft
}

/** Fields that the sandbox does not read, unless they say nothing. */
function* inOthers(body: Body): Generator<Found> {
  for (const [name, value] of Object.entries(body))
    if (!(name in readFields) && value && !(Array.isArray(value) && value.length === 0))
      yield [[name], unknownHere(`${name} in messages`)]
}

/** The document allows 4000 characters, as people with Nitro have, and any field beside any other. */
function* inMessage(body: Body, isV2: boolean): Generator<Found> {
  const { content, embeds, allowed_mentions: allowed, components } = body
  if ((content ?? '').length > maxContent) yield [['content'], atMost(maxContent)]
  yield* inOthers(body)
  if (embeds && embeds.length > 0)
    yield [['embeds'], isV2 ? legacyField('embeds') : unknownHere('embeds')]
  for (const kind of ['users', 'roles'] as const)
    if (allowed?.parse?.includes(kind) && allowed[kind]?.length)
      yield [
        ['allowed_mentions'],
        `MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      ]
  if (!components) return
  yield* below(['components'], inComponents(components))
  yield* below(['components'], isV2 ? inV2(components) : inLegacy(components))
}

/** The document says nothing of the files that a request brings. */
function* inReferences(components: unknown, names: readonly string[]): Generator<Found> {
  for (const [{ url }, path] of objectsIn(components)) {
    const name = attachmentName(url)
    if (name !== undefined && !names.includes(name))
      yield [
        [...path, 'url'],
        'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND The referenced attachment was not found in this message',
      ]
  }
}

function drafted(body: Body, uploads: readonly Upload[], isEdit: boolean): Draft {
  const { flags, content, nonce, components, message_reference: reference } = body
  const attachments = body.attachments?.map((each) => ({ ...each, id: String(each.id) }))
  const files = uploads.flatMap((file) => {
    const listed = attachments?.find(({ id }) => id === String(file.index))
    if (isEdit && attachments && !listed) return []
    return [listed?.description ? { ...file, description: listed.description } : file]
  })
  // A list names all that is there after an edit; new files without a list take the place of the old.
  const keep = attachments?.map(({ id }) => id) ?? (uploads.length > 0 ? [] : undefined)
  return {
    allowed: body.allowed_mentions ?? undefined,
    enforceNonce: body.enforce_nonce ?? false,
    files,
    ...(keep === undefined ? {} : { keep }),
    ...(content === undefined ? {} : { content: content?.trim() ?? '' }),
    ...(nonce === undefined || nonce === null ? {} : { nonce }),
    ...(reference ? { replyTo: reference.message_id } : {}),
    ...(typeof flags === 'number' ? { flags: flags & creatable } : {}),
    // A copy: the sandbox completes them, and the log of calls keeps what came.
    ...(components ? { components: structuredClone(components) } : {}),
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

// Commands

const namePattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]*$/u
const maxChoice = 100

interface Parameter {
  type: ApplicationCommandOptionType
  name: string
  required?: boolean | null
  autocomplete?: boolean | null
  choices?: readonly { name: string; value: string | number }[] | null
  /** Of a subcommand. */
  options?: readonly Parameter[] | null
}

type Registered = Pick<APIApplicationCommand, 'name' | 'description'> &
  Partial<
    Pick<
      APIApplicationCommand,
      'options' | 'default_member_permissions' | 'contexts' | 'integration_types' | 'nsfw'
    >
  >

/** The document bounds the length alone; the pattern is that of the documentation. */
function* inName({ name, description }: { name: string; description?: unknown }): Generator<Found> {
  if (!namePattern.test(name) || name !== name.toLowerCase())
    yield [['name'], 'APPLICATION_COMMAND_INVALID_NAME Command name is invalid']
  if (!description) yield [['description'], missing]
}

/** Subcommands, and options of text, of whole numbers and of roles: the sandbox knows no others. */
const parameterTypes = [
  ApplicationCommandOptionType.String,
  ApplicationCommandOptionType.Integer,
  ApplicationCommandOptionType.Role,
]
const optionTypes = [ApplicationCommandOptionType.Subcommand, ...parameterTypes]

/** The options of a command: parameters, or subcommands alone. */
function* inOptions(options: readonly Parameter[]): Generator<Found> {
  const isSubcommand = ({ type }: Parameter) => type === ApplicationCommandOptionType.Subcommand
  if (!options.some(isSubcommand)) {
    yield* inParameters(options, optionTypes)
    return
  }
  for (const [index, option] of options.entries()) {
    yield* below([index], inName(option))
    if (isSubcommand(option) !== options.slice(0, 1).some(isSubcommand))
      yield [
        [index],
        'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID Sub-command and sub-command group option types are mutually exclusive to all other types',
      ]
    if (options.findIndex((other) => other.name === option.name) < index)
      yield [[index], alreadyExists(option.name)]
    yield* below([index, 'options'], inParameters(option.options ?? [], parameterTypes))
  }
}

const alreadyExists = (name: string) =>
  `APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS Option name "${name}" already exists`

/** The document judges each option by itself, not its order, its name beside others or two of its fields. */
function* inParameters(
  parameters: readonly Parameter[],
  types: readonly ApplicationCommandOptionType[],
): Generator<Found> {
  const firstOptional = parameters.findIndex((option) => !option.required)
  for (const [index, option] of parameters.entries()) {
    const { type, name, required, autocomplete, choices: listed } = option
    yield* below([index], inName(option))
    if (!types.includes(type)) yield [[index, 'type'], choices(types)]
    if (parameters.findIndex((other) => other.name === name) < index)
      yield [[index], alreadyExists(name)]
    if (required && firstOptional >= 0 && firstOptional < index)
      yield [
        [index],
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID Required options must be placed before non-required options',
      ]
    if (autocomplete && listed && listed.length > 0)
      yield [
        [index, 'autocomplete'],
        'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES Choices and autocomplete are mutually exclusive',
      ]
    yield* below([index, 'choices'], inChoices(listed ?? []))
  }
}

/** By the documentation, a choice's text has 100 characters at most; the OpenAPI document says 6000. */
function* inChoices(listed: readonly { value: string | number }[]): Generator<Found> {
  for (const [index, { value }] of listed.entries())
    if (typeof value === 'string' && (value === '' || value.length > maxChoice))
      yield [[index, 'value'], value === '' ? missing : atMost(maxChoice)]
}

const maxCommandSize = 8000

/** The size of a command: names, descriptions and values, with those of its options and choices. */
function sizeOf(command: unknown): number {
  const texts = objectsIn(command).flatMap(([fields]) => [
    fields.name,
    fields.description,
    fields.value,
  ])
  return texts.reduce<number>((sum, each) => sum + String(each ?? '').length, 0)
}

function* inCommands(commands: readonly Registered[]): Generator<Found> {
  for (const [index, command] of commands.entries()) {
    yield* below([index], inName(command))
    const options = known<Parameter[]>(command.options ?? [])
    yield* below([index, 'options'], inOptions(options))
    if (sizeOf(command) > maxCommandSize)
      yield [
        [index],
        `APPLICATION_COMMAND_TOO_LARGE Command exceeds maximum size (${maxCommandSize})`,
      ]
    if (commands.findIndex((other) => other.name === command.name) < index)
      yield [
        [index],
        'APPLICATION_COMMANDS_DUPLICATE_NAME Application command names must be unique',
      ]
  }
}

/** Checks all commands of an application. */
export function checkCommands(body: unknown): Registered[] {
  conform(z.array(ApplicationCommandUpdateRequestSchema), body)
  const commands = known<Registered[]>(body)
  refuse(inCommands(commands))
  return commands
}

/** Checks the choices that answer an autocomplete of an option of this type, beyond their schema. */
export function checkChoices(
  data: unknown,
  type: ApplicationCommandOptionType | undefined,
): { name: string; value: string | number }[] {
  const { choices: listed } = known<{
    choices?: { name: string; value: string | number }[] | null
  }>(data)
  const found = [...inChoices(listed ?? [])]
  const wanted = type === ApplicationCommandOptionType.Integer ? 'number' : 'string'
  for (const [index, { value }] of (listed ?? []).entries())
    if (typeof value !== wanted) found.push([[index, 'value'], wrongTypes[wanted]])
  refuse(found, ['data', 'choices'])
  return listed ?? []
}
