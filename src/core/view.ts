/**
 * A text of ours: a message of the catalogue (`locales/`) by its key, with the arguments that its text names. Renderers
 * never see one: `localise` puts it into the reader's language first.
 */
export interface Message {
  key: string
  args?: Readonly<Record<string, Arg>>
  /** No line ends inside: our words and figures in it are joined by no-break spaces. */
  unbroken?: true
}

/** An argument of a message. A number chooses plural forms; a string is data, often a stranger's. */
export type Arg = number | Span | readonly Span[]

/**
 * Refers to a message of the catalogue.
 * @example
 *   t('search-none', { term: 'otter', chain: chain.name })
 *   // search-none = No token called { $term } on { $chain }.
 */
export function t(key: string, args?: Readonly<Record<string, Arg>>): Message {
  return args === undefined ? { key } : { key, args }
}

/** The same with what belongs together in one line, such as `MC $22.6K`; what is no message stays as it is. */
export function unbroken(span: Span): Span {
  return typeof span === 'object' && 'key' in span ? { ...span, unbroken: true } : span
}

/** A decimal text, which each language writes in its own way. `core/number` makes and formats them. */
export interface Figure {
  number: string
  as: 'price' | 'amount' | 'exact' | 'change' | 'share'
  dollars?: boolean
}

/** A day of the calendar, such as 2026-11-21, which each language writes in its own way: the same one in every time zone. */
export interface Day {
  day: string
}

/** Items joined as a language joins them: "a, b and c". */
export interface List {
  list: readonly Arg[]
  as: 'and' | 'or'
}

/** Words for a place without markup, such as a label. A plain string is data and the same in each language. */
export type Text = string | Message | Figure | Day | List

/**
 * A part of a text. A plain string is data, often a stranger's: the renderers escape it, and only they add markup. `own`
 * is a text of ours in the reader's language. `time` is in unix seconds and is shown in the reader's own time zone.
 * @typeParam T `string` once the view is in the reader's language
 */
export type Span<T = Text> =
  | T
  | { own: string }
  | { bold: T }
  | { code: string }
  | { link: T; url: string }
  | { time: number; as: 'relative' | 'date' }

export interface Item<T = Text> {
  spans: Span<T>[]
  /** Opens this item: the label of its control, and the command line that the control runs. */
  open: { label: T; line: string }
}

/** A part of a view. Beside the view's picture those that are `isPictured` are left out: it shows the same, or needs the room. */
export type Block<T = Text> = { isPictured?: boolean } & (
  | { kind: 'text'; spans: Span<T>[]; small?: boolean }
  /** Texts one below the other, without space between them. */
  | { kind: 'lines'; lines: Span<T>[][] }
  /** Something to copy, such as an address. */
  | { kind: 'copy'; text: string }
  /** Lines that few people need: folded on Telegram; on Discord `open` is a button, whose line shows a view that has them. */
  | { kind: 'details'; lines: Span<T>[][]; open: { label: T; line: string } }
  | { kind: 'fields'; fields: Field<T>[] }
  | { kind: 'progress'; ratio: number; label: T }
  /** `first` is the number of the first item. `choose` says what choosing one is for, if it is not to open it. */
  | { kind: 'list'; first: number; items: Item<T>[]; choose?: T }
)

/** Makes a paragraph. */
export function text(...spans: Span[]): Block & { kind: 'text' } {
  return { kind: 'text', spans }
}

/** Makes a paragraph in small print. */
export function small(...spans: Span[]): Block {
  return { ...text(...spans), small: true }
}

/** `isPictured` as in a block. A localised label ends with its language's colon. */
export type Field<T = Text> = [label: T, value: Span<T>[], isPictured?: boolean]

/** The blocks that stand beside a picture. */
export function besidePicture<T>(blocks: readonly Block<T>[]): Block<T>[] {
  return blocks.flatMap((block): Block<T>[] => {
    if (block.isPictured) return []
    if (block.kind !== 'fields') return [block]
    const fields = block.fields.filter(([, , isPictured]) => !isPictured)
    return fields.length > 0 ? [{ ...block, fields }] : []
  })
}

/**
 * `line` is a command line, run by a press: its answer replaces the message, or is a new message with `asNew`. `url` is an https link.
 * With `inline`, where people can be led to inline mode, it is offered this term there, to send the card that it finds to a chat
 * of theirs. `look` styles the main action, and one that can't be undone. `copy` is put on the reader's clipboard, where a platform has such
 * buttons: the text has to be in the view, too.
 */
export type Button<T = Text> =
  | { label: T; line: string; asNew?: boolean; look?: 'main' | 'danger' }
  | { label: T; url: string; look?: 'main'; inline?: string }
  | { label: T; copy: string }

/** A file that goes with a view; one whose type begins with image/ is shown as a picture. */
export interface Attachment {
  name: string
  type: string
  bytes: Uint8Array
}

/** `key` identifies the content: Telegram stores uploads, and a picture whose key was uploaded is not uploaded again. */
export interface Picture extends Attachment {
  key: string
}

export type Tone = 'neutral' | 'good' | 'warn' | 'bad'

/**
 * A message as plain data. The platform's renderer decides how it looks and what fits.
 * @example
 *   const view: View = {
 *     title: ['Moon Otter'],
 *     blocks: [{ kind: 'text', spans: ['Live ', { time: 1_767_225_600, as: 'relative' }] }],
 *     buttons: [[{ label: 'Refresh', line: 'asset 0x12' }]],
 *   }
 */
export interface View<T = Text> {
  title: Span<T>[]
  tone?: Tone
  /** An https picture that the platform itself fetches. */
  image?: string
  /** A picture that the bot made, shown large and instead of `image` if the text still fits beside it. */
  picture?: Picture
  blocks: Block<T>[]
  /** The people and roles that the message notifies, as the adapter's `mention` gave them; an edit notifies nobody. */
  mentions?: readonly string[]
  buttons?: Button<T>[][]
  files?: readonly Attachment[]
  /**
   * The view asks for text or files. On Discord a button with this label opens the form that the line names; on Telegram,
   * where people answer with a message, nothing is added.
   */
  form?: { label: T; line: string }
  /**
   * The view asks the person who typed a command for text, and has no buttons. Telegram opens a reply to it, with this hint
   * in the message box; on Discord nothing is added.
   */
  reply?: T
  /**
   * The view asks for a chat that the person manages. Telegram shows its picker with these labels, and the chosen chat's
   * id is appended to the line; on Discord nothing is added.
   */
  picker?: { channel: T; group: T; line: string }
}

/** A view in one language: what adapters take. */
export interface LocalisedView extends View<string> {
  /** Texts that renderers may have to add in that language; in English by default. */
  added?: { shortened: string; openOne: string }
}
