import { categories as allCategories, type Category } from '../../api/schema.ts'
import { chainById } from '../../chain/chains.ts'
import { locales, plainText } from '../../core/catalogue.ts'
import { questionToAsk } from '../../core/conversation.ts'
import { type Message, t } from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import type { Draft } from '../draft.ts'
import { beneficiaries, feeReceiver, vesting, wallet } from './accounts.ts'
import { always, never, ofLaunches, type Question, type Scope } from './question.ts'
import { description, isTicker, links, name, picture, symbol } from './token.ts'

/** Lists the chains that have templates, in the order of the templates. */
function launchChains({ settings }: Pick<Scope, 'settings'>): number[] {
  return [...new Set(settings.templates.map(({ chain }) => chain))]
}

/** Lists the templates of the chosen chain, or of all chains if none was chosen. */
export function launchTemplates({ settings, answers }: Pick<Scope, 'settings' | 'answers'>) {
  return settings.templates.filter(
    ({ chain }) => answers.chain === undefined || answers.chain === chain,
  )
}

const chain: Question = {
  id: 'chain',
  label: t('launch-chain'),
  names: ['chain', 'network'],
  applies: (scope) => ofLaunches(scope) && launchChains(scope).length > 1,
  skipped: never,
  ask: (scope) => ({
    words: [t('launch-chain-question')],
    example: chainById(launchChains(scope)[0] ?? 0).name,
    choices: launchChains(scope)
      .map(chainById)
      .map(({ id, name }) => ({ label: name, value: String(id) })),
  }),
  parse: (text, scope) => {
    const typed = text.trim().toLowerCase()
    const chains = launchChains(scope).map(chainById)
    const found = chains.find(
      ({ id, slug, name }) =>
        String(id) === typed || slug === typed || name.toLowerCase() === typed,
    )
    if (found) return { chain: found.id }
    const names = chains.map(({ name }) => name)
    throw new UserError(t('launch-chain-unknown', { chains: { list: names, as: 'or' } }))
  },
  text: ({ answers }) => (answers.chain === undefined ? undefined : chainById(answers.chain).name),
}

const template: Question = {
  id: 'template',
  label: t('launch-template'),
  names: ['template', 'kind'],
  applies: (scope) => ofLaunches(scope) && launchTemplates(scope).length > 1,
  skipped: never,
  ask: (scope) => {
    const templates = launchTemplates(scope)
    return {
      words: [t('launch-template-question')],
      example: templates[0]?.label ?? '',
      choices: templates.map(({ id, label }) => ({ label, value: id })),
    }
  },
  parse: (text, scope) => {
    const typed = text.trim()
    const templates = launchTemplates(scope)
    const found =
      templates.find(({ id }) => id === typed) ??
      templates.find(({ label }) => label.toLowerCase() === typed.toLowerCase())
    if (found) return { template: found.id }
    const labels = templates.map(({ label }) => label)
    throw new UserError(t('launch-template-unknown', { templates: { list: labels, as: 'or' } }))
  },
  text: (scope) => launchTemplates(scope).find(({ id }) => id === scope.answers.template)?.id,
}

/** The labels of categories. */
export const categoryLabels: Record<Category, Message> = {
  'builder-coin': t('launch-category-builder'),
  'product-coin': t('launch-category-product'),
}

/** Whether a text in lower case is a label in any language. */
function isLabel(typed: string, label: Message): boolean {
  return locales.some((locale) => plainText(label, locale).toLowerCase() === typed)
}

const categories: Question = {
  id: 'categories',
  label: t('launch-categories'),
  names: ['categories', 'category'],
  applies: always,
  skipped: () => ({ categories: [] }),
  ask: () => ({
    words: [t('launch-categories-question')],
    example: allCategories[0],
    choices: [
      ...allCategories.map((value) => ({ label: categoryLabels[value], value })),
      { label: t('launch-categories-both'), value: 'both' },
    ],
  }),
  parse: (text) => {
    const typed = text.toLowerCase().trim()
    if (typed === 'all' || isLabel(typed, t('launch-categories-both'))) {
      return { categories: [...allCategories] }
    }
    const labelled = allCategories.find((each) => isLabel(typed, categoryLabels[each]))
    if (labelled) return { categories: [labelled] }
    const words = typed
      .replaceAll(/(?<![\s-])[\s-]+coins?\b/gu, '-coin')
      .split(/[\s,;]+|\band\b|&/u)
      .filter((word) => word !== '')
    const found = words.map((word) =>
      allCategories.find((each) => each === word || each === `${word}-coin`),
    )
    const chosen = allCategories.filter((each) => found.includes(each))
    if (found.length > 0 && found.every((each) => each !== undefined)) return { categories: chosen }
    const list = [...Object.values(categoryLabels), t('launch-categories-both')]
    const categories = { list, as: 'or' } as const
    throw new UserError(t('launch-categories-unknown', { categories }))
  },
  text: ({ answers }) => answers.categories?.join(', '),
}

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
export function applicableQuestions(scope: Scope): Question[] {
  return questions.filter((question) => question.applies(scope))
}

/** Lists the applicable questions that are asked one after the other. */
export function askedQuestions(scope: Scope): Question[] {
  return applicableQuestions(scope).filter(({ isPreset }) => !isPreset)
}

/** Lists the applicable questions without an answer. */
export function openQuestions(scope: Scope): Question[] {
  return applicableQuestions(scope).filter((question) => question.text(scope) === undefined)
}

/** Returns the question that the person went back to, else the first open one; undefined at the review. */
export function currentQuestion(draft: Draft, scope: Scope): Question | undefined {
  const wanted =
    draft.askedQuestion ?? (draft.pendingPicture === undefined ? undefined : picture.id)
  return questionToAsk(questions, scope, wanted)
}

/** Fills in answers without a choice (the only chain, the only template), and drops answers that no longer fit. */
export function reconciled(draft: Draft, settings: Scope['settings']): Draft {
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
  const { symbol, ...others } = onChain
  return {
    ...draft,
    answers: {
      ...others,
      ...(symbol !== undefined && isTicker({ settings, answers: onChain }) && { symbol }),
      ...(id !== undefined && { template: id }),
    },
  }
}
