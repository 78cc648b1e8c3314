import {
  type APIEmbed,
  type APIMessageTopLevelComponent,
  MessageFlags,
} from 'discord-api-types/v10'
import { checkComponents } from './components.ts'
import { checkUrl, emptyMessage, type Fields, type Form, isFields, join } from './form.ts'

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
  embeds?: APIEmbed[]
  components?: APIMessageTopLevelComponent[]
  flags?: number
  allowed: AllowedMentions | undefined
  nonce?: string | number
  enforceNonce: boolean
  replyTo?: string
  files: (Upload & { description?: string })[]
  /** Ids of attachments that an edit keeps; undefined keeps all. */
  keep?: string[]
}

/** The message an edit starts from. */
export interface Before {
  flags: number
  content: string
  embeds: number
  attachments: readonly { id: string; filename: string }[]
}

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
  files: Upload[],
  form: Form,
  at: string,
  before?: Before,
): Draft {
  const fields = form.fields(body, at) ?? {}
  const flags = readFlags(fields, at, form)
  const isV2 = (((flags ?? before?.flags ?? 0) | (before?.flags ?? 0)) & v2) !== 0
  const draft: Draft = {
    allowed: readAllowedMentions(fields, at, form),
    enforceNonce: form.boolean(fields, 'enforce_nonce', at) ?? false,
    files: describe(fields, files, at, form, before !== undefined),
    ...text(fields, at, form, isV2),
    ...embeds(fields, at, form),
    ...nonce(fields, at, form),
    ...reply(fields),
    ...kept(fields, files),
    ...(flags === undefined ? {} : { flags: flags & creatable }),
  }
  if (isV2) refuseLegacy(draft, fields, at, form, before)
  // An explicit `flags: 0` on a Components V2 message makes Discord read the components as legacy.
  const readAsV2 = isV2 && flags !== 0
  if (fields.components !== undefined && fields.components !== null)
    draft.components = components(fields, at, form, readAsV2, draft, before)
  form.done()
  if (isEmpty(draft, before)) throw emptyMessage()
  return draft
}

function readFlags(fields: Fields, at: string, form: Form): number | undefined {
  return form.integer(fields, 'flags', at, { min: 0, max: Number.MAX_SAFE_INTEGER })
}

function text(fields: Fields, at: string, form: Form, isV2: boolean): Pick<Draft, 'content'> {
  if (fields.content === undefined) return {}
  const content = form.text(fields, 'content', at, { max: isV2 ? 4000 : 2000 })
  return { content: content?.trim() ?? '' }
}

function embeds(fields: Fields, at: string, form: Form): Pick<Draft, 'embeds'> {
  const value = fields.embeds
  if (value === undefined) return {}
  if (value === null) return { embeds: [] }
  return areEmbeds(value, join(at, 'embeds'), form) ? { embeds: value } : {}
}

function nonce(fields: Fields, at: string, form: Form): Pick<Draft, 'nonce'> {
  const value = fields.nonce
  if (typeof value === 'string') form.text(fields, 'nonce', at, { max: 25 })
  return typeof value === 'string' || typeof value === 'number' ? { nonce: value } : {}
}

function reply(fields: Fields): Pick<Draft, 'replyTo'> {
  const value = fields.message_reference
  if (typeof value !== 'object' || value === null || !('message_id' in value)) return {}
  return typeof value.message_id === 'string' ? { replyTo: value.message_id } : {}
}

function attachmentList(fields: Fields): { id: string; description?: string }[] | undefined {
  const value = fields.attachments
  if (!Array.isArray(value)) return undefined
  return value.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('id' in item)) return []
    const described = 'description' in item && typeof item.description === 'string'
    return [
      { id: String(item.id), ...(described ? { description: String(item.description) } : {}) },
    ]
  })
}

/** Since v10 a list names all that is there after an edit, and new files without a list take the place of the old. */
function kept(fields: Fields, files: Upload[]): Pick<Draft, 'keep'> {
  const list = attachmentList(fields)
  if (list === undefined) return files.length === 0 ? {} : { keep: [] }
  return { keep: list.map((item) => item.id) }
}

function describe(
  fields: Fields,
  files: Upload[],
  at: string,
  form: Form,
  isEdit: boolean,
): Draft['files'] {
  if (files.length > 10)
    form.fail(join(at, 'attachments'), 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.')
  const list = attachmentList(fields)
  return files.flatMap((file) => {
    const listed = list?.find((item) => item.id === String(file.index))
    if (isEdit && list !== undefined && listed === undefined) return []
    const description = listed?.description
    return [description === undefined ? file : { ...file, description }]
  })
}

const legacyFields = ['content', 'embeds', 'sticker_ids', 'poll'] as const

function refuseLegacy(
  draft: Draft,
  fields: Fields,
  at: string,
  form: Form,
  before: Before | undefined,
): void {
  const used = {
    content: (draft.content ?? before?.content ?? '') !== '',
    embeds: (draft.embeds?.length ?? before?.embeds ?? 0) > 0,
    sticker_ids: Array.isArray(fields.sticker_ids) && fields.sticker_ids.length > 0,
    poll: fields.poll !== undefined && fields.poll !== null,
  }
  for (const field of legacyFields)
    if (used[field])
      form.fail(
        join(at, field),
        'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
        `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
      )
}

function components(
  fields: Fields,
  at: string,
  form: Form,
  isV2: boolean,
  draft: Draft,
  before: Before | undefined,
): APIMessageTopLevelComponent[] {
  const checked = checkComponents(fields.components, join(at, 'components'), form, isV2)
  const names = new Set(draft.files.map((file) => file.name))
  for (const known of before?.attachments ?? [])
    if (draft.keep === undefined || draft.keep.includes(known.id)) names.add(known.filename)
  for (const { name, path } of checked.references)
    if (!names.has(name))
      form.fail(
        path,
        'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
        'The referenced attachment was not found in this message',
      )
  return checked.components
}

function isEmpty(draft: Draft, before: Before | undefined): boolean {
  const text = draft.content ?? before?.content ?? ''
  const embedded = draft.embeds?.length ?? before?.embeds ?? 0
  const attached = draft.files.length + (draft.keep?.length ?? before?.attachments.length ?? 0)
  const shown = before !== undefined && draft.components === undefined
  const built = (draft.components?.length ?? 0) > 0 || shown
  return text === '' && embedded === 0 && attached === 0 && !built
}

const maxTotal = 6000

/** Whether a value is a list of embeds within Discord's limits; what is wrong goes to the form. */
function areEmbeds(value: unknown, path: string, form: Form): value is APIEmbed[] {
  let total = 0
  for (const [index, item] of form.list(value, path, 0, 10).entries()) {
    const at = join(path, index)
    const fields = form.fields(item, at)
    if (fields !== undefined) total += checkEmbed(fields, at, form)
  }
  if (total > maxTotal)
    form.fail(path, 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${maxTotal}`)
  return form.ok
}

function checkEmbed(fields: Fields, path: string, form: Form): number {
  const texts = [
    form.text(fields, 'title', path, { max: 256 }),
    form.text(fields, 'description', path, { max: 4096 }),
    inner(fields, 'footer', 'text', 2048, path, form),
    inner(fields, 'author', 'name', 256, path, form),
    ...checkFields(fields, path, form),
  ].filter((text) => text !== undefined)
  form.integer(fields, 'color', path, { min: 0, max: 0xffffff })
  for (const key of ['url', 'image', 'thumbnail']) embedUrl(fields[key], join(path, key), form)
  if (texts.length === 0 && !isFields(fields.image) && !isFields(fields.thumbnail))
    form.missing(join(path, 'description'))
  return texts.reduce((sum, text) => sum + text.length, 0)
}

function inner(
  fields: Fields,
  key: string,
  textKey: string,
  max: number,
  path: string,
  form: Form,
): string | undefined {
  const value = fields[key]
  if (value === undefined || value === null) return undefined
  const found = form.fields(value, join(path, key))
  return found && form.text(found, textKey, join(path, key), { max, required: true })
}

function checkFields(fields: Fields, path: string, form: Form): (string | undefined)[] {
  if (fields.fields === undefined || fields.fields === null) return []
  const at = join(path, 'fields')
  return form.list(fields.fields, at, 0, 25).flatMap((item, index) => {
    const field = form.fields(item, join(at, index))
    if (field === undefined) return []
    return [
      form.text(field, 'name', join(at, index), { min: 1, max: 256, required: true }),
      form.text(field, 'value', join(at, index), { min: 1, max: 1024, required: true }),
    ]
  })
}

function embedUrl(value: unknown, path: string, form: Form): void {
  const url = isFields(value) ? value.url : value
  if (typeof url === 'string') checkUrl(form, url, path, ['http:', 'https:', 'attachment:'])
}

/** Which pings a message may cause; undefined in a request means all that its text asks for. */
interface AllowedMentions {
  everyone: boolean
  users: 'all' | readonly string[]
  roles: 'all' | readonly string[]
}

/** Who a message pings. */
export interface Pings {
  everyone: boolean
  users: string[]
  roles: string[]
}

const kinds = ['roles', 'users', 'everyone']

/** Reads `allowed_mentions`; a kind may be allowed wholly or by ids, never both. */
function readAllowedMentions(fields: Fields, at: string, form: Form): AllowedMentions | undefined {
  const value = fields.allowed_mentions
  if (value === undefined || value === null) return undefined
  const path = join(at, 'allowed_mentions')
  const allowed = form.fields(value, path)
  if (allowed === undefined) return undefined
  const parse = strings(allowed.parse)
  for (const [index, kind] of parse.entries())
    if (!kinds.includes(kind))
      form.fail(
        join(path, `parse.${index}`),
        'BASE_TYPE_CHOICES',
        `Value must be one of {${kinds.join(', ')}}.`,
      )
  return {
    everyone: parse.includes('everyone'),
    users: which(allowed, 'users', parse, path, form),
    roles: which(allowed, 'roles', parse, path, form),
  }
}

function which(
  allowed: Fields,
  kind: string,
  parse: readonly string[],
  path: string,
  form: Form,
): 'all' | string[] {
  const ids = strings(allowed[kind])
  if (ids.length > 100)
    form.fail(join(path, kind), 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.')
  if (!parse.includes(kind)) return ids
  if (ids.length > 0)
    form.fail(
      path,
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
      `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    )
  return 'all'
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

const nobody: Pings = { everyone: false, users: [], roles: [] }

/** The pings a text causes. Code marks do not hide a mention here, so a test errs on the safe side. */
export function pingsOf(text: string, allowed: AllowedMentions | undefined): Pings {
  if (!text.includes('@')) return nobody
  const may = (list: 'all' | readonly string[] | undefined) => (id: string) =>
    list === undefined || list === 'all' || list.includes(id)
  return {
    everyone: /@(everyone|here)/.test(text) && (allowed?.everyone ?? true),
    users: ids(text, /<@!?(\d+)>/g).filter(may(allowed?.users)),
    roles: ids(text, /<@&(\d+)>/g).filter(may(allowed?.roles)),
  }
}

function ids(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), (match) => match[1] ?? ''))]
}

/** All text displays of a message, one a line: what Components V2 has in place of `content`. */
export function textOf(components: readonly APIMessageTopLevelComponent[]): string {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (!isFields(value)) return
    if (value.type === 10 && typeof value.content === 'string') found.push(value.content)
    if (Array.isArray(value.components)) value.components.forEach(visit)
  }
  components.forEach(visit)
  return found.join('\n')
}
