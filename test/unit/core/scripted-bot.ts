import type { Locale } from '../../../src/core/catalogue.ts'
import {
  type Choice,
  type Context,
  type ParsedCommand,
  parseCommand,
  type ShowProgress,
  text,
} from '../../../src/core/command.ts'
import type { Form, Input } from '../../../src/core/conversation.ts'
import type {
  Answer,
  Completion,
  Dispatch,
  InlineAnswer,
  MenuEntry,
} from '../../../src/core/dispatch.ts'
import type { Button, LocalisedView } from '../../../src/core/view.ts'

type Script = (
  line: string,
  context: Context,
  show: ShowProgress<string>,
) => Answer | Promise<Answer>

/** What a conversation makes of what it hears; undefined where nobody is being asked anything. */
type HearingScript = (
  heard: Input,
  context: Context,
  show: ShowProgress<string>,
) => Promise<Answer | undefined>

/** What a command answers: these words, and these buttons below them. */
export function says(words: string, buttons: Button<string>[] = []): Answer {
  return { view: viewOf(words, buttons), outcome: 'answered' }
}

/** What is refused, as where something was typed wrong. */
export function refuses(words: string): Answer {
  return { view: viewOf(words), outcome: 'refused' }
}

export function viewOf(words: string, buttons: Button<string>[] = []): LocalisedView {
  return { title: [], blocks: [{ kind: 'text', spans: [words] }], buttons: [buttons] }
}

/** An answer that comes when the test says so. */
export function later(): { script: Script; come: (answer: Answer) => void } {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  return { script: () => promise, come: resolve }
}

const unseen: ShowProgress<string> = async () => undefined

const param = { ...text<unknown>('A term', 'otter'), required: false }
const hidden = { params: {}, unlisted: true }
/** What is known of the commands that a line may begin with. */
const commands = [
  { name: 'ask', params: { term: param, in: { ...param, otherChat: true } } },
  { name: 'start', params: {} },
  {
    name: 'launch',
    params: { from: { ...param, chat: true } },
    ephemeral: true,
    takesInput: true,
  },
  { name: 'launching', ephemeral: true, ...hidden },
  { name: 'alerts', params: {}, forAsker: true },
  { name: 'change', mutates: () => true, ...hidden },
]

const option = { about: 'A term', example: 'otter', required: false, chat: false, completes: true }

/**
 * A bot that answers lines by a script, and notes all that it was asked. What `launch` and the hidden `launching`
 * answer, only the asker may read; `change` changes something.
 */
export class ScriptedBot implements Dispatch {
  readonly menu: MenuEntry[] = [
    { name: 'ask', about: 'Ask', ephemeral: false, options: [{ ...option, name: 'term' }] },
    {
      name: 'start',
      about: 'Where to begin',
      ephemeral: false,
      audience: 'private',
      options: [],
    },
    {
      name: 'launch',
      about: 'Launch',
      ephemeral: true,
      options: [{ ...option, name: 'from', completes: false, chat: true }],
    },
    {
      name: 'alerts',
      about: 'Alerts',
      ephemeral: false,
      audience: 'managers',
      options: [
        { ...option, name: 'do' },
        { ...option, name: 'tag', completes: false },
      ],
      takesLine: true,
    },
  ]
  /** The language that all chats have set. */
  language: Locale | undefined
  /** Answers to what people write in groups, by their texts. */
  readonly overheards = new Map<string, Answer>()
  readonly asked: { line: string; context: Context }[] = []
  readonly completions: { asked: Completion; context: Context }[] = []
  readonly inlined: { term: string; context: Context }[] = []
  readonly explained: { error: unknown; line: string; locale: Locale }[] = []
  readonly heard: { heard: Input; line: string; context: Context }[] = []
  readonly formsAsked: { line: string; context: Context }[] = []
  /** Forms, or what is said instead, by the line that names them. */
  readonly forms = new Map<string, Form<string> | Answer>()
  /** Nobody is being asked anything unless a test says so: what is heard is answered as its line. */
  receiver: HearingScript = async () => undefined
  choices: Choice<string>[] = []
  /** The chats that the bot was let into. */
  readonly entered: Context[] = []
  greeting: LocalisedView | undefined
  found: InlineAnswer = { hits: [] }
  /** The people who are not answered. */
  readonly blocked = new Set<string>()
  readonly #scripts = new Map<string, Script>()

  /** From now on this line is answered so; without a script a line is answered with itself. */
  on(line: string, script: Answer | Script): void {
    this.#scripts.set(line, typeof script === 'function' ? script : () => script)
  }

  isBlocked({ user }: Context): boolean {
    return this.blocked.has(user)
  }

  get lines(): string[] {
    return this.asked.map(({ line }) => line)
  }

  parse(line: string): ParsedCommand {
    return parseCommand(line, commands)
  }

  async answer(
    { line }: ParsedCommand,
    context: Context,
    show: ShowProgress<string> = unseen,
  ): Promise<Answer> {
    this.asked.push({ line, context })
    const script = this.#scripts.get(line)
    return script ? script(line, context, show) : says(line)
  }

  async receive(
    heard: Input,
    fallback: ParsedCommand,
    context: Context,
    show: ShowProgress<string> = unseen,
  ): Promise<Answer> {
    this.heard.push({ heard, line: fallback.line, context })
    return (await this.receiver(heard, context, show)) ?? this.answer(fallback, context, show)
  }

  async replied(heard: Input, context: Context): Promise<Answer | undefined> {
    this.heard.push({ heard, line: '', context })
    return this.receiver(heard, context, unseen)
  }

  async form(line: string, context: Context): Promise<Form<string> | Answer> {
    this.formsAsked.push({ line, context })
    return this.forms.get(line) ?? refuses('This form is too old.')
  }

  async overheard(text: string): Promise<Answer | undefined> {
    return this.overheards.get(text)
  }

  localeOf({ locale }: Context): Locale {
    return this.language ?? locale
  }

  async complete(asked: Completion, context: Context): Promise<readonly Choice<string>[]> {
    this.completions.push({ asked, context })
    return this.choices
  }

  async inline(term: string, context: Context): Promise<InlineAnswer> {
    this.inlined.push({ term, context })
    return this.found
  }

  async welcome(context: Context): Promise<LocalisedView | undefined> {
    this.entered.push(context)
    return this.greeting
  }

  explain(error: unknown, line: string, locale: Locale): Answer {
    this.explained.push({ error, line, locale })
    return { view: viewOf('explained'), outcome: 'failed' }
  }
}
