import { UserError } from '../../errors.ts'

/** The lines of a list, also where they stand on one line; `comma` says which commas part them. */
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

/** A refusal that says which entry it is about; any other error as it is. */
export function entryRefused(error: unknown, index: number, of: number): unknown {
  if (!(error instanceof UserError)) return error
  const { message } = error
  if (of < 2) {
    return new UserError(message.charAt(0).toUpperCase() + message.slice(1), { cause: error })
  }
  return new UserError(`Entry ${index + 1}: ${message}`, { cause: error })
}
