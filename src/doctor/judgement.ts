import type { ReadAssets } from '../api/answers.ts'
import type { QueryMeaning } from '../api/query-names.ts'
import { type Answer, isRefused, type NoAnswer } from './probe.ts'
import { saidIn } from './refusal.ts'

/** What a name was seen to do. */
export interface Judgement {
  /** Undefined where nothing that is listed can tell. */
  effect: boolean | undefined
  how: string
  /** Whatever was asked with it, the answers were as without it. */
  isIgnored?: boolean
  /** What the interface said where it refused the name. */
  refused?: NoAnswer
  /** It counts pages instead of assets. */
  countsPages?: boolean
}

export type Value = string | number

/** What is asked of: one meaning, under one name or under several at once. */
export interface What {
  meaning: QueryMeaning
  names: readonly string[]
  /** Whether it has to be seen that it does what it should, not only that it does something. */
  isCandidate: boolean
}

/** How to ask, and what to compare with. */
export interface Asked extends What {
  /** The listing without the parameter; with it, as usual, where it is required. */
  reference: ReadAssets
  isRequired: boolean
  put: (value: Value) => Promise<Answer<ReadAssets>>
  /** Where the usual value is served, the name is known, and what is refused is the value. */
  ofRefusal: (answer: Answer<unknown>, value: string) => Promise<Judgement>
}

export const nothingListed: Judgement = { effect: undefined, how: 'nothing is listed' }
export const tooFew: Judgement = { effect: undefined, how: 'too few are listed' }

/** What a question comes to that got no answer. */
export function ofError(answer: Answer<unknown>, what = ''): Judgement {
  if ('value' in answer) return { effect: undefined, how: what }
  if (!isRefused(answer)) return { effect: undefined, how: answer.error.message }
  const how = [what, refusalOf(answer)].filter((part) => part !== '').join(': ')
  return { effect: false, how, refused: answer }
}

/** What came instead of an answer, in a few words. */
export function refusalOf({ error, refusal }: NoAnswer): string {
  const said = saidIn(refusal)
  const status = error.status === undefined ? error.kind : `refused with ${error.status}`
  return said === '' ? status : `${status}: ${said}`
}
