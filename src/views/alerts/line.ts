import { formatLine } from '../../chat/line.ts'

/** Writes lines of the command for one chat, so that every control stays with it. */
export type AlertsLine = (
  words: string,
  named?: Readonly<Record<string, string | number | undefined>>,
) => string

/** @param elsewhere the chat that is set up from another one */
export function alertsLine(elsewhere: string | undefined, command = 'alerts'): AlertsLine {
  return (words, named = {}) =>
    // The words are our own, and stay readable without quotes.
    formatLine([command, words].filter(Boolean).join(' '), undefined, { ...named, in: elsewhere })
}
