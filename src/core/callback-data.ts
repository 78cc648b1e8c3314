/** Stores command lines that are too long for a button (see `StoredCallbacks`). */
export interface CallbackStore {
  /** Stores a line and returns its id: `id`, if given. Undefined if it could not be stored. */
  store(line: string, id?: string): Promise<string | undefined>
  find(id: string): Promise<string | undefined>
}

/** The action of a button: runs the line, and shows the answer in place or, with `asNew`, as a new message. */
export interface ButtonPress {
  line: string
  asNew: boolean
}

const inPlaceMark = '='
const asNewMark = '+'
const asForm = '?'
const stored = '#'

/**
 * Encodes a press in at most `maxBytes` of UTF-8: one character for how it is shown, then the line itself or `#` and the id
 * of the stored line. Telegram allows 64 bytes, Discord 100 characters. Undefined if the line could not be stored: the
 * button is left out then.
 * @example
 *   await encodePress({ line: 'asset 0x12', asNew: false }, 64, store) // '=asset 0x12'
 */
export function encodePress(
  { line, asNew }: ButtonPress,
  maxBytes: number,
  lines: CallbackStore,
): Promise<string | undefined> {
  return encode(asNew ? asNewMark : inPlaceMark, line, maxBytes, lines)
}

/** Decodes what `encodePress` wrote; undefined if the stored line is gone or the data is not ours. */
export async function decodePress(
  data: string,
  lines: CallbackStore,
): Promise<ButtonPress | undefined> {
  const mark = data.charAt(0)
  if (mark !== inPlaceMark && mark !== asNewMark) return undefined
  const line = await decode(data, lines)
  return line === undefined ? undefined : { line, asNew: mark === asNewMark }
}

/** Encodes the name of a form as `encodePress` does a press; neither can be decoded as the other. */
export function encodeForm(
  line: string,
  maxBytes: number,
  lines: CallbackStore,
): Promise<string | undefined> {
  return encode(asForm, line, maxBytes, lines)
}

/** Whether this was written by `encodeForm`, even if its stored line is gone. */
export function namesForm(data: string): boolean {
  return data.startsWith(asForm)
}

/** Decodes what `encodeForm` wrote; undefined if it was stored and is gone, or is not ours. */
export async function decodeForm(data: string, lines: CallbackStore): Promise<string | undefined> {
  return namesForm(data) ? decode(data, lines) : undefined
}

async function encode(
  mark: string,
  line: string,
  maxBytes: number,
  lines: CallbackStore,
): Promise<string | undefined> {
  // A lone surrogate can't be written as UTF-8; Discord answers it with status 500.
  const text = line.toWellFormed()
  if (Buffer.byteLength(text) < maxBytes && !text.startsWith(stored)) return mark + text
  const id = await lines.store(text)
  return id === undefined ? undefined : mark + stored + id
}

async function decode(data: string, lines: CallbackStore): Promise<string | undefined> {
  const rest = data.slice(1)
  const line = rest.startsWith(stored) ? await lines.find(rest.slice(1)) : rest
  return line === '' ? undefined : line
}
