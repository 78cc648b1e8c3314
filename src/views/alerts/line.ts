import type { Turn } from '../../chat/command.ts'
import { formatLine } from '../../chat/line.ts'

/** Writes lines of the command for one chat, so that every control stays with it. */
export interface AlertsLine {
  (words: string, named?: Readonly<Record<string, string | number | undefined>>): string
  /** The line as a person types it: on Discord loose words need the name of their option. */
  typed(words: string, options?: string): string
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
  const typed = (words: string, options = '') => {
    const what = words !== '' && platform === 'discord' ? `what:${words}` : words
    const place = elsewhere === undefined ? '' : `in:${elsewhere}`
    return [`/${command}`, what, options, place].filter(Boolean).join(' ')
  }
  return Object.assign(write, { typed })
}
