import type { Choice, Show, Turn } from '../../src/core/command.ts'
import type { Form, Heard } from '../../src/core/conversation.ts'
import type { Answer, Bot, Completion, InlineAnswer, MenuEntry } from '../../src/core/dispatch.ts'
import type { Button, View } from '../../src/core/view.ts'

type Script = (line: string, turn: Turn, show: Show) => Answer | Promise<Answer>

/** What a conversation makes of what it hears; undefined where nobody is being asked anything. */
type HearingScript = (heard: Heard, turn: Turn, show: Show) => Promise<Answer | undefined>

/** What a command answers: these words, and these buttons below them. */
export function says(words: string, buttons: Button[] = []): Answer {
  return { view: viewOf(words, buttons), outcome: 'answered' }
}

/** What is refused, as where something was typed wrong. */
export function refuses(words: string): Answer {
  return { view: viewOf(words), outcome: 'refused' }
}

export function viewOf(words: string, buttons: Button[] = []): View {
  return { title: [], blocks: [{ kind: 'text', spans: [words] }], buttons: [buttons] }
}

/** An answer that comes when the test says so. */
export function later(): { script: Script; come: (answer: Answer) => void } {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  return { script: () => promise, come: resolve }
}

const unseen: Show = async () => undefined

const option = { about: 'A term', example: 'otter', required: false, place: false, completes: true }

/**
 * A bot that answers lines by a script, and notes all that it was asked. What `launch` and the hidden `launching`
 * answer, only the asker may read; `change` changes something.
 */
export class ScriptedBot implements Bot {
  readonly menu: MenuEntry[] = [
    { name: 'ask', about: 'Ask', alone: false, options: [{ ...option, name: 'term' }] },
    { name: 'start', about: 'Where to begin', alone: false, options: [] },
    {
      name: 'launch',
      about: 'Launch',
      alone: true,
      options: [{ ...option, name: 'from', completes: false, place: true }],
    },
  ]
  readonly asked: { line: string; turn: Turn }[] = []
  readonly completions: { asked: Completion; turn: Turn }[] = []
  readonly inlined: { term: string; turn: Turn }[] = []
  readonly explained: { error: unknown; line: string }[] = []
  readonly heard: { heard: Heard; line: string; turn: Turn }[] = []
  readonly formsAsked: { line: string; turn: Turn }[] = []
  /** Forms, or what is said instead, by the line that names them. */
  readonly forms = new Map<string, Form | Answer>()
  /** Nobody is being asked anything unless a test says so: what is heard is answered as its line. */
  hearing: HearingScript = async () => undefined
  choices: Choice[] = []
  found: InlineAnswer = { hits: [] }
  readonly #scripts = new Map<string, Script>()

  /** From now on this line is answered so; without a script a line is answered with itself. */
  on(line: string, script: Answer | Script): void {
    this.#scripts.set(line, typeof script === 'function' ? script : () => script)
  }

  get lines(): string[] {
    return this.asked.map(({ line }) => line)
  }

  isAlone(line: string): boolean {
    return /^launch(?:ing)?(?:\s|$)/iu.test(line)
  }

  changes(line: string): boolean {
    return /^change\s/u.test(line)
  }

  aboutChat(line: string, chat: string): string {
    return line.startsWith('ask') ? `${line} in:${chat}` : line
  }

  async answer(line: string, turn: Turn, show: Show = unseen): Promise<Answer> {
    this.asked.push({ line, turn })
    const script = this.#scripts.get(line)
    return script ? script(line, turn, show) : says(line)
  }

  async hear(heard: Heard, line: string, turn: Turn, show: Show = unseen): Promise<Answer> {
    this.heard.push({ heard, line, turn })
    return (await this.hearing(heard, turn, show)) ?? this.answer(line, turn, show)
  }

  async form(line: string, turn: Turn): Promise<Form | Answer> {
    this.formsAsked.push({ line, turn })
    return this.forms.get(line) ?? refuses('This form is too old.')
  }

  async complete(asked: Completion, turn: Turn): Promise<readonly Choice[]> {
    this.completions.push({ asked, turn })
    return this.choices
  }

  async inline(term: string, turn: Turn): Promise<InlineAnswer> {
    this.inlined.push({ term, turn })
    return this.found
  }

  explain(error: unknown, line: string): Answer {
    this.explained.push({ error, line })
    return { view: viewOf('explained'), outcome: 'failed' }
  }
}
