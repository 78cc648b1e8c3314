import { randomBytes } from 'node:crypto'
import type { PlatformName } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import {
  type Choice,
  type Command,
  type Context,
  type InlineHit,
  type ParsedCommand,
  parseCommand,
  type ShowProgress,
  unknownCommand,
} from './command.ts'
import type { Conversation, Form, Input } from './conversation.ts'
import { type Flood, FloodControl, type FloodLimits } from './flood-control.ts'
import { withTimeout } from './task.ts'
import { plainSpans, plainView, type View } from './view.ts'

/** Kind of an answer: the command's result, a refusal of what was typed, or a failure (ours or a dependency's). */
export type Outcome = 'answered' | 'refused' | 'failed'

export interface Answer {
  view: View
  outcome: Outcome
  /** The person sends too much and was already answered so: platforms may stay silent. */
  repeated?: boolean
}

export interface MenuOption {
  name: string
  about: string
  example: string
  required: boolean
  /** Filled in by the platform, with the chat in which the command was sent. */
  chat: boolean
  integer?: { min: number; max: number }
  choices?: readonly Choice[]
  completes: boolean
}

export interface MenuEntry {
  name: string
  about: string
  /** Only the user who sent the command may read the answers. */
  ephemeral: boolean
  options: MenuOption[]
}

/** Cards to choose from, or a short notice why there are none: people must not be able to post an error as a card. */
export interface InlineAnswer {
  hits: readonly InlineHit[]
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
  answer(command: ParsedCommand, context: Context, show?: ShowProgress): Promise<Answer>
  /** Answers input of a private chat; `fallback` is run if the person is not being asked anything. */
  receive(
    input: Input,
    fallback: ParsedCommand,
    context: Context,
    show?: ShowProgress,
  ): Promise<Answer>
  /** The form that a view's `form` line names, or an answer that says why there is none. */
  form(line: string, context: Context): Promise<Form | Answer>
  complete(completion: Completion, context: Context): Promise<readonly Choice[]>
  inline(term: string, context: Context): Promise<InlineAnswer>
  /** Logs an error in showing an answer, and returns the answer to show instead. */
  explain(error: unknown, line: string): Answer
}

export interface DispatchParts<S> {
  commands: readonly Command<S>[]
  conversation: Conversation<S>
  services: S
  /** The view for an error that a command threw; `reference` is logged beside the cause. */
  explain: (error: unknown, line: string, reference: string) => View
  log: Logger
  floodLimits: FloodLimits
  /** Number of replicas that the updates of one chat are spread over; default: 1. */
  replicas?: (platform: PlatformName) => number
  /** Called for each answer. */
  onAnswered?: (answered: Answered) => void
}

/** Facts about an answer, for metrics. */
export interface Answered {
  platform: PlatformName
  /** The command's name; "words" for input in a private chat, "other" if there is no such command. */
  command: string
  outcome: Outcome
  /** Time until the view was ready. */
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
  readonly menu: readonly MenuEntry[]
  readonly #parts: DispatchParts<S>
  readonly #floods: FloodControl

  constructor(parts: DispatchParts<S>) {
    this.#parts = parts
    this.#floods = new FloodControl(parts.floodLimits, parts.replicas)
    this.menu = parts.commands
      .filter(({ hidden }) => !hidden)
      .map((command) => menuEntry(command, parts.services))
  }

  parse(line: string): ParsedCommand {
    return parseCommand(line, this.#parts.commands)
  }

  answer(
    command: ParsedCommand,
    context: Context,
    show: ShowProgress = noProgress,
  ): Promise<Answer> {
    const name = command.isKnown ? command.name : 'other'
    return this.#measured(context, name, () =>
      this.#unlessFlooding(context, command.line, () => this.#run(command, context, show)),
    )
  }

  receive(
    input: Input,
    fallback: ParsedCommand,
    context: Context,
    show: ShowProgress = noProgress,
  ): Promise<Answer> {
    const { conversation, services } = this.#parts
    return this.#measured(context, 'words', () =>
      this.#unlessFlooding(
        context,
        fallback.line,
        async () =>
          (await conversation.receive(input, services, context, show)) ??
          this.#run(fallback, context, show),
      ),
    )
  }

  async form(line: string, context: Context): Promise<Form | Answer> {
    const { conversation, services } = this.#parts
    try {
      return await conversation.form(line, services, context)
    } catch (error) {
      return this.explain(error, line)
    }
  }

  async complete(completion: Completion, context: Context): Promise<readonly Choice[]> {
    const { command, option, typed } = completion
    try {
      if (await this.#floods.count(context)) return []
      const param = this.#command(command).params[option]
      const choices = param?.complete?.(typed, this.#parts.services)
      return (choices && (await withTimeout(choices, completionDeadline))) ?? []
    } catch (error) {
      this.#parts.log.debug({ err: error, command, option }, 'completion failed')
      return []
    }
  }

  async inline(term: string, context: Context): Promise<InlineAnswer> {
    const command = this.#parts.commands.find(({ inline }) => inline !== undefined)
    try {
      const flood = await this.#floods.count(context)
      if (flood) throw floodView(flood)
      return { hits: (await command?.inline?.(term, this.#parts.services)) ?? [] }
    } catch (error) {
      const { view } = this.explain(error, '')
      return { hits: [], notice: plainSpans(view.title) || plainView(view) }
    }
  }

  explain(error: unknown, line: string): Answer {
    const reference = randomBytes(4).toString('hex')
    const view = this.#parts.explain(error, line, reference)
    if (error instanceof UserError) return { view, outcome: 'refused' }
    this.#parts.log.error({ err: error, reference }, 'command failed')
    return { view, outcome: 'failed' }
  }

  async #run(
    { name, values, ephemeral }: ParsedCommand,
    context: Context,
    show: ShowProgress,
  ): Promise<View> {
    if (values instanceof UserError) throw values
    const command = this.#command(name)
    // Platforms link to the private chat, or hide the answer, before they get here.
    if (ephemeral && !context.ephemeral) throw new UserError('Send this in a private chat with me.')
    return command.run(values, this.#parts.services, context, show)
  }

  async #unlessFlooding(
    context: Context,
    line: string,
    make: () => Promise<View>,
  ): Promise<Answer> {
    try {
      const flood = await this.#floods.count(context)
      if (flood) return { ...this.explain(floodView(flood), ''), repeated: flood.isRepeated }
      return { view: await make(), outcome: 'answered' }
    } catch (error) {
      return this.explain(error, line)
    }
  }

  async #measured(
    { platform }: Context,
    command: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const startedAt = performance.now()
    const answer = await make()
    const seconds = (performance.now() - startedAt) / 1000
    this.#parts.onAnswered?.({ platform: platform.name, command, outcome: answer.outcome, seconds })
    return answer
  }

  #command(name: string): Command<S> {
    const found = this.#parts.commands.find((command) => command.name === name)
    if (found) return found
    throw unknownCommand(
      name,
      this.menu.map((entry) => entry.name),
    )
  }
}

const noProgress: ShowProgress = async () => undefined

function floodView({ seconds, isInGroup }: Flood): UserError {
  if (isInGroup) {
    return new UserError(
      `That is a lot for one group. Ask me in our private chat, or wait ${seconds} s.`,
    )
  }
  return new UserError(`That is a lot at once. Wait ${seconds} s, then send it again.`)
}

function menuEntry<S>(command: Command<S>, services: S): MenuEntry {
  const options = Object.entries(command.params).map(([name, param]) => ({
    name,
    about: param.about,
    example: param.example,
    required: param.required,
    chat: param.chat ?? false,
    completes: param.complete !== undefined,
    ...(param.integer && { integer: param.integer }),
    ...(param.choices && { choices: param.choices(services) }),
  }))
  return {
    name: command.name,
    about: command.about,
    ephemeral: command.ephemeral ?? false,
    options,
  }
}
