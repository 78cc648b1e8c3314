import {
  cleared,
  heldAnswer,
  type Reader,
  refuse,
  type Taken,
  takeAnswers,
  untouched,
} from './conversation-answers.ts'
import type { Draft } from './draft.ts'
import type { Pictures } from './pictures.ts'
import { applicable, currentQuestion, openQuestions } from './questions/list.ts'
import { picture } from './questions/picture.ts'
import type { Question } from './questions/question.ts'

/** So much that is odd about one question's answers is remembered as meant. */
const mostKept = 60

interface Step {
  draft: Draft
  words: readonly string[]
  reader: Reader
  pictures: Pictures
}

type Does = (step: Step) => Taken | undefined | Promise<Taken | undefined>

/** Actions by name; what gives undefined can't be done with the draft as it is. */
const steps: ReadonlyMap<string, Does> = new Map<string, Does>([
  ['set', set],
  ['skip', skip],
  ['keep', keep],
  ['back', back],
  ['change', change],
  ['review', ({ draft }) => untouched(asked(draft, undefined))],
  ['accept', accept],
  ['known', known],
  ['announce', announce],
  ['drop', ({ draft }) => untouched({ ...draft, state: 'cancelled' })],
])

/** The draft after a press; undefined where there is no such action, or it does not fit the draft. */
export async function takeStep(
  draft: Draft,
  action: string,
  words: readonly string[],
  parts: Pick<Step, 'reader' | 'pictures'>,
): Promise<Taken | undefined> {
  return steps.get(action)?.({ draft, words, ...parts })
}

function asked(draft: Draft, question: Question | undefined): Draft {
  const { asking: _, ...rest } = draft
  return question === undefined ? rest : { ...rest, asking: question.id }
}

function named({ draft, words: [id], reader }: Step): Question | undefined {
  return applicable(reader.scope(draft)).find((question) => question.id === id)
}

function set(step: Step) {
  const question = named(step)
  const text = step.words.slice(1).join(' ')
  return question && takeAnswers(untouched(step.draft), [{ question, text }], step.reader)
}

function skip(step: Step): Taken | undefined {
  const { draft, reader } = step
  const question = named(step)
  const answer = question?.skipped(reader.scope(draft))
  if (question === undefined || answer === undefined) return undefined
  const changed = cleared(draft, question.id)
  return untouched({ ...changed, answers: { ...changed.answers, ...answer } })
}

function keep({ draft, reader }: Step): Taken | undefined {
  const scope = reader.scope(draft)
  const question = currentQuestion(draft, scope)
  const isAnswered = question?.text(scope) !== undefined
  return question && isAnswered ? untouched(cleared(draft, question.id)) : undefined
}

function back({ draft, reader }: Step): Taken | undefined {
  const scope = reader.scope(draft)
  const all = applicable(scope)
  const question = currentQuestion(draft, scope)
  // It was reached from the review.
  if (question && openQuestions(scope).length === 0) return untouched(cleared(draft, question.id))
  const before = all[(question ? all.indexOf(question) : all.length) - 1]
  return before && untouched(asked(draft, before))
}

function change(step: Step): Taken | undefined {
  const question = named(step)
  return question && untouched(asked(step.draft, question))
}

async function accept({ draft, pictures }: Step): Promise<Taken | undefined> {
  const cid = draft.offered
  if (cid === undefined) return undefined
  const changed = cleared(draft, 'picture')
  if (await pictures.find(cid)) {
    return untouched({
      ...changed,
      answers: { ...changed.answers, picture: { cid, stored: true } },
    })
  }
  return refuse(untouched(changed), picture, '', 'This picture is no longer here. Send it again.')
}

/** An answer that was held back was meant; of a symbol that another asset has, on just this chain. */
function known(step: Step): Taken | Promise<Taken> | undefined {
  const { draft, reader, words } = step
  // Buttons without a question are those of a symbol.
  const question = named({ ...step, words: words.length === 0 ? ['symbol'] : words })
  if (question === undefined) return undefined
  const text = draft.typed[question.id]
  const held = heldAnswer(draft, question, reader.scope(draft))
  const { chain } = draft.answers
  if (text === undefined || held === undefined) return undefined
  if (question.id === 'symbol' && chain === undefined) return undefined
  const before = draft.kept[question.id] ?? []
  const abouts = held.doubts.map(({ about }) => about)
  const meant = [...new Set([...before, ...abouts, held.answer])]
  const accepted = {
    ...draft,
    kept: { ...draft.kept, [question.id]: meant.slice(-mostKept) },
    ...(question.id === 'symbol' && { knownSymbolAccepted: `${chain} ${text}` }),
  }
  return takeAnswers(untouched(accepted), [{ question, text }], reader)
}

function announce({ draft, words: [wanted] }: Step): Taken | undefined {
  if (draft.origin === undefined) return undefined
  return untouched({ ...draft, announce: wanted === 'on' })
}
