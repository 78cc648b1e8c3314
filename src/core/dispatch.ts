import { randomBytes } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import {
  defaultLocale,
  type Locale,
  localeFor,
  localise,
  plainText,
  plainView,
} from './catalogue.ts'
import type { PlatformName } from './command.ts'
import {
  type Choice,
  type Command,
  type Context,
  type InlineHit,
  ownChat,
  type Param,
  type ParsedCommand,
  parseCommand,
  type ShowProgress,
  unknownCommand,
} from './command.ts'
import type { Conversation, Form, Input } from './conversation.ts'
import { type Flood, FloodControl, type FloodLimits } from './flood-control.ts'
import { isSecret } from './secret.ts'
import { withTimeout } from './task.ts'
import { type LocalisedView, t, type View } from './view.ts'

/** Kind of an answer: the command's result, a refusal of what was typed, or a failure (ours or a dependency's). */
const outcomes = ['answered', 'refused', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

/**
 * The result of a command, for metrics: its answer's outcome, but `failed` if the answer never reached the platform or was
 * replaced by an explanation, and `refused by the platform` if that did not take it.
 */
export const commandOutcomes = [...outcomes, 'refused by the platform'] as const
export type CommandOutcome = (typeof commandOutcomes)[number]

/** The fate of an answer: `lost` if the platform gave no result itself. */
export type Arrival = 'arrived' | 'replaced by an explanation' | 'refused by the platform' | 'lost'

export interface Answer {
  view: LocalisedView
  outcome: Outcome
  /** The person sends too much and was already answered so: platforms may stay silent. */
  repeated?: boolean
  /** To be called by the platform once it is known whether the answer arrived. The first call counts. */
  onShown?: (arrival: Arrival) => void
}

export interface MenuOption {
  name: string
  about: string
  example: string
  required: boolean
  /** Filled in by the platform, with the chat in which the command was sent. */
  chat: boolean
  integer?: { min: number; max: number }
  /** One of the chat's roles, by its id. */
  role?: boolean
  /** Only of use where messages in groups reach the bot. */
  groupText?: boolean
  choices?: readonly Choice<string>[]
  completes: boolean
}

export interface MenuEntry {
  name: string
  about: string
  /** Only the user who sent the command may read the answers. */
  ephemeral: boolean
  audience?: Command<never>['audience']
  options: MenuOption[]
  /** The value of the first option is the rest of the line, with other options in it. */
  takesLine?: boolean
}

/** Cards to choose from, or a short notice why there are none: people must not be able to post an error as a card. */
export interface InlineAnswer {
  hits: readonly InlineHit<string>[]
  notice?: string
}

/** The text that a person has typed so far into an option of a command. */
export interface Completion {
  command: string
  option: string
  typed: string
}

/** Answers command lines and input. Nothing here rejects: every error becomes an answer. */
export interface Dispatch {
  menu: readonly MenuEntry[]
  parse(line: string): ParsedCommand
  answer(command: ParsedCommand, context: Context, show?: ShowProgress<string>): Promise<Answer>
  /** Answers input of a private chat; `fallback` is run if the person is not being asked anything. */
  receive(
    input: Input,
    fallback: ParsedCommand,
    context: Context,
    show?: ShowProgress<string>,
  ): Promise<Answer>
  /** Answers a message in a group that asks for nothing, such as one with an address; undefined for nearly all. */
  overheard(text: string, context: Context): Promise<Answer | undefined>
  /** Answers a reply to one of our messages in a group; undefined if the person is not being asked anything there. */
  replied(input: Input, context: Context): Promise<Answer | undefined>
  /** The form that a view's `form` line names, or an answer that says why there is none. */
  form(line: string, context: Context): Promise<Form<string> | Answer>
  complete(completion: Completion, context: Context): Promise<readonly Choice<string>[]>
  inline(term: string, context: Context): Promise<InlineAnswer>
  /** Whether the person is blocked: they get only the notice that `answer` returns, once. */
  isBlocked(context: Context): boolean
  /** The language of answers: the chat's if it has set one, or else that of the person who writes. */
  localeOf(context: Context): Locale
  /** The greeting for a chat that the bot has joined; undefined for none. */
  welcome(context: Context): Promise<LocalisedView | undefined>
  /** Logs an error in showing an answer, and returns the answer to show instead. */
  explain(error: unknown, line: string, locale: Locale): Answer
}

export interface DispatchParts<S> {
  commands: readonly Command<S>[]
  conversation: Conversation<S>
  /** The greeting for a chat that the bot has joined; undefined for none. */
  welcome?: (services: S, context: Context) => Promise<View | undefined>
  services: S
  /** The view for an error that a command threw; `reference` is logged beside the cause. */
  explain: (error: unknown, line: string, reference: string) => View
  log: Logger
  floodLimits: FloodLimits
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
  has(context: Context): boolean
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

/**
 * Finds the command of a line, runs it, and turns whatever it throws into an answer.
 * @example
 *   const dispatch = new Dispatcher({ commands, conversation, services, explain, log, floodLimits })
 *   const { view } = await dispatch.answer(dispatch.parse('asset 0x12'), context)
 */
export class Dispatcher<S> implements Dispatch {
  #menu: readonly MenuEntry[] | undefined
  readonly #parts: DispatchParts<S>
  readonly #floods: FloodControl
  readonly #overheardFloods: FloodControl

  constructor(parts: DispatchParts<S>) {
    this.#parts = parts
    this.#floods = new FloodControl(parts.floodLimits, parts.processes)
    this.#overheardFloods = new FloodControl(parts.floodLimits, parts.processes)
  }

  /** Made when it is first asked for: it takes a language, which the start does not wait for. */
  get menu(): readonly MenuEntry[] {
    const { commands, services } = this.#parts
    this.#menu ??= commands
      .filter(({ unlisted }) => !unlisted)
      .map((command) => menuEntry(command, services))
    return this.#menu
  }

  parse(line: string): ParsedCommand {
    return parseCommand(line, this.#parts.commands)
  }

  answer(
    command: ParsedCommand,
    context: Context,
    show: ShowProgress<string> = noProgress,
  ): Promise<Answer> {
    const name = command.isKnown ? command.name : 'other'
    return this.#measured(context, name, () =>
      this.#guarded(context, command.line, () =>
        this.#run(command, context, this.#localised(show, context)),
      ),
    )
  }

  receive(
    input: Input,
    fallback: ParsedCommand,
    context: Context,
    show: ShowProgress<string> = noProgress,
  ): Promise<Answer> {
    const { conversation, services } = this.#parts
    return this.#measured(context, 'words', () =>
      this.#guarded(context, fallback.line, async () => {
        const showView = this.#localised(show, context)
        const view = await conversation.receive(
          input,
          services,
          this.#withChatLanguage(context),
          showView,
        )
        if (!view) return this.#run(fallback, context, showView)
        await this.#parts.onInput?.(context)
        return view
      }),
    )
  }

  async overheard(text: string, context: Context): Promise<Answer | undefined> {
    const { conversation, services, log } = this.#parts
    try {
      if (this.isBlocked(context)) return undefined
      const lookUp = conversation.overheard?.(text, services, this.#withChatLanguage(context))
      // Counted apart: tokens that nobody finds must not take a group's commands away.
      if (!lookUp || this.#overheardFloods.count(context)) return undefined
      const view = await lookUp()
      if (!view || this.#floods.count(context)) return undefined
      return { view: localise(view, this.localeOf(context)), outcome: 'answered' }
    } catch (error) {
      // Nobody asked, so nobody is told.
      log.debug({ err: error }, 'an overheard message was not answered')
      return undefined
    }
  }

  async replied(input: Input, context: Context): Promise<Answer | undefined> {
    const { conversation, services } = this.#parts
    const chatContext = this.#withChatLanguage(context)
    try {
      if (this.isBlocked(context)) return undefined
      if (!(await conversation.isAnswer?.(input, services, chatContext))) return undefined
    } catch (error) {
      return this.explain(error, '', chatContext.locale)
    }
    return this.#measured(context, 'words', () =>
      this.#guarded(context, '', async () => {
        const view = await conversation.receive(input, services, chatContext, async () => undefined)
        // It was answered at the same moment.
        return view ?? { title: [], blocks: [{ kind: 'text', spans: [t('command-answered')] }] }
      }),
    )
  }

  async form(line: string, context: Context): Promise<Form<string> | Answer> {
    const { conversation, services } = this.#parts
    try {
      this.#refuseBlocked(context)
      const form = await conversation.form(line, services, this.#withChatLanguage(context))
      return localiseForm(form, this.localeOf(context))
    } catch (error) {
      return this.explain(error, line, this.localeOf(context))
    }
  }

  async complete(completion: Completion, context: Context): Promise<readonly Choice<string>[]> {
    const { command: name, option, typed } = completion
    try {
      if (isSecret(typed) || this.#floods.count(context)) return []
      if (this.isBlocked(context)) return []
      const choices = this.#command(name).params[option]?.complete?.(typed, this.#parts.services)
      const made = (choices && (await withTimeout(choices, completionDeadline))) ?? []
      return localiseChoices(made, this.localeOf(context))
    } catch (error) {
      this.#parts.log.debug({ err: error, command: name, option }, 'completion failed')
      return []
    }
  }

  async inline(term: string, context: Context): Promise<InlineAnswer> {
    const command = this.#parts.commands.find(({ inline }) => inline !== undefined)
    try {
      if (isSecret(term)) throw new UserError(t('secret-sent'))
      const flood = this.#floods.count(context)
      if (flood) throw floodError(flood)
      this.#refuseBlocked(context)
      const hits = (await command?.inline?.(term, this.#parts.services)) ?? []
      return { hits: hits.map((hit) => localiseHit(hit, this.localeOf(context))) }
    } catch (error) {
      const { view } = this.explain(error, '', this.localeOf(context))
      return { hits: [], notice: plainText(view.title) || plainView(view) }
    }
  }

  async welcome(context: Context): Promise<LocalisedView | undefined> {
    try {
      // Somebody may let it in and remove it without end.
      if (this.#floods.count(context)) return undefined
      if (this.isBlocked(context)) return undefined
      const view = await this.#parts.welcome?.(
        this.#parts.services,
        this.#withChatLanguage(context),
      )
      return view && localise(view, this.localeOf(context))
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'a chat that the bot has joined was not greeted')
      return undefined
    }
  }

  explain(error: unknown, line: string, locale: Locale): Answer {
    const reference = randomBytes(4).toString('hex')
    const view = localise(this.#parts.explain(error, line, reference), locale)
    if (error instanceof UserError) return { view, outcome: 'refused' }
    this.#parts.log.error({ err: error, reference }, 'command failed')
    return { view, outcome: 'failed' }
  }

  async #run(
    { line, name, values, ephemeral }: ParsedCommand,
    context: Context,
    show: ShowProgress,
  ): Promise<View> {
    // It would be searched for, or stored with a button.
    if (isSecret(line)) throw new UserError(t('secret-sent'))
    if (values instanceof UserError) throw values
    const chatContext = this.#withChatLanguage(context)
    const command = this.#command(
      name,
      (each) => each.isFor?.(chatContext, this.#parts.services) ?? true,
    )
    // Platforms link to the private chat, or hide the answer, before they get here.
    if (ephemeral && !context.ephemeral) throw new UserError(t('command-private-only'))
    return command.run(values, this.#parts.services, chatContext, show)
  }

  /**
   * Makes an answer, unless the person sends too much or is blocked. Whatever `make` throws is explained.
   * @param line what was asked, for the explanation
   */
  async #guarded(context: Context, line: string, make: () => Promise<View>): Promise<Answer> {
    try {
      const flood = this.#floods.count(context)
      if (flood) {
        const answer = this.explain(floodError(flood), '', this.localeOf(context))
        return { ...answer, repeated: flood.isRepeated }
      }
      if (this.isBlocked(context)) {
        const isDue = await this.#parts.blocked?.isNoticeDue(context)
        const answer = this.explain(blockedError(), '', this.localeOf(context))
        return { ...answer, repeated: isDue !== true }
      }
      const view = await make()
      // Asked again: the command may have changed it.
      return { view: localise(view, this.localeOf(context)), outcome: 'answered' }
    } catch (error) {
      return this.explain(error, line, this.localeOf(context))
    }
  }

  async #measured(
    { platform }: Context,
    command: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const startedAt = performance.now()
    const answer = await make()
    let isShown = false
    const onShown = (arrival: Arrival) => {
      if (isShown) return
      isShown = true
      const seconds = (performance.now() - startedAt) / 1000
      const outcome = outcomeOf(answer, arrival)
      const answered: Answered = { platform: platform.name, command, outcome, seconds }
      this.#parts.onAnswered?.(answered)
      this.#parts.log.debug(answered, 'a command was answered')
    }
    return { ...answer, onShown }
  }

  isBlocked(context: Context): boolean {
    return this.#parts.blocked?.has(context) ?? false
  }

  localeOf(context: Context): Locale {
    const language = this.#parts.languageOf?.(context.platform.name, ownChat(context))
    return language === undefined ? context.locale : localeFor(language)
  }

  /** The context as commands get it, with the language that is set for the chat. */
  #withChatLanguage(context: Context): Context {
    return { ...context, locale: this.localeOf(context) }
  }

  #localised(show: ShowProgress<string>, context: Context): ShowProgress {
    return (view) => show(localise(view, this.localeOf(context)))
  }

  /** @throws UserError if the person is blocked */
  #refuseBlocked(context: Context): void {
    if (this.isBlocked(context)) throw blockedError()
  }

  #command(name: string, isFor: (command: Command<S>) => boolean = () => true): Command<S> {
    const found = this.#parts.commands.find((command) => command.name === name)
    if (found && isFor(found)) return found
    throw unknownCommand(
      name,
      this.menu.map((entry) => entry.name),
    )
  }
}

function outcomeOf({ outcome }: Answer, arrival: Arrival): CommandOutcome {
  if (arrival === 'arrived') return outcome
  return arrival === 'refused by the platform' ? arrival : 'failed'
}

const noProgress: ShowProgress<string> = async () => undefined

function blockedError(): UserError {
  return new UserError(t('blocked-notice'))
}

function floodError({ seconds, isInGroup }: Flood): UserError {
  if (isInGroup) {
    return new UserError(t('flood-group', { seconds }))
  }
  return new UserError(t('flood-person', { seconds }))
}

function localiseChoices(choices: readonly Choice[], locale: Locale): Choice<string>[] {
  return choices.map((choice) => ({ ...choice, label: plainText(choice.label, locale) }))
}

function localiseHit({ title, about, view, ...hit }: InlineHit, locale: Locale): InlineHit<string> {
  return {
    ...hit,
    title: plainText(title, locale),
    about: plainText(about, locale),
    view: localise(view, locale),
  }
}

function localiseForm({ id, title, fields }: Form, locale: Locale): Form<string> {
  return {
    id,
    title: plainText(title, locale),
    fields: fields.map(({ label, about, example, ...field }) => ({
      ...field,
      label: plainText(label, locale),
      about: plainText(about, locale),
      ...(example !== undefined && { example: plainText(example, locale) }),
    })),
  }
}

function menuEntry<S>(command: Command<S>, services: S): MenuEntry {
  const { name, about, ephemeral = false, audience, params, listedOptions } = command
  const options = Object.entries(params).filter(([name]) => listedOptions?.includes(name) ?? true)
  return {
    name,
    about: plainText(about),
    ephemeral,
    ...(audience && { audience }),
    ...(listedOptions && { takesLine: true }),
    options: options.map(([name, param]) => menuOption(name, param, services)),
  }
}

function menuOption<S>(name: string, param: Param<unknown, S>, services: S): MenuOption {
  return {
    name,
    about: plainText(param.about),
    example: param.example,
    required: param.required,
    chat: param.chat ?? false,
    completes: param.complete !== undefined,
    ...(param.integer && { integer: param.integer }),
    ...(param.role && { role: true }),
    ...(param.groupText && { groupText: true }),
    ...(param.choices && { choices: localiseChoices(param.choices(services), defaultLocale) }),
  }
}
