import type { Form, FormField, Heard } from '../chat/conversation.ts'
import { type Given, type Labelled, labelledAnswers } from './answers.ts'
import type { Draft } from './draft.ts'
import { openQuestions, questions } from './questions/list.ts'
import type { Question, Scope } from './questions/question.ts'

/** Discord shows no more. */
const mostFields = 5
const longestAbout = 100
const pictureFile = 'pictureFile'
const optional = '; optional'

/**
 * The current question and the open ones after it that are answered in writing, as many as fit; none where it is
 * pressed. A refused answer is corrected on its own: what was never asked would be left out as empty.
 */
export function formOf(
  draft: Draft,
  current: Question | undefined,
  scope: Scope,
): Form | undefined {
  if (current?.field === undefined) return undefined
  const after = questions.indexOf(current)
  const isCorrected = draft.typed[current.id] !== undefined
  const later = isCorrected
    ? []
    : openQuestions(scope).filter((each) => questions.indexOf(each) > after)
  const fields: FormField[] = []
  for (const question of [current, ...later]) {
    const next = fieldsOf(draft, question, scope, question === current)
    if (fields.length + next.length > mostFields) break
    fields.push(...next)
  }
  const title = draft.goal === 'launch' ? 'Your token' : 'Your metadata'
  return { id: `${draft.id}.${draft.rev}`, title, fields }
}

function fieldsOf(draft: Draft, question: Question, scope: Scope, isCurrent: boolean): FormField[] {
  const { field, id } = question
  if (field === undefined) return []
  const canSkip = question.skipped(scope) !== undefined
  const empty = canSkip ? optional : field.empty ? `; ${field.empty.about}` : ''
  const { example } = question.ask(scope)
  const value = shownIn(question, draft, scope)
  const takesFile = id === 'picture' && scope.publishes
  const text: FormField = {
    id,
    label: takesFile ? 'Or where the picture is on IPFS' : question.label,
    about: `${field.about}${empty}`.slice(0, longestAbout),
    kind: field.kind,
    // Only what is asked now must be there: the rest can be answered later.
    required: isCurrent && !canSkip && field.empty === undefined,
    most: field.most,
    ...(example !== undefined && { example: example.slice(0, longestAbout) }),
    ...(value !== '' && { value: value.slice(0, field.most) }),
  }
  if (!takesFile) return [text]
  const file: FormField = {
    id: pictureFile,
    label: question.label,
    about: `PNG, JPEG, WebP or GIF up to 10 MB${optional}`,
    kind: 'file',
    required: false,
  }
  return [file, text]
}

/**
 * The answers of a form that was sent; what was left empty is left out where it may be, and stays open elsewhere.
 * Several answers pasted into one field are read as such, and what a person wrote into a field of its own comes first.
 */
export function formAnswers(heard: Heard, draft: Draft, scope: Scope): Labelled {
  const own = questions.flatMap((question) => ownAnswer(question, heard, draft, scope))
  const pastes = own.map(({ text }) => labelledAnswers(text, questions))
  const pasted = new Map(
    pastes.flatMap((paste) => paste?.given ?? []).map((each) => [each.question, each]),
  )
  const kept = own.filter(({ question, text }, index) => {
    if (pastes[index] !== undefined) return false
    const isChanged = text !== '' && text !== shownIn(question, draft, scope)
    return isChanged || !pasted.has(question)
  })
  return {
    given: [
      ...new Map([...pasted.values(), ...kept].map((each) => [each.question, each])).values(),
    ],
    slips: pastes.flatMap((paste) => paste?.slips ?? []),
  }
}

/** What a field holds as it is opened. */
function shownIn(question: Question, draft: Draft, scope: Scope): string {
  return draft.typed[question.id] ?? question.text(scope) ?? ''
}

function ownAnswer(
  question: Question,
  { named, files }: Heard,
  draft: Draft,
  scope: Scope,
): Given[] {
  const text = Object.hasOwn(named, question.id) ? named[question.id]?.trim() : undefined
  if (text === undefined) return []
  // A file stands for the picture, whatever is written beside it; one that was offered still waits for its answer.
  const hasFile = files.length > 0 || (text === '' && draft.offered !== undefined)
  if (question.id === 'picture' && hasFile) return []
  if (text !== '' || question.skipped(scope) !== undefined) return [{ question, text }]
  const stands = question.field?.empty?.text
  return stands === undefined ? [] : [{ question, text: stands }]
}
