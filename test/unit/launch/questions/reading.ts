import type { Answers, QuestionId } from '../../../../src/launch/draft.ts'
import { questions } from '../../../../src/launch/questions/list.ts'
import type { Question, Scope } from '../../../../src/launch/questions/question.ts'
import { fast, settingsOf, standard, trial } from '../conversing.ts'

export const account = '0x52908400098527886E0F7030069857D2E4169EE7'
export const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

export function scopeOf(answers: Answers = {}, changed: Partial<Scope> = {}): Scope {
  const settings = settingsOf([standard, fast, trial])
  return { answers, goal: 'launch', settings, canPublish: true, ...changed }
}

export function questionOf(id: QuestionId): Question {
  const found = questions.find((question) => question.id === id)
  if (found) return found
  throw new Error(`there is no question ${id}`)
}

/** What an answer is read as. */
export function read(id: QuestionId, text: string, scope = scopeOf()): unknown {
  return questionOf(id).parse(text, scope)[id]
}
