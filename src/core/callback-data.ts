/** Keeps command lines that are too long for a button (see `StoredCallbacks`). */
export interface CallbackStore {
  /** The line's id, the given one where there is one; undefined where it could not be kept. */
  keep(line: string, id?: string): Promise<string | undefined>
  find(id: string): Promise<string | undefined>
}

/** What pressing a control does: run the line, and show the answer in place or as a new message. */
export interface ButtonPress {
  line: string
  opens: boolean
}

const inPlace = '='
const asNew = '+'
const asForm = '?'
const stored = '#'

/**
 * Writes a press into at most `maxBytes` of UTF-8: how it opens, then the line itself or the id of the kept line.
 * Telegram allows 64 bytes, Discord 100 characters. Undefined where the line could not be kept: the control is left out.
 */
export function encodePress(
  { line, opens }: ButtonPress,
  maxBytes: number,
  lines: CallbackStore,
): Promise<string | undefined> {
  return encode(opens ? asNew : inPlace, line, maxBytes, lines)
}

/** Reads what `encodePress` wrote; undefined where the kept line is gone or the data is not ours. */
export async function decodePress(
  data: string,
  lines: CallbackStore,
): Promise<ButtonPress | undefined> {
  const mark = data.charAt(0)
  if (mark !== inPlace && mark !== asNew) return undefined
  const line = await decode(data, lines)
  return line === undefined ? undefined : { line, opens: mark === asNew }
}

/** Writes what names a form, as `encodePress` writes a press; no press is ever read as a form, nor a form as a press. */
export function encodeForm(
  named: string,
  maxBytes: number,
  lines: CallbackStore,
): Promise<string | undefined> {
  return encode(asForm, named, maxBytes, lines)
}

/** Whether this is what `encodeForm` writes, however old. */
export function namesForm(data: string): boolean {
  return data.startsWith(asForm)
}

/** Reads what `encodeForm` wrote; undefined where it was kept and is gone, or is not ours. */
export async function decodeForm(data: string, lines: CallbackStore): Promise<string | undefined> {
  return namesForm(data) ? decode(data, lines) : undefined
}

async function encode(
  mark: string,
  line: string,
  maxBytes: number,
  lines: CallbackStore,
): Promise<string | undefined> {
  // Half a surrogate pair can't be written as UTF-8; Discord answers it with status 500.
  const text = line.toWellFormed()
  if (Buffer.byteLength(text) < maxBytes && !text.startsWith(stored)) return mark + text
  const id = await lines.keep(text)
  return id === undefined ? undefined : mark + stored + id
}

async function decode(data: string, lines: CallbackStore): Promise<string | undefined> {
  const rest = data.slice(1)
  const line = rest.startsWith(stored) ? await lines.find(rest.slice(1)) : rest
  return line === '' ? undefined : line
}
