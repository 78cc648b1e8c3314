import type { ReadAssets } from '../api/answers.ts'
import type { QueryMeaning } from '../api/query-names.ts'
import { type Answer, isRefused, type NoAnswer } from './probe.ts'
import { saidIn } from './refusal.ts'

/** The effect that a name was seen to have. */
export interface Judgement {
  /** Undefined where nothing that is listed can tell. */
  effect: boolean | undefined
  how: string
  /** Set if all answers were the same with it as without it. */
  isIgnored?: boolean
  /** The interface's refusal of the name. */
  refused?: NoAnswer
  /** There was neither an answer nor a refusal, and there will be none to the next question. */
  isUnanswered?: boolean
  /** It does something, but not plainly what it should: another name that does is the right one. */
  isDoubtful?: boolean
  /** It counts pages instead of assets. */
  countsPages?: boolean
}

export type Value = string | number

/** A parameter to be judged: its meaning, and the name or names that it is asked under. */
export interface What {
  meaning: QueryMeaning
  names: readonly string[]
  /** Whether it has to be seen that it does what it should, not only that it does something. */
  isCandidate: boolean
}

/** The way to ask, and the answer to compare with. */
export interface Asked extends What {
  /** The listing without the parameter; with it, as usual, where it is required. */
  reference: ReadAssets
  isRequired: boolean
  put: (value: Value) => Promise<Answer<ReadAssets>>
  /** Judges a refused value: if the usual one is served, the name is known, and only the value is refused. */
  ofRefusal: (answer: Answer<unknown>, value: string) => Promise<Judgement>
}

export const nothingListed: Judgement = { effect: undefined, how: 'nothing is listed' }
export const tooFew: Judgement = { effect: undefined, how: 'too few are listed' }

/** The judgement of a question that got no answer. */
export function ofError(answer: Answer<unknown>, what = ''): Judgement {
  if ('value' in answer) return { effect: undefined, how: what }
  if (!isRefused(answer)) {
    return { effect: undefined, how: answer.error.message, isUnanswered: true }
  }
  const how = [what, refusalOf(answer)].filter((part) => part !== '').join(': ')
  return { effect: false, how, refused: answer }
}

/** A failure in a few words. */
export function refusalOf({ error, refusal }: NoAnswer): string {
  const said = saidIn(refusal)
  const status = error.status === undefined ? error.kind : `refused with ${error.status}`
  return said === '' ? status : `${status}: ${said}`
}
