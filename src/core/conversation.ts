import type { Context, ShowProgress } from './command.ts'
import type { View } from './view.ts'

/** A file that a person sent, not yet read. */
export interface IncomingFile {
  name: string
  /** Bytes, where the platform says so. */
  size?: number
  /** Reads at most `maxBytes`. @throws UserError where there is more, or the file can't be had. */
  read(maxBytes: number): Promise<Uint8Array>
}

/** What a person gave that is no command: words or files in a private chat, or the answers of a form. */
export interface Input {
  text: string
  /** The fields of a form by their ids. */
  named: Readonly<Record<string, string>>
  files: readonly IncomingFile[]
  /** The id of the form that was sent. */
  form?: string
}

/** Several questions at once, for platforms that show forms. */
export interface Form {
  id: string
  title: string
  /** Five at most: Discord shows no more. */
  fields: readonly FormField[]
}

export interface FormField {
  id: string
  label: string
  about: string
  kind: 'line' | 'paragraph' | 'file'
  required: boolean
  example?: string
  /** What is there already. */
  value?: string
  /** UTF-16 units. */
  most?: number
}

/** What the bot does with words that are no command. */
export interface Conversation<S> {
  /** Undefined where the person is not being asked anything. */
  receive(
    heard: Input,
    services: S,
    context: Context,
    show: ShowProgress,
  ): Promise<View | undefined>
  /** The form that a view's `form` line names. @throws UserError where it is too old. */
  form(line: string, services: S, context: Context): Promise<Form>
}
