import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  Routes,
  TextInputStyle,
} from 'discord.js'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { ThrottledEditor } from '../core/adapter.ts'
import {
  type CallbackStore,
  decodeForm,
  decodePress,
  encodeForm,
  namesForm,
} from '../core/callback-data.ts'
import { type Locale, localise } from '../core/catalogue.ts'
import { type Context, readMessage, withoutChatOption } from '../core/command.ts'
import type { Form, FormField, Input } from '../core/conversation.ts'
import type { Answer } from '../core/dispatch.ts'
import { withTimeout } from '../core/task.ts'
import { harmless, shortenUnits } from '../core/text.ts'
import { type Message, t, type View } from '../core/view.ts'
import { UserError } from '../errors.ts'
import {
  type AnswerParts,
  contextOf,
  InteractionReply,
  isDiscords,
  progress,
  type Rendered,
  type Reply,
  respond,
  sendResponse,
  shownOrExplained,
} from './answer.ts'
import { lineOfUse } from './commands.ts'
import type {
  CommandUse,
  FilledForm,
  Interaction,
  Press,
  Typing,
  WrittenMessage,
} from './incoming.ts'
import { pressData } from './render.ts'

/** The kinds of update as they are counted. */
export const updateKinds = ['command', 'autocomplete', 'component', 'form', 'message'] as const
type UpdateKind = (typeof updateKinds)[number]

interface HandlingParts {
  /** Dependencies of the handlers; called for each interaction, since some are known only after the start. */
  answering: () => AnswerParts
  /** Called for each update, with its kind. */
  onUpdate: (kind: UpdateKind) => void
  /** Called with the channel of a person's private chat. */
  onPrivateChat: (person: string, channel: string) => void
}

/** Maximum ids that are cached for deduplication: those of some minutes at hundreds a second. */
const maxSeen = 50_000

/**
 * Handles each interaction and message once, and tracks those under way.
 *
 * Other processes receive other shards. Only while a leader that was frozen comes back
 * beside the next one, two may receive the same: then Discord accepts one response to an interaction, a draft is
 * changed once (`Context.update`), and what a message in a private chat only shows may be shown twice.
 */
export class Handling {
  readonly #parts: HandlingParts
  /** Discord may send an event several times: https://docs.discord.com/developers/reference#consistency */
  readonly #seen = new LRUCache<string, true>({ max: maxSeen })
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: HandlingParts) {
    this.#parts = parts
  }

  interaction(interaction: Interaction): void {
    const { id, kind, user, chat, isPrivate } = interaction
    this.#take(id, kind, async (parts) => {
      if (isPrivate) this.#parts.onPrivateChat(user, chat)
      await onInteraction(parts, interaction)
    })
  }

  message(message: WrittenMessage): void {
    const { id, isBot, isPrivate, author, chat } = message
    if (isBot || !isPrivate) return
    this.#take(id, 'message', async (parts) => {
      this.#parts.onPrivateChat(author, chat)
      await onDirectMessage(parts, message)
    })
  }

  /** Waits up to `milliseconds` for the handlers under way. */
  async end(milliseconds: number): Promise<void> {
    await withTimeout(Promise.allSettled(this.#underWay), milliseconds)
  }

  #take(id: string, kind: UpdateKind, handle: (parts: AnswerParts) => Promise<void>): void {
    if (this.#seen.has(id)) return
    this.#seen.set(id, true)
    const { answering, onUpdate } = this.#parts
    onUpdate(kind)
    const parts = answering()
    const tracked = handle(parts)
      .catch(parts.report)
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }
}

/** Handles an interaction: runs it as a command line, and shows the answer. */
async function onInteraction(parts: AnswerParts, interaction: Interaction) {
  if (interaction.kind === 'command') return onSlash(parts, interaction)
  if (interaction.kind === 'autocomplete') return onAutocomplete(parts, interaction)
  if (interaction.kind === 'component') return onComponent(parts, interaction)
  return onModalSubmit(parts, interaction)
}

async function onSlash(parts: AnswerParts, interaction: CommandUse) {
  const { dispatch } = parts
  const { chat, isPrivate, isGuest } = interaction
  const line = lineOfUse(interaction, dispatch.menu, isPrivate || isGuest ? undefined : chat)
  const command = dispatch.parse(line)
  const ephemeral = isPrivate || command.ephemeral || command.forAsker
  const context = contextOf(parts, interaction, { ephemeral, isPrivate })
  const reply = new InteractionReply(parts, interaction, context, {
    inPlace: false,
    ephemeral: ephemeral && !isPrivate,
  })
  await respond(parts, reply, line, (show) => dispatch.answer(command, context, show))
}

async function onComponent(parts: AnswerParts, interaction: Press) {
  const { dispatch, callbacks } = parts
  const { isPrivate, chosen } = interaction
  const data = pressData(chosen)
  if (namesForm(data)) return onFormPress(parts, interaction, data)
  const press = await decodePress(data, callbacks)
  const line = press?.line ?? ''
  const command = dispatch.parse(line)
  const access = accessOf(interaction)
  const isForAll = access.isAddressee && !command.ephemeral && !command.forAsker
  const ephemeral = access.isSoleReader || !isForAll
  // An ephemeral answer never replaces a public message.
  const inPlace =
    press?.asNew === false && access.isAddressee && (access.isSoleReader || !ephemeral)
  const context = contextOf(parts, interaction, { ephemeral, isPrivate })
  const reply = new InteractionReply(parts, interaction, context, {
    inPlace,
    origin: interaction.message.origin,
    ephemeral: ephemeral && !isPrivate,
  })
  await respond(parts, reply, line, async (show) =>
    press || dispatch.isBlocked(context)
      ? dispatch.answer(command, context, show)
      : refusal(tooOld, dispatch.localeOf(context)),
  )
}

async function onAutocomplete(parts: AnswerParts, interaction: Typing) {
  const { name: command, option, typed, isPrivate } = interaction
  const context = contextOf(parts, interaction, { ephemeral: true, isPrivate })
  const found = await parts.dispatch.complete({ command, option, typed }, context)
  const choices = found
    .filter((choice) => choice.value.length <= 100)
    .slice(0, 25)
    .map((choice) => ({
      name: shortenUnits(harmless(choice.label).trim(), 100) || choice.value,
      value: choice.value,
    }))
  const type = InteractionResponseType.ApplicationCommandAutocompleteResult
  await sendResponse(parts, interaction, { type, data: { choices } })
}

/** Handles a message in a private chat: a command as text, or text and files that the bot asked for. */
async function onDirectMessage(parts: AnswerParts, message: WrittenMessage): Promise<void> {
  const { dispatch, username, files } = parts
  const { id, content, chat, author } = message
  const reading = readMessage(content, username)
  if (reading.kind === 'elsewhere') return
  const command = withoutChatOption(dispatch.parse(reading.line))
  const context = contextOf(parts, { id, user: author, chat }, { ephemeral: true, isPrivate: true })
  const reply = new DirectReply(parts, context)
  await respond(parts, reply, command.line, (show) => {
    if (reading.kind === 'command') return dispatch.answer(command, context, show)
    const input = { text: content, fields: {}, files: files(message.files) }
    return dispatch.receive(input, command, context, show)
  })
}

const posted = z.object({ id: z.string() })

/** An answer in a private chat: sent once, then edited. */
class DirectReply implements Reply {
  readonly show
  readonly #parts: AnswerParts
  readonly #context: Context
  readonly #progress: ThrottledEditor
  #message: string | undefined

  constructor(parts: AnswerParts, context: Context) {
    this.#parts = parts
    this.#context = context
    this.#progress = progress(parts, async (view) => this.#put(await parts.render(view)))
    this.show = this.#progress.show
  }

  async announce(): Promise<void> {
    const { rest } = this.#parts
    // Ignored: the answer may still arrive.
    await rest.post(Routes.channelTyping(this.#context.chat)).catch(() => undefined)
  }

  async finish(line: string, answer: Answer): Promise<void> {
    await this.#progress.end()
    if (answer.repeated) return
    await shownOrExplained(this.#parts, line, this.#context, answer, (message) =>
      this.#put(message),
    )
  }

  async #put({ body: { flags, ...body }, files }: Rendered): Promise<void> {
    const { rest } = this.#parts
    // Messages in private chats can't be ephemeral.
    const sent = { body: { ...body, flags: flags & ~MessageFlags.Ephemeral }, files }
    if (this.#message === undefined) {
      const answer = await rest.post(Routes.channelMessages(this.#context.chat), sent)
      this.#message = posted.parse(answer).id
    } else {
      await rest.patch(Routes.channelMessage(this.#context.chat, this.#message), sent)
    }
  }
}

/** Milliseconds. A form can't follow a deferral, and Discord waits 3 s: this leaves time to answer that it took too long. */
const formDeadline = 2_000

/** Opens the form of a pressed button; if that is not possible, answers why, ephemerally. */
async function onFormPress(parts: AnswerParts, interaction: Press, data: string): Promise<void> {
  const { dispatch, callbacks } = parts
  const { isPrivate } = interaction
  const line = await decodeForm(data, callbacks)
  const context = contextOf(parts, interaction, { ephemeral: true, isPrivate })
  const refused = (text: Message) => refusal(text, dispatch.localeOf(context))
  const isTooOld = line === undefined && !dispatch.isBlocked(context)
  const asking = isTooOld ? refused(formTooOld) : dispatch.form(line ?? '', context)
  const form =
    (await withTimeout(Promise.resolve<Form<string> | Answer>(asking), formDeadline)) ??
    refused(tooSlow)
  const answer =
    'view' in form ? form : await openForm(parts, interaction, context, form, line ?? '')
  if (!answer) return
  const manner = { inPlace: false, ephemeral: !isPrivate }
  await new InteractionReply(parts, interaction, context, manner).finish(line ?? '', answer)
}

/** Shows the form; returns an answer to show instead if it can't be rendered. */
async function openForm(
  parts: AnswerParts,
  interaction: Press,
  context: Context,
  form: Form<string>,
  line: string,
): Promise<Answer | undefined> {
  try {
    const data = await modalOf(form, parts.callbacks)
    await sendResponse(parts, interaction, { type: InteractionResponseType.Modal, data })
    return undefined
  } catch (error) {
    if (isDiscords(error)) throw error
    return parts.dispatch.explain(error, line, parts.dispatch.localeOf(context))
  }
}

/** Answers a submitted form. The answer replaces the form's message if only this person sees it. */
async function onModalSubmit(parts: AnswerParts, interaction: FilledForm): Promise<void> {
  const { dispatch, callbacks } = parts
  const { isPrivate, message } = interaction
  const { isSoleReader } = accessOf(interaction)
  const inPlace = message !== undefined && isSoleReader
  const manner = { inPlace, origin: message?.origin, ephemeral: !isPrivate }
  const context = contextOf(parts, interaction, { ephemeral: true, isPrivate })
  const form = await decodeForm(interaction.form, callbacks)
  const reply = new InteractionReply(parts, interaction, context, manner)
  await respond(parts, reply, '', async (show) => {
    if (dispatch.isBlocked(context)) return dispatch.answer(dispatch.parse(''), context, show)
    if (form === undefined) return refusal(formTooOld, dispatch.localeOf(context))
    try {
      return await dispatch.receive(
        inputFrom(parts, interaction, form),
        dispatch.parse(''),
        context,
        show,
      )
    } catch (error) {
      return dispatch.explain(error, '', dispatch.localeOf(context))
    }
  })
}

const tooOld = t('discord-button-too-old')
const formTooOld = t('discord-form-too-old')
const tooSlow = t('discord-form-too-slow')

function refusal(text: Message, locale: Locale): Answer {
  const view: View = { title: [], tone: 'warn', blocks: [{ kind: 'text', spans: [text] }] }
  return { view: localise(view, locale), outcome: 'refused' }
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
  form: Form<string>,
  callbacks: CallbackStore,
): Promise<APIModalInteractionResponseCallbackData> {
  if (form.fields.length > maxFields) {
    throw new Error(`A form has ${form.fields.length} fields; Discord shows ${maxFields}.`)
  }
  const custom_id = await encodeForm(form.id, maxCustomId, callbacks)
  if (custom_id === undefined) throw new Error('The id of a form could not be stored.')
  return {
    custom_id,
    title: oneLine(form.title, maxLabel) || '…',
    components: form.fields.map(labelled),
  }
}

function labelled(field: FormField<string>): APILabelComponent {
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

function textInput(field: FormField<string>): APILabelComponent['component'] {
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
    throw new UserError(t('discord-form-too-long'))
  }
  return { text: '', fields: Object.fromEntries(texts), files: files(uploaded), form }
}

/** The readers of a message whose control was used, and whether the user may change it. */
interface MessageAccess {
  /** Only this person sees it: it is in the private chat, or ephemeral. */
  isSoleReader: boolean
  /**
   * It answers this person. In a server, other people's presses are answered ephemerally, as are all presses of messages
   * that answer nobody.
   */
  isAddressee: boolean
}

function accessOf({ message, isPrivate, user }: Press | FilledForm): MessageAccess {
  const ephemeral = message?.ephemeral ?? false
  return {
    isSoleReader: isPrivate || ephemeral,
    isAddressee: isPrivate || ephemeral || message?.invoker === user,
  }
}
