import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  InteractionResponseType,
  TextInputStyle,
} from 'discord.js'
import { type CallbackStore, decodeForm, encodeForm } from '../core/callback-data.ts'
import type { Form, FormField, Input } from '../core/conversation.ts'
import type { Answer } from '../core/dispatch.ts'
import { withTimeout } from '../core/retry.ts'
import { harmless, shortenUnits } from '../core/text.ts'
import { UserError } from '../errors.ts'
import {
  type AnswerParts,
  callback,
  contextOf,
  InteractionReply,
  isDiscords,
  respond,
} from './answer.ts'
import type { FilledForm, Press } from './incoming.ts'

/** Milliseconds. A form can't follow a deferral, and Discord waits 3 s: this leaves time to answer that it took too long. */
const formDeadline = 2_000

/** Opens the form of a pressed button; if that is not possible, answers why, ephemerally. */
export async function onFormPress(
  parts: AnswerParts,
  interaction: Press,
  data: string,
): Promise<void> {
  const { bot, lines } = parts
  const { user, chat, isPrivate } = interaction
  const line = await decodeForm(data, lines)
  const context = contextOf(parts, user, chat, { ephemeral: true, isPrivate })
  const asking = line === undefined ? tooOld : bot.form(line, context)
  const form = (await withTimeout(Promise.resolve<Form | Answer>(asking), formDeadline)) ?? tooSlow
  const answer = 'view' in form ? form : await openForm(parts, interaction, form, line ?? '')
  if (!answer) return
  const manner = { inPlace: false, hidden: !isPrivate }
  await new InteractionReply(parts, interaction, manner).finish(line ?? '', answer)
}

/** Shows the form; returns an answer to show instead if it can't be rendered. */
async function openForm(
  parts: AnswerParts,
  interaction: Press,
  form: Form,
  line: string,
): Promise<Answer | undefined> {
  try {
    const data = await modalOf(form, parts.lines)
    await callback(parts, interaction, { type: InteractionResponseType.Modal, data })
    return undefined
  } catch (error) {
    if (isDiscords(error)) throw error
    return parts.bot.explain(error, line)
  }
}

/** Answers a submitted form. The answer replaces the form's message if only this person sees it. */
export async function onModalSubmit(parts: AnswerParts, interaction: FilledForm): Promise<void> {
  const { bot, lines } = parts
  const { user, chat, isPrivate, message } = interaction
  const { private: hidden } = accessOf(interaction)
  const manner = { inPlace: message !== undefined && hidden, hidden: !isPrivate }
  const context = contextOf(parts, user, chat, { ephemeral: true, isPrivate })
  const form = await decodeForm(interaction.form, lines)
  await respond(new InteractionReply(parts, interaction, manner), '', async (show) => {
    if (form === undefined) return tooOld
    try {
      return await bot.receive(inputFrom(parts, interaction, form), bot.parse(''), context, show)
    } catch (error) {
      return bot.explain(error, '')
    }
  })
}

const tooOld = refusal('This form is too old', 'Send the command again.')
const tooSlow = refusal('That took too long', 'Press the button again.')

function refusal(title: string, words: string): Answer {
  const blocks = [{ kind: 'text' as const, spans: [words] }]
  return { view: { title: [title], tone: 'warn', blocks }, outcome: 'refused' }
}

/** Limits of a modal: https://docs.discord.com/developers/components/reference */
const maxCustomId = 100
const maxLabel = 45
const maxDescription = 100
const maxPlaceholder = 100
const maxFields = 5
const maxText = 4000

/** Renders a form as a modal. @throws Error if it has too many fields, or its id can't be stored */
async function modalOf(
  form: Form,
  lines: CallbackStore,
): Promise<APIModalInteractionResponseCallbackData> {
  if (form.fields.length > maxFields) {
    throw new Error(`A form has ${form.fields.length} fields; Discord shows ${maxFields}.`)
  }
  const custom_id = await encodeForm(form.id, maxCustomId, lines)
  if (custom_id === undefined) throw new Error('The id of a form could not be stored.')
  return {
    custom_id,
    title: oneLine(form.title, maxLabel) || '…',
    components: form.fields.map(labelled),
  }
}

function labelled(field: FormField): APILabelComponent {
  const description = oneLine(field.about, maxDescription)
  return {
    type: ComponentType.Label,
    label: oneLine(field.label, maxLabel) || '…',
    ...(description && { description }),
    component: field.kind === 'file' ? fileUpload(field) : textInput(field),
  }
}

function fileUpload({ id, required }: FormField): APILabelComponent['component'] {
  const min_values = required ? 1 : 0
  return { type: ComponentType.FileUpload, custom_id: id, required, min_values, max_values: 1 }
}

function textInput(field: FormField): APILabelComponent['component'] {
  const { id, kind, required, example = '', value = '', maxLength = maxText } = field
  const placeholder = oneLine(example, maxPlaceholder)
  return {
    type: ComponentType.TextInput,
    custom_id: id,
    style: kind === 'line' ? TextInputStyle.Short : TextInputStyle.Paragraph,
    required,
    // The current value may exceed max_length: it was validated in other units than Discord's, which are UTF-16.
    max_length: Math.min(maxText, Math.max(maxLength, value.length)),
    ...(placeholder && { placeholder }),
    // A cut value would be submitted as the person's answer.
    ...(value !== '' && value.length <= maxText && { value }),
  }
}

function oneLine(text: string, maxLength: number): string {
  return shortenUnits(harmless(text).trim(), maxLength)
}

/**
 * The input of a submitted modal; empty fields are empty texts. @throws UserError if there is more than Discord's clients
 * allow
 */
function inputFrom(
  { files }: AnswerParts,
  { fields, texts, files: uploaded }: FilledForm,
  form: string,
): Input {
  if (fields > maxFields || texts.some((pair) => pair.some(({ length }) => length > maxText))) {
    throw new UserError('That is too long. Open the form again and write less.')
  }
  return { text: '', fields: Object.fromEntries(texts), files: files(uploaded), form }
}

/** The readers of a message whose control was used, and whether the user may change it. */
interface MessageAccess {
  /** Only this person sees it: it is in the private chat, or ephemeral. */
  private: boolean
  /**
   * It answers this person. In a server, other people's presses are answered ephemerally, as are all presses of messages
   * that answer nobody.
   */
  own: boolean
}

export function accessOf({ message, isPrivate, user }: Press | FilledForm): MessageAccess {
  const hidden = message?.hidden ?? false
  return {
    private: isPrivate || hidden,
    own: isPrivate || hidden || message?.invoker === user,
  }
}
