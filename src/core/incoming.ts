import type { UserError } from '../errors.ts'
import type { Locale } from './catalogue.ts'
import type { Choice, Context, InlineHit } from './command.ts'
import type { Form, IncomingFile, Input } from './conversation.ts'
import type { Completion, MenuEntry } from './runner.ts'
import type { LocalisedView } from './view.ts'

/** Who did something, and where: a context before it is decided who reads the answer. */
export type Sender = Omit<Context, 'ephemeral'>

/** What a person did, and how they are answered; made by a platform's adapter, for `Dispatch.handle`. */
export interface Incoming {
  context: Sender
  input: IncomingInput
  reply: Reply
}

export type IncomingInput =
  | WrittenMessage
  | SlashCommand
  | OpenedLink
  | Press
  | FormPress
  | FilledForm

/** Text and files that somebody wrote. */
export interface WrittenMessage {
  kind: 'message'
  /** As it was written. */
  text: string
  files: readonly IncomingFile[]
  /** The name by which people address the bot, as in `/asset@gavel_bot`. */
  botName: string
  /** It replies to a message of ours. */
  isReply: boolean
  /** It is a channel's post, which is for its readers unless it is a command. */
  isPost: boolean
}

/** A command that was chosen from the platform's list. */
export interface SlashCommand {
  kind: 'command'
  line: string
}

/** A link of ours that runs a line for whoever opens it, so that one that changes something is confirmed first. */
export interface OpenedLink {
  kind: 'link'
  line: string
}

/** A pressed button, or a chosen item of a menu. */
export interface Press {
  kind: 'press'
  /** Undefined if the button is too old, or is not ours. */
  line: string | undefined
  /** The answer is a new message. */
  asNew: boolean
  message: PressedMessage
}

/** A message of ours, as the person who used its button may use it. */
export interface PressedMessage {
  /** Nobody else reads it. */
  isSoleReader: boolean
  /** They may change it: it answers them, or they manage the channel that it is posted in. */
  isTheirs: boolean
  /** It is a channel's post. */
  isPost: boolean
}

/** A pressed button that opens a form. */
export interface FormPress {
  kind: 'form press'
  /** The line that names the form; undefined if the button is too old, or is not ours. */
  line: string | undefined
}

/** A form that was sent. */
export interface FilledForm {
  kind: 'form'
  /** Its id; undefined if it is too old, or is not ours. */
  form: string | undefined
  /** What was filled in, or why that can't be taken. */
  input: Omit<Input, 'form'> | UserError
  /** The message whose button opened it is for this person alone, and shows the answer. */
  inPlace: boolean
}

/** How an answer is shown. */
export interface Manner {
  /** Only the person who asked reads it, in a chat that others read, too. */
  ephemeral: boolean
  /** It replaces the message whose button was pressed. */
  inPlace: boolean
}

/** Kind of an answer: the command's result, a refusal of what was typed, or a failure (ours or a dependency's). */
export const outcomes = ['answered', 'refused', 'failed'] as const
export type Outcome = (typeof outcomes)[number]

export interface Answer {
  view: LocalisedView
  outcome: Outcome
  /** The person was told already: nothing has to be shown where a platform allows that. */
  repeated?: boolean
}

/** Shows the answer to one incoming thing, in the way that dispatch decided. */
export interface Reply {
  /** Comes first: from now on an answer is being made, and if that takes a while the person is shown so. */
  begin(manner: Manner): void
  /** Shows an interim view, which the next one and the answer replace. Never rejects. */
  show(view: LocalisedView): Promise<void>
  /**
   * Shows the answer. Refusals and failures are for the person alone where the platform can do that.
   * @throws SendError if the platform does not take it; dispatch explains if that is for what it contains
   */
  finish(answer: Answer): Promise<void>
  /** Leads the person into their private chat, to run the line there if there is one. For platforms without `ephemeralAnswers`. */
  openPrivately?(line: string | undefined): Promise<void>
  /** Opens a form. @throws Error if it can't be shown. For platforms with `forms` */
  openForm?(form: Form<string>): Promise<void>
  /** Deletes the message that asked, which holds a secret. Returns whether it could; absent where bots never can. */
  deleteMessage?(): Promise<boolean>
}

/** Cards to choose from, or a short notice why there are none: people must not be able to post an error as a card. */
export interface InlineAnswer {
  hits: readonly InlineHit<string>[]
  notice?: string
}

/** What adapters hand to the rest of the code. */
export interface Dispatch {
  readonly menu: readonly MenuEntry[]
  /**
   * Decides whether a person is answered, where and in which language, runs what they ask for, and has the answer shown.
   * @throws what `Reply.finish` throws, unless an explanation could be shown instead
   */
  handle(incoming: Incoming): Promise<void>
  complete(completion: Completion, context: Context): Promise<readonly Choice<string>[]>
  inline(term: string, context: Context): Promise<InlineAnswer>
  /** The greeting for a chat that the bot has joined; undefined for none. */
  welcome(context: Context): Promise<LocalisedView | undefined>
  /** The language of answers: the chat's if it has set one, or else that of the person who writes. */
  localeOf(context: Sender): Locale
}
