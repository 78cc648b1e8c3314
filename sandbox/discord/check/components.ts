import { type APIMessageTopLevelComponent, ComponentType } from 'discord-api-types/v10'
import { checkUrl, type Fields, type Form, join } from '../form.ts'
import { Refusal } from '../refusal.ts'
import { checkButton, checkSelect, newTally, type Tally, typed } from './controls.ts'

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
export interface CheckedComponents {
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
