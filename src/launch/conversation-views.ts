import { chainById } from '../chain/chains.ts'
import type { Attachment, View } from '../chat/view.ts'
import { UserError } from '../errors.ts'
import { cropView, type QuestionParts, questionView } from '../views/launch/question.ts'
import { reviewView } from '../views/launch/review.ts'
import { type Said, saidOfPending } from './conversation-notes.ts'
import type { Draft } from './draft.ts'
import { feeShares } from './fee-shares.ts'
import { applicable, openQuestions } from './questions/list.ts'
import type { Question, Scope } from './questions/question.ts'

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
  const pending = said?.rows === undefined && isPendingSymbol(draft, question, scope)
  const above = pending ? joined(saidOfPending(draft), said) : said
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
  const { chain, template } = draft.answers
  const isLaunch = draft.goal === 'launch'
  return reviewView({
    draft,
    chain: isLaunch && chain !== undefined ? chainById(chain) : undefined,
    templateLabel: isLaunch
      ? scope.settings.templates.find(({ id }) => id === template)?.label
      : undefined,
    fees: isLaunch ? feeShares(draft.answers) : [],
    questions: applicable(scope),
    ...(said && { notes: said.notes }),
    ...(said?.tone && { tone: said.tone }),
  })
}

function joined(one: Said, other: Said | undefined): Said {
  return { ...one, ...other, notes: [...(other?.notes ?? []), ...one.notes] }
}

/** A symbol that could be one but was not taken is another asset's: nothing else keeps it back. */
function isPendingSymbol(draft: Draft, question: Question, scope: Scope): boolean {
  const { symbol } = draft.typed
  if (question.id !== 'symbol' || symbol === undefined) return false
  try {
    question.parse(symbol, scope)
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}
