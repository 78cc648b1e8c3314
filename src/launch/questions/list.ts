import type { Draft } from '../draft.ts'
import { categories, chain, launchChains, launchTemplates, template } from './choices.ts'
import { links } from './links.ts'
import { picture } from './picture.ts'
import type { Question, Scope } from './question.ts'
import { beneficiaries, feeReceiver, vesting, wallet } from './shares.ts'
import { description, name, symbol } from './token.ts'

/** All questions in the order in which they are asked. */
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

/** Lists the questions that this launch asks. */
export function applicable(scope: Scope): Question[] {
  return questions.filter((question) => question.applies(scope))
}

/** Lists the applicable questions without an answer. */
export function openQuestions(scope: Scope): Question[] {
  return applicable(scope).filter((question) => question.text(scope) === undefined)
}

/** Returns the question that the person went back to, else the first open one; undefined at the review. */
export function currentQuestion(draft: Draft, scope: Scope): Question | undefined {
  const revisited = applicable(scope).find(({ id }) => id === draft.asking)
  if (revisited) return revisited
  if (draft.offered !== undefined) return picture
  const [first] = openQuestions(scope)
  return first
}

/** Fills in answers without a choice (the only chain, the only template), and drops answers that no longer fit. */
export function settled(draft: Draft, settings: Scope['settings']): Draft {
  if (draft.goal === 'metadata') return draft
  const { chain: answered, template: chosen, ...rest } = draft.answers
  const chains = launchChains({ settings })
  const [onlyChain] = chains.length === 1 ? chains : []
  const validChain = answered !== undefined && chains.includes(answered) ? answered : onlyChain
  const onChain = { ...rest, ...(validChain !== undefined && { chain: validChain }) }
  const templates = validChain === undefined ? [] : launchTemplates({ settings, answers: onChain })
  const fitting = templates.find(({ id }) => id === chosen)
  const only = templates.length === 1 ? templates[0] : undefined
  const id = (fitting ?? only)?.id
  return { ...draft, answers: { ...onChain, ...(id !== undefined && { template: id }) } }
}
