import { type APIModalInteractionResponseCallbackData, ComponentType } from 'discord-api-types/v10'
import {
  checkCustomId,
  checkOptions,
  checkSelect,
  checkText,
  newTally,
  type Tally,
  typed,
} from './components.ts'
import { type Fields, type Form, join } from './form.ts'

const {
  ActionRow,
  ChannelSelect,
  Checkbox,
  CheckboxGroup,
  FileUpload,
  Label,
  MentionableSelect,
  RadioGroup,
  RoleSelect,
  StringSelect,
  TextDisplay,
  TextInput,
  UserSelect,
} = ComponentType

const inLabel = [
  TextInput,
  StringSelect,
  UserSelect,
  RoleSelect,
  MentionableSelect,
  ChannelSelect,
  FileUpload,
  RadioGroup,
  CheckboxGroup,
  Checkbox,
]

/** Whether a callback's `data` is a modal that Discord would show; what is wrong goes to the form. */
export function isModal(
  value: unknown,
  path: string,
  form: Form,
): value is APIModalInteractionResponseCallbackData {
  const fields = form.fields(value, path)
  if (fields === undefined) return false
  form.text(fields, 'title', path, { min: 1, max: 45, required: true })
  form.text(fields, 'custom_id', path, { min: 1, max: 100, required: true })
  const at = join(path, 'components')
  const tally = newTally(form, true)
  for (const [index, item] of form.list(fields.components, at, 1, 5).entries())
    checkTop(item, join(at, index), tally)
  return form.ok
}

function checkTop(value: unknown, path: string, tally: Tally): void {
  const found = typed(value, path, tally, [ActionRow, TextDisplay, Label])
  if (found === undefined) return
  if (found.type === TextDisplay) checkText(found.fields, path, tally)
  else if (found.type === Label) checkLabel(found.fields, path, tally)
  else checkOldRow(found.fields, path, tally)
}

/** The deprecated form: a row with exactly one text input that carries its own label. */
function checkOldRow(fields: Fields, path: string, tally: Tally): void {
  const at = join(path, 'components')
  for (const [index, item] of tally.form.list(fields.components, at, 1, 1).entries()) {
    const found = typed(item, join(at, index), tally, [TextInput])
    if (found === undefined) continue
    tally.form.text(found.fields, 'label', join(at, index), { min: 1, max: 45, required: true })
    checkInput(found.fields, join(at, index), tally)
  }
}

function checkLabel(fields: Fields, path: string, tally: Tally): void {
  tally.form.text(fields, 'label', path, { min: 1, max: 45, required: true })
  tally.form.text(fields, 'description', path, { max: 100 })
  const at = join(path, 'component')
  if (fields.component === undefined) {
    tally.form.missing(at)
    return
  }
  const found = typed(fields.component, at, tally, inLabel)
  if (found === undefined) return
  if (found.type === TextInput) checkInput(found.fields, at, tally)
  else if (found.type === FileUpload) checkUpload(found.fields, at, tally)
  else if (found.type === RadioGroup) checkGroup(found.fields, at, tally, 2)
  else if (found.type === CheckboxGroup) checkGroup(found.fields, at, tally, 1)
  else if (found.type === Checkbox) checkCustomId(found.fields, at, tally)
  else checkSelect(found.fields, found.type, at, tally)
}

function checkInput(fields: Fields, path: string, tally: Tally): void {
  const { form } = tally
  checkCustomId(fields, path, tally)
  form.choice(fields, 'style', path, [1, 2])
  const min = form.integer(fields, 'min_length', path, { min: 0, max: 4000 }) ?? 0
  const max = form.integer(fields, 'max_length', path, { min: 1, max: 4000 }) ?? 4000
  if (min > max)
    form.fail(join(path, 'min_length'), 'NUMBER_TYPE_MAX', 'min_length cannot exceed max_length.')
  form.boolean(fields, 'required', path)
  form.text(fields, 'value', path, { max })
  form.text(fields, 'placeholder', path, { max: 100 })
}

function checkUpload(fields: Fields, path: string, tally: Tally): void {
  const { form } = tally
  checkCustomId(fields, path, tally)
  const min = form.integer(fields, 'min_values', path, { min: 0, max: 10 }) ?? 1
  const max = form.integer(fields, 'max_values', path, { min: 1, max: 10 }) ?? 1
  const required = form.boolean(fields, 'required', path) ?? true
  if (min > max || (required && min === 0))
    form.fail(join(path, 'min_values'), 'NUMBER_TYPE_MIN', 'min_values does not fit.')
}

function checkGroup(fields: Fields, path: string, tally: Tally, least: number): void {
  checkCustomId(fields, path, tally)
  const at = join(path, 'options')
  checkOptions(tally.form.list(fields.options, at, least, 10), at, tally.form)
  tally.form.integer(fields, 'min_values', path, { min: 0, max: 10 })
  tally.form.integer(fields, 'max_values', path, { min: 1, max: 10 })
  tally.form.boolean(fields, 'required', path)
}
