import {
  ComponentType,
  FileUploadBuilder,
  LabelBuilder,
  ModalBuilder,
  type ModalSubmitInteraction,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'
import { type CallbackStore, encodeForm } from '../core/callback-data.ts'
import type { Form, FormField } from '../core/conversation.ts'
import type { FilledForm } from '../core/incoming.ts'
import { harmless, shortenUnits } from '../core/text.ts'
import { t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { IncomingFiles } from './files.ts'

/** Limits of a modal: https://docs.discord.com/developers/components/reference */
const maxCustomId = 100
const maxLabel = 45
const maxDescription = 100
const maxPlaceholder = 100
const maxFields = 5
const maxText = 4000

/** Renders a form. @throws Error if it has too many fields, or its id can't be stored */
export async function modalOf(form: Form<string>, callbacks: CallbackStore): Promise<ModalBuilder> {
  if (form.fields.length > maxFields) {
    throw new Error(`A form has ${form.fields.length} fields; Discord shows ${maxFields}.`)
  }
  const id = await encodeForm(form.id, maxCustomId, callbacks)
  if (id === undefined) throw new Error('The id of a form could not be stored.')
  return new ModalBuilder()
    .setCustomId(id)
    .setTitle(oneLine(form.title, maxLabel) || '…')
    .addLabelComponents(form.fields.map(labelled))
}

function labelled(field: FormField<string>): LabelBuilder {
  const label = new LabelBuilder().setLabel(oneLine(field.label, maxLabel) || '…')
  const description = oneLine(field.about, maxDescription)
  if (description) label.setDescription(description)
  return field.kind === 'file'
    ? label.setFileUploadComponent(fileUpload(field))
    : label.setTextInputComponent(textInput(field))
}

function fileUpload({ id, required }: FormField<string>): FileUploadBuilder {
  return new FileUploadBuilder()
    .setCustomId(id)
    .setRequired(required)
    .setMinValues(required ? 1 : 0)
    .setMaxValues(1)
}

function textInput(field: FormField<string>): TextInputBuilder {
  const { id, kind, required, example = '', value = '', maxLength = maxText } = field
  const input = new TextInputBuilder()
    .setCustomId(id)
    .setStyle(kind === 'line' ? TextInputStyle.Short : TextInputStyle.Paragraph)
    .setRequired(required)
    // The current value may exceed max_length: it was validated in other units than Discord's, which are UTF-16.
    .setMaxLength(Math.min(maxText, Math.max(maxLength, value.length)))
  const placeholder = oneLine(example, maxPlaceholder)
  if (placeholder) input.setPlaceholder(placeholder)
  // A cut value would be submitted as the person's answer.
  if (value !== '' && value.length <= maxText) input.setValue(value)
  return input
}

function oneLine(text: string, maxLength: number): string {
  return shortenUnits(harmless(text).trim(), maxLength)
}

/** What was filled in, or why it can't be taken: there may be more than Discord's own clients allow. */
export function inputOf(
  { fields: { fields } }: ModalSubmitInteraction,
  files: IncomingFiles,
): FilledForm['input'] {
  const texts: [string, string][] = []
  for (const [id, field] of fields)
    if (field.type === ComponentType.TextInput) texts.push([id, field.value])
  const uploads = [...fields.values()].flatMap((field) =>
    field.type === ComponentType.FileUpload ? [...(field.attachments?.values() ?? [])] : [],
  )
  if (fields.size > maxFields || texts.some((pair) => pair.some(({ length }) => length > maxText)))
    return new UserError(t('discord-form-too-long'))
  return { text: '', fields: Object.fromEntries(texts), files: files(uploads) }
}
