import { UserError } from '../errors.ts'
import { defaultLocale, type Locale, localise, plainText } from './catalogue.ts'
import {
  type Choice,
  type Command,
  type Context,
  type InlineHit,
  MissingValue,
  type Param,
  type ParsedCommand,
  parseCommand,
  type ShowProgress,
  unknownCommand,
} from './command.ts'
import type { Conversation, Form, Input } from './conversation.ts'
import type { View } from './view.ts'

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

/** The text that a person has typed so far into an option of a command. */
export interface Completion {
  command: string
  option: string
  typed: string
}

/**
 * Runs what people ask for. It is asked once dispatch has decided that they are answered, and where; whatever can't be done
 * is thrown.
 */
export interface Runner {
  readonly menu: readonly MenuEntry[]
  parse(line: string): ParsedCommand
  run(command: ParsedCommand, context: Context, show: ShowProgress): Promise<View>
  /** Answers text or files; undefined if the person is not being asked anything. */
  receive(input: Input, context: Context, show: ShowProgress): Promise<View | undefined>
  /** Whether a reply in a group is the answer to something that the person is being asked there. */
  isAnswer(input: Input, context: Context): Promise<boolean>
  /** Returns the work that looks up what a message in a group names; undefined if it names nothing. */
  overheard(text: string, context: Context): (() => Promise<View | undefined>) | undefined
  /** The form that a view's `form` line names. */
  form(line: string, context: Context): Promise<Form<string>>
  complete(completion: Completion, locale: Locale): Promise<readonly Choice<string>[]>
  inline(term: string, locale: Locale): Promise<readonly InlineHit<string>[]>
  /** The greeting for a chat that the bot has joined; undefined for none. */
  welcome(context: Context): Promise<View | undefined>
}

interface RunnerParts<S> {
  commands: readonly Command<S>[]
  conversation: Conversation<S>
  welcome?: (services: S, context: Context) => Promise<View | undefined>
  services: S
}

/** Finds the command of a line and runs it with its services; hands other input to the conversation. */
export class CommandRunner<S> implements Runner {
  readonly #parts: RunnerParts<S>
  #menu: readonly MenuEntry[] | undefined

  constructor(parts: RunnerParts<S>) {
    this.#parts = parts
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

  async run({ name, values }: ParsedCommand, context: Context, show: ShowProgress): Promise<View> {
    if (values instanceof UserError) throw values
    const { conversation, services } = this.#parts
    const command = this.#command(name, (each) => each.isFor?.(context, services) ?? true)
    try {
      return await command.run(values, services, context, show)
    } catch (error) {
      const isBare = values.bare === '' && values.named.size === 0
      const question =
        error instanceof MissingValue && isBare
          ? await conversation.ask?.(name, services, context)
          : undefined
      if (!question) throw error
      return question
    }
  }

  receive(input: Input, context: Context, show: ShowProgress): Promise<View | undefined> {
    const { conversation, services } = this.#parts
    return conversation.receive(input, services, context, show)
  }

  async isAnswer(input: Input, context: Context): Promise<boolean> {
    const { conversation, services } = this.#parts
    return (await conversation.isAnswer?.(input, services, context)) ?? false
  }

  overheard(text: string, context: Context): (() => Promise<View | undefined>) | undefined {
    const { conversation, services } = this.#parts
    return conversation.overheard?.(text, services, context)
  }

  async form(line: string, context: Context): Promise<Form<string>> {
    const { conversation, services } = this.#parts
    return localiseForm(await conversation.form(line, services, context), context.locale)
  }

  async complete(
    { command: name, option, typed }: Completion,
    locale: Locale,
  ): Promise<readonly Choice<string>[]> {
    const choices = await this.#command(name).params[option]?.complete?.(
      typed,
      this.#parts.services,
    )
    return localiseChoices(choices ?? [], locale)
  }

  async inline(term: string, locale: Locale): Promise<readonly InlineHit<string>[]> {
    const { commands, services } = this.#parts
    const command = commands.find(({ inline }) => inline !== undefined)
    const hits = await command?.inline?.(term, services)
    return (hits ?? []).map((hit) => localiseHit(hit, locale))
  }

  async welcome(context: Context): Promise<View | undefined> {
    return this.#parts.welcome?.(this.#parts.services, context)
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
