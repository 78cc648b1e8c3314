import { UserError } from '../errors.ts'

/**
 * A piece of text. A plain string is data, often a stranger's: the renderers escape it, and only they add markup.
 * `time` is in unix seconds and is shown in the reader's own time zone.
 */
export type Span =
  | string
  | { bold: string }
  | { code: string }
  | { link: string; url: string }
  | { time: number; as: 'relative' | 'date' }

export interface Item {
  spans: Span[]
  /** What opens this item: a short name for its control, and the command line that the control runs. */
  open: { label: string; run: string }
}

export type Block =
  | { kind: 'text'; spans: Span[]; quiet?: boolean }
  | { kind: 'fields'; fields: [label: string, value: Span[]][] }
  | { kind: 'progress'; ratio: number; label: string }
  /** `first` is the number of the first item. */
  | { kind: 'list'; first: number; items: Item[] }

/**
 * `run` replays a command line: the message is replaced by the answer, or with `opens` the answer is a new message.
 * `url` is an https link. `look` marks the one that goes on, and the one that can't be taken back.
 */
export type Button =
  | { label: string; run: string; opens?: boolean; look?: 'main' | 'danger' }
  | { label: string; url: string; look?: 'main' }

/** A file that goes with a view; one whose type begins with image/ is shown as a picture. */
export interface Attachment {
  name: string
  type: string
  bytes: Uint8Array
}

/** `key` says what it shows: where a platform keeps what was uploaded, a picture with a known key is not sent again. */
export interface Picture extends Attachment {
  key: string
}

export type Tone = 'neutral' | 'good' | 'warn' | 'bad'

/** What a person is shown, as plain data. How it looks, and what fits, is the platform's renderer's business. */
export interface View {
  title: Span[]
  tone?: Tone
  /** An https picture that the platform itself fetches. */
  image?: string
  /** A picture of the bot's own making, shown large and in place of `image` where the text still fits beside it. */
  picture?: Picture
  blocks: Block[]
  buttons?: Button[][]
  files?: readonly Attachment[]
  /**
   * The view asks for words or files. Where people answer in a form (Discord) a button with this label opens the form
   * that the line names; where they answer by writing (Telegram) nothing is added.
   */
  form?: { label: string; line: string }
  /**
   * The view asks for a chat that the person manages. Where the platform has a picker (Telegram) it is shown with these
   * labels, and the chosen chat's id is put behind the line; elsewhere nothing is added.
   */
  picker?: { channel: string; group: string; line: string }
}

/** The text of spans without any markup, for places that allow none (callback answers, titles of choices). */
export function plainSpans(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if (typeof span === 'string') return span
      if ('bold' in span) return span.bold
      if ('code' in span) return span.code
      if ('link' in span) return span.link
      return new Date(span.time * 1000).toISOString().slice(0, 16).replace('T', ' ')
    })
    .join('')
}

/** A view as one paragraph of plain text, for places that take nothing else. */
export function plainView(view: View): string {
  const texts = view.blocks.flatMap((block) =>
    block.kind === 'text' ? [plainSpans(block.spans)] : [],
  )
  return [plainSpans(view.title), ...texts].filter((text) => text !== '').join('\n')
}

/** A refusal of which parts are to be typed: those stand out where it is shown. */
export class Refusal extends UserError {
  readonly spans: readonly Span[]

  constructor(spans: readonly Span[], options?: ErrorOptions) {
    super(plainSpans(spans), options)
    this.spans = spans
  }
}
