import type { Context, ParsedCommand, ShowProgress } from '../../../src/core/command.ts'
import type { Form, IncomingFile, Input } from '../../../src/core/conversation.ts'
import { Dispatcher } from '../../../src/core/dispatch.ts'
import type {
  Answer,
  IncomingInput,
  Manner,
  Reply,
  WrittenMessage,
} from '../../../src/core/incoming.ts'
import type { Runner } from '../../../src/core/runner.ts'

/** What a person was shown. */
export interface Shown {
  answers: Answer[]
  manner: Manner | undefined
  /** The lines that are to be run in the private chat. */
  led: (string | undefined)[]
  forms: Form<string>[]
}

/** Has something handled, and returns what was shown. */
export async function handled(
  dispatch: Dispatcher,
  context: Context,
  input: IncomingInput,
  more: Partial<Reply> = {},
): Promise<Shown> {
  const shown: Shown = { answers: [], manner: undefined, led: [], forms: [] }
  const reply: Reply = {
    begin: (manner) => {
      shown.manner = manner
    },
    show: async () => undefined,
    finish: async (answer) => void shown.answers.push(answer),
    openPrivately: async (line) => void shown.led.push(line),
    openForm: async (form) => void shown.forms.push(form),
    ...more,
  }
  await dispatch.handle({ context, input, reply })
  return shown
}

/** A press of a button on a message that this person alone reads. */
export function pressOf(line: string): IncomingInput {
  const message = { isSoleReader: true, isTheirs: true, isPost: false }
  return { kind: 'press', line, asNew: false, message }
}

/** A message, as somebody wrote it. */
export function messageOf(text: string, files: readonly IncomingFile[] = []): WrittenMessage {
  return { kind: 'message', text, files, botName: 'gavel_bot', isReply: false, isPost: false }
}

/** A dispatcher whose answers are returned. */
export class AskedBot extends Dispatcher {
  readonly #runner: Runner

  constructor(parts: ConstructorParameters<typeof Dispatcher>[0]) {
    super(parts)
    this.#runner = parts.runner
  }

  parse(line: string): ParsedCommand {
    return this.#runner.parse(line)
  }

  /** The answer to a command that was chosen or typed. */
  async answer({ line }: ParsedCommand, context: Context, show?: ShowProgress<string>) {
    return firstOf(await this.#shown(context, { kind: 'command', line }, show))
  }

  /** The answer to a press of a button. */
  async presses(line: string, context: Context) {
    return firstOf(await this.#shown(context, pressOf(line)))
  }

  /** The answer to a message in the private chat, or to a form. */
  async receive(input: Input, context: Context, show?: ShowProgress<string>) {
    const { form, ...filled } = input
    const incoming: IncomingInput =
      form === undefined
        ? messageOf(input.text, input.files)
        : { kind: 'form', form, input: filled, inPlace: true }
    return firstOf(await this.#shown({ ...context, isPrivate: true }, incoming, show))
  }

  /** The answer to a reply in a group, if there is one. */
  async replied({ text, files }: Input, context: Context): Promise<Answer | undefined> {
    const reply = { ...messageOf(text, files), isReply: true }
    const [answer] = await this.#shown({ ...context, isPrivate: false }, reply)
    return answer
  }

  /** The answer to words in a group, if there is one. */
  async overheard(text: string, context: Context): Promise<Answer | undefined> {
    const [answer] = await this.#shown({ ...context, isPrivate: false }, messageOf(text))
    return answer
  }

  /** The form that a line names, or what is shown instead. */
  async form(line: string, context: Context): Promise<Form<string> | Answer> {
    const { forms, answers } = await handled(this, context, { kind: 'form press', line })
    return firstOf([...forms, ...answers])
  }

  async #shown(context: Context, input: IncomingInput, show?: ShowProgress<string>) {
    return (await handled(this, context, input, show && { show })).answers
  }
}

function firstOf<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error('nothing was shown')
  return first
}
