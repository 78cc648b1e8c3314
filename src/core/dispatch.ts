import { randomBytes } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { SendError } from './adapter.ts'
import { type Locale, localeFor, localise, plainText, plainView } from './catalogue.ts'
import {
  type Choice,
  type Context,
  lineAboutChat,
  lineFromChat,
  ownChat,
  type ParsedCommand,
  type Platform,
  type PlatformName,
  type Reading,
  readMessage,
  type ShowProgress,
  withoutChatOption,
} from './command.ts'
import type { Input } from './conversation.ts'
import { type Flood, FloodControl, type FloodLimits } from './flood-control.ts'
import {
  type Answer,
  type Dispatch,
  type FilledForm,
  type FormPress,
  type Incoming,
  type InlineAnswer,
  type Manner,
  outcomes,
  type Press,
  type PressedMessage,
  type Sender,
  type WrittenMessage,
} from './incoming.ts'
import type { Completion, MenuEntry, Runner } from './runner.ts'
import { isSecret, looksSecret } from './secret.ts'
import { withTimeout } from './task.ts'
import { type LocalisedView, type Message, t, text, type View } from './view.ts'

/**
 * The result of a command, for metrics: its answer's outcome, but `failed` if the answer never reached the platform or was
 * replaced by an explanation, and `refused by the platform` if that did not take it.
 */
export const commandOutcomes = [...outcomes, 'refused by the platform'] as const
export type CommandOutcome = (typeof commandOutcomes)[number]

export interface DispatchParts {
  runner: Runner
  /** The view for an error; `reference` is logged beside the cause. */
  explain: (error: unknown, line: string, reference: string) => View
  log: Logger
  floodLimits: FloodLimits
  /** Limits of links to the private chat, and of refusals of secrets; default: `asideLimits`. */
  asideLimits?: FloodLimits
  /** The language that a chat has set; undefined if it has set none: answers are then in that of the person who writes. */
  languageOf?: (platform: PlatformName, chat: string) => string | undefined
  /** Called once a person's input was taken, such as an answer about their launch. */
  onInput?: (context: Context) => Promise<void>
  blocked?: Blocked
  /** Number of processes that the updates of one chat are spread over; default: 1. */
  processes?: (platform: PlatformName) => number
  /** Called for each answer, once it has arrived or has not. */
  onAnswered?: (answered: Answered) => void
}

/** People who are not answered. */
export interface Blocked {
  has(context: Sender): boolean
  /** Whether this is the moment to tell them; it comes once. */
  isNoticeDue(context: Context): Promise<boolean>
}

/** Facts about an answer, for metrics. */
export interface Answered {
  platform: PlatformName
  /** The command's name; "words" for input in a private chat, "other" if there is no such command. */
  command: string
  outcome: CommandOutcome
  /** Time until the answer arrived, or it was known that it won't. */
  seconds: number
}

/** Milliseconds. Discord drops an autocomplete after 3 s; a later answer is of no use. */
const completionDeadline = 2_000
/** Milliseconds. A form can't follow a deferral, and Discord waits 3 s: this leaves time to answer that it took too long. */
const formDeadline = 2_000
/** Links to the private chat, and refusals of secrets, within ten seconds, of a person and in a chat. */
export const asideLimits = { person: 3, chat: 10 }

const here: Manner = { ephemeral: false, inPlace: false }

/** As a new message that only the person who asked reads, where the platform can do that. */
function toAskerAlone({ isPrivate, platform }: Sender): Manner {
  return { ephemeral: !isPrivate && platform.ephemeralAnswers, inPlace: false }
}

/** What is answered, for one who asks the same again and for metrics. */
interface Request {
  /** The command's name. */
  name: string
  /** The line to run again if it fails; empty if there is none. */
  line: string
  manner: Manner
  /** Whether one who sends too much is told each time: a press that nothing answers looks broken. */
  isAlwaysTold?: boolean
  /** Put above the answer. */
  note?: string | undefined
}

type Make = (context: Context, show: ShowProgress) => Promise<View>

/**
 * Decides on everything that people do, in this order: what it asks for, whether its words are a secret, whether it has to go
 * on in private, whether the person is blocked or sends too much. Then it is run, and whatever is thrown becomes an answer.
 * @example
 *   const dispatch = new Dispatcher({ runner, explain, log, floodLimits })
 *   await dispatch.handle({ context, input: { kind: 'command', line: 'asset 0x12' }, reply })
 */
export class Dispatcher implements Dispatch {
  readonly #parts: DispatchParts
  readonly #runner: Runner
  readonly #floods: FloodControl
  readonly #overheardFloods: FloodControl
  readonly #asides: FloodControl

  constructor(parts: DispatchParts) {
    const { floodLimits, processes } = parts
    this.#parts = parts
    this.#runner = parts.runner
    this.#floods = new FloodControl(floodLimits, processes)
    this.#overheardFloods = new FloodControl(floodLimits, processes)
    this.#asides = new FloodControl(parts.asideLimits ?? asideLimits)
  }

  get menu(): readonly MenuEntry[] {
    return this.#runner.menu
  }

  async handle(incoming: Incoming): Promise<void> {
    const { input } = incoming
    switch (input.kind) {
      case 'message':
        return this.#onMessage(incoming, input)
      case 'command':
        return this.#onLine(incoming, this.#runner.parse(input.line), input.line)
      case 'link':
        return this.#onLink(incoming, this.#runner.parse(input.line))
      case 'press':
        return this.#onPress(incoming, input)
      case 'form press':
        return this.#onFormPress(incoming, input)
      case 'form':
        return this.#onForm(incoming, input)
    }
  }

  /** A message is a command, input for what is being asked in private, or words in a group that may name a token. */
  async #onMessage(incoming: Incoming, message: WrittenMessage): Promise<void> {
    const { context } = incoming
    const reading = readMessage(message.text, message.botName)
    if (reading.kind === 'elsewhere') return
    const command = this.#runner.parse(reading.line)
    const input = { text: message.text, fields: {}, files: message.files }
    if (!context.isPrivate) {
      if (this.#isOurs(reading)) return this.#onLine(incoming, command, message.text)
      return this.#onGroupWords(incoming, message, reading, input)
    }
    const isInput =
      reading.kind !== 'command' ||
      (command.takesInput && (input.files.length > 0 || /\s/u.test(reading.line.trim())))
    return isInput
      ? this.#onInput(incoming, input, withoutChatOption(command))
      : this.#onLine(incoming, command, message.text)
  }

  /** Whether a command in a group is for this bot: it is in our menu, or followed by our name. */
  #isOurs(reading: Reading): boolean {
    return (
      reading.kind === 'command' &&
      (reading.addressed || this.menu.some(({ name }) => name === reading.name))
    )
  }

  /** @param typed what the person wrote, which may hold a secret */
  async #onLine(incoming: Incoming, typedCommand: ParsedCommand, typed: string): Promise<void> {
    const { context } = incoming
    const { platform, isPrivate, isGuest, chat } = context
    // Only we may name the chat: otherwise people could have the bot write in chats where they may not.
    const command = withoutChatOption(typedCommand)
    const isHidden = !isPrivate && isForOneAlone(command, platform)
    const isElsewhere = isHidden && !platform.ephemeralAnswers
    // The link to the private chat would store it.
    if (isElsewhere ? looksSecret(typed) : isSecret(typed)) return this.#refuseSecret(incoming)
    // A link runs its line for whoever opens it, so unlisted commands that somebody typed get a plain link.
    if (isElsewhere)
      return this.#lead(incoming, command.isListed ? lineFromChat(command, chat) : undefined)
    // A menu stays about the chat that it was asked for in, though others don't see it; a guest can write nothing there later.
    const namesChat = isHidden && command.ephemeral && !isGuest
    const line = namesChat ? this.#runner.parse(lineFromChat(command, chat)) : command
    return this.#run(incoming, line, { ephemeral: isHidden, inPlace: false })
  }

  async #onLink(incoming: Incoming, command: ParsedCommand): Promise<void> {
    if (command.ephemeral && !incoming.context.isPrivate) return this.#lead(incoming, command.line)
    if (!command.mutates) return this.#run(incoming, command, here)
    const request = { name: nameOf(command), line: command.line, manner: here }
    return this.#answer(incoming, request, async () => confirmation(command.line))
  }

  /** Leads into the private chat; not those who ask for it again and again, nor the blocked. */
  async #lead(incoming: Incoming, line: string | undefined): Promise<void> {
    const { context, reply } = incoming
    if (this.#isBlocked(context)) return this.#tellBlocked(incoming)
    if (this.#asides.count(context)) return
    await reply.openPrivately?.(line)
  }

  async #refuseSecret(incoming: Incoming): Promise<void> {
    const { context } = incoming
    if (this.#isBlocked(context)) return this.#tellBlocked(incoming)
    const note = await this.#deletionNote(incoming)
    if (this.#asides.count(context)) return
    const manner = toAskerAlone(context)
    await this.#answer(
      incoming,
      { name: 'other', line: '', manner, note },
      refuse(t('secret-sent')),
    )
  }

  /** Deletes a message that holds a secret, and says whether it could; undefined where it never can. */
  async #deletionNote({ context, reply }: Incoming): Promise<string | undefined> {
    const isDeleted = await reply.deleteMessage?.()
    if (isDeleted === undefined) return undefined
    return plainText(isDeleted ? t('secret-deleted') : t('secret-delete'), this.localeOf(context))
  }

  /** Input in a private chat; `fallback` is run if the person is not being asked anything. */
  async #onInput(incoming: Incoming, input: Input, fallback: ParsedCommand): Promise<void> {
    const note = looksSecret(input.text) ? await this.#deletionNote(incoming) : undefined
    const request = { name: 'words', line: fallback.line, manner: here, note }
    await this.#answer(incoming, request, (context, show) =>
      this.#receive(input, fallback, context, show),
    )
  }

  async #receive(
    input: Input,
    fallback: ParsedCommand,
    context: Context,
    show: ShowProgress,
  ): Promise<View> {
    const view = await this.#runner.receive(input, context, show)
    if (!view) return this.#runLine(fallback, context, show)
    await this.#parts.onInput?.(context)
    return view
  }

  /** Words in a group: the answer to something that the person was asked there, or a token that they name. */
  async #onGroupWords(
    incoming: Incoming,
    { text: words, isReply, isPost }: WrittenMessage,
    { kind }: Reading,
    input: Input,
  ): Promise<void> {
    if (this.#isBlocked(incoming.context)) return
    const context = this.#contextOf(incoming, here)
    if (isReply && kind === 'words' && (await this.#runner.isAnswer(input, context)))
      return this.#answer(
        incoming,
        { name: 'words', line: '', manner: here },
        async (each, show) => (await this.#runner.receive(input, each, show)) ?? answeredAlready,
      )
    const view = isPost ? undefined : await this.#overheard(words, context)
    if (!view) return
    incoming.reply.begin(here)
    await this.#show(incoming, { view: localise(view, context.locale), outcome: 'answered' }, '')
  }

  async #overheard(words: string, context: Context): Promise<View | undefined> {
    try {
      const lookUp = this.#runner.overheard(words, context)
      // Counted apart: tokens that nobody finds must not take a group's commands away.
      if (!lookUp || this.#overheardFloods.count(context)) return undefined
      const view = await lookUp()
      return view && !this.#floods.count(context) ? view : undefined
    } catch (error) {
      // Nobody asked, so nobody is told.
      this.#parts.log.debug({ err: error }, 'an overheard message was not answered')
      return undefined
    }
  }

  /**
   * The answer replaces the message if the person may change it, and nobody reads there what is for them alone. Under a
   * channel's post a new message would be read by the whole channel, so it goes to the private chat.
   */
  async #onPress(incoming: Incoming, { line, asNew, message }: Press): Promise<void> {
    const { context, reply } = incoming
    const { isSoleReader, isTheirs, isPost } = message
    if (this.#isBlocked(context)) return this.#tellBlocked(incoming)
    if (line === undefined) return this.#refusePress(incoming, t('buttons-too-old'))
    const command = this.#runner.parse(line)
    const isForAll = isTheirs && !isForOneAlone(command, context.platform) && !(isPost && asNew)
    if (!isForAll && !context.isPrivate && !context.platform.ephemeralAnswers)
      return reply.openPrivately?.(privateLineOf(command, context.chat, message))
    const manner = {
      ephemeral: !context.isPrivate && (isSoleReader || !isForAll),
      inPlace: !asNew && isTheirs && (isSoleReader || isForAll),
    }
    const request = { name: nameOf(command), line, manner, isAlwaysTold: true }
    return this.#answer(incoming, request, (each, show) => this.#runLine(command, each, show))
  }

  #refusePress(incoming: Incoming, words: Message): Promise<void> {
    const manner = toAskerAlone(incoming.context)
    const request = { name: 'other', line: '', manner, isAlwaysTold: true }
    return this.#answer(incoming, request, refuse(words))
  }

  /** Opens a form, or says why there is none. */
  async #onFormPress(incoming: Incoming, { line }: FormPress): Promise<void> {
    const { context, reply } = incoming
    if (this.#isBlocked(context)) return this.#tellBlocked(incoming)
    const manner = toAskerAlone(context)
    const request = { name: 'words', line: line ?? '', manner, isAlwaysTold: true }
    try {
      if (line === undefined) throw new UserError(t('form-too-old'))
      const found = this.#runner.form(line, this.#contextOf(incoming, manner))
      const form = await withTimeout(found, formDeadline)
      if (!form) throw new UserError(t('form-too-slow'))
      await reply.openForm?.(form)
    } catch (error) {
      if (!isAboutContent(error)) throw error
      await this.#answer(incoming, request, async () => {
        throw error
      })
    }
  }

  async #onForm(incoming: Incoming, { form, input, inPlace }: FilledForm): Promise<void> {
    const manner = { ...toAskerAlone(incoming.context), inPlace }
    const request = { name: 'words', line: '', manner, isAlwaysTold: true }
    await this.#answer(incoming, request, async (context, show) => {
      if (form === undefined) throw new UserError(t('form-too-old'))
      if (input instanceof UserError) throw input
      return this.#receive({ ...input, form }, this.#runner.parse(''), context, show)
    })
  }

  #run(incoming: Incoming, command: ParsedCommand, manner: Manner): Promise<void> {
    const request = { name: nameOf(command), line: command.line, manner }
    return this.#answer(incoming, request, (context, show) => this.#runLine(command, context, show))
  }

  async #runLine(command: ParsedCommand, context: Context, show: ShowProgress): Promise<View> {
    // It would be searched for, or stored with a button.
    if (isSecret(command.line)) throw new UserError(t('secret-sent'))
    return this.#runner.run(command, context, show)
  }

  #tellBlocked(incoming: Incoming): Promise<void> {
    const request = { name: 'other', line: '', manner: toAskerAlone(incoming.context) }
    return this.#answer(incoming, request, refuse(t('blocked-notice')))
  }

  /** Answers with what `make` makes, unless the person is blocked or sends too much. Whatever it throws is explained. */
  async #answer(incoming: Incoming, request: Request, make: Make): Promise<void> {
    const { reply, context } = incoming
    const { name, line, manner, note } = request
    const startedAt = performance.now()
    reply.begin(manner)
    const answer = noted(await this.#made(incoming, request, make), note)
    let outcome: CommandOutcome = 'failed'
    try {
      outcome = await this.#show(incoming, answer, line)
    } catch (error) {
      if (error instanceof SendError && error.isRefusal) outcome = 'refused by the platform'
      throw error
    } finally {
      const seconds = (performance.now() - startedAt) / 1000
      const answered: Answered = {
        platform: context.platform.name,
        command: name,
        outcome,
        seconds,
      }
      this.#parts.onAnswered?.(answered)
      this.#parts.log.debug(answered, 'a command was answered')
    }
  }

  async #made(incoming: Incoming, request: Request, make: Make): Promise<Answer> {
    const { line, manner, isAlwaysTold = false } = request
    const context = this.#contextOf(incoming, manner)
    try {
      const flood = this.#floods.count(context)
      if (flood) {
        const answer = this.#explain(floodError(flood), '', context.locale)
        return { ...answer, repeated: flood.isRepeated && !isAlwaysTold }
      }
      if (this.#isBlocked(context)) {
        const isDue = await this.#parts.blocked?.isNoticeDue(context)
        const notice = this.#explain(new UserError(t('blocked-notice')), '', context.locale)
        return { ...notice, repeated: isDue !== true }
      }
      const view = await make(context, (each) =>
        incoming.reply.show(localise(each, this.localeOf(context))),
      )
      // The language is asked for again: the command may have changed it, or taken back what the chat had set.
      return { view: localise(view, this.localeOf(incoming.context)), outcome: 'answered' }
    } catch (error) {
      return this.#explain(error, line, this.localeOf(incoming.context))
    }
  }

  /** Shows an answer; an explanation instead, if the platform does not take what it contains. */
  async #show({ reply, context }: Incoming, answer: Answer, line: string): Promise<CommandOutcome> {
    try {
      await reply.finish(answer)
      return answer.outcome
    } catch (error) {
      if (!isAboutContent(error)) throw error
      await reply.finish(this.#explain(error, line, this.localeOf(context)))
      return 'failed'
    }
  }

  async complete(completion: Completion, context: Context): Promise<readonly Choice<string>[]> {
    try {
      if (isSecret(completion.typed) || this.#floods.count(context)) return []
      if (this.#isBlocked(context)) return []
      const made = this.#runner.complete(completion, this.localeOf(context))
      return (await withTimeout(made, completionDeadline)) ?? []
    } catch (error) {
      const { command, option } = completion
      this.#parts.log.debug({ err: error, command, option }, 'completion failed')
      return []
    }
  }

  async inline(term: string, context: Context): Promise<InlineAnswer> {
    const locale = this.localeOf(context)
    try {
      if (isSecret(term)) throw new UserError(t('secret-sent'))
      const flood = this.#floods.count(context)
      if (flood) throw floodError(flood)
      if (this.#isBlocked(context)) throw new UserError(t('blocked-notice'))
      return { hits: await this.#runner.inline(term, locale) }
    } catch (error) {
      const { view } = this.#explain(error, '', locale)
      return { hits: [], notice: plainText(view.title) || plainView(view) }
    }
  }

  async welcome(context: Context): Promise<LocalisedView | undefined> {
    try {
      // Somebody may let it in and remove it without end.
      if (this.#floods.count(context) || this.#isBlocked(context)) return undefined
      const locale = this.localeOf(context)
      const view = await this.#runner.welcome({ ...context, locale })
      return view && localise(view, locale)
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'a chat that the bot has joined was not greeted')
      return undefined
    }
  }

  localeOf(context: Sender): Locale {
    const language = this.#parts.languageOf?.(context.platform.name, ownChat(context))
    return language === undefined ? context.locale : localeFor(language)
  }

  #isBlocked(context: Sender): boolean {
    return this.#parts.blocked?.has(context) ?? false
  }

  /** The context as commands get it. */
  #contextOf({ context }: Incoming, { ephemeral }: Manner): Context {
    const isEphemeral = ephemeral || context.isPrivate
    return { ...context, ephemeral: isEphemeral, locale: this.localeOf(context) }
  }

  /** Makes an answer of an error, and logs what is no refusal. */
  #explain(error: unknown, line: string, locale: Locale): Answer {
    const reference = randomBytes(4).toString('hex')
    const view = localise(this.#parts.explain(error, line, reference), locale)
    if (error instanceof UserError) return { view, outcome: 'refused' }
    this.#parts.log.error({ err: error, reference }, 'command failed')
    return { view, outcome: 'failed' }
  }
}

const answeredAlready: View = { title: [], blocks: [text(t('command-answered'))] }

/** Whether others in the chat must not read the answer to a command, or need not where that costs nobody anything. */
function isForOneAlone(
  { ephemeral, forAsker }: ParsedCommand,
  { ephemeralAnswers }: Platform,
): boolean {
  return ephemeral || (forAsker && ephemeralAnswers)
}

function nameOf({ isKnown, name }: ParsedCommand): string {
  return isKnown ? name : 'other'
}

/** The line that a press runs in the private chat: that of somebody who manages a channel is about the channel. */
function privateLineOf(
  command: ParsedCommand,
  chat: string,
  { isPost, isTheirs }: PressedMessage,
): string {
  if (!isPost || command.ephemeral) return lineFromChat(command, chat)
  return isTheirs ? lineAboutChat(command, chat) : command.line
}

function refuse(words: Message): Make {
  return async () => {
    throw new UserError(words)
  }
}

/** Asks for confirmation of a line that came by a link, which a stranger may have made. */
function confirmation(line: string): View {
  return {
    title: [t('linked-title')],
    tone: 'warn',
    blocks: [text(t('linked-what')), text({ code: `/${line}` }), text(t('linked-ignore'))],
    buttons: [[{ label: t('linked-confirm'), line, look: 'main' }]],
  }
}

/** Puts a note above an answer. */
function noted(answer: Answer, note: string | undefined): Answer {
  if (note === undefined) return answer
  const { view } = answer
  return {
    ...answer,
    view: { ...view, blocks: [{ kind: 'text', spans: [{ own: note }] }, ...view.blocks] },
  }
}

function floodError({ seconds, isInGroup }: Flood): UserError {
  return new UserError(isInGroup ? t('flood-group', { seconds }) : t('flood-person', { seconds }))
}

/** Whether a message is refused for what it contains, or could not be made: another one may be shown. */
function isAboutContent(error: unknown): boolean {
  if (!(error instanceof SendError)) return true
  return error.final && error.loss === undefined && error.movedTo === undefined
}
