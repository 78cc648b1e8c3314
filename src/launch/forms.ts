import type { Form, FormField, Input } from '../core/conversation.ts'
import { type Message, t } from '../core/view.ts'
import { type Labelled, labelledAnswers, type RawAnswer } from './answers.ts'
import type { Draft } from './draft.ts'
import { openQuestions, questions } from './questions/list.ts'
import type { Question, Scope } from './questions/question.ts'

/** Discord's limit. */
const maxFields = 5

const pictureFile = 'pictureFile'

/**
 * Makes a form of the current question and the open ones after it that have a text field, as many as fit. A rejected
 * answer is corrected in a form of its own, since empty fields of other questions would count as skipped.
 * @returns undefined if the current question is answered by buttons
 */
export function formOf(
  draft: Draft,
  current: Question | undefined,
  scope: Scope,
): Form | undefined {
  if (current?.field === undefined) return undefined
  const after = questions.indexOf(current)
  const isCorrected = draft.rejectedTexts[current.id] !== undefined
  const later = isCorrected
    ? []
    : openQuestions(scope).filter((each) => questions.indexOf(each) > after)
  const fields: FormField[] = []
  for (const question of [current, ...later]) {
    const next = formFields(draft, question, scope, question === current)
    if (fields.length + next.length > maxFields) break
    fields.push(...next)
  }
  const title = draft.goal === 'launch' ? t('launch-form') : t('launch-form-metadata')
  return { id: `${draft.id}.${draft.rev}`, title, fields }
}

function formFields(
  draft: Draft,
  question: Question,
  scope: Scope,
  isCurrent: boolean,
): FormField[] {
  const { field, id } = question
  if (field === undefined) return []
  const canSkip = question.skipped(scope) !== undefined
  const { example } = question.ask(scope)
  const value = fieldValue(question, draft, scope)
  const takesFile = id === 'picture' && scope.canPublish
  const about = typeof field.about === 'function' ? field.about(scope) : field.about
  const text: FormField = {
    id,
    label: takesFile ? t('launch-logo-or-ipfs') : question.label,
    about: canSkip ? optional(about) : about,
    kind: field.kind,
    // Only the current question is required: the others can be answered later.
    required: isCurrent && !canSkip,
    maxLength: field.maxLength,
    ...(example !== undefined && { example }),
    ...(value !== '' && { value: value.slice(0, field.maxLength) }),
  }
  if (!takesFile) return [text]
  const file: FormField = {
    id: pictureFile,
    label: question.label,
    about: optional(t('launch-logo-file')),
    kind: 'file',
    required: false,
  }
  return [file, text]
}

function optional(about: Message): Message {
  return t('launch-form-optional', { about })
}

/**
 * Reads the answers of a submitted form. An empty field skips an optional question and leaves a required one open. If
 * several labelled answers were pasted into one field they are split; an answer in its own field wins over a pasted
 * one.
 */
export function formAnswers(input: Input, draft: Draft, scope: Scope): Labelled {
  const fieldAnswers = questions.flatMap((question) => fieldAnswer(question, input, draft, scope))
  const pastes = fieldAnswers.map(({ text }) => labelledAnswers(text))
  const pasted = new Map(
    pastes.flatMap((paste) => paste?.given ?? []).map((each) => [each.question, each]),
  )
  const ownAnswers = fieldAnswers.filter(({ question, text }, index) => {
    if (pastes[index] !== undefined) return false
    const isChanged = text !== '' && text !== fieldValue(question, draft, scope)
    return isChanged || !pasted.has(question)
  })
  return {
    given: [
      ...new Map([...pasted.values(), ...ownAnswers].map((each) => [each.question, each])).values(),
    ],
    mistyped: pastes.flatMap((paste) => paste?.mistyped ?? []),
  }
}

/** Returns a field's initial value. */
function fieldValue(question: Question, draft: Draft, scope: Scope): string {
  return draft.rejectedTexts[question.id] ?? question.text(scope) ?? ''
}

function fieldAnswer(
  question: Question,
  { fields, files }: Input,
  draft: Draft,
  scope: Scope,
): RawAnswer[] {
  const text = Object.hasOwn(fields, question.id) ? fields[question.id]?.trim() : undefined
  if (text === undefined) return []
  // A file wins over the field's text, and an offered picture still waits for acceptance.
  const hasFile = files.length > 0 || (text === '' && draft.pendingPicture !== undefined)
  if (question.id === 'picture' && hasFile) return []
  return text !== '' || question.skipped(scope) !== undefined ? [{ question, text }] : []
}
