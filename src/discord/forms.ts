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

/** No form can follow an announcement, and Discord waits 3 s for it: this leaves the time to say that it was too slow. */
const formDeadline = 2_000

/** A press of the button that opens a form; whatever there is to say instead is for the presser alone. */
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
  const answer = 'view' in form ? form : await opened(parts, interaction, form, line ?? '')
  if (!answer) return
  const manner = { inPlace: false, hidden: !isPrivate }
  await new InteractionReply(parts, interaction, manner).finish(line ?? '', answer)
}

/** Shows the form; where that can't be done, what to say of it. */
async function opened(
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

/** A form that was filled in: the answer takes the place of a message that nobody else sees. */
export async function onModalSubmit(parts: AnswerParts, interaction: FilledForm): Promise<void> {
  const { bot, lines } = parts
  const { user, chat, isPrivate, message } = interaction
  const { private: hidden } = whose(interaction)
  const manner = { inPlace: message !== undefined && hidden, hidden: !isPrivate }
  const context = contextOf(parts, user, chat, { ephemeral: true, isPrivate })
  const form = await decodeForm(interaction.form, lines)
  await respond(new InteractionReply(parts, interaction, manner), '', async (show) => {
    if (form === undefined) return tooOld
    try {
      return await bot.receive(heardFrom(parts, interaction, form), '', context, show)
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

/** A form as Discord shows it. @throws Error where it has more fields than fit, or its id can't be kept. */
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
  const { id, kind, required, example = '', value = '', most = maxText } = field
  const placeholder = oneLine(example, maxPlaceholder)
  return {
    type: ComponentType.TextInput,
    custom_id: id,
    style: kind === 'line' ? TextInputStyle.Short : TextInputStyle.Paragraph,
    required,
    // What is there already was let in by other rules than Discord's, which counts UTF-16 units.
    max_length: Math.min(maxText, Math.max(most, value.length)),
    ...(placeholder && { placeholder }),
    // Cut, it would be sent back as the person's answer.
    ...(value !== '' && value.length <= maxText && { value }),
  }
}

function oneLine(text: string, most: number): string {
  return shortenUnits(harmless(text).trim(), most)
}

/**
 * What was filled into a modal; fields that were left empty are empty texts. @throws UserError where there is more than
 * Discord lets anybody fill in.
 */
function heardFrom(
  { files }: AnswerParts,
  { fields, texts, files: uploaded }: FilledForm,
  form: string,
): Input {
  if (fields > maxFields || texts.some((pair) => pair.some(({ length }) => length > maxText))) {
    throw new UserError('That is too long. Open the form again and write less.')
  }
  return { text: '', named: Object.fromEntries(texts), files: files(uploaded), form }
}

/** Whose the message is that somebody used. */
interface Whose {
  /** Nobody else sees it: it stands in the private chat, or in a server for this person alone. */
  private: boolean
  /**
   * In a server a message belongs to who asked for it: what others press opens for them alone. What the bot wrote
   * unasked belongs to nobody.
   */
  own: boolean
}

export function whose({ message, isPrivate, user }: Press | FilledForm): Whose {
  const hidden = message?.hidden ?? false
  return {
    private: isPrivate || hidden,
    own: isPrivate || hidden || message?.permissions === user,
  }
}
