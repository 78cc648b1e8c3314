// What a chat pane shows and does, whatever the platform.

export interface Person {
  id: string
  name: string
  isBot: boolean
}

/** A run of text, or a thing within or below it. */
export type Part =
  | string
  | {
      kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler' | 'mention'
      inside: readonly Part[]
    }
  | { kind: 'text' | 'group' | 'paragraph' | 'subtext' | 'row'; inside: readonly Part[] }
  | { kind: 'heading'; level: number; inside: readonly Part[] }
  | { kind: 'quote'; isFolded: boolean; inside: readonly Part[] }
  | { kind: 'list'; start: number | undefined; items: { depth: number; inside: readonly Part[] }[] }
  | { kind: 'code'; text: string }
  | { kind: 'pre'; text: string; language?: string }
  | { kind: 'link'; url: string; inside: readonly Part[] }
  | { kind: 'tap'; does: TapKind; value: string; inside: readonly Part[] }
  | { kind: 'time'; unix: number; shown: TimeShown }
  | { kind: 'pictures'; items: Picture[] }
  | { kind: 'thumbnail'; item: Picture }
  | { kind: 'file'; name: string; size: number; url: string }
  | { kind: 'card'; colour: number | undefined; inside: readonly Part[] }
  | { kind: 'section'; inside: readonly Part[]; side: Part }
  | { kind: 'preview'; url: string; host: string; isPicture: boolean; isLarge: boolean }
  | Button
  | Select

/** What tapping on a word does: sends it as a command, copies it. */
export type TapKind = 'command' | 'copy'

/** Relative to now, in the reader's own way of writing dates, or in these words. */
export type TimeShown = 'relative' | Intl.DateTimeFormatOptions | { words: string }

export interface Picture {
  url: string
  alt: string
  size?: { width: number; height: number }
}

export interface Button {
  kind: 'button'
  id: string
  label: string
  style: string
  sign?: 'link' | 'copy' | undefined
  /** Leads there by itself, without the bot. */
  url?: string
  isDisabled: boolean
}

export interface Choice {
  value: string
  label: string
  about?: string | undefined
  isChosen?: boolean | undefined
}

export interface Select {
  kind: 'select'
  id: string
  placeholder: string
  min: number
  max: number
  choices: Choice[]
  isDisabled: boolean
}

export interface Message {
  id: string
  author: Person
  /** Unix time in milliseconds. */
  at: number
  /** A line in the middle of the chat instead of a message. */
  service?: string | undefined
  isOwn: boolean
  isEdited: boolean
  /** The message that this one answers. */
  answers?: { id: string; author: Person; words: string } | undefined
  /** Who used which command for this. */
  used?: { by: Person; command: string } | undefined
  via?: string | undefined
  body: Part[]
  /** Rows of controls below the message rather than in it. */
  controls?: Part[]
  isThinking?: boolean
  /** Only this person sees it, and can put it away. */
  isPrivate?: boolean
  /** It mentions this person. */
  isPing?: boolean
  failure?: string | undefined
}

export interface Place {
  id: string
  name: string
  about: string
  sign: string
  isUnread: boolean
}

/** A line of the list above the message box. */
export interface Entry {
  label: string
  about?: string | undefined
  /** A picture, or else a letter, before the label; the bot's own without it. */
  thumbnail?: string | undefined
  pick: () => void
  /** What Tab puts into the box instead. */
  completes?: string
}

export interface Offer {
  heading?: string | undefined
  entries: Entry[]
  /** Enter picks the first without further ado. */
  isFirstPicked?: boolean
  /** Brings further entries when somebody comes to the end. */
  more?: () => void
}

/** All that a pane shows of one person's look at one place. */
export interface View {
  people: readonly Person[]
  person: string
  places: readonly Place[]
  place: string
  title?: { name: string; about: string; isTyping: boolean; block?: (() => void) | undefined }
  topics: readonly { id: string; name: string }[]
  topic: string
  messages: readonly Message[]
  /** Names and pictures stand beside the messages of others. */
  isGroup: boolean
  intro: { title: string; about: string; hint?: string | undefined } | undefined
  /** What was sent and isn't answered yet. */
  pending: readonly string[]
  placeholder: string
  /** Instead of the message box. */
  bar?: { words: string; run?: () => void } | undefined
  isReadOnly: boolean
  maxLength: number
  hasCommands: boolean
  /** The bot's keyboard below the message box. */
  keyboard?: { label: string; style: string; run: () => void }[][] | undefined
}

/** A platform's side of a pane. */
export interface Chat {
  readonly view: View | undefined
  goTo(person: string, place: string, topic?: string): void
  /** Settles when the bot has answered, or will not. */
  press(message: Message, control: string): Promise<unknown>
  choose(message: Message, control: string, values: string[]): Promise<unknown>
  tap(does: TapKind, value: string): void
  dismiss(message: string): void
  /** Opens a link as the platform's app does that keeps it to itself; false for any other. */
  follow(url: string): boolean
  /** What to offer for the text in the box. */
  typed(text: string): void
  /** The text says all that its command needs: Enter sends it, whatever the list offers. */
  isWhole(text: string): boolean
  /** Enter was pressed; puts the text back where it was refused. */
  submit(text: string, answers: string | undefined): void
  attach(file: File, caption: string): void
  /** Shows or hides all commands. */
  listCommands(): void
}
