import type { Turn } from '../../chat/command.ts'
import { formatLine } from '../../chat/line.ts'

/** Options of a line by their names; those that are undefined are left out. */
export type LineOptions = Readonly<Record<string, string | number | undefined>>

/** Writes lines of the command for one chat, so that every control stays with it. */
export interface AlertsLine {
  (words: string, named?: LineOptions): string
  /** The line as a person types it: on Discord loose words need the name of their option. */
  typed(words: string, options?: string | LineOptions): string
}

interface LineParts {
  platform: Turn['platform']
  /** The chat that is set up from another one. */
  elsewhere?: string | undefined
}

export function alertsLine({ platform, elsewhere }: LineParts, command = 'alerts'): AlertsLine {
  const write = (words: string, named = {}) =>
    // The words are our own, and stay readable without quotes.
    formatLine([command, words].filter(Boolean).join(' '), undefined, { ...named, in: elsewhere })
  const typed = (words: string, options: string | LineOptions = '') => {
    const what = words !== '' && platform === 'discord' ? `what:${words}` : words
    const place = elsewhere === undefined ? '' : `in:${elsewhere}`
    const rest = typeof options === 'string' ? options : optionsTyped(options, platform)
    return [`/${command}`, what, rest, place].filter(Boolean).join(' ')
  }
  return Object.assign(write, { typed })
}

/** Discord takes a value as it stands up to the next option. */
function optionsTyped(options: LineOptions, platform: Turn['platform']): string {
  if (platform === 'telegram') return formatLine('', undefined, options).trim()
  return Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
    .join(' ')
}
