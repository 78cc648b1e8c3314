import { moduleBook } from '../chain/airlock/modules.ts'
import { chainById } from '../chain/chains.ts'
import type { Attachment, View } from '../chat/view.ts'
import { cropView, type QuestionParts, questionView } from '../views/launch/question.ts'
import { reviewView } from '../views/launch/review.ts'
import { heldAnswer, likeListed } from './conversation-answers.ts'
import { type Said, saidOfDoubts, saidOfPending } from './conversation-notes.ts'
import type { Answers, Draft, Template } from './draft.ts'
import { askedOf, reviewViewpoint, templateOf } from './expectations.ts'
import { applicable, openQuestions } from './questions/list.ts'
import type { Question, Scope } from './questions/question.ts'
import { askedRows, type Row } from './table.ts'

/** A draft with what is said above it. */
interface Shown {
  draft: Draft
  scope: Scope
  said?: Said | undefined
}

/** The question that is asked now, with the picture where one waits to be accepted. */
export function askedView(
  { draft, scope, said }: Shown,
  question: Question,
  offered: Attachment | undefined,
): View {
  const all = applicable(scope)
  const number = all.indexOf(question) + 1
  const pending = said?.rows === undefined ? pendingOf(draft, question, scope) : undefined
  const above = pending ? joined(pending, said) : said
  const parts: QuestionParts = {
    at: `${draft.id}.${draft.rev}`,
    question,
    scope,
    number,
    of: all.length,
    answered: all.length - openQuestions(scope).length,
    back: number > 1 || openQuestions(scope).length === 0,
    typed: draft.typed[question.id],
    ...(above && { notes: above.notes }),
    ...(above?.rows && { rows: above.rows }),
    ...(above?.tone && { tone: above.tone }),
  }
  return offered === undefined ? questionView(parts) : cropView(parts, offered)
}

/** All answers together. */
export function reviewOf({ draft, scope, said }: Shown): View {
  const { chain } = draft.answers
  const isLaunch = draft.goal === 'launch'
  const pinned = templateOf(draft.answers, scope.settings.templates)
  return reviewView({
    draft,
    chain: isLaunch && chain !== undefined ? chainById(chain) : undefined,
    templateLabel: isLaunch ? pinned?.label : undefined,
    // Metadata alone launch nothing, but they name who vests.
    asked: askedIn(draft.answers, pinned, scope).filter(({ key }) => isLaunch || key === 'vesting'),
    questions: applicable(scope),
    ...(said && { notes: said.notes }),
    ...(said?.tone && { tone: said.tone }),
  })
}

function askedIn(answers: Answers, pinned: Template | undefined, { settings }: Scope): Row[] {
  const { chain = 0 } = answers
  const book = moduleBook(chain, settings.modules[chain])
  return askedRows(askedOf(answers, pinned), reviewViewpoint(answers, pinned, book))
}

function joined(one: Said, other: Said | undefined): Said {
  return { ...one, ...other, notes: [...(other?.notes ?? []), ...one.notes] }
}

/** What is said of an answer that could be one but was not taken: it is held back, and may be used nonetheless. */
function pendingOf(draft: Draft, question: Question, scope: Scope): Said | undefined {
  const held = heldAnswer(draft, question, scope)
  if (held === undefined) return undefined
  const doubts = held.doubts.map(({ words }) => words)
  if (doubts.length > 0) return saidOfDoubts(draft, question, doubts)
  if (question.id === 'symbol') return saidOfPending(draft)
  return question.id === 'name'
    ? saidOfDoubts(draft, question, [likeListed(held.answer)])
    : undefined
}
