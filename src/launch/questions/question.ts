import type { Span } from '../../core/view.ts'
import { UserError } from '../../errors.ts'
import type { Answers, Draft, QuestionId } from '../draft.ts'
import type { LaunchSettings } from '../settings.ts'

/** The context in which answers are parsed. */
export interface Scope {
  answers: Answers
  goal: Draft['goal']
  settings: LaunchSettings
  /** Whether the bot can publish pictures; if not, only a CID is accepted. */
  canPublish: boolean
}

/** The contents of a question. */
interface Asked {
  words: Span[]
  example?: string
  /** Describes valid answers. */
  allowed?: string
  /** Answers offered as buttons; `about` is shown beside one. */
  choices?: readonly { label: string; value: string; about?: string }[]
}

/** A reason why a valid answer may be a mistake. */
export interface Doubt {
  /** The part of the answer in question; if the person confirms it, it isn't asked about again. */
  about: string
  /** The reason, as a sentence. */
  words: string
}

/** One question of a launch. */
export interface Question {
  id: QuestionId
  label: string
  /** Lower-case labels that may precede the answer if several are given at once. */
  names: readonly string[]
  /** The field in a form; without it the question is answered by buttons only. */
  field?: {
    kind: 'line' | 'paragraph'
    most: number
    about: string
    /** The answer for a field left empty and how the form describes it; absent if that skips the question. */
    empty?: { text: string; about: string }
  }
  applies(scope: Scope): boolean
  /** The answer that skips the question; undefined if it is required. */
  skipped(scope: Scope): Answers | undefined
  ask(scope: Scope): Asked
  /** Whether a rejected text may be stored for correction; by default any that holds no secret. */
  keeps?(text: string): boolean
  /**
   * Parses an answer.
   * @throws UserError that says what to send instead
   */
  parse(text: string, scope: Scope): Answers
  /** Doubts that hold an answer back until the person confirms it. */
  doubts?: {
    /** Lists the doubts about the scope's answer. */
    find(scope: Scope): readonly Doubt[]
    /** Label of the button that confirms the answer. */
    keep: string
  }
  /** Returns the answer as a person would type it, empty if skipped; undefined if not answered. */
  text(scope: Scope): string | undefined
}

/** `applies` of questions that are always asked. */
export const always = (): true => true
/** `skipped` of required questions. */
export const never = (): undefined => undefined
/** `applies` of questions that only a launch asks. */
export const ofLaunches = ({ goal }: Scope): boolean => goal === 'launch'

/** Splits a list into its entries, by lines or by the commas that match. */
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

/** Prefixes a UserError with the entry that it is about; returns any other error unchanged. */
export function entryRefused(error: unknown, index: number, of: number): unknown {
  if (!(error instanceof UserError)) return error
  const { message } = error
  if (of < 2) {
    return new UserError(message.charAt(0).toUpperCase() + message.slice(1), { cause: error })
  }
  return new UserError(`Entry ${index + 1}: ${message}`, { cause: error })
}
