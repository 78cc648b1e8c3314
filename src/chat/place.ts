import type { MenuEntry } from './dispatch.ts'
import { formatLine, parseLine } from './line.ts'

/**
 * What a person typed, without the option that says where a command was sent: only the platform knows that, and on
 * the word of anybody else a bot would speak in chats where that person may not.
 */
export function withoutPlace(line: string, menu: readonly MenuEntry[]): string {
  return placed(line, menu, undefined)
}

/** The line with the chat in which the command was sent, for commands that want to know. */
export function withPlace(line: string, menu: readonly MenuEntry[], place: string): string {
  return placed(line, menu, place)
}

/** The entry of the menu that a line begins with. */
export function menuEntry(menu: readonly MenuEntry[], line: string): MenuEntry | undefined {
  const [typed = ''] = line.trimStart().split(/\s/u, 1)
  return menu.find(({ name }) => name === typed.toLowerCase())
}

function placed(line: string, menu: readonly MenuEntry[], place: string | undefined): string {
  const entry = menuEntry(menu, line)
  const option = entry?.options.find((each) => each.place)?.name
  if (entry === undefined || option === undefined) return line
  try {
    const { bare, named } = parseLine(line)
    if (place === undefined && !named.has(option)) return line
    return formatLine(entry.name, bare, { ...Object.fromEntries(named), [option]: place })
  } catch {
    // What is wrong with it is said where it is run.
    return line
  }
}
