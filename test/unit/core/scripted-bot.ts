import type { Locale } from '../../../src/core/catalogue.ts'
import {
  type Choice,
  type Context,
  type InlineHit,
  type ParsedCommand,
  parseCommand,
  type ShowProgress,
  text,
} from '../../../src/core/command.ts'
import type { Form, Input } from '../../../src/core/conversation.ts'
import { Dispatcher } from '../../../src/core/dispatch.ts'
import type { Answer, InlineAnswer } from '../../../src/core/incoming.ts'
import type { Completion, MenuEntry, Runner } from '../../../src/core/runner.ts'
import type { Button, LocalisedView, View } from '../../../src/core/view.ts'
import { UserError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'

type Script = (line: string, context: Context, show: ShowProgress) => Answer | Promise<Answer>

/** What a conversation makes of what it hears; undefined where nobody is being asked anything. */
type HearingScript = (
  heard: Input,
  context: Context,
  show: ShowProgress,
) => Promise<Answer | undefined>

/** Thrown for an answer that is a refusal: the dispatcher shows its view. */
class ScriptedRefusal extends UserError {
  readonly view: View

  constructor(view: View) {
    super('refused by a script')
    this.view = view
  }
}

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
  { name: 'alerts', params: { from: { ...param, chat: true } }, forAsker: true },
  { name: 'change', mutates: () => true, ...hidden },
]

const option = { about: 'A term', example: 'otter', required: false, chat: false, completes: true }

/**
 * Answers lines by a script, and notes all that it was asked. What `launch` and the hidden `launching` answer, only the asker
 * may read; `change` changes something. `dispatch` is the real dispatcher over it.
 */
export class ScriptedBot implements Runner {
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
  readonly completions: Completion[] = []
  readonly inlined: string[] = []
  readonly heard: { heard: Input; context: Context }[] = []
  /** Whether a reply in a group answers something that was asked. */
  isAsking = false
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
  /** They were not told so yet. */
  isNoticeDue = false
  readonly #scripts = new Map<string, Script>()

  /** From now on this line is answered so; without a script a line is answered with itself. */
  on(line: string, script: Answer | Script): void {
    this.#scripts.set(line, typeof script === 'function' ? script : () => script)
  }

  /** What the dispatcher explained: faults of scripts, and messages that a platform did not take. */
  readonly explained: { error: unknown; line: string }[] = []
  /** A test may lower them. */
  readonly floodLimits = { person: 1_000_000, chat: 1_000_000 }
  readonly dispatch = new Dispatcher({
    runner: this,
    explain: (error, line) => {
      if (error instanceof ScriptedRefusal) return error.view
      if (error instanceof UserError)
        return { title: [], blocks: [{ kind: 'text', spans: [...error.spans] }] }
      this.explained.push({ error, line })
      return viewOf('explained')
    },
    log: createLogger('silent', []),
    floodLimits: this.floodLimits,
    languageOf: () => this.language,
    blocked: {
      has: ({ user }) => this.blocked.has(user),
      isNoticeDue: async () => this.isNoticeDue,
    },
  })

  get lines(): string[] {
    return this.asked.map(({ line }) => line)
  }

  parse(line: string): ParsedCommand {
    return parseCommand(line, commands)
  }

  async run({ line }: ParsedCommand, context: Context, show: ShowProgress): Promise<View> {
    this.asked.push({ line, context })
    const script = this.#scripts.get(line)
    return script ? viewOfAnswer(await script(line, context, show)) : viewOf(line)
  }

  async receive(heard: Input, context: Context, show: ShowProgress): Promise<View | undefined> {
    this.heard.push({ heard, context })
    const answer = await this.receiver(heard, context, show)
    return answer && viewOfAnswer(answer)
  }

  async isAnswer(): Promise<boolean> {
    return this.isAsking
  }

  async form(line: string, context: Context): Promise<Form<string>> {
    this.formsAsked.push({ line, context })
    const form = this.forms.get(line) ?? refuses('This form is too old.')
    if ('view' in form) throw new ScriptedRefusal(form.view)
    return form
  }

  overheard(text: string): (() => Promise<View | undefined>) | undefined {
    const answer = this.overheards.get(text)
    return answer && (async () => answer.view)
  }

  async complete(asked: Completion): Promise<readonly Choice<string>[]> {
    this.completions.push(asked)
    return this.choices
  }

  async inline(term: string): Promise<readonly InlineHit<string>[]> {
    this.inlined.push(term)
    const { hits, notice } = this.found
    if (notice !== undefined) throw new UserError(notice)
    return hits
  }

  async welcome(context: Context): Promise<LocalisedView | undefined> {
    this.entered.push(context)
    return this.greeting
  }
}

/** @throws the refusal or failure that the answer is */
function viewOfAnswer({ view, outcome }: Answer): View {
  if (outcome === 'answered') return view
  throw outcome === 'refused' ? new ScriptedRefusal(view) : new Error('a script failed')
}
