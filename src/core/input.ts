import { formatLine, parseLine } from './command.ts'
import type { MenuEntry } from './dispatch.ts'
import { harmless } from './text.ts'

/**
 * What a person wrote: a command (`addressed` with our name behind it), an address alone, a command for another bot,
 * or words that are none of these. `line` is the command line that it stands for.
 */
export type Reading =
  | { kind: 'command'; name: string; line: string; addressed: boolean }
  | { kind: 'address'; line: string }
  | { kind: 'elsewhere' }
  | { kind: 'words'; line: string }

const command = /^\/(?<name>[a-z0-9_]{1,64})(?:@(?<bot>[a-z0-9_]{1,64}))?(?=\s|$)(?<rest>.*)$/isu
const bareAddress = /^0x[0-9a-z]{8,}$/iu
/** Words that are no command are answered with where to begin. */
const welcome = 'start'

/** Reads a message; `ourName` is the name that may stand behind a command, as in `/asset@our_bot OTTER`. */
export function readMessage(text: string, ourName: string): Reading {
  // Copied from an answer of ours, a text holds what keeps Telegram from making links of it.
  const trimmed = harmless(text).trim()
  if (bareAddress.test(trimmed)) return { kind: 'address', line: `asset ${trimmed}` }
  const groups = command.exec(trimmed)?.groups
  if (groups) {
    const { name = '', bot, rest = '' } = groups
    const addressed = bot?.toLowerCase() === ourName.toLowerCase()
    if (bot !== undefined && !addressed) return { kind: 'elsewhere' }
    return { kind: 'command', name: name.toLowerCase(), line: name + rest, addressed }
  }
  // A slash alone, or one before something odd, was still meant as a command.
  return trimmed.startsWith('/')
    ? { kind: 'command', name: '', line: trimmed.slice(1), addressed: false }
    : { kind: 'words', line: welcome }
}

/**
 * What a person typed, without the option that says where a command was sent: only the platform knows that, and on
 * the word of anybody else a bot would speak in chats where that person may not.
 */
export function withoutChatOption(line: string, menu: readonly MenuEntry[]): string {
  return placed(line, menu, undefined)
}

/** The line with the chat in which the command was sent, for commands that want to know. */
export function withChatOption(line: string, menu: readonly MenuEntry[], place: string): string {
  return placed(line, menu, place)
}

/** The entry of the menu that a line begins with. */
export function menuEntry(menu: readonly MenuEntry[], line: string): MenuEntry | undefined {
  const [typed = ''] = line.trimStart().split(/\s/u, 1)
  return menu.find(({ name }) => name === typed.toLowerCase())
}

function placed(line: string, menu: readonly MenuEntry[], place: string | undefined): string {
  const entry = menuEntry(menu, line)
  const option = entry?.options.find((each) => each.chat)?.name
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
