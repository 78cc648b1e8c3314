import { chunks, shorten } from '../../core/text.ts'
import type { Attachment, Block, Button, Tone, View } from '../../core/view.ts'
import type { Question, Scope } from '../questions/question.ts'
import { launchLine, quiet, text } from './steps.ts'

const choicesInRow = 2
const maxValue = 300

/** A launch's progress and its current question. */
export interface QuestionParts {
  /** The draft's id and rev, for buttons. */
  at: string
  question: Question
  scope: Scope
  /** Counted from 1, among the questions that this launch asks. */
  number: number
  of: number
  answered: number
  /** Whether there is an earlier question. */
  back: boolean
  /** Shown first: why an answer was rejected, or what was understood. */
  notes?: readonly Block[]
  tone?: Tone
  /** The last text that was not applied. */
  typed?: string | undefined
  /** Buttons of the notes, above all others. */
  rows?: Button[][]
}

/** Shows a question with an example, what is allowed, and the alternatives to answering. */
export function questionView(parts: QuestionParts): View {
  const { question, scope } = parts
  const { words, choices = [] } = question.ask(scope)
  const about = choices.flatMap(({ label, about }): [string, string[]][] =>
    about === undefined ? [] : [[label, [shorten(about, maxValue)]]],
  )
  return {
    title: [title(parts)],
    ...(parts.tone && { tone: parts.tone }),
    blocks: [
      ...(parts.notes ?? []),
      text(...words),
      ...(about.length > 0 ? [{ kind: 'fields' as const, fields: about }] : []),
      facts(parts),
      progress(parts),
    ],
    buttons: [
      ...(parts.rows ?? []),
      ...chunks(
        choices.map(({ label, value }) => ({
          label,
          run: launchLine('set', parts.at, question.id, value),
        })),
        choicesInRow,
      ),
      ...navigation(parts),
    ],
    ...(question.field && { form: answerForm(parts.at) }),
  }
}

/** Shows the cropped picture, to accept or change. */
export function cropView(parts: QuestionParts, picture: Attachment): View {
  return {
    title: [title(parts)],
    ...(parts.tone && { tone: parts.tone }),
    blocks: [
      ...(parts.notes ?? []),
      text('This is how it will look: the middle of your picture, as a square of 512 pixels.'),
      quiet('Use it, or send another one.'),
      progress(parts),
    ],
    buttons: [
      [{ label: 'Use it', run: launchLine('accept', parts.at), look: 'main' }],
      pictureAlternatives(parts),
      backAndCancel(parts),
    ],
    files: [picture],
    form: { ...answerForm(parts.at), label: 'Send another' },
  }
}

function title({ number, of, question }: QuestionParts): string {
  return `Question ${number} of ${of}: ${question.label}`
}

function answerForm(at: string) {
  return { label: 'Answer', line: launchLine('form', at) }
}

function says(block: Block, words: string): boolean {
  const spans = block.kind === 'text' ? block.spans : []
  return spans.some((span) => typeof span === 'string' && span.includes(words))
}

function facts({ question, scope, typed, notes = [] }: QuestionParts): Block {
  const { example, allowed } = question.ask(scope)
  // The rejection has said it already.
  const isSaid = allowed !== undefined && notes.some((each) => says(each, allowed))
  const now = question.text(scope)
  const fields: [string, Block & { kind: 'text' }][] = []
  const add = (label: string, text: string | undefined, code = true) => {
    if (text === undefined) return
    const shown = shorten(text, maxValue)
    fields.push([label, { kind: 'text', spans: [code ? { code: shown } : shown] }])
  }
  add('Example', example)
  if (!isSaid) add('Allowed', allowed, false)
  if (now !== undefined) add('Now', now === '' ? 'left out' : now, now !== '')
  add('You typed', typed)
  return { kind: 'fields', fields: fields.map(([label, { spans }]) => [label, spans]) }
}

function progress({ answered, of }: QuestionParts): Block {
  return {
    kind: 'progress',
    ratio: of === 0 ? 1 : answered / of,
    label: `${answered} of ${of} answered`,
  }
}

/** Offers the alternatives to the new picture: the previous one, or none. */
function pictureAlternatives({ at, question, scope }: QuestionParts): Button[] {
  const old: Button = { label: 'Keep the old one', run: launchLine('keep', at) }
  const none: Button = { label: 'No picture', run: launchLine('skip', at, question.id) }
  return question.text(scope) ? [old, none] : [none]
}

/** Lists keep and skip first, then back and cancel. */
function navigation(parts: QuestionParts): Button[][] {
  const { at, question, scope } = parts
  const now = question.text(scope)
  const canSkip = question.skipped(scope) !== undefined && now !== ''
  const stay: Button[] = [
    ...(now === undefined ? [] : [{ label: 'Keep', run: launchLine('keep', at) }]),
    ...(canSkip
      ? [
          {
            label: now === undefined ? 'Skip' : 'Leave it out',
            run: launchLine('skip', at, question.id),
          },
        ]
      : []),
  ]
  return [stay, backAndCancel(parts)].filter((row) => row.length > 0)
}

function backAndCancel({ at, back }: QuestionParts): Button[] {
  return [
    ...(back ? [{ label: '◀ Back', run: launchLine('back', at) }] : []),
    { label: 'Cancel', run: launchLine('cancel', at) },
  ]
}
