import type { Form, FormField, Heard } from '../chat/conversation.ts'
import type { Given } from './answers.ts'
import type { Draft } from './draft.ts'
import { openQuestions, questions } from './questions/list.ts'
import type { Question, Scope } from './questions/question.ts'

/** Discord shows no more. */
const mostFields = 5
const longestAbout = 100
const pictureFile = 'pictureFile'

/** The current question and the open ones after it that are answered in writing, as many as fit; none where it is pressed. */
export function formOf(
  draft: Draft,
  current: Question | undefined,
  scope: Scope,
): Form | undefined {
  if (current?.field === undefined) return undefined
  const after = questions.indexOf(current)
  const later = openQuestions(scope).filter((each) => questions.indexOf(each) > after)
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
  const { example } = question.ask(scope)
  const value = draft.typed[id] ?? question.text(scope) ?? ''
  const takesFile = id === 'picture' && scope.publishes
  const text: FormField = {
    id,
    label: takesFile ? 'Or where the picture is on IPFS' : question.label,
    about: field.about.slice(0, longestAbout),
    kind: field.kind,
    // Only what is asked now must be there: the rest can be answered later.
    required: isCurrent && !canSkip,
    most: field.most,
    ...(example !== undefined && { example: example.slice(0, longestAbout) }),
    ...(value !== '' && { value: value.slice(0, field.most) }),
  }
  if (!takesFile) return [text]
  const file: FormField = {
    id: pictureFile,
    label: question.label,
    about: 'PNG, JPEG, WebP or GIF up to 10 MB',
    kind: 'file',
    required: false,
  }
  return [file, text]
}

/** The answers of a form that was sent; what was left empty is left out where it may be, and stays open elsewhere. */
export function formAnswers({ named, files }: Heard, draft: Draft, scope: Scope): Given[] {
  return questions.flatMap((question) => {
    const text = Object.hasOwn(named, question.id) ? named[question.id]?.trim() : undefined
    if (text === undefined) return []
    // A file stands for the picture, whatever is written beside it; one that was offered still waits for its answer.
    const hasFile = files.length > 0 || (text === '' && draft.offered !== undefined)
    if (question.id === 'picture' && hasFile) return []
    return text !== '' || question.skipped(scope) !== undefined ? [{ question, text }] : []
  })
}
