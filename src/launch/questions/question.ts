import type { Span } from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import type { Answers, Draft, QuestionId } from '../draft.ts'
import type { LaunchSettings } from '../settings.ts'

/** What questions and answers are read against. */
export interface Scope {
  answers: Answers
  goal: Draft['goal']
  settings: LaunchSettings
  /** Whether the bot can publish pictures; where it can't, only a CID is taken. */
  publishes: boolean
}

/** What a question shows. */
interface Asked {
  words: Span[]
  example?: string
  /** What is taken, in words. */
  allowed?: string
  /** Answers to press; what is to be said about one stands beside it. */
  choices?: readonly { label: string; value: string; about?: string }[]
}

/** What is odd about an answer that can be taken nonetheless. */
export interface Doubt {
  /** The part of the answer that it is about: who meant that is not asked again. */
  about: string
  /** What is odd, in a sentence. */
  words: string
}

/** One question of a launch. */
export interface Question {
  id: QuestionId
  label: string
  /** What may stand before a colon where several answers are given at once; lower case. */
  names: readonly string[]
  /** The input in a form; a question without it is answered by pressing only. */
  field?: {
    kind: 'line' | 'paragraph'
    most: number
    about: string
    /** What a field that is left empty stands for, and how that is said; not where it leaves the answer out. */
    empty?: { text: string; about: string }
  }
  applies(scope: Scope): boolean
  /** The answer that leaves it out; undefined where it must be answered. */
  skipped(scope: Scope): Answers | undefined
  ask(scope: Scope): Asked
  /** Whether a text that was refused may be kept to be corrected; without it any may that holds no secret. */
  keeps?(text: string): boolean
  /** @throws UserError that says what to give instead. */
  parse(text: string, scope: Scope): Answers
  /** Answers that are held back until the person says that they were meant. */
  doubts?: {
    /** What is odd about the answer of this scope. */
    find(scope: Scope): readonly Doubt[]
    /** The button that says that it was meant. */
    keep: string
  }
  /** The answer as a person would type it, empty where it was left out; undefined where it was not answered. */
  text(scope: Scope): string | undefined
}

/** For questions that are always asked. */
export const always = (): true => true
/** For questions that must be answered. */
export const never = (): undefined => undefined
/** For questions that only a launch asks. */
export const ofLaunches = ({ goal }: Scope): boolean => goal === 'launch'

/** The lines of a list, also where they stand on one line; `comma` says which commas part them. */
export function entriesOf(text: string, comma: RegExp): string[] {
  return text
    .split(/[\r\n;\u0085\u2028\u2029]+/u)
    .flatMap((line) => line.split(comma))
    .map((entry) =>
      entry
        .trim()
        .replaceAll(/^(?:[•*–-]\s+)+|,$/gu, '')
        .trim(),
    )
    .filter((entry) => entry !== '')
}

/** A refusal that says which entry it is about; any other error as it is. */
export function entryRefused(error: unknown, index: number, of: number): unknown {
  if (!(error instanceof UserError)) return error
  const { message } = error
  if (of < 2) {
    return new UserError(message.charAt(0).toUpperCase() + message.slice(1), { cause: error })
  }
  return new UserError(`Entry ${index + 1}: ${message}`, { cause: error })
}
