import type { Draft } from '../draft.ts'
import { categories, chain, launchChains, launchTemplates, template } from './choices.ts'
import { links } from './links.ts'
import { picture } from './picture.ts'
import type { Question, Scope } from './question.ts'
import { beneficiaries, feeReceiver, vesting, wallet } from './shares.ts'
import { description, name, symbol } from './token.ts'

/** Every question, in the order in which they are asked. */
export const questions: readonly Question[] = [
  chain,
  template,
  name,
  symbol,
  description,
  picture,
  links,
  categories,
  wallet,
  feeReceiver,
  vesting,
  beneficiaries,
]

/** The questions that this launch asks. */
export function applicable(scope: Scope): Question[] {
  return questions.filter((question) => question.applies(scope))
}

/** Those that were not answered yet. */
export function openQuestions(scope: Scope): Question[] {
  return applicable(scope).filter((question) => question.text(scope) === undefined)
}

/** The question to be answered now: the one that the person went to, else the first open one; none at the review. */
export function currentQuestion(draft: Draft, scope: Scope): Question | undefined {
  const asked = applicable(scope).find(({ id }) => id === draft.asking)
  if (asked) return asked
  if (draft.offered !== undefined) return picture
  const [first] = openQuestions(scope)
  return first
}

/** The draft with what needs no question: the only chain, the only template. What no longer fits is open again. */
export function settled(draft: Draft, settings: Scope['settings']): Draft {
  if (draft.goal === 'metadata') return draft
  const { chain: wanted, template: chosen, ...rest } = draft.answers
  const chains = launchChains({ settings })
  const [onlyChain] = chains.length === 1 ? chains : []
  const kept = wanted !== undefined && chains.includes(wanted) ? wanted : onlyChain
  const onChain = { ...rest, ...(kept !== undefined && { chain: kept }) }
  const templates = kept === undefined ? [] : launchTemplates({ settings, answers: onChain })
  const fitting = templates.find(({ id }) => id === chosen)
  const only = templates.length === 1 ? templates[0] : undefined
  const id = (fitting ?? only)?.id
  return { ...draft, answers: { ...onChain, ...(id !== undefined && { template: id }) } }
}
