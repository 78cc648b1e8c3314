import { UserError } from '../errors.ts'
import type { Context, ShowProgress } from './command.ts'
import { type Text, t, type View } from './view.ts'

/** A file that a person sent, not yet read. */
export interface IncomingFile {
  name: string
  /** Bytes, if the platform says so. */
  size?: number
  /** Reads the file. @throws UserError if it has more than `maxBytes`, or can't be fetched */
  read(maxBytes: number): Promise<Uint8Array>
}

/** The refusal of a file with more bytes than this. */
export function fileTooBig(maxBytes: number): UserError {
  const kilobytes = Math.floor(maxBytes / 1024)
  const limit =
    kilobytes < 1024 ? `${kilobytes} kB` : `${Math.floor((10 * kilobytes) / 1024) / 10} MB`
  return new UserError(t('file-too-big', { limit }))
}

/** A person's input that is not a command: text or files in a private chat, or the answers of a form. */
export interface Input {
  text: string
  /** The fields of a form by their ids. */
  fields: Readonly<Record<string, string>>
  files: readonly IncomingFile[]
  /** The id of the form that was sent. */
  form?: string
}

/** Several questions in one form, for platforms that show forms. */
export interface Form<T = Text> {
  id: string
  title: T
  /** At most five: Discord shows no more. */
  fields: readonly FormField<T>[]
}

export interface FormField<T = Text> {
  id: string
  label: T
  about: T
  kind: 'line' | 'paragraph' | 'file'
  required: boolean
  example?: T
  /** The current value. */
  value?: string
  /** Maximum length of the answer in UTF-16 units. */
  maxLength?: number
}

/** A question of a conversation or a menu. The scope holds the answers so far, and what else the question depends on. */
export interface Question<Scope> {
  readonly id: string
  applies(scope: Scope): boolean
  /** The answer as a person would type it, empty if skipped; undefined if not answered. */
  text(scope: Scope): string | undefined
}

/**
 * The question that is asked now: the one that the person went to, else the first that applies and has no answer; undefined if
 * all are answered. A conversation and a menu store answers alone, never a position.
 */
export function questionToAsk<Scope, Asked extends Question<Scope>>(
  questions: readonly Asked[],
  scope: Scope,
  wanted?: string,
): Asked | undefined {
  const applicable = questions.filter((question) => question.applies(scope))
  return (
    applicable.find(({ id }) => id === wanted) ??
    applicable.find((question) => question.text(scope) === undefined)
  )
}

/** Handles input that is not a command. */
export interface Conversation<S> {
  /**
   * Asks for what a command of that name lacks, where people can type it; undefined if it is not asked for, and the command
   * is refused.
   */
  ask?(command: string, services: S, context: Context): Promise<View | undefined>
  /** Whether a reply in a group is the answer to something that the person is being asked there. */
  isAnswer?(input: Input, services: S, context: Context): Promise<boolean>
  /** Answers the input; undefined if the person is not being asked anything. */
  receive(
    input: Input,
    services: S,
    context: Context,
    show: ShowProgress,
  ): Promise<View | undefined>
  /**
   * Returns the work that makes the answer to a message in a group that asks for nothing, such as a card for an address in
   * it; undefined if the message has nothing to look up. It resolves to undefined if there is nothing to show.
   */
  overheard?(
    text: string,
    services: S,
    context: Context,
  ): (() => Promise<View | undefined>) | undefined
  /** The form that a view's `form` line names. @throws UserError if it is too old */
  form(line: string, services: S, context: Context): Promise<Form>
}
