import { type APIMessageTopLevelComponent, ButtonStyle, ComponentType } from 'discord-api-types/v10'
import { checkUrl, type Fields, type Form, isFields, join, Refusal } from './form.ts'

const {
  ActionRow,
  Button,
  ChannelSelect,
  Container,
  File,
  MediaGallery,
  MentionableSelect,
  RoleSelect,
  Section,
  Separator,
  StringSelect,
  TextDisplay,
  Thumbnail,
  UserSelect,
} = ComponentType

const inContainer = [ActionRow, Section, TextDisplay, MediaGallery, File, Separator]
const inV2 = [...inContainer, Container]
const inRow = [Button, StringSelect, UserSelect, RoleSelect, MentionableSelect, ChannelSelect]

const maxComponents = 40
const maxCharacters = 4000
// Above this Discord answers 500 (discord-api-docs issue 8554): UTF-8 bytes and 12 for each text.
const maxTextBytes = 10_170

/** Components that passed every check, with the attachments they refer to. */
interface CheckedComponents {
  components: APIMessageTopLevelComponent[]
  references: Tally['references']
}

/**
 * Checks a message's components: as Components V2 where the flag is set, else as rows only.
 * Wrong fields are added to the form; the result is usable only if the form is still fine.
 */
export function checkComponents(
  value: unknown,
  path: string,
  form: Form,
  v2: boolean,
): CheckedComponents {
  const tally = newTally(form, false)
  const components: unknown[] = form.list(value, path, 0, v2 ? Number.MAX_SAFE_INTEGER : 5)
  if (!areSound(components, path, tally, v2)) return { components: [], references: [] }
  return { components, references: tally.references }
}

function areSound(
  components: unknown[],
  path: string,
  tally: Tally,
  v2: boolean,
): components is APIMessageTopLevelComponent[] {
  for (const [index, component] of components.entries())
    checkOne(component, join(path, index), tally, v2 ? inV2 : [ActionRow])
  if (v2) checkTotals(path, tally)
  return tally.form.ok
}

function checkTotals(path: string, tally: Tally): void {
  if (tally.count > maxComponents)
    tally.form.fail(
      path,
      'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      `Total number of components cannot exceed ${maxComponents}`,
    )
  if (tally.characters > maxCharacters)
    tally.form.fail(
      path,
      'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      `Displayable text size exceeds maximum size of ${maxCharacters}`,
    )
  if (tally.form.ok && tally.bytes + 12 * tally.texts > maxTextBytes)
    throw new Refusal(500, 0, '500: Internal Server Error')
}

/** Checks one component at a place which takes only the given types. */
function checkOne(
  value: unknown,
  path: string,
  tally: Tally,
  allowed: readonly ComponentType[],
): void {
  const found = typed(value, path, tally, allowed)
  if (found === undefined) return
  if (found.type === Button) checkButton(found.fields, path, tally)
  else if (inRow.includes(found.type)) checkSelect(found.fields, found.type, path, tally)
  else layouts[found.type]?.(found.fields, path, tally)
}

type Check = (fields: Fields, path: string, tally: Tally) => void

const layouts: { [type in ComponentType]?: Check } = {
  [ActionRow]: checkRow,
  [Section]: checkSection,
  [TextDisplay]: checkText,
  [Thumbnail]: (fields, path, tally) => checkMedia(fields, path, tally),
  [MediaGallery]: checkGallery,
  [File]: checkFile,
  [Separator]: checkSeparator,
  [Container]: checkContainer,
}

function checkRow(fields: Fields, path: string, tally: Tally): void {
  const at = join(path, 'components')
  const items = tally.form.list(fields.components, at, 1, 5)
  let selects = 0
  for (const [index, item] of items.entries()) {
    checkOne(item, join(at, index), tally, inRow)
    if (typeof item === 'object' && item !== null && 'type' in item && item.type !== Button)
      selects++
    if (selects > 0 && index > 0)
      tally.form.fail(
        join(at, index),
        'COMPONENT_LAYOUT_WIDTH_EXCEEDED',
        'The specified component exceeds the maximum width',
      )
  }
}

function checkSection(fields: Fields, path: string, tally: Tally): void {
  const at = join(path, 'components')
  for (const [index, item] of tally.form.list(fields.components, at, 1, 3).entries())
    checkOne(item, join(at, index), tally, [TextDisplay])
  const accessory = join(path, 'accessory')
  if (fields.accessory === undefined || fields.accessory === null) {
    tally.form.missing(accessory)
    return
  }
  checkOne(fields.accessory, accessory, tally, [Button, Thumbnail])
}

export function checkText(fields: Fields, path: string, tally: Tally): void {
  const text = tally.form.text(fields, 'content', path, {
    min: 1,
    max: maxCharacters,
    required: true,
  })
  if (text === undefined) return
  if (text.trim() === '') tally.form.missing(join(path, 'content'))
  tally.texts++
  tally.characters += text.length
  tally.bytes += Buffer.byteLength(text)
}

function checkGallery(fields: Fields, path: string, tally: Tally): void {
  const at = join(path, 'items')
  for (const [index, item] of tally.form.list(fields.items, at, 1, 10).entries()) {
    const found = tally.form.fields(item, join(at, index))
    if (found !== undefined) checkMedia(found, join(at, index), tally)
  }
}

function checkFile(fields: Fields, path: string, tally: Tally): void {
  checkMediaUrl(fields.file, join(path, 'file'), tally, ['attachment:'])
  tally.form.boolean(fields, 'spoiler', path)
}

function checkMedia(fields: Fields, path: string, tally: Tally): void {
  checkMediaUrl(fields.media, join(path, 'media'), tally, ['http:', 'https:', 'attachment:'])
  tally.form.text(fields, 'description', path, { max: 1024 })
  tally.form.boolean(fields, 'spoiler', path)
}

function checkMediaUrl(value: unknown, path: string, tally: Tally, schemes: string[]): void {
  if (value === undefined || value === null) {
    tally.form.missing(path)
    return
  }
  const media = tally.form.fields(value, path)
  if (media === undefined) return
  const url = tally.form.text(media, 'url', path, { min: 1, max: 2048, required: true })
  if (url === undefined) return
  checkUrl(tally.form, url, join(path, 'url'), schemes)
  if (url.startsWith('attachment://'))
    tally.references.push({ name: url.slice('attachment://'.length), path: join(path, 'url') })
}

function checkSeparator(fields: Fields, path: string, tally: Tally): void {
  tally.form.boolean(fields, 'divider', path)
  if (fields.spacing !== undefined && fields.spacing !== null)
    tally.form.choice(fields, 'spacing', path, [1, 2])
}

function checkContainer(fields: Fields, path: string, tally: Tally): void {
  const at = join(path, 'components')
  const items = tally.form.list(fields.components, at, 1, maxComponents)
  for (const [index, item] of items.entries()) checkOne(item, join(at, index), tally, inContainer)
  tally.form.integer(fields, 'accent_color', path, { min: 0, max: 0xffffff })
  tally.form.boolean(fields, 'spoiler', path)
}

/** What is gathered while walking the components of one message or modal. */
export interface Tally {
  form: Form
  /** All components, nested ones included. */
  count: number
  /** Characters and UTF-8 bytes over all text displays. */
  characters: number
  bytes: number
  texts: number
  customIds: Set<string>
  ids: Set<number>
  /** `attachment://` references with the path they stand at. */
  references: { name: string; path: string }[]
  inModal: boolean
}

export function newTally(form: Form, inModal: boolean): Tally {
  return {
    form,
    count: 0,
    characters: 0,
    bytes: 0,
    texts: 0,
    customIds: new Set(),
    ids: new Set(),
    references: [],
    inModal,
  }
}

/** The types of component a parent may hold are given; says which one this is, or fails as Discord does. */
export function typed(
  value: unknown,
  path: string,
  tally: Tally,
  allowed: readonly ComponentType[],
): { fields: Fields; type: ComponentType } | undefined {
  const fields = tally.form.fields(value, path)
  if (fields === undefined) return undefined
  const type = allowed.find((candidate) => candidate === fields.type)
  if (type === undefined) {
    const list = allowed.length === 1 ? `${allowed[0]},` : allowed.join(', ')
    const message = `Value of field "type" must be one of (${list}).`
    if (fields.type === undefined) tally.form.missing(join(path, 'type'))
    else tally.form.fail(path, 'UNION_TYPE_CHOICES', message)
    return undefined
  }
  tally.count++
  checkId(fields, path, tally)
  return { fields, type }
}

function checkId(fields: Fields, path: string, tally: Tally): void {
  const id = tally.form.integer(fields, 'id', path, { min: 0, max: 0x7fff_ffff })
  if (id === undefined || id === 0) return
  if (tally.ids.has(id))
    tally.form.fail(
      join(path, 'id'),
      'COMPONENT_ID_DUPLICATED',
      'Component id cannot be duplicated',
    )
  tally.ids.add(id)
}

export function checkCustomId(fields: Fields, path: string, tally: Tally): void {
  const id = tally.form.text(fields, 'custom_id', path, { min: 1, max: 100, required: true })
  if (id === undefined) return
  if (tally.customIds.has(id))
    tally.form.fail(
      join(path, 'custom_id'),
      'COMPONENT_CUSTOM_ID_DUPLICATED',
      'Component custom id cannot be duplicated',
    )
  tally.customIds.add(id)
}

function checkEmoji(fields: Fields, path: string, form: Form): void {
  const emoji = fields.emoji
  if (emoji === undefined || emoji === null) return
  const valid =
    isFields(emoji) &&
    (typeof emoji.id === 'string' ||
      (typeof emoji.name === 'string' &&
        /\p{Extended_Pictographic}|\p{RI}|[#*\d]\ufe0f?\u20e3/u.test(emoji.name)))
  if (!valid) form.fail(join(path, 'emoji.name'), 'BUTTON_COMPONENT_INVALID_EMOJI', 'Invalid emoji')
}

const buttonStyles = [1, 2, 3, 4, 5, 6]

function checkButton(fields: Fields, path: string, tally: Tally): void {
  const { form } = tally
  const style = form.choice(fields, 'style', path, buttonStyles)
  const label = form.text(fields, 'label', path, { max: 80 })
  form.boolean(fields, 'disabled', path)
  checkEmoji(fields, path, form)
  const bare = !label && !isFields(fields.emoji)
  if (bare && style !== ButtonStyle.Premium)
    form.fail(
      join(path, 'label'),
      'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED',
      'A label or an emoji is required',
    )
  if (style === ButtonStyle.Link) checkLink(fields, path, form)
  else if (style === ButtonStyle.Premium)
    form.text(fields, 'sku_id', path, { max: 20, required: true })
  else checkPress(fields, path, tally)
}

function checkLink(fields: Fields, path: string, form: Form): void {
  const url = form.text(fields, 'url', path, { min: 1, max: 512, required: true })
  if (url !== undefined) checkUrl(form, url, join(path, 'url'), ['http:', 'https:', 'discord:'])
  if (typeof fields.custom_id === 'string') exclusive(form, path)
}

function checkPress(fields: Fields, path: string, tally: Tally): void {
  if (typeof fields.url === 'string') exclusive(tally.form, path)
  if (typeof fields.custom_id === 'string') checkCustomId(fields, path, tally)
  else
    tally.form.fail(
      join(path, 'custom_id'),
      'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED',
      'A custom id is required',
    )
}

function exclusive(form: Form, path: string): void {
  form.fail(
    join(path, 'custom_id'),
    'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    'A custom id and url cannot both be specified',
  )
}

/** Any select: string selects bring their own options, the others are filled by Discord. */
export function checkSelect(fields: Fields, type: ComponentType, path: string, tally: Tally): void {
  const { form } = tally
  checkCustomId(fields, path, tally)
  form.text(fields, 'placeholder', path, { max: 150 })
  const min = form.integer(fields, 'min_values', path, { min: 0, max: 25 }) ?? 1
  const max = form.integer(fields, 'max_values', path, { min: 1, max: 25 }) ?? 1
  const disabled = form.boolean(fields, 'disabled', path)
  const required = form.boolean(fields, 'required', path) ?? true
  if (min > max)
    form.fail(join(path, 'min_values'), 'NUMBER_TYPE_MAX', 'min_values cannot exceed max_values.')
  if (tally.inModal && disabled)
    form.fail(
      join(path, 'disabled'),
      'COMPONENT_DISABLED_IN_MODAL',
      'Cannot be disabled in a modal',
    )
  if (tally.inModal && required && min === 0)
    form.fail(join(path, 'min_values'), 'NUMBER_TYPE_MIN', 'Required selects need at least 1.')
  if (type !== ComponentType.StringSelect) return
  const options = form.list(fields.options, join(path, 'options'), 1, 25)
  checkOptions(options, join(path, 'options'), form)
  if (max > options.length && options.length > 0)
    form.fail(
      join(path, 'max_values'),
      'BASE_TYPE_BAD_LENGTH',
      `max_values cannot exceed the ${options.length} options.`,
    )
}

/** Options of a string select, a radio group or a checkbox group. */
export function checkOptions(options: readonly unknown[], path: string, form: Form): void {
  const seen = new Set<string>()
  for (const [index, option] of options.entries()) {
    const at = join(path, index)
    const fields = form.fields(option, at)
    if (fields === undefined) continue
    form.text(fields, 'label', at, { min: 1, max: 100, required: true })
    form.text(fields, 'description', at, { max: 100 })
    const value = form.text(fields, 'value', at, { min: 1, max: 100, required: true })
    if (value === undefined) continue
    if (seen.has(value))
      form.fail(
        at,
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
      )
    seen.add(value)
  }
}
