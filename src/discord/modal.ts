import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  TextInputStyle,
} from 'discord.js'
import { encodeForm, type LineKeeper } from '../chat/control.ts'
import type { Form, FormField, Heard } from '../chat/conversation.ts'
import { harmless, shortenUnits } from '../chat/text.ts'
import { UserError } from '../errors.ts'
import type { AnswerParts } from './answering.ts'
import type { FilledForm } from './incoming.ts'

/** Limits of a modal: https://docs.discord.com/developers/components/reference */
const mostCustomId = 100
const mostLabel = 45
const mostDescription = 100
const mostPlaceholder = 100
const mostFields = 5
const mostText = 4000

/** A form as Discord shows it. @throws Error where it has more fields than fit, or its id can't be kept. */
export async function modalOf(
  form: Form,
  lines: LineKeeper,
): Promise<APIModalInteractionResponseCallbackData> {
  if (form.fields.length > mostFields) {
    throw new Error(`A form has ${form.fields.length} fields; Discord shows ${mostFields}.`)
  }
  const custom_id = await encodeForm(form.id, mostCustomId, lines)
  if (custom_id === undefined) throw new Error('The id of a form could not be stored.')
  return {
    custom_id,
    title: oneLine(form.title, mostLabel) || '…',
    components: form.fields.map(labelled),
  }
}

function labelled(field: FormField): APILabelComponent {
  const description = oneLine(field.about, mostDescription)
  return {
    type: ComponentType.Label,
    label: oneLine(field.label, mostLabel) || '…',
    ...(description && { description }),
    component: field.kind === 'file' ? fileUpload(field) : textInput(field),
  }
}

function fileUpload({ id, required }: FormField): APILabelComponent['component'] {
  const min_values = required ? 1 : 0
  return { type: ComponentType.FileUpload, custom_id: id, required, min_values, max_values: 1 }
}

function textInput(field: FormField): APILabelComponent['component'] {
  const { id, kind, required, example = '', value = '', most = mostText } = field
  const placeholder = oneLine(example, mostPlaceholder)
  return {
    type: ComponentType.TextInput,
    custom_id: id,
    style: kind === 'line' ? TextInputStyle.Short : TextInputStyle.Paragraph,
    required,
    // What is there already was let in by other rules than Discord's, which counts UTF-16 units.
    max_length: Math.min(mostText, Math.max(most, value.length)),
    ...(placeholder && { placeholder }),
    // Cut, it would be sent back as the person's answer.
    ...(value !== '' && value.length <= mostText && { value }),
  }
}

function oneLine(text: string, most: number): string {
  return shortenUnits(harmless(text).trim(), most)
}

/**
 * What was filled into a modal; fields that were left empty are empty texts. @throws UserError where there is more than
 * Discord lets anybody fill in.
 */
export function heardFrom(
  { files }: AnswerParts,
  { fields, texts, files: uploaded }: FilledForm,
  form: string,
): Heard {
  if (fields > mostFields || texts.some((pair) => pair.some(({ length }) => length > mostText))) {
    throw new UserError('That is too long. Open the form again and write less.')
  }
  return { words: '', named: Object.fromEntries(texts), files: files(uploaded), form }
}
