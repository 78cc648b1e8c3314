import { randomBytes } from 'node:crypto'
import { UserError } from '../errors.ts'
import type { Logger } from '../log.ts'
import {
  type Choice,
  type Command,
  type Context,
  formatLine,
  type InlineHit,
  parseLine,
  type ShowProgress,
  unknownCommand,
} from './command.ts'
import type { Conversation, Form, Input } from './conversation.ts'
import { type Flood, FloodControl, type FloodLimits, type Limiters } from './rate-limit.ts'
import { withTimeout } from './retry.ts'
import { plainSpans, plainView, type View } from './view.ts'

/** What an answer is: the command's own, a refusal of what was typed, a fault of ours or of what we depend on. */
export type Outcome = 'answered' | 'refused' | 'failed'

export interface Answer {
  view: View
  outcome: Outcome
  /** The person sends too much and was told so already: a platform that pays for each message stays silent. */
  repeated?: boolean
}

export interface MenuOption {
  name: string
  about: string
  example: string
  required: boolean
  /** The platform itself fills it, with the chat in which the command was sent. */
  chat: boolean
  whole?: { min: number; max: number }
  choices?: readonly Choice[]
  completes: boolean
}

export interface MenuEntry {
  name: string
  about: string
  /** Only the asker may read the answers. */
  ephemeral: boolean
  options: MenuOption[]
}

/** Cards to choose from, or a short word on why there are none: a fault must not be something to send on. */
export interface InlineAnswer {
  hits: readonly InlineHit[]
  notice?: string
}

/** What a person has typed so far into an option of a command. */
export interface Completion {
  command: string
  option: string
  typed: string
}

/** All that a platform asks of the bot. Nothing here rejects: every fault is an answer already. */
export interface Dispatch {
  menu: readonly MenuEntry[]
  /** Whether only the asker may read the answers to this line. */
  isEphemeral(line: string): boolean
  /** Whether the line changes what stays, so that nobody's opening of a link may run it. */
  mutates(line: string): boolean
  /** The line as one about that chat, where its command can be about another one than where it is answered. */
  withChat(line: string, chat: string): string
  answer(line: string, context: Context, show?: ShowProgress): Promise<Answer>
  /** What was said in a private chat; `line` is what it stands for where the person is not being asked anything. */
  receive(heard: Input, line: string, context: Context, show?: ShowProgress): Promise<Answer>
  /** The form that a view's `form` line names, or what to say instead of it. */
  form(line: string, context: Context): Promise<Form | Answer>
  complete(asked: Completion, context: Context): Promise<readonly Choice[]>
  inline(term: string, context: Context): Promise<InlineAnswer>
  /** Logs a fault in showing an answer, and says what to show instead. */
  explain(error: unknown, line: string): Answer
}

export interface DispatchParts<S> {
  commands: readonly Command<S>[]
  conversation: Conversation<S>
  services: S
  /** What a person reads when a command threw; `reference` stands in the log beside the cause. */
  explain: (error: unknown, line: string, reference: string) => View
  log: Logger
  floodLimits: FloodLimits
  /** What counts over all replicas; one that counts in this process without it. */
  limiters?: Limiters | undefined
  /** Hears of each answer. */
  onAnswered?: (answered: Answered) => void
}

/** How an answer came about, for those who count. */
export interface Answered {
  platform: Context['platform']
  /** A command's name; "words" for what was said in private, "other" where there is no such command. */
  command: string
  outcome: Outcome
  /** Until there was something to show. */
  seconds: number
}

/** Discord forgets an autocomplete after 3 s; an answer later than this is of no use. */
const completionDeadline = 2_000

/** Finds the command of a line, runs it, and turns whatever it throws into something to read. */
export class Dispatcher<S> implements Dispatch {
  readonly menu: readonly MenuEntry[]
  readonly #parts: DispatchParts<S>
  readonly #floods: FloodControl

  constructor(parts: DispatchParts<S>) {
    this.#parts = parts
    this.#floods = new FloodControl(parts.floodLimits, parts.limiters)
    this.menu = parts.commands
      .filter(({ hidden }) => !hidden)
      .map((command) => menuEntry(command, parts.services))
  }

  isEphemeral(line: string): boolean {
    return this.#begun(line)?.ephemeral ?? false
  }

  mutates(line: string): boolean {
    try {
      const parsed = parseLine(line)
      return this.#command(parsed.name).mutates?.(parsed) ?? false
    } catch {
      // What is wrong with it is said where it is run, and that changes nothing.
      return false
    }
  }

  withChat(line: string, chat: string): string {
    try {
      const { name, named } = parseLine(line)
      const { params } = this.#command(name)
      const option = Object.keys(params).find((each) => params[each]?.otherChat)
      if (option === undefined || named.has(option)) return line
      return formatLine(line, undefined, { [option]: chat })
    } catch {
      // What is wrong with it is said where it is run.
      return line
    }
  }

  answer(line: string, context: Context, show: ShowProgress = unseen): Promise<Answer> {
    const command = this.#begun(line)?.name ?? 'other'
    return this.#counted(context, command, () =>
      this.#answered(context, line, () => this.#run(line, context, show)),
    )
  }

  receive(
    heard: Input,
    line: string,
    context: Context,
    show: ShowProgress = unseen,
  ): Promise<Answer> {
    const { conversation, services } = this.#parts
    return this.#counted(context, 'words', () =>
      this.#answered(
        context,
        line,
        async () =>
          (await conversation.receive(heard, services, context, show)) ??
          this.#run(line, context, show),
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

  async complete(asked: Completion, context: Context): Promise<readonly Choice[]> {
    const { command, option, typed } = asked
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

  async #run(line: string, context: Context, show: ShowProgress): Promise<View> {
    const parsed = parseLine(line)
    const command = this.#command(parsed.name)
    // Platforms lead elsewhere before it comes to this.
    if (command.ephemeral && !context.ephemeral)
      throw new UserError('Send this in a private chat with me.')
    return command.run(parsed, this.#parts.services, context, show)
  }

  async #answered(context: Context, line: string, make: () => Promise<View>): Promise<Answer> {
    try {
      const flood = await this.#floods.count(context)
      if (flood) return { ...this.explain(floodView(flood), ''), repeated: flood.told }
      return { view: await make(), outcome: 'answered' }
    } catch (error) {
      return this.explain(error, line)
    }
  }

  async #counted(
    { platform }: Context,
    command: string,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    const from = performance.now()
    const answer = await make()
    const seconds = (performance.now() - from) / 1000
    this.#parts.onAnswered?.({ platform, command, outcome: answer.outcome, seconds })
    return answer
  }

  /** The command that a line begins with, whatever follows it. */
  #begun(line: string): Command<S> | undefined {
    const [name = ''] = line.trimStart().split(/\s/u, 1)
    return this.#parts.commands.find((each) => each.name === name.toLowerCase())
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

const unseen: ShowProgress = async () => undefined

function floodView({ seconds }: Flood): UserError {
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
    ...(param.whole && { whole: param.whole }),
    ...(param.choices && { choices: param.choices(services) }),
  }))
  return {
    name: command.name,
    about: command.about,
    ephemeral: command.ephemeral ?? false,
    options,
  }
}
