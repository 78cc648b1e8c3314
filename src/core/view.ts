/**
 * A part of a text. A plain string is data, often a stranger's: the renderers escape it, and only they add markup.
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
  /** Opens this item: the label of its control, and the command line that the control runs. */
  open: { label: string; line: string }
}

export type Block =
  | { kind: 'text'; spans: Span[]; quiet?: boolean }
  | { kind: 'fields'; fields: [label: string, value: Span[]][] }
  | { kind: 'progress'; ratio: number; label: string }
  /** `first` is the number of the first item. */
  | { kind: 'list'; first: number; items: Item[] }

/**
 * `line` is a command line, run by a press: its answer replaces the message, or is a new message with `opens`. `url` is an https link.
 * `look` styles the main action, and one that can't be undone.
 */
export type Button =
  | { label: string; line: string; opens?: boolean; look?: 'main' | 'danger' }
  | { label: string; url: string; look?: 'main' }

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
export interface View {
  title: Span[]
  tone?: Tone
  /** An https picture that the platform itself fetches. */
  image?: string
  /** A picture that the bot made, shown large and instead of `image` if the text still fits beside it. */
  picture?: Picture
  blocks: Block[]
  buttons?: Button[][]
  files?: readonly Attachment[]
  /**
   * The view asks for text or files. On Discord a button with this label opens the form that the line names; on Telegram,
   * where people answer with a message, nothing is added.
   */
  form?: { label: string; line: string }
  /**
   * The view asks for a chat that the person manages. Telegram shows its picker with these labels, and the chosen chat's
   * id is appended to the line; on Discord nothing is added.
   */
  picker?: { channel: string; group: string; line: string }
}

/** The text of spans without markup, for where none is allowed (callback answers, titles of choices). */
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

/** A view's title and text blocks as plain text, one on each line. */
export function plainView(view: View): string {
  const texts = view.blocks.flatMap((block) =>
    block.kind === 'text' ? [plainSpans(block.spans)] : [],
  )
  return [plainSpans(view.title), ...texts].filter((text) => text !== '').join('\n')
}
